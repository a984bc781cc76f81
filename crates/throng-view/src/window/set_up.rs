//! From what is asked for to an open window: a surface, a device that can draw into it, and a run.

use super::shown::Shown;
use super::{EngineWish, FRAME, Opening, SOFTWARE_FRAME, ViewError};
use crate::app::{App, Start};
use crate::draw::{Painter, Pen};
use crate::host::{Maker, RunError};
use crate::studio::{Aim, dress};
use std::sync::Arc;
use std::time::Instant;
use throng::Simulation;
use throng::engine::gpu::{Gpu, GpuEngine, StartError};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

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

fn make_window(events: &ActiveEventLoop, opening: &Opening) -> Result<Arc<Window>, ViewError> {
    let attributes = Window::default_attributes()
        .with_title(format!("Throng: {}", opening.scene.name))
        .with_inner_size(winit::dpi::PhysicalSize::new(opening.size[0], opening.size[1]));
    Ok(Arc::new(
        events.create_window(attributes).map_err(|e| ViewError::NoWindow(format!("no window can be opened: {e}")))?,
    ))
}

/// What can be drawn into in a window, and the best adapter for it: by default, or with this in its name.
fn find_adapter(
    events: &ActiveEventLoop,
    window: &Arc<Window>,
    wanted: Option<&str>,
) -> Result<(wgpu::Surface<'static>, wgpu::Adapter), ViewError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(events.owned_display_handle()));
    descriptor.backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    // Debug builds would ask for Vulkan's validation layers, which few have.
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let surface = instance
        .create_surface(Arc::clone(window))
        .map_err(|e| ViewError::NoDevice(format!("{NOTHING_TO_DRAW_WITH} ({e})")))?;
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.sort_by_key(|a| rank(&a.get_info()));
    let names = adapters.iter().map(|a| a.get_info().name).collect::<Vec<_>>().join(", ");
    if adapters.is_empty() {
        return Err(ViewError::NoDevice(NOTHING_TO_DRAW_WITH.into()));
    }
    if let Some(wanted) = wanted {
        adapters.retain(|a| a.get_info().name.to_lowercase().contains(&wanted.to_lowercase()));
        if adapters.is_empty() {
            return Err(ViewError::NoDevice(format!(
                "--device {wanted}: nothing to draw with has that in its name. There is: {names}"
            )));
        }
    }
    adapters.retain(|a| a.is_surface_supported(&surface));
    let adapter = adapters.into_iter().next().ok_or_else(|| {
        ViewError::NoDevice(format!(
            "none of {names} can draw into a window here; `throng render SCENE -o picture.png` needs none"
        ))
    })?;
    Ok((surface, adapter))
}

fn configuration(
    surface: &wgpu::Surface<'_>,
    adapter: &wgpu::Adapter,
    window: &Window,
) -> Result<wgpu::SurfaceConfiguration, ViewError> {
    let capabilities = surface.get_capabilities(adapter);
    let plain =
        |f: &&wgpu::TextureFormat| matches!(**f, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm);
    let format = *capabilities
        .formats
        .iter()
        .find(plain)
        .ok_or_else(|| ViewError::NoDevice("the window's colours cannot be drawn to directly".into()))?;
    let size = window.inner_size();
    Ok(wgpu::SurfaceConfiguration {
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        format,
        width: size.width.max(1),
        height: size.height.max(1),
        present_mode: wgpu::PresentMode::AutoVsync,
        desired_maximum_frame_latency: 2,
        alpha_mode: wgpu::CompositeAlphaMode::Auto,
        color_space: wgpu::SurfaceColorSpace::default(),
        view_formats: Vec::new(),
    })
}

/// Whether the run is on the GPU that draws.
fn runs_on_gpu(opening: &Opening, gpu: &Gpu) -> Result<bool, ViewError> {
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
    Ok(on_gpu)
}

/// What a person should know who draws in software.
fn notice(gpu: &Gpu, on_gpu: bool) -> Option<String> {
    gpu.is_software().then(|| {
        let engine = if on_gpu { "The crowd runs on it too, which is slow." } else { "The crowd runs on the CPU." };
        format!(
            "There is no GPU here: {} draws in software. {engine} Smaller windows and fewer fields are quicker.",
            gpu.info().name
        )
    })
}

/// Makes runs of scenes: the first, and those that begin anew.
fn maker(gpu: Gpu, engine: EngineWish, on_gpu: bool) -> Maker {
    Box::new(move |scene| {
        let sim = if on_gpu {
            let engine = GpuEngine::new(scene, &gpu).map_err(|e| match e {
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
    })
}

impl Shown {
    /// Opens a window with a run in it.
    pub(super) fn new(events: &ActiveEventLoop, opening: Opening) -> Result<Self, ViewError> {
        let window = make_window(events, &opening)?;
        let (surface, adapter) = find_adapter(events, &window, opening.device.as_deref())?;
        let gpu = Gpu::from_adapter(&adapter).map_err(|e| ViewError::NoDevice(e.to_string()))?;
        let config = configuration(&surface, &adapter, &window)?;
        surface.configure(gpu.device(), &config);

        let software = gpu.is_software();
        let on_gpu = runs_on_gpu(&opening, &gpu)?;
        let make = maker(gpu.clone(), opening.engine, on_gpu);
        crate::draw::check(&gpu, &opening.scene, on_gpu).map_err(ViewError::NoDevice)?;
        let mut painter = Painter::new(&gpu, config.format, &opening.scene);
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
            notice: notice(&gpu, on_gpu),
            save_as: opening.save_as,
            scene: opening.scene,
        };
        let app = App::new(start)?;
        Ok(Self {
            pen: Pen::new(&gpu, config.format),
            interval: if software { SOFTWARE_FRAME } else { FRAME },
            next: Instant::now(),
            window,
            surface,
            config,
            painter,
            space: None,
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
}
