//! The world in three dimensions: ground, walls, hazards and everybody, lit by sun and sky, drawn from the device's own
//! columns. docs/space.md says what each pass does; [`Space::prepare`] is their list.
//!
//! As [`crate::draw::Painter`], a frame is computed first ([`Space::prepare`]) and then shown ([`Space::paint`]).

mod actors;
mod acts;
mod aim;
mod atlas;
mod blocks;
pub mod budget;
mod cast;
mod clock;
mod crowd;
mod figure;
mod frame;
mod hazards;
pub mod levels;
mod light;
mod numbers;
mod patches;
mod picture;
mod pieces;
mod pipelines;
mod props;
mod relief;
mod settings;
mod shadow;
mod skinned;
mod small;
mod targets;
#[cfg(test)]
mod tests;
pub mod viewpoint;

pub use aim::eye;
pub(crate) use aim::{lowest, viewpoint};
pub use cast::{Cast, Guest, MOST_FIGURES, figures};
pub use clock::{Pass, Report};
pub use frame::Scenery;
pub use relief::Relief;
pub use settings::{Settings, Skinning, Tint, Vertices};
pub use shadow::CASCADES;

use crate::draw::layout::bind;
use crate::draw::memory::{buffer, filled};
use crate::draw::{Ground, Painter, most_pixels, most_records};
use crate::look::Look;
use atlas::Sittings;
use clock::Clock;
use crowd::Crowd;
use figure::Figure;
use hazards::Mist;
use levels::{LEVELS, LISTS};
use light::{Baker, Quality};
use numbers::{Draw, Numbers};
use pipelines::{Layouts, Pipelines};
use props::{MOST_BYTES, Props};
use relief::CHUNK;
use skinned::Skinned;
use small::{Impostors, Sums};
use targets::{Drape, ShadowMaps, Targets};
use throng::engine::gpu::Gpu;
use throng::scene::Scene;
use wgpu::{BindGroup, BindingResource, Buffer, BufferUsages, RenderPass};

/// Texels of the drape along the world's longer side, for hardware and for software.
const DRAPE: [u32; 2] = [2048, 1024];

/// What is drawn: lists, and those of the picture twice.
const DRAWS: usize = LISTS + LEVELS;

/// No individual is more than so many times as large as the mean.
const LARGEST: f32 = 1.5;
/// As high above the ground there may always be somebody, m: people can be dropped into a scene.
const LEAST_TALL: f32 = 4.0;

/// What decides what the drape looks like.
#[derive(Clone, Debug, PartialEq)]
struct DrapeKey {
    look: Look,
    limits: (f32, f32),
    /// Of what changes with every step, when it is.
    time: Option<f64>,
    ground: u64,
    /// Whether there is a field, and how often what lies on the ground was told anew.
    laid_on: (bool, u64),
}

/// Of what it is said that it is not drawn as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Agents that there is no room for.
    Room,
    /// Agents at a level of detail for everybody.
    Pinned,
    Walls,
}

/// Draws runs of one scene in three dimensions, on one device.
#[derive(Debug)]
pub struct Space {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: Pipelines,
    skinned: Skinned,
    /// Until the first frame: where pictures of characters are taken.
    sittings: Option<Sittings>,
    impostors: Impostors,
    sums: Sums,
    relief: Relief,
    /// Group 2 of all shaders: one for each list, with what it is drawn into.
    numbers: Buffer,
    draws: [Buffer; DRAWS],
    spaces: [BindGroup; LISTS],
    /// The same without the ground for the picture's lists, when depths are found and when they are coloured.
    aims: [[BindGroup; LEVELS]; 2],
    nothing: BindGroup,
    crowd: Crowd,
    baker: Baker,
    baked: bool,
    /// Lit by either light map.
    lights: [BindGroup; 2],
    shadows: ShadowMaps,
    targets: Option<Targets>,
    drape: Drape,
    halves: Vec<BindGroup>,
    drape_key: Option<DrapeKey>,
    /// Indices of a chunk of the ground, and which chunks are in view.
    chunk: (Buffer, u32),
    chunks: (Buffer, u32),
    ground: Option<(Ground, u64)>,
    /// Corners, indices, how many, and how high they are.
    props: (Buffer, Buffer, u32, f32),
    /// What is not drawn as it is, in a sentence, and of what that was said already.
    note: Option<String>,
    noted: Vec<Kind>,
    mists: Buffer,
    /// In place of walls where there are none.
    no_walls: wgpu::TextureView,
    over: wgpu::Sampler,
    tone: Option<BindGroup>,
    origin: Buffer,
    view: [f32; 4],
    clock: Clock,
    drawn_at: Option<f64>,
    /// Of the simulation, s.
    step: f32,
    size: (usize, f32),
    /// Nobody is higher above the ground, m.
    tallest: f32,
}

impl Space {
    /// For a scene and its characters, into textures of a format, beside the painter that draws it from above.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene, cast: &Cast, painter: &Painter) -> Self {
        let device = gpu.device();
        let layouts = Layouts::new(device);
        let relief = Relief::new(scene);
        let software = gpu.is_software();
        let figures = cast.characters().enumerate();
        let figures = figures.map(|(k, (who, clips))| Figure::new(gpu, who, clips, &scene.states, k as u32)).collect();
        let crowd = Crowd::new(gpu, figures, painter.view_layout(), [&layouts.nothing, &layouts.light, &layouts.space]);
        let balls = crowd.actors.iter().map(|a| &a.figure.ball);
        let reach = balls.map(|b| LARGEST * (b.middle + b.radius + b.aside)).fold(0.0, f32::max);
        let pipelines = Pipelines::new(device, format, &layouts, &crowd.layout);
        let baker = Baker::new(gpu, Quality::of(&relief, software), [&layouts.light, &layouts.space]);
        let shadows = ShadowMaps::new(gpu);
        let numbers = buffer(gpu, "space", size_of::<Numbers>() as u64, BufferUsages::UNIFORM);
        let heights = filled(gpu, "heights", &relief.heights, BufferUsages::STORAGE);
        let draws: [Buffer; DRAWS] =
            std::array::from_fn(|_| buffer(gpu, "draw", size_of::<Draw>() as u64, BufferUsages::UNIFORM));
        let spaces = std::array::from_fn(|list| {
            let all = [numbers.as_entire_binding(), heights.as_entire_binding(), draws[list].as_entire_binding()];
            bind(device, &layouts.space, &all)
        });
        let aims = [0, LISTS].map(|first| {
            std::array::from_fn(|level| {
                let entries = [(0, &numbers), (2, &draws[first + level])]
                    .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &layouts.aim,
                    entries: &entries,
                })
            })
        });
        let drape = Drape::new(gpu, relief.extent, DRAPE[usize::from(software)], format);
        let over = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            // Ground is seen from the side; software would pay dearly for it.
            anisotropy_clamp: if software { 1 } else { 8 },
            ..wgpu::SamplerDescriptor::default()
        });
        let sampled = |view: &wgpu::TextureView| {
            bind(device, &layouts.drape, &[BindingResource::TextureView(view), BindingResource::Sampler(&over)])
        };
        let lights = [0, 1].map(|k| lit_by(gpu, &layouts, &baker.view(k), &shadows));
        let chunk = chunk_indices();
        let no_vertices = || buffer(gpu, "nothing", 0, BufferUsages::VERTEX);
        Self {
            nothing: bind(device, &layouts.nothing, &[]),
            halves: drape.levels.iter().map(sampled).collect(),
            chunk: (filled(gpu, "chunk", &chunk, BufferUsages::INDEX), chunk.len() as u32),
            chunks: (no_vertices(), 0),
            props: (no_vertices(), buffer(gpu, "nothing", 0, BufferUsages::INDEX), 0, 0.0),
            note: None,
            noted: Vec::new(),
            mists: buffer(gpu, "hazards", Mist::BYTES, BufferUsages::STORAGE),
            no_walls: targets::no_walls(gpu),
            origin: buffer(gpu, "origin", 16, BufferUsages::UNIFORM),
            clock: Clock::new(gpu),
            ground: None,
            targets: None,
            tone: None,
            view: [0.0; 4],
            drape_key: None,
            baked: false,
            drawn_at: None,
            step: scene.dt,
            size: (scene.grid.width, scene.grid.cell),
            tallest: (reach * scene.widest_radius()).max(LEAST_TALL),
            gpu: gpu.clone(),
            skinned: Skinned::new(device, &layouts, Vertices::default()),
            sittings: Some(Sittings::new(gpu)),
            impostors: Impostors::new(gpu, &layouts),
            sums: Sums::new(gpu, &layouts),
            layouts,
            pipelines,
            relief,
            numbers,
            draws,
            spaces,
            aims,
            crowd,
            baker,
            lights,
            shadows,
            drape,
            over,
        }
    }

    /// The ground as it is drawn.
    #[must_use]
    pub fn relief(&self) -> &Relief {
        &self.relief
    }

    /// Takes on walls.
    pub fn set_ground(&mut self, ground: &Ground) {
        let revision = self.ground.as_ref().map_or(0, |g| g.1 + 1);
        self.ground = Some((ground.clone(), revision));
        self.props.3 = 0.0;
    }

    /// Forgets who was where: the run has begun again.
    pub fn forget(&mut self) {
        self.crowd.forget();
        self.drawn_at = None;
    }

    /// Walls, so high.
    fn build(&mut self, height: f32) {
        let Some((ground, _)) = self.ground.as_ref().filter(|_| self.props.3 != height) else { return };
        let pieces = if self.relief.is_flat() { f32::INFINITY } else { 2.0 * self.relief.quad().min_element() };
        let most = MOST_BYTES.min(self.gpu.device().limits().max_buffer_size / 2);
        let props = Props::new(ground, self.size.0, self.size.1, height, pieces, most);
        self.props = (
            filled(&self.gpu, "props", &props.corners, BufferUsages::VERTEX),
            filled(&self.gpu, "props", &props.indices, BufferUsages::INDEX),
            props.indices.len() as u32,
            height,
        );
        if let Some(note) = props.note {
            self.note_once(Kind::Walls, note);
        }
    }

    /// Says so, unless something like it was said already: numbers in it may change with every frame.
    fn note_once(&mut self, kind: Kind, note: String) {
        if !self.noted.contains(&kind) {
            self.noted.push(kind);
            self.note = Some(note);
        }
    }

    /// What of the scene is not drawn as it is, in a sentence; once.
    pub fn take_note(&mut self) -> Option<String> {
        self.note.take()
    }

    /// Shows what [`Space::prepare`] drew.
    pub fn paint(&self, pass: &mut RenderPass<'_>) {
        let Some(tone) = &self.tone else { return };
        let [x, y, w, h] = self.view;
        pass.set_viewport(x, y, w, h, 0.0, 1.0);
        pass.set_scissor_rect(x as u32, y as u32, w as u32, h as u32);
        pass.set_pipeline(&self.pipelines.tone);
        pass.set_bind_group(0, tone, &[]);
        pass.draw(0..3, 0..1);
    }

    /// What is known of an earlier frame, if it is there; with `wait` of the last one.
    pub fn report(&self, wait: bool) -> Option<Report> {
        self.clock.take(&self.gpu, &self.crowd.actors, wait)
    }
}

/// The characters of a scene, if it can be drawn in three dimensions on a device: what a shader can be given is limited.
///
/// # Errors
/// Why not, in a sentence.
pub fn check(gpu: &Gpu, scene: &Scene) -> Result<Cast, String> {
    let most = most_agents(gpu);
    let agents = scene.agent_count();
    if agents > most {
        let name = &gpu.info().name;
        return Err(format!("{} has {agents} agents, and {name} can draw {most} in three dimensions", scene.name));
    }
    Cast::of(scene).map_err(|wrong| wrong.to_string())
}

/// That a picture of so many pixels can be drawn on a device: there are 16 bytes for each that a shader is given at once.
///
/// # Errors
/// Why not, in a sentence.
pub(crate) fn check_size(gpu: &Gpu, size: [u32; 2]) -> Result<(), String> {
    let most = most_pixels(gpu);
    let [width, height] = size;
    if u64::from(width) * u64::from(height) > most {
        let name = &gpu.info().name;
        return Err(format!("a picture of {width} × {height} pixels is too large for {name}: at most {most} in all"));
    }
    Ok(())
}

/// So many agents can be drawn on a device.
fn most_agents(gpu: &Gpu) -> u64 {
    most_records(gpu, crowd::RECORD)
}

/// What things are lit by.
fn lit_by(gpu: &Gpu, layouts: &Layouts, map: &wgpu::TextureView, shadows: &ShadowMaps) -> BindGroup {
    let device = gpu.device();
    let linear = wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..wgpu::SamplerDescriptor::default()
    };
    let smoothly = device.create_sampler(&linear);
    let compare =
        device.create_sampler(&wgpu::SamplerDescriptor { compare: Some(wgpu::CompareFunction::LessEqual), ..linear });
    let all = [
        BindingResource::TextureView(map),
        BindingResource::Sampler(&smoothly),
        BindingResource::TextureView(&shadows.all),
        BindingResource::Sampler(&compare),
    ];
    bind(device, &layouts.light, &all)
}

/// Two triangles for each quad of a chunk, cut from its south-west to its north-east corner, as heights are.
fn chunk_indices() -> Vec<u32> {
    let wide = CHUNK as u32 + 1;
    let quad = |k: u32| {
        let a = k / CHUNK as u32 * wide + k % CHUNK as u32;
        [a, a + 1, a + wide + 1, a, a + wide + 1, a + wide]
    };
    (0..(CHUNK * CHUNK) as u32).flat_map(quad).collect()
}
