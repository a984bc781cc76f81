//! The renderer: it draws one frame of a run into a texture, be that a window's or a picture's.
//!
//! A frame is two lists. [`Painter::prepare`] computes: the field that is shown, who has been standing for how long, sums of
//! far crowds, what the window wants to know. [`Painter::paint`] draws: floor and fields, goals and walls, arrows, agents.
//! With the GPU engine all of it reads the engine's own buffers; with the CPU engine the crowd and one field are uploaded
//! into buffers of the same layout.

pub(crate) mod ground;
pub(crate) mod layout;
pub(crate) mod memory;
mod pen;
mod pipelines;
pub(crate) mod prepare;
mod readout;
mod source;
mod times;
mod trails;
mod view;

pub use ground::{Door, Ground, runs};
pub(crate) use pen::Pen;
pub use readout::Readout;
pub use source::{Crowd, FieldSource};

use crate::camera::Camera;
use crate::look::Look;
use crate::shot::Columns;
use glam::Vec2;
use ground::Drawn;
use memory::{buffer, filled, halved, images};
use pipelines::{Layouts, Pipelines};
use prepare::Ready;
use readout::Readouts;
use source::Pick;
use throng::engine::gpu::Gpu;
use throng::engine::{TileState, Values};
use throng::scene::{Group, MachineState, Scene};
pub use times::FrameTimes;
use times::Queries;
use trails::Trails;
use view::View;
use wgpu::{Buffer, BufferUsages, RenderPass};

/// Bodies whose drawn radius is below this are added up by pixel, px: one alone covers no pixel more than once.
const FAR: f32 = 0.56;
/// Between arrows, px at least.
const ARROWS: f32 = 26.0;
/// Pieces of a ribbon from one moment to the next.
const RIBBON_PIECES: u32 = 3;
/// Side of a sprite's picture, px.
pub const SPRITE: u32 = 128;

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
    /// Groups whose people are to be counted, from the first on: those of a crowd that only the device has.
    pub groups: usize,
}

/// What pictures in three dimensions take from a prepared frame: see common.wgsl and colouring.wgsl.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) view: &'a wgpu::BindGroup,
    pub(crate) waited: &'a Buffer,
    pub(crate) persons: &'a Buffer,
    /// Ids that there is room for.
    pub(crate) known: u32,
}

/// A place of a trail where somebody was not: watch.wgsl's.
const ABSENT: [f32; 2] = [-1.0e9; 2];

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
    /// The tiles as they are shown; none if the solver has none.
    tile_codes: Vec<u32>,
    /// How often what lies on the ground was told anew.
    changes: u64,
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
    /// Where everybody is now, by id.
    present: Buffer,
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

impl Painter {
    /// For a scene, into textures of a format (one that is not sRGB: colours are given as they are shown).
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, scene: &Scene) -> Self {
        let device = gpu.device();
        let layouts = Layouts::new(device);
        let storage = BufferUsages::STORAGE;
        let grid = scene.grid;
        let field_bytes = grid.len() as u64 * 8;
        let tiles_wide = grid.width.div_ceil(16) as u32;
        let tiles = u64::from(tiles_wide) * grid.height.div_ceil(16) as u64;
        let trails = Trails::new((scene.agent_count() as u32).saturating_add(1024));
        Self {
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            view: buffer(gpu, "view", size_of::<View>() as u64, BufferUsages::UNIFORM),
            palette: filled(gpu, "palette", &crate::colour::table(&scene.states, &scene.groups), storage),
            uploaded: None,
            shown: buffer(gpu, "shown", field_bytes, storage),
            persons: buffer(gpu, "persons", field_bytes, storage),
            pick_shown: buffer(gpu, "pick", size_of::<Pick>() as u64, BufferUsages::UNIFORM),
            pick_persons: buffer(gpu, "pick", size_of::<Pick>() as u64, BufferUsages::UNIFORM),
            ground: buffer(gpu, "floor", grid.len() as u64 * 4, storage),
            tiles: buffer(gpu, "tiles", tiles * 4, storage),
            tiles_wide,
            tile_codes: Vec::new(),
            changes: 0,
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
            present: buffer(gpu, "present", u64::from(trails.known) * 16, storage),
            trails,
            watched: None,
            readouts: Readouts::new(gpu),
            ready: None,
            cells: [grid.width as u32, grid.height as u32],
            cell: grid.cell,
            goals: scene.goals.len() as u32,
            radius: if scene.groups.is_empty() { 0.2 } else { scene.widest_radius() },
            gpu: gpu.clone(),
            pipelines: Pipelines::new(device, format, &layouts),
            layouts,
            queries: Queries::new(gpu),
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

    /// Takes on states and groups, whose colours may differ.
    pub fn set_states(&mut self, states: &[MachineState], groups: &[Group]) {
        let table = crate::colour::table(states, groups);
        self.palette = filled(&self.gpu, "palette", &table, BufferUsages::STORAGE);
    }

    /// Of a crowd that is not on the device, how many the device can be given.
    #[must_use]
    pub fn most_agents(&self) -> u64 {
        most_records(&self.gpu, 16)
    }

    /// Takes on a crowd that is not on the device: the first of it, if the device cannot be given all.
    pub fn upload_crowd(&mut self, columns: &Columns) -> Crowd {
        let count = (columns.journey.len() as u64).min(self.most_agents()) as u32;
        let room = self.uploaded.as_ref().is_some_and(|c| c.columns[2].size() >= 16 * u64::from(count));
        if !room {
            // Only who is on the floor is there: all of them, so that it need not grow with everybody who enters.
            let room = u64::from(count.max(self.trails.known)).min(self.most_agents());
            let make = |per: u64| buffer(&self.gpu, "crowd", room * per, BufferUsages::STORAGE);
            self.uploaded =
                Some(Crowd { columns: [make(16), make(16), make(16)], own: Vec::new(), count, ids: columns.ids });
        }
        let crowd = self.uploaded.as_mut().expect("made above");
        (crowd.count, crowd.ids) = (count, columns.ids);
        let queue = self.gpu.queue();
        let n = count as usize;
        queue.write_buffer(&crowd.columns[0], 0, bytemuck::cast_slice(&columns.motion[..n]));
        queue.write_buffer(&crowd.columns[1], 0, bytemuck::cast_slice(&columns.body[..n]));
        queue.write_buffer(&crowd.columns[2], 0, bytemuck::cast_slice(&columns.journey[..n]));
        let room = crowd.columns[2].size() / 16;
        let own = columns.own.iter().enumerate().map(|(k, o)| {
            // Those of the last crowd, if they are of the same model and as large.
            let bytes = 4 * o.column.width as u64 * room;
            let old = crowd.own.get(k).filter(|(column, buffer)| *column == o.column && buffer.size() >= bytes);
            let to = old.map_or_else(|| buffer(&self.gpu, "crowd", bytes, BufferUsages::STORAGE), |(_, b)| b.clone());
            queue.write_buffer(&to, 0, bytemuck::cast_slice(&o.values[..n * o.column.width]));
            (o.column, to)
        });
        crowd.own = own.collect();
        crowd.clone()
    }

    /// Takes on a field that is not on the device.
    pub fn upload_field(&mut self, values: &Values) {
        self.upload(&self.shown, values);
        self.changes += 1;
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
        let code = |t: &TileState| match t {
            _ if t.visits == 0 && !t.waiting => 0,
            _ if t.waiting => 3,
            _ if round.is_some() && t.last_round == round => 2,
            _ => 1u32,
        };
        let codes: Vec<u32> = tiles.iter().map(code).collect();
        if codes == self.tile_codes {
            return;
        }
        let room = self.tiles.size() as usize / 4;
        self.gpu.queue().write_buffer(&self.tiles, 0, bytemuck::cast_slice(&codes[..codes.len().min(room)]));
        self.tile_codes = codes;
        self.changes += 1;
    }

    /// Whether the solver has any.
    pub(crate) fn has_tiles(&self) -> bool {
        !self.tile_codes.is_empty()
    }

    /// How often fields and tiles were told anew.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
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
        self.present = buffer(&self.gpu, "present", u64::from(known) * 16, BufferUsages::STORAGE);
        self.watched = None;
    }

    /// Makes room for ids below this, with what is known of others; as far as the device goes. Done at once: what forgets moments in the same
    /// frame comes before that frame's own commands.
    fn make_room(&mut self, ids: u32) {
        let before = self.trails.known;
        let most = most_records(&self.gpu, 16).min(u64::from(u32::MAX)) as u32;
        let known = ids.saturating_add(ids / 4).min(most);
        if ids <= before || known <= before {
            return;
        }
        let (trails, every) = self.trails.grown(known);
        let storage = BufferUsages::STORAGE;
        let waited = buffer(&self.gpu, "waited", u64::from(known) * 4, storage);
        let present = buffer(&self.gpu, "present", u64::from(known) * 16, storage);
        // Who comes now was nowhere before.
        let nowhere = vec![ABSENT; trails.bytes() as usize / 8];
        let trails_buffer = filled(&self.gpu, "trails", &nowhere, storage);
        let mut encoder = self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.waited, 0, &waited, 0, u64::from(before) * 4);
        encoder.copy_buffer_to_buffer(&self.present, 0, &present, 0, u64::from(before) * 16);
        let row = |slot: u32, known: u32| u64::from(slot) * u64::from(known) * 8;
        for slot in 0..trails.used {
            let (from, to) = (row(slot * every, before), row(slot, known));
            encoder.copy_buffer_to_buffer(&self.trails_buffer, from, &trails_buffer, to, row(1, before));
        }
        self.gpu.queue().submit([encoder.finish()]);
        (self.waited, self.present, self.trails_buffer, self.trails) = (waited, present, trails_buffer, trails);
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
        self.paint_marks(pass, ready);
        if agents > 0 && v.agents_opacity > 0.0 {
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

    /// Draws what lies on the floor and nothing else, over something transparent; after [`Painter::prepare`].
    pub(crate) fn paint_drape(&self, pass: &mut RenderPass<'_>) {
        let Some(ready) = &self.ready else { return };
        pass.set_bind_group(0, &ready.view, &[]);
        pass.set_pipeline(&self.pipelines.drape);
        pass.set_bind_group(1, &ready.floor, &[]);
        pass.draw(0..6, 0..1);
        self.paint_marks(pass, ready);
    }

    /// Goals, zones, walls, arrows, ways, and the cells that agents touch.
    fn paint_marks(&self, pass: &mut RenderPass<'_>, ready: &Ready) {
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
        if let Some((group, count)) = &ready.ribbons {
            pass.set_pipeline(&self.pipelines.ribbons);
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..6 * RIBBON_PIECES, 0..*count);
        }
        pass.set_bind_group(1, &ready.agents, &[]);
        if ready.data.splats > 0.0 && ready.data.agents > 0 {
            pass.set_pipeline(&self.pipelines.areas);
            pass.draw_indirect(&self.arguments, 0);
        }
    }

    /// What group 0 of every shader is bound to.
    pub(crate) fn view_layout(&self) -> &wgpu::BindGroupLayout {
        &self.layouts.view
    }

    /// What pictures in three dimensions take from the prepared frame.
    pub(crate) fn shared(&self) -> Option<Shared<'_>> {
        let ready = self.ready.as_ref()?;
        Some(Shared { view: &ready.view, waited: &self.waited, persons: &self.persons, known: self.trails.known })
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

/// So many records of so many bytes each a shader can be given at once.
pub(crate) fn most_records(gpu: &Gpu, bytes: u64) -> u64 {
    let limits = gpu.device().limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / bytes
}

/// So many pixels can a picture have in which a crowd is summed up.
pub(crate) fn most_pixels(gpu: &Gpu) -> u64 {
    most_records(gpu, 16)
}

/// Whether a scene can be drawn on a device: what a shader can be given is limited.
///
/// # Errors
/// Why not, in a sentence.
pub fn check(gpu: &Gpu, scene: &Scene, on_gpu: bool) -> Result<(), String> {
    let most = most_records(gpu, 1);
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
