//! The machine that groups live by, in the language that scenes are written in.

use super::show::{distribution, quoted};
use super::*;
use std::fmt::Write;

impl Scene {
    /// All states with their transitions.
    pub(super) fn write_states(&self, o: &mut String) -> std::fmt::Result {
        self.states.iter().try_for_each(|state| self.write_state(o, state))
    }

    fn write_state(&self, o: &mut String, state: &MachineState) -> std::fmt::Result {
        writeln!(o, "\n[[state]]\nname = {}\nclip = {}", quoted(&state.name), quoted(&state.clip))?;
        match &state.does {
            Does::Walk { goal } => writeln!(o, "goal = {}", self.goal_name(*goal))?,
            Does::Stay { at, seconds } => {
                writeln!(o, "seconds = {}", distribution(seconds))?;
                if let Some(goal) = at {
                    writeln!(o, "at = {}", self.goal_name(*goal))?;
                }
            }
            Does::Flee { seconds } => writeln!(o, "flee = true\nseconds = {}", distribution(seconds))?,
        }
        writeln!(o, "speed = {}  # factor", state.speed)?;
        if let Some([r, g, b]) = state.colour {
            writeln!(o, "colour = \"#{r:02x}{g:02x}{b:02x}\"")?;
        }
        for t in &state.then {
            writeln!(o, "[[state.then]]\nto = {}", self.state_name(t.to))?;
            if !t.always_holds() {
                writeln!(o, "when = {{ {} }}", self.when(&t.when).join(", "))?;
            }
            if t.interrupt {
                writeln!(o, "interrupt = true")?;
            }
            if let Some(group) = t.group {
                writeln!(o, "group = {}", self.group_name(group))?;
            }
        }
        Ok(())
    }

    fn when(&self, when: &When) -> Vec<String> {
        let When { goal_within, hazard_within, hazard_beyond, agents_within, group, chance, event, after } = when;
        let mut parts = Vec::new();
        parts.extend(
            goal_within.map(|(goal, metres)| {
                format!("goal_within = {{ goal = {}, metres = {metres} }}", self.goal_name(goal))
            }),
        );
        parts.extend(hazard_within.map(|metres| format!("hazard_within = {metres}")));
        parts.extend(hazard_beyond.map(|metres| format!("hazard_beyond = {metres}")));
        parts.extend(agents_within.map(|near| {
            let mut words = vec![format!("radius = {}", near.radius), format!("count = {}", near.count)];
            words.extend(near.most.map(|most| format!("most = {most}")));
            words.extend(near.state.map(|state| format!("state = {}", self.state_name(state))));
            format!("agents_within = {{ {} }}", words.join(", "))
        }));
        parts.extend(group.map(|group| format!("group = {}", self.group_name(group))));
        parts.extend(chance.map(|chance| format!("chance = {chance}")));
        parts.extend(event.as_ref().map(|name| format!("event = {}", quoted(name))));
        parts.extend(after.map(|seconds| format!("after = {seconds}")));
        parts
    }

    fn goal_name(&self, goal: u16) -> String {
        quoted(&self.goals[usize::from(goal)].name)
    }

    fn state_name(&self, state: u16) -> String {
        quoted(&self.states[usize::from(state)].name)
    }

    fn group_name(&self, group: u16) -> String {
        quoted(&self.groups[usize::from(group)].name)
    }
}
