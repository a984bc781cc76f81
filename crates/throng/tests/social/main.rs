//! `steer = "social-force"`: forces are those of the formulas, no cell is ever overfull, nobody is lost, nothing swings up, and runs have the same bits.
//! Table 3 of the paper is `throng verify --congestion`.

mod bits;
mod crowds;
#[path = "../engines/mod.rs"]
mod engines;
mod forces;
mod places;
mod square;

use throng::scene::NoFiles;
use throng::world::agents::Agents;
use throng::{Scene, Vec2};

fn scene(text: &str) -> Scene {
    Scene::parse("social.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// People who cross a floor of so many metres to points of their own.
fn crossing(size: f32, count: u32, model: &str) -> Scene {
    let edge = size - 0.5;
    scene(&format!(
        "size = [{size}, {size}]\ncell = 0.5\ndt = 0.05\nseed = 3\n[model]\nplan = \"static\"\nsteer = \"social-force\"\nseparation_rounds = 0\n\
         [model.social-force]\n{model}\n[[agents]]\ncount = {count}\nplace = \"random\"\nstart = {{ rect = [0.5, 0.5, {edge}, {edge}] }}\n\
         radius = 0.2\nspeed = {{ uniform = [0.5, 1.3] }}\narrive = \"next\"\njourney = [{{ to = {{ random = {{ rect = [1, 1, {}, {}] }} }} }}]\n",
        size - 1.0,
        size - 1.0
    ))
}

/// Everybody's places by id.
fn places_of(agents: &Agents) -> Vec<(u32, Vec2)> {
    throng::engine::positions(agents)
}

/// Everybody's forces by id: of people, then of walls and cells.
fn forces_of(agents: &Agents) -> Vec<(u32, [Vec2; 2])> {
    let own = agents.own.iter().find(|o| o.column.info.name == "forces").expect("the model has such a column");
    let of = |i: usize| {
        let f = &own.values[4 * i..4 * i + 4];
        (agents.id[i], [Vec2::new(f[0], f[1]), Vec2::new(f[2], f[3])])
    };
    let mut list: Vec<_> = (0..agents.len()).filter(|&i| agents.state[i].on_floor()).map(of).collect();
    list.sort_by_key(|(id, _)| *id);
    list
}
