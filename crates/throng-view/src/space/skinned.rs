//! Pipelines for those who are skinned once a frame: the one that skins them, and those that draw them.

use super::crowd::{FIGURE_WGSL, SKINNING_WGSL};
use super::pipelines::{Layouts, Way, pipeline};
use super::settings::Vertices;
use crate::draw::layout::{Slot, group_layout, kernel, module};
use throng_creature::{RELIEF_WGSL, VARIATION_WGSL, VERTEX_WGSL};
use wgpu::{
    BindGroupLayout, CompareFunction, ComputePipeline, Device, PrimitiveTopology, RenderPipeline, ShaderStages,
};

/// For one way to keep vertices.
#[derive(Debug)]
pub(crate) struct Skinned {
    pub(crate) vertices: Vertices,
    /// Of the kernel that skins, and of what draws.
    pub(crate) layouts: [BindGroupLayout; 2],
    pub(crate) skin: ComputePipeline,
    pub(crate) full: ComputePipeline,
    pub(crate) close_ups: ComputePipeline,
    pub(crate) shadows: RenderPipeline,
}

impl Skinned {
    pub(crate) fn new(device: &Device, l: &Layouts, vertices: Vertices) -> Self {
        use Slot::{Read, Uniform, Write};
        let kept = match vertices {
            Vertices::Packed => include_str!("vertex_packed.wgsl"),
            Vertices::Paper => include_str!("vertex_paper.wgsl"),
            Vertices::Plain => include_str!("vertex_plain.wgsl"),
        };
        let (space, light) = (include_str!("space.wgsl"), include_str!("light.wgsl"));
        let skins = module(
            device,
            "skinning",
            &[space, &SKINNING_WGSL.concat(), kept, include_str!("skinning.wgsl"), include_str!("carried.wgsl")],
        );
        let who =
            [VARIATION_WGSL, VERTEX_WGSL, FIGURE_WGSL, kept, include_str!("placed.wgsl"), include_str!("skinned.wgsl")]
                .concat();
        let drawn = |label: &str, parts: &[&str]| {
            let raster =
                [include_str!("samples.wgsl"), include_str!("raster.wgsl"), include_str!("workgroup.wgsl")].concat();
            let common = [space, light, &who, include_str!("skin.wgsl"), &raster];
            module(device, label, &[&common, parts].concat())
        };
        let full = drawn("full meshes", &[include_str!("pieces.wgsl"), include_str!("full.wgsl")]);
        let close = drawn("close-ups", &[RELIEF_WGSL, include_str!("close.wgsl"), include_str!("close_ups.wgsl")]);
        let casters = module(device, "skinned casters", &[space, &who, include_str!("cast_skinned.wgsl")]);
        let both = ShaderStages::VERTEX | ShaderStages::COMPUTE;
        let layouts = [
            group_layout(device, "skinning", ShaderStages::COMPUTE, &[Read, Read, Read, Read, Read, Write, Uniform]),
            group_layout(device, "skinned", both, &[Read, Read, Read, Read, Read, Uniform]),
        ];
        let groups = [&layouts[1], &l.light, &l.aim, &l.samples];
        Self {
            vertices,
            skin: kernel(device, &skins, "skin_all", &[&layouts[0]]),
            full: kernel(device, &full, "pieces", &groups),
            close_ups: kernel(device, &close, "close_ups", &groups),
            shadows: pipeline(
                device,
                &Way {
                    shader: &casters,
                    vertex: "cast_skinned",
                    fragment: None,
                    groups: &[&layouts[1], &l.nothing, &l.space],
                    buffers: &[],
                    topology: PrimitiveTopology::TriangleList,
                    depth: Some((CompareFunction::LessEqual, true)),
                    samples: 1,
                },
            ),
            layouts,
        }
    }
}
