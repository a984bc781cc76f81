//! Pipelines that draw in three dimensions, and what they are bound to.

use super::crowd::SKINNING_WGSL;
use super::props::Corner;
use super::targets::{DEPTH, LIGHT, SAMPLES};
use crate::draw::layout::{Slot, group_layout, kernel, module};
use throng_creature::{PackedSkin, PackedVertex};
use wgpu::{
    BindGroupLayout, BlendState, CompareFunction, ComputePipeline, Device, PrimitiveTopology, RenderPipeline,
    ShaderModule, ShaderStages, TextureFormat, VertexBufferLayout, VertexStepMode,
};

/// What shaders are bound to.
#[derive(Debug)]
pub(crate) struct Layouts {
    /// Group 2 of all.
    pub(crate) space: BindGroupLayout,
    /// Group 1 of what is lit.
    pub(crate) light: BindGroupLayout,
    pub(crate) drape: BindGroupLayout,
    /// In place of a group that a shader has no use for: every pipeline of a pass has all three.
    pub(crate) nothing: BindGroupLayout,
    pub(crate) pyramid: BindGroupLayout,
    pub(crate) tone: BindGroupLayout,
}

impl Layouts {
    pub(crate) fn new(device: &Device) -> Self {
        use Slot::{Compare, DepthImages, DepthSamples, Image, Images, Read, Sampler, Samples, Uniform, Write};
        let all = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
        let fragment = ShaderStages::FRAGMENT;
        Self {
            space: group_layout(device, "space", all, &[Uniform, Read, Uniform]),
            light: group_layout(device, "lights", all, &[Images, Sampler, DepthImages, Compare]),
            drape: group_layout(device, "drape", fragment, &[Image, Sampler]),
            nothing: group_layout(device, "nothing", all, &[]),
            pyramid: group_layout(device, "pyramid", ShaderStages::COMPUTE, &[DepthSamples, Write, Uniform]),
            tone: group_layout(device, "tone", fragment, &[Samples, Uniform]),
        }
    }
}

/// What draws.
#[derive(Debug)]
pub(crate) struct Pipelines {
    /// Ground, the apron around it, walls: depth alone, then light.
    pub(crate) ground: [RenderPipeline; 2],
    pub(crate) apron: [RenderPipeline; 2],
    pub(crate) props: [RenderPipeline; 2],
    pub(crate) prop_shadows: RenderPipeline,
    pub(crate) characters: RenderPipeline,
    pub(crate) edges: RenderPipeline,
    pub(crate) character_shadows: RenderPipeline,
    pub(crate) sky: RenderPipeline,
    pub(crate) hazards: RenderPipeline,
    pub(crate) halve: RenderPipeline,
    pub(crate) tone: RenderPipeline,
    /// The first levels, and the rest.
    pub(crate) pyramid: [ComputePipeline; 2],
}

/// How something is drawn.
pub(crate) struct Way<'a> {
    pub(crate) shader: &'a ShaderModule,
    pub(crate) vertex: &'a str,
    /// None for depth alone.
    pub(crate) fragment: Option<(&'a str, TextureFormat, Option<BlendState>)>,
    pub(crate) groups: &'a [&'a BindGroupLayout],
    pub(crate) buffers: &'a [VertexBufferLayout<'a>],
    pub(crate) topology: PrimitiveTopology,
    /// Back faces are left out.
    pub(crate) closed: bool,
    /// How depths are compared, and whether they are written.
    pub(crate) depth: Option<(CompareFunction, bool)>,
    pub(crate) samples: u32,
}

pub(crate) fn pipeline(device: &Device, way: &Way<'_>) -> RenderPipeline {
    let groups: Vec<Option<&BindGroupLayout>> = way.groups.iter().map(|g| Some(*g)).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(way.vertex),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    let buffers: Vec<Option<VertexBufferLayout<'_>>> = way.buffers.iter().cloned().map(Some).collect();
    let targets = way
        .fragment
        .map(|(_, format, blend)| [Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })]);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(way.vertex),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: way.shader,
            entry_point: Some(way.vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: way.topology,
            cull_mode: way.closed.then_some(wgpu::Face::Back),
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: way.depth.map(|(compare, write)| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(write),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            // A bias by slope is not finite on faces that the sun grazes; who looks into the maps steps out of the surface.
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: way.samples, ..wgpu::MultisampleState::default() },
        fragment: way.fragment.zip(targets.as_ref()).map(|((entry, ..), targets)| wgpu::FragmentState {
            module: way.shader,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// A piece of the ground.
const CHUNKS: VertexBufferLayout<'static> = VertexBufferLayout {
    array_stride: 8,
    step_mode: VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Uint32x2],
};
const CORNERS: VertexBufferLayout<'static> = VertexBufferLayout {
    array_stride: size_of::<Corner>() as u64,
    step_mode: VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm8x4, 2 => Unorm8x4],
};
/// Packed vertices, and what their skin needs.
pub(crate) const VERTICES: [VertexBufferLayout<'static>; 2] = [
    VertexBufferLayout {
        array_stride: size_of::<PackedVertex>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Uint32x4],
    },
    VertexBufferLayout {
        array_stride: size_of::<PackedSkin>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![1 => Uint32x3],
    },
];
const MISTS: VertexBufferLayout<'static> = VertexBufferLayout {
    array_stride: super::hazards::Mist::BYTES,
    step_mode: VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4],
};

impl Pipelines {
    /// `characters` is the layout of who is drawn; the picture and the drape are of a format.
    pub(crate) fn new(device: &Device, format: TextureFormat, l: &Layouts, characters: &BindGroupLayout) -> Self {
        let (space, light) = (include_str!("space.wgsl"), include_str!("light.wgsl"));
        let terrain = module(device, "terrain", &[space, light, include_str!("terrain.wgsl")]);
        let props = module(device, "props", &[space, light, include_str!("props.wgsl")]);
        let who = [&SKINNING_WGSL.concat(), include_str!("placed.wgsl"), include_str!("characters.wgsl")].concat();
        let bodies =
            module(device, "characters", &[space, light, &who, include_str!("skin.wgsl"), include_str!("stand.wgsl")]);
        let casters = module(device, "casters", &[space, &who]);
        let sky = module(device, "sky", &[space, include_str!("sky.wgsl")]);
        let hazards = module(device, "hazards", &[space, light, include_str!("hazards.wgsl")]);
        let halve = module(device, "halve", &[include_str!("halve.wgsl")]);
        let tone = module(device, "tone", &[include_str!("tone.wgsl")]);
        let pyramid = module(device, "pyramid", &[space, include_str!("pyramid.wgsl")]);
        let unlit = [&l.nothing, &l.nothing, &l.space];
        let nearer = CompareFunction::GreaterEqual;
        let plain = Way {
            shader: &terrain,
            vertex: "ground",
            fragment: None,
            groups: &unlit,
            buffers: &[CHUNKS],
            topology: PrimitiveTopology::TriangleList,
            closed: false,
            depth: Some((nearer, true)),
            samples: SAMPLES,
        };
        // First depth alone, then light where that is what is seen.
        let lit = [&l.drape, &l.light, &l.space];
        let twice = |way: Way<'_>, [vertex, fragment]: [&str; 2]| {
            let first = pipeline(device, &way);
            let fragment = Some((fragment, LIGHT, None));
            [first, pipeline(device, &Way { vertex, fragment, groups: &lit, ..way })]
        };
        let bodied = [characters, &l.light, &l.space];
        // Maps are drawn with depths that grow.
        let shadow = (Some((CompareFunction::LessEqual, true)), 1);
        let skin = Some(("skin", LIGHT, None));
        let over = Some(("mist_colour", LIGHT, Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING)));
        let flat = |shader, fragment, groups: &[&BindGroupLayout]| {
            let fragment = Some((fragment, format, None));
            let way =
                Way { shader, vertex: "everywhere", fragment, groups, buffers: &[], depth: None, samples: 1, ..plain };
            pipeline(device, &way)
        };
        let body = Way {
            shader: &bodies,
            vertex: "stand",
            groups: &bodied,
            buffers: &VERTICES,
            fragment: skin,
            closed: true,
            ..plain
        };
        let (depth, samples) = shadow;
        Self {
            ground: twice(Way { ..plain }, ["ground_lit", "ground_colour"]),
            apron: twice(Way { vertex: "apron", buffers: &[], ..plain }, ["apron_lit", "ground_colour"]),
            props: twice(Way { shader: &props, vertex: "prop", buffers: &[CORNERS], ..plain }, ["prop", "prop_colour"]),
            prop_shadows: pipeline(
                device,
                &Way { shader: &props, vertex: "prop", buffers: &[CORNERS], depth, samples, ..plain },
            ),
            character_shadows: pipeline(
                device,
                &Way {
                    shader: &casters,
                    vertex: "cast_shadow",
                    groups: &[characters, &l.nothing, &l.space],
                    buffers: &VERTICES,
                    depth,
                    samples,
                    ..plain
                },
            ),
            edges: pipeline(device, &Way { topology: PrimitiveTopology::LineList, closed: false, ..body }),
            characters: pipeline(device, &body),
            sky: pipeline(
                device,
                &Way {
                    shader: &sky,
                    vertex: "everywhere",
                    fragment: Some(("sky_colour", LIGHT, None)),
                    groups: &lit,
                    buffers: &[],
                    depth: Some((nearer, false)),
                    ..plain
                },
            ),
            hazards: pipeline(
                device,
                &Way {
                    shader: &hazards,
                    vertex: "mist",
                    fragment: over,
                    groups: &lit,
                    buffers: &[MISTS],
                    closed: true,
                    depth: Some((nearer, false)),
                    ..plain
                },
            ),
            halve: flat(&halve, "halved", &[&l.drape]),
            tone: flat(&tone, "shown", &[&l.tone]),
            pyramid: ["first", "rest"]
                .map(|entry| kernel(device, &pyramid, entry, &[&l.pyramid, &l.nothing, &l.space])),
        }
    }
}
