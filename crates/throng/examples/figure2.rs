//! Figure 2 of the boundary-value planner's paper again, as a picture: the scene `paths`, each person's way as a ribbon. Another scene may be named.
//!
//! `cargo run --release -p throng --example figure2 -- PICTURE.png [SCENE [SECONDS]]`

use image::{Rgb, RgbImage};
use throng::scene::Scene;
use throng::{Simulation, Vec2};

const FLOOR: Rgb<u8> = Rgb([250, 250, 247]);
const WALL: Rgb<u8> = Rgb([60, 60, 66]);
const GOAL: Rgb<u8> = Rgb([176, 220, 180]);
/// One for each group, again and again.
const RIBBONS: [Rgb<u8>; 7] = [
    Rgb([27, 120, 200]),
    Rgb([217, 95, 2]),
    Rgb([27, 158, 119]),
    Rgb([180, 60, 150]),
    Rgb([150, 130, 20]),
    Rgb([100, 100, 220]),
    Rgb([90, 90, 90]),
];
/// How wide a ribbon is, m.
const WIDE: f32 = 0.08;

/// The floor, with so many pixels to a metre.
fn floor(run: &Simulation, scale: f32) -> RgbImage {
    let extent = run.scene().grid.extent() * scale;
    let (world, grid) = (run.engine().world(), run.scene().grid);
    RgbImage::from_fn(extent.x as u32, extent.y as u32, |x, y| {
        let p = Vec2::new(x as f32 + 0.5, extent.y - y as f32 - 0.5) / scale;
        let cell = grid.index_at(p) as u32;
        if world.walls.contains(p) {
            WALL
        } else if world.goals.iter().any(|cells| cells.contains(&cell)) {
            GOAL
        } else {
            FLOOR
        }
    })
}

/// A disc of a ribbon.
fn dot(picture: &mut RgbImage, p: Vec2, scale: f32, colour: Rgb<u8>) {
    let (x, y) = (p.x * scale, picture.height() as f32 - p.y * scale);
    let r = (WIDE * scale).max(1.2);
    for py in (y - r).max(0.0) as u32..=((y + r) as u32).min(picture.height() - 1) {
        for px in (x - r).max(0.0) as u32..=((x + r) as u32).min(picture.width() - 1) {
            if Vec2::new(px as f32 + 0.5 - x, py as f32 + 0.5 - y).length() <= r {
                picture.put_pixel(px, py, colour);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut given = std::env::args().skip(1);
    let file = given.next().ok_or("figure2 PICTURE.png [SCENE [SECONDS]]")?;
    let scene = Scene::built_in(given.next().as_deref().unwrap_or("paths")).ok_or("no such scene")?;
    let seconds: f64 = given.next().map_or(Ok(125.0), |s| s.parse())?;
    let mut run = Simulation::new(&scene)?;
    let scale = 1200.0 / scene.grid.extent().max_element();
    let mut picture = floor(&run, scale);
    while run.time() < seconds {
        run.step()?;
        let agents = run.agents()?;
        for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
            dot(&mut picture, agents.position[i], scale, RIBBONS[usize::from(agents.group[i]) % RIBBONS.len()]);
        }
    }
    picture.save(&file)?;
    Ok(())
}
