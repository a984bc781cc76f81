//! Where people stand who wait at a goal: places inside its area, so that the area fills instead of its rim, and never in a doorway.
//!
//! Of each goal that anybody waits at, its cells are sorted into parts that hang together; whoever arrives in a part draws its place
//! from the cells of that part that have room for a body and are not in or before a narrow place. Where nothing else is left narrow
//! places have to do. All of it is one list of numbers, which shaders read as it is (stays.wgsl):
//!
//! - per goal, where its entries begin and how many there are;
//! - entries, in order of cells: a cell of the goal, and where its part is;
//! - parts: where the places begin and how many there are;
//! - places: cells, in order.

use super::grid::Grid;
use super::walls::{LINK, Walls};
use crate::scene::{Group, Leg, Target, Wait};
use glam::Vec2;
use rayon::prelude::*;
use std::ops::Range;

/// Walls on two opposite sides that are nearer to each other than this leave a narrow place, m.
const NARROW: f32 = 2.0;
/// Opposite: the cosine of the angle between the ways to them is below this.
const OPPOSITE: f32 = -0.4;
/// Nobody waits so near to a narrow place, m: whoever passes it needs room before it.
const KEPT_FREE: f32 = 0.8;
/// In a part of a goal that is smaller than this everybody stands where it has arrived, m².
const LEAST_AREA: f32 = 2.0;

/// The places of all goals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stays {
    /// At which goals anybody waits.
    wanted: Vec<bool>,
    /// Found since walls or goals have changed.
    known: bool,
    words: Vec<u32>,
}

/// The places of a part of a goal: where they are in the list, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    at: usize,
    /// How many there are.
    pub count: usize,
}

impl Leg {
    /// Whether it ends with a wait in the area of a goal.
    #[must_use]
    pub fn stays(&self) -> bool {
        matches!(self.to, Target::Goal(_)) && self.wait != Wait::NONE
    }
}

impl Stays {
    /// Notes at which of so many goals groups wait. Returns whether that is another matter than before.
    pub(crate) fn want(&mut self, groups: &[Group], goals: usize) -> bool {
        let mut wanted = vec![false; goals];
        for leg in groups.iter().flat_map(|g| &g.journey).filter(|leg| leg.stays()) {
            wanted[usize::from(leg.goal())] = true;
        }
        let changed = wanted != self.wanted;
        self.wanted = wanted;
        self.known &= !changed;
        changed
    }

    /// Whether groups wait at a goal.
    pub(crate) fn wants(&self, goal: usize) -> bool {
        self.wanted.get(goal).copied().unwrap_or(false)
    }

    /// What they follow from has changed.
    pub(crate) fn forget(&mut self) {
        self.known = false;
    }

    /// Whether they are those of the walls and goals in force.
    pub(crate) fn are_known(&self) -> bool {
        self.known
    }

    /// Finds the places anew, for bodies up to a radius. `free_cells` are those of a goal, in order.
    pub(crate) fn find(&mut self, grid: &Grid, walls: &Walls, free_cells: impl Fn(usize) -> Vec<u32>, radius: f32) {
        self.known = true;
        self.words.clear();
        if !self.wanted.contains(&true) {
            return;
        }
        self.words.resize(2 * self.wanted.len(), 0);
        for goal in (0..self.wanted.len()).filter(|&goal| self.wanted[goal]).collect::<Vec<_>>() {
            let cells = free_cells(goal);
            let parts = parts(grid, walls, &cells);
            let places = places(grid, walls, &cells, radius);
            let entries = self.words.len();
            self.words[2 * goal] = entries as u32;
            self.words[2 * goal + 1] = cells.len() as u32;
            let count = parts.iter().max().map_or(0, |last| last + 1);
            let parts_at = entries + 2 * cells.len();
            self.words.extend(cells.iter().zip(&parts).flat_map(|(cell, part)| [*cell, (parts_at + 2 * part) as u32]));
            self.words.resize(parts_at + 2 * count, 0);
            let mut members: Vec<Vec<(u32, Place)>> = vec![Vec::new(); count];
            for ((&cell, &part), &place) in cells.iter().zip(&parts).zip(&places) {
                members[part].push((cell, place));
            }
            for (part, members) in members.iter().enumerate() {
                let chosen = fit_to_wait(members, grid.cell);
                self.words[parts_at + 2 * part] = self.words.len() as u32;
                self.words[parts_at + 2 * part + 1] = chosen.len() as u32;
                self.words.extend(chosen);
            }
        }
    }

    /// Whether nobody waits anywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All of it, as shaders read it.
    #[cfg(feature = "gpu")]
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The part of a goal that a cell is in.
    #[must_use]
    pub fn part(&self, goal: usize, cell: usize) -> Option<Part> {
        let header = self.words.get(2 * goal..2 * goal + 2).filter(|_| goal < self.wanted.len())?;
        let entries: &[[u32; 2]] = self.words[header[0] as usize..][..2 * header[1] as usize].as_chunks().0;
        let found = entries.binary_search_by_key(&cell, |e| e[0] as usize).ok()?;
        let at = entries[found][1] as usize;
        Some(Part { at: self.words[at] as usize, count: self.words[at + 1] as usize })
    }

    /// The cells of a part in which one can wait.
    #[must_use]
    pub fn places(&self, part: Part) -> &[u32] {
        &self.words[part.at..part.at + part.count]
    }
}

/// How good a cell is to wait in, from bad to good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// No room for a body.
    None,
    /// In a narrow place, or right before it.
    InTheWay,
    /// On open floor.
    Open,
}

/// Of the cells of a part those in which people wait: the best that there are; none if the part is small.
fn fit_to_wait(cells: &[(u32, Place)], side: f32) -> Vec<u32> {
    let best = cells.iter().map(|c| c.1).max().unwrap_or(Place::None);
    if best == Place::None || (cells.len() as f32) * side * side < LEAST_AREA {
        return Vec::new();
    }
    cells.iter().filter(|c| c.1 == best).map(|c| c.0).collect()
}

/// Which part each of some cells, in order, is in: parts hang together by open links.
fn parts(grid: &Grid, walls: &Walls, cells: &[u32]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let steps = [grid.width as isize, 1, -(grid.width as isize), -1];
    let mut part = vec![NONE; cells.len()];
    let mut count = 0;
    for first in 0..cells.len() {
        if part[first] != NONE {
            continue;
        }
        part[first] = count;
        let mut front = vec![first];
        while let Some(k) = front.pop() {
            let cell = cells[k] as usize;
            for d in (0..4).filter(|&d| walls.flags()[cell] & LINK[d] != 0) {
                let next = cell.wrapping_add_signed(steps[d]) as u32;
                if let Ok(other) = cells.binary_search(&next)
                    && part[other] == NONE
                {
                    part[other] = count;
                    front.push(other);
                }
            }
        }
        count += 1;
    }
    part
}

/// How good each of some cells, in order, is to wait in.
fn places(grid: &Grid, walls: &Walls, cells: &[u32], radius: f32) -> Vec<Place> {
    let Some(frame) = Frame::around(grid, cells) else { return Vec::new() };
    let mut near = vec![false; frame.len()];
    for &cell in cells {
        frame.each_near(grid, cell as usize, |k, _| near[k] = true);
    }
    let near: Vec<usize> = (0..frame.len()).filter(|&k| near[k]).map(|k| frame.cell(grid, k)).collect();
    let narrow: Vec<Vec2> = near.par_iter().flat_map_iter(|&cell| narrow_points(grid, walls, cell)).collect();
    let mut in_the_way = vec![false; frame.len()];
    for p in narrow {
        let blocks = |cell: usize| grid.centre_of(cell).distance_squared(p) < KEPT_FREE * KEPT_FREE;
        frame.each_near(grid, grid.index_at(p), |k, cell| in_the_way[k] |= blocks(cell));
    }
    let place = |&cell: &u32| {
        let centre = grid.centre_of(cell as usize);
        if walls.contains(centre) || walls.depth(centre, radius) > 0.0 {
            Place::None
        } else if in_the_way[frame.index(grid, cell as usize)] {
            Place::InTheWay
        } else {
            Place::Open
        }
    };
    cells.par_iter().map(place).collect()
}

/// The columns and rows around some cells, as far as narrow places matter to them.
struct Frame {
    columns: Range<usize>,
    rows: Range<usize>,
    /// How far they matter, in cells.
    far: usize,
}

impl Frame {
    fn around(grid: &Grid, cells: &[u32]) -> Option<Self> {
        let far = (KEPT_FREE / grid.cell).ceil() as usize + 1;
        let (x, y) = (|c: &u32| *c as usize % grid.width, |c: &u32| *c as usize / grid.width);
        let (west, east) = (cells.iter().map(x).min()?, cells.iter().map(x).max()?);
        let (south, north) = (cells.iter().map(y).min()?, cells.iter().map(y).max()?);
        Some(Self {
            columns: west.saturating_sub(far)..(east + far + 1).min(grid.width),
            rows: south.saturating_sub(far)..(north + far + 1).min(grid.height),
            far,
        })
    }

    fn len(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    /// The cell at a place in the frame.
    fn cell(&self, grid: &Grid, k: usize) -> usize {
        (self.rows.start + k / self.columns.len()) * grid.width + self.columns.start + k % self.columns.len()
    }

    /// The place in the frame of one of its cells.
    fn index(&self, grid: &Grid, cell: usize) -> usize {
        (cell / grid.width - self.rows.start) * self.columns.len() + cell % grid.width - self.columns.start
    }

    /// Calls `f` with the place in the frame and the cell of each that is near to a cell.
    fn each_near(&self, grid: &Grid, cell: usize, mut f: impl FnMut(usize, usize)) {
        let (x, y, far) = (cell % grid.width, cell / grid.width, self.far);
        let columns = x.saturating_sub(far).max(self.columns.start)..(x + far + 1).min(self.columns.end);
        for y in y.saturating_sub(far).max(self.rows.start)..(y + far + 1).min(self.rows.end) {
            for x in columns.clone() {
                let cell = y * grid.width + x;
                f(self.index(grid, cell), cell);
            }
        }
    }
}

/// Of the middle of a cell and the middles of its northern and eastern side, those that are in a narrow place.
fn narrow_points(grid: &Grid, walls: &Walls, cell: usize) -> Vec<Vec2> {
    let centre = grid.centre_of(cell);
    let half = 0.5 * grid.cell;
    // Two walls, one of them may be the edge of the world.
    if !walls.any_around(centre, NARROW) {
        return Vec::new();
    }
    let points = [centre, centre + Vec2::X * half, centre + Vec2::Y * half];
    points.into_iter().filter(|&p| is_narrow(grid, walls, p)).collect()
}

/// Whether walls, or the edges of the world, are on two opposite sides of a point and near to each other.
fn is_narrow(grid: &Grid, walls: &Walls, p: Vec2) -> bool {
    if !grid.inside(p) || walls.contains(p) {
        return false;
    }
    let e = grid.extent();
    let mut ways: Vec<Vec2> =
        [Vec2::new(-p.x, 0.0), Vec2::new(e.x - p.x, 0.0), Vec2::new(0.0, -p.y), Vec2::new(0.0, e.y - p.y)].into();
    // Each wall once: the lists of cells have one again and again, and here all are compared with all.
    walls.for_around(p, NARROW, |s| ways.push(s.closest(p) - p));
    ways.retain(|v| v.length_squared() < NARROW * NARROW);
    // Of two that are opposite one is in the nearer half.
    let nearer = ways.iter().filter(|v| v.length_squared() < 0.25 * NARROW * NARROW);
    let opposite = |a: &Vec2, b: &Vec2| {
        let (far_a, far_b) = (a.length(), b.length());
        far_a + far_b < NARROW && a.dot(*b) < OPPOSITE * far_a * far_b
    };
    nearer.into_iter().any(|a| ways.iter().any(|b| opposite(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{NoFiles, Scene};
    use crate::world::World;

    fn world(cell: f32, size: [f32; 2], walls: &str, goal: &str) -> World {
        let text = format!(
            "size = {size:?}\ncell = {cell}\ndt = 0.02\n[map]\nwalls = [{walls}]\n[[goal]]\n{goal}\n[[agents]]\ncount = 1\nspeed = 1\n\
             start = {{ rect = [0, 0, 2, 2] }}\njourney = [{{ goal = \"goal 0\", wait = 5 }}]\n"
        );
        World::new(&Scene::parse("stays.toml", &text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}")))
            .expect("sound")
    }

    fn places_at(world: &World, p: Vec2) -> Vec<Vec2> {
        let part = world.stays.part(0, world.grid.index_at(p)).expect("a cell of the goal");
        world.stays.places(part).iter().map(|&cell| world.grid.centre_of(cell as usize)).collect()
    }

    #[test]
    fn every_wall_around_a_point_counts() {
        // Thin, slanted, round, in several tiles: the lists of the cells around a point have all of them, over and over.
        let walls = "{ line = [[1, 1], [19, 8]] }, { line = [[1, 2.5], [19, 9]] }, { circle = [12, 3, 1.1] }, { rect = [14, 1, 19, 3.1] }";
        for cell in [0.1, 0.25, 0.5] {
            let World { grid, walls, .. } = &world(cell, [20.0, 10.0], walls, "rect = [0, 9, 2, 10]");
            for i in 0..800 {
                let p = Vec2::new((i % 40) as f32 * 0.5 + 0.17, (i / 40) as f32 * 0.5 + 0.21);
                let within = |v: &Vec2| v.length_squared() < NARROW * NARROW;
                let (mut slow, mut quick) = (Vec::new(), Vec::new());
                let ((x0, y0), (x1, y1)) = (grid.coords(p - NARROW), grid.coords(p + NARROW));
                for cell in (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| y * grid.width + x)) {
                    slow.extend(walls.near(cell).iter().map(|s| s.closest(p) - p).filter(within));
                }
                walls.for_around(p, NARROW, |s| quick.extend(Some(s.closest(p) - p).filter(within)));
                let bits = |list: Vec<Vec2>| {
                    let mut bits: Vec<[u32; 2]> = list.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
                    bits.sort_unstable();
                    bits.dedup();
                    bits
                };
                assert_eq!(bits(slow), bits(quick), "around {p} with cells of {cell} m");
            }
        }
    }

    #[test]
    fn nobody_waits_in_a_doorway_or_right_before_it_and_everywhere_else_there_is_room() {
        // A room of 6 × 6 m east of a wall, thin or thick, with a door of 1 m in it, on rasters that meet the wall in every way.
        for cell in [0.1, 0.25, 0.5] {
            for wall in [0.02, 0.2, 0.6] {
                let walls = format!("{{ rect = [{0}, 0, 4, 2.5] }}, {{ rect = [{0}, 3.5, 4, 6] }}", 4.0 - wall);
                let world = world(cell, [10.0, 6.0], &walls, "rect = [3, 0, 10, 6]");
                let places = places_at(&world, Vec2::new(8.1, 3.1));
                for &c in &world.goals[0] {
                    let p = world.grid.centre_of(c as usize);
                    let to_door = p.distance(Vec2::new(p.x.clamp(4.0 - wall, 4.0), p.y.clamp(2.5, 3.5)));
                    // Bodies keep their radius from walls and from the edges of the world.
                    let edge = p.y.min(6.0 - p.y).min((p.x - 4.0).abs()).min(10.0 - p.x);
                    let is_place = places.contains(&p);
                    if to_door < 0.6 {
                        assert!(!is_place, "cell {cell}, wall {wall}: somebody may wait at {p}");
                    } else if to_door > 1.5 && edge > 0.75 && p.x > 4.0 {
                        assert!(is_place, "cell {cell}, wall {wall}: nobody may wait at {p}");
                    }
                }
            }
        }
    }

    #[test]
    fn where_all_is_narrow_everybody_waits_where_there_is_room() {
        let walls = "{ rect = [0, 2, 10, 2.2] }, { rect = [0, 3.6, 10, 3.8] }";
        let corridor = world(0.2, [10.0, 6.0], walls, "rect = [2, 2, 9, 4]");
        let places = places_at(&corridor, Vec2::new(5.1, 3.1));
        // From 2.2 to 3.6 m, less a body on either side: the middles of five rows of 35 cells.
        assert_eq!(places.len(), 5 * 35);
        assert!(places.iter().all(|p| (2.4..3.4).contains(&p.y)), "{places:?}");
    }

    #[test]
    fn a_goal_falls_into_parts_at_walls_and_gaps_and_small_ones_have_no_places() {
        let goal = "shapes = [{ rect = [1, 1, 9, 5] }, { rect = [12, 1, 13, 2] }]";
        let world = world(0.25, [15.0, 6.0], "{ rect = [4.9, 0, 5.1, 6] }", goal);
        let (west, east) = (places_at(&world, Vec2::new(3.0, 3.0)), places_at(&world, Vec2::new(7.0, 3.0)));
        assert!(west.len() > 100 && west.iter().all(|p| p.x < 4.9), "{}", west.len());
        assert!(east.len() > 100 && east.iter().all(|p| p.x > 5.1 && p.x < 9.0), "{}", east.len());
        assert_eq!(places_at(&world, Vec2::new(12.5, 1.5)), []);
        assert_eq!(world.stays.part(0, world.grid.index_at(Vec2::new(10.5, 3.0))), None);
    }
}
