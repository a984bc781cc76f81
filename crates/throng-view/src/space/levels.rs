//! Levels of detail, and the lists of who is drawn.

use super::shadow::CASCADES;

/// Levels of detail of the camera's picture, the finest first.
pub const LEVELS: usize = 7;
/// The full mesh, cut into finer triangles and displaced.
pub(crate) const CLOSE: usize = 0;
/// The full mesh.
pub(crate) const FULL: usize = 1;
/// The first of the reduced meshes.
pub(crate) const REDUCED: usize = 2;
/// Meshes of a character: the full one and the reduced ones.
pub(crate) const MESHES: usize = 4;
/// A picture of somebody instead of a mesh.
pub(crate) const IMPOSTOR: usize = 5;
/// Part of a sum per pixel.
pub(crate) const FAR: usize = 6;

/// What levels are called, for panels and tables.
pub const NAMES: [&str; LEVELS] = ["close-up", "full", "1/7", "1/43", "1/125", "impostor", "far"];

/// Lists: one for each level, then three for each shadow map: who is skinned already for the camera's picture, who is not, and who is small.
pub(crate) const LISTS: usize = LEVELS + 3 * CASCADES;
/// The first of those who are skinned.
pub(crate) const SKINNED_CASTERS: usize = LEVELS;
/// The first of the others.
pub(crate) const CASTERS: usize = LEVELS + CASCADES;
/// The first of those who are small: their shadows have the coarsest mesh.
pub(crate) const SMALL_CASTERS: usize = LEVELS + 2 * CASCADES;
/// Whoever is smaller in the picture than this level asks for is small.
pub(crate) const SMALLEST_MESH: usize = 3;
