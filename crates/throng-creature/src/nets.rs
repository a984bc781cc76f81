//! Surface nets: a field of distances becomes a closed surface of triangles.
//!
//! One vertex for each cell that the surface passes through, one quadrilateral for each edge of the grid that it crosses
//! (Gibson, "Constrained elastic surface nets", 1998). Where a cell is passed twice, one vertex would join two sheets, so such
//! cells are filled beforehand: every edge of the surface then has exactly two faces.

use glam::{DVec3, IVec3};
use rayon::prelude::*;

use crate::field::Field;

/// A surface of triangles, counter-clockwise from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) positions: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// Samples are taken in blocks with so many cells on a side, since few blobs matter to a block.
const BLOCK: i32 = 8;

/// The field at the nodes of a grid.
struct Grid {
    low: DVec3,
    cell: f64,
    /// Nodes along x, y, z.
    size: IVec3,
    values: Vec<f32>,
}

impl Grid {
    fn index(&self, at: IVec3) -> usize {
        ((at.z * self.size.y + at.y) * self.size.x + at.x) as usize
    }

    fn inside(&self, at: IVec3) -> bool {
        self.values[self.index(at)] < 0.0
    }
}

/// The surface of a field, on a grid of cells of this size.
pub(crate) fn surface(field: &Field, cell: f64) -> Surface {
    let mut grid = sampled(field, cell);
    fill_ambiguous(&mut grid);
    let (mut surface, cells) = connected(&grid);
    settle(field, cell, &cells, &grid, &mut surface);
    surface
}

fn sampled(field: &Field, cell: f64) -> Grid {
    let (low, high) = field.bounds();
    // Off centre, so that no plane of symmetry is a plane of nodes.
    let low = low - DVec3::new(2.37, 2.41, 2.29) * cell;
    let blocks = ((high - low + 2.5 * cell) / (cell * f64::from(BLOCK))).ceil().as_ivec3();
    let size = blocks * BLOCK;
    let layer = (size.x * size.y * BLOCK) as usize;
    let mut values = vec![1.0_f32; layer * blocks.z as usize];
    let half = 0.5 * cell * f64::from(BLOCK);
    values.par_chunks_mut(layer).enumerate().for_each(|(bz, values)| {
        for by in 0..blocks.y {
            for bx in 0..blocks.x {
                let corner = IVec3::new(bx, by, bz as i32) * BLOCK;
                let near = field.near(low + corner.as_dvec3() * cell + half, half * 3.0_f64.sqrt() + cell);
                if near.is_empty() {
                    continue;
                }
                for node in 0..BLOCK * BLOCK * BLOCK {
                    let step = IVec3::new(node % BLOCK, node / BLOCK % BLOCK, node / (BLOCK * BLOCK));
                    let at = corner + step;
                    let index = (step.z * size.y + at.y) * size.x + at.x;
                    let value = field.distance(&near, low + at.as_dvec3() * cell);
                    // Crossings keep off the nodes, or vertices of several cells would fall together.
                    let most = 0.03 * cell;
                    values[index as usize] = (if value < 0.0 { value.min(-most) } else { value.max(most) }) as f32;
                }
            }
        }
    });
    Grid { low, cell, size, values }
}

/// The corners of a cell, x first.
fn corner(n: usize) -> IVec3 {
    IVec3::new(n as i32 & 1, n as i32 >> 1 & 1, n as i32 >> 2 & 1)
}

/// Whether corners of a cell (a bit each) hang together along its edges.
fn connected_corners(set: u8) -> bool {
    if set == 0 {
        return true;
    }
    let mut reached = set & set.wrapping_neg();
    loop {
        let spread =
            ((reached & 0x55) << 1) | ((reached & 0xaa) >> 1) | ((reached & 0x33) << 2) | ((reached & 0xcc) >> 2);
        let next = (reached | spread | reached << 4 | reached >> 4) & set;
        if next == reached {
            return reached == set;
        }
        reached = next;
    }
}

/// Whether the corners of every side of a cell hang together.
fn plain_sides(set: u8) -> bool {
    const SIDES: [u8; 6] = [0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0];
    SIDES.iter().all(|side| connected_corners(set & side) || !(set & side).count_ones().eq(&2))
}

/// Fills cells until each is passed by one sheet: its inner corners hang together, its outer ones do, and so on each side.
fn fill_ambiguous(grid: &mut Grid) {
    let ambiguous = |inside: u8| {
        !(connected_corners(inside) && connected_corners(!inside) && plain_sides(inside) && plain_sides(!inside))
    };
    let cells = grid.size - 1;
    let mut again: Vec<IVec3> = (0..cells.z)
        .flat_map(|z| (0..cells.y).flat_map(move |y| (0..cells.x).map(move |x| IVec3::new(x, y, z))))
        .collect();
    while !again.is_empty() {
        let mut touched = Vec::new();
        for at in again {
            let inside = |grid: &Grid| (0..8).fold(0_u8, |set, n| set | u8::from(grid.inside(at + corner(n))) << n);
            while ambiguous(inside(grid)) {
                // The outer corner that is nearest to the surface; ties go to the first.
                let outer = (0..8).map(|n| at + corner(n)).filter(|&node| !grid.inside(node));
                let Some(node) =
                    outer.min_by(|&a, &b| grid.values[grid.index(a)].total_cmp(&grid.values[grid.index(b)]))
                else {
                    break;
                };
                let index = grid.index(node);
                grid.values[index] = -0.03 * grid.cell as f32;
                let before = (0..8).map(|n| node - corner(n));
                touched.extend(before.filter(|cell| cell.min_element() >= 0 && cell.cmplt(cells).all()));
            }
        }
        again = touched;
    }
}

/// Vertices where the edges of cells cross the surface, on average, and faces between them; and which cell each vertex is of.
fn connected(grid: &Grid) -> (Surface, Vec<IVec3>) {
    let cells = grid.size - 1;
    let mut surface = Surface::default();
    let mut of_cell = vec![u32::MAX; grid.values.len()];
    let mut home = Vec::new();
    for z in 0..cells.z {
        for y in 0..cells.y {
            for x in 0..cells.x {
                let at = IVec3::new(x, y, z);
                if let Some(place) = crossing(grid, at) {
                    of_cell[grid.index(at)] = surface.positions.len() as u32;
                    surface.positions.push(grid.low + (at.as_dvec3() + place) * grid.cell);
                    home.push(at);
                }
            }
        }
    }
    for at in &home {
        for axis in 0..3 {
            // The edge from the cell's first corner along the axis, and the four cells around it.
            let step = |axis: usize| IVec3::from_array(std::array::from_fn(|i| i32::from(i == axis)));
            let (along, u, v) = (step(axis), step((axis + 1) % 3), step((axis + 2) % 3));
            let (first, last) = (grid.inside(*at), grid.inside(*at + along));
            if first == last || (*at - u - v).min_element() < 0 {
                continue;
            }
            let ring = [*at, *at - u, *at - u - v, *at - v].map(|cell| of_cell[grid.index(cell)]);
            let [a, b, c, d] = if first { ring } else { [ring[0], ring[3], ring[2], ring[1]] };
            surface.triangles.extend(halves(&surface.positions, [a, b, c, d]));
        }
    }
    (surface, home)
}

/// A quadrilateral as two triangles, cut along its shorter diagonal.
fn halves(positions: &[DVec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let length = |a: u32, b: u32| positions[a as usize].distance_squared(positions[b as usize]);
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] }
}

/// The mean of the points where a cell's edges cross the surface, in cells from its first corner.
fn crossing(grid: &Grid, at: IVec3) -> Option<DVec3> {
    let (mut sum, mut count) = (DVec3::ZERO, 0);
    for axis in 0..3 {
        for n in (0..8).filter(|n| n >> axis & 1 == 0) {
            let (a, b) = (corner(n), corner(n | 1 << axis));
            let value = |corner: IVec3| f64::from(grid.values[grid.index(at + corner)]);
            let (from, to) = (value(a), value(b));
            if (from < 0.0) != (to < 0.0) {
                sum += a.as_dvec3().lerp(b.as_dvec3(), from / (from - to));
                count += 1;
            }
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// Moves vertices onto the surface, by at most half a cell.
fn settle(field: &Field, cell: f64, cells: &[IVec3], grid: &Grid, surface: &mut Surface) {
    surface.positions.par_iter_mut().zip(cells).for_each(|(position, at)| {
        let near = field.near(grid.low + (at.as_dvec3() + 0.5) * cell, 2.0 * cell);
        let start = *position;
        for _ in 0..3 {
            let slope = field.gradient(&near, *position);
            let step = slope * (field.distance(&near, *position) / slope.length_squared().max(0.05));
            *position = start + (*position - step - start).clamp_length_max(0.5 * cell);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_corners_that_hang_together() {
        assert!(connected_corners(0b1111_0000) && connected_corners(0b0101_0001) && connected_corners(0xff));
        assert!(!connected_corners(0b1000_0001) && !connected_corners(0b0000_0110));
        assert!(!plain_sides(0b0000_1001) && plain_sides(0b0000_1011) && plain_sides(0b1000_0001));
    }
}
