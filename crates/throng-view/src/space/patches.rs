//! Triangles that close-ups are cut into: indices that draw a group of faces at once, for each fineness. A character is so many instances
//! of that; with one face to an instance a coarse cut would leave most of the device idle.

use super::figure::{Range, edges_of};
use throng_creature::{LEVELS as CUTS, Patch};

/// How many finenesses there are: an edge is cut into 1, 2, 4, 8 or 16 pieces.
pub(crate) const FINENESSES: usize = CUTS.len();
/// Faces that an instance draws, for each of them: FACES of close.wgsl.
pub(crate) const FACES: [u32; FINENESSES] = [64, 32, 16, 4, 1];

/// Indices of the patches of all finenesses.
#[derive(Debug)]
pub(crate) struct Patches {
    pub(crate) indices: Vec<u32>,
    pub(crate) faces: [Range; FINENESSES],
    pub(crate) edges: [Range; FINENESSES],
}

impl Patches {
    pub(crate) fn new() -> Self {
        let mut indices = Vec::new();
        let mut run = |triangles: u32, list: &mut dyn Iterator<Item = u32>| {
            let first = indices.len() as u32;
            indices.extend(list);
            Range { first, count: indices.len() as u32 - first, triangles }
        };
        let each = CUTS.map(Patch::new);
        let repeated = |k: usize, one: &[u32]| -> Vec<u32> {
            let points = each[k].points.len() as u32;
            (0..FACES[k]).flat_map(|face| one.iter().map(move |i| face * points + i)).collect()
        };
        let ranges = std::array::from_fn(|k| {
            let one: Vec<u32> = each[k].indices.iter().map(|&i| u32::from(i)).collect();
            let lines: Vec<u32> = edges_of(&one).into_iter().flatten().collect();
            let triangles = FACES[k] * each[k].level * each[k].level;
            [&one, &lines].map(|list| run(triangles, &mut repeated(k, list).into_iter()))
        });
        Self { faces: ranges.map(|[faces, _]| faces), edges: ranges.map(|[_, edges]| edges), indices }
    }

    /// Instances that a character of so many faces is drawn with.
    pub(crate) fn instances(fineness: usize, faces: u32) -> u32 {
        faces.div_ceil(FACES[fineness])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_draws_all_triangles_of_its_faces() {
        let patches = Patches::new();
        for (k, cut) in CUTS.into_iter().enumerate() {
            let (faces, edges) = (patches.faces[k], patches.edges[k]);
            assert_eq!(faces.count, 3 * faces.triangles);
            assert_eq!(faces.triangles, FACES[k] * cut * cut);
            // Three sides of each triangle, inner ones shared by two.
            assert_eq!(edges.count, 2 * FACES[k] * 3 * cut * (cut + 1) / 2);
            let points = (cut + 1) * (cut + 2) / 2;
            let used = &patches.indices[faces.first as usize..][..faces.count as usize];
            assert_eq!(used.iter().max(), Some(&(FACES[k] * points - 1)));
        }
    }
}
