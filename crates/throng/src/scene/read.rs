//! From TOML to a [`Scene`]: every key, its type, its range, and a message for each way to get it wrong.

use super::error::{SceneError, Source};
use super::value::{self, Kind, Node, Table};
use super::*;
use crate::geometry::Rect;
use glam::Vec2;

/// A world of 2^28 cells already asks for 20 GB of fields.
const MOST_CELLS: u64 = 1 << 28;
/// Above the hundred million that Throng aims at.
const MOST_AGENTS: u64 = 1 << 27;
const MOST_GOALS: usize = 4096;
/// Potential and direction of every goal at every cell: at most 2^30 cells in all, about 13 GB.
const MOST_GOAL_CELLS: u64 = 1 << 30;
const MOST_GROUPS: usize = 4096;
const MOST_SHAPES: usize = 1 << 20;

pub(super) fn scene(source: Source, files: &dyn Files) -> Result<Scene, SceneError> {
    let root_node = value::parse(&source)?;
    let root = Table::new(&source, &root_node, "the scene")?;
    if let Kind::Table(entries) = &root_node.kind
        && entries.is_empty()
    {
        return Err(SceneError::whole(&source, "the scene is empty")
            .help("a scene needs at least `size` (or a map.image), a [[goal]] and [[agents]]; see docs/scene.md"));
    }
    let file_stem = source.name.rsplit(['/', '\\']).next().unwrap_or("").trim_end_matches(".toml").to_owned();
    let name = root.text("name", "a text")?.map_or(file_stem, str::to_owned);
    let cell = root.f32("cell", 0.5, 0.01..=100.0, "the side of a cell, 0.01 to 100 m")?;
    let dt = root.f32("dt", 0.04, 0.0001..=10.0, "the time step, 0.0001 to 10 s")?;
    let seed = root.whole("seed", 1, 0..=u64::from(u32::MAX), "a whole number from 0 to 4294967295")? as u32;
    let size = root.get("size");

    let empty = Node { kind: Kind::Table(Vec::new()), span: 0..0 };
    let map_node = root.get("map").unwrap_or(&empty);
    let map_table = Table::new(&source, map_node, "[map]")?;
    let images = read_images(&map_table, files)?;
    let grid = grid(&root, size, cell, &images)?;
    let mut map = map(&map_table, images.map, grid)?;
    map.image = map_table.text("image", "a file's name")?.map(str::to_owned);
    map.exits = map_table.text("exits", "a file's name")?.map(str::to_owned);
    map_table.finish()?;

    let mut goals = exit_goals(images.exits.as_ref(), &map_table);
    for (i, node) in list(&root, "goal")?.iter().enumerate() {
        let goal = goal(&source, node, i, &grid)?;
        if goals.iter().any(|g: &Goal| g.name == goal.name) {
            return Err(SceneError::at(&source, node.span.clone(), format!("there are two goals named \"{}\"", goal.name))
                .help("give each goal a name of its own"));
        }
        goals.push(goal);
    }
    if goals.len() > MOST_GOALS || goals.len() as u64 * grid.len() as u64 > MOST_GOAL_CELLS {
        return Err(SceneError::whole(&source, format!("{} goals on {} cells are too many", goals.len(), grid.len()))
            .help("at most 4096 goals, and goals times cells at most 1073741824: join goals or use larger cells"));
    }
    let zones = list(&root, "zone")?
        .iter()
        .enumerate()
        .map(|(i, node)| zone(&source, node, i))
        .collect::<Result<Vec<_>, _>>()?;
    let mut groups = Vec::new();
    for (i, node) in list(&root, "agents")?.iter().enumerate() {
        groups.push(group(&source, node, i, &goals, &grid)?);
    }
    if groups.len() > MOST_GROUPS {
        return Err(SceneError::whole(&source, format!("{} groups are too many", groups.len())).help("at most 4096"));
    }
    let total: u64 = groups.iter().map(|g| u64::from(g.count)).sum();
    if total > MOST_AGENTS {
        return Err(SceneError::whole(&source, format!("{total} agents are too many")).help("at most 134217728 in all groups"));
    }
    let events = list(&root, "event")?
        .iter()
        .map(|node| event(&source, node, &map.walls, &zones))
        .collect::<Result<Vec<_>, _>>()?;
    let model_node = root.get("model").unwrap_or(&empty);
    let model = model(&Table::new(&source, model_node, "[model]")?)?;
    let dt_place = root.place("dt");
    root.finish()?;
    let scene = Scene { name, grid, dt, seed, map, goals, groups, zones, events, model, source: source.clone() };
    let stride = scene.top_speed() * dt;
    if stride > cell {
        let span = if root.get("dt").is_some() { dt_place } else { 0..0 };
        return Err(SceneError::at(
            &source,
            span,
            format!("in one step of {dt} s the fastest agents walk {stride:.2} m, past a whole cell of {cell} m"),
        )
        .help(format!("dt is at most {:.4} s here: cell / top speed", cell / scene.top_speed())));
    }
    if scene.widest_radius() * 2.0 > 64.0 * cell {
        return Err(SceneError::whole(&source, "bodies are more than 64 cells wide").help("use larger cells or smaller radii"));
    }
    Ok(scene)
}

fn list<'a>(root: &Table<'a>, key: &'static str) -> Result<&'a [Node], SceneError> {
    match root.get(key) {
        None => Ok(&[]),
        Some(Node { kind: Kind::List(items), .. }) if items.iter().all(|n| matches!(n.kind, Kind::Table(_))) => Ok(items),
        Some(node) => Err(SceneError::at(root.source, node.span.clone(), format!("`{key}` must be a list of tables, not {}", node.describe()))
            .help(format!("write it as [[{key}]]"))),
    }
}

struct Image {
    width: usize,
    height: usize,
    /// RGBA, south row first.
    pixels: Vec<[u8; 4]>,
}

struct Images {
    map: Option<Image>,
    exits: Option<Image>,
}

fn read_images(map: &Table<'_>, files: &dyn Files) -> Result<Images, SceneError> {
    let read = |key: &'static str| -> Result<Option<Image>, SceneError> {
        let Some(name) = map.text(key, "the name of a PNG file")? else { return Ok(None) };
        let bytes = files.read(name).map_err(|why| {
            map.error(key, format!("cannot read \"{name}\": {why}")).help("the name is relative to the scene's own folder")
        })?;
        let bad = |why: String| map.error(key, format!("\"{name}\" is not a usable PNG: {why}")).help("a PNG of 8 or 16 bits a channel, one pixel a cell, at most 16384 a side");
        let mut reader = image::ImageReader::with_format(std::io::Cursor::new(&bytes), image::ImageFormat::Png);
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(16_384);
        limits.max_image_height = Some(16_384);
        limits.max_alloc = Some(4 << 30);
        reader.limits(limits);
        let decoded = reader.decode().map_err(|e| bad(e.to_string()))?.into_rgba8();
        let (width, height) = (decoded.width() as usize, decoded.height() as usize);
        let mut pixels = Vec::with_capacity(width * height);
        for row in decoded.rows().rev() {
            pixels.extend(row.map(|p| p.0));
        }
        Ok(Some(Image { width, height, pixels }))
    };
    let images = Images { map: read("image")?, exits: read("exits")? };
    if let (Some(m), Some(e)) = (&images.map, &images.exits)
        && (m.width, m.height) != (e.width, e.height)
    {
        return Err(map
            .error("exits", format!("the exit image is {} × {} pixels, the map {} × {}", e.width, e.height, m.width, m.height))
            .help("both have one pixel a cell: make them the same size"));
    }
    Ok(images)
}

fn grid(root: &Table<'_>, size: Option<&Node>, cell: f32, images: &Images) -> Result<Grid, SceneError> {
    let image = images.map.as_ref().or(images.exits.as_ref());
    let from_size = match size {
        None => None,
        Some(node) => {
            let right = "[west-east, south-north] in metres";
            let Kind::List(items) = &node.kind else { return Err(root.wrong_type(node, "size", right)) };
            let numbers: Vec<f64> = items.iter().filter_map(Node::number).collect();
            let [w, h] = numbers[..] else { return Err(root.wrong_type(node, "size", right)) };
            if items.len() != 2 {
                return Err(root.wrong_type(node, "size", right));
            }
            let cells = |metres: f64| {
                let n = (metres / f64::from(cell)).round();
                let whole = (metres - n * f64::from(cell)).abs() <= 1e-3 * f64::from(cell);
                (n >= 1.0 && n <= MOST_CELLS as f64 && whole).then_some(n as usize)
            };
            let (Some(w), Some(h)) = (cells(w), cells(h)) else {
                return Err(SceneError::at(root.source, node.span.clone(), format!("a world of {w} × {h} m is not a whole number of {cell} m cells"))
                    .help("each side is a positive multiple of `cell`"));
            };
            Some((w, h))
        }
    };
    let (width, height) = match (image, from_size) {
        (Some(i), Some(s)) if (i.width, i.height) != s => {
            return Err(root
                .error("size", format!("`size` is {} × {} cells, but the image has {} × {} pixels", s.0, s.1, i.width, i.height))
                .help(format!("leave `size` out, or write [{}, {}]", i.width as f32 * cell, i.height as f32 * cell)));
        }
        (Some(i), _) => (i.width, i.height),
        (None, Some(s)) => s,
        (None, None) => {
            return Err(SceneError::whole(root.source, "the scene does not say how large the world is")
                .help("write `size = [width, height]` in metres, or give it a map.image"));
        }
    };
    if width as u64 * height as u64 > MOST_CELLS {
        return Err(root.error("size", format!("{width} × {height} cells are too many")).help("at most 268435456 cells: use larger cells"));
    }
    Ok(Grid { width, height, cell })
}

fn map(table: &Table<'_>, image: Option<Image>, grid: Grid) -> Result<Map, SceneError> {
    let mut map = Map::default();
    if let Some(image) = image {
        // Red >= 0.99 is a wall (thesis 5.1): 253/255 is the first such value.
        map.painted = image.pixels.iter().map(|p| f32::from(p[0]) / 255.0 >= 0.99).collect();
        map.ground =
            image.pixels.iter().map(|p| { let r = f32::from(p[0]) / 255.0; if r >= 0.99 { 0.0 } else { r } }).collect();
    }
    if let Some(node) = table.get("walls") {
        for item in nodes(table, node, "walls")? {
            let t = Table::new(table.source, item, "a wall")?;
            let name = t.text("name", "a text")?.map(str::to_owned);
            let open = t.truth("open", false)?;
            let shape = shape(&t, true)?;
            t.finish()?;
            if !shape.bounds().touches(grid.bounds()) {
                return Err(outside(table.source, item, &grid));
            }
            map.walls.push(WallSpec { name, shape, open });
        }
    }
    if let Some(node) = table.get("discomfort") {
        for item in nodes(table, node, "discomfort")? {
            let t = Table::new(table.source, item, "a discomfort")?;
            let value = t.f32("value", 0.5, 0.0..=0.98, "a discomfort, 0 to 0.98 (for a wall use `walls`)")?;
            let shape = shape(&t, false)?;
            t.finish()?;
            map.discomfort.push((shape, value));
        }
    }
    Ok(map)
}

fn nodes<'a>(table: &Table<'_>, node: &'a Node, key: &str) -> Result<&'a [Node], SceneError> {
    match &node.kind {
        Kind::List(items) if items.len() <= MOST_SHAPES => Ok(items),
        Kind::List(_) => Err(table.error(key, "too many shapes").help("at most 1048576")),
        _ => Err(table.wrong_type(node, key, "a list of shapes: [{ rect = […] }, …]")),
    }
}

fn exit_goals(image: Option<&Image>, map: &Table<'_>) -> Vec<Goal> {
    let Some(image) = image else { return Vec::new() };
    (0..4)
        .filter_map(|channel| {
            let cells: Vec<u32> = (0u32..).zip(&image.pixels).filter(|(_, p)| p[channel] == 0).map(|(i, _)| i).collect();
            (!cells.is_empty()).then(|| Goal {
                name: format!("exit {channel}"),
                shapes: Vec::new(),
                cells,
                mark: map.place("exits"),
            })
        })
        .collect()
}

const SHAPES: &str = "rect = [west, south, east, north], polygon = [[x, y], …], circle = [x, y, radius]";

fn shape(t: &Table<'_>, line: bool) -> Result<Shape, SceneError> {
    let found: Vec<(&'static str, &Node)> = ["rect", "polygon", "circle", "line"]
        .into_iter()
        .filter(|k| line || *k != "line")
        .filter_map(|k| t.get(k).map(|n| (k, n)))
        .collect();
    let help = if line { format!("{SHAPES} or line = [[x, y], …]") } else { SHAPES.to_owned() };
    let [(key, node)] = found[..] else {
        let what = if found.is_empty() { "has no shape" } else { "has more than one shape" };
        return Err(SceneError::at(t.source, t.span.clone(), format!("{} {what}", t.name)).help(format!("write one of {help}")));
    };
    let wrong = |why: &str| Err(t.error(key, format!("this {key} {why}")).help(format!("write {help}")));
    let number = |n: &Node| n.number().map(|v| v as f32).filter(|v| v.is_finite() && v.abs() <= 1e7);
    let Kind::List(items) = &node.kind else { return Err(t.wrong_type(node, key, &help)) };
    match key {
        "rect" => {
            let v: Vec<f32> = items.iter().filter_map(number).collect();
            let ([x0, y0, x1, y1], 4) = (v.try_into().unwrap_or([0.0; 4]), items.len()) else {
                return wrong("is not four numbers of metres");
            };
            if x1 <= x0 || y1 <= y0 {
                return wrong("has no area: east must be beyond west and north beyond south");
            }
            Ok(Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1))))
        }
        "circle" => {
            let v: Vec<f32> = items.iter().filter_map(number).collect();
            let ([x, y, r], 3) = (v.try_into().unwrap_or([0.0; 3]), items.len()) else {
                return wrong("is not three numbers of metres");
            };
            if r <= 0.0 {
                return wrong("has no area: the radius must be above 0");
            }
            Ok(Shape::Circle(Vec2::new(x, y), r))
        }
        _ => {
            let mut points = Vec::new();
            for item in items {
                let Kind::List(pair) = &item.kind else { return wrong("is not a list of [x, y] points") };
                let v: Vec<f32> = pair.iter().filter_map(number).collect();
                let ([x, y], 2) = (v.try_into().unwrap_or([0.0; 2]), pair.len()) else {
                    return wrong("is not a list of [x, y] points");
                };
                points.push(Vec2::new(x, y));
            }
            let least = if key == "line" { 2 } else { 3 };
            if points.len() < least || points.len() > MOST_SHAPES {
                return wrong(if least == 2 { "needs at least two points" } else { "needs at least three corners" });
            }
            Ok(if key == "line" { Shape::Line(points) } else { Shape::Polygon(points) })
        }
    }
}

/// One shape as a table, or a list of them.
fn area(t: &Table<'_>, node: &Node, what: &str) -> Result<Vec<Shape>, SceneError> {
    let one = |n: &Node| {
        let s = Table::new(t.source, n, what)?;
        let shape = shape(&s, false)?;
        s.finish()?;
        Ok(shape)
    };
    match &node.kind {
        Kind::List(items) if items.is_empty() || items.len() > MOST_SHAPES => {
            Err(SceneError::at(t.source, node.span.clone(), format!("{what} is an empty list")).help(format!("write one or more of {SHAPES}")))
        }
        Kind::List(items) => items.iter().map(one).collect(),
        _ => Ok(vec![one(node)?]),
    }
}

fn outside(source: &Source, node: &Node, grid: &Grid) -> SceneError {
    let e = grid.extent();
    SceneError::at(source, node.span.clone(), "this lies outside of the world")
        .help(format!("the world is [0, 0] to [{}, {}] metres", e.x, e.y))
}

fn goal(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Goal, SceneError> {
    let t = Table::new(source, node, "[[goal]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("goal {i}"), str::to_owned);
    let shapes = match t.get("shapes") {
        Some(list) => {
            let shapes = area(&t, list, "a goal's shape")?;
            for key in ["rect", "polygon", "circle"] {
                if t.get(key).is_some() {
                    return Err(t.error(key, format!("a goal has `shapes` or `{key}`, not both")).help("move it into `shapes`"));
                }
            }
            shapes
        }
        None => vec![shape(&t, false)?],
    };
    t.finish()?;
    if !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
        return Err(outside(source, node, grid));
    }
    Ok(Goal { name, shapes, cells: Vec::new(), mark: node.span.clone() })
}

fn zone(source: &Source, node: &Node, i: usize) -> Result<Zone, SceneError> {
    let t = Table::new(source, node, "[[zone]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("zone {i}"), str::to_owned);
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    let shape = shape(&t, false)?;
    t.finish()?;
    Ok(Zone { name, shape, speed })
}

const ZONE_SPEED: &str = "a factor on everybody's speed, 0.01 to 2";

fn distribution(
    t: &Table<'_>,
    key: &'static str,
    default: Distribution,
    range: std::ops::RangeInclusive<f32>,
    unit: &str,
) -> Result<Distribution, SceneError> {
    let Some(node) = t.get(key) else { return Ok(default) };
    let right = format!(
        "{unit}, {} to {}: a number, {{ uniform = [low, high] }} or {{ normal = [mean, deviation], min = …, max = … }}",
        range.start(),
        range.end()
    );
    if node.number().is_some() {
        return Ok(Distribution::Constant(t.number_in(node, key, range, &right)?));
    }
    if !matches!(node.kind, Kind::Table(_)) {
        return Err(t.wrong_type(node, key, &right));
    }
    let d = Table::new(t.source, node, format!("`{key}`"))?;
    let pair = |k: &'static str| -> Result<Option<[f32; 2]>, SceneError> {
        let Some(n) = d.get(k) else { return Ok(None) };
        if let Kind::List(items) = &n.kind
            && let [a, b] = &items[..]
        {
            let any = f32::MIN..=f32::MAX;
            return Ok(Some([d.number_in(a, k, any.clone(), &right)?, d.number_in(b, k, any, &right)?]));
        }
        Err(d.wrong_type(n, k, &right))
    };
    let (uniform, normal) = (pair("uniform")?, pair("normal")?);
    let out = |message: String| Err(SceneError::at(t.source, node.span.clone(), message).help(format!("{key} is {right}")));
    let result = match (uniform, normal) {
        (Some([a, b]), None) => {
            if a > b {
                return out(format!("`{key}` runs from {a} down to {b}"));
            }
            Distribution::Uniform(a, b)
        }
        (None, Some([mean, deviation])) => {
            let min = d.f32("min", (mean - 3.0 * deviation).max(*range.start()), range.clone(), &right)?;
            let max = d.f32("max", (mean + 3.0 * deviation).min(*range.end()), range.clone(), &right)?;
            if deviation < 0.0 || min > max {
                return out(format!("`{key}` has no value between min {min} and max {max} with deviation {deviation}"));
            }
            if mean < min - 5.0 * deviation || mean > max + 5.0 * deviation {
                return out(format!("`{key}`: hardly any draw around {mean} falls between {min} and {max}"));
            }
            Distribution::Normal { mean, deviation, min, max }
        }
        _ => return out(format!("`{key}` needs either uniform or normal")),
    };
    d.finish()?;
    if !range.contains(&result.min()) || !range.contains(&result.max()) {
        return out(format!("`{key}` reaches from {} to {}, which is out of range", result.min(), result.max()));
    }
    Ok(result)
}

fn group(source: &Source, node: &Node, i: usize, goals: &[Goal], grid: &Grid) -> Result<Group, SceneError> {
    let t = Table::new(source, node, "[[agents]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("group {i}"), str::to_owned);
    let start = t.get("start").map(|n| area(&t, n, "`start`")).transpose()?.unwrap_or_default();
    let entry = t.get("entry").map(|n| area(&t, n, "`entry`")).transpose()?.unwrap_or_default();
    for (shapes, key) in [(&start, "start"), (&entry, "entry")] {
        if !shapes.is_empty() && !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
            return Err(outside(source, t.get(key).expect("it was read"), grid));
        }
    }
    let mut rate = None;
    let has = |key: &'static str| t.get(key).is_some();
    let given = [has("count"), has("density"), has("source")].into_iter().filter(|b| *b).count();
    if given != 1 {
        return Err(SceneError::at(source, node.span.clone(), format!("[[agents]] \"{name}\" needs exactly one of count, density and source"))
            .help("count = 200, or density = 1.5 (persons per m²), or source = { rate = 2.0, total = 100 }"));
    }
    let mut density = None;
    let mut count_key = "count";
    let count = if let Some(n) = t.get("source") {
        count_key = "source";
        let s = Table::new(source, n, "`source`")?;
        for key in ["rate", "total"] {
            if s.get(key).is_none() {
                return Err(SceneError::at(source, n.span.clone(), format!("`source` has no `{key}`"))
                    .help("source = { rate = persons per second, total = persons }"));
            }
        }
        rate = Some(s.f32("rate", 1.0, 0.000_001..=1e6, "persons per second, above 0 to 1000000")?);
        let total = s.whole("total", 0, 0..=MOST_AGENTS, "a whole number of persons, at most 134217728")?;
        s.finish()?;
        total
    } else if t.get("density").is_some() {
        count_key = "density";
        let d = t.f32("density", 1.0, 0.0..=100.0, "persons per m², 0 to 100")?;
        density = Some(d);
        (f64::from(d) * area_of(&start, grid)).round() as u64
    } else {
        t.whole("count", 0, 0..=MOST_AGENTS, "a whole number of agents, at most 134217728")?
    };
    let place = t.choice("place", Place::Lattice, &[("lattice", Place::Lattice), ("random", Place::Random)])?;
    let radius = distribution(&t, "radius", Distribution::Constant(0.2), 0.01..=100.0, "m")?;
    let speed = distribution(
        &t,
        "speed",
        Distribution::Normal { mean: 1.34, deviation: 0.26, min: 0.56, max: 2.12 },
        0.01..=100.0,
        "m/s",
    )?;
    let turn = distribution(&t, "turn", Distribution::Constant(5.0), 0.01..=1000.0, "rad/s")?;
    let delay = distribution(&t, "delay", Distribution::Constant(0.0), 0.0..=1e6, "s")?;
    let arrive = t.choice(
        "arrive",
        Arrive::Park,
        &[("park", Arrive::Park), ("next", Arrive::Next), ("respawn", Arrive::Respawn)],
    )?;
    if !entry.is_empty() && arrive != Arrive::Respawn {
        return Err(t.error("entry", "`entry` is where agents respawn, but these do not").help("write arrive = \"respawn\", or leave `entry` out"));
    }
    let journey = journey(&t, goals, &name)?;
    let marks = GroupMarks {
        table: node.span.clone(),
        count: t.place(count_key),
        start: t.place("start"),
        journey: t.place("journey"),
        entry: t.place("entry"),
    };
    t.finish()?;
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Group { name, count, density, start, place, radius, speed, turn, delay, journey, arrive, entry, rate, marks })
}

/// The area of a start, in m², by counting cells whose middles are in it (walls included: a scene that says a
/// density means the floor it names).
fn area_of(start: &[Shape], grid: &Grid) -> f64 {
    let cell_area = f64::from(grid.cell) * f64::from(grid.cell);
    if start.is_empty() {
        return grid.len() as f64 * cell_area;
    }
    if let [Shape::Rect(r)] = start {
        let r = Rect::new(r.min.max(Vec2::ZERO), r.max.min(grid.extent()));
        return f64::from((r.max.x - r.min.x).max(0.0)) * f64::from((r.max.y - r.min.y).max(0.0));
    }
    let bounds = start.iter().map(Shape::bounds).reduce(Rect::union).expect("not empty");
    let (columns, rows) = grid.cells_in(bounds);
    let inside = rows.flat_map(|y| columns.clone().map(move |x| (x, y))).filter(|&(x, y)| {
        let p = grid.centre(x, y);
        start.iter().any(|s| s.contains(p))
    });
    inside.count() as f64 * cell_area
}

fn journey(t: &Table<'_>, goals: &[Goal], group: &str) -> Result<Vec<Leg>, SceneError> {
    let right = "a list of goals: [\"door\"], or [{ goal = \"bench\", wait = 20 }, \"door\"]";
    let names = || match goals {
        [] => "the scene has no goals yet: add a [[goal]]".to_owned(),
        _ => format!("goals are: {}", goals.iter().take(12).map(|g| format!("\"{}\"", g.name)).collect::<Vec<_>>().join(", ")),
    };
    let find = |node: &Node, name: &str| {
        goals.iter().position(|g| g.name == name).map(|i| i as u16).ok_or_else(|| {
            SceneError::at(t.source, node.span.clone(), format!("there is no goal \"{name}\"")).help(names())
        })
    };
    let Some(node) = t.get("journey") else {
        return match goals {
            [_] => Ok(vec![Leg { goal: 0, wait: 0.0 }]),
            _ => Err(SceneError::at(t.source, t.span.clone(), format!("[[agents]] \"{group}\" has no journey")).help(names())),
        };
    };
    let one = |n: &Node| match &n.kind {
        Kind::Text(name) => Ok(Leg { goal: find(n, name)?, wait: 0.0 }),
        Kind::Table(_) => {
            let leg = Table::new(t.source, n, "a leg of a journey")?;
            let Some(name) = leg.text("goal", right)? else {
                return Err(SceneError::at(t.source, n.span.clone(), "this leg names no goal").help(right));
            };
            let wait = leg.f32("wait", 0.0, 0.0..=1e6, "seconds, 0 to 1000000")?;
            leg.finish()?;
            Ok(Leg { goal: find(n, name)?, wait })
        }
        _ => Err(t.wrong_type(n, "journey", right)),
    };
    match &node.kind {
        Kind::Text(_) => Ok(vec![one(node)?]),
        Kind::List(items) if !items.is_empty() && items.len() <= 10_000 => items.iter().map(one).collect(),
        _ => Err(t.wrong_type(node, "journey", right)),
    }
}

fn event(source: &Source, node: &Node, walls: &[WallSpec], zones: &[Zone]) -> Result<Event, SceneError> {
    let t = Table::new(source, node, "[[event]]")?;
    if t.get("at").is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this event has no time").help("write at = seconds"));
    }
    let at = t.f32("at", 0.0, 0.0..=1e7, "seconds, 0 to 10000000")?;
    let wall = |key: &'static str| -> Result<Option<usize>, SceneError> {
        let Some(name) = t.text(key, "the name of a wall")? else { return Ok(None) };
        walls.iter().position(|w| w.name.as_deref() == Some(name)).map(Some).ok_or_else(|| {
            let known: Vec<&str> = walls.iter().filter_map(|w| w.name.as_deref()).collect();
            t.error(key, format!("there is no wall named \"{name}\"")).help(if known.is_empty() {
                "no wall has a name yet: write { rect = […], name = \"door\" } in map.walls".to_owned()
            } else {
                format!("named walls are: {}", known.join(", "))
            })
        })
    };
    let (close, open) = (wall("close")?, wall("open")?);
    let zone = match t.text("zone", "the name of a zone")? {
        None => None,
        Some(name) => Some(zones.iter().position(|z| z.name == name).ok_or_else(|| {
            let known: Vec<&str> = zones.iter().map(|z| z.name.as_str()).collect();
            t.error("zone", format!("there is no zone named \"{name}\"")).help(format!("zones are: {}", known.join(", ")))
        })?),
    };
    let has_speed = t.get("speed").is_some();
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    t.finish()?;
    let change = match (close, open, zone, has_speed) {
        (Some(w), None, None, false) => Change::Close(w),
        (None, Some(w), None, false) => Change::Open(w),
        (None, None, Some(z), true) => Change::ZoneSpeed(z, speed),
        _ => {
            return Err(SceneError::at(source, node.span.clone(), "an event does exactly one thing")
                .help("close = WALL, or open = WALL, or zone = ZONE with speed = FACTOR"));
        }
    };
    Ok(Event { at, change })
}

fn model(t: &Table<'_>) -> Result<Model, SceneError> {
    let d = Model::default();
    let weight = |key: &'static str, default: f32, unit: &str| t.f32(key, default, 0.0..=1e4, &format!("a weight {unit}, 0 to 10000"));
    let model = Model {
        plan: t.choice("plan", d.plan, &[("continuum", Plan::Continuum), ("static", Plan::Static)])?,
        steer: t.choice("steer", d.steer, &[("follow", Steer::Follow)])?,
        scheme: t.choice("scheme", d.scheme, &[("upwind", Scheme::Upwind), ("thesis", Scheme::Thesis)])?,
        speed_law: t.choice("speed_law", d.speed_law, &[("weidmann", SpeedLaw::Weidmann), ("thesis", SpeedLaw::Thesis)])?,
        length_weight: weight("length_weight", d.length_weight, "per metre")?,
        time_weight: weight("time_weight", d.time_weight, "per second")?,
        discomfort_weight: weight("discomfort_weight", d.discomfort_weight, "per second")?,
        clearance: t.f32("clearance", d.clearance, 0.0..=100.0, "metres, 0 to 100")?,
        clearance_discomfort: t.f32("clearance_discomfort", d.clearance_discomfort, 0.0..=100.0, "a discomfort, 0 to 100")?,
        person_radius: t.f32("person_radius", d.person_radius, 0.01..=100.0, "metres, 0.01 to 100")?,
        jam_density: t.f32("jam_density", d.jam_density, 0.1..=100.0, "persons per m², 0.1 to 100")?,
        flow_weight: t.f32("flow_weight", d.flow_weight, 0.0..=1.0, "0 to 1")?,
        min_speed: t.f32("min_speed", d.min_speed, 0.001..=10.0, "m/s, 0.001 to 10")?,
        density_min: t.f32("density_min", d.density_min, 0.0..=10.0, "a planner's density, 0 to 10")?,
        density_max: t.f32("density_max", d.density_max, 0.0..=10.0, "a planner's density, 0 to 10")?,
        separation_rounds: t.whole("separation_rounds", u64::from(d.separation_rounds), 0..=100, "a whole number, 0 to 100")? as u32,
    };
    if model.length_weight + model.time_weight <= 0.0 {
        return Err(t.error("length_weight", "with both length_weight and time_weight 0 every way costs nothing")
            .help("give at least one of them a value above 0"));
    }
    if model.density_max <= model.density_min {
        return Err(t.error("density_max", format!("density_max {} is not above density_min {}", model.density_max, model.density_min))
            .help("the thesis takes 0.5 and 0.8"));
    }
    t.finish()?;
    Ok(model)
}
