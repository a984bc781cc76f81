//! What shaders of `card` look up: layers of light, depths, the same light in a buffer, sums.

use throng::engine::gpu::Gpu;
use wgpu::{BindGroupEntry, BindingResource, BufferUsages, TextureUsages};

/// Side of the layers, texels, and how many there are: those of the light map.
const LAYER: u32 = 256;
const LAYERS: u32 = 7;
/// Side of the depths, and how many there are: those of the shadow maps.
const DEPTH: u32 = 1024;
const DEPTHS: u32 = 3;

pub(crate) struct Resources {
    layers: wgpu::TextureView,
    smoothly: wgpu::Sampler,
    depths: wgpu::TextureView,
    compare: wgpu::Sampler,
    texels: wgpu::Buffer,
    sums: wgpu::Buffer,
}

impl Resources {
    /// For pictures with such a side. Nothing is left empty: a device may keep what was never written smaller.
    pub(crate) fn new(gpu: &Gpu, shader: &wgpu::ShaderModule, side: u32) -> Self {
        let device = gpu.device();
        let texture = |side: u32, layers: u32, format: wgpu::TextureFormat, usage: TextureUsages| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: layers },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        };
        // Halves between 1 and 2, all different.
        let noise = |n: u32| {
            let m = n.wrapping_mul(0x9e37_79b9);
            0x3c00_3c00 | (m & 0x03ff_03ff)
        };
        let words: Vec<u32> = (0..2 * LAYER * LAYER * LAYERS).map(noise).collect();
        let layers = texture(LAYER, LAYERS, wgpu::TextureFormat::Rgba16Float, TextureUsages::COPY_DST);
        gpu.queue().write_texture(
            layers.as_image_copy(),
            bytemuck::cast_slice(&words),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(8 * LAYER), rows_per_image: Some(LAYER) },
            layers.size(),
        );
        let depths = texture(DEPTH, DEPTHS, wgpu::TextureFormat::Depth32Float, TextureUsages::RENDER_ATTACHMENT);
        slope(gpu, shader, &depths);
        let buffer = |bytes: u64| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let texels = buffer(4 * words.len() as u64);
        gpu.queue().write_buffer(&texels, 0, bytemuck::cast_slice(&words));
        let linear = wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        };
        let view = |texture: &wgpu::Texture| {
            let dimension = Some(wgpu::TextureViewDimension::D2Array);
            texture.create_view(&wgpu::TextureViewDescriptor { dimension, ..Default::default() })
        };
        Self {
            layers: view(&layers),
            smoothly: device.create_sampler(&linear),
            depths: view(&depths),
            compare: device
                .create_sampler(&wgpu::SamplerDescriptor { compare: Some(wgpu::CompareFunction::LessEqual), ..linear }),
            texels,
            sums: buffer(4 * u64::from(side) * u64::from(side)),
        }
    }

    /// What a shader reads and writes, if it does.
    pub(crate) fn of(&self, entry: &str) -> Option<Vec<BindGroupEntry<'_>>> {
        let entry_of = |binding: u32, resource| BindGroupEntry { binding, resource };
        match entry {
            "looked_up" => Some(vec![
                entry_of(0, BindingResource::TextureView(&self.layers)),
                entry_of(1, BindingResource::Sampler(&self.smoothly)),
            ]),
            "compared" => Some(vec![
                entry_of(2, BindingResource::TextureView(&self.depths)),
                entry_of(3, BindingResource::Sampler(&self.compare)),
            ]),
            "loaded" | "loaded_smoothly" => Some(vec![entry_of(4, self.texels.as_entire_binding())]),
            "compute_sines" | "compute_points" => Some(vec![entry_of(5, self.sums.as_entire_binding())]),
            _ => None,
        }
    }
}

/// Draws a slope into every layer of depths.
fn slope(gpu: &Gpu, shader: &wgpu::ShaderModule, depths: &wgpu::Texture) {
    let device = gpu.device();
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("slope"),
        layout: None,
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("slope"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    for layer in 0..DEPTHS {
        let view = depths.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_array_layer: layer,
            array_layer_count: Some(1),
            ..Default::default()
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&pipeline);
        pass.draw(0..3, 0..1);
    }
    gpu.queue().submit([encoder.finish()]);
}
