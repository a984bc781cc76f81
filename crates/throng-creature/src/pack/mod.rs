//! Vertices and bones in few bits, with what shaders need to read them again.

mod bone;
mod vertex;

pub use bone::{BONE_WGSL, PackedBone, PackedClips};
pub use vertex::{Aabb, PackedSkin, PackedVertex, PaperVertex, VERTEX_WGSL, Vertex};
