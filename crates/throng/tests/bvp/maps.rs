//! The map of one's own, as it can be asked for.

use super::engines::runs;
use super::scene;
use throng::Vec2;
use throng::stages::steer::bvp::relax::STRIDE;

#[test]
fn maps_that_are_asked_for_are_those_that_people_walk_by() {
    let scene = scene(
        "size = [16, 8]\ncell = 0.5\nseed = 1\n[model]\nplan = \"harmonic\"\nsteer = \"bvp\"\n[model.bvp]\nside = 16\nepsilon = -0.5\ninertia = 0\n\
         [map]\nwalls = [{ rect = [7.9, 0, 8.1, 3] }, { rect = [7.9, 5, 8.1, 8] }]\n[[goal]]\nname = \"g\"\nrect = [15, 0, 16, 8]\n\
         [[agents]]\ncount = 20\nstart = { rect = [1.5, 1, 7, 7] }\nturn = 20\njourney = [\"g\"]\n",
    );
    for mut run in runs(&scene) {
        let name = run.engine().name();
        run.steps_by(40).unwrap();
        let before = run.agents().unwrap();
        let maps: Vec<_> = (0..20).map(|id| run.local_map(id).unwrap().expect("all are on the way")).collect();
        run.step().unwrap();
        let after = run.agents().unwrap();
        let place =
            |all: &throng::world::agents::Agents, id: u32| all.id.iter().position(|&i| i == id).expect("is there");
        let mut alike = 0;
        for (id, map) in (0..20).zip(&maps) {
            let (i, j) = (place(&before, id), place(&after, id));
            assert_eq!(map.layout.at, before.position[i], "{name}: {id}");
            let side = map.layout.side;
            let goal = |x: usize, y: usize| map.grid.is_given(x, y) && map.grid.u[y * STRIDE + x] == 1.0;
            let edge = (0..side).flat_map(|k| [(k, 0), (k, side - 1), (0, k), (side - 1, k)]);
            assert!(edge.filter(|&(x, y)| goal(x, y)).count() >= 3, "{name}: {id} has no goal on the border");
            // Without inertia and with a quick turn the heading is the descent.
            let descent = map.descent.unwrap_or(Vec2::ZERO);
            alike += usize::from(after.heading[j].distance(descent) < 0.02);
        }
        // Headings have 16 bits, and whether a body covers a cell is a matter of the last bit now and then.
        assert!(alike >= 18, "{name}: {alike} of 20 go where their map leads");
        assert!(run.local_map(99).unwrap().is_none(), "{name}: nobody has this number");
    }
}
