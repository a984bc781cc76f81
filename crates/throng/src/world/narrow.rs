//! Ways that are too narrow: links between cells that are open, but not for a body of some radius.
//!
//! Whoever goes from a cell to the next crosses the side between them with its centre. If no point of that side has room for the
//! body, the link is no way for it, however wide the cells are; so a gap of 30 cm is closed for people and open for cats. Bodies are
//! sorted into a few classes by radius, and plans are made for classes.

use super::grid::{EAST, Grid, NORTH};
use super::walls::{LINK, Walls};
use crate::scene::Group;
use glam::Vec2;
use rayon::prelude::*;

/// Classes that there are at most: each may need a field of costs of its own.
pub const MOST_CLASSES: usize = 6;

/// A cell, by plain index, and the bits of those of its links that a body does not fit through.
pub type Closed = (u32, u8);

/// The radii of the classes of some groups, the least first: those of their widest, or where these are too many, fewer, each
/// wide enough for all who are counted among it.
#[must_use]
pub fn classes(groups: &[Group]) -> Vec<f32> {
    let mut radii: Vec<f32> = groups.iter().map(|g| g.radius.max()).collect();
    radii.sort_by(f32::total_cmp);
    radii.dedup();
    while radii.len() > MOST_CLASSES {
        // Those who are nearest to the next class go over to it.
        let nearest = (0..radii.len() - 1).min_by(|&a, &b| {
            let gap = |i: usize| radii[i + 1] / radii[i];
            gap(a).total_cmp(&gap(b))
        });
        radii.remove(nearest.expect("there are several"));
    }
    radii
}

/// The class of somebody, among radii that come the least first.
#[must_use]
pub fn class_of(radii: &[f32], radius: f32) -> usize {
    radii.iter().position(|r| *r >= radius).unwrap_or(radii.len().saturating_sub(1))
}

/// The links that are open but too narrow for a body, in order of cells.
#[must_use]
pub fn closed_links(walls: &Walls, grid: &Grid, radius: f32) -> Vec<Closed> {
    // Only these two: the others are the same sides seen from the other cell.
    let forward: Vec<(u32, usize)> = (0..grid.len())
        .into_par_iter()
        .with_min_len(4096)
        // The middle of a side is half a cell from the middle of the cell.
        .filter(|&cell| walls.distance()[cell] < radius + 0.5 * grid.cell)
        .flat_map_iter(|cell| [NORTH, EAST].into_iter().map(move |d| (cell as u32, d)))
        .filter(|&(cell, d)| walls.flags()[cell as usize] & LINK[d] != 0)
        .filter(|&(cell, d)| !has_room_between(walls, grid, cell as usize, d, radius))
        .collect();
    let mut all: Vec<Closed> = Vec::with_capacity(2 * forward.len());
    for (cell, d) in forward {
        let next = if d == NORTH { cell + grid.width as u32 } else { cell + 1 };
        all.extend([(cell, LINK[d]), (next, LINK[d ^ 2])]);
    }
    all.sort_unstable();
    all.dedup_by(|from, to| {
        let same = from.0 == to.0;
        to.1 |= if same { from.1 } else { 0 };
        same
    });
    all
}

/// Whether a body has room somewhere on the side between a cell and the next, where both middles see it. Parts of the side are
/// halved until their middles have it or none of them can: no point is clearer than its part's middle by more than the way to it.
fn has_room_between(walls: &Walls, grid: &Grid, cell: usize, direction: usize, radius: f32) -> bool {
    let here = grid.centre_of(cell);
    let (to_next, along) = if direction == NORTH { (Vec2::Y, Vec2::X) } else { (Vec2::X, Vec2::Y) };
    let (there, side) = (here + to_next * grid.cell, here + to_next * (0.5 * grid.cell));
    // A body may be a hundredth wider than a gap.
    let fine = 0.01 * radius;
    let mut parts = vec![(0.0, 0.5 * grid.cell)];
    while let Some((at, half)) = parts.pop() {
        let p = side + along * at;
        let missing = walls.depth(p, radius);
        if missing <= fine && walls.sees(here, p) && walls.sees(p, there) {
            return true;
        }
        let least = if missing <= fine { 0.05 * grid.cell } else { 0.5 * fine };
        if half > least && missing <= fine + half {
            let h = 0.5 * half;
            parts.extend([(at - h, h), (at + h, h)]);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{NoFiles, Scene};
    use crate::world::World;

    /// A wall across a world of 6 × 3 m with a gap in its middle, for bodies of 0.2 m.
    fn gap(width: f32, cell: f32, shift: f32) -> World {
        let (low, high) = (1.5 + shift - 0.5 * width, 1.5 + shift + 0.5 * width);
        let text = format!(
            "size = [6, 3]\ncell = {cell}\ndt = 0.02\n[map]\nwalls = [{{ rect = [2.9, 0, 3.1, {low}] }}, {{ rect = [2.9, {high}, 3.1, 3] }}]\n\
             [[goal]]\nrect = [5, 0, 6, 3]\n[[agents]]\ncount = 1\nstart = {{ rect = [3.5, 0, 5, 3] }}\nspeed = 1\n"
        );
        World::new(&Scene::parse("gap.toml", &text, &NoFiles).expect("sound")).expect("sound")
    }

    /// Whether a body gets from west to east over links that are wide enough.
    fn passes(world: &World, radius: f32) -> bool {
        let closed = closed_links(&world.walls, &world.grid, radius);
        let mut flags = world.walls.flags().to_vec();
        for (cell, bits) in closed {
            flags[cell as usize] &= !bits;
        }
        let width = world.grid.width;
        let steps = [width as isize, 1, -(width as isize), -1];
        let start = world.grid.index_at(Vec2::new(0.75, 1.5));
        let (mut seen, mut front) = (vec![false; world.grid.len()], vec![start]);
        seen[start] = true;
        while let Some(cell) = front.pop() {
            for d in 0..4 {
                let next = cell.wrapping_add_signed(steps[d]);
                if flags[cell] & LINK[d] != 0 && !std::mem::replace(&mut seen[next], true) {
                    front.push(next);
                }
            }
        }
        seen[world.grid.index_at(Vec2::new(5.25, 1.5))]
    }

    #[test]
    fn a_gap_is_a_way_for_bodies_that_fit_through_and_for_no_others_whatever_the_raster() {
        for cell in [0.1, 0.2, 0.25, 0.5] {
            for shift in [0.0, 0.5 * cell, 0.3 * cell] {
                for (width, fits) in [(0.30, false), (0.38, false), (0.42, true), (0.7, true), (1.2, true)] {
                    // Where the raster misses a gap altogether it is closed for everybody: links join the middles of cells.
                    if fits && !passes(&gap(width, cell, shift), 0.01) {
                        continue;
                    }
                    assert_eq!(passes(&gap(width, cell, shift), 0.2), fits, "{width} m, cell {cell}, shift {shift}");
                }
            }
        }
    }

    #[test]
    fn radii_fall_into_a_few_classes_that_are_wide_enough() {
        let group = |radius: f32| Group {
            radius: crate::scene::Distribution::Constant(radius),
            ..Group::new("", 1, Vec::new(), Vec::new())
        };
        let groups: Vec<Group> = [0.2, 0.5, 0.2, 0.21, 0.9, 0.3, 1.5, 0.52, 0.25].map(group).into();
        let radii = classes(&groups);
        assert_eq!(radii, [0.21, 0.25, 0.3, 0.52, 0.9, 1.5]);
        for g in &groups {
            assert!(radii[class_of(&radii, g.radius.max())] >= g.radius.max());
        }
        assert_eq!(class_of(&radii, 0.2), 0);
    }
}
