//! `[model]`: the weights.

use super::*;

pub(super) const MODEL_KEYS: &[&str] = &[
    "plan",
    "plan_every",
    "steer",
    "scheme",
    "solver",
    "speed_law",
    "length_weight",
    "time_weight",
    "discomfort_weight",
    "clearance",
    "clearance_discomfort",
    "person_radius",
    "jam_density",
    "flow_weight",
    "min_speed",
    "density_min",
    "density_max",
    "neighbours",
    "separation_rounds",
];

pub(super) fn model(t: &Table<'_>) -> Result<Model, SceneError> {
    let d = Model::default();
    let weight = |key: &'static str, default: f32, unit: &str| {
        t.f32(key, default, 0.0..=1e4, &format!("a weight {unit}, 0 to 10000"))
    };
    let model = Model {
        plan: t.choice("plan", d.plan, &[("continuum", Plan::Continuum), ("static", Plan::Static)])?,
        plan_every: t.whole(
            "plan_every",
            u64::from(d.plan_every),
            1..=u64::from(MOST_PLAN_EVERY),
            "a whole number of steps, 1 to 1000",
        )? as u32,
        steer: t.choice("steer", d.steer, Steer::ALL)?,
        scheme: t.choice("scheme", d.scheme, &[("upwind", Scheme::Upwind), ("thesis", Scheme::Thesis)])?,
        solver: t.choice(
            "solver",
            d.solver,
            &[("buckets", Solver::Buckets), ("selective", Solver::Selective), ("all", Solver::All)],
        )?,
        speed_law: t.choice(
            "speed_law",
            d.speed_law,
            &[("weidmann", SpeedLaw::Weidmann), ("thesis", SpeedLaw::Thesis)],
        )?,
        length_weight: weight("length_weight", d.length_weight, "per metre")?,
        time_weight: weight("time_weight", d.time_weight, "per second")?,
        discomfort_weight: weight("discomfort_weight", d.discomfort_weight, "per second")?,
        clearance: t.f32("clearance", d.clearance, 0.0..=100.0, "metres, 0 to 100")?,
        clearance_discomfort: t.f32(
            "clearance_discomfort",
            d.clearance_discomfort,
            0.0..=100.0,
            "a discomfort, 0 to 100",
        )?,
        person_radius: t.f32("person_radius", d.person_radius, 0.01..=100.0, "metres, 0.01 to 100")?,
        jam_density: t.f32("jam_density", d.jam_density, 0.1..=100.0, "persons per m², 0.1 to 100")?,
        flow_weight: t.f32("flow_weight", d.flow_weight, 0.0..=1.0, "0 to 1")?,
        min_speed: t.f32("min_speed", d.min_speed, 0.001..=10.0, "m/s, 0.001 to 10")?,
        density_min: t.f32("density_min", d.density_min, 0.0..=10.0, "a planner's density, 0 to 10")?,
        density_max: t.f32("density_max", d.density_max, 0.0..=10.0, "a planner's density, 0 to 10")?,
        neighbours: t.choice(
            "neighbours",
            d.neighbours,
            &[("bins", Search::Bins), ("sweep", Search::Sweep), ("all-pairs", Search::AllPairs)],
        )?,
        separation_rounds: t.whole(
            "separation_rounds",
            u64::from(d.separation_rounds),
            0..=100,
            "a whole number, 0 to 100",
        )? as u32,
    };
    let weights = model.length_weight + model.time_weight;
    if weights < 1e-6 {
        return Err(t
            .error("length_weight", "length_weight and time_weight are next to nothing: every way would cost the same")
            .help("give at least one of them a value of 0.000001 or more"));
    }
    if model.density_max <= model.density_min {
        return Err(t
            .error(
                "density_max",
                format!("density_max {} is not above density_min {}", model.density_max, model.density_min),
            )
            .help("the thesis takes 0.5 and 0.8"));
    }
    Ok(model)
}
