//! A crowd at its start: nobody in another, the same on any number of threads, and regions that a slow search finds too.

use super::regions::{Regions, has_room_for};
use super::*;
use crate::scene::NoFiles;
use crate::world::grid::DIRECTIONS;
use crate::world::narrow::closed_links;
use crate::world::walls::LINK;
use proptest::prelude::*;

/// Starts that share nothing, overlap, and cover each other; bodies of several sizes; a source; a group at random; a gate.
const MIXED: &str = r#"
cell = 0.5
size = [40, 30]
seed = 7
[map]
walls = [
  { rect = [18, 0, 18.2, 20] },
  { circle = [30, 20, 2.5] },
  { polygon = [[5, 20], [9, 21], [7, 26]] },
  { line = [[22, 4], [36, 8]], name = "gate" },
]
[[goal]]
name = "east"
rect = [39, 10, 40, 14]
[[goal]]
name = "north"
circle = [12, 28, 1.5]
[[agents]]
name = "everywhere"
count = 900
radius = 0.15
journey = ["east"]
[[agents]]
name = "everywhere too, on the same lattice"
count = 300
radius = 0.15
journey = ["east"]
[[agents]]
name = "in a triangle"
count = 60
start = { polygon = [[2, 2], [16, 4], [8, 16]] }
radius = { uniform = [0.2, 0.3] }
journey = ["north", "east"]
delay = { uniform = [0, 9] }
[[agents]]
name = "in two shapes"
count = 90
start = [{ circle = [30, 12, 5] }, { rect = [3, 3, 9, 9] }]
radius = { normal = [0.15, 0.05], min = 0.1, max = 0.2 }
speed = { uniform = [1, 2] }
journey = ["north"]
[[agents]]
name = "at random"
count = 50
place = "random"
radius = 0.25
journey = ["north"]
[[agents]]
name = "from a source"
source = { rate = 2.0, total = 40 }
start = { rect = [20, 20, 25, 25] }
journey = ["east"]
[[event]]
at = 5
open = "gate"
"#;

fn mixed() -> (Scene, World) {
    let scene = Scene::parse("mixed.toml", MIXED, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
    let world = World::new(&scene).unwrap_or_else(|e| panic!("{e:?}"));
    (scene, world)
}

#[test]
fn the_crowd_is_the_same_on_any_number_of_threads() {
    let (scene, world) = mixed();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| populate(&scene, &world).unwrap_or_else(|e| panic!("{e:?}")))
    };
    let one = on(1);
    assert_eq!(one.len(), 1440);
    for threads in [2, 5, 16] {
        let many = on(threads);
        for i in 0..one.len() {
            assert_eq!(one.get(i), many.get(i), "agent {i} on {threads} threads");
        }
    }
}

#[test]
fn bodies_on_several_lattices_overlap_neither_each_other_nor_walls() {
    let (scene, world) = mixed();
    let agents = populate(&scene, &world).unwrap_or_else(|e| panic!("{e:?}"));
    let on_lattice = |&i: &usize| scene.groups[agents.group[i] as usize].place == Place::Lattice;
    let placed: Vec<usize> = (0..agents.len()).filter(on_lattice).filter(|&i| agents.state[i].on_floor()).collect();
    assert_eq!(placed.len(), 1350);
    for (k, &i) in placed.iter().enumerate() {
        let (p, r) = (agents.position[i], agents.radius[i]);
        assert!(Area::new(&scene.groups[agents.group[i] as usize].start).contains(p), "agent {i} is out of its start");
        assert!(fits(&world, p, r), "agent {i} is in a wall");
        for &j in &placed[..k] {
            let gap = p.distance(agents.position[j]) - r - agents.radius[j];
            // Distances in metres below 50 are exact to 4e-6.
            assert!(gap > -1e-5, "agents {i} and {j} overlap by {} m", -gap);
        }
    }
}

/// The cells that can be reached from a goal's, one after the other.
fn flooded(world: &World, goal: usize, radius: f32, has_room: &[bool]) -> Vec<bool> {
    let grid = world.grid;
    let mut flags = world.walls.flags().to_vec();
    closed_links(&world.walls, &grid, radius).iter().for_each(|&(cell, bits)| flags[cell as usize] &= !bits);
    let mut reached = vec![false; grid.len()];
    let plain = |&c: &u32| c as usize;
    let mut front: Vec<usize> = world.goals[goal].iter().map(plain).filter(|&c| has_room[c]).collect();
    front.iter().for_each(|&c| reached[c] = true);
    while let Some(cell) = front.pop() {
        for (d, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            if flags[cell] & LINK[d] != 0 {
                let next = cell.wrapping_add_signed(dx as isize + dy as isize * grid.width as isize);
                if has_room[next] && !std::mem::replace(&mut reached[next], true) {
                    front.push(next);
                }
            }
        }
    }
    reached
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn regions_are_what_a_flood_from_the_goal_reaches(
        walls in proptest::collection::vec((0u32..38, 0u32..28, 1u32..14, any::<bool>(), any::<bool>()), 0..14),
        goal in (1u32..38, 1u32..28),
        radius in prop_oneof![Just(0.1f32), Just(0.3), Just(0.7)],
    ) {
        // Thin and thick walls along the axes, some with gaps that only some bodies pass.
        let list: String = walls.iter().map(|&(x, y, long, upright, thick)| {
            let (x, y, wide) = (x as f32 + 0.3, y as f32 + 0.4, if thick { 1.3 } else { 0.1 });
            let (w, h) = if upright { (wide, long as f32) } else { (long as f32, wide) };
            format!("{{ rect = [{x}, {y}, {}, {}] }},", x + w, y + h)
        }).collect();
        let text = format!(
            "size = [40, 30]\nmap = {{ walls = [{list}] }}\n\
             goal = [{{ name = \"goal\", rect = [{}, {}, {}, {}] }}]\n\
             agents = [{{ count = 1, radius = {radius}, journey = [\"goal\"] }}]",
            goal.0, goal.1, goal.0 + 1, goal.1 + 1,
        );
        let scene = Scene::parse("walls.toml", &text, &NoFiles).unwrap();
        // A goal inside of a wall is another matter.
        let Ok(world) = World::new(&scene) else { return Ok(()) };
        let room: Vec<bool> = (0..world.grid.len()).map(|c| has_room_for(&world.walls, world.grid, c, radius)).collect();
        prop_assert_eq!(&*Regions::new(&world).reaching_goals(&scene, 0, radius), &flooded(&world, 0, radius, &room));
    }
}
