//! What a run was like: for a person, and as JSON.

use crate::measured;
use crate::out::{grouped, people, several, span};
use crate::record::Recorded;
use serde_json::{Map, Value, json};
use throng::engine::Counters;
use throng::measure::Watch;
use throng::scene::{Arrive, printable};
use throng::stages::NAMES;
use throng::{Holds, InGoal, Scene, Simulation};

/// Arrivals so far, at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) time: f64,
    pub(crate) arrived: u64,
    pub(crate) active: u64,
    pub(crate) outside: u64,
    pub(crate) between: u64,
    pub(crate) parked: u64,
    pub(crate) mean_speed: f32,
}

/// What is kept of a run for its report.
#[derive(Debug, Default)]
pub(crate) struct History {
    pub(crate) rows: Vec<Row>,
    /// When 50, 95 and 100 % had arrived, s.
    pub(crate) cleared: [Option<f64>; 3],
    /// Which of these had been so when this run went on from a snapshot: nobody knows any more when.
    pub(crate) cleared_before: [bool; 3],
    pub(crate) wall_seconds: f64,
    /// Steps done before this run went on from a snapshot.
    pub(crate) steps_before: u64,
    pub(crate) interrupted: bool,
    /// Nobody has arrived for so long that nobody is expected to.
    pub(crate) stuck: bool,
    /// What the engine said when it failed.
    pub(crate) failed: Option<String>,
    /// Files that could not be written, and why.
    pub(crate) not_written: Vec<String>,
    /// What became of --record.
    pub(crate) recorded: Option<Recorded>,
    /// What was seen of the crowd.
    pub(crate) watch: Option<Watch>,
    /// Goals that hold only so many, and how many were in them in the end.
    pub(crate) in_goals: Vec<InGoal>,
    /// How many were in each state in the end.
    pub(crate) in_states: Vec<u32>,
}

impl History {
    /// Before the first step, with the counters there.
    pub(crate) fn begin(&mut self, scene: &Scene, c: &Counters) {
        if self.steps_before > 0 {
            let cleared = self.newly_cleared(scene, c);
            self.cleared_before = cleared;
        }
        self.row(scene, c);
    }

    /// Of 50, 95 and 100 % which have arrived, and had not before.
    fn newly_cleared(&self, scene: &Scene, c: &Counters) -> [bool; 3] {
        let total = scene.agent_count();
        let known = |k: usize| self.cleared[k].is_some() || self.cleared_before[k];
        let reached = |percent: u64| total > 0 && c.arrived * 100 >= total * percent && everybody_leaves(scene);
        std::array::from_fn(|k| reached([50, 95, 100][k]) && !known(k))
    }

    /// When this run went on from a snapshot, if it did, s.
    fn since(&self, scene: &Scene) -> Option<f64> {
        (self.steps_before > 0).then(|| self.steps_before as f64 * f64::from(scene.dt))
    }

    /// After each step, with its counters.
    pub(crate) fn note(&mut self, scene: &Scene, c: &Counters, every: u64) {
        let newly = self.newly_cleared(scene, c);
        for (cleared, _) in self.cleared.iter_mut().zip(newly).filter(|(_, newly)| *newly) {
            *cleared = Some(time(scene, c));
        }
        if c.steps.is_multiple_of(every) {
            self.row(scene, c);
        }
    }

    pub(crate) fn row(&mut self, scene: &Scene, c: &Counters) {
        let time = time(scene, c);
        if self.rows.last().is_some_and(|r| r.time >= time) {
            return;
        }
        self.rows.push(Row {
            time,
            arrived: c.arrived,
            active: c.active,
            outside: c.outside,
            between: c.between,
            parked: c.parked,
            mean_speed: c.mean_speed,
        });
    }

    /// Steps of this run that are known to be done: of a device that failed, fewer than it was asked for.
    fn steps(&self, c: &Counters) -> u64 {
        c.steps.saturating_sub(self.steps_before)
    }
}

/// Simulated time at which counters were taken, s.
fn time(scene: &Scene, c: &Counters) -> f64 {
    c.steps as f64 * f64::from(scene.dt)
}

/// Whether who arrives has left: only then a share of arrivals and a time to clear make sense.
pub(crate) fn everybody_leaves(scene: &Scene) -> bool {
    scene.groups.iter().all(|g| g.arrive == Arrive::Park || g.count == 0)
}

/// One object with everything about a run; `hash` of its state, where that can be read.
pub(crate) fn json(sim: &Simulation, history: &History, hash: Option<u64>) -> Value {
    let c = sim.counters();
    let steps = history.steps(&c);
    let per_second = if history.wall_seconds > 0.0 { steps as f64 / history.wall_seconds } else { 0.0 };
    let agents = sim.scene().agent_count();
    let per_step = |ms: f64| if steps > 0 { ms / steps as f64 } else { 0.0 };
    let stages: Map<String, Value> = NAMES
        .iter()
        .zip(sim.engine().stage_ms())
        .map(|(name, ms)| ((*name).to_owned(), json!(round(per_step(ms), 6))))
        .collect();
    let memory: Map<String, Value> = sim.engine().memory().into_iter().map(|(n, b)| (n.to_owned(), json!(b))).collect();
    let scene = sim.scene();
    let cleared = |i: usize| history.cleared[i].map(|t| round(t, 4));
    let mut all = json!({
        "scene": scene.name,
        "engine": sim.engine().name(),
        "device": sim.engine().device(),
        "seed": scene.seed,
        "agents": agents,
        "cells": [scene.grid.width, scene.grid.height],
        "cell_m": round(f64::from(scene.grid.cell), 6),
        "goals": scene.goals.len(),
        "steps": c.steps,
        "steps_this_run": steps,
        "dt": round(f64::from(scene.dt), 6),
        "simulated_seconds": round(time(scene, &c), 4),
        "wall_seconds": round(history.wall_seconds, 4),
        "steps_per_second": round(per_second, 3),
        "agent_steps_per_second": round(per_second * agents as f64, 0),
        "active": c.active,
        "outside": c.outside,
        "in_portals": c.between,
        "parked": c.parked,
        "arrived": c.arrived,
        "goals_reached": c.goals_reached,
        "entered": c.entered,
        "cleared_seconds": { "50%": cleared(0), "95%": cleared(1), "100%": cleared(2) },
        "in_wall": c.in_wall,
        "not_finite": c.not_finite,
        "wall_depth_m": round(f64::from(c.wall_depth), 6),
        "overlap": {
            "mean": round(f64::from(c.overlap.mean), 7),
            "max": round(f64::from(c.overlap.max), 6),
            "share": round(f64::from(c.overlap.share), 6),
            "share_mean": round(f64::from(c.overlap_share_mean), 7),
        },
        "mean_speed": round(f64::from(c.mean_speed), 5),
        "density_max": round(f64::from(c.density_max), 3),
        "splat_overflows": c.splat_overflows,
        "neighbours_left_out": c.neighbours_left_out,
        "displaced": c.displaced,
        "solver": {
            "iterations": c.solver.rounds,
            "visits_per_cell": round(c.solver.visits as f64 / (scene.grid.len() * scene.goals.len().max(1)) as f64, 3),
            "converged": c.solver.converged,
            "cells_left": c.solver.left,
            "plans_cut_short": c.plans_cut_short,
        },
        "stages_ms": stages,
        "memory_bytes": memory,
        "interrupted": history.interrupted,
        "stuck": history.stuck,
        "failed": history.failed,
        "recorded": history.recorded.as_ref().map(Recorded::json),
        "measured": history.watch.as_ref().map(|w| measured::json(scene, w)),
        "state_hash": hash.map(|h| format!("{h:016x}")),
    });
    // One more in the list above is more than the macro takes.
    all["refused"] = json!(c.refused);
    all["not_written"] = json!(history.not_written);
    // What is measured is measured from there on.
    all["resumed_at_seconds"] = json!(history.since(scene).map(|t| round(t, 4)));
    all["capacities"] = history.in_goals.iter().map(|of| in_goal_json(scene, of)).collect();
    let states = scene.states.iter().zip(&history.in_states);
    all["states"] = states.map(|(state, n)| (state.name.clone(), json!(n))).collect::<Map<String, Value>>().into();
    all
}

/// How many were in a goal in the end, and how many it holds.
fn in_goal_json(scene: &Scene, of: &InGoal) -> Value {
    let holds = |h: &Holds| json!({ "people": h.people, "capacity": h.capacity, "full": h.is_full() });
    let Holds { people, capacity, .. } = of.whole;
    json!({
        "goal": scene.goals.get(of.goal).map(|g| g.name.as_str()),
        "people": people,
        "capacity": capacity,
        "full": of.whole.is_full(),
        "shapes": of.shapes.iter().map(holds).collect::<Vec<_>>(),
    })
}

/// The same for a person: "20 of 20 (full)".
fn in_goal_text(scene: &Scene, of: &InGoal) -> String {
    let holds = |h: &Holds| {
        let most = h.capacity.map_or(String::new(), |most| format!(" of {}", grouped(most.into())));
        format!("{}{most}{}", grouped(h.people.into()), if h.is_full() { " (full)" } else { "" })
    };
    let name = scene.goals.get(of.goal).map_or("", |g| g.name.as_str());
    let shapes: Vec<String> = (1..)
        .zip(&of.shapes)
        .filter(|(_, h)| h.capacity.is_some())
        .map(|(k, h)| format!("{k}: {}", holds(h)))
        .collect();
    let shapes = if shapes.is_empty() { String::new() } else { format!("; by shape {}", shapes.join(", ")) };
    format!("{name}: {}{shapes}", holds(&of.whole))
}

pub(crate) fn round(x: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (x * scale).round() / scale
}

/// The report that a person likes to read.
pub(crate) fn text(sim: &Simulation, history: &History) -> String {
    let c = sim.counters();
    let scene = sim.scene();
    let total = scene.agent_count();
    let steps = history.steps(&c);
    let rate = if history.wall_seconds > 0.0 { steps as f64 / history.wall_seconds } else { 0.0 };
    let mut o = String::new();
    // A name with an end of a line in it makes no line of its own.
    let mut line = |label: &str, value: String| o += &format!("{:<17} {}\n", printable(label), printable(&value));
    let end = match history {
        History { failed: Some(_), .. } => " (ended early: the engine failed)",
        History { interrupted: true, .. } => " (interrupted)",
        History { stuck: true, .. } => " (stopped: nobody has arrived for ten minutes)",
        _ => "",
    };
    line(
        "scene",
        format!(
            "{}: {} on {} × {} cells of {} m",
            scene.name,
            people(total),
            scene.grid.width,
            scene.grid.height,
            scene.grid.cell
        ),
    );
    // A run that goes on from a snapshot has not made all steps itself.
    let resumed = time(scene, &c) > (steps as f64 + 0.5) * f64::from(scene.dt);
    let (joined, since) = if resumed { (" in all,", " since the snapshot") } else { (" in", "") };
    line(
        "simulated",
        format!(
            "{}{joined} {} step{} of {} s{since}{end}",
            span(time(scene, &c)),
            grouped(steps),
            if steps == 1 { "" } else { "s" },
            scene.dt
        ),
    );
    line(
        "took",
        format!(
            "{} on {} ({}): {rate:.1} steps/s, {:.1}× real time",
            span(history.wall_seconds),
            sim.engine().name(),
            sim.engine().device(),
            rate * f64::from(scene.dt)
        ),
    );
    let share = if total > 0 { 100.0 * c.arrived as f64 / total as f64 } else { 0.0 };
    let park = everybody_leaves(scene) && total > 0;
    line(
        "arrived",
        if park {
            format!("{} ({share:.1} %)", grouped(c.arrived))
        } else {
            format!("{}, {} reached", several(c.arrived as usize, "journey"), several(c.goals_reached as usize, "goal"))
        },
    );
    if park {
        let time = |k: usize| match (history.cleared[k], history.since(scene)) {
            (Some(t), _) => span(t),
            (None, Some(since)) if history.cleared_before[k] => format!("before {}", span(since)),
            _ => "not reached".to_owned(),
        };
        line("time to clear", format!("50 %: {}   95 %: {}   100 %: {}", time(0), time(1), time(2)));
    }
    for (label, value) in crowd_lines(&c) {
        line(label, value);
    }
    let since = history.since(scene).map_or(String::new(), |t| format!("   (since {})", span(t)));
    for (label, value) in history.watch.iter().flat_map(|w| measured::lines(scene, w)) {
        line(&label, value + &since);
    }
    for of in &history.in_goals {
        line("in goal", in_goal_text(scene, of));
    }
    if !history.in_states.is_empty() {
        let states = scene.states.iter().zip(&history.in_states);
        let each: Vec<String> = states.map(|(state, n)| format!("{} {}", state.name, grouped((*n).into()))).collect();
        line("in state", each.join(", "));
    }
    if let Some(recorded) = &history.recorded {
        line("recorded", recorded.text());
    }
    o += &stages(sim, steps);
    o
}

/// What the crowd was like, and what to beware of.
fn crowd_lines(c: &Counters) -> Vec<(&'static str, String)> {
    let between = if c.between > 0 { format!(", {} in portals", grouped(c.between)) } else { String::new() };
    let outside = if c.outside > 0 { format!(", and {} waiting to enter", grouped(c.outside)) } else { String::new() };
    let (overlap, share) = (100.0 * c.overlap.max, 100.0 * c.overlap.share);
    let mut lines = vec![
        ("on the floor", format!("{}{between}{outside}", grouped(c.active))),
        ("mean speed", format!("{:.2} m/s", c.mean_speed)),
        ("peak density", format!("{:.1} persons/m²", c.density_max)),
        ("overlap", format!("worst {overlap:.1} % of the distance; at most {share:.2} % of people by more than 5 %")),
    ];
    if c.in_wall + c.not_finite + c.splat_overflows + c.neighbours_left_out > 0 {
        let Counters { in_wall, not_finite, splat_overflows: full, neighbours_left_out: left_out, .. } = c;
        let words =
            format!("in walls {in_wall}, not finite {not_finite}, full cells {full}, neighbours left out {left_out}");
        lines.push(("beware", words));
    }
    if c.refused > 0 {
        lines.push(("kept out", format!("{} times a cell had no place left", grouped(c.refused))));
    }
    if c.displaced > 0 {
        lines.push(("put aside", format!("{} stood where a wall closed", people(c.displaced))));
    }
    if !c.solver.converged {
        let steps = match c.plans_cut_short {
            1 => "one step".into(),
            several => format!("{} steps", grouped(several)),
        };
        let left = grouped(c.solver.left);
        lines.push((
            "beware",
            format!("the plan of {steps} was cut short, {left} cells at most; later steps got more rounds"),
        ));
    }
    lines
}

fn stages(sim: &Simulation, steps: u64) -> String {
    let ms = sim.engine().stage_ms();
    let sum: f64 = ms.iter().sum();
    if sum <= 0.0 || steps == 0 {
        return String::new();
    }
    let mut order: Vec<usize> = (0..ms.len()).collect();
    order.sort_by(|&a, &b| ms[b].total_cmp(&ms[a]));
    let mut o = format!("time per step     {:.2} ms\n", sum / steps as f64);
    for i in order {
        let share = ms[i] / sum;
        if share >= 0.005 {
            let bar = "█".repeat((share * 40.0).round() as usize);
            o += &format!("  {:<10} {:>9.3} ms {:>5.1} %  {bar}\n", NAMES[i], ms[i] / steps as f64, 100.0 * share);
        }
    }
    o
}

/// The arrivals curve as CSV.
pub(crate) fn csv(history: &History) -> String {
    let mut o = String::from("time_s,arrived,active,outside,in_portals,parked,mean_speed_m_per_s\n");
    for r in &history.rows {
        let people = [r.arrived, r.active, r.outside, r.between, r.parked].map(|n| n.to_string()).join(",");
        o += &format!("{:.3},{people},{:.4}\n", r.time, r.mean_speed);
    }
    o
}
