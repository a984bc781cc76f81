//! Draws what egui has laid out: panels, letters, charts. egui's own renderer can filter textures in two ways, and its shader
//! decides which; software computes both for every pixel, and that was nine tenths of what drawing a frame took it. Here there is
//! one way.

use super::memory::buffer;
use egui::epaint::{ClippedPrimitive, ImageData, ImageDelta, Primitive, Vertex};
use egui::{Rect, TextureId, TexturesDelta};
use std::collections::HashMap;
use std::ops::Range;
use throng::engine::gpu::Gpu;
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, RenderPass, RenderPipeline, Texture, TextureFormat};

/// A mesh to draw: within which pixels, with which texture, which indices and where its vertices begin.
struct Piece {
    within: [u32; 4],
    texture: TextureId,
    indices: Range<u32>,
    first: i32,
}

/// Draws with one device into textures of one format (one that is not sRGB: colours are given as they are shown).
pub(crate) struct Pen {
    gpu: Gpu,
    pipeline: RenderPipeline,
    layout: BindGroupLayout,
    sampler: wgpu::Sampler,
    screen: (Buffer, BindGroup),
    textures: HashMap<TextureId, (Texture, BindGroup)>,
    outdated: Vec<TextureId>,
    vertices: Buffer,
    indices: Buffer,
    pieces: Vec<Piece>,
}

impl Pen {
    pub(crate) fn new(gpu: &Gpu, format: TextureFormat) -> Self {
        let device = gpu.device();
        let module = device.create_shader_module(wgpu::include_wgsl!("pen.wgsl"));
        let pipeline = pipeline(device, &module, format);
        let screen = buffer(gpu, "screen", 16, BufferUsages::UNIFORM);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("screen"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: screen.as_entire_binding() }],
        });
        Self {
            layout: pipeline.get_bind_group_layout(1),
            pipeline,
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            screen: (screen, group),
            textures: HashMap::new(),
            outdated: Vec::new(),
            vertices: buffer(gpu, "vertices", 64, BufferUsages::VERTEX),
            indices: buffer(gpu, "indices", 64, BufferUsages::INDEX),
            pieces: Vec::new(),
            gpu: gpu.clone(),
        }
    }

    /// Takes on new textures and new parts of old ones. Those that are not needed any more are forgotten with the next call, when the
    /// frame that may still show them was submitted.
    pub(crate) fn learn(&mut self, mut delta: TexturesDelta) {
        for id in self.outdated.drain(..) {
            self.textures.remove(&id);
        }
        for (id, changes) in &delta.set {
            for change in changes {
                self.set_texture(*id, change);
            }
        }
        self.outdated.extend(&delta.free);
        delta.clear();
    }

    fn set_texture(&mut self, id: TextureId, change: &ImageDelta) {
        let ImageData::Color(image) = &change.image;
        let [width, height] = image.size.map(|side| side as u32);
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        if change.pos.is_none() {
            let texture = self.gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("letters"),
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            let group = self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("letters"),
                layout: &self.layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
                ],
            });
            self.textures.insert(id, (texture, group));
        }
        let Some((texture, _)) = self.textures.get(&id) else { return };
        let [x, y] = change.pos.unwrap_or([0, 0]).map(|side| side as u32);
        self.gpu.queue().write_texture(
            wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() },
            bytemuck::cast_slice(&image.pixels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None },
            size,
        );
    }

    /// Takes on what is to be drawn into a picture of so many pixels, so many of them to a point.
    pub(crate) fn prepare(&mut self, shapes: &[ClippedPrimitive], size: [u32; 2], per_point: f32) {
        let (mut vertices, mut indices): (Vec<Vertex>, Vec<u32>) = (Vec::new(), Vec::new());
        self.pieces.clear();
        for ClippedPrimitive { clip_rect, primitive } in shapes {
            let (Primitive::Mesh(mesh), Some(within)) = (primitive, pixels(*clip_rect, size, per_point)) else {
                continue;
            };
            let begin = indices.len() as u32;
            self.pieces.push(Piece {
                within,
                texture: mesh.texture_id,
                indices: begin..begin + mesh.indices.len() as u32,
                first: vertices.len() as i32,
            });
            vertices.extend_from_slice(&mesh.vertices);
            indices.extend_from_slice(&mesh.indices);
        }
        let [width, height] = size.map(|side| side as f32 / per_point);
        self.gpu.queue().write_buffer(&self.screen.0, 0, bytemuck::cast_slice(&[width, height, 0.0, 0.0]));
        fill(&self.gpu, &mut self.vertices, bytemuck::cast_slice(&vertices), BufferUsages::VERTEX);
        fill(&self.gpu, &mut self.indices, bytemuck::cast_slice(&indices), BufferUsages::INDEX);
    }

    /// Draws what [`Pen::prepare`] took on.
    pub(crate) fn paint(&self, pass: &mut RenderPass<'_>, size: [u32; 2]) {
        pass.set_viewport(0.0, 0.0, size[0] as f32, size[1] as f32, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.screen.1, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        for piece in &self.pieces {
            let Some((_, group)) = self.textures.get(&piece.texture) else { continue };
            let [x, y, width, height] = piece.within;
            pass.set_scissor_rect(x, y, width, height);
            pass.set_bind_group(1, group, &[]);
            pass.draw_indexed(piece.indices.clone(), piece.first, 0..1);
        }
    }
}

/// Of a rectangle in points the pixels that are in the picture: left, top, width and height, if there are any.
fn pixels(rect: Rect, size: [u32; 2], per_point: f32) -> Option<[u32; 4]> {
    let within = |points: f32, most: u32| (points * per_point).round().clamp(0.0, most as f32) as u32;
    let [left, right] = [rect.min.x, rect.max.x].map(|x| within(x, size[0]));
    let [top, bottom] = [rect.min.y, rect.max.y].map(|y| within(y, size[1]));
    (left < right && top < bottom).then(|| [left, top, right - left, bottom - top])
}

/// Writes into a buffer, or into a larger one in its place.
fn fill(gpu: &Gpu, to: &mut Buffer, bytes: &[u8], usage: BufferUsages) {
    if to.size() < bytes.len() as u64 {
        *to = buffer(gpu, "shapes", (2 * bytes.len() as u64).next_multiple_of(4), usage);
    }
    gpu.queue().write_buffer(to, 0, bytes);
}

fn pipeline(device: &wgpu::Device, module: &wgpu::ShaderModule, format: TextureFormat) -> RenderPipeline {
    use wgpu::{BlendFactor, BlendOperation};
    let attributes = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4];
    let blend = |src_factor: BlendFactor, dst_factor: BlendFactor| wgpu::BlendComponent {
        src_factor,
        dst_factor,
        operation: BlendOperation::Add,
    };
    let blend = wgpu::BlendState {
        color: blend(BlendFactor::One, BlendFactor::OneMinusSrcAlpha),
        alpha: blend(BlendFactor::OneMinusDstAlpha, BlendFactor::One),
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("pen"),
        layout: None,
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Vertex>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes,
            })],
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("ink"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState { format, blend: Some(blend), write_mask: wgpu::ColorWrites::ALL })],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        multiview_mask: None,
        cache: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn pixels_lie_within_the_picture() {
        let of =
            |x0: f32, y0: f32, x1: f32, y1: f32| pixels(Rect::from_min_max(pos2(x0, y0), pos2(x1, y1)), [100, 50], 2.0);
        assert_eq!(of(1.0, 2.0, 10.0, 20.0), Some([2, 4, 18, 36]));
        assert_eq!(of(-5.0, -5.0, f32::INFINITY, f32::INFINITY), Some([0, 0, 100, 50]));
        assert_eq!(of(60.0, 0.0, 70.0, 10.0), None);
        assert_eq!(pixels(Rect::NOTHING, [100, 50], 1.0), None);
    }
}
