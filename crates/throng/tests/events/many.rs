//! One event, many changes.

use super::engines::ENGINES;
use super::{assert_reads_back, assert_resumes, read};

/// A hall with two doors, stairs and a ramp, of which one event changes everything.
const HALL: &str = r#"
size = [16, 8]
cell = 0.5
dt = 0.1
[map]
walls = [
  { rect = [8, 0, 8.5, 2], name = "south" },
  { rect = [8, 3, 8.5, 5], name = "middle", open = true },
  { rect = [8, 6, 8.5, 8], name = "north", open = true },
]
[[goal]]
name = "east"
rect = [15, 3, 16, 5]
[[goal]]
name = "west"
rect = [0, 3, 1, 5]
open = false
[[zone]]
name = "stairs"
rect = [4, 0, 6, 8]
speed = 0.9
[[zone]]
name = "wet ramp"
rect = [10, 0, 12, 8]
[[agents]]
name = "late"
source = { rate = 2, total = 20, on = false }
start = { rect = [1, 1, 3, 7] }
journey = ["east"]
[[agents]]
name = "early"
source = { rate = 2, total = 20 }
start = { rect = [12, 1, 14, 7] }
journey = ["west"]
[[event]]
name = "alarm"
at = 1.0
close = ["middle", "north"]
open = "south"
zones = { stairs = 0.5, "wet ramp" = 0.25 }
open_goals = "west"
close_goals = ["east"]
start_sources = ["late"]
stop_sources = "early"
[model]
steer = "walk"
"#;

#[test]
fn one_event_changes_walls_zones_goals_and_sources_between_the_same_two_steps() {
    let scene = read(HALL);
    for make in ENGINES {
        let mut sim = make(&scene);
        sim.steps_by(10).unwrap();
        let before = sim.edits();
        let standing = |s: &throng::Simulation| s.world().walls.shapes().iter().map(|w| w.standing).collect::<Vec<_>>();
        assert_eq!(standing(&sim), [true, false, false]);
        sim.step().unwrap();
        let name = sim.engine().name();
        assert_eq!(sim.edits(), before + 1, "{name}: one event is one change");
        assert_eq!(standing(&sim), [false, true, true], "{name}");
        assert_eq!(sim.world().zones.iter().map(|z| z.speed).collect::<Vec<_>>(), [0.5, 0.25], "{name}");
        assert_eq!(sim.world().places.iter().map(|p| p.open).collect::<Vec<_>>(), [false, true], "{name}");
        assert_eq!(sim.world().sources.iter().map(|s| s.on).collect::<Vec<_>>(), [true, false], "{name}");
        // The scene is what the run would begin from: there it has yet to happen.
        assert_eq!(sim.scene().to_toml(), scene.to_toml(), "{name}");
    }
}

#[test]
fn an_event_of_many_changes_survives_files_and_snapshots() {
    let scene = read(HALL);
    assert_reads_back(&scene);
    for make in ENGINES {
        assert_resumes(make, &scene, &[9, 10, 11], 6);
    }
}

#[test]
fn an_event_of_one_change_is_written_as_it_always_was() {
    let scene = read(
        "size = [8, 8]\n[map]\nwalls = [{ rect = [4, 0, 5, 2], name = \"gate\" }]\n[[zone]]\nname = \"mud\"\nrect = [0, 0, 2, 2]\n\
         [[event]]\nat = 3\nopen = \"gate\"\n[[event]]\nat = 4\nzone = \"mud\"\nspeed = 0.5\n",
    );
    let text = scene.to_toml();
    assert!(text.contains("[[event]]\nat = 3  # s\nopen = \"gate\"\n"), "{text}");
    assert!(text.contains("[[event]]\nat = 4  # s\nzone = \"mud\"\nspeed = 0.5\n"), "{text}");
}
