//! States of those who live by them: read, and set by calls.

use crate::engine::EngineError;
use crate::simulation::Simulation;
use crate::stages::live::states::Why;

/// The state that somebody is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InState {
    /// Who it is.
    pub id: u32,
    /// The state, by number in the scene.
    pub state: u16,
    /// How long ago it began, s.
    pub seconds: f32,
    /// Why it did.
    pub why: Why,
}

impl Simulation {
    /// Puts agents, by id, into states, by number in the scene, whatever they are doing: their clips begin before the next step. Who is
    /// to stand stands where it is; of two states for the same agent the later counts. On a GPU this waits for the last step.
    ///
    /// # Errors
    /// If there is no such state, an id is nobody's who is on the floor and lives by states, or the device fails; the run is
    /// then as it was.
    pub fn set_states(&mut self, states: &[(u32, u16)]) -> Result<(), EngineError> {
        self.engine.set_states(states)
    }

    /// The states of everybody on the floor who lives by them, by id. Waits if the engine needs time to bring them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn states(&mut self) -> Result<Vec<InState>, EngineError> {
        let agents = self.agents()?;
        let (groups, dt) = (&self.scene().groups, self.scene().dt);
        let in_state = |i: usize| {
            let lives = agents.state[i].on_floor() && groups[usize::from(agents.group[i])].lives();
            let clip = agents.clip(i).filter(|_| lives)?;
            Some(InState { id: agents.id[i], state: agents.leg[i], seconds: clip.x * dt, why: Why::of_column(clip.y) })
        };
        let mut list: Vec<InState> = (0..agents.len()).filter_map(in_state).collect();
        list.sort_unstable_by_key(|one| one.id);
        Ok(list)
    }

    /// How many on the floor are in each state, by its number. Waits if the engine needs time to bring them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn in_states(&mut self) -> Result<Vec<u32>, EngineError> {
        let mut counts = vec![0; self.scene().states.len()];
        if !counts.is_empty() {
            self.states()?.iter().for_each(|one| counts[usize::from(one.state)] += 1);
        }
        Ok(counts)
    }
}
