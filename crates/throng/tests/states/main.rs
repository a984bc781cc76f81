//! People who live by states, on both engines: they do what the machine says, in the order and at the moments that it says; whatever it asks is
//! checked against a slow, plain reference.

mod broken;
mod conditions;
#[path = "../engines/mod.rs"]
mod engines;
mod goals;
mod whole;

use engines::runs;
use throng::scene::NoFiles;
use throng::{Scene, Simulation};

fn scene(text: &str) -> Scene {
    Scene::parse("states.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The number of a state.
fn number(scene: &Scene, name: &str) -> u16 {
    scene.states.iter().position(|s| s.name == name).unwrap_or_else(|| panic!("no state {name}")) as u16
}

/// How many are in a state.
fn count(sim: &mut Simulation, name: &str) -> u32 {
    let state = number(sim.scene(), name);
    sim.in_states().expect("the device does not fail")[usize::from(state)]
}

fn run_until(sim: &mut Simulation, seconds: f64) {
    while sim.time() < seconds {
        sim.step().expect("the device does not fail");
    }
}

/// A floor of 10 × 4 m with a goal at either end.
const ENDS: &str = "size = [10, 4]\ndt = 0.05\nseed = 3\n[[goal]]\nname = \"east\"\nrect = [9, 0, 10, 4]\n[[goal]]\nname = \"west\"\nrect = [0, 0, 1, 4]\n\
                    [model]\nplan = \"static\"\n";

/// One who stands in the middle, and the rest of a machine.
fn one(machine: &str) -> Scene {
    scene(&format!(
        "{ENDS}[[agents]]\ncount = 1\nstart = {{ rect = [4.5, 1.5, 5.5, 2.5] }}\nspeed = 1.0\nstate = \"first\"\n{machine}"
    ))
}
