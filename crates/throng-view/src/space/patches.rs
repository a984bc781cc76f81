//! Patches that close-ups are cut into. A workgroup draws a group of faces: with one face to a workgroup a coarse cut would leave most of the device
//! idle.

use throng_creature::LEVELS as CUTS;

/// How many finenesses there are: an edge is cut into 1, 2, 4, 8 or 16 pieces.
pub(crate) const FINENESSES: usize = CUTS.len();
/// Faces that a workgroup draws, for each of them: FACES of close.wgsl.
const FACES: [u32; FINENESSES] = [64, 32, 16, 4, 1];

/// Workgroups that draw a character of so many faces.
pub(crate) fn workgroups(fineness: usize, faces: u32) -> u32 {
    faces.div_ceil(FACES[fineness])
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_creature::Patch;

    #[test]
    fn a_workgroup_has_room_for_its_points_and_triangles() {
        for (faces, cut) in FACES.into_iter().zip(CUTS) {
            assert!(faces * cut * cut <= 256);
            assert!(faces * (cut + 1) * (cut + 2) / 2 <= 256, "corners have a byte");
        }
    }

    #[test]
    fn triangles_of_a_patch_are_those_of_the_shader() {
        // cut_triangle of close_ups.wgsl, in whole numbers.
        let point = |row: u32, column: u32| row * (row + 1) / 2 + column;
        for cut in CUTS {
            let wanted = (0..cut * cut).map(|k| {
                let row = k.isqrt();
                let column = (k - row * row) / 2;
                match (k - row * row) % 2 {
                    0 => [point(row, column), point(row + 1, column), point(row + 1, column + 1)],
                    _ => [point(row, column), point(row + 1, column + 1), point(row, column + 1)],
                }
            });
            let turned = |mut t: [u32; 3]| {
                let first = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
                t.rotate_left(first);
                t
            };
            let mut wanted: Vec<[u32; 3]> = wanted.map(turned).collect();
            let patch = Patch::new(cut);
            let three = patch.indices.chunks_exact(3);
            let mut all: Vec<[u32; 3]> = three.map(|t| turned([t[0], t[1], t[2]].map(u32::from))).collect();
            wanted.sort_unstable();
            all.sort_unstable();
            assert_eq!(all, wanted);
        }
    }
}
