//! The whole state of a run, out and in: the same bytes from every engine, so that a run can go on on another.

use super::schedule::Frozen;
use super::totals::{Totals, WORDS};
use super::{EngineError, floor};
use crate::scene::{MOST_HAZARDS, Model, Parameters, Scene};
use crate::snapshot::{FASTEST, Reader, Writer};
use crate::world::World;
use crate::world::agents::Agents;
use crate::world::goals;
use crate::world::hazards::Disc;
use glam::Vec2;

/// Steps are numbered in 32 bits.
pub(crate) const LAST_STEP: u32 = u32::MAX - 1;

/// What a run is made of, besides its scene.
pub(crate) struct RunState {
    /// In the order of the last sort, so that the next gives the order of the uninterrupted run.
    pub(crate) agents: Agents,
    pub(crate) step: u32,
    /// The id of whoever comes next; none is ever given twice.
    pub(crate) next_id: u32,
    /// How many of the last groups were dropped while the run went on, and not taken back.
    pub(crate) dropped: u32,
    /// Per group, how many its source has let in.
    pub(crate) let_in: Vec<u32>,
    pub(crate) totals: Totals,
    /// The crowds that the plan in force and the one under way were made for, where a plan spans steps.
    pub(crate) plans: Vec<Frozen>,
    /// Maps of peak density and use, or empty.
    pub(crate) peaks: Vec<f32>,
    pub(crate) used: Vec<f32>,
}

impl RunState {
    /// As bytes, with the scene in force and its world.
    pub(crate) fn to_bytes(&self, scene: &Scene, world: &World) -> Vec<u8> {
        let mut w = Writer::default();
        // The model comes first: it says which columns there are.
        w.u32s(&scene.model.bits());
        w.u32(self.next_id);
        w.u32(self.dropped);
        w.agents(&self.agents);
        w.u32(self.step);
        w.u32s(&self.let_in);
        w.pod(&self.totals.words());
        floor::write(&mut w, scene, world);
        w.u32(self.plans.len() as u32);
        for plan in &self.plans {
            w.f32s(&plan.density);
            w.pod(&plan.velocity);
            w.pod(&plan.hazards);
        }
        w.f32s(&self.peaks);
        w.f32s(&self.used);
        w.finish()
    }

    /// From bytes, for a run of the same scene, whatever calls have changed in it: the state, the scene in force then, and its
    /// world as it was.
    pub(crate) fn from_bytes(scene: &Scene, bytes: &[u8]) -> Result<(Self, Scene, World), EngineError> {
        let broken = |why: String| EngineError(format!("the snapshot does not fit this scene: {why}"));
        let mut r = Reader::new(bytes);
        let mut model = Model::default();
        let parameters = model.bits().len();
        let bits = r.u32s(parameters, parameters).map_err(broken)?;
        let sound = model.take_bits(&mut bits.as_slice()) && model.is_sound();
        if !sound || !scene.groups.iter().all(|g| model.weights_with(g.weights).are_something()) {
            return Err(broken("a model that no scene gives".into()));
        }
        let next_id = r.u32().map_err(broken)?;
        let dropped = r.u32().map_err(broken)?;
        if dropped as usize > scene.groups.len() {
            return Err(broken("more groups came during the run than there are".into()));
        }
        let agents = r.agents(scene, &model, next_id).map_err(broken)?;
        let step = r.u32().map_err(broken)?;
        if step >= LAST_STEP {
            return Err(broken("it is beyond the last step".into()));
        }
        let let_in = r.u32s(scene.groups.len(), scene.groups.len()).map_err(broken)?;
        let words: Vec<u64> = r.pod(WORDS).map_err(broken)?;
        let (scene, mut world) = floor::read(&mut r, Scene { model, ..scene.clone() }).map_err(broken)?;
        let cells = world.grid.len();
        let plans = plans(&mut r, cells).map_err(broken)?;
        let peaks = r.f32s(0, cells).map_err(broken)?;
        let used = r.f32s(0, cells).map_err(broken)?;
        if ![0, cells].contains(&peaks.len()) || peaks.len() != used.len() {
            return Err(broken("maps of another size".into()));
        }
        r.end().map_err(broken)?;
        world.refresh();
        let counts = goals::counts(&world.places, &agents);
        let over = |place: &goals::GoalPlace| {
            place.limits().iter().zip(&counts[place.counts_at()]).any(|(limit, n)| limit.is_some_and(|most| *n > most))
        };
        if world.places.iter().any(over) {
            return Err(broken("more people in a goal than it holds".into()));
        }
        let totals = Totals::from_words(&words, step, agents.census()).map_err(broken)?;
        Ok((Self { agents, step, next_id, dropped, let_in, totals, plans, peaks, used }, scene, world))
    }
}

/// The crowds that plans were made for: none, one for the plan in force, and one for the plan under way.
fn plans(r: &mut Reader<'_>, cells: usize) -> Result<Vec<Frozen>, String> {
    let n = r.u32()?;
    if n > 2 {
        return Err("more plans than a run has".into());
    }
    (0..n)
        .map(|_| {
            let density = r.f32s(cells, cells)?;
            let velocity: Vec<Vec2> = r.pod(cells)?;
            if velocity.iter().any(|v| !v.is_finite() || v.length() > FASTEST) {
                return Err("a plan for a crowd that no run has".into());
            }
            let hazards: Vec<Disc> = r.up_to(MOST_HAZARDS)?;
            if !hazards.iter().all(Disc::is_sound) {
                return Err("a plan for hazards that no run has".into());
            }
            Ok(Frozen { density, velocity, hazards })
        })
        .collect()
}
