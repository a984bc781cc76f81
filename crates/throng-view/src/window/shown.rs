//! An open window: each frame of it.

use super::ViewError;
use crate::app::App;
use crate::draw::{CLEAR, Crowd, FieldSource, Frame, Painter};
use crate::look::Colouring;
use crate::studio::dress;
use egui_wgpu::ScreenDescriptor;
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
    pub(super) pen: egui_wgpu::Renderer,
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
            self.uploaded = None;
        }
        if changed && let Some(ground) = &app.ground {
            self.painter.set_ground(ground);
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
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.pen.update_texture(&device, &queue, *id, delta);
            }
        }
        let mut freed = output.textures_delta.free.clone();
        output.textures_delta.clear();

        use wgpu::CurrentSurfaceTexture as Surface;
        let texture = match self.surface.get_current_texture() {
            Surface::Success(texture) | Surface::Suboptimal(texture) => texture,
            Surface::Outdated | Surface::Lost => {
                self.surface.configure(&device, &self.config);
                return Ok(());
            }
            Surface::Timeout | Surface::Occluded => return Ok(()),
            Surface::Validation => return Err(ViewError::Failed("the window cannot be drawn to any more".into())),
        };
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let screen =
            ScreenDescriptor { size_in_pixels: [self.config.width, self.config.height], pixels_per_point: ppp };
        self.pen.update_buffers(&device, &queue, &mut encoder, &jobs, &screen);
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
            if drawn {
                self.painter.paint(&mut pass);
            }
            self.pen.render(&mut pass, &jobs, &screen);
        }
        queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        queue.present(texture);
        self.painter.sent();
        for id in freed.drain() {
            self.pen.free_texture(&id);
        }
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
                by_density.then(|| FieldSource::of(engine, &app.scene, Field::Persons)),
            ),
            None => (
                self.crowd.clone(),
                wanted.filter(|f| self.uploaded == Some(*f)).map(|_| FieldSource::UPLOADED),
                by_density.then_some(FieldSource::UPLOADED).filter(|_| self.has_persons),
            ),
        };
        let Some(crowd) = crowd else { return false };
        let origin = (Vec2::new(app.view.min.x, app.view.min.y) * ppp).floor().max(Vec2::ZERO);
        let whole = Vec2::new(self.config.width as f32, self.config.height as f32);
        let size = (Vec2::new(app.view.width(), app.view.height()) * ppp).floor().min(whole - origin);
        if size.min_element() < 2.0 {
            return false;
        }
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
        };
        self.painter.prepare(encoder, &frame);
        true
    }
}
