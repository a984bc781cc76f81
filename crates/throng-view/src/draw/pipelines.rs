//! Every shader of the renderer, and what each is bound to.

use super::ground::{Corner, Line};
use super::layout::{Slot, group_layout, kernel, module, painter};
use wgpu::{BindGroupLayout, ComputePipeline, Device, RenderPipeline, ShaderStages, TextureFormat};

#[derive(Debug)]
pub(super) struct Layouts {
    pub(super) view: BindGroupLayout,
    pub(super) floor: BindGroupLayout,
    pub(super) arrows: BindGroupLayout,
    pub(super) ribbons: BindGroupLayout,
    pub(super) agents: BindGroupLayout,
    pub(super) cull: BindGroupLayout,
    pub(super) sums: BindGroupLayout,
    pub(super) resolve: BindGroupLayout,
    pub(super) pick: BindGroupLayout,
    pub(super) readout: BindGroupLayout,
    pub(super) own: BindGroupLayout,
    pub(super) census: BindGroupLayout,
    pub(super) watch: BindGroupLayout,
}

#[derive(Debug)]
pub(super) struct Pipelines {
    /// Without and with layers over the floor; with cells larger and smaller than pixels.
    pub(super) floor: [[RenderPipeline; 2]; 2],
    /// What lies on the floor alone.
    pub(super) drape: RenderPipeline,
    pub(super) fill: RenderPipeline,
    pub(super) stroke: RenderPipeline,
    pub(super) arrows: RenderPipeline,
    pub(super) ribbons: RenderPipeline,
    pub(super) sprites: RenderPipeline,
    pub(super) areas: RenderPipeline,
    pub(super) resolve: RenderPipeline,
    pub(super) count: ComputePipeline,
    pub(super) offsets: ComputePipeline,
    pub(super) list: ComputePipeline,
    pub(super) add: ComputePipeline,
    pub(super) pick: ComputePipeline,
    pub(super) extent: ComputePipeline,
    pub(super) nearest: ComputePipeline,
    pub(super) which: ComputePipeline,
    pub(super) find: ComputePipeline,
    pub(super) tell: ComputePipeline,
    pub(super) census: ComputePipeline,
    pub(super) vacate: ComputePipeline,
    pub(super) watch: ComputePipeline,
    pub(super) thin: ComputePipeline,
    pub(super) follow: ComputePipeline,
}

impl Layouts {
    pub(super) fn new(device: &Device) -> Self {
        let all = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
        let (compute, fragment) = (ShaderStages::COMPUTE, ShaderStages::FRAGMENT);
        use Slot::{Image, Images, Read, Sampler, Uniform, VertexRead, Write};
        Self {
            view: group_layout(device, "view", all, &[Uniform, Read]),
            floor: group_layout(device, "floor", fragment, &[Read, Read, Read, Image, Sampler]),
            arrows: group_layout(device, "arrows", ShaderStages::VERTEX, &[Read]),
            ribbons: group_layout(device, "ribbons", ShaderStages::VERTEX, &[Read, Read]),
            agents: group_layout(
                device,
                "agents",
                all,
                &[Read, Read, Read, Read, Read, VertexRead, Images, Sampler, VertexRead],
            ),
            cull: group_layout(device, "cull", compute, &[Read, Read, Read, Write, Write, Write]),
            sums: group_layout(device, "sums", compute, &[Write]),
            resolve: group_layout(device, "resolve", fragment, &[Read]),
            pick: group_layout(device, "pick", compute, &[Uniform, Read, Write]),
            readout: group_layout(device, "readout", compute, &[Read, Read, Read, Read, Read, Write]),
            own: group_layout(device, "own", compute, &[Uniform, Read, Read, Write]),
            census: group_layout(device, "census", compute, &[Read, Write]),
            watch: group_layout(device, "watch", compute, &[Read, Read, Write, Write, Write, Write]),
        }
    }
}

impl Pipelines {
    /// For textures of a format.
    pub(super) fn new(device: &Device, format: TextureFormat, l: &Layouts) -> Self {
        let common = include_str!("common.wgsl");
        let floor = module(device, "floor", &[common, include_str!("floor.wgsl")]);
        let shapes = module(device, "shapes", &[common, include_str!("shapes.wgsl")]);
        let arrows = module(device, "arrows", &[common, include_str!("arrows.wgsl")]);
        let ribbons = module(device, "ribbons", &[common, include_str!("ribbons.wgsl")]);
        let crowd = [common, include_str!("agents.wgsl"), include_str!("colouring.wgsl")];
        let agents = module(device, "agents", &crowd);
        let far = module(device, "far", &[crowd.concat().as_str(), include_str!("far.wgsl")]);
        let cull = module(device, "cull", &[common, include_str!("cull.wgsl")]);
        let resolve = module(device, "resolve", &[common, include_str!("resolve.wgsl")]);
        let pick = module(device, "pick", &[common, include_str!("pick.wgsl")]);
        let readout = module(device, "readout", &[common, include_str!("readout.wgsl")]);
        let own = module(device, "own", &[common, include_str!("own.wgsl")]);
        let census = module(device, "census", &[common, include_str!("census.wgsl")]);
        let watch = module(device, "watch", &[common, include_str!("watch.wgsl")]);
        let draw = |shader, entries, groups: &[&BindGroupLayout], buffers: &[wgpu::VertexBufferLayout<'_>]| {
            painter(device, format, shader, entries, &[], groups, buffers)
        };
        let ground = |layers: bool, small: bool, bare: bool| {
            let constants = [("LAYERS", layers), ("SMALL_CELLS", small), ("BARE", bare)]
                .map(|(name, on)| (name, f64::from(u8::from(on))));
            let entries = ("whole_world", "ground_colour");
            painter(device, format, &floor, entries, &constants, &[&l.view, &l.floor], &[])
        };
        let corner = wgpu::vertex_attr_array![0 => Float32x2, 1 => Unorm8x4, 2 => Uint32];
        let line = wgpu::vertex_attr_array![0 => Float32x4, 1 => Unorm8x4, 2 => Uint32, 3 => Float32];
        let corners = wgpu::VertexBufferLayout {
            array_stride: size_of::<Corner>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &corner,
        };
        let lines = wgpu::VertexBufferLayout {
            array_stride: size_of::<Line>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &line,
        };
        Self {
            floor: [false, true].map(|layers| [false, true].map(|small| ground(layers, small, false))),
            drape: ground(true, false, true),
            fill: draw(&shapes, ("filled", "fill"), &[&l.view], &[corners]),
            stroke: draw(&shapes, ("lined", "stroke"), &[&l.view], &[lines]),
            ribbons: draw(&ribbons, ("ribbon", "draw_ribbon"), &[&l.view, &l.ribbons], &[]),
            arrows: draw(&arrows, ("arrow", "draw"), &[&l.view, &l.arrows], &[]),
            sprites: draw(&agents, ("sprite_corner", "sprite"), &[&l.view, &l.agents], &[]),
            areas: draw(&agents, ("area", "touched"), &[&l.view, &l.agents], &[]),
            resolve: draw(&resolve, ("everywhere", "resolve"), &[&l.view, &l.resolve], &[]),
            count: kernel(device, &cull, "count", &[&l.view, &l.cull]),
            offsets: kernel(device, &cull, "offsets", &[&l.view, &l.cull]),
            list: kernel(device, &cull, "list", &[&l.view, &l.cull]),
            add: kernel(device, &far, "add", &[&l.view, &l.agents, &l.sums]),
            pick: kernel(device, &pick, "pick", &[&l.view, &l.pick]),
            extent: kernel(device, &readout, "extent", &[&l.view, &l.readout]),
            nearest: kernel(device, &readout, "nearest", &[&l.view, &l.readout]),
            which: kernel(device, &readout, "which", &[&l.view, &l.readout]),
            find: kernel(device, &readout, "find", &[&l.view, &l.readout]),
            tell: kernel(device, &own, "tell", &[&l.view, &l.own]),
            census: kernel(device, &census, "census", &[&l.view, &l.census]),
            vacate: kernel(device, &watch, "vacate", &[&l.view, &l.watch]),
            watch: kernel(device, &watch, "watch", &[&l.view, &l.watch]),
            thin: kernel(device, &watch, "thin", &[&l.view, &l.watch]),
            follow: kernel(device, &watch, "follow", &[&l.view, &l.watch]),
        }
    }
}
