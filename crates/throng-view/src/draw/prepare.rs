//! What is computed before a frame is drawn.

use super::layout::{bind, bind_buffers};
use super::memory::{buffer, filled};
use super::readout::{Asked, GROUPS, OWN, PATH, WORDS};
use super::source::FieldSource;
use super::view::{NONE, View};
use super::{ARROWS, FAR, Frame, Painter, most_pixels};
use crate::camera::Camera;
use crate::look::Shade;
use glam::Vec2;
use throng::world::agents::ModelColumn;
use wgpu::{BindGroup, BufferUsages, ComputePass};

/// What [`Painter::prepare`] leaves for [`Painter::paint`].
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) view: BindGroup,
    pub(super) floor: BindGroup,
    pub(super) arrows: Option<(BindGroup, u32)>,
    pub(super) agents: BindGroup,
    pub(super) resolve: Option<BindGroup>,
    /// And how many pieces there are.
    pub(super) ribbons: Option<(BindGroup, u32)>,
    /// Whether those in view are listed.
    lists: bool,
    pub(super) data: View,
}

/// So many threads in workgroups of 256, in two dimensions where one does not hold them.
pub(crate) fn dispatch(pass: &mut ComputePass<'_>, threads: u64) {
    let groups = threads.div_ceil(256).max(1);
    let rows = groups.div_ceil(65_535);
    pass.dispatch_workgroups(groups.div_ceil(rows) as u32, rows as u32, 1);
}

impl Painter {
    /// Computes what a frame needs.
    pub fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>) {
        self.make_room(frame.crowd.ids);
        let elapsed = self.watched.map_or(0.0, |before| frame.time - before);
        let due = if elapsed < 0.0 { None } else { self.trails.at(frame.time) };
        let watch = self.watched != Some(frame.time);
        self.watched = Some(frame.time);
        let data = self.data(frame, elapsed.max(0.0) as f32, due.map(|d| d.slot).filter(|_| watch));
        let ready = self.bind_frame(encoder, frame, data);
        let memory = self.memory(frame);
        let asks = self.readouts.has_room();
        encoder.clear_buffer(&self.readouts.census, 0, None);
        if asks {
            self.readouts.reset(&self.gpu);
        }
        // Thinning needs its own number of slots: it is a pass with other numbers, before the frame's.
        if let Some(used) = due.and_then(|d| d.thin).filter(|_| watch) {
            self.thin(&ready.view, &memory, View { slots: used, ..data });
        }
        self.gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(&data));
        let timestamp_writes = self.of_preparing();
        let mut pass =
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("frame"), timestamp_writes });
        pass.set_bind_group(0, &ready.view, &[]);
        self.compute(&mut pass, frame, &ready, watch.then_some(&memory));
        let asked = Asked {
            field: frame.field.is_some(),
            probe: frame.field.is_some() && frame.pointer.is_some(),
            click: frame.click.is_some(),
            chosen: frame.chosen.is_some(),
            slots: data.slots as usize,
            groups: if frame.crowd.count > 0 { frame.groups.min(GROUPS) } else { 0 },
            time: frame.time,
            own: own_asked(frame),
        };
        let asks = asks && (asked.field || asked.click || asked.chosen || asked.groups > 0);
        if asks && asked.groups > 0 {
            self.count_groups(&mut pass, frame);
        }
        if asks {
            self.ask(&mut pass, frame, &data, &asked, &memory);
        }
        drop(pass);
        if asks {
            self.readouts.copy(encoder, asked);
        }
        self.ready = Some(ready);
    }

    /// What a frame is drawn with; buffers that are too small for it are made anew.
    fn bind_frame(&mut self, encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, data: View) -> Ready {
        let pixels = data.size[0] as u64 * data.size[1] as u64;
        // In a window that is too large for sums everybody is drawn as one is who is near.
        let far = data.scale * data.body * self.radius < FAR && pixels <= most_pixels(&self.gpu);
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
            let bytes = pixels * 16;
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
        let ribbons = (data.ribbons > 0.0 && data.slots > 0).then(|| {
            let from = [&self.trails_buffer, &self.present];
            (bind_buffers(&device, &self.layouts.ribbons, &from), data.slots * data.known)
        });
        Ready { view, floor, arrows, agents, resolve, ribbons, lists, data }
    }

    /// The field that is shown, who stands for how long, who is in view, the sums of a far crowd.
    fn compute(&self, pass: &mut ComputePass<'_>, frame: &Frame<'_>, ready: &Ready, memory: Option<&BindGroup>) {
        let device = self.gpu.device();
        let [motion, body, journey] = &frame.crowd.columns;
        let (agents, cells) = ready.data.work();
        let fields =
            [(&frame.field, &self.shown, &self.pick_shown), (&frame.persons, &self.persons, &self.pick_persons)];
        for (source, to, how) in fields {
            if let Some(FieldSource(Some((from, pick)))) = source {
                self.gpu.queue().write_buffer(how, 0, bytemuck::bytes_of(pick));
                pass.set_pipeline(&self.pipelines.pick);
                pass.set_bind_group(1, &bind_buffers(device, &self.layouts.pick, &[how, from, to]), &[]);
                dispatch(pass, cells);
            }
        }
        if let Some(memory) = memory {
            pass.set_bind_group(1, memory, &[]);
            pass.set_pipeline(&self.pipelines.vacate);
            dispatch(pass, u64::from(ready.data.known));
            if agents > 0 {
                pass.set_pipeline(&self.pipelines.watch);
                dispatch(pass, agents);
            }
        }
        if ready.lists {
            let buffers = [motion, body, journey, &self.blocks, &self.visible, &self.arguments];
            pass.set_bind_group(1, &bind_buffers(device, &self.layouts.cull, &buffers), &[]);
            for (kernel, threads) in
                [(&self.pipelines.count, agents), (&self.pipelines.offsets, 1), (&self.pipelines.list, agents)]
            {
                pass.set_pipeline(kernel);
                dispatch(pass, threads);
            }
        }
        if ready.resolve.is_some() {
            pass.set_pipeline(&self.pipelines.add);
            pass.set_bind_group(1, &ready.agents, &[]);
            pass.set_bind_group(2, &bind_buffers(device, &self.layouts.sums, &[&self.sums]), &[]);
            dispatch(pass, agents);
        }
    }

    /// What the panels want to know.
    fn ask(&self, pass: &mut ComputePass<'_>, frame: &Frame<'_>, data: &View, asked: &Asked, memory: &BindGroup) {
        let device = self.gpu.device();
        let [motion, body, journey] = &frame.crowd.columns;
        let (agents, cells) = data.work();
        let out = [motion, body, journey, &self.shown, &self.waited, &self.readouts.out];
        pass.set_bind_group(1, &bind_buffers(device, &self.layouts.readout, &out), &[]);
        if asked.field {
            pass.set_pipeline(&self.pipelines.extent);
            dispatch(pass, cells);
        }
        if asked.click {
            for kernel in [&self.pipelines.nearest, &self.pipelines.which] {
                pass.set_pipeline(kernel);
                dispatch(pass, agents);
            }
        }
        if asked.chosen || asked.probe {
            pass.set_pipeline(&self.pipelines.find);
            dispatch(pass, agents.max(1));
        }
        let mut at = OWN as u32;
        for (column, from) in frame.crowd.own.iter().take(asked.own.len()) {
            let place = filled(&self.gpu, "place", &[at, column.width as u32, 0, 0], BufferUsages::UNIFORM);
            at += column.width as u32;
            pass.set_pipeline(&self.pipelines.tell);
            let group = [&place, journey, from, &self.readouts.out];
            pass.set_bind_group(1, &bind_buffers(device, &self.layouts.own, &group), &[]);
            dispatch(pass, agents);
        }
        if asked.chosen {
            pass.set_pipeline(&self.pipelines.follow);
            pass.set_bind_group(1, memory, &[]);
            dispatch(pass, PATH as u64);
        }
    }

    /// How many of each group are where.
    fn count_groups(&self, pass: &mut ComputePass<'_>, frame: &Frame<'_>) {
        let buffers = [&frame.crowd.columns[2], &self.readouts.census];
        let group = bind_buffers(self.gpu.device(), &self.layouts.census, &buffers);
        pass.set_pipeline(&self.pipelines.census);
        pass.set_bind_group(1, &group, &[]);
        dispatch(pass, u64::from(frame.crowd.count));
    }

    /// What is remembered of everybody: how long they have been standing, and where they were.
    fn memory(&self, frame: &Frame<'_>) -> BindGroup {
        let [motion, _, journey] = &frame.crowd.columns;
        let watched = [motion, journey, &self.waited, &self.trails_buffer, &self.readouts.path, &self.present];
        bind_buffers(self.gpu.device(), &self.layouts.watch, &watched)
    }

    /// Forgets every second moment.
    fn thin(&self, view: &BindGroup, memory: &BindGroup, data: View) {
        self.gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(&data));
        let device = self.gpu.device();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, view, &[]);
        pass.set_bind_group(1, memory, &[]);
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
            tiles: if self.has_tiles() { look.tiles } else { 0.0 },
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
            ribbons: look.ribbons,
            jump: self.trails.jump(),
            pad: 0,
        };
        (data.arrow_first, _, data.arrow_across) = arrow_blocks(&data, frame.camera);
        data
    }
}

/// The model's own columns that there is something to tell of: if somebody is chosen, as many as there is room for.
fn own_asked(frame: &Frame<'_>) -> Vec<&'static ModelColumn> {
    let mut room = if frame.chosen.is_some() && frame.crowd.count > 0 { WORDS - OWN } else { 0 };
    let columns = frame.crowd.own.iter().map(|(column, _)| *column);
    columns
        .take_while(|column| {
            let fits = column.width <= room;
            room = room.saturating_sub(column.width);
            fits
        })
        .collect()
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
