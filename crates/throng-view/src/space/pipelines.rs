//! Pipelines that draw in three dimensions, and what they are bound to.

use super::crowd::{FIGURE_WGSL, SKINNING_WGSL};
use super::props::Corner;
use super::targets::{DEPTH, LIGHT, SAMPLES};
use crate::draw::layout::{Slot, group_layout, kernel, module};
use throng_creature::{PackedSkin, PackedVertex, VARIATION_WGSL};
use wgpu::{
    BindGroupLayout, CompareFunction, ComputePipeline, Device, PrimitiveTopology, RenderPipeline, ShaderModule,
    ShaderStages, TextureFormat, VertexBufferLayout, VertexStepMode,
};

/// What shaders are bound to.
#[derive(Debug)]
pub(crate) struct Layouts {
    /// Group 2 of all.
    pub(crate) space: BindGroupLayout,
    /// The same without the ground, for who has no room for more.
    pub(crate) aim: BindGroupLayout,
    /// Group 1 of what is lit.
    pub(crate) light: BindGroupLayout,
    pub(crate) drape: BindGroupLayout,
    /// In place of a group that a shader has no use for.
    pub(crate) nothing: BindGroupLayout,
    pub(crate) pyramid: BindGroupLayout,
    /// What agents are drawn into.
    pub(crate) samples: BindGroupLayout,
    pub(crate) large: BindGroupLayout,
    pub(crate) solids: BindGroupLayout,
    pub(crate) resolve: BindGroupLayout,
    pub(crate) tone: BindGroupLayout,
}

impl Layouts {
    pub(crate) fn new(device: &Device) -> Self {
        use Slot::{
            Compare, DepthImages, DepthSamples, Image, Images, Read, Sampler, Samples, Uniform, Write, WriteImages,
        };
        let all = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
        let (fragment, compute) = (ShaderStages::FRAGMENT, ShaderStages::COMPUTE);
        Self {
            space: group_layout(device, "space", all, &[Uniform, Read, Uniform]),
            aim: group_layout(device, "aim", compute, &[Uniform, Slot::Nothing, Uniform]),
            light: group_layout(device, "lights", all, &[Images, Sampler, DepthImages, Compare]),
            drape: group_layout(device, "drape", fragment, &[Image, Sampler]),
            nothing: group_layout(device, "nothing", all, &[]),
            pyramid: group_layout(device, "pyramid", compute, &[Read, Write, Uniform]),
            samples: group_layout(device, "samples", compute, &[Write, Write, Write, Uniform]),
            large: group_layout(device, "large", compute, &[Read, Read, Uniform]),
            solids: group_layout(device, "solids", compute, &[DepthSamples, Write, Write]),
            resolve: group_layout(
                device,
                "resolve",
                compute,
                &[Image, Sampler, Samples, WriteImages, Read, Read, Read, Read, Read],
            ),
            tone: group_layout(device, "tone", fragment, &[Image, Uniform]),
        }
    }
}

/// What draws.
#[derive(Debug)]
pub(crate) struct Pipelines {
    /// Depth alone of the ground, the apron around it, and walls.
    pub(crate) ground: RenderPipeline,
    pub(crate) apron: RenderPipeline,
    pub(crate) props: RenderPipeline,
    pub(crate) lit_props: RenderPipeline,
    pub(crate) prop_shadows: RenderPipeline,
    pub(crate) character_shadows: RenderPipeline,
    pub(crate) halve: RenderPipeline,
    pub(crate) tone: RenderPipeline,
    /// What samples show before agents do; agents that are posed while they are drawn; the picture.
    pub(crate) solids: ComputePipeline,
    pub(crate) posed: ComputePipeline,
    /// Makes the list of large triangles empty, and draws them.
    pub(crate) large: [ComputePipeline; 2],
    pub(crate) resolve: ComputePipeline,
    /// The first levels, and the rest.
    pub(crate) pyramid: [ComputePipeline; 2],
}

/// How something is drawn.
pub(crate) struct Way<'a> {
    pub(crate) shader: &'a ShaderModule,
    pub(crate) vertex: &'a str,
    /// None for depth alone.
    pub(crate) fragment: Option<(&'a str, TextureFormat)>,
    pub(crate) groups: &'a [&'a BindGroupLayout],
    pub(crate) buffers: &'a [VertexBufferLayout<'a>],
    pub(crate) topology: PrimitiveTopology,
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
        .map(|(_, format)| [Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL })]);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(way.vertex),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: way.shader,
            entry_point: Some(way.vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState { topology: way.topology, ..wgpu::PrimitiveState::default() },
        depth_stencil: way.depth.map(|(compare, write)| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(write),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            // A bias by slope is not finite on faces that the sun grazes; who looks into the maps steps out of the surface.
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: way.samples, ..wgpu::MultisampleState::default() },
        fragment: way.fragment.zip(targets.as_ref()).map(|((entry, _), targets)| wgpu::FragmentState {
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
impl Pipelines {
    /// `characters` is the layout of who is drawn; the picture and the drape are of a format.
    pub(crate) fn new(device: &Device, format: TextureFormat, l: &Layouts, characters: &BindGroupLayout) -> Self {
        let (space, light) = (include_str!("space.wgsl"), include_str!("light.wgsl"));
        let terrain = module(device, "terrain", &[space, include_str!("terrain.wgsl")]);
        let props = module(device, "props", &[space, light, include_str!("props.wgsl")]);
        let skinning = SKINNING_WGSL.concat();
        let placed = include_str!("placed.wgsl");
        let casters = module(device, "casters", &[space, &skinning, placed, include_str!("characters.wgsl")]);
        let posed = module(
            device,
            "posed",
            &[
                space,
                light,
                &skinning,
                placed,
                include_str!("skin.wgsl"),
                include_str!("samples.wgsl"),
                include_str!("raster.wgsl"),
                include_str!("workgroup.wgsl"),
                include_str!("pieces.wgsl"),
                include_str!("posed.wgsl"),
                include_str!("carried.wgsl"),
            ],
        );
        let large = module(
            device,
            "large",
            &[
                space,
                light,
                VARIATION_WGSL,
                FIGURE_WGSL,
                include_str!("skin.wgsl"),
                include_str!("samples.wgsl"),
                include_str!("raster.wgsl"),
                include_str!("large.wgsl"),
            ],
        );
        let (material, hazards) = (include_str!("material.wgsl"), include_str!("hazards.wgsl"));
        let resolve = module(device, "resolve", &[space, light, material, hazards, include_str!("resolve.wgsl")]);
        let solids = module(device, "solids", &[space, include_str!("solids.wgsl")]);
        let halve = module(device, "halve", &[include_str!("halve.wgsl")]);
        let tone = module(device, "tone", &[include_str!("tone.wgsl")]);
        let pyramid = module(device, "pyramid", &[space, include_str!("pyramid.wgsl")]);
        let nearer = CompareFunction::GreaterEqual;
        let plain = Way {
            shader: &terrain,
            vertex: "ground",
            fragment: None,
            groups: &[&l.nothing, &l.nothing, &l.space],
            buffers: &[CHUNKS],
            topology: PrimitiveTopology::TriangleList,
            depth: Some((nearer, true)),
            samples: SAMPLES,
        };
        let walls = Way { shader: &props, vertex: "prop", buffers: &[CORNERS], ..plain };
        // Maps are drawn with depths that grow.
        let shadows = Way { depth: Some((CompareFunction::LessEqual, true)), samples: 1, ..plain };
        let flat = |shader, fragment, groups: &[&BindGroupLayout]| {
            let fragment = Some((fragment, format));
            let way =
                Way { shader, vertex: "everywhere", fragment, groups, buffers: &[], depth: None, samples: 1, ..plain };
            pipeline(device, &way)
        };
        Self {
            ground: pipeline(device, &plain),
            apron: pipeline(device, &Way { vertex: "apron", buffers: &[], ..plain }),
            props: pipeline(device, &walls),
            lit_props: pipeline(
                device,
                &Way { fragment: Some(("prop_colour", LIGHT)), groups: &[&l.nothing, &l.light, &l.space], ..walls },
            ),
            prop_shadows: pipeline(device, &Way { shader: &props, vertex: "prop", buffers: &[CORNERS], ..shadows }),
            character_shadows: pipeline(
                device,
                &Way {
                    shader: &casters,
                    vertex: "cast_shadow",
                    groups: &[characters, &l.nothing, &l.space],
                    buffers: &VERTICES,
                    ..shadows
                },
            ),
            halve: flat(&halve, "halved", &[&l.drape]),
            tone: flat(&tone, "shown", &[&l.tone]),
            solids: kernel(device, &solids, "solids", &[&l.solids, &l.nothing, &l.space]),
            posed: kernel(device, &posed, "pieces", &[characters, &l.light, &l.aim, &l.samples]),
            large: ["reset", "large_ones"]
                .map(|entry| kernel(device, &large, entry, &[&l.large, &l.light, &l.aim, &l.samples])),
            resolve: kernel(device, &resolve, "resolve", &[&l.resolve, &l.light, &l.space]),
            pyramid: ["first", "rest"]
                .map(|entry| kernel(device, &pyramid, entry, &[&l.pyramid, &l.nothing, &l.space])),
        }
    }
}
