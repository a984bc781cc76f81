//! From TOML to a [`Scene`]: every key, its type, its range, and a message for each way to get it wrong.

use super::error::{SceneError, Source};
use super::value::{self, Kind, Node, Table, nearest, plain, shorten};
use super::*;
use glam::Vec2;

/// A world of 2^28 cells already asks for 20 GB of fields.
const MOST_CELLS: u64 = 1 << 28;
/// Above the hundred million that Throng aims at.
const MOST_AGENTS: u64 = 1 << 27;
const MOST_GOALS: usize = 4096;
/// Potential and direction of every goal at every cell: at most 2^30 cells in all, about 13 GB.
const MOST_GOAL_CELLS: u64 = 1 << 30;
const MOST_GROUPS: usize = 4096;
const MOST_ZONES: usize = 4096;
/// Positions have 24 bits: this far out they are 8 mm apart, and a short step would be lost in rounding.
const MOST_METRES: f64 = 1e5;
const MOST_SHAPES: usize = 1 << 20;

pub(super) fn scene(source: Source, files: &dyn Files) -> Result<Scene, SceneError> {
    let root_node = value::parse(&source)?;
    let keys = &["name", "cell", "dt", "seed", "size", "map", "goal", "agents", "zone", "event", "model"];
    let root = Table::new(&source, &root_node, "the scene", keys, "key = value lines")?;
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
    let map_table = Table::new(
        &source,
        map_node,
        "[map]",
        &["image", "exits", "walls", "discomfort"],
        "[map] on a line of its own, then its keys",
    )?;
    let images = read_images(&map_table, files)?;
    let grid = grid(&root, size, cell, &images)?;
    let mut map = map(&map_table, images.map, grid)?;
    map.image = map_table.text("image", "a file's name")?.map(str::to_owned);
    map.exits = map_table.text("exits", "a file's name")?.map(str::to_owned);

    let mut goals = exit_goals(images.exits.as_ref(), &map_table)?;
    let goal_nodes = list(&root, "goal")?;
    if goal_nodes.len() > MOST_GOALS {
        return Err(SceneError::whole(&source, format!("{} goals are too many", goal_nodes.len()))
            .help("at most 4096: join some by `shapes`"));
    }
    for (i, node) in goal_nodes.iter().enumerate() {
        let goal = goal(&source, node, i, &grid)?;
        if goals.iter().any(|g: &Goal| g.name == goal.name) {
            return Err(SceneError::at(
                &source,
                node.span.clone(),
                format!("there are two goals named \"{}\"", shorten(&goal.name)),
            )
            .help("give each goal a name of its own"));
        }
        goals.push(goal);
    }
    if goals.len() as u64 * grid.len() as u64 > MOST_GOAL_CELLS {
        return Err(SceneError::whole(&source, format!("{} goals on {} cells are too many", goals.len(), grid.len()))
            .help("goals times cells are at most 1073741824: join goals or use larger cells"));
    }
    let zone_nodes = list(&root, "zone")?;
    if zone_nodes.len() > MOST_ZONES {
        return Err(SceneError::whole(&source, format!("{} zones are too many", zone_nodes.len())).help("at most 4096"));
    }
    let mut zones: Vec<Zone> = Vec::new();
    for (i, node) in zone_nodes.iter().enumerate() {
        let zone = zone(&source, node, i, &grid)?;
        if zones.iter().any(|z| z.name == zone.name) {
            return Err(SceneError::at(
                &source,
                node.span.clone(),
                format!("there are two zones named \"{}\"", shorten(&zone.name)),
            )
            .help("give each zone a name of its own"));
        }
        zones.push(zone);
    }
    let mut groups = Vec::new();
    for (i, node) in list(&root, "agents")?.iter().enumerate() {
        groups.push(group(&source, node, i, &goals, &grid)?);
    }
    if groups.len() > MOST_GROUPS {
        return Err(SceneError::whole(&source, format!("{} groups are too many", groups.len())).help("at most 4096"));
    }
    let total: u64 = groups.iter().map(|g| u64::from(g.count)).sum();
    if total > MOST_AGENTS {
        return Err(
            SceneError::whole(&source, format!("{total} agents are too many")).help("at most 134217728 in all groups")
        );
    }
    let events = list(&root, "event")?
        .iter()
        .map(|node| event(&source, node, &map.walls, &zones))
        .collect::<Result<Vec<_>, _>>()?;
    let model_node = root.get("model").unwrap_or(&empty);
    let model =
        model(&Table::new(&source, model_node, "[model]", MODEL_KEYS, "[model] on a line of its own, then its keys")?)?;
    let scene = Scene { name, grid, dt, seed, map, goals, groups, zones, events, model, source: source.clone() };
    let stride = scene.top_speed() * dt;
    if stride > cell {
        let message =
            format!("in one step of {dt} s the fastest agents walk {stride:.2} m, past a whole cell of {cell} m");
        let error = match root.get("dt") {
            Some(node) => SceneError::at(&source, node.span.clone(), message),
            None => SceneError::whole(&source, message),
        };
        let top = scene.top_speed();
        let most = (1e4 * cell / top).floor() / 1e4;
        return Err(error.help(format!("with a top speed of {top:.2} m/s (zones included) write dt = {most} or less")));
    }
    if let Some(wide) = scene.groups.iter().find(|g| g.radius.max() * 2.0 > 64.0 * cell) {
        let message = format!(
            "\"{}\" has bodies of radius {} m, more than 64 cells of {cell} m wide",
            shorten(&wide.name),
            wide.radius.max()
        );
        return Err(
            SceneError::at(&source, wide.marks.table.clone(), message).help("use larger cells or smaller radii")
        );
    }
    Ok(scene)
}

fn list<'a>(root: &Table<'a>, key: &'static str) -> Result<&'a [Node], SceneError> {
    match root.get(key) {
        None => Ok(&[]),
        Some(Node { kind: Kind::List(items), .. }) if items.iter().all(|n| matches!(n.kind, Kind::Table(_))) => {
            Ok(items)
        }
        Some(node) => Err(SceneError::at(
            root.source,
            node.span.clone(),
            format!("`{key}` must be a list of tables, not {}", node.describe()),
        )
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
            map.error(key, format!("cannot read \"{name}\": {why}"))
                .help("the name is relative to the scene's own folder")
        })?;
        let bad = |why: String| {
            map.error(key, format!("\"{name}\" is not a usable PNG: {why}"))
                .help("a PNG of 8 or 16 bits a channel, one pixel a cell, at most 16384 a side")
        };
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
            .error(
                "exits",
                format!("the exit image is {} × {} pixels, the map {} × {}", e.width, e.height, m.width, m.height),
            )
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
            if let Some(stranger) = items.iter().find(|n| n.number().is_none()) {
                return Err(root.wrong_type(stranger, "size", right));
            }
            let numbers: Vec<f64> = items.iter().filter_map(Node::number).collect();
            let [w, h] = numbers[..] else { return Err(root.wrong_type(node, "size", right)) };
            let (w, h) = (side(root, node, w, cell)?, side(root, node, h, cell)?);
            Some((w, h))
        }
    };
    let (width, height) = match (image, from_size) {
        (Some(i), Some(s)) if (i.width, i.height) != s => {
            return Err(root
                .error(
                    "size",
                    format!("`size` is {} × {} cells, but the image has {} × {} pixels", s.0, s.1, i.width, i.height),
                )
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
        return Err(root
            .error("size", format!("{width} × {height} cells are too many"))
            .help("at most 268435456 cells: use larger cells"));
    }
    let longest = width.max(height) as f64 * f64::from(cell);
    if longest > MOST_METRES {
        return Err(SceneError::whole(root.source, format!("a world of {longest} m is too large")).help(LARGEST));
    }
    Ok(Grid { width, height, cell })
}

const LARGEST: &str = "each side is at most 100000 m: farther out positions would lose the centimetres";

/// A side of the world in cells.
fn side(root: &Table<'_>, node: &Node, metres: f64, cell: f32) -> Result<usize, SceneError> {
    let wrong = |message: String| SceneError::at(root.source, node.span.clone(), message);
    if !(metres > 0.0 && metres.is_finite()) {
        return Err(wrong(format!("a world cannot have a side of {} m", plain(metres)))
            .help("size is [west-east, south-north] in metres, both above 0"));
    }
    if metres > MOST_METRES {
        return Err(wrong(format!("a world with a side of {} m is too large", plain(metres))).help(LARGEST));
    }
    // `size` may have been written from 32-bit numbers, and `cell` is one.
    let cell = f64::from(cell);
    let n = (metres / cell).round();
    if n < 1.0 || (metres - n * cell).abs() > 1e-3 * cell + metres * f64::from(f32::EPSILON) {
        let below = (metres / cell).floor();
        let metres_of = |n: f64| (n * cell * 1e4).round() / 1e4;
        let near = if below < 1.0 {
            format!("{}", metres_of(1.0))
        } else {
            format!("{} or {}", metres_of(below), metres_of(below + 1.0))
        };
        return Err(wrong(format!(
            "a side of {} m is not a whole number of cells of {} m",
            plain(metres),
            metres_of(1.0)
        ))
        .help(format!("write {near} m, or change `cell`")));
    }
    Ok(n as usize)
}

fn map(table: &Table<'_>, image: Option<Image>, grid: Grid) -> Result<Map, SceneError> {
    let mut map = Map::default();
    if let Some(image) = image {
        // Red >= 0.99 is a wall (thesis 5.1): 253/255 is the first such value.
        map.painted = image.pixels.iter().map(|p| f32::from(p[0]) / 255.0 >= 0.99).collect();
        map.ground = image
            .pixels
            .iter()
            .map(|p| {
                let r = f32::from(p[0]) / 255.0;
                if r >= 0.99 { 0.0 } else { r }
            })
            .collect();
    }
    let mut names = std::collections::BTreeSet::new();
    if let Some(node) = table.get("walls") {
        for item in nodes(table, node, "walls")? {
            let t = Table::new(
                table.source,
                item,
                "a wall",
                &["name", "rect", "polygon", "circle", "line", "open"],
                ONE_SHAPE,
            )?;
            let name = t.text("name", "a text")?.map(str::to_owned);
            let open = t.truth("open", false)?;
            let shape = shape(&t, true)?;
            if !shape.bounds().touches(grid.bounds()) {
                return Err(outside(table.source, item, &grid));
            }
            if let Some(name) = &name
                && !names.insert(name.clone())
            {
                return Err(t
                    .error("name", format!("there are two walls named \"{}\"", shorten(name)))
                    .help("an event opens or closes one wall: give each a name of its own"));
            }
            map.walls.push(WallSpec { name, shape, open });
        }
    }
    if let Some(node) = table.get("discomfort") {
        for item in nodes(table, node, "discomfort")? {
            let t = Table::new(table.source, item, "a discomfort", &["rect", "polygon", "circle", "value"], ONE_SHAPE)?;
            let value = t.f32("value", 0.5, 0.0..=0.98, "a discomfort, 0 to 0.98 (for a wall use `walls`)")?;
            let shape = shape(&t, false)?;
            if !shape.bounds().touches(grid.bounds()) {
                return Err(outside(table.source, item, &grid));
            }
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

fn exit_goals(image: Option<&Image>, map: &Table<'_>) -> Result<Vec<Goal>, SceneError> {
    let Some(image) = image else { return Ok(Vec::new()) };
    let goals: Vec<Goal> = (0..4)
        .filter_map(|channel| {
            let cells: Vec<u32> =
                (0u32..).zip(&image.pixels).filter(|(_, p)| p[channel] == 0).map(|(i, _)| i).collect();
            (!cells.is_empty()).then(|| Goal {
                name: format!("exit {channel}"),
                shapes: Vec::new(),
                cells,
                mark: map.place("exits"),
            })
        })
        .collect();
    if goals.is_empty() {
        return Err(map
            .error("exits", "this image has no exit: in no pixel is red, green, blue or alpha exactly 0")
            .help(
                "pixels with red 0 are the goal \"exit 0\", green 0 \"exit 1\", blue 0 \"exit 2\", alpha 0 \"exit 3\"",
            ));
    }
    Ok(goals)
}

const SHAPES: &str = "rect = [west, south, east, north], polygon = [[x, y], …], circle = [x, y, radius]";

const ONE_SHAPE: &str = "{ rect = [west, south, east, north] }, or with polygon or circle";

fn shape(t: &Table<'_>, line: bool) -> Result<Shape, SceneError> {
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

fn on_one_line(points: &[Vec2]) -> bool {
    let far = points
        .iter()
        .map(|&p| p - points[0])
        .fold(Vec2::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
    points.iter().all(|&p| far.perp_dot(p - points[0]).abs() <= 1e-6 * far.length_squared())
}

/// One shape as a table, or a list of them.
fn area(t: &Table<'_>, node: &Node, what: &str) -> Result<Vec<Shape>, SceneError> {
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

fn outside(source: &Source, node: &Node, grid: &Grid) -> SceneError {
    let e = grid.extent();
    SceneError::at(source, node.span.clone(), "this lies outside of the world")
        .help(format!("the world is [0, 0] to [{}, {}] metres", e.x, e.y))
}

fn goal(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Goal, SceneError> {
    let t = Table::new(source, node, "[[goal]]", &["name", "rect", "polygon", "circle", "shapes"], "it as [[goal]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("goal {i}"), str::to_owned);
    let shapes = match t.get("shapes") {
        Some(list) => {
            let shapes = area(&t, list, "a goal's shape")?;
            for key in ["rect", "polygon", "circle"] {
                if t.get(key).is_some() {
                    return Err(t
                        .error(key, format!("a goal has `shapes` or `{key}`, not both"))
                        .help("move it into `shapes`"));
                }
            }
            shapes
        }
        None => vec![shape(&t, false)?],
    };
    if !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
        return Err(outside(source, node, grid));
    }
    Ok(Goal { name, shapes, cells: Vec::new(), mark: node.span.clone() })
}

fn zone(source: &Source, node: &Node, i: usize, grid: &Grid) -> Result<Zone, SceneError> {
    let t = Table::new(source, node, "[[zone]]", &["name", "rect", "polygon", "circle", "speed"], "it as [[zone]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("zone {i}"), str::to_owned);
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    let shape = shape(&t, false)?;
    if !shape.bounds().touches(grid.bounds()) {
        return Err(outside(source, node, grid));
    }
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
        "in {unit}, {} to {}: a number, {{ uniform = [low, high] }} or {{ normal = [mean, deviation], min = …, max = … }}",
        range.start(),
        range.end()
    );
    if node.number().is_some() {
        return Ok(Distribution::Constant(t.number_in(node, key, range, &right)?));
    }
    if !matches!(node.kind, Kind::Table(_)) {
        return Err(t.wrong_type(node, key, &right));
    }
    let d = Table::new(t.source, node, format!("`{key}`"), &["uniform", "normal", "min", "max"], &right)?;
    let wrong = |at: &'static str, message: String| d.error(at, message).help(format!("{key} is {right}"));
    let pair = |k: &'static str| -> Result<Option<[f32; 2]>, SceneError> {
        let Some(n) = d.get(k) else { return Ok(None) };
        if let Kind::List(items) = &n.kind
            && let [a, b] = &items[..]
        {
            let any = f32::MIN..=f32::MAX;
            return Ok(Some([d.number_in(a, key, any.clone(), &right)?, d.number_in(b, key, any, &right)?]));
        }
        Err(wrong(k, format!("`{k}` cannot be {}: it takes two numbers", n.describe())))
    };
    let (uniform, normal) = (pair("uniform")?, pair("normal")?);
    let result = match (uniform, normal) {
        (Some([a, b]), None) => {
            if a > b {
                return Err(wrong("uniform", format!("`{key}` runs from {a} down to {b}: the lower one comes first")));
            }
            for k in ["min", "max"] {
                if d.get(k).is_some() {
                    return Err(wrong(
                        k,
                        format!("`{k}` belongs to a normal distribution: a uniform one has its bounds already"),
                    ));
                }
            }
            Distribution::Uniform(a, b)
        }
        (None, Some([mean, deviation])) => {
            if deviation < 0.0 {
                return Err(wrong(
                    "normal",
                    format!("`{key}` has a standard deviation of {deviation}: it is at least 0"),
                ));
            }
            let (low, high) = (*range.start(), *range.end());
            let bound = |k: &'static str, default: f32| match d.get(k) {
                None => Ok(default),
                Some(n) => d.number_in(n, k, range.clone(), &format!("a bound of `{key}`, {low} to {high} {unit}")),
            };
            let min = bound("min", (mean - 3.0 * deviation).max(low))?;
            let max = bound("max", (mean + 3.0 * deviation).min(high))?;
            if min > max {
                let at = if d.get("min").is_some() { "min" } else { "normal" };
                return Err(wrong(at, format!("`{key}` has no value between its min {min} and its max {max}")));
            }
            if mean < min - 5.0 * deviation || mean > max + 5.0 * deviation {
                return Err(wrong(
                    "normal",
                    format!("`{key}`: hardly any draw around {mean} falls between {min} and {max}"),
                ));
            }
            Distribution::Normal { mean, deviation, min, max }
        }
        (Some(_), Some(_)) => return Err(wrong("normal", format!("`{key}` is either uniform or normal, not both"))),
        (None, None) => return Err(wrong("", format!("`{key}` needs either uniform or normal"))),
    };
    if !range.contains(&result.min()) || !range.contains(&result.max()) {
        return Err(wrong(
            "uniform",
            format!("`{key}` reaches from {} to {}, which is out of range", result.min(), result.max()),
        ));
    }
    Ok(result)
}

const AGENT_KEYS: &[&str] = &[
    "name", "count", "density", "source", "start", "place", "radius", "speed", "turn", "delay", "journey", "arrive",
    "entry",
];

fn group(source: &Source, node: &Node, i: usize, goals: &[Goal], grid: &Grid) -> Result<Group, SceneError> {
    let t = Table::new(source, node, "[[agents]]", AGENT_KEYS, "it as [[agents]]")?;
    let name = t.text("name", "a text")?.map_or_else(|| format!("group {i}"), str::to_owned);
    let start = t.get("start").map(|n| area(&t, n, "`start`")).transpose()?.unwrap_or_default();
    let entry = t.get("entry").map(|n| area(&t, n, "`entry`")).transpose()?.unwrap_or_default();
    for (shapes, key) in [(&start, "start"), (&entry, "entry")] {
        if !shapes.is_empty() && !shapes.iter().any(|s| s.bounds().touches(grid.bounds())) {
            return Err(outside(source, t.get(key).expect("it was read"), grid));
        }
    }
    let mut rate = None;
    let given: Vec<&'static str> = ["count", "density", "source"].into_iter().filter(|k| t.get(k).is_some()).collect();
    let shown = shorten(&name);
    let how_many = match given[..] {
        [_] => None,
        [] => Some(SceneError::at(source, node.span.clone(), format!("[[agents]] \"{shown}\" does not say how many"))),
        [a, b, ..] => Some(t.error(b, format!("[[agents]] \"{shown}\" has both {a} and {b}"))),
    };
    if let Some(error) = how_many {
        return Err(error.help(
            "exactly one of count = 200, density = 1.5 (persons per m²) and source = { rate = 2.0, total = 100 }",
        ));
    }
    let mut density = None;
    let mut count_key = "count";
    let count = if let Some(n) = t.get("source") {
        count_key = "source";
        let s = Table::new(source, n, "`source`", &["rate", "total"], "source = { rate = 2.0, total = 100 }")?;
        for key in ["rate", "total"] {
            if s.get(key).is_none() {
                return Err(SceneError::at(source, n.span.clone(), format!("`source` has no `{key}`"))
                    .help("source = { rate = persons per second, total = persons }"));
            }
        }
        rate = Some(s.f32("rate", 1.0, 0.000_001..=1e6, "persons per second, above 0 to 1000000")?);
        s.whole("total", 0, 0..=MOST_AGENTS, "a whole number of persons, at most 134217728")?
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
        return Err(t
            .error("entry", "`entry` is where agents respawn, but these do not")
            .help("write arrive = \"respawn\", or leave `entry` out"));
    }
    let journey = journey(&t, goals, &name)?;
    let marks = GroupMarks {
        table: node.span.clone(),
        count: t.place(count_key),
        start: t.place("start"),
        journey: t.place("journey"),
        entry: t.place("entry"),
    };
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
    let names = || goals.iter().map(|g| g.name.as_str());
    let none = "the scene has no goals yet: add a [[goal]]";
    let find = |node: &Node, name: &str| {
        goals.iter().position(|g| g.name == name).map(|i| i as u16).ok_or_else(|| {
            SceneError::at(t.source, node.span.clone(), format!("there is no goal \"{}\"", shorten(name)))
                .help(known("goals are", name, names()).unwrap_or(none.into()))
        })
    };
    let Some(node) = t.get("journey") else {
        return match goals {
            [_] => Ok(vec![Leg { goal: 0, wait: 0.0 }]),
            _ => Err(SceneError::at(
                t.source,
                t.span.clone(),
                format!("[[agents]] \"{}\" has no journey", shorten(group)),
            )
            .help(
                known("with several goals a group says where it goes: goals are", "", names()).unwrap_or(none.into()),
            )),
        };
    };
    let one = |n: &Node| match &n.kind {
        Kind::Text(name) => Ok(Leg { goal: find(n, name)?, wait: 0.0 }),
        Kind::Table(_) => {
            let leg = Table::new(t.source, n, "a leg of a journey", &["goal", "wait"], right)?;
            let Some(name) = leg.text("goal", right)? else {
                return Err(SceneError::at(t.source, n.span.clone(), "this leg names no goal").help(right));
            };
            let wait = leg.f32("wait", 0.0, 0.0..=1e6, "seconds, 0 to 1000000")?;
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

/// Help for a name that is not there: the one that was meant, or the first of those that are; nothing if there are none.
fn known<'a>(what: &str, wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(name) = nearest(wrong, names.clone()) {
        return Some(format!("did you mean \"{}\"?", shorten(name)));
    }
    let list: Vec<String> = names.clone().take(12).map(|n| format!("\"{}\"", shorten(n))).collect();
    let more = if names.count() > list.len() { ", …" } else { "" };
    (!list.is_empty()).then(|| format!("{what}: {}{more}", list.join(", ")))
}

fn event(source: &Source, node: &Node, walls: &[WallSpec], zones: &[Zone]) -> Result<Event, SceneError> {
    let t = Table::new(source, node, "[[event]]", &["at", "close", "open", "zone", "speed"], "it as [[event]]")?;
    if t.get("at").is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this event has no time").help("write at = seconds"));
    }
    let at = t.f32("at", 0.0, 0.0..=1e7, "seconds, 0 to 10000000")?;
    let wall = |key: &'static str| -> Result<Option<usize>, SceneError> {
        let Some(name) = t.text(key, "the name of a wall")? else { return Ok(None) };
        walls.iter().position(|w| w.name.as_deref() == Some(name)).map(Some).ok_or_else(|| {
            t.error(key, format!("there is no wall named \"{}\"", shorten(name))).help(
                known("named walls are", name, walls.iter().filter_map(|w| w.name.as_deref()))
                    .unwrap_or("no wall has a name yet: write { rect = […], name = \"door\" } in map.walls".into()),
            )
        })
    };
    let (close, open) = (wall("close")?, wall("open")?);
    let zone = match t.text("zone", "the name of a zone")? {
        None => None,
        Some(name) => Some(zones.iter().position(|z| z.name == name).ok_or_else(|| {
            t.error("zone", format!("there is no zone named \"{}\"", shorten(name))).help(
                known("zones are", name, zones.iter().map(|z| z.name.as_str()))
                    .unwrap_or("the scene has no zones yet: add a [[zone]]".into()),
            )
        })?),
    };
    let has_speed = t.get("speed").is_some();
    let speed = t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?;
    let wrong = |message: &str| {
        SceneError::at(source, node.span.clone(), message)
            .help("an event does one thing: close = WALL, or open = WALL, or zone = ZONE with speed = FACTOR")
    };
    let change = match (close, open, zone, has_speed) {
        (Some(w), None, None, false) => Change::Close(w),
        (None, Some(w), None, false) => Change::Open(w),
        (None, None, Some(z), true) => Change::ZoneSpeed(z, speed),
        (None, None, Some(_), false) => return Err(wrong("this event changes a zone but gives no speed")),
        (None, None, None, true) => return Err(wrong("this event has a speed but names no zone")),
        (None, None, None, false) => return Err(wrong("this event does nothing")),
        _ => return Err(wrong("this event does more than one thing")),
    };
    Ok(Event { at, change })
}

const MODEL_KEYS: &[&str] = &[
    "plan",
    "steer",
    "scheme",
    "speed_law",
    "length_weight",
    "time_weight",
    "discomfort_weight",
    "clearance",
    "clearance_discomfort",
    "person_radius",
    "jam_density",
    "flow_weight",
    "min_speed",
    "density_min",
    "density_max",
    "separation_rounds",
];

fn model(t: &Table<'_>) -> Result<Model, SceneError> {
    let d = Model::default();
    let weight = |key: &'static str, default: f32, unit: &str| {
        t.f32(key, default, 0.0..=1e4, &format!("a weight {unit}, 0 to 10000"))
    };
    let model = Model {
        plan: t.choice("plan", d.plan, &[("continuum", Plan::Continuum), ("static", Plan::Static)])?,
        steer: t.choice("steer", d.steer, &[("follow", Steer::Follow)])?,
        scheme: t.choice("scheme", d.scheme, &[("upwind", Scheme::Upwind), ("thesis", Scheme::Thesis)])?,
        speed_law: t.choice(
            "speed_law",
            d.speed_law,
            &[("weidmann", SpeedLaw::Weidmann), ("thesis", SpeedLaw::Thesis)],
        )?,
        length_weight: weight("length_weight", d.length_weight, "per metre")?,
        time_weight: weight("time_weight", d.time_weight, "per second")?,
        discomfort_weight: weight("discomfort_weight", d.discomfort_weight, "per second")?,
        clearance: t.f32("clearance", d.clearance, 0.0..=100.0, "metres, 0 to 100")?,
        clearance_discomfort: t.f32(
            "clearance_discomfort",
            d.clearance_discomfort,
            0.0..=100.0,
            "a discomfort, 0 to 100",
        )?,
        person_radius: t.f32("person_radius", d.person_radius, 0.01..=100.0, "metres, 0.01 to 100")?,
        jam_density: t.f32("jam_density", d.jam_density, 0.1..=100.0, "persons per m², 0.1 to 100")?,
        flow_weight: t.f32("flow_weight", d.flow_weight, 0.0..=1.0, "0 to 1")?,
        min_speed: t.f32("min_speed", d.min_speed, 0.001..=10.0, "m/s, 0.001 to 10")?,
        density_min: t.f32("density_min", d.density_min, 0.0..=10.0, "a planner's density, 0 to 10")?,
        density_max: t.f32("density_max", d.density_max, 0.0..=10.0, "a planner's density, 0 to 10")?,
        separation_rounds: t.whole(
            "separation_rounds",
            u64::from(d.separation_rounds),
            0..=100,
            "a whole number, 0 to 100",
        )? as u32,
    };
    let weights = model.length_weight + model.time_weight;
    if weights < 1e-6 {
        return Err(t
            .error(
                "length_weight",
                format!(
                    "length_weight and time_weight are {} together: every way would cost nothing",
                    plain(f64::from(weights))
                ),
            )
            .help("give at least one of them a value of 0.000001 or more"));
    }
    if model.density_max <= model.density_min {
        return Err(t
            .error(
                "density_max",
                format!("density_max {} is not above density_min {}", model.density_max, model.density_min),
            )
            .help("the thesis takes 0.5 and 0.8"));
    }
    Ok(model)
}
