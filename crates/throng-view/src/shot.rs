//! What is drawn of a run: a picture's worth of data, taken at the end of a step.

use crate::draw::Ground;
use std::sync::Arc;
use std::time::Instant;
use throng::Simulation;
use throng::engine::layout;
use throng::engine::{Counters, EngineError, Field, RoundReport, TileState, Values};
use throng::scene::{Group, Hazard};
use throng::stages::COUNT;
use throng::stages::steer::bvp::LocalMap;
use throng::world::agents::{Agents, OwnColumn, State};
use throng::world::hazards::Disc;

/// A crowd in the layout of the GPU engine's columns; only who is on the floor.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Position, velocity.
    pub motion: Vec<layout::Motion>,
    /// Heading, radius, preferred speed, turn rate.
    pub body: Vec<layout::Body>,
    /// Id, goal and group, leg and state, wake step.
    pub journey: Vec<layout::Journey>,
    /// Columns of the model in use.
    pub own: Vec<OwnColumn>,
    /// Ids are below this.
    pub ids: u32,
}

impl Columns {
    /// Of the CPU engine's columns.
    #[must_use]
    pub fn of(agents: &Agents) -> Self {
        let own = agents.own.iter().map(|o| OwnColumn { column: o.column, values: Vec::new() }).collect();
        let mut columns = Self { own, ..Self::default() };
        for i in (0..agents.len()).filter(|&i| agents.state[i].on_floor()) {
            columns.motion.push(layout::motion(agents, i));
            columns.body.push(layout::body(agents, i));
            columns.journey.push(layout::journey(agents, i, agents.wake[i]));
            for (to, from) in columns.own.iter_mut().zip(&agents.own) {
                let width = from.column.width;
                to.values.extend_from_slice(&from.values[i * width..(i + 1) * width]);
            }
        }
        columns.ids = columns.journey.iter().map(|j| j[0]).max().map_or(0, |id| id.saturating_add(1));
        columns
    }
}

/// What is wanted with every shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// The field over the floor.
    pub field: Option<Field>,
    /// Persons per square metre, for the colours of agents.
    pub persons: bool,
    /// The solver's tiles of a goal.
    pub tiles: Option<usize>,
    /// The map of somebody who steers by one. A GPU is waited for.
    pub local_map: Option<u32>,
}

/// A hazard that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownHazard {
    /// Where it is in the step to come.
    pub disc: Disc,
    /// What it is.
    pub hazard: Hazard,
}

/// How many of a group are where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InGroup {
    /// On the floor, or on the way through a portal.
    pub floor: u64,
    /// Waiting to enter.
    pub outside: u64,
    /// Gone for good.
    pub gone: u64,
}

impl InGroup {
    /// Of every group of a crowd.
    fn of(agents: &Agents, groups: &[Group]) -> Vec<Self> {
        let mut list = vec![Self::default(); groups.len()];
        for (state, group) in agents.state.iter().zip(&agents.group) {
            let Some(count) = list.get_mut(usize::from(*group)) else { continue };
            match state {
                State::Outside => count.outside += 1,
                State::Parked => count.gone += 1,
                _ => count.floor += 1,
            }
        }
        let everybody: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
        if everybody > agents.len() as u64 {
            Self::add_those_to_come(&mut list, agents, groups);
        }
        list
    }

    /// Of a large source not everybody is somebody yet: whose ids are not there are outside. Ids go through the groups in order; who was
    /// dropped, after them, is of no source.
    fn add_those_to_come(list: &mut [Self], agents: &Agents, groups: &[Group]) {
        let ends: Vec<u64> = groups
            .iter()
            .scan(0, |end, group| {
                *end += u64::from(group.count);
                Some(*end)
            })
            .collect();
        let mut there = vec![0; groups.len()];
        for id in &agents.id {
            if let Some(count) = there.get_mut(ends.partition_point(|end| *end <= u64::from(*id))) {
                *count += 1;
            }
        }
        for ((count, group), there) in list.iter_mut().zip(groups).zip(there) {
            if group.rate.is_some() {
                count.outside += u64::from(group.count).saturating_sub(there);
            }
        }
    }
}

/// A run at the end of a step.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Steps done.
    pub steps: u64,
    /// Simulated, s.
    pub time: f64,
    /// When the step was due: between steps, pictures look back from here.
    pub due: Instant,
    /// Numbers of the run; on a GPU those that are there without waiting.
    pub counters: Counters,
    /// When the last one left, s, if everybody is out and the numbers say so.
    pub cleared: Option<f64>,
    /// Milliseconds in each stage so far.
    pub stage_ms: [f64; COUNT],
    /// Bytes of every buffer.
    pub buffers: Vec<(String, u64)>,
    /// Where those of each group are; empty if the crowd is on the device: then [`crate::draw::Readout::groups`] has it.
    pub groups: Vec<InGroup>,
    /// The crowd, if it is not on the device.
    pub columns: Option<Columns>,
    /// The wished field, if it is not on the device.
    pub field: Option<(Field, Values)>,
    /// Persons per square metre, if wished and not on the device.
    pub persons: Option<Values>,
    /// Tiles of the solver, if wished.
    pub tiles: Option<Vec<TileState>>,
    /// The wished map, if there is one.
    pub local_map: Option<LocalMap>,
    /// What people flee from.
    pub hazards: Vec<ShownHazard>,
    /// Where a step stands that is done round by round.
    pub round: Option<RoundReport>,
    /// Times that the run can go back to, s.
    pub kept: Vec<f64>,
    /// Tasks that the run has done: see [`crate::host::Host::told`].
    pub tasks: u64,
    /// Changes of the world so far, and what it looks like if there were any since the last shot.
    pub edits: u64,
    /// See `edits`.
    pub ground: Option<Arc<Ground>>,
}

impl Shot {
    /// Takes one. `seen` is how many changes of the world the last one knew of.
    ///
    /// # Errors
    /// If the device has failed.
    pub fn of(sim: &mut Simulation, wish: &Wish, seen: Option<u64>) -> Result<Self, EngineError> {
        let on_gpu = sim.engine().on_gpu().is_some();
        if seen != Some(sim.edits()) {
            sim.settle();
        }
        let ground = (seen != Some(sim.edits())).then(|| Arc::new(Ground::of(sim.scene(), sim.world())));
        // Where somebody asks for it in every frame, it does not grow.
        let history = if on_gpu { sim.engine_mut().history_so_far() } else { Vec::new() };
        let counters = sim.engine().latest();
        let agents = if on_gpu { None } else { Some(sim.agents()?) };
        if matches!(wish.field, Some(Field::PeakDensity | Field::Use)) {
            // Counted from here on, unless they were kept already.
            sim.engine_mut().keep_maps(true);
        }
        let field = wish.field.filter(|f| !on_gpu || f.is_of_world());
        Ok(Self {
            steps: sim.steps(),
            time: sim.time(),
            due: Instant::now(),
            cleared: cleared(f64::from(sim.scene().dt), &history, &counters),
            counters,
            stage_ms: sim.engine().latest_stage_ms(),
            buffers: sim.engine().buffers(),
            groups: agents.as_ref().map_or_else(Vec::new, |a| InGroup::of(a, &sim.scene().groups)),
            columns: agents.as_ref().map(Columns::of),
            field: field.map(|f| sim.field(f).map(|values| (f, values))).transpose()?,
            persons: (wish.persons && !on_gpu).then(|| sim.field(Field::LocalDensity)).transpose()?,
            tiles: wish.tiles.map(|goal| sim.tiles(goal)).transpose()?,
            local_map: wish.local_map.map_or(Ok(None), |id| sim.local_map(id))?,
            hazards: hazards(sim),
            round: None,
            kept: Vec::new(),
            tasks: 0,
            edits: sim.edits(),
            ground,
        })
    }
}

/// Where calls have put hazards counts at once, also while nothing runs.
fn hazards(sim: &Simulation) -> Vec<ShownHazard> {
    let discs = sim.world().hazards.at(sim.steps() as u32);
    let of = |disc: &Disc| sim.scene().hazards.get(disc.number as usize).cloned();
    discs.into_iter().filter_map(|disc| of(&disc).map(|hazard| ShownHazard { disc, hazard })).collect()
}

/// When everybody was out, s. Numbers of a GPU come some steps late and several steps at a time: `history` has each of them.
fn cleared(dt: f64, history: &[Counters], now: &Counters) -> Option<f64> {
    let is_out = |c: &&Counters| crate::pace::everybody_is_out(c);
    let first = history.iter().rev().take_while(is_out).last().unwrap_or(now);
    is_out(&now).then_some(first.steps as f64 * dt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::scene::NoFiles;
    use throng::{Scene, Simulation};

    #[test]
    fn of_a_large_source_those_are_outside_who_are_not_there_yet() {
        let text = r#"
            cell = 0.5
            size = [20, 12]
            goal = [{ name = "door", rect = [19, 4, 20, 8] }]
            agents = [
              { name = "there", count = 7, start = { rect = [4, 4, 8, 10] } },
              { name = "to come", source = { rate = 2, total = 100000 }, start = { rect = [1, 4, 3, 8] } },
              { name = "last", source = { rate = 2, total = 70000 }, start = { rect = [1, 9, 3, 11] } },
            ]
        "#;
        let scene = Scene::parse("test.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulation::with_threads(&scene, 1).unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..2 {
            let shot = Shot::of(&mut sim, &Wish::default(), None).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(shot.groups.iter().map(|g| g.outside).sum::<u64>(), shot.counters.outside);
            let all: Vec<u64> = shot.groups.iter().map(|g| g.floor + g.outside + g.gone).collect();
            assert_eq!(all, [7, 100_000, 70_000]);
            for _ in 0..20 {
                sim.step().unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }

    #[test]
    fn the_floor_is_clear_when_the_last_one_goes_and_not_when_that_is_known() {
        let of = |steps: u64, left: u64| Counters { steps, active: left, parked: 30 - left, ..Counters::default() };
        let history: Vec<Counters> = (9..=16).map(|step| of(step, 12u64.saturating_sub(step))).collect();
        let now = of(16, 0);
        assert_eq!(cleared(0.5, &history, &now), Some(6.0));
        assert_eq!(cleared(0.5, &[], &now), Some(8.0));
        assert_eq!(cleared(0.5, &history[..3], &of(11, 1)), None);
    }
}
