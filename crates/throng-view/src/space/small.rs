//! Agents who are small on the screen: pictures from an atlas, and for the smallest sums per pixel.

use super::atlas::Atlas;
use super::pipelines::{Layouts, Way, pipeline};
use super::targets::{LIGHT, SAMPLES, Targets};
use crate::draw::layout::{Slot, bind, bind_buffers, group_layout, kernel, module};
use crate::draw::memory::{buffer, filled};
use crate::draw::prepare::dispatch;
use throng::engine::gpu::Gpu;
use throng_creature::VARIATION_WGSL;
use wgpu::{
    BindGroup, BindGroupLayout, BindingResource, BlendState, Buffer, BufferUsages, CommandEncoder, ComputePass,
    ComputePipeline, RenderPass, RenderPipeline, Sampler, ShaderStages,
};

/// Triangles of a picture.
pub(crate) const TRIANGLES: u32 = 2;
/// Its corners: two triangles.
const CORNERS: [u32; 6] = [0, 1, 2, 2, 1, 3];
/// Indices of a picture, for draw arguments.
pub(crate) const INDICES: u32 = CORNERS.len() as u32;

/// Everybody, and who is on which list: what tiles.wgsl reads, in its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'a> {
    pub(crate) characters: &'a Buffer,
    pub(crate) members: &'a Buffer,
    pub(crate) starts: &'a Buffer,
    pub(crate) poses: &'a Buffer,
    pub(crate) living: &'a Buffer,
    pub(crate) atlas: &'a Atlas,
}

impl<'a> Listed<'a> {
    fn bound(&self) -> Vec<BindingResource<'a>> {
        let Self { characters, members, starts, poses, living, atlas } = *self;
        let buffers = [characters, members, starts, poses, living, &atlas.rows].map(Buffer::as_entire_binding);
        buffers.into_iter().chain(atlas.views.iter().map(BindingResource::TextureView)).collect()
    }
}

/// What shaders are bound to first, as tiles.wgsl has it.
const TILES: [Slot; 8] =
    [Slot::Read, Slot::Read, Slot::Read, Slot::Read, Slot::Read, Slot::Uniform, Slot::Images, Slot::Images];

fn tiles(device: &wgpu::Device, label: &str, stages: ShaderStages, more: &[Slot]) -> BindGroupLayout {
    group_layout(device, label, stages, &[&TILES, more].concat())
}

/// What draws light without vertices, mixed with what is there or not, and writes depth or not.
fn drawn(
    device: &wgpu::Device,
    shader: &wgpu::ShaderModule,
    [vertex, fragment]: [&str; 2],
    groups: &[&BindGroupLayout],
    (blend, writes): (Option<BlendState>, bool),
) -> RenderPipeline {
    let way = Way {
        shader,
        vertex,
        fragment: Some((fragment, LIGHT, blend)),
        groups,
        buffers: &[],
        topology: wgpu::PrimitiveTopology::TriangleList,
        closed: false,
        depth: Some((wgpu::CompareFunction::GreaterEqual, writes)),
        samples: SAMPLES,
    };
    pipeline(device, &way)
}

/// Draws pictures of agents.
#[derive(Debug)]
pub(crate) struct Impostors {
    gpu: Gpu,
    layout: BindGroupLayout,
    pipeline: RenderPipeline,
    indices: Buffer,
    softly: Sampler,
}

impl Impostors {
    pub(crate) fn new(gpu: &Gpu, l: &Layouts) -> Self {
        let device = gpu.device();
        let layout = tiles(device, "impostors", ShaderStages::VERTEX_FRAGMENT, &[Slot::Sampler]);
        let shader = module(
            device,
            "impostors",
            &[
                include_str!("space.wgsl"),
                include_str!("light.wgsl"),
                VARIATION_WGSL,
                include_str!("tiles.wgsl"),
                include_str!("impostor.wgsl"),
            ],
        );
        let groups = [&layout, &l.light, &l.space];
        let pipeline = drawn(device, &shader, ["board", "boarded"], &groups, (None, true));
        Self {
            gpu: gpu.clone(),
            layout,
            pipeline,
            indices: filled(gpu, "corners", &CORNERS, BufferUsages::INDEX),
            softly: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
        }
    }

    /// Those on a list: its arguments are those of an indexed draw call with [`INDICES`]. Light is group 1; `space` says which
    /// list it is.
    pub(crate) fn draw(
        &self,
        pass: &mut RenderPass<'_>,
        listed: &Listed<'_>,
        space: &BindGroup,
        (arguments, at): (&Buffer, u64),
    ) {
        let mut all = listed.bound();
        all.push(BindingResource::Sampler(&self.softly));
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bind(self.gpu.device(), &self.layout, &all), &[]);
        pass.set_bind_group(2, space, &[]);
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed_indirect(arguments, at);
    }
}

/// Sums of those who are smaller still.
#[derive(Debug)]
pub(crate) struct Sums {
    gpu: Gpu,
    layouts: [BindGroupLayout; 2],
    add: ComputePipeline,
    mix: RenderPipeline,
    deep: RenderPipeline,
    /// Light and area of each pixel; the nearest depth.
    pub(super) sums: [Buffer; 2],
}

impl Sums {
    pub(crate) fn new(gpu: &Gpu, l: &Layouts) -> Self {
        let device = gpu.device();
        let summing = tiles(device, "sums", ShaderStages::COMPUTE, &[Slot::DepthSamples, Slot::Write, Slot::Write]);
        let mixing = group_layout(device, "mix", ShaderStages::FRAGMENT, &[Slot::Read, Slot::Read]);
        let add = module(
            device,
            "sums",
            &[
                include_str!("space.wgsl"),
                include_str!("light.wgsl"),
                VARIATION_WGSL,
                include_str!("tiles.wgsl"),
                include_str!("sums.wgsl"),
            ],
        );
        let over = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let mix = module(device, "mix", &[include_str!("space.wgsl"), include_str!("mix.wgsl")]);
        Self {
            add: kernel(device, &add, "add", &[&summing, &l.light, &l.space]),
            mix: drawn(device, &mix, ["everywhere", "mixed"], &[&mixing, &l.light, &l.space], (over, false)),
            deep: drawn(device, &mix, ["everywhere", "deep"], &[&mixing, &l.light, &l.space], (over, true)),
            layouts: [summing, mixing],
            gpu: gpu.clone(),
            sums: [16, 4].map(|bytes| buffer(gpu, "sums", bytes, BufferUsages::STORAGE)),
        }
    }

    /// Nothing is in the sums of a picture's pixels yet.
    pub(crate) fn clear(&mut self, encoder: &mut CommandEncoder, size: [u32; 2]) {
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        for (sums, bytes) in self.sums.iter_mut().zip([16 * pixels, 4 * pixels]) {
            if sums.size() < bytes {
                *sums = buffer(&self.gpu, "sums", bytes, BufferUsages::STORAGE);
            }
            encoder.clear_buffer(sums, 0, Some(bytes));
        }
    }

    /// Adds those on a list, of at most so many: `groups` are what lights them, and `space`, which says which list it is.
    pub(crate) fn add(
        &self,
        pass: &mut ComputePass<'_>,
        listed: &Listed<'_>,
        targets: &Targets,
        (groups, most): ([&BindGroup; 2], u32),
    ) {
        let mut all = listed.bound();
        all.push(BindingResource::TextureView(&targets.depth));
        all.extend(self.sums.iter().map(Buffer::as_entire_binding));
        pass.set_pipeline(&self.add);
        pass.set_bind_group(0, &bind(self.gpu.device(), &self.layouts[0], &all), &[]);
        pass.set_bind_group(1, groups[0], &[]);
        pass.set_bind_group(2, groups[1], &[]);
        dispatch(pass, u64::from(most));
    }

    /// Mixes them with the picture: behind who is nearer, over all else that is drawn already. Where something comes after that may be behind them,
    /// they are as deep as the nearest of them: mist behind them is not drawn over them.
    pub(crate) fn draw(&self, pass: &mut RenderPass<'_>, space: &BindGroup, hides: bool) {
        let [sums, nearest] = &self.sums;
        pass.set_bind_group(0, &bind_buffers(self.gpu.device(), &self.layouts[1], &[sums, nearest]), &[]);
        pass.set_bind_group(2, space, &[]);
        for pipeline in [Some(&self.mix), hides.then_some(&self.deep)].into_iter().flatten() {
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
    }
}
