//! The map: pointer, brush, and what is written over the picture. The picture itself is drawn under it by the window.

use super::edits::moved;
use super::pointer::Touch;
use super::{App, PickLimit, Tool};
use crate::camera::Camera;
use crate::local_map;
use crate::look::Shade;
use crate::overlay::{self, Caption, number, to_metres, to_points};
use egui::{Color32, PointerButton, Sense, Stroke, Ui};
use throng::stages::potential::UNREACHED;

impl App {
    pub(super) fn map(&mut self, ui: &mut Ui) {
        let view = ui.available_rect_before_wrap();
        let ppp = ui.ctx().pixels_per_point();
        (self.view, self.pixels) = (view, ppp);
        let size = glam::Vec2::new(view.width(), view.height()) * ppp;
        if std::mem::take(&mut self.fit) {
            self.camera = Camera::fit(self.scene.grid.bounds(), size, 12.0 * ppp);
        }
        let response = ui.allocate_rect(view, Sense::click_and_drag());
        if self.look.space.is_some() {
            self.map_in_space(ui, &response, size);
            return;
        }
        self.pointer = response.hover_pos().map(|p| to_metres(self.camera, p, view, ppp));
        if response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle) {
            let by = response.drag_delta() * ppp;
            self.camera.pan(glam::Vec2::new(by.x, by.y));
            self.follow = false;
        }
        if let Some(at) = response.hover_pos() {
            let wheel = self.wheel(ui);
            let pinch = ui.input(egui::InputState::zoom_delta);
            let factor = 1.35f32.powf(wheel) * pinch;
            if (factor - 1.0).abs() > 1e-4 {
                let pixel = (at - view.min) * ppp;
                self.camera.zoom(factor, glam::Vec2::new(pixel.x, pixel.y), size);
            }
        }
        self.use_tool(ui, &response);
        self.written(ui);
    }

    fn use_tool(&mut self, ui: &Ui, response: &egui::Response) {
        let (view, ppp) = (self.view, ui.ctx().pixels_per_point());
        let shift = ui.input(|i| i.modifiers.shift);
        let erase = self.brush.erase || shift;
        let at = response.interact_pointer_pos().map(|p| to_metres(self.camera, p, view, ppp));
        if let Some(which) = self.picking {
            if response.clicked()
                && let Some(value) = self.readout.probe
            {
                self.pick(which, value);
            }
            return;
        }
        match self.tool {
            Tool::Select => {
                if let (true, Some(at)) = (response.clicked(), at) {
                    self.click = Some((at, 14.0 / self.camera.scale));
                }
            }
            Tool::Discomfort | Tool::Walls => self.paint(ui, erase),
            Tool::Gas | Tool::Ghost => self.use_hazard_tool(ui, erase),
            Tool::Line | Tool::Rectangle | Tool::Measure => self.use_draft_tool(ui, shift),
            Tool::Door => self.use_door_tool(ui),
            Tool::Obstacle => self.use_obstacle_tool(ui),
            Tool::Goals => {
                if response.drag_started_by(PointerButton::Primary) {
                    // Where the button went down, not where the pointer is by now.
                    let origin = ui.input(|i| i.pointer.press_origin());
                    let from = origin.map(|p| to_metres(self.camera, p, view, ppp));
                    self.brush.carried = from.and_then(|p| self.goal_at(p)).map(|part| (part, glam::Vec2::ZERO));
                }
                if let Some((part, by)) = self.brush.carried.take() {
                    let delta = response.drag_delta() * ppp / self.camera.scale;
                    let by = by + glam::Vec2::new(delta.x, -delta.y);
                    if response.drag_stopped_by(PointerButton::Primary) {
                        self.move_goal(&part, by);
                    } else {
                        self.brush.carried = Some((part, by));
                    }
                }
            }
            Tool::Drop => {
                if let (true, Some(at)) = (response.clicked(), at) {
                    self.drop_people(at);
                }
            }
        }
    }

    fn paint(&mut self, ui: &Ui, erase: bool) {
        for touch in self.touches(ui) {
            match touch {
                Touch::Press(at) => self.stroke_to(at, erase),
                Touch::Move(at) if self.brush.stroke.is_some() => self.stroke_to(at, erase),
                Touch::Move(_) => {}
                Touch::Release => self.end_stroke(),
            }
        }
    }

    /// Takes the value under the pointer as an end of the field's scale.
    pub(super) fn pick(&mut self, which: PickLimit, value: [f32; 2]) {
        self.picking = None;
        let shade = self.look.overlay.map(crate::look::Overlay::shade);
        let v = if shade == Some(Shade::Length) { value[0].hypot(value[1]) } else { value[0] };
        let (low, high) = self.look.limits.unwrap_or(self.limits);
        let limits = match which {
            PickLimit::Low => (v, high),
            PickLimit::High => (low, v),
        };
        if !v.is_finite() || v >= UNREACHED {
            self.complain("there is no value there to take");
        } else if limits.0 < limits.1 {
            self.look.limits = Some(limits);
            self.limits = limits;
        } else {
            self.complain("the lower end of the scale must be below the upper one");
        }
    }

    /// What the field says under the pointer, in words.
    pub(super) fn probe(&self) -> Option<String> {
        let at = self.pointer?;
        if !self.scene.grid.inside(at) {
            return None;
        }
        let cell = self.scene.grid.index_at(at);
        let (x, y) = (cell % self.scene.grid.width, cell / self.scene.grid.width);
        let mut text = format!("{:.2}, {:.2} m   cell {x}, {y}", at.x, at.y);
        if let (Some(overlay), Some([a, b])) = (self.look.overlay, self.readout.probe) {
            let value = match overlay.shade() {
                _ if a.is_finite() && a >= UNREACHED => "unreached".to_owned(),
                _ if !a.is_finite() || !b.is_finite() => "not a finite number".to_owned(),
                Shade::Amount => format!("{} {}", number(a), overlay.unit()),
                Shade::Length => format!("{} m/s ({}, {})", number(a.hypot(b)), number(a), number(b)),
                Shade::Wheel if a.hypot(b) < 1e-3 => "no direction".to_owned(),
                Shade::Wheel => {
                    format!("{:.0}° from east to north", b.atan2(a).to_degrees().rem_euclid(360.0))
                }
            };
            text += &format!("   {}: {value}", overlay.name());
        }
        Some(text)
    }

    /// What there is to write about the picture.
    pub(super) fn with_caption(&self, write: impl FnOnce(&Caption<'_>)) {
        write(&Caption {
            scene: &self.scene,
            look: &self.look,
            camera: self.camera,
            limits: self.limits,
            colouring_limits: self.look.colouring_limits.unwrap_or(self.look.colouring.limits(&self.scene)),
            goals: &self.goal_names,
            hazards: self.shot.as_ref().map_or(&[], |s| &s.hazards),
            time: self.shot.as_ref().map_or(0.0, |s| s.time),
            active: self.shot.as_ref().map_or(0, |s| s.counters.active),
            between: self.shot.as_ref().map_or(0, |s| s.counters.between),
            round: self.shot.as_ref().and_then(|s| s.round).map(|r| r.rounds),
            has_tiles: self.shot.as_ref().is_some_and(|s| s.tiles.as_ref().is_some_and(|t| !t.is_empty())),
        });
    }

    fn written(&self, ui: &Ui) {
        let (view, ppp) = (self.view, ui.ctx().pixels_per_point());
        let painter = ui.painter().with_clip_rect(view);
        if let Some(map) = self.shot.as_ref().and_then(|s| s.local_map.as_ref()) {
            local_map::draw(&painter, view, self.camera, map, self.look.local_map);
        }
        if self.chosen.is_some() {
            let here =
                self.readout.chosen.and_then(|(a, _)| Some((self.subject.filter(|s| s.id == a.id)?.place, a.radius)));
            overlay::path(&painter, view, self.camera, &self.readout.path, here);
        }
        self.with_caption(|caption| {
            caption.hazards(&painter, view);
            caption.names(&painter, view);
        });
        if let Some((part, by)) = &self.brush.carried
            && let Some(shapes) = self.ground.as_ref().and_then(|g| g.goals.get(part.goal))
        {
            let by = self.goal_way(part, *by);
            let carried = part.shapes.iter().filter_map(|&k| shapes.get(k));
            for side in carried.take(64).flat_map(|s| moved(s, by).outline()) {
                let ends = [side.a, side.b].map(|p| to_points(self.camera, p, view, ppp));
                painter.line_segment(ends, Stroke::new(2.0, Color32::WHITE));
            }
        }
        self.show_doors(&painter, ppp);
        self.show_obstacle(&painter, ppp);
        self.show_draft(&painter, ppp);
        let round = matches!(self.tool, Tool::Discomfort | Tool::Walls | Tool::Drop | Tool::Gas | Tool::Ghost);
        if let (true, Some(at)) = (round, self.pointer) {
            let radius = self.brush.radius * self.camera.scale / ppp;
            painter.circle_stroke(to_points(self.camera, at, view, ppp), radius, Stroke::new(1.5, Color32::WHITE));
        }
    }
}
