//! Everything about the chosen agent.

use super::App;
use egui::Ui;
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
                (self.chosen, self.follow) = (None, false);
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
        let rows = [
            ("state", state),
            ("goal", goal),
            ("group", group.map_or_else(String::new, |g| g.name.clone())),
            ("leg of the journey", format!("{} of {legs}", agent.leg + 1)),
            ("position", format!("{:.2}, {:.2} m", agent.position.x, agent.position.y)),
            ("velocity", format!("{:.2}, {:.2} m/s", agent.velocity.x, agent.velocity.y)),
            ("speed", format!("{:.2} m/s", agent.velocity.length())),
            ("preferred speed", format!("{:.2} m/s", agent.preferred)),
            ("heading", format!("{degrees:.0}° from east to north")),
            ("turn rate", format!("{:.2} rad/s", agent.turn)),
            ("radius", format!("{:.3} m", agent.radius)),
            ("standing for", format!("{waited:.1} s")),
        ];
        egui::Grid::new("agent").num_columns(2).striped(true).show(ui, |ui| {
            for (name, value) in rows {
                ui.label(name);
                ui.label(value);
                ui.end_row();
            }
            // The point is among them: it is the goal.
            for own in self.readout.own.iter().filter(|o| o.column.info != points::COLUMN.info) {
                let info = own.column.info;
                ui.label(info.name.replace('_', " ")).on_hover_text(info.meaning);
                ui.label(numbers(&own.values, info.unit)).on_hover_text(info.meaning);
                ui.end_row();
            }
        });
        ui.separator();
    }
}

/// Numbers with their unit.
fn numbers(values: &[f32], unit: &str) -> String {
    let list: Vec<String> = values.iter().map(|v| format!("{v:.2}")).collect();
    format!("{} {unit}", list.join(", ")).trim_end().to_owned()
}
