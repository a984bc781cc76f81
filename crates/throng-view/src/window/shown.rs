//! An open window: each frame of it.

use super::ViewError;
use crate::app::App;
use crate::draw::{CLEAR, Crowd, FieldSource, Frame, Painter, Pen};
use crate::look::Colouring;
use crate::space::{self, Scenery, Space};
use crate::studio::dress;
use glam::Vec2;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::engine::Field;
use throng::engine::gpu::Gpu;
use winit::window::Window;

/// An open window and everything in it.
pub(super) struct Shown {
    pub(super) window: Arc<Window>,
    pub(super) surface: wgpu::Surface<'static>,
    pub(super) config: wgpu::SurfaceConfiguration,
    pub(super) gpu: Gpu,
    pub(super) painter: Painter,
    /// Once it was shown in three dimensions.
    pub(super) space: Option<Space>,
    pub(super) pen: Pen,
    pub(super) context: egui::Context,
    pub(super) input: egui_winit::State,
    pub(super) app: App,
    pub(super) crowd: Option<Crowd>,
    /// The field that was uploaded last.
    pub(super) uploaded: Option<Field>,
    pub(super) has_persons: bool,
    /// Groups whose sprites the painter knows.
    pub(super) groups: usize,
    pub(super) next: Instant,
    pub(super) interval: Duration,
}

impl Shown {
    /// Takes what is new of the run to the device.
    fn take_in(&mut self, changed: bool) {
        let app = &mut self.app;
        if app.take_reset() {
            self.painter.forget();
            if let Some(space) = &mut self.space {
                space.forget();
            }
            self.uploaded = None;
        }
        let wanted = app.look.space.is_some() && self.space.is_none();
        let mut deep = false;
        match wanted.then(|| space::check(&self.gpu, &app.scene)) {
            None => (),
            Some(Ok(cast)) => {
                self.space = Some(Space::new(&self.gpu, self.config.format, &app.scene, &cast, &self.painter));
                deep = true;
            }
            Some(Err(why)) => {
                app.look.space = None;
                app.complain(why);
            }
        }
        if changed && let Some(ground) = &app.ground {
            self.painter.set_ground(ground);
        }
        if (changed || deep)
            && let (Some(ground), Some(space)) = (&app.ground, &mut self.space)
        {
            space.set_ground(ground);
        }
        if let Some(report) = self.space.as_ref().and_then(|space| space.report(false)) {
            app.learn_space(report);
        }
        if app.scene.groups.len() != self.groups {
            self.groups = app.scene.groups.len();
            dress(&mut self.painter, &app.scene);
        }
        let Some(shot) = &mut app.shot else { return };
        if let Some(columns) = shot.columns.take() {
            self.crowd = Some(self.painter.upload_crowd(&columns));
        }
        if let Some((field, values)) = shot.field.take() {
            self.painter.upload_field(&values);
            self.uploaded = Some(field);
        }
        if let Some(values) = shot.persons.take() {
            self.painter.upload_persons(&values);
            self.has_persons = true;
        }
        if let Some(tiles) = &shot.tiles {
            let round = shot.round.filter(|r| !r.finished).map(|r| r.rounds.saturating_sub(1));
            self.painter.set_tiles(tiles, round);
        }
    }

    /// Runs, draws and shows.
    pub(super) fn frame(&mut self) -> Result<(), ViewError> {
        let changed = self.app.advance();
        self.take_in(changed);
        while let Some(found) = self.painter.readout(false) {
            self.app.learn(found);
        }
        let input = self.input.take_egui_input(&self.window);
        let app = &mut self.app;
        let mut output = self.context.run_ui(input, |ui| app.ui(ui));
        self.input.handle_platform_output(&self.window, std::mem::take(&mut output.platform_output));
        let ppp = output.pixels_per_point;
        let jobs = self.context.tessellate(std::mem::take(&mut output.shapes), ppp);
        let (device, queue) = (self.gpu.device().clone(), self.gpu.queue().clone());
        self.pen.learn(std::mem::take(&mut output.textures_delta));

        use wgpu::CurrentSurfaceTexture as Surface;
        let texture = match self.surface.get_current_texture() {
            Surface::Success(texture) | Surface::Suboptimal(texture) => texture,
            other @ (Surface::Outdated | Surface::Lost | Surface::Timeout | Surface::Occluded) => {
                if matches!(other, Surface::Outdated | Surface::Lost) {
                    self.surface.configure(&device, &self.config);
                }
                // Uploads wait in memory for the next commands: a window that nobody sees for long must not gather them.
                queue.submit([]);
                return Ok(());
            }
            Surface::Validation => return Err(ViewError::Failed("the window cannot be drawn to any more".into())),
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let size = [self.config.width, self.config.height];
        self.pen.prepare(&jobs, size, ppp);
        let drawn = self.prepare(&mut encoder, ppp);
        {
            let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
            let mut pass = encoder
                .begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("window"),
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &target,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(CLEAR), store: wgpu::StoreOp::Store },
                    })],
                    ..wgpu::RenderPassDescriptor::default()
                })
                .forget_lifetime();
            match &self.space {
                Some(space) if drawn && self.app.look.space.is_some() => space.paint(&mut pass),
                _ if drawn => self.painter.paint(&mut pass),
                _ => {}
            }
            self.pen.paint(&mut pass, size);
        }
        queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        queue.present(texture);
        self.painter.sent();
        match self.gpu.trouble() {
            Some(why) => Err(ViewError::Failed(format!("the GPU {} has failed: {why}", self.gpu.info().name))),
            None => Ok(()),
        }
    }

    /// Computes the frame's picture; whether there is anything to draw.
    fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, ppp: f32) -> bool {
        let app = &mut self.app;
        let wanted = app.look.engine_field();
        let by_density = app.look.colouring == Colouring::Density;
        let engine = app.host.here().and_then(|sim| sim.engine().on_gpu());
        let (crowd, field, persons) = match engine {
            Some(engine) => (
                Some(Crowd::of(engine)),
                wanted.map(|f| FieldSource::of(engine, &app.scene, f)),
                by_density.then(|| FieldSource::of(engine, &app.scene, Field::LocalDensity)),
            ),
            None => (
                self.crowd.clone(),
                wanted.filter(|f| self.uploaded == Some(*f)).map(|_| FieldSource::UPLOADED),
                by_density.then_some(FieldSource::UPLOADED).filter(|_| self.has_persons),
            ),
        };
        let groups = if engine.is_some() { app.scene.groups.len() } else { 0 };
        let Some(crowd) = crowd else { return false };
        let origin = (Vec2::new(app.view.min.x, app.view.min.y) * ppp).floor().max(Vec2::ZERO);
        let whole = Vec2::new(self.config.width as f32, self.config.height as f32);
        let size = (Vec2::new(app.view.width(), app.view.height()) * ppp).floor().min(whole - origin);
        if size.min_element() < 2.0 {
            return false;
        }
        if app.look.space.is_some()
            && let Err(why) = space::check_size(&self.gpu, [size.x as u32, size.y as u32])
        {
            app.toggle_space();
            app.complain(why);
        }
        let eye = app.look.space.is_some().then(|| app.eye(size));
        let frame = Frame {
            look: &app.look,
            camera: app.camera,
            origin,
            size,
            crowd,
            field,
            persons,
            limits: app.limits,
            colouring_limits: app.look.colouring_limits.unwrap_or(app.look.colouring.limits(&app.scene)),
            time: app.shot.as_ref().map_or(0.0, |s| s.time),
            back: app.back(),
            chosen: app.chosen,
            pointer: app.pointer,
            click: if self.painter.can_ask() { app.click.take() } else { None },
            groups,
        };
        let hazards = app.shot.as_ref().map_or(&[][..], |s| &s.hazards);
        match (&app.look.space, eye, &mut self.space) {
            (Some(settings), Some(eye), Some(space)) => {
                space.prepare(encoder, &mut self.painter, &frame, &Scenery { settings, eye, hazards });
                if let Some(note) = space.take_note() {
                    app.complain(note);
                }
            }
            _ => self.painter.prepare(encoder, &frame),
        }
        true
    }
}
