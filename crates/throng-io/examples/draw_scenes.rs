//! Draws the images of the built-in scenes into a folder:
//! `cargo run -p throng-io --example draw_scenes -- crates/throng/scenes`.
//!
//! Everything is computed in metres with y north, at the centres of the cells, and turned over when it
//! becomes an image, whose first row is the north one. The same program draws the same pixels every time.

use std::error::Error;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, TAU};
use std::path::PathBuf;

use image::{Rgb, RgbImage, Rgba, RgbaImage};

/// Cells along a side of both scenes.
const CELLS: u32 = 256;
/// Side of a cell in metres, as `cell` in both scenes.
const CELL: f64 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: draw_scenes FOLDER")?);
    circle_exits().save(folder.join("circle-exits.png"))?;
    hills_map().save(folder.join("hills-map.png"))?;
    Ok(())
}

/// The cell that the pixel in this column and row stands for, as the position of its centre.
fn cell_centre(column: u32, row: u32) -> (f64, f64) {
    ((f64::from(column) + 0.5) * CELL, (f64::from(CELLS - 1 - row) + 0.5) * CELL)
}

/// The goals of the circle scene: a channel that is 0 marks a cell of the goal of that number, all others
/// are 255. The goals are the four diagonals, counter-clockwise from the north-east, outside the obstacle.
fn circle_exits() -> RgbaImage {
    const CENTRE: f64 = 64.0;
    /// As in `circle.toml`.
    const OBSTACLE_RADIUS: f64 = 20.0;
    /// Five cells side by side in a row, which is 3.5 cells across the diagonal: nobody steps over it.
    const HALF_BAND: f64 = 2.5 * CELL;

    RgbaImage::from_fn(CELLS, CELLS, |column, row| {
        let (x, y) = cell_centre(column, row);
        let (east, north) = (x - CENTRE, y - CENTRE);
        // The point of the cell that is nearest to the obstacle's centre.
        let nearest = (east.abs() - CELL / 2.0).hypot(north.abs() - CELL / 2.0);
        let mut pixel = [255; 4];
        if (east.abs() - north.abs()).abs() < HALF_BAND && nearest >= OBSTACLE_RADIUS {
            let goal = match (east > 0.0, north > 0.0) {
                (true, true) => 0,
                (false, true) => 1,
                (false, false) => 2,
                (true, false) => 3,
            };
            pixel[goal] = 0;
        }
        Rgba(pixel)
    })
}

/// The gently rounded hills: east, north, standard deviation in metres, discomfort at the top.
const HILLS: [(f64, f64, f64, f64); 11] = [
    (72.0, 48.0, 11.0, 0.75),
    (92.0, 22.0, 8.0, 0.55),
    (88.0, 80.0, 9.0, 0.70),
    (46.0, 24.0, 8.0, 0.50),
    (112.0, 100.0, 8.0, 0.50),
    (32.0, 96.0, 8.0, 0.65),
    (54.0, 116.0, 7.0, 0.45),
    (12.0, 70.0, 6.0, 0.40),
    (110.0, 50.0, 7.0, 0.45),
    (18.0, 14.0, 7.0, 0.40),
    (40.0, 54.0, 6.0, 0.35),
];

/// The rocks, most of them near the hilltops: east, north, radius in metres.
const ROCKS: [(f64, f64, f64); 16] = [
    (71.0, 49.0, 4.5),
    (78.0, 43.0, 2.5),
    (64.0, 40.0, 2.0),
    (88.0, 82.0, 4.0),
    (92.0, 74.0, 2.2),
    (31.0, 97.0, 4.0),
    (25.0, 91.0, 2.0),
    (40.0, 104.0, 1.8),
    (55.0, 117.0, 2.6),
    (92.0, 22.0, 2.4),
    (47.0, 23.0, 2.2),
    (112.0, 101.0, 2.4),
    (109.0, 51.0, 2.2),
    (11.0, 71.0, 2.2),
    (41.0, 53.0, 2.4),
    (18.0, 14.0, 1.6),
];

/// Where the bridges cross, in metres along the river's course: at its bends.
const BRIDGES: [f64; 4] = [50.0, 76.0, 102.0, 128.0];
const BRIDGE_HALF_WIDTH: f64 = 2.5;
const RIVER_HALF_WIDTH: f64 = 2.25;

/// Nothing but walls is more uncomfortable than this.
const STEEPEST: f64 = 0.8;
const BRIDGE_DISCOMFORT: f64 = 0.02;

/// The landscape of the hills scene. The red channel is what Throng reads: discomfort, or wall where it is
/// 255. Green and blue only make it look like a map.
fn hills_map() -> RgbImage {
    RgbImage::from_fn(CELLS, CELLS, |column, row| {
        let (x, y) = cell_centre(column, row);
        let (along, off_shore) = river(x, y);
        let on_bridge = off_shore < 1.5 && BRIDGES.iter().any(|bridge| (along - bridge).abs() < BRIDGE_HALF_WIDTH);
        if on_bridge {
            ground(BRIDGE_DISCOMFORT)
        } else if off_shore < 0.0 {
            Rgb([255, 215, 255])
        } else if is_rock(x, y) {
            Rgb([255, 255, 255])
        } else {
            ground(discomfort(x, y, off_shore))
        }
    })
}

/// Green in the plain, brown on the hills.
fn ground(discomfort: f64) -> Rgb<u8> {
    let red = (255.0 * discomfort).round() as u8;
    Rgb([red, 150 - red / 4, 80])
}

/// How far along the river's course a point lies, and how far from the shore (negative: in the water).
/// The river winds about the line y = x + 44, from the west border to the north border.
fn river(x: f64, y: f64) -> (f64, f64) {
    const BEND: f64 = 6.0;
    /// A bend to either side; the bridges stand half of it apart.
    const WAVE: f64 = 52.0;
    let along = (x + y) * FRAC_1_SQRT_2;
    let across = (y - x - 44.0) * FRAC_1_SQRT_2;
    let phase = TAU * (along - BRIDGES[0]) / WAVE + FRAC_PI_2;
    let slope = BEND * TAU / WAVE * phase.cos();
    let distance = (across - BEND * phase.sin()).abs() / slope.hypot(1.0);
    (along, distance - RIVER_HALF_WIDTH)
}

/// Rocks are discs with a ragged edge.
fn is_rock(x: f64, y: f64) -> bool {
    ROCKS.iter().any(|&(east, north, radius)| {
        let ragged = 1.0 + 0.9 * (noise(x / 2.0, y / 2.0) - 0.5);
        (x - east).hypot(y - north) < radius * ragged
    })
}

/// Hills, a little roughness everywhere, and mud along the river.
fn discomfort(x: f64, y: f64, off_shore: f64) -> f64 {
    let hills: f64 = HILLS
        .iter()
        .map(|&(east, north, spread, top)| {
            let distance = (x - east).hypot(y - north) / spread;
            top * (-0.5 * distance * distance).exp()
        })
        .sum();
    let rough = 0.10 * noise(x / 9.0, y / 9.0) + 0.05 * noise(x / 3.0 + 50.0, y / 3.0);
    let mud = 0.25 * (-off_shore / 1.5).exp();
    (hills + rough + mud).min(STEEPEST)
}

/// Smooth noise in 0..1: random values on the whole numbers, blended between them.
fn noise(x: f64, y: f64) -> f64 {
    let (left, bottom) = (x.floor(), y.floor());
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (s, t) = (smooth(x - left), smooth(y - bottom));
    let at = |dx: u32, dy: u32| random(left as u32 + dx, bottom as u32 + dy);
    let blend = |a: f64, b: f64, share: f64| a + (b - a) * share;
    blend(blend(at(0, 0), at(1, 0), s), blend(at(0, 1), at(1, 1), s), t)
}

/// A number in 0..1 that looks random, the same for the same pair: the mixing steps of MurmurHash3.
fn random(x: u32, y: u32) -> f64 {
    let mut h = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^= h >> 16;
    f64::from(h) / f64::from(u32::MAX)
}
