//! Shapes: rect, polygon, circle, line; alone or in lists.

use super::*;
use crate::geometry::on_one_line;

pub(super) fn nodes<'a>(table: &Table<'_>, node: &'a Node, key: &str) -> Result<&'a [Node], SceneError> {
    match &node.kind {
        Kind::List(items) if items.len() <= MOST_SHAPES => Ok(items),
        Kind::List(_) => Err(table.error(key, "too many shapes").help("at most 1048576")),
        _ => Err(table.wrong_type(node, key, "a list of shapes: [{ rect = […] }, …]")),
    }
}

pub(super) const SHAPES: &str = "rect = [west, south, east, north], polygon = [[x, y], …], circle = [x, y, radius]";

pub(super) const ONE_SHAPE: &str = "{ rect = [west, south, east, north] }, or with polygon or circle";

pub(super) fn shape(t: &Table<'_>, line: bool) -> Result<Shape, SceneError> {
    let found: Vec<(&'static str, &Node)> = ["rect", "polygon", "circle", "line"]
        .into_iter()
        .filter(|k| line || *k != "line")
        .filter_map(|k| t.get(k).map(|n| (k, n)))
        .collect();
    let help = if line { format!("{SHAPES} or line = [[x, y], …]") } else { SHAPES.to_owned() };
    let [(key, node)] = found[..] else {
        let what = if found.is_empty() { "has no shape" } else { "has more than one shape" };
        return Err(
            SceneError::at(t.source, t.span.clone(), format!("{} {what}", t.name)).help(format!("write one of {help}"))
        );
    };
    let wrong = |why: &str| Err(t.error(key, format!("this {key} {why}")).help(format!("write {help}")));
    let number = |n: &Node| n.number().map(|v| v as f32).filter(|v| v.abs() <= 1e7);
    // As many numbers as belong there, each within reach; or none.
    let numbers = |items: &[Node], n: usize| -> Option<Vec<f32>> {
        let v: Vec<f32> = items.iter().filter_map(number).collect();
        (items.len() == n && v.len() == n).then_some(v)
    };
    let Kind::List(items) = &node.kind else { return Err(t.wrong_type(node, key, &help)) };
    match key {
        "rect" => {
            let Some(v) = numbers(items, 4) else { return wrong("is not four numbers of metres, up to 1e7") };
            if v[2] <= v[0] || v[3] <= v[1] {
                return wrong("has no area: east must be beyond west and north beyond south");
            }
            Ok(Shape::Rect(Rect::new(Vec2::new(v[0], v[1]), Vec2::new(v[2], v[3]))))
        }
        "circle" => {
            let Some(v) = numbers(items, 3) else { return wrong("is not three numbers of metres, up to 1e7") };
            if v[2] <= 0.0 {
                return wrong("has no area: the radius must be above 0");
            }
            Ok(Shape::Circle(Vec2::new(v[0], v[1]), v[2]))
        }
        _ => {
            let mut points = Vec::new();
            for item in items {
                let pair = match &item.kind {
                    Kind::List(pair) => numbers(pair, 2),
                    _ => None,
                };
                let Some(v) = pair else {
                    return Err(SceneError::at(
                        t.source,
                        item.span.clone(),
                        format!("this point of the {key} is not [x, y] in metres, up to 1e7"),
                    )
                    .help(format!("write {help}")));
                };
                points.push(Vec2::new(v[0], v[1]));
            }
            let least = if key == "line" { 2 } else { 3 };
            if points.len() < least || points.len() > MOST_SHAPES {
                return wrong(if least == 2 { "needs at least two points" } else { "needs at least three corners" });
            }
            if key == "line" {
                if points.iter().all(|p| *p == points[0]) {
                    return wrong("has no length: all its points are one");
                }
                return Ok(Shape::Line(points));
            }
            if on_one_line(&points) {
                return wrong("has no area: its corners lie on one line");
            }
            Ok(Shape::Polygon(points))
        }
    }
}

/// One shape as a table, or a list of them.
pub(super) fn area(t: &Table<'_>, node: &Node, what: &str) -> Result<Vec<Shape>, SceneError> {
    let one = |n: &Node| {
        let s = Table::new(t.source, n, what, &["rect", "polygon", "circle"], ONE_SHAPE)?;
        shape(&s, false)
    };
    match &node.kind {
        Kind::List(items) if items.is_empty() || items.len() > MOST_SHAPES => {
            Err(SceneError::at(t.source, node.span.clone(), format!("{what} is a list of {} shapes", items.len()))
                .help(format!("write one or more (at most 1048576) of {SHAPES}")))
        }
        Kind::List(items) if items.iter().any(|n| !matches!(n.kind, Kind::Table(_))) => {
            Err(SceneError::at(t.source, node.span.clone(), format!("{what} is neither a shape nor a list of shapes"))
                .help(format!("write {ONE_SHAPE}, or a list of such")))
        }
        Kind::List(items) => items.iter().map(one).collect(),
        _ => Ok(vec![one(node)?]),
    }
}

pub(super) fn outside(source: &Source, node: &Node, grid: &Grid) -> SceneError {
    let e = grid.extent();
    SceneError::at(source, node.span.clone(), "this lies outside of the world")
        .help(format!("the world is [0, 0] to [{}, {}] metres", e.x, e.y))
}
