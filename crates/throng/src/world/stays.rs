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
use crate::geometry::Segment;
use crate::scene::{Group, Leg, Target};
use glam::Vec2;
use rayon::prelude::*;
use std::collections::BTreeSet;

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
        matches!(self.to, Target::Goal(_)) && self.wait > 0.0
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
        changed
    }

    /// Finds the places anew, for bodies up to a radius. `goals` are the free cells of each goal, in order.
    pub(crate) fn find(&mut self, grid: &Grid, walls: &Walls, goals: &[Vec<u32>], radius: f32) {
        self.words.clear();
        if !self.wanted.contains(&true) {
            return;
        }
        self.words.resize(2 * goals.len(), 0);
        for (goal, cells) in goals.iter().enumerate().filter(|(goal, _)| self.wanted[*goal]) {
            let parts = parts(grid, walls, cells);
            let places = places(grid, walls, cells, radius);
            let entries = self.words.len();
            self.words[2 * goal] = entries as u32;
            self.words[2 * goal + 1] = cells.len() as u32;
            let count = parts.iter().max().map_or(0, |last| last + 1);
            let parts_at = entries + 2 * cells.len();
            self.words.extend(cells.iter().zip(&parts).flat_map(|(cell, part)| [*cell, (parts_at + 2 * part) as u32]));
            self.words.resize(parts_at + 2 * count, 0);
            for part in 0..count {
                let own = || cells.iter().zip(&parts).zip(&places).filter(|((_, p), _)| **p == part);
                let small = own().count() as f32 * grid.cell * grid.cell < LEAST_AREA;
                let best = own().map(|(_, place)| *place).max().unwrap_or(Place::None);
                let good = own().filter(|(_, place)| **place == best && best > Place::None && !small);
                let chosen: Vec<u32> = good.map(|((cell, _), _)| *cell).collect();
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

/// How good each of some cells is to wait in.
fn places(grid: &Grid, walls: &Walls, cells: &[u32], radius: f32) -> Vec<Place> {
    let far = (KEPT_FREE / grid.cell).ceil() as usize;
    let around = |cell: u32| {
        let (x, y) = (cell as usize % grid.width, cell as usize / grid.width);
        let columns = x.saturating_sub(far)..=(x + far).min(grid.width - 1);
        let rows = y.saturating_sub(far)..=(y + far).min(grid.height - 1);
        rows.flat_map(move |y| columns.clone().map(move |x| y * grid.width + x))
    };
    let near: BTreeSet<usize> = cells.iter().flat_map(|&cell| around(cell)).collect();
    let near: Vec<usize> = near.into_iter().collect();
    let narrow: Vec<Vec<Vec2>> = near.par_iter().map(|&cell| narrow_points(grid, walls, cell)).collect();
    let open = narrow.iter().all(Vec::is_empty);
    let place = |&cell: &u32| {
        let centre = grid.centre_of(cell as usize);
        if walls.contains(centre) || walls.depth(centre, radius) > 0.0 {
            return Place::None;
        }
        let points = |near_by: usize| near.binary_search(&near_by).map_or(&[][..], |k| &narrow[k]);
        let in_the_way = |p: &Vec2| p.distance_squared(centre) < KEPT_FREE * KEPT_FREE;
        let blocks = !open && around(cell).any(|near_by| points(near_by).iter().any(in_the_way));
        if blocks { Place::InTheWay } else { Place::Open }
    };
    cells.par_iter().map(place).collect()
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
    let mut add = |s: &Segment| ways.push(s.closest(p) - p);
    let (x0, y0) = grid.coords(p - NARROW);
    let (x1, y1) = grid.coords(p + NARROW);
    for y in y0..=y1 {
        for x in x0..=x1 {
            walls.near(y * grid.width + x).iter().for_each(&mut add);
        }
    }
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
