//! Weights and normals that any mesh needs.

use glam::DVec3;

/// The four largest weights as parts of 255, those with more first.
pub(crate) fn strongest(row: &[f32]) -> ([u8; 4], [u8; 4]) {
    let mut order: Vec<usize> = (0..row.len()).filter(|&bone| row[bone] > 0.004).collect();
    order.sort_by(|&a, &b| row[b].total_cmp(&row[a]).then(a.cmp(&b)));
    order.truncate(4);
    let sum: f32 = order.iter().map(|&bone| row[bone]).sum();
    let (mut bones, mut weights) = ([0; 4], [0; 4]);
    for (slot, &bone) in order.iter().enumerate() {
        bones[slot] = bone as u8;
        weights[slot] = (row[bone] / sum * 255.0).round() as u8;
    }
    // Rounding leaves a few parts over or under: they are the strongest bone's.
    let others: u32 = weights[1..].iter().map(|&weight| u32::from(weight)).sum();
    weights[0] = 255_u32.saturating_sub(others) as u8;
    (bones, weights)
}

/// The sum of the normals of the faces around every vertex, by area.
pub(crate) fn face_normals(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for &corners in triangles {
        let [a, b, c] = corners.map(|corner| positions[corner as usize]);
        for corner in corners {
            sums[corner as usize] += (b - a).cross(c - a);
        }
    }
    sums
}
