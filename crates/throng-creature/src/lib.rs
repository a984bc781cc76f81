//! Animated characters as plain data for a renderer: meshes in several levels of detail, bones, clips baked into
//! skinning matrices, and what makes one individual differ from the next.
//!
//! [`Character::creature`] makes this project's own creature by code, the same bits on every machine;
//! [`Character::from_gltf`] reads somebody's own. Both give the same [`Character`], and nothing here knows a device:
//! what shaders need is text beside its twin in Rust ([`VARIATION_WGSL`], [`VERTEX_WGSL`], …).
//!
//! Character space: x forward, y left, z up, metres, the feet on z = 0 and the origin between them.

mod bounds;
mod character;
mod creature;
mod field;
mod gltf;
mod nets;
mod order;
mod pack;
mod relief;
mod roles;
mod seams;
mod simplify;
mod trig;
mod variation;
mod weights;

pub use self::gltf::{FromGltf, GltfError, GltfOptions};
pub use character::{Bone, Character, Clip, Growth, Mesh, Paint, Palette, Part, Role, Rows, Sphere, blend};
pub use pack::{Aabb, BONE_WGSL, PackedBone, PackedClips, PackedSkin, PackedVertex, PaperVertex, VERTEX_WGSL, Vertex};
pub use relief::{Corner, Displaced, LEVELS, Patch, RELIEF_WGSL, patch_point, relief};
pub use seams::Place;
pub use variation::{CHANNELS, Channel, VARIATION_WGSL, Variation};
