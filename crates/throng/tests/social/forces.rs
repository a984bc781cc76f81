//! Forces against slow references.

use super::engines::runs;
use super::{crossing, forces_of, scene};
use throng::Vec2;
use throng::world::agents::Agents;

/// The force of everybody on one, as the formula has it: `−∇ S·exp(−d/R)` with `d = √((Δ·e₁)² + (Δ·e₂)²/γ²)`, tapered to nothing at the range.
fn reference(a: &Agents, i: usize, strength: f64, range: f64, look_ahead: f64) -> [f64; 2] {
    let wide = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
    let (p, facing) = (wide(a.position[i]), wide(a.heading[i]));
    let mut sum = [0.0; 2];
    for j in (0..a.len()).filter(|&j| j != i && a.state[j].on_floor()) {
        let (q, v) = (wide(a.position[j]), wide(a.velocity[j]));
        let d = [p[0] - q[0], p[1] - q[1]];
        let far = d[0].hypot(d[1]);
        if far >= range {
            continue;
        }
        let speed = v[0].hypot(v[1]);
        let e2 = if speed > 0.0 { [v[0] / speed, v[1] / speed] } else { wide(a.heading[j]) };
        let e1 = [-e2[1], e2[0]];
        let (across, along) = (d[0] * e1[0] + d[1] * e1[1], d[0] * e2[0] + d[1] * e2[1]);
        let gamma = if along > 0.0 { 1.0 + look_ahead * speed } else { 1.0 };
        let elliptic = across.hypot(along / gamma);
        let angle = ((-d[0] * facing[0] - d[1] * facing[1]) / far).clamp(-1.0, 1.0).acos().to_degrees();
        let weight = if angle > 100.0 { 0.5 } else { 1.0 };
        let taper = 1.0 - (far / range).powi(4);
        let size = strength / range * (-elliptic / range).exp() * weight * taper;
        for k in 0..2 {
            sum[k] += size * (across * e1[k] + along / (gamma * gamma) * e2[k]) / elliptic;
        }
    }
    sum
}

#[test]
fn people_repel_as_the_formula_says() {
    // The tolerance of one and of the mean is that of the layout: a step of 0.24 mm changes little, but one of 6 cm may turn the force of somebody who is
    // hardly farther away, S/R = 0.25 m/s², right round.
    for (layout, tolerance, usual) in [("full", 2e-4, 5e-5), ("half", 1e-3, 2e-4), ("quarter", 0.5, 0.05)] {
        let scene = crossing(14.0, 120, &format!("packing = \"{layout}\"\nstrength = 1.0"));
        for mut run in runs(&scene) {
            run.steps_by(40).unwrap();
            let before = run.agents().unwrap();
            run.step().unwrap();
            let after = forces_of(&run.agents().unwrap());
            let (mut most, mut sum) = (0.0f64, 0.0);
            for i in 0..before.len() {
                let wanted = reference(&before, i, 1.0, 4.0, 2.0);
                let (_, [got, _]) = after[after.binary_search_by_key(&before.id[i], |(id, _)| *id).unwrap()];
                let off = (f64::from(got.x) - wanted[0]).hypot(f64::from(got.y) - wanted[1]);
                assert!(off < tolerance, "{layout}, {}: {got} and {wanted:?}", run.engine().name());
                sum += off / before.len() as f64;
                most = most.max(wanted[0].hypot(wanted[1]));
            }
            assert!(sum < usual, "{layout}, {}: off by {sum} on average", run.engine().name());
            assert!(most > 0.5, "somebody is pushed");
        }
    }
}

/// People in one cell of 4 m, and one person in the cell to the east of it.
fn beside_a_crowd(count: u32, congestion: &str) -> throng::Scene {
    scene(&format!(
        "size = [24, 12]\ncell = 0.5\n[model]\nplan = \"static\"\nsteer = \"social-force\"\n[model.social-force]\ncongestion = \"{congestion}\"\n\
         avoidance = 0.1\ndispersion = 0.05\ndrawn_back = 1\n\
         [[agents]]\ncount = 1\nstart = {{ circle = [14, 6, 0.3] }}\nradius = 0.2\njourney = [{{ to = [2, 6] }}]\n\
         [[agents]]\ncount = {count}\nplace = \"random\"\nstart = {{ rect = [8.1, 4.1, 11.9, 7.9] }}\nradius = 0.05\njourney = [{{ to = [22, 6] }}]\n"
    ))
}

#[test]
fn crowded_cells_push_away_and_draw_out() {
    // Of whoever is beside the crowd: east. Of those in it: the eight cells around are empty but for the one to the east.
    for (count, congestion, beside, inside) in [
        (30, "standard", 0.0, 0.0),
        (20, "avoidance", 0.0, 0.0),
        (25, "avoidance", 0.5, 0.0),
        (25, "dispersion", 0.5, 0.0),
        (30, "avoidance", 1.0, 0.0),
        // All draw alike, but for the one with somebody in it: one less to the east.
        (30, "dispersion", 1.0, -0.05),
    ] {
        for mut run in runs(&beside_a_crowd(count, congestion)) {
            run.step().unwrap();
            let forces = forces_of(&run.agents().unwrap());
            for (id, [_, aside]) in forces {
                let wanted = Vec2::new(if id == 0 { beside } else { inside }, 0.0);
                assert!((aside - wanted).length() < 1e-4, "{count}, {congestion}, {id}: {aside} and {wanted}");
            }
        }
    }
}

#[test]
fn emptier_cells_ahead_draw_and_those_behind_do_not() {
    // Those in the crowd go east: of the three cells there two draw by 20, the one with somebody in it by 19.
    let text = beside_a_crowd(30, "dispersion").source().text.replace("drawn_back = 1\n", "");
    for mut run in runs(&scene(&text)) {
        run.step().unwrap();
        for (id, [_, aside]) in forces_of(&run.agents().unwrap()).into_iter().filter(|(id, _)| *id != 0) {
            assert!((aside - Vec2::new(0.05 * 59.0, 0.0)).length() < 1e-4, "{}: {id}: {aside}", run.engine().name());
        }
    }
}

#[test]
fn cells_without_floor_draw_nobody() {
    // A block of houses covers the cells to the west of the crowd.
    let mut text = beside_a_crowd(30, "dispersion").source().text.clone();
    text += "[map]\nwalls = [{ rect = [4, 0, 8, 12] }]\n";
    for mut run in runs(&scene(&text)) {
        run.step().unwrap();
        let a = run.agents().unwrap();
        for (id, [_, aside]) in forces_of(&a).into_iter().filter(|(id, _)| *id != 0) {
            let at = super::places_of(&a)[id as usize].1;
            // Three cells to the east draw, one of them by one less; near the houses the wall pushes, too.
            if at.x > 9.0 {
                assert!((aside - Vec2::new(0.05 * 59.0, 0.0)).length() < 1e-3, "{id} at {at}: {aside}");
            }
        }
    }
}

#[test]
fn walls_push_away_and_no_farther_than_they_reach() {
    let text = "size = [20, 8]\ncell = 0.5\n[map]\nwalls = [{ rect = [0, 0, 20, 2] }]\n[model]\nplan = \"static\"\nsteer = \"social-force\"\n\
        [[agents]]\ncount = 1\nstart = { circle = [4, 2.4, 0.05] }\nradius = 0.2\njourney = [{ to = [18, 2.4] }]\n\
        [[agents]]\ncount = 1\nstart = { circle = [10, 4, 0.05] }\nradius = 0.2\njourney = [{ to = [18, 4] }]\n";
    for mut run in runs(&scene(text)) {
        let before = super::places_of(&run.agents().unwrap());
        run.step().unwrap();
        let forces = forces_of(&run.agents().unwrap());
        let gap = before[0].1.y - 2.0 - 0.2;
        let wanted = 0.3 / 0.2 * (-gap / 0.2).exp() * (1.0 - gap / 0.6);
        assert!((forces[0].1[1] - Vec2::new(0.0, wanted)).length() < 1e-3, "{:?}, not {wanted}", forces[0]);
        assert_eq!(forces[1].1[1], Vec2::ZERO);
    }
}
