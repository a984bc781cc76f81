//! Change a wall while people walk: a named wall is a door.
//!
//! `cargo run --release -p throng --example closing_door`

use std::error::Error;
use std::io::Write;
use throng::scene::NoFiles;
use throng::{Scene, Simulation};

const TWO_DOORS: &str = r#"
    size = [20, 10]
    cell = 0.25
    [map]
    walls = [
      { rect = [10, 0, 10.25, 1] }, { rect = [10, 3, 10.25, 7] }, { rect = [10, 9, 10.25, 10] },
      { rect = [10, 1, 10.25, 3], name = "south door", open = true },
    ]
    [[goal]]
    name = "east side"
    rect = [19, 0, 20, 10]
    [[agents]]
    count = 100
    start = { rect = [1, 0, 8, 5] }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::parse("two-doors.toml", TWO_DOORS, &NoFiles)?;
    for closes in [false, true] {
        let mut sim = Simulation::new(&scene)?;
        while !sim.is_done() {
            if closes && sim.steps() == 100 {
                sim.set_wall("south door", true); // four seconds in: the rest takes the north door
            }
            sim.step()?;
        }
        let door = if closes { "closed after 4 s" } else { "open" };
        writeln!(std::io::stdout(), "south door {door}: everybody is through after {:.1} s", sim.time())?;
    }
    Ok(())
}
