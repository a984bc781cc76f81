//! `[model]` and its sub-tables, by their tables of parameters; and what groups have of their own of these.

use super::*;
use crate::scene::parameters;
use crate::stages::steer::bvp::{Bvp, Manner};

pub(super) fn model(source: &Source, node: &Node) -> Result<Model, SceneError> {
    let mut model = Model::default();
    read(source, node, "model", &mut model)?;
    Ok(model)
}

/// A group's own manner of walking with `steer = "bvp"`: as the model's, but for what it says.
pub(super) fn manner(source: &Source, node: &Node, model: &Model) -> Result<Manner, SceneError> {
    const RIGHT: &str = "bvp = { epsilon = -1.0, angle = 1.57 } and the like, or a table of angles";
    static KEYS: std::sync::LazyLock<Vec<&'static str>> =
        std::sync::LazyLock::new(|| Bvp::default().keys().iter().copied().chain(["table"]).collect());
    let t = Table::new(source, node, "`bvp`", &KEYS, RIGHT)?;
    let mut rules = model.steering.bvp;
    set_values(&t, &mut rules)?;
    let table = t.get("table").map(|node| angles(&t, node)).transpose()?.unwrap_or_default();
    match rules.contradiction() {
        None => Ok(Manner { rules, table }),
        Some(found) => Err(t.error(found.key, found.message).help(found.help)),
    }
}

/// The angles of a behaviour vector by time.
fn angles(t: &Table<'_>, node: &Node) -> Result<Vec<[f32; 2]>, SceneError> {
    const RIGHT: &str = "a list of [seconds, radians], the earlier first, such as [[0, 0], [2, 1.57]]";
    let Kind::List(rows) = &node.kind else { return Err(t.wrong_type(node, "table", RIGHT)) };
    let mut table: Vec<[f32; 2]> = Vec::new();
    for row in rows {
        let pair = match &row.kind {
            Kind::List(pair) if pair.len() == 2 => pair,
            _ => return Err(t.wrong_type(row, "table", RIGHT)),
        };
        let time = t.number_in(&pair[0], "table", 0.0..=1e6, RIGHT)?;
        let angle = t.number_in(&pair[1], "table", -1e4..=1e4, RIGHT)?;
        if table.last().is_some_and(|last| last[0] >= time) {
            let message = format!("the time {time} s does not come after the one before it");
            return Err(SceneError::at(t.source, row.span.clone(), message).help(format!("table is {RIGHT}")));
        }
        table.push([time, angle]);
    }
    if table.is_empty() {
        return Err(t.error("table", "`table` is empty").help(format!("table is {RIGHT}")));
    }
    Ok(table)
}

/// Reads the table at a path, such as `model` or `model.keep-distance`.
fn read(source: &Source, node: &Node, path: &str, into: &mut dyn Parameters) -> Result<(), SceneError> {
    let title = format!("[{path}]");
    let right = format!("{title} on a line of its own, then its keys");
    let t = Table::new(source, node, title, into.keys(), &right)?;
    set_values(&t, into)?;
    for (name, part) in into.parts_mut() {
        if let Some(node) = t.get(name) {
            read(source, node, &format!("{path}.{name}"), part)?;
        }
    }
    match into.contradiction() {
        None => Ok(()),
        Some(found) => Err(t.error(found.key, found.message).help(found.help)),
    }
}

/// Takes over what a table says of parameters; the others stay as they are.
fn set_values(t: &Table<'_>, into: &mut dyn Parameters) -> Result<(), SceneError> {
    for parameter in into.table() {
        let (key, right) = (parameter.key, parameter.allowed());
        if t.get(key).is_none() {
            continue;
        }
        let value = match &parameter.kind {
            parameters::Kind::Number { default, range, .. } => {
                parameters::Value::Number(t.f32(key, *default, range.clone(), &right)?)
            }
            parameters::Kind::Whole { default, range, .. } => {
                let range = u64::from(*range.start())..=u64::from(*range.end());
                parameters::Value::Whole(t.whole(key, u64::from(*default), range, &right)? as u32)
            }
            parameters::Kind::Choice { words } => {
                let words: Vec<(&str, usize)> = words.iter().enumerate().map(|(i, w)| (w.word, i)).collect();
                parameters::Value::Choice(t.choice(key, 0, &words)?)
            }
        };
        assert!(into.set(key, value), "{key} takes what its table says");
    }
    Ok(())
}
