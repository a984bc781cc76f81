//! `[model]` and its sub-tables, by their tables of parameters.

use super::*;
use crate::scene::parameters;

pub(super) fn model(source: &Source, node: &Node) -> Result<Model, SceneError> {
    let mut model = Model::default();
    read(source, node, "model", &mut model)?;
    Ok(model)
}

/// Reads the table at a path, such as `model` or `model.keep-distance`.
fn read(source: &Source, node: &Node, path: &str, into: &mut dyn Parameters) -> Result<(), SceneError> {
    let title = format!("[{path}]");
    let right = format!("{title} on a line of its own, then its keys");
    let t = Table::new(source, node, title, into.keys(), &right)?;
    for parameter in into.table() {
        let (key, right) = (parameter.key, parameter.allowed());
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
