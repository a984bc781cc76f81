//! The thesis's brush: a soft obstacle that is held into the crowd. It goes when it is let go, unless it is to be left there; the scene never has it.

use super::pointer::Touch;
use super::{App, Undo};
use crate::host::Done;
use crate::overlay::to_points;
use egui::{Color32, Painter, Slider, SliderClamping, Stroke, Ui};
use glam::Vec2;
use throng::world::obstacle::Obstacle;

const RIM: Color32 = Color32::from_rgb(0xF0, 0x7A, 0x5A);

/// What is held, and how.
#[derive(Debug)]
pub(super) struct Held {
    /// m
    radius: f32,
    intensity: f32,
    /// It stays where it is let go.
    leave: bool,
    /// Where it is; and before the button went down.
    now: Option<Obstacle>,
    before: Option<Obstacle>,
    held: bool,
}

impl Held {
    pub(super) fn new(cell: f32) -> Self {
        Self { radius: (6.0 * cell).max(2.0), intensity: 5.0, leave: false, now: None, before: None, held: false }
    }

    pub(super) fn now(&self) -> Option<Obstacle> {
        self.now
    }
}

impl App {
    pub(super) fn use_obstacle_tool(&mut self, ui: &Ui) {
        for touch in self.touches(ui) {
            match touch {
                Touch::Press(at) => self.hold_obstacle(at),
                Touch::Move(at) if self.obstacle.held => self.hold_obstacle(at),
                Touch::Release => self.end_holding(),
                _ => {}
            }
        }
    }

    /// Holds the obstacle somewhere, m.
    pub fn hold_obstacle(&mut self, at: Vec2) {
        if !std::mem::replace(&mut self.obstacle.held, true) {
            self.obstacle.before = self.obstacle.now;
        }
        let Held { radius, intensity, .. } = self.obstacle;
        self.set_obstacle(Some(Obstacle { centre: at, radius, intensity }));
    }

    /// It goes, or stays where it is if it is to be left there.
    pub fn let_obstacle_go(&mut self) {
        self.obstacle.held = false;
        if !self.obstacle.leave {
            self.take_obstacle_away(self.obstacle.before);
        } else if let Some(Obstacle { centre, .. }) = self.obstacle.now {
            self.note(format!("the obstacle stays at ({:.1}, {:.1}) m", centre.x, centre.y));
            self.remember_of(self.host.told(), Undo::Obstacle(self.obstacle.before));
        }
    }

    /// Whoever holds it lets it go.
    pub(super) fn end_holding(&mut self) {
        if self.obstacle.held {
            self.let_obstacle_go();
        }
    }

    /// It is where it was before it was taken hold of. Returns whether it was held.
    pub(super) fn cancel_obstacle(&mut self) -> bool {
        let was_held = std::mem::replace(&mut self.obstacle.held, false);
        if was_held {
            self.set_obstacle(self.obstacle.before);
        }
        was_held
    }

    /// It is not there any more. That is a change where it was left there before.
    pub(super) fn take_obstacle_away(&mut self, left: Option<Obstacle>) {
        let task = self.set_obstacle(None);
        if left.is_some() {
            self.remember_of(task, Undo::Obstacle(left));
        }
    }

    /// Returns the task that does.
    pub(super) fn set_obstacle(&mut self, to: Option<Obstacle>) -> u64 {
        self.obstacle.now = to;
        self.host.tell(Box::new(move |sim| {
            if !sim.set_obstacle(to) {
                return Err("the obstacle cannot be there".into());
            }
            // Also while nothing runs, so that the field shows it.
            sim.settle();
            Ok(Done::quietly())
        }))
    }

    /// The run is another one: it has the obstacle that is shown.
    pub(super) fn obstacle_again(&mut self) {
        self.set_obstacle(self.obstacle.now);
    }

    pub(super) fn obstacle_section(&mut self, ui: &mut Ui) {
        let held = &mut self.obstacle;
        let radius = Slider::new(&mut held.radius, 0.2..=50.0).logarithmic(true).suffix(" m").text("radius");
        let radius = radius.clamping(SliderClamping::Edits);
        let mut changed = ui.add(radius).on_hover_text("From the middle to where discomfort is 0").changed();
        let intensity = Slider::new(&mut held.intensity, 0.0..=100.0).logarithmic(true).text("intensity");
        let what = "Discomfort in the middle, added to that of the map; it falls evenly to 0 at the rim";
        changed |= ui.add(intensity).on_hover_text(what).changed();
        let what = "It stays where you let it go, until Esc or another click. Save does not write it";
        ui.checkbox(&mut held.leave, "leave it there").on_hover_text(what);
        if let (true, Some(now)) = (changed, held.now) {
            let to = Obstacle { radius: held.radius, intensity: held.intensity, ..now };
            self.set_obstacle(Some(to));
        }
    }

    pub(super) fn show_obstacle(&self, painter: &Painter, ppp: f32) {
        let Some(obstacle) = self.obstacle.now else { return };
        let middle = to_points(self.camera, obstacle.centre, self.view, ppp);
        let radius = obstacle.radius * self.camera.scale / ppp;
        // Rings where a quarter, a half and three quarters of it are left.
        for (share, wide) in [(1.0, 2.0), (0.75, 1.0), (0.5, 1.0), (0.25, 1.0)] {
            painter.circle_stroke(middle, share * radius, Stroke::new(wide, RIM.gamma_multiply(1.1 - 0.6 * share)));
        }
    }
}
