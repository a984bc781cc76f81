//! Steps that are done one round of the solver at a time.

use super::*;
use throng::engine::RoundReport;
use throng::stages::potential::UNREACHED;

/// One whole step, round by round; how many there were.
fn step(sim: &mut Simulation) -> u32 {
    let mut last = 0;
    loop {
        let RoundReport { rounds, finished } = sim.step_round().unwrap().expect("the GPU's solver has rounds");
        assert!(rounds == last + 1 || (rounds == 0 && finished), "round {rounds} after {last}");
        assert_eq!(sim.engine().mid_step(), !finished);
        last = rounds;
        if finished {
            return rounds;
        }
    }
}

#[test]
fn a_step_done_round_by_round_has_the_bits_of_a_plain_one() {
    for model in ["solver = \"buckets\"", "solver = \"selective\"", "solver = \"all\"", "plan = \"static\""] {
        let scene = Scene::parse("rounds.toml", &format!("{SCENE}[model]\n{model}\n"), &NoFiles).unwrap();
        let (mut plain, mut slow) = (on_gpu(&scene), on_gpu(&scene));
        for k in 0..20 {
            // Without a plan there is nothing to solve; the event makes one due.
            let plans = !model.contains("static") || [0, 10].contains(&plain.steps());
            plain.step().unwrap();
            let rounds = step(&mut slow);
            assert_eq!(slow.steps(), plain.steps());
            assert_eq!(rounds > 1, plans, "{model}: {rounds} rounds");
            if k % 7 == 0 {
                slow.step().unwrap();
                plain.step().unwrap();
            }
        }
        let of = |sim: &mut Simulation| (sim.state_hash().unwrap(), numbers(sim, Field::Potential(1)), sim.counters());
        assert_eq!(of(&mut plain), of(&mut slow), "{model}");
        assert_eq!(plain.save().unwrap(), slow.save().unwrap(), "{model}");
    }
}

#[test]
fn each_round_reaches_farther_and_its_tiles_tell() {
    let mut sim = on_gpu(&scene());
    let mut reached = 0;
    let mut visits = 0;
    loop {
        let report = sim.step_round().unwrap().unwrap();
        let now = numbers(&mut sim, Field::Potential(0)).iter().filter(|p| **p < UNREACHED).count();
        let seen: u32 = sim.tiles(0).unwrap().iter().map(|t| t.visits).sum();
        assert!(now >= reached && seen >= visits, "round {}: {now} cells, {seen} visits", report.rounds);
        if report.rounds == 1 {
            assert!(now < 24 * 48 / 2, "after one round {now} cells are reached");
            assert!(sim.tiles(0).unwrap().iter().any(|t| t.waiting));
        }
        (reached, visits) = (now, seen);
        if report.finished {
            break;
        }
    }
    assert!(reached > 24 * 46, "{reached}");
    assert!(sim.tiles(0).unwrap().iter().all(|t| !t.waiting));
}

#[test]
fn whatever_comes_in_between_finishes_the_step_first() {
    let meddlings: [fn(&mut Simulation); 6] = [
        |sim| assert!(sim.step().is_ok()),
        |sim| assert!(sim.paint_ground(&[(77, 0.0)])),
        |sim| assert!(sim.save().is_ok()),
        |sim| sim.engine_mut().keep_maps(true),
        |sim| sim.settle(),
        |sim| {
            let other = on_gpu(sim.scene()).save().unwrap();
            assert!(sim.resume(&other).is_ok());
            sim.step().unwrap();
        },
    ];
    let mut plain = on_gpu(&scene());
    plain.step().unwrap();
    let right = plain.state_hash().unwrap();
    for (k, meddle) in meddlings.into_iter().enumerate() {
        let mut sim = on_gpu(&scene());
        sim.step_round().unwrap();
        assert!(sim.engine().mid_step() && sim.steps() == 0);
        meddle(&mut sim);
        assert!(!sim.engine().mid_step() && sim.steps() == 1, "meddling {k}");
        assert_eq!(sim.state_hash().unwrap(), right, "meddling {k}");
    }
}

#[test]
fn the_cpu_does_a_whole_step() {
    let mut sim = Simulation::new(&scene()).unwrap();
    assert_eq!(sim.step_round().unwrap(), None);
    assert_eq!(sim.steps(), 1);
}
