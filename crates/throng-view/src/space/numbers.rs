//! The numbers that shaders of the third dimension are given: `Space` and `Draw` of space.wgsl, field by field.

use glam::{Mat4, Vec4};

/// See space.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Numbers {
    pub(crate) clip: Mat4,
    pub(crate) view: Mat4,
    pub(crate) cascades: [Mat4; super::shadow::CASCADES],
    pub(crate) eye: Vec4,
    pub(crate) sun: Vec4,
    pub(crate) sun_colour: Vec4,
    pub(crate) ends: Vec4,
    pub(crate) texels: Vec4,
    pub(crate) extent: [f32; 2],
    pub(crate) quad: [f32; 2],
    pub(crate) corners: [u32; 2],
    pub(crate) base: f32,
    pub(crate) top: f32,
    pub(crate) screen: [f32; 2],
    pub(crate) half: [f32; 2],
    pub(crate) agents: u32,
    pub(crate) pinned: u32,
    pub(crate) frustum: u32,
    pub(crate) occlusion: u32,
    pub(crate) tint: u32,
    pub(crate) flat_floor: u32,
    pub(crate) tall: f32,
    pub(crate) elapsed: f32,
    pub(crate) levels: u32,
    pub(crate) known: u32,
    pub(crate) time: f32,
    pub(crate) step: f32,
    pub(crate) cast: u32,
    pub(crate) mists: u32,
    pub(crate) laid: [f32; 2],
    pub(crate) walled: u32,
    pub(crate) pad: [u32; 3],
    pub(crate) figures: [Vec4; super::crowd::FIGURES],
}

/// See space.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Draw {
    pub(crate) clip: Mat4,
    pub(crate) list: u32,
    pub(crate) level: u32,
    pub(crate) phase: u32,
    pub(crate) edges: u32,
}
