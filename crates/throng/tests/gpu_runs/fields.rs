//! Models, and every field of a step, against the CPU engine.

use super::solver::{WINDING, assert_same_potentials};
use super::*;
use throng::measure::crowd;
use throng::world::grid::Grid;

/// Fifty in a room with a pillar, and a door.
fn room(model: &str) -> Scene {
    scene(&format!(
        "size = [12, 7]\ndt = 0.1\n[map]\nwalls = [{{ rect = [8, 0, 8.2, 2.5] }}, {{ rect = [8, 4.5, 8.2, 7] }}, \
         {{ circle = [5, 3.5, 0.8] }}]\n[[goal]]\nrect = [11, 0, 12, 7]\n\
         [[agents]]\ncount = 50\nstart = {{ rect = [0, 0, 7, 7] }}\n[model]\n{model}\n"
    ))
}

#[test]
fn a_static_plan_and_the_thesis_law_empty_a_room_on_the_gpu_as_on_the_cpu() {
    for model in ["plan = \"static\"", "speed_law = \"thesis\"", "separation_rounds = 0"] {
        let scene = room(model);
        let mut runs = on_both(&scene);
        let [cpu, gpu] = go_both(&mut runs, 75);
        assert!(cpu[74].arrived > 5, "{model}: too little happens: {:?}", cpu[74]);
        // A door for a few abreast: one more or less in front of the others.
        assert_alike(&cpu, &gpu, 3.0, 0.05);
        for run in &mut runs {
            assert_books_agree(run, 50);
        }
    }
}

#[test]
fn the_thesis_scheme_does_no_harm_on_the_gpu() {
    // Its result depends on the order of updates, so engines need not agree; but people get out.
    for model in ["scheme = \"thesis\"", "scheme = \"thesis\"\nplan = \"static\"\nsolver = \"all\""] {
        let mut run = on_gpu(&room(model));
        let history = go(&mut run, 90);
        assert!(history[89].arrived > 5, "{model}: {:?}", history[89]);
        let potential = scalars(&mut run, Field::Potential(0));
        assert!(potential.iter().all(|p| p.is_finite() && *p >= 0.0));
        assert_books_agree(&mut run, 50);
    }
}

// Fields.

/// Persons per square metre, counted over a metre: of each cell the square of cells around it, moved inwards at the border.
fn counted_by_hand(grid: &Grid, agents: &Agents) -> Vec<f32> {
    let n = crowd::window(grid);
    assert!(
        n as f32 * grid.cell > 0.999 || n == grid.width.min(grid.height),
        "a square metre at least, where there is one"
    );
    let places: Vec<(usize, usize)> =
        (0..agents.len()).filter(|&i| agents.state[i].on_floor()).map(|i| grid.coords(agents.position[i])).collect();
    let first = |at: usize, cells: usize| at.saturating_sub(n / 2).min(cells - n);
    let count = |c: usize| {
        let (x, y) = (first(c % grid.width, grid.width), first(c / grid.width, grid.height));
        places.iter().filter(|(px, py)| (x..x + n).contains(px) && (y..y + n).contains(py)).count()
    };
    (0..grid.len()).map(|c| count(c) as f32 / (n as f32 * grid.cell).powi(2)).collect()
}

/// All fields of two runs that have done one step from the same state (`before`) agree.
pub(crate) fn assert_fields_agree(cpu: &mut Simulation, gpu: &mut Simulation, before: &Agents, what: &str) {
    let grid = cpu.scene().grid;
    assert_eq!(scalars(cpu, Field::Discomfort), scalars(gpu, Field::Discomfort), "{what}: discomfort");
    // How many agents may have put something into each cell: the square of their footprint, and a cell for rounding.
    let mut touched = vec![0u32; grid.len()];
    for i in (0..before.len()).filter(|&i| before.state[i].on_floor()) {
        let reach = (2.0 * before.radius[i]).max(grid.cell) + grid.cell;
        let (low, high) = (grid.coords(before.position[i] - reach), grid.coords(before.position[i] + reach));
        for y in low.1..=high.1 {
            (low.0..=high.0).for_each(|x| touched[y * grid.width + x] += 1);
        }
    }
    // Each share is rounded to a quantum: two of them apart at most.
    let quanta = |cell: usize| 2.0 * touched[cell] as f32 / 65536.0;
    let (da, db) = (scalars(cpu, Field::Density), scalars(gpu, Field::Density));
    let (pa, pb) = (scalars(cpu, Field::Persons), scalars(gpu, Field::Persons));
    let (va, vb) = (vectors(cpu, Field::Velocity), vectors(gpu, Field::Velocity));
    assert!(da.iter().any(|d| *d > 0.3), "{what}: nobody is there");
    for c in 0..grid.len() {
        let at = format!("{what}: cell {c}, {} agents near", touched[c]);
        assert!((da[c] - db[c]).abs() <= quanta(c), "{at}: density {} and {}", da[c], db[c]);
        let area = grid.cell * grid.cell;
        assert!((pa[c] - pb[c]).abs() <= quanta(c) / area * 1.001, "{at}: persons {} and {}", pa[c], pb[c]);
        // Momentum by density, each so far apart.
        let most = quanta(c) * (2.0 + va[c].length()) / da[c].max(db[c]).max(1.0 / 65536.0);
        assert!(va[c].distance(vb[c]) <= most, "{at}: velocity {} and {}", va[c], vb[c]);
    }
    let counted = scalars(cpu, Field::LocalDensity);
    assert_eq!(counted, counted_by_hand(&grid, before), "{what}: people over a metre");
    assert_eq!(counted, scalars(gpu, Field::LocalDensity), "{what}: people over a metre");
    for d in [Direction::North, Direction::East, Direction::South, Direction::West] {
        for field in [Field::Speed(d), Field::Cost(d)] {
            let (a, b) = (scalars(cpu, field), scalars(gpu, field));
            for c in 0..grid.len() {
                assert!(
                    (a[c] - b[c]).abs() <= 1e-3 * a[c].abs(),
                    "{what}: {field:?} of cell {c}: {} and {}",
                    a[c],
                    b[c]
                );
            }
        }
    }
    for goal in 0..cpu.scene().goals.len() {
        let what = format!("{what}, goal {goal}");
        let potential = scalars(cpu, Field::Potential(goal));
        assert_same_potentials(&potential, &scalars(gpu, Field::Potential(goal)), &what);
        let (a, b) = (vectors(cpu, Field::Gradient(goal)), vectors(gpu, Field::Gradient(goal)));
        let (mut both, mut off) = (0u32, 0u32);
        for c in 0..grid.len() {
            assert_eq!(a[c] == Vec2::ZERO, b[c] == Vec2::ZERO, "{what}: cell {c}: {} and {}", a[c], b[c]);
            both += u32::from(a[c] != Vec2::ZERO);
            off += u32::from(a[c] != Vec2::ZERO && a[c].dot(b[c]) <= 0.999);
        }
        // On ridges, where two ways are equally long, rounding decides.
        assert!(100 * off < both.max(1), "{what}: {off} of {both} directions differ");
    }
}

/// The state of a scene on the CPU after some steps, resumed on both engines, which then do one step with maps.
fn one_step_on_both(scene: &Scene, after: u64) -> ([Simulation; 2], Agents) {
    let mut start = on_cpu(scene);
    start.engine_mut().keep_maps(true);
    go(&mut start, after);
    let bytes = start.save().unwrap();
    let mut runs = on_both(scene);
    for run in &mut runs {
        run.resume(&bytes).unwrap_or_else(|e| panic!("{e}"));
        go(run, 1);
    }
    (runs, start.agents().unwrap())
}

#[test]
fn every_field_of_the_first_step_is_that_of_the_cpu() {
    // The last two: more agents in a tile than a workgroup adds up at once; bodies nearly as wide as a tile.
    let wide = "cell = 0.1\nsize = [9, 5]\n[map]\nwalls = [{ rect = [5, 0, 5.3, 1.5] }, { rect = [5, 3.5, 5.3, 5] }]\n\
                [[goal]]\nrect = [8, 0, 9, 5]\n[[agents]]\ncount = 5\nradius = 0.65\nspeed = 1.3\nstart = { rect = [0, 0, 5, 5] }\n";
    for scene in [scene(WINDING), scene(COMING_AND_GOING), scene(OPENING), heap(1500), scene(wide)] {
        let mut runs = on_both(&scene);
        let before = runs[0].agents().unwrap();
        go_both(&mut runs, 1);
        let [cpu, gpu] = &mut runs;
        assert_fields_agree(cpu, gpu, &before, "first step");
        assert!(scalars(gpu, Field::Use).is_empty(), "no maps were asked for");
    }
    let wider = scene(&wide.replace("0.65", "0.75"));
    let refused = GpuEngine::new(&wider, gpu()).err().map(|e| e.to_string());
    assert!(refused.as_ref().is_some_and(|e| e.contains("--engine cpu")), "{refused:?}");
}

#[test]
fn every_field_of_a_step_among_moving_people_is_that_of_the_cpu() {
    for text in [BUSY.to_owned(), OPENING.to_owned(), format!("{BUSY}[model]\nspeed_law = \"thesis\"\n")] {
        let scene = scene(&text);
        let (mut runs, before) = one_step_on_both(&scene, 22);
        let [cpu, gpu] = &mut runs;
        assert!(vectors(cpu, Field::Velocity).iter().any(|v| v.length() > 0.5), "they do not move");
        assert_fields_agree(cpu, gpu, &before, "step 23");
        // Nobody has moved far since they were sorted, so hardly anybody is in another cell.
        for field in [Field::PeakDensity, Field::Use] {
            let (a, b) = (scalars(cpu, field), scalars(gpu, field));
            assert_eq!(a.len(), b.len());
            let other = a.iter().zip(&b).filter(|(a, b)| (*a - *b).abs() > 1e-5 * a.abs()).count();
            assert!(a.iter().any(|v| *v > 0.0) && 100 * other <= a.len(), "{field:?}: {other} of {} cells", a.len());
        }
        assert!(farthest_apart_of(&mut runs) < 1e-3, "after one step");
    }
}

#[test]
fn the_counters_density_is_the_greatest_that_the_field_had() {
    for mut run in on_both(&scene(BUSY)) {
        run.engine_mut().keep_maps(true);
        let (mut most, mut peaks) = (0.0f32, Vec::new());
        for _ in 0..20 {
            go(&mut run, 1);
            let counted = scalars(&mut run, Field::LocalDensity);
            most = counted.iter().copied().fold(most, f32::max);
            peaks.resize(counted.len(), 0.0f32);
            peaks.iter_mut().zip(counted).for_each(|(peak, now)| *peak = peak.max(now));
        }
        assert!(most > 1.0, "nobody is near anybody");
        assert_eq!(most, run.counters().density_max);
        assert_eq!(peaks, scalars(&mut run, Field::PeakDensity));
    }
}

#[test]
fn the_map_of_use_adds_up_to_everybody_s_time_on_the_floor() {
    let scene = scene(COMING_AND_GOING);
    let mut run = on_gpu(&scene);
    run.engine_mut().keep_maps(true);
    let history = go(&mut run, 30);
    // Who is there in a step is who was there after the last.
    let there: u64 = 30 + history[..29].iter().map(|c| c.active).sum::<u64>();
    let seconds = there as f32 * scene.dt;
    let area = scene.grid.cell * scene.grid.cell;
    let used: f32 = scalars(&mut run, Field::Use).iter().sum::<f32>() * area;
    assert!((used - seconds).abs() < 1e-3 * seconds, "{used} and {seconds} person-seconds");
    let peak = scalars(&mut run, Field::PeakDensity).into_iter().fold(0.0, f32::max);
    assert_eq!(peak, run.counters().density_max);
    run.engine_mut().keep_maps(false);
    assert!(scalars(&mut run, Field::Use).is_empty());
    run.engine_mut().keep_maps(true);
    assert!(scalars(&mut run, Field::Use).iter().all(|u| *u == 0.0), "a new map begins with nothing");
}
