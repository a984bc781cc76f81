//! Where goals are crowded: the floor around goals costs more, the more people are in them nearby, so that people spread over several (Froblins 3.2.1.3).
//!
//! Around every goal is a ring of floor; each of its cells has a few cells of the goal nearby, whose mean density counts. All of it is one list
//! of numbers, which shaders read as it is (crowded.wgsl): how many cells the rings have; for each the cell, where its cells of
//! goals begin and how many there are; then those.

use super::grid::Grid;
use glam::Vec2;

/// How wide the ring around a goal is, and how far a goal's cells count from there, m.
const RING: f32 = 2.0;
/// Cells of goals that a cell of a ring looks at.
const MOST: usize = 16;

/// The rings around all goals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crowding {
    wanted: bool,
    words: Vec<u32>,
}

impl Crowding {
    /// Notes whether anybody asks. Returns whether that is another matter than before.
    pub(crate) fn want(&mut self, wanted: bool) -> bool {
        std::mem::replace(&mut self.wanted, wanted) != wanted
    }

    /// Finds the rings anew, around the free cells of all goals.
    pub(crate) fn find<'a>(
        &mut self,
        grid: &Grid,
        goals: impl Iterator<Item = &'a [u32]>,
        is_solid: impl Fn(usize) -> bool,
    ) {
        self.words.clear();
        if !self.wanted {
            return;
        }
        let mut is_goal = vec![false; grid.len()];
        goals.flatten().for_each(|&cell| is_goal[cell as usize] = true);
        let far = (RING / grid.cell).ceil() as usize;
        let around = |cell: usize| {
            let (x, y) = (cell % grid.width, cell / grid.width);
            let columns = x.saturating_sub(far)..(x + far + 1).min(grid.width);
            let rows = y.saturating_sub(far)..(y + far + 1).min(grid.height);
            let near = move |c: &usize| grid.centre_of(*c).distance_squared(grid.centre_of(cell)) <= RING * RING;
            rows.flat_map(move |y| columns.clone().map(move |x| y * grid.width + x)).filter(near)
        };
        let mut in_ring = vec![false; grid.len()];
        for cell in (0..grid.len()).filter(|&c| is_goal[c] && !surrounded(grid, &is_goal, c)) {
            around(cell).filter(|&c| !is_goal[c] && !is_solid(c)).for_each(|c| in_ring[c] = true);
        }
        let ring: Vec<usize> = (0..grid.len()).filter(|&c| in_ring[c]).collect();
        self.words.push(ring.len() as u32);
        self.words.resize(1 + 3 * ring.len(), 0);
        for (k, &cell) in ring.iter().enumerate() {
            let goal: Vec<u32> = around(cell).filter(|&c| is_goal[c]).map(|c| c as u32).collect();
            let every = goal.len().div_ceil(MOST);
            let at = self.words.len();
            self.words.extend(goal.into_iter().step_by(every.max(1)));
            let entry = [cell as u32, at as u32, (self.words.len() - at) as u32];
            self.words[1 + 3 * k..4 + 3 * k].copy_from_slice(&entry);
        }
    }

    /// How many cells the rings have.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.first().map_or(0, |n| *n as usize)
    }

    /// Whether there are no rings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each cell of a ring, and the mean of a value per cell over the cells of goals nearby.
    pub(crate) fn means<'a>(&'a self, values: &'a [f32]) -> impl Iterator<Item = (usize, f32)> + 'a {
        self.words.get(1..1 + 3 * self.len()).unwrap_or_default().chunks_exact(3).map(|entry| {
            let cells = &self.words[entry[1] as usize..][..entry[2] as usize];
            let sum: f32 = cells.iter().map(|&c| values[c as usize]).sum();
            (entry[0] as usize, sum / cells.len().max(1) as f32)
        })
    }

    /// All of it, as shaders read it.
    #[cfg(feature = "gpu")]
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }
}

/// Whether all neighbours of a cell are cells of goals as well: no ring begins there.
fn surrounded(grid: &Grid, is_goal: &[bool], cell: usize) -> bool {
    let (x, y) = ((cell % grid.width) as i32, (cell / grid.width) as i32);
    let inside = |x: i32, y: i32| {
        Vec2::new(x as f32, y as f32).cmpge(Vec2::ZERO).all() && (x as usize) < grid.width && (y as usize) < grid.height
    };
    [(1, 0), (-1, 0), (0, 1), (0, -1)]
        .iter()
        .all(|(dx, dy)| inside(x + dx, y + dy) && is_goal[(y + dy) as usize * grid.width + (x + dx) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_is_what_is_within_two_metres_and_its_means_are_plain_ones() {
        let grid = Grid { width: 20, height: 16, cell: 0.5 };
        let goal: Vec<u32> =
            (0..grid.len() as u32).filter(|c| (6..9).contains(&(c % 20)) && (5..8).contains(&(c / 20))).collect();
        let mut crowding = Crowding::default();
        crowding.find(&grid, [&goal[..]].into_iter(), |_| false);
        assert!(crowding.is_empty(), "nobody asks");
        assert!(crowding.want(true) && !crowding.want(true));
        crowding.find(&grid, [&goal[..]].into_iter(), |c| c == 0);
        let values: Vec<f32> = (0..grid.len()).map(|c| (c % 7) as f32).collect();
        let means: std::collections::BTreeMap<usize, f32> = crowding.means(&values).collect();
        for cell in 0..grid.len() {
            let near: Vec<f32> = goal
                .iter()
                .filter(|g| grid.centre_of(**g as usize).distance(grid.centre_of(cell)) <= 2.0)
                .map(|g| values[*g as usize])
                .collect();
            let expected = (!near.is_empty() && !goal.contains(&(cell as u32)) && cell != 0)
                .then(|| near.iter().sum::<f32>() / near.len() as f32);
            match (means.get(&cell), expected) {
                (Some(mean), Some(expected)) => {
                    assert!((mean - expected).abs() < 1e-5, "cell {cell}: {mean} and {expected}");
                }
                (found, expected) => assert_eq!(found.is_some(), expected.is_some(), "cell {cell}"),
            }
        }
    }
}
