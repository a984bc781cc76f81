//! How far it is to a goal in a straight line, for those who live by states: rectangles of the cells that plans for it begin from, so that
//! shapes that are full do not count. The shaders' side is nearest.wgsl.

use super::grid::Grid;
use crate::geometry::Rect;
use glam::Vec2;

/// What is near goals that states ask about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearest {
    wanted: Vec<bool>,
    /// How far people usually ask, m.
    usual: f32,
    goals: Vec<Near>,
}

/// Where a goal is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Near {
    /// Around all of them.
    pub(crate) bounds: Option<Rect>,
    /// Rectangles of whole cells, those near each other together.
    pub(crate) groups: Vec<Together>,
    /// Nobody can arrive there now.
    pub(crate) shut: bool,
    /// Of each cell whether any place in it may be as near as people usually ask.
    in_reach: Vec<bool>,
}

/// Rectangles that one look rules out together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Together {
    /// Around all of them.
    pub(crate) bounds: Rect,
    /// At most [`TOGETHER`].
    pub(crate) rects: Vec<Rect>,
}

/// Rectangles of a group at most: shaders have room for so many.
pub(crate) const TOGETHER: usize = 8;

/// The nearest part of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPlace {
    /// The square of how far it is, m².
    pub square: f32,
    /// A place in the nearest cell.
    pub inside: Vec2,
}

impl Nearest {
    /// Notes which of so many goals are asked about, and from how far at most for the most part.
    pub(crate) fn want(&mut self, goals: impl Iterator<Item = u16>, count: usize, usual: f32) {
        (self.wanted, self.usual) = (vec![false; count], usual);
        goals.for_each(|goal| self.wanted[usize::from(goal)] = true);
    }

    /// Finds all anew: the cells of each goal, in order, and whether it is shut.
    pub(crate) fn find(&mut self, grid: &Grid, cells: &[Vec<u32>], shut: &[bool]) {
        if !self.wanted.contains(&true) {
            return;
        }
        let near = |goal: usize| {
            if !self.wanted[goal] {
                return Near::default();
            }
            let rects = rects(grid, &cells[goal]);
            let mut in_reach = vec![false; grid.len()];
            for rect in &rects {
                let (columns, rows) = grid.cells_in(rect.grown(self.usual + grid.cell));
                rows.for_each(|y| in_reach[y * grid.width..][columns.clone()].fill(true));
            }
            let bounds = rects.iter().copied().reduce(Rect::union);
            let mut groups = Vec::new();
            group(rects, &mut groups);
            Near { bounds, groups, shut: shut[goal], in_reach }
        };
        self.goals = (0..self.wanted.len()).map(near).collect();
    }

    /// All goals, by number; empty if nobody asks.
    #[cfg(feature = "gpu")]
    pub(crate) fn goals(&self) -> &[Near] {
        &self.goals
    }

    /// The nearest part of a goal within so many metres; nothing of a goal where nobody can arrive now if `open` is asked for.
    #[must_use]
    pub fn within(&self, grid: &Grid, goal: u16, p: Vec2, metres: f32, open: bool) -> Option<NearPlace> {
        let near = self.goals.get(usize::from(goal))?;
        if metres <= self.usual && !near.in_reach.get(grid.index_at(p)).copied().unwrap_or(false) {
            return None;
        }
        let most = metres * metres;
        if (open && near.shut) || square(near.bounds?, p) > most {
            return None;
        }
        let mut best: Option<(f32, Rect)> = None;
        for group in &near.groups {
            if square(group.bounds, p) > best.map_or(most, |(least, _)| least) {
                continue;
            }
            for &rect in &group.rects {
                let far = square(rect, p);
                if best.is_none_or(|(least, _)| far < least) {
                    best = Some((far, rect));
                }
            }
        }
        let (square, rect) = best.filter(|(far, _)| *far <= most)?;
        let margin = 0.25 * grid.cell;
        Some(NearPlace { square, inside: p.clamp(rect.min + margin, rect.max - margin) })
    }
}

/// The square of how far a rectangle is.
fn square(rect: Rect, p: Vec2) -> f32 {
    (rect.min - p).max(p - rect.max).max(Vec2::ZERO).length_squared()
}

/// Puts rectangles into groups: halves them where they are spread most until they are few.
fn group(mut rects: Vec<Rect>, groups: &mut Vec<Together>) {
    let Some(bounds) = rects.iter().copied().reduce(Rect::union) else { return };
    if rects.len() <= TOGETHER {
        groups.push(Together { bounds, rects });
        return;
    }
    let size = bounds.max - bounds.min;
    let middle = |r: &Rect| if size.x > size.y { r.min.x + r.max.x } else { r.min.y + r.max.y };
    rects.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    let rest = rects.split_off(rects.len() / 2);
    group(rects, groups);
    group(rest, groups);
}

/// Rectangles that cover some cells, which come in order: runs of the same columns in rows above each other are one.
fn rects(grid: &Grid, cells: &[u32]) -> Vec<Rect> {
    // Columns and rows, both without their ends.
    let mut done: Vec<[usize; 4]> = Vec::new();
    let mut open: Vec<[usize; 4]> = Vec::new();
    let mut row: Vec<[usize; 4]> = Vec::new();
    let mut close_row = |row: &mut Vec<[usize; 4]>| {
        for run in row.iter_mut() {
            let below = open.iter().position(|o| o[..2] == run[..2] && o[3] == run[2]);
            if let Some(k) = below {
                run[2] = open.swap_remove(k)[2];
            }
        }
        done.append(&mut open);
        open.append(row);
    };
    for &cell in cells {
        let (x, y) = (cell as usize % grid.width, cell as usize / grid.width);
        if row.last().is_some_and(|run| run[2] != y) {
            close_row(&mut row);
        }
        match row.last_mut() {
            Some(run) if run[1] == x => run[1] = x + 1,
            _ => row.push([x, x + 1, y, y + 1]),
        }
    }
    close_row(&mut row);
    done.append(&mut open);
    done.sort_unstable_by_key(|r| (r[2], r[0]));
    let corner = |x: usize, y: usize| Vec2::new(x as f32, y as f32) * grid.cell;
    done.into_iter().map(|[x0, x1, y0, y1]| Rect::new(corner(x0, y0), corner(x1, y1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_cover_exactly_the_cells_and_tell_how_far_they_are() {
        let grid = Grid { width: 9, height: 8, cell: 0.5 };
        // An L, a single cell, and two runs in a row.
        let cells: Vec<u32> = vec![10, 11, 19, 20, 21, 28, 29, 35, 40, 41, 43, 44];
        let rects = rects(&grid, &cells);
        for cell in 0..grid.len() {
            let centre = grid.centre_of(cell);
            let covering = rects.iter().filter(|r| square(**r, centre) == 0.0).count();
            assert_eq!(covering, usize::from(cells.contains(&(cell as u32))), "cell {cell} of {rects:?}");
        }
        let mut groups = Vec::new();
        group(rects.clone(), &mut groups);
        assert_eq!(groups.iter().map(|g| g.rects.len()).sum::<usize>(), rects.len());
        for group in &groups {
            assert!((1..=TOGETHER).contains(&group.rects.len()));
            assert!(group.rects.iter().all(|r| r.union(group.bounds) == group.bounds));
        }
        let mut nearest = Nearest::default();
        nearest.want([0].into_iter(), 1, 0.7);
        nearest.find(&grid, std::slice::from_ref(&cells), &[false]);
        for k in 0..400 {
            let p = Vec2::new((k % 20) as f32 * 0.23, (k / 20) as f32 * 0.21);
            let to_cell =
                |c: &u32| square(Rect::new(grid.centre_of(*c as usize), grid.centre_of(*c as usize)).grown(0.25), p);
            let least = cells.iter().map(to_cell).fold(f32::MAX, f32::min);
            let found = nearest.within(&grid, 0, p, 100.0, true).expect("it is in the world");
            assert!((found.square - least).abs() < 1e-5, "{p}: {} and {least}", found.square);
            assert!(cells.contains(&(grid.index_at(found.inside) as u32)), "{p}: {}", found.inside);
            let nearer = nearest.within(&grid, 0, p, 0.9 * least.sqrt(), true);
            assert!(least < 1e-4 || nearer.is_none(), "{p}: {nearer:?}");
        }
    }
}
