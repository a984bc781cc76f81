//! Everything about the chosen agent.

use super::App;
use egui::Ui;
use throng::Why;
use throng::stages::live::states;
use throng::world::agents::State;
use throng::world::points::{self, POINT};

impl App {
    pub(super) fn inspector(&mut self, ui: &mut Ui) {
        let Some(id) = self.chosen else {
            if self.tool == super::Tool::Select {
                ui.weak("Click an agent to see its values.");
            }
            return;
        };
        ui.heading(format!("Agent {id}"));
        ui.horizontal(|ui| {
            ui.checkbox(&mut self.follow, "follow").on_hover_text("The view goes with it (L)");
            if ui.button("let go").on_hover_text("Choose nobody (Esc)").clicked() {
                self.choose_nobody();
            }
        });
        let Some((agent, waited)) = self.readout.chosen else {
            ui.label("not on the floor now");
            ui.separator();
            return;
        };
        let point = points::among(&self.readout.own).and_then(|p| p.first()).filter(|_| agent.goal == POINT);
        let goal = match (point, self.scene.goals.get(agent.goal as usize)) {
            (Some(p), _) => format!("the point {:.2}, {:.2} m", p.x, p.y),
            (None, goal) => goal.map_or("none", |g| &g.name).to_owned(),
        };
        let group = self.scene.groups.get(agent.group as usize);
        let legs = group.map_or(0, |g| g.journey.len());
        let state = match agent.state {
            State::Walking => "walking".to_owned(),
            State::Waiting | State::Staying => {
                let steps = u64::from(agent.wake).saturating_sub(self.shot.as_ref().map_or(0, |s| s.steps));
                format!("waiting, {:.1} s more", steps as f32 * self.scene.dt)
            }
            State::Outside => "outside".to_owned(),
            State::Between => "in a portal".to_owned(),
            State::Parked => "gone".to_owned(),
        };
        let degrees = agent.heading.to_angle().to_degrees().rem_euclid(360.0);
        let lives = group.is_some_and(|g| g.lives());
        let mut rows = self.machine_rows(lives, agent.leg);
        if !lives {
            rows.push(("state", state));
            rows.push(("leg of the journey", format!("{} of {legs}", agent.leg + 1)));
        }
        rows.extend([
            ("goal", goal),
            ("group", group.map_or_else(String::new, |g| g.name.clone())),
            ("position", format!("{:.2}, {:.2} m", agent.position.x, agent.position.y)),
            ("velocity", format!("{:.2}, {:.2} m/s", agent.velocity.x, agent.velocity.y)),
            ("speed", format!("{:.2} m/s", agent.velocity.length())),
            ("preferred speed", format!("{:.2} m/s", agent.preferred)),
            ("heading", format!("{degrees:.0}°, 90° is north")),
            ("turn rate", format!("{:.2} rad/s", agent.turn)),
            ("radius", format!("{:.3} m", agent.radius)),
            ("standing for", format!("{waited:.1} s")),
        ]);
        egui::Grid::new("agent").num_columns(2).striped(true).show(ui, |ui| {
            for (name, value) in rows {
                ui.label(name);
                ui.label(value);
                ui.end_row();
            }
            // The point is among them: it is the goal; and what is said of the state above.
            let said = [points::COLUMN.info, states::COLUMN.info];
            for own in self.readout.own.iter().filter(|o| !said.contains(&o.column.info)) {
                let info = own.column.info;
                ui.label(info.name.replace('_', " ")).on_hover_text(info.meaning);
                ui.label(numbers(&own.values, info.unit)).on_hover_text(info.meaning);
                ui.end_row();
            }
        });
        ui.separator();
    }
}

impl App {
    /// What the machine has the chosen one do, for how long, and why.
    fn machine_rows(&self, lives: bool, state: u16) -> Vec<(&'static str, String)> {
        let clip = states::among(&self.readout.own).and_then(|clips| clips.first()).filter(|_| lives);
        let (Some(clip), Some(state)) = (clip, self.scene.states.get(usize::from(state))) else { return Vec::new() };
        let because = match Why::of_column(clip.y) {
            Why::Began => "it began so".to_owned(),
            Why::Called => "a call said so".to_owned(),
            Why::Took(number) => self.scene.cause(number),
        };
        vec![
            ("state", state.name.clone()),
            ("clip", state.clip.clone()),
            ("in it for", format!("{:.1} s", clip.x * self.scene.dt)),
            ("because", because),
        ]
    }
}

/// Numbers with their unit.
fn numbers(values: &[f32], unit: &str) -> String {
    let list: Vec<String> = values.iter().map(|v| format!("{v:.2}")).collect();
    format!("{} {unit}", list.join(", ")).trim_end().to_owned()
}
