//! `[map]`: images, walls and discomfort; goals that come from an image; the raster that follows.

use super::pictures::Pictures;
use super::shape::{ONE_SHAPE, nodes, outside, shape};
use super::*;

/// What an image may have on a side.
const MOST_PIXELS: u32 = 16_384;

pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    /// RGBA, south row first.
    pub(super) pixels: Vec<[u8; 4]>,
}

pub(super) struct Images {
    pub(super) map: Option<Image>,
    pub(super) exits: Option<Image>,
}

pub(super) fn read_images(map: &Table<'_>, pictures: &Pictures<'_>) -> Result<Images, SceneError> {
    let read = |key: &'static str| -> Result<Option<Image>, SceneError> {
        let Some(name) = map.text(key, "the name of a PNG file")? else { return Ok(None) };
        let right = "a PNG of 8 or 16 bits a channel, one pixel a cell, at most 16384 a side";
        let decoded = pictures.decode(map, key, name, MOST_PIXELS, right)?;
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

pub(super) fn grid(root: &Table<'_>, size: Option<&Node>, cell: f32, images: &Images) -> Result<Grid, SceneError> {
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

pub(super) const LARGEST: &str = "each side is at most 100000 m: farther out positions would lose the centimetres";

/// What lies under everything, if the scene says.
pub(super) fn background(map: &Table<'_>, pictures: &Pictures<'_>) -> Result<Option<Picture>, SceneError> {
    let Some(name) = map.text("background", "the name of a PNG file")? else { return Ok(None) };
    let right = "a PNG of 8 or 16 bits a channel, stretched over the world, at most 16384 a side";
    pictures.picture(map, "background", name, MOST_PIXELS, right).map(Some)
}

/// A side of the world in cells.
pub(super) fn side(root: &Table<'_>, node: &Node, metres: f64, cell: f32) -> Result<usize, SceneError> {
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

pub(super) fn map(table: &Table<'_>, image: Option<Image>, grid: Grid) -> Result<Map, SceneError> {
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
        let wall = |_: usize, item: &Node| {
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
            Ok(WallSpec { name, shape, open, added: false })
        };
        map.walls = gather(nodes(table, node, "walls")?, wall)?;
    }
    if let Some(node) = table.get("discomfort") {
        let discomfort = |_: usize, item: &Node| {
            let t = Table::new(table.source, item, "a discomfort", &["rect", "polygon", "circle", "value"], ONE_SHAPE)?;
            let value = t.f32("value", 0.5, 0.0..=0.98, "a discomfort, 0 to 0.98 (for a wall use `walls`)")?;
            let shape = shape(&t, false)?;
            if !shape.bounds().touches(grid.bounds()) {
                return Err(outside(table.source, item, &grid));
            }
            Ok((shape, value))
        };
        map.discomfort = gather(nodes(table, node, "discomfort")?, discomfort)?;
    }
    Ok(map)
}

pub(super) fn exit_goals(image: Option<&Image>, map: &Table<'_>) -> Result<Vec<Goal>, SceneError> {
    let Some(image) = image else { return Ok(Vec::new()) };
    let goals: Vec<Goal> = (0..4)
        .filter_map(|channel| {
            let cells: Vec<u32> =
                (0u32..).zip(&image.pixels).filter(|(_, p)| p[channel] == 0).map(|(i, _)| i).collect();
            (!cells.is_empty()).then(|| Goal {
                name: format!("exit {channel}"),
                shapes: Vec::new(),
                cells,
                open: true,
                capacity: None,
                capacities: Vec::new(),
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
