//! Pipelines for those who are skinned once a frame: the one that skins them, and those that draw them.

use super::crowd::{FIGURE_WGSL, SKINNING_WGSL};
use super::pipelines::{Layouts, Way, pipeline};
use super::settings::Vertices;
use super::targets::{LIGHT, SAMPLES};
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
    /// Full meshes and close-ups: their faces, and their edges.
    pub(crate) full: [RenderPipeline; 2],
    pub(crate) close: [RenderPipeline; 2],
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
        let skins = module(device, "skinning", &[space, &SKINNING_WGSL.concat(), kept, include_str!("skinning.wgsl")]);
        let who =
            [VARIATION_WGSL, VERTEX_WGSL, FIGURE_WGSL, kept, include_str!("placed.wgsl"), include_str!("skinned.wgsl")]
                .concat();
        let bodies = module(
            device,
            "skinned",
            &[space, light, &who, RELIEF_WGSL, include_str!("skin.wgsl"), include_str!("close.wgsl")],
        );
        let casters = module(device, "skinned casters", &[space, &who]);
        let layouts = [
            group_layout(
                device,
                "skinning",
                ShaderStages::COMPUTE,
                &[Read, Read, Read, Read, Read, Read, Read, Write, Uniform],
            ),
            group_layout(device, "skinned", ShaderStages::VERTEX, &[Read, Read, Read, Read, Read, Read, Read, Uniform]),
        ];
        let groups = [&layouts[1], &l.light, &l.space];
        let drawn = |vertex: &str| {
            [PrimitiveTopology::TriangleList, PrimitiveTopology::LineList].map(|topology| {
                let way = Way {
                    shader: &bodies,
                    vertex,
                    fragment: Some(("skin", LIGHT, None)),
                    groups: &groups,
                    buffers: &[],
                    topology,
                    closed: topology == PrimitiveTopology::TriangleList,
                    depth: Some((CompareFunction::GreaterEqual, true)),
                    samples: SAMPLES,
                };
                pipeline(device, &way)
            })
        };
        Self {
            vertices,
            skin: kernel(device, &skins, "skin_all", &[&layouts[0]]),
            full: drawn("full"),
            close: drawn("close_up"),
            shadows: pipeline(
                device,
                &Way {
                    shader: &casters,
                    vertex: "cast_skinned",
                    fragment: None,
                    groups: &[&layouts[1], &l.nothing, &l.space],
                    buffers: &[],
                    topology: PrimitiveTopology::TriangleList,
                    closed: false,
                    depth: Some((CompareFunction::LessEqual, true)),
                    samples: 1,
                },
            ),
            layouts,
        }
    }
}
