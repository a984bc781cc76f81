//! The window: events in, frames out.

use crate::app::{App, Start};
use crate::draw::{CLEAR, Crowd, FieldSource, Frame, Painter};
use crate::host::{Maker, RunError};
use crate::look::{Colouring, Look};
use crate::studio::{Aim, dress};
use egui_wgpu::ScreenDescriptor;
use glam::Vec2;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::engine::gpu::{Gpu, GpuEngine, StartError};
use throng::scene::Scene;
use throng::{Simulation, engine::Field};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::{Window, WindowId};

/// What the run is to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineWish {
    /// The GPU that draws, if it is a real one; else the CPU.
    Auto,
    /// The CPU, with so many threads.
    Cpu(Option<usize>),
    /// The GPU that draws.
    Gpu,
}

/// What to open.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The scene.
    pub scene: Scene,
    /// How it looks at first.
    pub look: Look,
    /// Where it looks at first.
    pub aim: Aim,
    /// Size of the window, px.
    pub size: [u32; 2],
    /// What to run on.
    pub engine: EngineWish,
    /// The device to draw with, by a part of its name; the run is on it too unless the CPU was asked for.
    pub device: Option<String>,
    /// Whether it runs at once.
    pub running: bool,
    /// Where a changed scene is saved.
    pub save_as: PathBuf,
}

/// Why no window opens, or why it closed.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// There is no display.
    #[error("{0}")]
    NoWindow(String),
    /// There is nothing to draw with.
    #[error("{0}")]
    NoDevice(String),
    /// The scene cannot run.
    #[error(transparent)]
    NoRun(#[from] RunError),
    /// It stopped working.
    #[error("{0}")]
    Failed(String),
}

/// Between frames: where nothing waits for a screen they would take all of the processor.
const FRAME: Duration = Duration::from_millis(15);
/// Software Vulkan draws with the cores that the run needs too.
const SOFTWARE_FRAME: Duration = Duration::from_millis(40);
/// While nothing moves.
const IDLE_FRAME: Duration = Duration::from_millis(100);

/// Opens the window and returns when it was closed.
///
/// # Errors
/// If there is no display, nothing to draw with, or the scene cannot run.
pub fn open(opening: Opening) -> Result<(), ViewError> {
    // winit's own words name files of its source; what a person can change is the display.
    let events = EventLoop::new().map_err(|_| {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let why = if cfg!(target_os = "linux") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
            "there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set"
        } else {
            "the display that WAYLAND_DISPLAY or DISPLAY names does not answer, or a library for it is missing (Debian: \
             libx11-6, libxcursor1, libxi6, libxkbcommon-x11-0)"
        };
        ViewError::NoWindow(format!(
            "no window can be opened here: {why}. Without one, `throng render SCENE -o picture.png` draws the same picture \
             and `-o film.mp4` a film; `xvfb-run throng view SCENE` opens one that nobody sees"
        ))
    })?;
    let mut program = Program { opening: Some(opening), shown: None, failed: None };
    events.run_app(&mut program).map_err(|e| ViewError::Failed(format!("the window stopped working: {e}")))?;
    program.failed.map_or(Ok(()), Err)
}

struct Program {
    opening: Option<Opening>,
    shown: Option<Shown>,
    failed: Option<ViewError>,
}

/// An open window and everything in it.
struct Shown {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    painter: Painter,
    pen: egui_wgpu::Renderer,
    context: egui::Context,
    input: egui_winit::State,
    app: App,
    crowd: Option<Crowd>,
    /// The field that was uploaded last.
    uploaded: Option<Field>,
    has_persons: bool,
    /// Groups whose sprites the painter knows.
    groups: usize,
    next: Instant,
    interval: Duration,
}

fn rank(info: &wgpu::AdapterInfo) -> u32 {
    match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => 2,
        wgpu::DeviceType::Cpu => 3,
    }
}

const NOTHING_TO_DRAW_WITH: &str = "there is nothing to draw with: no Vulkan, Metal or DX12 driver was found. On Debian or \
    Ubuntu `sudo apt-get install mesa-vulkan-drivers` brings drivers for many GPUs and software Vulkan for the rest; \
    `throng field SCENE density -o density.png` draws fields without any";

impl Shown {
    fn new(events: &ActiveEventLoop, opening: Opening) -> Result<Self, ViewError> {
        let attributes = Window::default_attributes()
            .with_title(format!("Throng: {}", opening.scene.name))
            .with_inner_size(winit::dpi::PhysicalSize::new(opening.size[0], opening.size[1]));
        let window = Arc::new(
            events
                .create_window(attributes)
                .map_err(|e| ViewError::NoWindow(format!("no window can be opened: {e}")))?,
        );
        let mut descriptor = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(events.owned_display_handle()));
        descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        // Debug builds would ask for Vulkan's validation layers, which few have.
        descriptor.flags = wgpu::InstanceFlags::empty();
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance
            .create_surface(Arc::clone(&window))
            .map_err(|e| ViewError::NoDevice(format!("{NOTHING_TO_DRAW_WITH} ({e})")))?;
        let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        adapters.sort_by_key(|a| rank(&a.get_info()));
        let names = adapters.iter().map(|a| a.get_info().name).collect::<Vec<_>>().join(", ");
        if adapters.is_empty() {
            return Err(ViewError::NoDevice(NOTHING_TO_DRAW_WITH.into()));
        }
        if let Some(wanted) = &opening.device {
            adapters.retain(|a| a.get_info().name.to_lowercase().contains(&wanted.to_lowercase()));
            if adapters.is_empty() {
                return Err(ViewError::NoDevice(format!(
                    "--device {wanted}: nothing to draw with has that in its name. There is: {names}"
                )));
            }
        }
        adapters.retain(|a| a.is_surface_supported(&surface));
        let adapter = adapters.first().ok_or_else(|| {
            ViewError::NoDevice(format!(
                "none of {names} can draw into a window here; `throng render SCENE -o picture.png` needs none"
            ))
        })?;
        let gpu = Gpu::from_adapter(adapter).map_err(|e| ViewError::NoDevice(e.to_string()))?;
        let capabilities = surface.get_capabilities(adapter);
        let plain =
            |f: &&wgpu::TextureFormat| matches!(**f, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm);
        let format = *capabilities
            .formats
            .iter()
            .find(plain)
            .ok_or_else(|| ViewError::NoDevice("the window's colours cannot be drawn to directly".into()))?;
        let size = window.inner_size();
        let config = wgpu::SurfaceConfiguration {
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            format,
            width: size.width.max(1),
            height: size.height.max(1),
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 2,
            alpha_mode: wgpu::CompositeAlphaMode::Auto,
            color_space: wgpu::SurfaceColorSpace::default(),
            view_formats: Vec::new(),
        };
        surface.configure(gpu.device(), &config);

        let software = gpu.is_software();
        let on_gpu = match opening.engine {
            EngineWish::Cpu(_) => false,
            EngineWish::Gpu => true,
            EngineWish::Auto => !software || opening.device.is_some(),
        };
        if opening.engine == EngineWish::Gpu && software && opening.device.is_none() {
            return Err(ViewError::NoDevice(format!(
                "--engine gpu: there is no GPU here, only {}, which is software and slow. To use it all the same: \
                 --device {}",
                gpu.info().name,
                gpu.info().name.split_whitespace().next().unwrap_or("llvmpipe")
            )));
        }
        let notice = software.then(|| {
            let engine = if on_gpu { "The crowd runs on it too, which is slow." } else { "The crowd runs on the CPU." };
            format!(
                "There is no GPU here: {} draws in software. {engine} Smaller windows and fewer fields are quicker.",
                gpu.info().name
            )
        });
        let (maker_gpu, engine) = (gpu.clone(), opening.engine);
        let make: Maker = Box::new(move |scene| {
            let sim = if on_gpu {
                let engine = GpuEngine::new(scene, &maker_gpu).map_err(|e| match e {
                    StartError::Scene(e) => RunError::Scene(e),
                    StartError::Gpu(e) => RunError::Engine(e.to_string()),
                })?;
                Simulation::on(scene, Box::new(engine))
            } else if let EngineWish::Cpu(Some(threads)) = engine {
                Simulation::with_threads(scene, threads)?
            } else {
                Simulation::new(scene)?
            };
            Ok(sim)
        });
        crate::draw::check(&gpu, &opening.scene, on_gpu).map_err(ViewError::NoDevice)?;
        let mut painter = Painter::new(&gpu, format, &opening.scene);
        dress(&mut painter, &opening.scene);
        let context = egui::Context::default();
        crate::style::apply(&context);
        let input = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            None,
            Some(gpu.device().limits().max_texture_dimension_2d as usize),
        );
        let (camera, follow) = match opening.aim {
            Aim::Fit => (None, None),
            Aim::At(camera) => (Some(camera), None),
            Aim::Follow(id, scale) => {
                let middle = opening.scene.grid.extent() * 0.5;
                (Some(crate::camera::Camera { centre: middle, scale }), Some(id))
            }
        };
        let start = Start {
            make,
            look: opening.look,
            camera,
            follow,
            running: opening.running,
            notes: vec![format!("drawn by {}", gpu.info().name)],
            notice,
            save_as: opening.save_as,
            scene: opening.scene,
        };
        let app = App::new(start)?;
        Ok(Self {
            // Dithering costs software a good part of a frame, and nobody sees it in flat panels.
            pen: egui_wgpu::Renderer::new(
                gpu.device(),
                format,
                egui_wgpu::RendererOptions { dithering: !software, ..egui_wgpu::RendererOptions::default() },
            ),
            interval: if software { SOFTWARE_FRAME } else { FRAME },
            next: Instant::now(),
            window,
            surface,
            config,
            painter,
            context,
            input,
            app,
            crowd: None,
            uploaded: None,
            has_persons: false,
            groups: 0,
            gpu,
        })
    }

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

    fn frame(&mut self) -> Result<(), ViewError> {
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

impl ApplicationHandler for Program {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Some(opening) = self.opening.take() else { return };
        match Shown::new(events, opening) {
            Ok(shown) => {
                shown.window.request_redraw();
                self.shown = Some(shown);
            }
            Err(e) => {
                self.failed = Some(e);
                events.exit();
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(shown)) = (cause, &self.shown) {
            shown.window.request_redraw();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        let response = shown.input.on_window_event(&shown.window, &event);
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            // A window that is put away has no size.
            WindowEvent::Resized(size) if size.width > 0 && size.height > 0 => {
                (shown.config.width, shown.config.height) = (size.width, size.height);
                shown.surface.configure(shown.gpu.device(), &shown.config);
            }
            WindowEvent::RedrawRequested => {
                let now = Instant::now();
                if let Err(e) = shown.frame() {
                    self.failed = Some(e);
                    events.exit();
                    return;
                }
                shown.next = now + if shown.app.running { shown.interval } else { IDLE_FRAME };
                if shown.app.quit {
                    events.exit();
                }
            }
            _ => {}
        }
        if response.repaint {
            // What somebody does is answered soon, however little moves.
            shown.next = shown.next.min(Instant::now() + shown.interval);
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if let Some(shown) = &self.shown {
            if shown.next <= Instant::now() {
                shown.window.request_redraw();
            }
            events.set_control_flow(ControlFlow::WaitUntil(shown.next));
        }
    }
}
