//! `[terrain]` and `[[weights]]`.

use super::pictures::Pictures;
use super::shape::{outside, shape};
use super::*;
use crate::scene::parameters::Choice as _;
use crate::scene::terrain::MOST_HILLS;

/// The highest and the deepest that anything is, m.
const HIGHEST: f32 = 1e4;
/// What an image may have on a side.
const MOST_PIXELS: u32 = 16_384;
const MOST_WEIGHTS: usize = 4096;

/// How high the floor is.
pub(super) fn terrain(
    source: &Source,
    node: &Node,
    grid: &Grid,
    pictures: &Pictures<'_>,
) -> Result<Terrain, SceneError> {
    let keys = &["heights", "low", "high", "hills", "law", "steepest"];
    let t = Table::new(source, node, "[terrain]", keys, "[terrain] on a line of its own, then its keys")?;
    let words: Vec<(&str, SlopeLaw)> =
        SlopeLaw::WORDS.iter().map(|w| w.word).zip(SlopeLaw::ALL.iter().copied()).collect();
    let law = t.choice("law", SlopeLaw::Tobler, &words)?;
    let right = "the steepest slope that is a way, 0.01 to 2 m up for a metre on";
    let steepest = t.f32("steepest", STEEPEST, 0.01..=2.0, right)?;
    Ok(Terrain { heights: heights(&t, grid, pictures)?, hills: hills(&t)?, law, steepest })
}

fn heights(t: &Table<'_>, grid: &Grid, pictures: &Pictures<'_>) -> Result<Option<HeightMap>, SceneError> {
    let Some(name) = t.text("heights", "the name of a .png or .npy file")? else {
        if let Some(key) = ["low", "high"].into_iter().find(|key| t.get(key).is_some()) {
            return Err(t
                .error(key, format!("`{key}` is for heights from an image"))
                .help("write heights = \"file.png\""));
        }
        return Ok(None);
    };
    let metres = |key: &'static str| t.f32(key, 0.0, -HIGHEST..=HIGHEST, "a height, -10000 to 10000 m");
    let array = name.rsplit('.').next().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    let (width, height, values, range) = if array {
        if let Some(key) = ["low", "high"].into_iter().find(|key| t.get(key).is_some()) {
            let error = t.error(key, "an array has metres itself");
            return Err(error.help(format!("leave `{key}` out, or scale the array")));
        }
        let bad = |why: String| {
            let help = "a .npy file has metres, '<f4' or '<f8', in rows from the south, at most 16384 a side";
            t.error("heights", format!("\"{}\" is not a usable array: {why}", shorten(name))).help(help)
        };
        let array = npy::read(&pictures.bytes(t, "heights", name)?).map_err(bad)?;
        if !array.values.iter().all(|v| v.abs() <= HIGHEST) {
            return Err(bad("it has a height that is not within 10000 m".into()));
        }
        (array.width, array.height, array.values, None)
    } else {
        let (low, high) = (metres("low")?, metres("high")?);
        if low >= high {
            let error = t.error("high", format!("black is {low} m and white {high} m"));
            return Err(error.help("write low = metres of black and high = metres of white, which is higher"));
        }
        let (width, height, greys) = greys(t, name, pictures)?;
        let values = greys.into_iter().map(|g| low + (high - low) * (f32::from(g) / 65535.0)).collect();
        (width, height, values, Some([low, high]))
    };
    pictures.keep(t, "heights", name, size_of::<f32>() as u64 * grid.len() as u64)?;
    let cells =
        if (width, height) == (grid.width, grid.height) { values } else { resampled(grid, width, height, &values) };
    Ok(Some(HeightMap { name: name.to_owned(), range, cells }))
}

/// An image of one channel, south row first.
fn greys(t: &Table<'_>, name: &str, pictures: &Pictures<'_>) -> Result<(usize, usize, Vec<u16>), SceneError> {
    let right = "a grey PNG of 8 or 16 bits, at most 16384 a side";
    let image = pictures.decode_as_it_is(t, "heights", name, MOST_PIXELS, right)?;
    if image.color().has_color() || image.color().has_alpha() {
        let message = format!("\"{}\" has colours or is transparent: heights are grey", shorten(name));
        return Err(t.error("heights", message).help(right));
    }
    let image = image.into_luma16();
    let (width, height) = (image.width() as usize, image.height() as usize);
    let rows: Vec<&[u16]> = image.as_raw().chunks(width).rev().collect();
    Ok((width, height, rows.concat()))
}

/// Values of another raster over the same world, at the middles of cells: linear between.
fn resampled(grid: &Grid, width: usize, height: usize, values: &[f32]) -> Vec<f32> {
    let place = |i: usize, n: usize, of: usize| {
        let at = ((i as f32 + 0.5) / n as f32 * of as f32 - 0.5).clamp(0.0, (of - 1) as f32);
        let low = (at as usize).min(of.saturating_sub(2));
        (low, (low + 1).min(of - 1), at - low as f32)
    };
    let mut cells = Vec::with_capacity(grid.len());
    for y in 0..grid.height {
        let (south, north, up) = place(y, grid.height, height);
        for x in 0..grid.width {
            let (west, east, on) = place(x, grid.width, width);
            let row = |y: usize| values[y * width + west] * (1.0 - on) + values[y * width + east] * on;
            cells.push(row(south) * (1.0 - up) + row(north) * up);
        }
    }
    cells
}

fn hills(t: &Table<'_>) -> Result<Vec<Hill>, SceneError> {
    const RIGHT: &str = "[{ at = [x, y], radius = metres, height = metres }, …]";
    let Some(node) = t.get("hills") else { return Ok(Vec::new()) };
    let Kind::List(items) = &node.kind else { return Err(t.wrong_type(node, "hills", RIGHT)) };
    if items.len() > MOST_HILLS {
        return Err(t.error("hills", format!("{} hills are too many", items.len())).help("at most 4096"));
    }
    let one = |node: &Node| {
        let h = Table::new(
            t.source,
            node,
            "a hill",
            &["at", "radius", "height"],
            "{ at = [x, y], radius = metres, height = metres }",
        )?;
        if let Some(key) = ["at", "radius", "height"].into_iter().find(|key| h.get(key).is_none()) {
            return Err(SceneError::at(t.source, node.span.clone(), format!("this hill has no `{key}`"))
                .help(format!("write hills = {RIGHT}")));
        }
        let number = |n: &Node| n.number().map(|v| v as f32).filter(|v| v.abs() <= 1e7);
        let at = h.get("at").and_then(|n| match &n.kind {
            Kind::List(pair) if pair.len() == 2 => number(&pair[0]).zip(number(&pair[1])).map(Vec2::from),
            _ => None,
        });
        let Some(at) = at else {
            return Err(h
                .error("at", "the middle of a hill is not [x, y] in metres, up to 1e7")
                .help(format!("write hills = {RIGHT}")));
        };
        let radius = h.f32("radius", 1.0, 0.01..=1e5, "where the hill ends, 0.01 to 100000 m from its middle")?;
        let height = h.f32("height", 0.0, -HIGHEST..=HIGHEST, "how high it is in the middle, -10000 to 10000 m")?;
        Ok(Hill { at, radius, height })
    };
    items.iter().map(one).collect()
}

/// Where weights differ.
pub(super) fn local_weights(root: &Table<'_>, grid: &Grid) -> Result<Vec<LocalWeights>, SceneError> {
    let (source, nodes) = (root.source, list(root, "weights")?);
    if nodes.len() > MOST_WEIGHTS {
        return Err(SceneError::whole(source, format!("{} [[weights]] are too many", nodes.len())).help("at most 4096"));
    }
    let one = |node: &Node| {
        let keys = &["rect", "polygon", "circle", "terrain", "density", "hazard"];
        let t = Table::new(source, node, "[[weights]]", keys, "it as [[weights]]")?;
        let shape = shape(&t, false)?;
        if !shape.bounds().touches(grid.bounds()) {
            return Err(outside(source, node, grid));
        }
        let factor = |key: &'static str| t.f32(key, 1.0, 0.0..=1000.0, "a factor on that weight, 0 to 1000");
        let factors = [factor("terrain")?, factor("density")?, factor("hazard")?];
        if factors == [1.0; 3] {
            let error = SceneError::at(source, node.span.clone(), "these weights change nothing");
            return Err(error.help("write a factor other than 1: terrain, density or hazard"));
        }
        Ok(LocalWeights { shape, factors })
    };
    nodes.iter().map(one).collect()
}
