//! The sun, and the light map that is baked from the ground.

use super::relief::Relief;
use crate::draw::layout::{Slot, bind, group_layout, kernel, module};
use crate::draw::memory::filled;
use glam::Vec3;
use throng::engine::gpu::Gpu;
use wgpu::{BindGroupLayout, BindingResource, BufferUsages, ComputePipeline, ShaderStages, TextureView};

/// Layers of the map: four coefficients of red, green and blue, four more of each, and the ninth of all.
const LAYERS: u32 = 7;
/// Times that light goes on from the ground.
const BOUNCES: u32 = 2;

/// Which way the sun is: in the south-west, well above the ground.
#[must_use]
pub(crate) fn sun() -> Vec3 {
    Vec3::new(-0.62, -0.42, 0.66).normalize()
}

/// Its light: what white paper that faces it sends out.
pub(crate) const SUN: Vec3 = Vec3::new(2.3, 2.05, 1.7);

/// How a light map is baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quality {
    /// Texels along a side.
    pub(crate) texels: u32,
    /// Rays in all directions, and to the sun.
    pub(crate) rays: [u32; 2],
}

impl Quality {
    /// What suits a ground and a device: level ground is lit alike everywhere, and software has to be spared.
    pub(crate) fn of(relief: &Relief, software: bool) -> Self {
        match (relief.is_flat(), software) {
            (true, _) => Self { texels: 4, rays: [512, 8] },
            (false, true) => Self { texels: 96, rays: [96, 8] },
            (false, false) => Self { texels: 256, rays: [512, 32] },
        }
    }
}

/// Bakes light maps.
#[derive(Debug)]
pub(crate) struct Baker {
    layout: BindGroupLayout,
    kernel: ComputePipeline,
    pub(super) quality: Quality,
    /// The result is the first after an even number of bounces, else the second.
    pub(super) maps: [wgpu::Texture; 2],
}

impl Baker {
    /// `before` is what a map before is read through, `space` what all shaders of the third dimension are given.
    pub(crate) fn new(gpu: &Gpu, quality: Quality, [before, space]: [&BindGroupLayout; 2]) -> Self {
        let device = gpu.device();
        let layout = group_layout(device, "bake", ShaderStages::COMPUTE, &[Slot::Uniform, Slot::WriteImages]);
        let parts = [include_str!("space.wgsl"), include_str!("light.wgsl"), include_str!("bake.wgsl")];
        let shader = module(device, "bake", &parts);
        let make = || {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("light map"),
                size: wgpu::Extent3d { width: quality.texels, height: quality.texels, depth_or_array_layers: LAYERS },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba16Float,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::STORAGE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        };
        Self {
            kernel: kernel(device, &shader, "bake", &[&layout, before, space]),
            layout,
            quality,
            maps: [make(), make()],
        }
    }

    /// A map as shaders see it.
    pub(crate) fn view(&self, which: usize) -> TextureView {
        self.maps[which].create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..wgpu::TextureViewDescriptor::default()
        })
    }

    /// Which of the two maps is done.
    pub(crate) fn last() -> usize {
        (BOUNCES % 2) as usize
    }

    /// Bakes: once for sun and sky, then a bounce at a time; `befores` bind each map as the one before.
    pub(crate) fn bake(&self, gpu: &Gpu, befores: [&wgpu::BindGroup; 2], space: &wgpu::BindGroup) {
        let device = gpu.device();
        for bounce in 0..=BOUNCES {
            let [rays, to_sun] = self.quality.rays;
            let how = filled(gpu, "bake", &[rays, to_sun, u32::from(bounce > 0), 0], BufferUsages::UNIFORM);
            let (to, from) = ((bounce % 2) as usize, (1 - bounce % 2) as usize);
            let view = self.view(to);
            let group = bind(device, &self.layout, &[how.as_entire_binding(), BindingResource::TextureView(&view)]);
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.kernel);
            pass.set_bind_group(0, &group, &[]);
            pass.set_bind_group(1, befores[from], &[]);
            pass.set_bind_group(2, space, &[]);
            let groups = self.quality.texels.div_ceil(8);
            pass.dispatch_workgroups(groups, groups, 1);
            drop(pass);
            // A submission each: a device must not be kept too long by one.
            gpu.queue().submit([encoder.finish()]);
        }
    }
}
