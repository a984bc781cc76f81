//! Pictures of a character in its clips, from all around and from above: an atlas that is made on the device, for those who are
//! small on the screen. Texels hold shares of paints, so every individual has its own colours, and normals, so that it is lit as
//! meshes are; both are multiplied by how much is covered, with smaller copies. tiles.wgsl reads it, portray.wgsl makes it.

use super::crowd::SKINNING_WGSL;
use super::figure::{Figure, Range};
use super::levels::MESHES;
use super::pipelines::VERTICES;
use super::targets::DEPTH;
use crate::draw::layout::{Slot, bind, bind_buffers, group_layout, kernel, module};
use crate::draw::memory::filled;
use glam::Vec3;
use throng::engine::gpu::Gpu;
use throng_creature::{Character, Clip, Mesh, PackedClips};
use wgpu::{
    BindGroup, BindGroupLayout, BindingResource, Buffer, BufferUsages, ComputePipeline, RenderPipeline, ShaderStages,
    Texture, TextureFormat, TextureUsages, TextureView,
};

/// Directions round a character, phases of a clip, and slopes that one looks down at: as in tiles.wgsl and portray.wgsl.
pub(crate) const DIRECTIONS: u32 = 8;
pub(crate) const PHASES: u32 = 8;
pub(crate) const SLOPES: u32 = 3;
/// Texels of a tile, either way.
pub(crate) const TILE: u32 = 32;
/// Copies of half the size each, the largest counted in; of the last a tile is a texel.
const COPIES: u32 = 6;
/// Tiles are drawn so many times as large, either way, and then made smaller: edges are smooth.
const FINER: u32 = 2;
const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
/// Layers that a texture may have.
const MOST_LAYERS: usize = 256;
/// Rows that tiles.wgsl has room for.
const ROWS: usize = 2048;
/// The mesh that pictures are taken of: the second of the reduced ones, since they are for those who are smaller than what it is for.
const MESH: usize = 2;
/// Half a texel more than a body reaches, so that edges are smooth.
const MARGIN: f32 = 1.0 + 1.0 / TILE as f32;

/// The room that a clip takes, m: a cylinder about the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Room {
    reach: f32,
    low: f32,
    high: f32,
}

impl Room {
    /// Of points.
    fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let none = Self { reach: 0.0, low: f32::INFINITY, high: f32::NEG_INFINITY };
        let all = points.fold(none, |room, p| Self {
            reach: room.reach.max(p.truncate().length()),
            low: room.low.min(p.z),
            high: room.high.max(p.z),
        });
        let (middle, half) = (0.5 * (all.low + all.high), 0.5 * MARGIN * (all.high - all.low));
        Self { reach: all.reach * MARGIN, low: middle - half, high: middle + half }
    }
}

/// A clip that there are pictures of.
#[derive(Clone, Debug)]
struct Portrait {
    clip: usize,
    /// Its first matrix, its keys, and whether it goes round.
    keys: [u32; 3],
    room: Room,
    /// For each palette the mean colour of what is neither skin nor cloth.
    others: Vec<Vec3>,
}

/// The phase of the k-th picture of a clip.
fn phase(clip: &Clip, k: u32) -> f32 {
    k as f32 / if clip.looped { PHASES } else { PHASES - 1 } as f32
}

impl Portrait {
    fn of((character, packed): (&Character, &PackedClips), mesh: &Mesh, clip: usize, cloth: u32) -> Self {
        let it = &character.clips[clip];
        let posed: Vec<Vec<Vec3>> = (0..PHASES)
            .map(|k| {
                let pose = it.pose(phase(it, k));
                (0..mesh.positions.len()).map(|v| mesh.skinned(v, &pose).0).collect()
            })
            .collect();
        let mean = |palette: &throng_creature::Palette| {
            let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
            for triangle in mesh.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|k| triangle[k] as usize);
                let part = mesh.parts[a];
                let other = part > 0 && u32::from(part) != cloth;
                let Some(paint) = palette.paints.get(usize::from(part)).filter(|_| other) else { continue };
                let area: f32 = posed.iter().map(|p| (p[b] - p[a]).cross(p[c] - p[a]).length()).sum();
                let tint = [a, b, c].iter().map(|&v| f32::from(mesh.tints[v])).sum::<f32>() / (3.0 * 255.0);
                sum += area * Vec3::from(paint.colour).lerp(paint.tinted.into(), tint);
                weight += area;
            }
            if weight > 0.0 { sum / weight } else { Vec3::ZERO }
        };
        let others = character.palettes.iter().map(mean).collect();
        let keys = [packed.starts[clip], it.keys, u32::from(it.looped)];
        Self { clip, keys, room: Room::of(posed.into_iter().flatten()), others }
    }

    fn sitting(&self) -> Sitting {
        let ([first, keys, looped], Room { reach, low, high }) = (self.keys, self.room);
        Sitting { clip: [first, keys, looped, 0], frame: [reach, low, high, 0.0] }
    }
}

/// Rows of tiles.wgsl's `stills`. A clip without a picture is shown as one that is good for the same.
fn rows(character: &Character, packed: &PackedClips, scale: f32, portraits: &[Portrait], mixed: bool) -> Vec<[u32; 4]> {
    let clips = character.clips.len().min(ROWS / 4);
    let palettes = character.palettes.len();
    let mut rows = vec![[clips as u32, palettes as u32, character.bones.len() as u32, u32::from(mixed)]];
    for (index, clip) in character.clips.iter().enumerate().take(clips) {
        let same = |p: &Portrait| character.clips[p.clip].role == clip.role;
        let own = portraits.iter().position(|p| p.clip == index);
        let layer = own.or_else(|| portraits.iter().position(same)).unwrap_or(0);
        let shown = &portraits[layer];
        let Room { reach, low, high } = shown.room;
        rows.push([layer as u32, reach.to_bits(), low.to_bits(), high.to_bits()]);
        rows.push([packed.starts[index], clip.keys, shown.keys[2], scale.to_bits()]);
    }
    let row = |c: Vec3| [c.x.to_bits(), c.y.to_bits(), c.z.to_bits(), 0];
    for palette in &character.palettes {
        let [skin, tinted] = palette.paints.first().map_or([Vec3::ONE; 2], |p| [p.colour.into(), p.tinted.into()]);
        rows.extend([row(skin), row(tinted)]);
    }
    rows.extend(portraits.iter().flat_map(|p| &p.others).map(|&c| row(c)));
    rows.resize(ROWS, [0; 4]);
    rows
}

/// The clips that pictures are taken of: those that acts are made of, as many as there is room for.
fn pictured(character: &Character, acts: &[[u32; 4]]) -> Vec<usize> {
    let mut clips: Vec<usize> = acts.iter().flatten().map(|&clip| clip as usize).collect();
    clips.sort_unstable();
    clips.dedup();
    let palettes = character.palettes.len().max(1);
    let left = ROWS - 1 - 2 * character.clips.len().min(ROWS / 4);
    clips.truncate(MOST_LAYERS.min(left.saturating_sub(2 * palettes) / palettes).max(1));
    clips
}

/// The pictures of a character.
#[derive(Debug)]
pub(crate) struct Atlas {
    pub(crate) rows: Buffer,
    /// Shares of paints, and surfaces.
    pub(crate) textures: [Texture; 2],
    pub(crate) views: [TextureView; 2],
    portraits: Vec<Portrait>,
    mesh: Range,
}

impl Atlas {
    /// Of a character whose meshes are somewhere on the device, for what agents do; there are so many radii in a metre of it, and one part
    /// has the agent's colour. Nothing is in it until [`Sittings`] have filled it.
    pub(crate) fn new(
        gpu: &Gpu,
        (character, packed): (&Character, &PackedClips),
        meshes: &[Range; MESHES],
        scale: f32,
        acts: &[[u32; 4]],
        cloth: u32,
    ) -> Self {
        let level = MESH.min(character.lods.len() - 1);
        let mesh = &character.lods[level];
        let clips = pictured(character, acts);
        let portraits: Vec<Portrait> =
            clips.into_iter().map(|c| Portrait::of((character, packed), mesh, c, cloth)).collect();
        // Eight tiles at once are too much for software.
        let mixed = !gpu.is_software();
        let rows = rows(character, packed, scale, &portraits, mixed);
        let textures = ["shares", "surfaces"].map(|label| {
            gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: DIRECTIONS * TILE,
                    height: SLOPES * PHASES * TILE,
                    depth_or_array_layers: portraits.len() as u32,
                },
                mip_level_count: COPIES,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                // Tests look into them.
                usage: TextureUsages::TEXTURE_BINDING
                    | TextureUsages::STORAGE_BINDING
                    | if cfg!(test) { TextureUsages::COPY_SRC } else { TextureUsages::empty() },
                view_formats: &[],
            })
        });
        Self {
            rows: filled(gpu, "stills", &rows, BufferUsages::UNIFORM),
            views: textures.each_ref().map(|t| {
                t.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(wgpu::TextureViewDimension::D2Array),
                    ..wgpu::TextureViewDescriptor::default()
                })
            }),
            textures,
            mesh: meshes[level],
            portraits,
        }
    }

    /// Where the pictures of a clip are.
    #[cfg(test)]
    pub(crate) fn layer_of(&self, clip: usize) -> Option<u32> {
        self.portraits.iter().position(|p| p.clip == clip).map(|layer| layer as u32)
    }
}

/// Some layers of a texture's copy.
fn part(texture: &Texture, copy: u32, first: u32, layers: u32) -> TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        base_mip_level: copy,
        mip_level_count: Some(1),
        base_array_layer: first,
        array_layer_count: Some(layers),
        ..wgpu::TextureViewDescriptor::default()
    })
}

/// See portray.wgsl.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Sitting {
    clip: [u32; 4],
    frame: [f32; 4],
}

/// Where atlases are made.
#[derive(Debug)]
pub(crate) struct Sittings {
    sitting: BindGroupLayout,
    portray: RenderPipeline,
    halves: BindGroupLayout,
    shrink: ComputePipeline,
    /// What is drawn into: a layer, larger than it will be.
    large: [Texture; 2],
    depth: TextureView,
}

impl Sittings {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let device = gpu.device();
        let of = [Slot::Read, Slot::Uniform, Slot::Uniform];
        let sitting = group_layout(device, "sitting", ShaderStages::VERTEX_FRAGMENT, &of);
        let slots = [Slot::Images, Slot::Images, Slot::WriteColours, Slot::WriteColours];
        let halves = group_layout(device, "halves", ShaderStages::COMPUTE, &slots);
        let shader = module(device, "portray", &[&SKINNING_WGSL.concat(), include_str!("portray.wgsl")]);
        let halve = module(device, "shrink", &[include_str!("shrink.wgsl")]);
        let target = |format: TextureFormat| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("sitting"),
                size: wgpu::Extent3d {
                    width: FINER * DIRECTIONS * TILE,
                    height: FINER * SLOPES * PHASES * TILE,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        };
        Self {
            portray: portrays(device, &shader, &sitting),
            sitting,
            shrink: kernel(device, &halve, "shrink", &[&halves]),
            halves,
            large: [target(FORMAT), target(FORMAT)],
            depth: target(DEPTH).create_view(&wgpu::TextureViewDescriptor::default()),
        }
    }

    /// Fills the atlas of a figure.
    pub(crate) fn fill(&self, gpu: &Gpu, figure: &Figure) {
        let (device, atlas) = (gpu.device(), &figure.atlas);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (layer, portrait) in (0..).zip(&atlas.portraits) {
            let sitting = filled(gpu, "sitting", &[portrait.sitting()], BufferUsages::UNIFORM);
            let group = bind_buffers(device, &self.sitting, &[&figure.table, &figure.shape, &sitting]);
            self.portray(&mut encoder, figure, &group);
            self.shrink(gpu, &mut encoder, (&self.large, 0, 0), (&atlas.textures, 0, layer), 1);
        }
        let all = &atlas.textures;
        for copy in 1..COPIES {
            self.shrink(gpu, &mut encoder, (all, copy - 1, 0), (all, copy, 0), all[0].depth_or_array_layers());
        }
        gpu.queue().submit([encoder.finish()]);
    }

    /// Makes a copy of half the size, of so many layers; both are textures with a copy and the first layer.
    fn shrink(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (large, large_copy, large_layer): (&[Texture; 2], u32, u32),
        (small, small_copy, small_layer): (&[Texture; 2], u32, u32),
        layers: u32,
    ) {
        let from = large.each_ref().map(|t| part(t, large_copy, large_layer, layers));
        let to = small.each_ref().map(|t| part(t, small_copy, small_layer, layers));
        let all = [&from[0], &from[1], &to[0], &to[1]].map(BindingResource::TextureView);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.shrink);
        pass.set_bind_group(0, &bind(gpu.device(), &self.halves, &all), &[]);
        let [wide, high] = [small[0].width(), small[0].height()].map(|n| (n >> small_copy).div_ceil(8));
        pass.dispatch_workgroups(wide, high, layers);
    }

    /// All tiles of a clip.
    fn portray(&self, encoder: &mut wgpu::CommandEncoder, figure: &Figure, group: &BindGroup) {
        let into = self.large.each_ref().map(|t| t.create_view(&wgpu::TextureViewDescriptor::default()));
        let colours = [0, 1].map(|k| {
            Some(wgpu::RenderPassColorAttachment {
                view: &into[k],
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("portray"),
            color_attachments: &colours,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.portray);
        pass.set_bind_group(0, group, &[]);
        for (slot, vertices) in (0..).zip(&figure.vertices) {
            pass.set_vertex_buffer(slot, vertices.slice(..));
        }
        pass.set_index_buffer(figure.indices.slice(..), wgpu::IndexFormat::Uint32);
        let Range { first, count, .. } = figure.atlas.mesh;
        pass.draw_indexed(first..first + count, 0, 0..DIRECTIONS * SLOPES * PHASES);
    }
}

fn portrays(device: &wgpu::Device, shader: &wgpu::ShaderModule, group: &BindGroupLayout) -> RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("portray"),
        bind_group_layouts: &[Some(group)],
        immediate_size: 0,
    });
    let target = wgpu::ColorTargetState { format: FORMAT, blend: None, write_mask: wgpu::ColorWrites::ALL };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("portray"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("sit"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &VERTICES.map(Some),
        },
        primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..wgpu::PrimitiveState::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some("portrayed"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(target.clone()), Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}
