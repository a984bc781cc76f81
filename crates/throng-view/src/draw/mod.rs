//! The renderer: it draws one frame of a run into a texture, be that a window's or a picture's.
//!
//! A frame is two lists. [`Painter::prepare`] computes: the field that is shown, who has been standing for how long, sums of
//! far crowds, what the window wants to know. [`Painter::paint`] draws: floor and fields, goals and walls, arrows, agents.
//! With the GPU engine all of it reads the engine's own buffers; with the CPU engine the crowd and one field are uploaded
//! into buffers of the same layout.

mod ground;
mod layout;
mod readout;
mod trails;
mod view;

pub use ground::{Ground, runs};
pub use readout::Readout;

use crate::camera::Camera;
use crate::look::{Look, Shade};
use crate::shot::Columns;
use glam::Vec2;
use ground::{Corner, Drawn, Line};
use layout::{Slot, bind, bind_buffers, group_layout, kernel, module, painter};
use readout::{Asked, Readouts};
use throng::engine::Engine as _;
use throng::engine::gpu::{Buffer as EngineBuffer, Column, Gpu, GpuEngine};
use throng::engine::{Direction, Field, TileState, Values};
use throng::scene::Scene;
use trails::Trails;
use view::{NONE, View};
use wgpu::{
    BindGroup, BindGroupLayout, Buffer, BufferUsages, ComputePass, ComputePipeline, RenderPass, RenderPipeline,
    ShaderStages,
};

/// Bodies whose drawn radius is below this are added up by pixel, px: one alone covers no pixel more than once.
const FAR: f32 = 0.56;
/// Between arrows, px at least.
const ARROWS: f32 = 26.0;
/// Side of a sprite's picture, px.
pub const SPRITE: u32 = 128;

/// The columns of a crowd on the device.
#[derive(Clone, Debug)]
pub struct Crowd {
    columns: [Buffer; 3],
    count: u32,
}

impl Crowd {
    /// The engine's own.
    #[must_use]
    pub fn of(engine: &GpuEngine) -> Self {
        Self { columns: Column::ALL.map(|c| engine.column(c).clone()), count: engine.capacity() }
    }
}

/// How pick.wgsl finds a field in one of the engine's buffers.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Pick {
    layout: u32,
    stride: u32,
    at: u32,
    two: u32,
    first: u32,
    tiles_wide: u32,
    factor: f32,
    /// Nobody heads for the goal that is asked about: there is no field.
    missing: u32,
}

/// Where a field's values come from.
#[derive(Clone, Debug)]
pub struct FieldSource(Option<(Buffer, Pick)>);

impl FieldSource {
    /// What was uploaded last.
    pub const UPLOADED: Self = Self(None);

    /// The engine's own buffer.
    #[must_use]
    pub fn of(engine: &GpuEngine, scene: &Scene, field: Field) -> Self {
        let grid = scene.grid;
        let tiles_wide = grid.width.div_ceil(16) as u32;
        let tiled = tiles_wide * grid.height.div_ceil(16) as u32 * 256;
        let plain = Pick { stride: 4, factor: 1.0, tiles_wide, ..Pick::default() };
        let d = |direction: Direction| direction.index() as u32;
        let routes = &engine.world().routes;
        // Of a goal that nobody heads for nothing is planned.
        let route = |goal: usize| routes.to_goal(goal).map_or((0, 1), |r| (r as u32, 0));
        let (buffer, pick) = match field {
            Field::Discomfort => (EngineBuffer::World, Pick { at: 2, ..plain }),
            Field::Density => (EngineBuffer::Average, plain),
            Field::Velocity => (EngineBuffer::Average, Pick { at: 1, two: 1, ..plain }),
            Field::Speed(direction) => (EngineBuffer::Speed, Pick { at: d(direction), ..plain }),
            Field::Cost(direction) => {
                (EngineBuffer::Cost, Pick { layout: 1, at: d(direction), factor: 1.0 / grid.cell, ..plain })
            }
            Field::Potential(goal) => {
                let (route, missing) = route(goal);
                (EngineBuffer::Potential, Pick { layout: 1, stride: 1, first: route * tiled, missing, ..plain })
            }
            Field::Gradient(goal) => {
                let (route, missing) = route(goal);
                let stride = routes.len().max(1) as u32;
                (EngineBuffer::Directions, Pick { layout: 2, stride, first: route, missing, ..plain })
            }
            _ => {
                let per_area = 1.0 / (throng::stages::splat::QUANTA * grid.cell * grid.cell);
                (EngineBuffer::Average, Pick { at: 3, factor: per_area, ..plain })
            }
        };
        Self(Some((engine.buffer(buffer).clone(), pick)))
    }
}

/// What a picture is cleared to before it is painted: the colour around the world.
pub const CLEAR: wgpu::Color = {
    let [r, g, b] = crate::colour::OUTSIDE;
    wgpu::Color { r: r as f64, g: g as f64, b: b as f64, a: 1.0 }
};

/// One frame: what to draw, and how.
#[derive(Debug)]
pub struct Frame<'a> {
    /// How it looks.
    pub look: &'a Look,
    /// Where one looks.
    pub camera: Camera,
    /// Top left corner and size of the view in the picture, px.
    pub origin: Vec2,
    /// Size of the view, px.
    pub size: Vec2,
    /// Who walks.
    pub crowd: Crowd,
    /// The field of the look, if it has one.
    pub field: Option<FieldSource>,
    /// Persons per square metre, if agents' colours need it.
    pub persons: Option<FieldSource>,
    /// Ends of the field's scale.
    pub limits: (f32, f32),
    /// Ends of the agents' scale.
    pub colouring_limits: (f32, f32),
    /// Time of the run, s, and how long before it the picture is.
    pub time: f64,
    /// Seconds to look back from the end of the last step: for what lies between two steps.
    pub back: f32,
    /// Whose values are wanted.
    pub chosen: Option<u32>,
    /// Where the pointer is, m.
    pub pointer: Option<Vec2>,
    /// Where was clicked, and how near somebody has to be, m.
    pub click: Option<(Vec2, f32)>,
}

#[derive(Debug)]
struct Layouts {
    view: BindGroupLayout,
    floor: BindGroupLayout,
    arrows: BindGroupLayout,
    agents: BindGroupLayout,
    cull: BindGroupLayout,
    sums: BindGroupLayout,
    resolve: BindGroupLayout,
    pick: BindGroupLayout,
    readout: BindGroupLayout,
    watch: BindGroupLayout,
}

#[derive(Debug)]
struct Pipelines {
    /// Without and with layers over the floor; with cells larger and smaller than pixels.
    floor: [[RenderPipeline; 2]; 2],
    fill: RenderPipeline,
    stroke: RenderPipeline,
    arrows: RenderPipeline,
    sprites: RenderPipeline,
    areas: RenderPipeline,
    resolve: RenderPipeline,
    count: ComputePipeline,
    offsets: ComputePipeline,
    list: ComputePipeline,
    add: ComputePipeline,
    pick: ComputePipeline,
    extent: ComputePipeline,
    nearest: ComputePipeline,
    which: ComputePipeline,
    find: ComputePipeline,
    watch: ComputePipeline,
    thin: ComputePipeline,
    follow: ComputePipeline,
}

/// What [`Painter::prepare`] leaves for [`Painter::paint`].
#[derive(Debug)]
struct Ready {
    view: BindGroup,
    floor: BindGroup,
    arrows: Option<(BindGroup, u32)>,
    agents: BindGroup,
    resolve: Option<BindGroup>,
    data: View,
}

/// Draws runs of one scene on one device.
#[derive(Debug)]
pub struct Painter {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: Pipelines,
    sampler: wgpu::Sampler,
    view: Buffer,
    palette: Buffer,
    /// Uploaded columns, for engines that keep the crowd elsewhere.
    uploaded: Option<Crowd>,
    shown: Buffer,
    persons: Buffer,
    pick_shown: Buffer,
    pick_persons: Buffer,
    ground: Buffer,
    tiles: Buffer,
    tiles_wide: u32,
    /// Whether the solver has any.
    has_tiles: bool,
    image: wgpu::TextureView,
    image_size: Option<Vec2>,
    sprites: Buffer,
    pictures: wgpu::TextureView,
    sums: Buffer,
    /// Who is in view: sums of blocks, the list, and how much to draw.
    blocks: Buffer,
    visible: Buffer,
    arguments: Buffer,
    corners: (Buffer, Buffer, u32),
    lines: (Buffer, u32),
    waited: Buffer,
    trails: Trails,
    trails_buffer: Buffer,
    watched: Option<f64>,
    readouts: Readouts,
    ready: Option<Ready>,
    cells: [u32; 2],
    cell: f32,
    goals: u32,
    /// The widest body, m.
    radius: f32,
    queries: Option<Queries>,
}

#[derive(Debug)]
struct Queries {
    set: wgpu::QuerySet,
    resolved: Buffer,
    read: Buffer,
}

fn buffer(gpu: &Gpu, label: &str, bytes: u64, usage: BufferUsages) -> Buffer {
    gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes.next_multiple_of(16).max(64),
        usage: usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

fn filled<T: bytemuck::Pod>(gpu: &Gpu, label: &str, values: &[T], usage: BufferUsages) -> Buffer {
    let made = buffer(gpu, label, size_of_val(values) as u64, usage);
    gpu.queue().write_buffer(&made, 0, bytemuck::cast_slice(values));
    made
}

/// So many threads in workgroups of 256, in two dimensions where one does not hold them.
fn dispatch(pass: &mut ComputePass<'_>, threads: u64) {
    let groups = threads.div_ceil(256).max(1);
    let rows = groups.div_ceil(65_535);
    pass.dispatch_workgroups(groups.div_ceil(rows) as u32, rows as u32, 1);
}

impl Painter {
    /// For a scene, into textures of a format (one that is not sRGB: colours are given as they are shown).
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene) -> Self {
        let device = gpu.device();
        let all = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
        let (compute, fragment) = (ShaderStages::COMPUTE, ShaderStages::FRAGMENT);
        use Slot::{Image, Images, Read, Sampler, Uniform, VertexRead, Write};
        let layouts = Layouts {
            view: group_layout(device, "view", all, &[Uniform, Read]),
            floor: group_layout(device, "floor", fragment, &[Read, Read, Read, Image, Sampler]),
            arrows: group_layout(device, "arrows", ShaderStages::VERTEX, &[Read]),
            agents: group_layout(
                device,
                "agents",
                all,
                &[Read, Read, Read, Read, Read, VertexRead, Images, Sampler, VertexRead],
            ),
            cull: group_layout(device, "cull", compute, &[Read, Read, Read, Write, Write, Write]),
            sums: group_layout(device, "sums", compute, &[Write]),
            resolve: group_layout(device, "resolve", fragment, &[Read]),
            pick: group_layout(device, "pick", compute, &[Uniform, Read, Write]),
            readout: group_layout(device, "readout", compute, &[Read, Read, Read, Read, Read, Write]),
            watch: group_layout(device, "watch", compute, &[Read, Read, Write, Write, Write]),
        };
        let common = include_str!("common.wgsl");
        let floor = module(device, "floor", &[common, include_str!("floor.wgsl")]);
        let shapes = module(device, "shapes", &[common, include_str!("shapes.wgsl")]);
        let arrows = module(device, "arrows", &[common, include_str!("arrows.wgsl")]);
        let agents = module(device, "agents", &[common, include_str!("agents.wgsl")]);
        let far = module(device, "far", &[common, include_str!("agents.wgsl"), include_str!("far.wgsl")]);
        let cull = module(device, "cull", &[common, include_str!("cull.wgsl")]);
        let resolve = module(device, "resolve", &[common, include_str!("resolve.wgsl")]);
        let pick = module(device, "pick", &[common, include_str!("pick.wgsl")]);
        let readout = module(device, "readout", &[common, include_str!("readout.wgsl")]);
        let watch = module(device, "watch", &[common, include_str!("watch.wgsl")]);
        let l = &layouts;
        let draw = |shader, entries, groups: &[&BindGroupLayout], buffers: &[wgpu::VertexBufferLayout<'_>]| {
            painter(device, format, shader, entries, &[], groups, buffers)
        };
        let ground = |layers: bool, small: bool| {
            let constants = [("LAYERS", f64::from(u8::from(layers))), ("SMALL_CELLS", f64::from(u8::from(small)))];
            let entries = ("whole_world", "ground_colour");
            painter(device, format, &floor, entries, &constants, &[&l.view, &l.floor], &[])
        };
        let corner = wgpu::vertex_attr_array![0 => Float32x2, 1 => Unorm8x4, 2 => Uint32];
        let line = wgpu::vertex_attr_array![0 => Float32x4, 1 => Unorm8x4, 2 => Uint32, 3 => Float32];
        let corners = wgpu::VertexBufferLayout {
            array_stride: size_of::<Corner>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &corner,
        };
        let lines = wgpu::VertexBufferLayout {
            array_stride: size_of::<Line>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &line,
        };
        let pipelines = Pipelines {
            floor: [[ground(false, false), ground(false, true)], [ground(true, false), ground(true, true)]],
            fill: draw(&shapes, ("filled", "fill"), &[&l.view], &[corners]),
            stroke: draw(&shapes, ("lined", "stroke"), &[&l.view], &[lines]),
            arrows: draw(&arrows, ("arrow", "draw"), &[&l.view, &l.arrows], &[]),
            sprites: draw(&agents, ("sprite_corner", "sprite"), &[&l.view, &l.agents], &[]),
            areas: draw(&agents, ("area", "touched"), &[&l.view, &l.agents], &[]),
            resolve: draw(&resolve, ("everywhere", "resolve"), &[&l.view, &l.resolve], &[]),
            count: kernel(device, &cull, "count", &[&l.view, &l.cull]),
            offsets: kernel(device, &cull, "offsets", &[&l.view, &l.cull]),
            list: kernel(device, &cull, "list", &[&l.view, &l.cull]),
            add: kernel(device, &far, "add", &[&l.view, &l.agents, &l.sums]),
            pick: kernel(device, &pick, "pick", &[&l.view, &l.pick]),
            extent: kernel(device, &readout, "extent", &[&l.view, &l.readout]),
            nearest: kernel(device, &readout, "nearest", &[&l.view, &l.readout]),
            which: kernel(device, &readout, "which", &[&l.view, &l.readout]),
            find: kernel(device, &readout, "find", &[&l.view, &l.readout]),
            watch: kernel(device, &watch, "watch", &[&l.view, &l.watch]),
            thin: kernel(device, &watch, "thin", &[&l.view, &l.watch]),
            follow: kernel(device, &watch, "follow", &[&l.view, &l.watch]),
        };
        let storage = BufferUsages::STORAGE;
        let grid = scene.grid;
        let field_bytes = grid.len() as u64 * 8;
        let tiles_wide = grid.width.div_ceil(16) as u32;
        let tiles = u64::from(tiles_wide) * grid.height.div_ceil(16) as u64;
        let trails = Trails::new((scene.agent_count() as u32).saturating_add(1024));
        let timed = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let queries = timed.then(|| Queries {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(gpu, "frame times", 16, BufferUsages::QUERY_RESOLVE),
            read: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame times"),
                size: 16,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        });
        Self {
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            view: buffer(gpu, "view", size_of::<View>() as u64, BufferUsages::UNIFORM),
            palette: filled(gpu, "palette", &crate::colour::table(), storage),
            uploaded: None,
            shown: buffer(gpu, "shown", field_bytes, storage),
            persons: buffer(gpu, "persons", field_bytes, storage),
            pick_shown: buffer(gpu, "pick", size_of::<Pick>() as u64, BufferUsages::UNIFORM),
            pick_persons: buffer(gpu, "pick", size_of::<Pick>() as u64, BufferUsages::UNIFORM),
            ground: buffer(gpu, "floor", grid.len() as u64 * 4, storage),
            tiles: buffer(gpu, "tiles", tiles * 4, storage),
            tiles_wide,
            has_tiles: false,
            image: images(gpu, "no background", 1, &[vec![0; 4]], false),
            image_size: None,
            sprites: filled(gpu, "sprites", &vec![0u32; scene.groups.len().max(1) + 64], storage),
            pictures: images(gpu, "no sprites", 1, &[vec![0; 4]], true),
            sums: buffer(gpu, "sums", 64, storage),
            blocks: buffer(gpu, "blocks", 64, storage),
            visible: buffer(gpu, "visible", 64, storage),
            arguments: buffer(gpu, "arguments", 16, storage | BufferUsages::INDIRECT),
            corners: (
                buffer(gpu, "corners", 0, BufferUsages::VERTEX),
                buffer(gpu, "triangles", 0, BufferUsages::INDEX),
                0,
            ),
            lines: (buffer(gpu, "lines", 0, BufferUsages::VERTEX), 0),
            waited: buffer(gpu, "waited", u64::from(trails.known) * 4, storage),
            trails_buffer: buffer(gpu, "trails", trails.bytes(), storage),
            trails,
            watched: None,
            readouts: Readouts::new(gpu),
            ready: None,
            cells: [grid.width as u32, grid.height as u32],
            cell: grid.cell,
            goals: scene.goals.len() as u32,
            radius: if scene.groups.is_empty() { 0.2 } else { scene.widest_radius() },
            gpu: gpu.clone(),
            layouts,
            pipelines,
            queries,
        }
    }

    /// Takes on walls, goals, zones and the ground.
    pub fn set_ground(&mut self, ground: &Ground) {
        self.gpu.queue().write_buffer(&self.ground, 0, bytemuck::cast_slice(&ground.cells()));
        let drawn = Drawn::new(ground);
        let (gpu, corners) = (&self.gpu, &drawn.corners);
        self.corners = (
            filled(gpu, "corners", &corners.vertices, BufferUsages::VERTEX),
            filled(gpu, "triangles", &corners.indices, BufferUsages::INDEX),
            corners.indices.len() as u32,
        );
        self.lines = (filled(gpu, "lines", &drawn.lines, BufferUsages::VERTEX), drawn.lines.len() as u32);
    }

    /// Takes on a background image, RGBA, north row first, of any size; it is shown over the whole world.
    pub fn set_background(&mut self, width: u32, height: u32, pixels: &[u8]) {
        let most = self.gpu.device().limits().max_texture_dimension_2d;
        let Some(mut image) = image::RgbaImage::from_raw(width, height, pixels.to_vec()) else { return };
        while image.width() > most || image.height() > most {
            image = halved(&image);
        }
        self.image_size = Some(Vec2::new(image.width() as f32, image.height() as f32));
        self.image = images(&self.gpu, "background", image.width(), &[image.into_raw()], false);
    }

    /// What each group looks like: 0 a person, 1 a disc, 2 an arrow, from 3 on one of the pictures (RGBA, [`SPRITE`] pixels
    /// wide and high, facing east).
    pub fn set_sprites(&mut self, kinds: &[u32], pictures: &[Vec<u8>]) {
        let mut kinds = kinds.to_vec();
        // Groups may come while it runs.
        kinds.resize(kinds.len() + 1024, 0);
        self.sprites = filled(&self.gpu, "sprites", &kinds, BufferUsages::STORAGE);
        if !pictures.is_empty() {
            self.pictures = images(&self.gpu, "sprites", SPRITE, pictures, true);
        }
    }

    /// Takes on a crowd that is not on the device.
    pub fn upload_crowd(&mut self, columns: &Columns) -> Crowd {
        let count = columns.journey.len() as u32;
        let room = self.uploaded.as_ref().is_some_and(|c| c.columns[2].size() >= 16 * u64::from(count));
        if !room {
            // Only who is on the floor is there: all of them, so that it need not grow with everybody who enters.
            let room = u64::from(count.max(self.trails.known));
            let make = |per: u64| buffer(&self.gpu, "crowd", room * per, BufferUsages::STORAGE);
            self.uploaded = Some(Crowd { columns: [make(16), make(16), make(16)], count });
        }
        let crowd = self.uploaded.as_mut().expect("made above");
        crowd.count = count;
        let queue = self.gpu.queue();
        queue.write_buffer(&crowd.columns[0], 0, bytemuck::cast_slice(&columns.motion));
        queue.write_buffer(&crowd.columns[1], 0, bytemuck::cast_slice(&columns.body));
        queue.write_buffer(&crowd.columns[2], 0, bytemuck::cast_slice(&columns.journey));
        crowd.clone()
    }

    /// Takes on a field that is not on the device.
    pub fn upload_field(&self, values: &Values) {
        self.upload(&self.shown, values);
    }

    /// Takes on persons per square metre that are not on the device.
    pub fn upload_persons(&self, values: &Values) {
        self.upload(&self.persons, values);
    }

    fn upload(&self, to: &Buffer, values: &Values) {
        let pairs: Vec<[f32; 2]> = match values {
            Values::Scalar(list) => list.iter().map(|&v| [v, 0.0]).collect(),
            Values::Vector(list) => list.clone(),
        };
        let room = to.size() as usize / 8;
        self.gpu.queue().write_buffer(to, 0, bytemuck::cast_slice(&pairs[..pairs.len().min(room)]));
    }

    /// Takes on the states of the solver's tiles; `round` is the round done last, where it is done round by round.
    pub fn set_tiles(&mut self, tiles: &[TileState], round: Option<u32>) {
        self.has_tiles = !tiles.is_empty();
        let code = |t: &TileState| match t {
            _ if t.visits == 0 && !t.waiting => 0,
            _ if t.waiting => 3,
            _ if round.is_some() && t.last_round == round => 2,
            _ => 1u32,
        };
        let codes: Vec<u32> = tiles.iter().map(code).collect();
        let room = self.tiles.size() as usize / 4;
        self.gpu.queue().write_buffer(&self.tiles, 0, bytemuck::cast_slice(&codes[..codes.len().min(room)]));
    }

    /// Forgets who was where: the run has begun again.
    pub fn forget(&mut self) {
        let known = self.trails.known;
        self.remember(known);
    }

    fn remember(&mut self, known: u32) {
        self.trails = Trails::new(known);
        self.waited = buffer(&self.gpu, "waited", u64::from(known) * 4, BufferUsages::STORAGE);
        self.trails_buffer = buffer(&self.gpu, "trails", self.trails.bytes(), BufferUsages::STORAGE);
        self.watched = None;
    }

    /// Computes what a frame needs.
    pub fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>) {
        if frame.crowd.count > self.trails.known {
            self.remember(frame.crowd.count + frame.crowd.count / 4);
        }
        let elapsed = self.watched.map_or(0.0, |before| frame.time - before);
        let due = if elapsed < 0.0 { None } else { self.trails.at(frame.time) };
        let watch = self.watched != Some(frame.time);
        self.watched = Some(frame.time);
        let data = self.data(frame, elapsed.max(0.0) as f32, due.map(|d| d.slot).filter(|_| watch));
        let far = data.scale * data.body * self.radius < FAR;
        let device = self.gpu.device().clone();
        let view = bind_buffers(&device, &self.layouts.view, &[&self.view, &self.palette]);
        let [motion, body, journey] = &frame.crowd.columns;
        let lists = data.agents > 0 && ((!far && data.agents_opacity > 0.0) || data.splats > 0.0);
        if lists && self.visible.size() < 4 * u64::from(data.agents) {
            let room = u64::from(data.agents);
            self.visible = buffer(&self.gpu, "visible", 4 * room, BufferUsages::STORAGE);
            self.blocks = buffer(&self.gpu, "blocks", 4 * room.div_ceil(256), BufferUsages::STORAGE);
        }
        let agents = bind(
            &device,
            &self.layouts.agents,
            &[
                motion.as_entire_binding(),
                body.as_entire_binding(),
                journey.as_entire_binding(),
                self.waited.as_entire_binding(),
                self.persons.as_entire_binding(),
                self.sprites.as_entire_binding(),
                wgpu::BindingResource::TextureView(&self.pictures),
                wgpu::BindingResource::Sampler(&self.sampler),
                self.visible.as_entire_binding(),
            ],
        );
        let floor = bind(
            &device,
            &self.layouts.floor,
            &[
                self.ground.as_entire_binding(),
                self.shown.as_entire_binding(),
                self.tiles.as_entire_binding(),
                wgpu::BindingResource::TextureView(&self.image),
                wgpu::BindingResource::Sampler(&self.sampler),
            ],
        );
        let drawn = data.agents > 0 && frame.look.agents > 0.0;
        let resolve = (far && drawn).then(|| {
            let bytes = data.size[0] as u64 * data.size[1] as u64 * 16;
            if self.sums.size() < bytes {
                self.sums = buffer(&self.gpu, "sums", bytes, BufferUsages::STORAGE);
            }
            encoder.clear_buffer(&self.sums, 0, Some(bytes.next_multiple_of(4)));
            bind_buffers(&device, &self.layouts.resolve, &[&self.sums])
        });
        let arrows = (frame.look.arrows && data.shade > 1).then(|| {
            let rows = arrow_blocks(&data, frame.camera).1;
            (bind_buffers(&device, &self.layouts.arrows, &[&self.shown]), data.arrow_across * rows)
        });
        let asks = self.readouts.has_room();
        if asks {
            self.readouts.reset(&self.gpu);
        }
        // Thinning needs its own number of slots: it is a pass with other numbers, before the frame's.
        if let Some(used) = due.and_then(|d| d.thin).filter(|_| watch) {
            self.thin(&view, frame, View { slots: used, ..data });
        }
        self.gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(&data));
        let timestamp_writes = self.queries.as_ref().map(|q| wgpu::ComputePassTimestampWrites {
            query_set: &q.set,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: None,
        });
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("frame"), timestamp_writes });
        pass.set_bind_group(0, &view, &[]);
        let (agents_n, cells_n) = (u64::from(data.agents), u64::from(data.cells[0]) * u64::from(data.cells[1]));
        let fields =
            [(&frame.field, &self.shown, &self.pick_shown), (&frame.persons, &self.persons, &self.pick_persons)];
        for (source, to, how) in fields {
            if let Some(FieldSource(Some((from, pick)))) = source {
                self.gpu.queue().write_buffer(how, 0, bytemuck::bytes_of(pick));
                pass.set_pipeline(&self.pipelines.pick);
                pass.set_bind_group(1, &bind_buffers(&device, &self.layouts.pick, &[how, from, to]), &[]);
                dispatch(&mut pass, cells_n);
            }
        }
        let watched = [motion, journey, &self.waited, &self.trails_buffer, &self.readouts.path];
        let memory = bind_buffers(&device, &self.layouts.watch, &watched);
        if watch && agents_n > 0 {
            pass.set_pipeline(&self.pipelines.watch);
            pass.set_bind_group(1, &memory, &[]);
            dispatch(&mut pass, agents_n);
        }
        if lists {
            let buffers = [motion, body, journey, &self.blocks, &self.visible, &self.arguments];
            pass.set_bind_group(1, &bind_buffers(&device, &self.layouts.cull, &buffers), &[]);
            for (kernel, threads) in
                [(&self.pipelines.count, agents_n), (&self.pipelines.offsets, 1), (&self.pipelines.list, agents_n)]
            {
                pass.set_pipeline(kernel);
                dispatch(&mut pass, threads);
            }
        }
        if resolve.is_some() {
            pass.set_pipeline(&self.pipelines.add);
            pass.set_bind_group(1, &agents, &[]);
            pass.set_bind_group(2, &bind_buffers(&device, &self.layouts.sums, &[&self.sums]), &[]);
            dispatch(&mut pass, agents_n);
        }
        let asked = Asked {
            field: frame.field.is_some(),
            probe: frame.field.is_some() && frame.pointer.is_some(),
            click: frame.click.is_some(),
            chosen: frame.chosen.is_some(),
            slots: data.slots as usize,
        };
        let asks = asks && (asked.field || asked.click || asked.chosen);
        if asks {
            let out = [motion, body, journey, &self.shown, &self.waited, &self.readouts.out];
            pass.set_bind_group(1, &bind_buffers(&device, &self.layouts.readout, &out), &[]);
            if asked.field {
                pass.set_pipeline(&self.pipelines.extent);
                dispatch(&mut pass, cells_n);
            }
            if asked.click {
                for kernel in [&self.pipelines.nearest, &self.pipelines.which] {
                    pass.set_pipeline(kernel);
                    dispatch(&mut pass, agents_n);
                }
            }
            if asked.chosen || asked.probe {
                pass.set_pipeline(&self.pipelines.find);
                dispatch(&mut pass, agents_n.max(1));
            }
            if asked.chosen {
                pass.set_pipeline(&self.pipelines.follow);
                pass.set_bind_group(1, &memory, &[]);
                dispatch(&mut pass, readout::PATH as u64);
            }
        }
        drop(pass);
        if asks {
            self.readouts.copy(encoder, asked);
        }
        self.ready = Some(Ready { view, floor, arrows, agents, resolve, data });
    }

    fn thin(&self, view: &BindGroup, frame: &Frame<'_>, data: View) {
        self.gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(&data));
        let device = self.gpu.device();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        let [motion, _, journey] = &frame.crowd.columns;
        let watched = [motion, journey, &self.waited, &self.trails_buffer, &self.readouts.path];
        pass.set_bind_group(0, view, &[]);
        pass.set_bind_group(1, &bind_buffers(device, &self.layouts.watch, &watched), &[]);
        pass.set_pipeline(&self.pipelines.thin);
        dispatch(&mut pass, u64::from(data.known));
        drop(pass);
        self.gpu.queue().submit([encoder.finish()]);
    }

    fn data(&self, frame: &Frame<'_>, elapsed: f32, slot: Option<u32>) -> View {
        let look = frame.look;
        let size = frame.size.floor().max(Vec2::ONE);
        let world = Vec2::new(self.cells[0] as f32, self.cells[1] as f32) * self.cell;
        let scale = frame.camera.scale;
        let shade = match look.overlay.filter(|_| frame.field.is_some()).map(crate::look::Overlay::shade) {
            None => 0,
            Some(Shade::Amount) => 1,
            Some(Shade::Length) => 2,
            Some(Shade::Wheel) => 3,
        };
        let arrow_every = (ARROWS / (self.cell * scale)).ceil().max(1.0);
        let longest = if shade == 3 { 1.0 } else { frame.limits.1.max(1e-6) };
        let background_level = self.image_size.map_or(0.0, |texels| (texels.x / (world.x * scale)).log2().max(0.0));
        let mut data = View {
            centre: frame.camera.centre.to_array(),
            size: size.to_array(),
            origin: frame.origin.to_array(),
            world: world.to_array(),
            scale,
            back: frame.back,
            cell: self.cell,
            body: look.body,
            cells: self.cells,
            agents: frame.crowd.count,
            goals: self.goals,
            colouring: look.colouring as u32,
            low: frame.colouring_limits.0,
            high: frame.colouring_limits.1,
            agents_opacity: look.agents,
            shade,
            field_low: frame.limits.0,
            field_high: frame.limits.1,
            field_opacity: look.field,
            smooth_field: u32::from(look.smooth),
            background: if self.image_size.is_some() { look.background } else { 0.0 },
            background_level,
            walls: look.walls,
            goals_opacity: look.goals,
            splats: look.splats,
            tiles: if self.has_tiles { look.tiles } else { 0.0 },
            tiles_wide: self.tiles_wide,
            pointer: frame.pointer.unwrap_or(Vec2::splat(-1.0)).to_array(),
            click: frame.click.map_or(Vec2::ZERO, |c| c.0).to_array(),
            reach: frame.click.map_or(0.0, |c| c.1),
            chosen: frame.chosen.unwrap_or(NONE),
            elapsed,
            slot: slot.unwrap_or(NONE),
            known: self.trails.known,
            slots: self.trails.used,
            arrow_every: arrow_every as u32,
            stretch: 0.9 * arrow_every * self.cell * scale / longest,
            arrow_first: [0, 0],
            arrow_across: 1,
            pad: 0,
        };
        (data.arrow_first, _, data.arrow_across) = arrow_blocks(&data, frame.camera);
        data
    }

    /// Whether the next frame can ask something: answers of three may be on their way.
    #[must_use]
    pub fn can_ask(&self) -> bool {
        self.readouts.has_room()
    }

    /// Draws what [`Painter::prepare`] prepared.
    pub fn paint(&self, pass: &mut RenderPass<'_>) {
        let Some(ready) = &self.ready else { return };
        let View { origin, size, agents, .. } = ready.data;
        pass.set_viewport(origin[0], origin[1], size[0], size[1], 0.0, 1.0);
        pass.set_scissor_rect(origin[0] as u32, origin[1] as u32, size[0] as u32, size[1] as u32);
        pass.set_bind_group(0, &ready.view, &[]);
        let v = &ready.data;
        let layers = v.background > 0.0 || v.shade != 0 || v.tiles > 0.0;
        let small = v.cell * v.scale < 1.0;
        pass.set_pipeline(&self.pipelines.floor[usize::from(layers)][usize::from(small)]);
        pass.set_bind_group(1, &ready.floor, &[]);
        pass.draw(0..6, 0..1);
        let (vertices, indices, count) = &self.corners;
        if *count > 0 {
            pass.set_pipeline(&self.pipelines.fill);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..*count, 0, 0..1);
        }
        if self.lines.1 > 0 {
            pass.set_pipeline(&self.pipelines.stroke);
            pass.set_vertex_buffer(0, self.lines.0.slice(..));
            pass.draw(0..6, 0..self.lines.1);
        }
        if let Some((group, count)) = &ready.arrows {
            pass.set_pipeline(&self.pipelines.arrows);
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..6 * count, 0..1);
        }
        pass.set_bind_group(1, &ready.agents, &[]);
        if ready.data.splats > 0.0 && agents > 0 {
            pass.set_pipeline(&self.pipelines.areas);
            pass.draw_indirect(&self.arguments, 0);
        }
        if ready.data.agents_opacity > 0.0 && agents > 0 {
            if let Some(group) = &ready.resolve {
                pass.set_pipeline(&self.pipelines.resolve);
                pass.set_bind_group(1, group, &[]);
                pass.draw(0..3, 0..1);
            } else {
                pass.set_pipeline(&self.pipelines.sprites);
                pass.draw_indirect(&self.arguments, 0);
            }
        }
    }

    /// The render pass's last timestamp: pass this on so that [`Painter::frame_ms`] knows when drawing ended.
    #[must_use]
    pub fn end_of_frame(&self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.queries.as_ref().map(|q| wgpu::RenderPassTimestampWrites {
            query_set: &q.set,
            beginning_of_pass_write_index: None,
            end_of_pass_write_index: Some(1),
        })
    }

    /// After the render pass, where times are wanted.
    pub fn note_times(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(q) = &self.queries {
            encoder.resolve_query_set(&q.set, 0..2, &q.resolved, 0);
            encoder.copy_buffer_to_buffer(&q.resolved, 0, &q.read, 0, 16);
        }
    }

    /// How long the GPU took for the frame that [`Painter::note_times`] noted, ms. Waits for it.
    #[must_use]
    pub fn frame_ms(&self) -> Option<f64> {
        let q = self.queries.as_ref()?;
        q.read.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.gpu.device().poll(wgpu::PollType::wait_indefinitely()).ok()?;
        let bytes = q.read.slice(..).get_mapped_range().ok()?.to_vec();
        q.read.unmap();
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        Some(ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.gpu.queue().get_timestamp_period()) * 1e-6)
    }

    /// After the frame was submitted.
    pub fn sent(&mut self) {
        self.readouts.sent();
    }

    /// What a frame before found out, if it is there; with `wait` until it is.
    pub fn readout(&mut self, wait: bool) -> Option<Readout> {
        self.readouts.take(&self.gpu, wait)
    }
}

/// Blocks of cells with an arrow each that are in view: the first, how many rows, how many beside each other.
fn arrow_blocks(data: &View, camera: Camera) -> ([u32; 2], u32, u32) {
    let shown = camera.shown(Vec2::from(data.size));
    let side = data.arrow_every as f32 * data.cell;
    let range = |low: f32, high: f32, cells: u32| {
        let all = cells.div_ceil(data.arrow_every);
        let first = ((low / side).floor().max(0.0) as u32).min(all);
        let last = ((high / side).ceil().max(0.0) as u32).min(all);
        (first, last.saturating_sub(first))
    };
    let (x, across) = range(shown.min.x, shown.max.x, data.cells[0]);
    let (y, rows) = range(shown.min.y, shown.max.y, data.cells[1]);
    // Nothing in view: no rows, and something to divide by.
    ([x, y], if across == 0 { 0 } else { rows }, across.max(1))
}

/// Whether a scene can be drawn on a device: what a shader can be given is limited.
///
/// # Errors
/// Why not, in a sentence.
pub fn check(gpu: &Gpu, scene: &Scene, on_gpu: bool) -> Result<(), String> {
    let limits = gpu.device().limits();
    let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let name = &gpu.info().name;
    let cells = scene.grid.len() as u64;
    if cells * 8 > most {
        return Err(format!("{} has {cells} cells, and {name} can draw {}: use larger cells", scene.name, most / 8));
    }
    let agents = scene.agent_count();
    if !on_gpu && (agents + 1024) * 16 > most {
        return Err(format!("{} has {agents} agents, and {name} can be given {}", scene.name, most / 16));
    }
    Ok(())
}

fn halved(image: &image::RgbaImage) -> image::RgbaImage {
    let (w, h) = ((image.width() / 2).max(1), (image.height() / 2).max(1));
    image::imageops::thumbnail(image, w, h)
}

/// A texture with smaller copies of itself; all layers have the size of the first.
fn images(gpu: &Gpu, label: &str, width: u32, layers: &[Vec<u8>], array: bool) -> wgpu::TextureView {
    let height = (layers[0].len() / 4) as u32 / width;
    let levels = 32 - width.max(height).leading_zeros();
    let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers.len() as u32 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (z, pixels) in (0u32..).zip(layers) {
        let mut image = image::RgbaImage::from_raw(width, height, pixels.clone()).expect("all layers are of one size");
        for mip_level in 0..levels {
            gpu.queue().write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level,
                    origin: wgpu::Origin3d { x: 0, y: 0, z },
                    aspect: wgpu::TextureAspect::All,
                },
                &image,
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * image.width()), rows_per_image: None },
                wgpu::Extent3d { width: image.width(), height: image.height(), depth_or_array_layers: 1 },
            );
            image = halved(&image);
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(if array { wgpu::TextureViewDimension::D2Array } else { wgpu::TextureViewDimension::D2 }),
        ..wgpu::TextureViewDescriptor::default()
    })
}
