//! Cells hold only so many: counted anew after every step.

use super::engines::runs;
use super::{crossing, places_of, scene};
use throng::engine::{Field, Values};
use throng::{Simulation, Vec2};

const CELLS: usize = 6;

fn cell_of(p: Vec2) -> usize {
    (p.y / 4.0) as usize * CELLS + (p.x / 4.0) as usize
}

fn counts(places: &[(u32, Vec2)]) -> Vec<u32> {
    let mut counts = vec![0; CELLS * CELLS];
    places.iter().for_each(|&(_, p)| counts[cell_of(p)] += 1);
    counts
}

/// A value of each cell of 4 m, from a field over cells of half a metre.
fn of_cells(run: &mut Simulation, field: Field) -> Vec<u32> {
    let Values::Scalar(values) = run.field(field).unwrap() else { panic!("a number per cell") };
    (0..CELLS * CELLS).map(|c| values[(c / CELLS * 8 + 5) * CELLS * 8 + c % CELLS * 8 + 2] as u32).collect()
}

#[test]
fn under_load_no_cell_is_overfull_and_nobody_is_lost_or_doubled() {
    // 25 people a cell, of 32, that all want through the middle; with and without bodies that push each other.
    for (congestion, rounds, steps) in [("standard", 0, 400), ("standard", 3, 200), ("dispersion", 0, 200)] {
        let mut scene = crossing(24.0, 900, &format!("congestion = \"{congestion}\""));
        scene.model.separation_rounds = rounds;
        for mut run in runs(&scene) {
            let name = format!("{congestion}, {rounds} rounds, {}", run.engine().name());
            let steps = if run.engine().name() == "gpu" { steps / 4 } else { steps };
            let mut before = counts(&places_of(&run.agents().unwrap()));
            let mut refused = 0;
            for step in 0..steps {
                run.step().unwrap();
                let places = places_of(&run.agents().unwrap());
                let now = counts(&places);
                assert!(places.iter().map(|p| p.0).eq(0..900), "{name}: somebody is lost or doubled after step {step}");
                for (cell, (&now, &before)) in now.iter().zip(&before).enumerate() {
                    assert!(now <= before.max(32), "{name}, step {step}: {now} in cell {cell}, where {before} were");
                }
                assert_eq!(of_cells(&mut run, Field::Occupancy), before, "{name}, step {step}: people in cells");
                refused += u64::from(of_cells(&mut run, Field::Refusals).iter().sum::<u32>());
                assert_eq!(run.counters().refused, refused, "{name}, step {step}");
                before = now;
            }
            if congestion == "standard" {
                assert!(refused > 10, "{name}: there was no load");
            }
            assert_eq!((run.counters().in_wall, run.counters().not_finite), (0, 0), "{name}");
        }
    }
}

#[test]
fn the_lowest_ids_get_the_places() {
    // Forty in a row walk east over the border at 8 m into a cell with four places. All that cross in one step have ids in no order.
    let text = "size = [24, 12]\ncell = 0.5\ndt = 0.05\nseed = 1\n[model]\nplan = \"static\"\nsteer = \"social-force\"\nseparation_rounds = 0\n\
        [model.social-force]\nplaces = 40\nstrength = 0\ncongestion = \"standard\"\ncell_law = \"free\"\n\
        [[agents]]\ncount = 37\nplace = \"random\"\nstart = { rect = [10, 5, 11, 7] }\nradius = 0.1\nspeed = 0.01\njourney = [{ to = [22, 6] }]\n\
        [[agents]]\ncount = 30\nplace = \"random\"\nstart = { rect = [7.97, 4.2, 7.99, 7.8] }\nradius = 0.1\nspeed = 3\njourney = [{ to = [22, 6] }]\n";
    for mut run in runs(&scene(text)) {
        let name = run.engine().name();
        let mut seen = false;
        for _ in 0..20 {
            let before = places_of(&run.agents().unwrap());
            run.step().unwrap();
            let after = places_of(&run.agents().unwrap());
            if run.counters().refused == 0 {
                continue;
            }
            let (entered, stopped): (Vec<_>, Vec<_>) = (before.iter().zip(&after))
                .filter(|((_, was), (_, is))| was.x < 8.0 && is.x > was.x + 1e-4)
                .map(|(_, &(id, is))| (id, is))
                .partition(|(_, is)| is.x >= 8.0);
            assert_eq!(entered.len(), 3, "{name}: 37 of 40 places are taken");
            let last = entered.iter().map(|e| e.0).max().unwrap();
            assert!(!stopped.is_empty());
            for (id, at) in stopped {
                assert!(id > last && (7.99..8.0).contains(&at.x), "{name}: {id} at {at}; {last} got in");
            }
            let a = run.agents().unwrap();
            let halted = |i: usize| a.position[i].x < 8.0 && a.velocity[i].x == 0.0;
            assert_eq!(
                (0..a.len()).filter(|&i| halted(i)).count() as u64,
                run.counters().refused,
                "{name}: only the blocked part"
            );
            seen = true;
            break;
        }
        assert!(seen, "{name}: nobody was refused");
    }
}
