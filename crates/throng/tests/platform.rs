//! The built-in scene `platform`: those who wait are spread, who is on board gets out first, everybody else gets in before the doors close.

use throng::world::agents::State;
use throng::{Scene, Simulation};

#[test]
fn a_train_empties_and_fills_again_while_its_doors_are_open() {
    let scene = Scene::built_in("platform").expect("it is built in");
    let mut sim = Simulation::with_threads(&scene, 2).expect("it fits");
    let mut most_waiting = 0;
    while sim.time() < 30.0 {
        sim.step().expect("a step");
        let agents = sim.agents().expect("people");
        let who: Vec<usize> = (0..agents.len()).filter(|&i| agents.state[i] == State::Staying).collect();
        if who.len() <= most_waiting {
            continue;
        }
        most_waiting = who.len();
        if who.len() == 40 {
            // In every fifth of the platform somebody waits, in none of them most.
            let fifth = |i: usize| (agents.position[i].x / 12.0) as usize;
            let counts: Vec<usize> = (0..5).map(|k| who.iter().filter(|&&i| fifth(i) == k).count()).collect();
            assert!(counts.iter().all(|n| (2..=20).contains(n)), "{counts:?}");
        }
    }
    assert!(most_waiting >= 40, "{most_waiting} wait at the same time");
    let on_board = |sim: &mut Simulation, group: u16| {
        let a = sim.agents().expect("people");
        (0..a.len()).filter(|&i| a.group[i] == group && a.state[i].on_floor() && a.position[i].y < 3.0).count()
    };
    // While more than a few have yet to get out, next to nobody is in.
    let (mut early, mut left) = (0, 60);
    while sim.time() < 75.0 {
        sim.step().expect("a step");
        if left > 5 {
            left = on_board(&mut sim, 0);
            early = early.max(on_board(&mut sim, 1));
        }
    }
    assert!(left <= 5, "{left} are still on board");
    assert!(early <= 20, "{early} got in while others wanted to get out");
    let (inside, c) = (on_board(&mut sim, 1), sim.counters());
    assert_eq!((c.in_wall, c.not_finite), (0, 0));
    assert_eq!(inside, 80, "all have got in");
    while sim.time() < 180.0 && !sim.is_done() {
        sim.step().expect("a step");
    }
    assert_eq!(sim.counters().arrived, 140, "after {} s", sim.time());
}
