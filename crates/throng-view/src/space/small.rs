//! Agents who are small on the screen: pictures from an atlas, and for the smallest sums per pixel.

use super::atlas::Atlas;
use super::pipelines::Layouts;
use super::targets::Targets;
use crate::draw::layout::{Slot, bind, group_layout, kernel, module};
use crate::draw::memory::buffer;
use crate::draw::prepare::dispatch;
use throng::engine::gpu::Gpu;
use throng_creature::VARIATION_WGSL;
use wgpu::{
    BindGroup, BindGroupLayout, BindingResource, Buffer, BufferUsages, CommandEncoder, ComputePass, ComputePipeline,
    Sampler, ShaderStages,
};

/// Triangles of a picture.
pub(crate) const TRIANGLES: u32 = 2;
/// Pictures that a workgroup draws: as impostor.wgsl has it.
pub(crate) const PICTURES: u32 = 16;

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

/// Draws pictures of agents.
#[derive(Debug)]
pub(crate) struct Impostors {
    gpu: Gpu,
    layout: BindGroupLayout,
    pub(crate) pipeline: ComputePipeline,
    softly: Sampler,
}

impl Impostors {
    pub(crate) fn new(gpu: &Gpu, l: &Layouts) -> Self {
        let device = gpu.device();
        let layout = tiles(device, "impostors", ShaderStages::COMPUTE, &[Slot::Sampler]);
        let shader = module(
            device,
            "impostors",
            &[
                include_str!("space.wgsl"),
                include_str!("light.wgsl"),
                VARIATION_WGSL,
                include_str!("tiles.wgsl"),
                include_str!("samples.wgsl"),
                include_str!("impostor.wgsl"),
            ],
        );
        Self {
            gpu: gpu.clone(),
            pipeline: kernel(device, &shader, "pictures", &[&layout, &l.light, &l.aim, &l.samples]),
            layout,
            softly: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
        }
    }

    /// What the pipeline reads of those on a list.
    pub(crate) fn bound(&self, listed: &Listed<'_>) -> BindGroup {
        let mut all = listed.bound();
        all.push(BindingResource::Sampler(&self.softly));
        bind(self.gpu.device(), &self.layout, &all)
    }
}

/// Sums of those who are smaller still.
#[derive(Debug)]
pub(crate) struct Sums {
    gpu: Gpu,
    layout: BindGroupLayout,
    add: ComputePipeline,
    /// Light and area of each pixel; the nearest depth.
    pub(super) sums: [Buffer; 2],
}

impl Sums {
    pub(crate) fn new(gpu: &Gpu, l: &Layouts) -> Self {
        let device = gpu.device();
        let summing = tiles(device, "sums", ShaderStages::COMPUTE, &[Slot::DepthSamples, Slot::Write, Slot::Write]);
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
        Self {
            add: kernel(device, &add, "add", &[&summing, &l.light, &l.space]),
            layout: summing,
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
        pass.set_bind_group(0, &bind(self.gpu.device(), &self.layout, &all), &[]);
        pass.set_bind_group(1, groups[0], &[]);
        pass.set_bind_group(2, groups[1], &[]);
        dispatch(pass, u64::from(most));
    }
}
