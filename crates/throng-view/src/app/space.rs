//! The map in three dimensions: keys and pointer that move the eye, what can be switched, and what was drawn.

use super::{App, Start, Tool};
use crate::space::levels::NAMES;
use crate::space::viewpoint::{Eye, Fly, Follow, Orbit, Viewpoint};
use crate::space::{self, Pass, Relief, Report, Settings, Skinning, Tint};
use crate::studio::Aim;
use egui::{Context, Key, Modifiers, PointerButton, Response, Ui};
use glam::{Vec2, Vec3};

/// How near to somebody a click has to be, px.
const REACH: f32 = 14.0;

/// What the window knows of the third dimension, once it was shown.
pub(super) struct Deep {
    relief: Relief,
    report: Option<Report>,
    /// Chosen while it is shown from above.
    settings: Settings,
}

/// Where the first picture looks, if the program begins in three dimensions: where one from above would.
pub(super) fn first(start: &Start) -> Option<Aim> {
    start.look.space?;
    let camera = start.camera?;
    Some(start.follow.map_or(Aim::At(camera), |id| Aim::Follow(id, camera.scale)))
}

impl App {
    /// Notches that the wheel was turned by; what runs out after a change of the picture does not count.
    pub(super) fn wheel(&mut self, ui: &egui::Ui) -> f32 {
        let notches = ui.input(|i| i.smooth_scroll_delta().y) / 120.0;
        self.wheel_is_spent &= notches.abs() > 0.0;
        if self.wheel_is_spent { 0.0 } else { notches }
    }

    /// Goes over to three dimensions, or back.
    pub fn toggle_space(&mut self) {
        // Tools are for the map from above.
        self.let_go();
        self.wheel_is_spent = true;
        match self.look.space.take() {
            Some(settings) => {
                if let Some(deep) = &mut self.deep {
                    deep.settings = settings;
                }
            }
            None => self.look.space = Some(self.deep.as_ref().map_or_else(Settings::default, |d| d.settings)),
        }
    }

    /// What is known of it, made when it is first wanted.
    fn deep(&mut self) -> &mut Deep {
        let scene = &self.scene;
        self.deep.get_or_insert_with(|| Deep {
            relief: Relief::new(scene),
            report: None,
            settings: Settings::default(),
        })
    }

    /// Takes in what an earlier frame drew.
    pub fn learn_space(&mut self, report: Report) {
        self.deep().report = Some(report);
    }

    /// Where the eye is, for a view of so many pixels.
    pub fn eye(&mut self, size: Vec2) -> Eye {
        self.look_first(size);
        let settings = self.look.space.unwrap_or_default();
        let subject = self.subject.as_ref().map(|s| (s.place, s.heading));
        space::eye(Aim::Fit, &settings, &self.deep().relief, size, subject)
    }

    /// Looks where the program was told to, in a view of so many pixels, unless one looks elsewhere already.
    fn look_first(&mut self, size: Vec2) {
        let Some(settings) = self.look.space else { return };
        let Some(aim) = self.first.take() else { return };
        let viewpoint = space::viewpoint(aim, &settings, &self.deep().relief, size);
        self.look.space = Some(Settings { viewpoint: Some(viewpoint), ..settings });
    }

    /// Keys that mean something else in three dimensions; V is for both.
    pub(super) fn space_keys(&mut self, context: &Context) {
        let pressed = |key: Key| context.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if pressed(Key::V) {
            self.toggle_space();
        }
        if self.look.space.is_none() {
            return;
        }
        if pressed(Key::F) {
            self.follow_in_space();
        }
        let Some(settings) = &mut self.look.space else { return };
        for (key, on) in
            [(Key::B, &mut settings.frustum), (Key::K, &mut settings.shadows), (Key::M, &mut settings.wireframe)]
        {
            if pressed(key) {
                *on = !*on;
            }
        }
        // Who is behind something is left out together with who is beside the picture.
        settings.occlusion = settings.frustum;
        if pressed(Key::J) {
            let place = Tint::ALL.iter().position(|t| *t == settings.tint).unwrap_or(0);
            settings.tint = Tint::ALL[(place + 1) % Tint::ALL.len()];
        }
        self.fly(context);
    }

    /// Behind the chosen one; again, or with nobody chosen: all of the world.
    fn follow_in_space(&mut self) {
        let chosen = self.chosen;
        let Some(settings) = &mut self.look.space else { return };
        settings.viewpoint = match (settings.viewpoint, chosen) {
            (Some(Viewpoint::Follow(_)), _) | (_, None) => None,
            (_, Some(id)) => Some(Viewpoint::Follow(Follow::of(id))),
        };
    }

    /// Goes behind whoever was chosen instead of the one that is followed, or stays where it is when nobody is.
    pub(super) fn follow_another(&mut self) {
        let size = Vec2::new(self.view.width(), self.view.height()).max(Vec2::ONE);
        let Some(Settings { viewpoint: Some(Viewpoint::Follow(follow)), .. }) = self.look.space else { return };
        let viewpoint = match self.chosen {
            Some(id) => Viewpoint::Follow(Follow { id, ..follow }),
            None => {
                let eye = self.eye(size);
                let ahead = eye.target - eye.position;
                Viewpoint::Orbit(Orbit {
                    centre: eye.target,
                    turn: ahead.x.atan2(ahead.y),
                    tilt: follow.tilt,
                    distance: ahead.length(),
                })
            }
        };
        if let Some(settings) = &mut self.look.space {
            settings.viewpoint = Some(viewpoint);
        }
    }

    /// W, A, S, D, Q and E while they are held.
    fn fly(&mut self, context: &Context) {
        let (by, seconds) = context.input(|i| {
            let held = |key: Key| f32::from(u8::from(i.key_down(key) && i.modifiers.is_none()));
            let axis = |more: Key, less: Key| held(more) - held(less);
            (Vec3::new(axis(Key::W, Key::S), axis(Key::D, Key::A), axis(Key::E, Key::Q)), i.stable_dt.min(0.1))
        });
        // Their other meanings are for the picture from above.
        for key in [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E] {
            context.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        }
        if by == Vec3::ZERO {
            return;
        }
        let view = Vec2::new(self.view.width(), self.view.height()).max(Vec2::ONE);
        let eye = self.eye(view);
        let relief = &self.deep().relief;
        // Fast high up, at a walk near the ground.
        let above = (eye.position.z - relief.height_at(eye.position.truncate())).max(1.0);
        let Some(settings) = &mut self.look.space else { return };
        let mut fly = match settings.viewpoint {
            Some(Viewpoint::Fly(fly)) => fly,
            _ => Fly::from(&eye),
        };
        fly.go(by * seconds * (2.0 + 1.5 * above));
        settings.viewpoint = Some(Viewpoint::Fly(fly));
        self.stay_above();
        context.request_repaint();
    }

    /// Who flies stops at the ground, and rises from there at once.
    fn stay_above(&mut self) {
        if let (Some(deep), Some(settings)) = (&self.deep, &mut self.look.space)
            && let Some(Viewpoint::Fly(fly)) = &mut settings.viewpoint
        {
            fly.position.z = fly.position.z.max(space::lowest(&deep.relief, fly.position));
        }
    }

    /// The pointer over the map.
    pub(super) fn map_in_space(&mut self, ui: &Ui, response: &Response, size: Vec2) {
        let ppp = ui.ctx().pixels_per_point();
        let eye = self.eye(size);
        let under = |app: &mut Self, at: egui::Pos2| {
            let pixel = Vec2::new(at.x - app.view.min.x, at.y - app.view.min.y) * ppp;
            app.deep().relief.meets(eye.position, eye.ray(pixel, size))
        };
        self.pointer = response.hover_pos().and_then(|at| under(self, at));
        if response.clicked()
            && let Some(at) = response.interact_pointer_pos().and_then(|at| under(self, at))
        {
            if self.tool == Tool::Select {
                let away = eye.position.distance(at.extend(self.deep().relief.height_at(at)));
                self.click = Some((at, (REACH * away / size.y).max(0.5)));
            } else {
                self.complain("brushes and hazards are for the picture from above (V)");
            }
        }
        let by = response.drag_delta() * ppp;
        let by = Vec2::new(by.x, by.y);
        let turns = response.dragged_by(PointerButton::Primary);
        let pans = response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle);
        let wheel = if response.hovered() { self.wheel(ui) } else { 0.0 };
        let pinch = if response.hovered() { ui.input(egui::InputState::zoom_delta) } else { 1.0 };
        let nearer = 1.35f32.powf(wheel) * pinch;
        if !turns && !pans && (nearer - 1.0).abs() < 1e-4 {
            return;
        }
        let Some(settings) = self.look.space else { return };
        let mut viewpoint = space::viewpoint(Aim::Fit, &settings, &self.deep().relief, size);
        move_by(&mut viewpoint, by, (turns, pans), nearer, size.y);
        self.look.space = Some(Settings { viewpoint: Some(viewpoint), ..settings });
        self.stay_above();
    }

    /// What can be switched, and what was drawn.
    pub(super) fn space_section(&mut self, ui: &mut Ui) {
        ui.heading("Three dimensions");
        let mut on = self.look.space.is_some();
        if ui.checkbox(&mut on, "3D").on_hover_text("The world in three dimensions (V)").changed() {
            self.toggle_space();
        }
        let Some(settings) = &mut self.look.space else { return };
        let mut culls = settings.frustum;
        ui.checkbox(&mut culls, "culling").on_hover_text("Leave out who is beside the picture or behind something (B)");
        (settings.frustum, settings.occlusion) = (culls, culls);
        ui.checkbox(&mut settings.shadows, "shadows").on_hover_text("Shadows of agents and walls (K)");
        ui.checkbox(&mut settings.wireframe, "edges").on_hover_text("Edges of agents' triangles (M)");
        egui::ComboBox::from_label("tint")
            .selected_text(settings.tint.name())
            .show_ui(ui, |ui| {
                for tint in Tint::ALL {
                    ui.selectable_value(&mut settings.tint, tint, tint.name());
                }
            })
            .response
            .on_hover_text("Agents by level of detail, or everything by shadow map (J)");
        let pinned = settings.pinned.map_or("by size", |level| NAMES[(level as usize).min(NAMES.len() - 1)]);
        egui::ComboBox::from_label("detail")
            .selected_text(pinned)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut settings.pinned, None, "by size");
                for (level, name) in (0..).zip(NAMES) {
                    ui.selectable_value(&mut settings.pinned, Some(level), name);
                }
            })
            .response
            .on_hover_text("Everybody at one level of detail, whatever it costs");
        let mut cuts = settings.finest > 1;
        ui.checkbox(&mut cuts, "close-ups").on_hover_text("Cut those who are very near into finer triangles");
        settings.finest = if cuts { Settings::default().finest } else { 1 };
        let mut shares = settings.skinning == Skinning::Shared;
        ui.checkbox(&mut shares, "shared skinning")
            .on_hover_text("Skin those who are near once a frame, not wherever they are drawn");
        settings.skinning = if shares { Skinning::Shared } else { Skinning::Each };
        let budget = egui::DragValue::new(&mut settings.budget).speed(10_000.0).range(1000..=1_000_000_000);
        let budget = budget.clamp_existing_to_range(false);
        ui.horizontal(|ui| {
            ui.add(budget).on_hover_text("Triangles of agents at most, shadows counted in");
            ui.label("triangles at most");
        });
        let Some(report) = self.deep.as_ref().and_then(|d| d.report.as_ref()) else { return };
        let list = |counts: &[u32]| counts.iter().map(u32::to_string).collect::<Vec<_>>().join(" / ");
        ui.label(format!("{} triangles", crate::overlay::grouped(report.triangles)));
        let names = NAMES.join(" / ");
        ui.label(format!("levels {}", list(&report.levels)))
            .on_hover_text(format!("Agents at each level of detail: {names}"));
        if report.cut > 0 {
            ui.label(format!("close-ups cut {0} × {0}", report.cut))
                .on_hover_text("Triangles that each face of a close-up is cut into");
        }
        ui.label(format!("casters {}", list(&report.casters))).on_hover_text("Agents in each shadow map");
        for (pass, ms) in Pass::ALL.iter().zip(report.passes_ms.iter().flatten()) {
            ui.label(format!("{}: {ms:.2} ms", pass.name()));
        }
    }
}

/// Moves an eye by a pointer that was dragged, to turn or to pan, and by a wheel.
fn move_by(viewpoint: &mut Viewpoint, by: Vec2, (turns, pans): (bool, bool), nearer: f32, height: f32) {
    match viewpoint {
        Viewpoint::Orbit(orbit) => {
            if turns {
                orbit.drag(by);
            }
            if pans {
                orbit.pan(by, height);
            }
            orbit.zoom(nearer);
        }
        Viewpoint::Fly(fly) => {
            if turns || pans {
                fly.drag(-by);
            }
            fly.go(Vec3::new(10.0 * nearer.ln(), 0.0, 0.0));
        }
        Viewpoint::Follow(follow) => {
            if turns || pans {
                follow.drag(by);
            }
            follow.distance = (follow.distance / nearer).clamp(1.0, 500.0);
        }
    }
}
