//! Ways round walls for those who head for points of their own, which have no plan.
//!
//! Some cells are *landmarks*, chosen so that every point of the floor is seen from one of them. Who does not see its point walks towards the
//! landmark that does, by a field of that landmark, until it sees the point itself; at the latest that is at the landmark. Walls alone say
//! what is seen from where, so all of it is found once, on the host for both engines, and again only when walls change. Without walls there is
//! nothing to find.
//!
//! It is a list of bytes, in layers of a byte for each cell, which shaders read as it is (stages/steer/guide/points.wgsl): links that are open for
//! the widest; the landmark that sees the cell, counted from 1; and for each landmark which way leads to it. *Seen* is a matter of cells: a line
//! between the middles of two that crosses no closed link. Such lines are drawn in integers, so the engines agree about every one.

use super::World;
use super::grid::{DIRECTIONS, Grid};
use super::walls::LINK;
use crate::scene::Group;
use glam::{IVec2, Vec2};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Landmarks that there are at most: they are counted in a byte.
const MOST: usize = 128;
/// Bytes of fields that there are at most: a large world has fewer landmarks.
const MOST_BYTES: usize = 1 << 24;
/// Layers before those of landmarks.
const FIELDS: usize = 2;
/// The bits of a cell's links.
const ALL_LINKS: u8 = LINK[0] | LINK[1] | LINK[2] | LINK[3];
/// The least cosine between where one faces and where its point is at which one walks straight on.
pub const FACES: f32 = 0.5;
/// The least cosine between that and a cell beside one that is not behind.
const BESIDE: f32 = -0.3;

/// The ways round all walls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detours {
    wanted: bool,
    /// Found since walls have changed.
    known: bool,
    landmarks: usize,
    cells: usize,
    bytes: Vec<u8>,
}

impl Detours {
    /// They are wanted if any of these groups heads for points.
    pub(crate) fn want_for(&mut self, groups: &[Group]) {
        self.wanted |= groups.iter().any(Group::uses_points);
    }

    /// Walls have changed.
    pub(crate) fn forget(&mut self) {
        self.known = false;
    }

    /// How many landmarks there are: none if nobody asks, or nothing is in the way of anybody.
    #[must_use]
    pub fn landmarks(&self) -> usize {
        self.landmarks
    }

    /// Bytes of a layer: whole records of a device, of 16.
    #[must_use]
    pub(crate) fn layer(&self) -> usize {
        self.cells.next_multiple_of(16)
    }

    /// All layers.
    #[cfg(feature = "gpu")]
    #[must_use]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Finds them anew. `links` are those of each cell that are open.
    fn find(&mut self, grid: &Grid, links: &[u8]) {
        (self.known, self.landmarks, self.cells) = (true, 0, grid.len());
        self.bytes.clear();
        let floor = Floor { grid: *grid, links };
        if !floor.has_walls() {
            return;
        }
        let (landmarks, seen_by) = floor.landmarks();
        self.landmarks = landmarks.len();
        let layer = self.layer();
        self.bytes.resize((FIELDS + landmarks.len()) * layer, 0);
        let (base, fields) = self.bytes.split_at_mut(FIELDS * layer);
        base.iter_mut().zip(links).for_each(|(byte, links)| *byte = links & ALL_LINKS);
        base[layer..][..grid.len()].copy_from_slice(&seen_by);
        fields.par_chunks_mut(layer).zip(&landmarks).for_each(|(field, &landmark)| floor.lead_to(landmark, field));
    }

    /// Which way somebody goes who is in the cell `from` and heads for a point in the cell `to`, which is in the direction `straight` and which it
    /// faces or not. Who faces it goes on as long as it is seen from here or from the side; others turn to it where it is surely seen.
    #[must_use]
    pub fn way(&self, grid: &Grid, from: usize, to: usize, straight: Vec2, faces_it: bool) -> Vec2 {
        let layer = self.layer();
        let Some(landmark) = self.bytes.get(layer + to).and_then(|&k| usize::from(k).checked_sub(1)) else {
            return straight;
        };
        let floor = Floor { grid: *grid, links: &self.bytes[..grid.len()] };
        if faces_it {
            if floor.sees(from, to) {
                return straight;
            }
            if let Some(beside) = floor.side_that_sees(from, to, straight) {
                return (straight + beside).normalize();
            }
        } else if floor.surely_sees(from, to) {
            return straight;
        }
        let way = direction(self.bytes[(FIELDS + landmark) * layer + from]);
        if way == IVec2::ZERO { straight } else { way.as_vec2().normalize() }
    }
}

impl World {
    /// Somebody heads for a point. Returns whether ways round walls have been found for that.
    pub(crate) fn want_detours(&mut self) -> bool {
        self.detours.wanted = true;
        self.find_detours()
    }

    /// Finds ways round walls if they are wanted and not known. Returns whether they were not.
    pub(super) fn find_detours(&mut self) -> bool {
        let due = self.detours.wanted && !self.detours.known;
        if due {
            // Where the widest can go everybody can.
            let links = self.ways_for(self.routes.radii().len().saturating_sub(1));
            self.detours.find(&self.grid, &links);
        }
        due
    }
}

/// A direction as a byte holds it: east and north, −7 to 7 each, half a byte each; 0 is none.
fn direction(byte: u8) -> IVec2 {
    if byte == 0 {
        return IVec2::ZERO;
    }
    IVec2::new(i32::from(byte >> 4), i32::from(byte & 15)) - 8
}

/// The byte of a direction.
fn byte_of(way: Vec2) -> u8 {
    let most = way.abs().max_element();
    if most == 0.0 {
        return 0;
    }
    let halves = (way * (7.0 / most)).round().as_ivec2() + 8;
    (halves.x << 4 | halves.y) as u8
}

/// Cells and their links.
#[derive(Clone, Copy)]
struct Floor<'a> {
    grid: Grid,
    links: &'a [u8],
}

impl Floor<'_> {
    /// Whether anything but the border of the world is in the way of anybody.
    fn has_walls(&self) -> bool {
        (0..self.links.len()).any(|cell| self.steps(cell).count() < self.inner(cell))
    }

    /// How many neighbours a cell has.
    fn inner(&self, cell: usize) -> usize {
        let (x, y) = ((cell % self.grid.width) as i32, (cell / self.grid.width) as i32);
        DIRECTIONS.iter().filter(|(dx, dy)| self.has(x + dx, y + dy)).count()
    }

    fn has(&self, x: i32, y: i32) -> bool {
        x >= 0 && y >= 0 && x < self.grid.width as i32 && y < self.grid.height as i32
    }

    /// Where links lead from a cell.
    fn steps(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (links, width) = (self.links[cell], self.grid.width as isize);
        let on = move |d: usize| DIRECTIONS[d].0 as isize + DIRECTIONS[d].1 as isize * width;
        (0..4).filter(move |&d| links & LINK[d] != 0).map(move |d| cell.wrapping_add_signed(on(d)))
    }

    fn open(&self, cell: usize, link: u8) -> bool {
        self.links[cell] & link != 0
    }

    /// Whether the line between the middles of two cells crosses open links only. Where it leads through a corner both ways round it count.
    fn sees(&self, from: usize, to: usize) -> bool {
        let width = self.grid.width;
        let at = |cell: usize| IVec2::new((cell % width) as i32, (cell / width) as i32);
        let way = at(to) - at(from);
        let far = way.abs();
        let (east, north) = (way.x > 0, way.y > 0);
        let (link_x, on_x) = if east { (LINK[1], 1isize) } else { (LINK[3], -1) };
        let (link_y, on_y) = if north { (LINK[0], width as isize) } else { (LINK[2], -(width as isize)) };
        let (mut left, mut error, mut cell) = (far.x + far.y, far.x - far.y, from);
        while left > 0 {
            let links = self.links[cell];
            if error == 0 {
                let (beside, above) = (cell.wrapping_add_signed(on_x), cell.wrapping_add_signed(on_y));
                if links & link_x == 0 || links & link_y == 0 || !self.open(beside, link_y) || !self.open(above, link_x)
                {
                    return false;
                }
                cell = beside.wrapping_add_signed(on_y);
                error += 2 * (far.x - far.y);
                left -= 2;
            } else {
                let (link, on, next) = if error > 0 { (link_x, on_x, -2 * far.y) } else { (link_y, on_y, 2 * far.x) };
                if links & link == 0 {
                    return false;
                }
                cell = cell.wrapping_add_signed(on);
                error += next;
                left -= 1;
            }
        }
        true
    }

    /// The same from the cells next to it as well: so nobody who walks on from here loses sight of it for a cell's width.
    fn surely_sees(&self, from: usize, to: usize) -> bool {
        self.sees(from, to) && self.steps(from).all(|next| self.sees(next, to))
    }

    /// Where beside or ahead of a cell another one is seen from, of which it is in the direction `straight`.
    fn side_that_sees(&self, from: usize, to: usize, straight: Vec2) -> Option<Vec2> {
        let sides = self.steps(from).map(|next| (next, self.between(from, next)));
        sides
            .filter(|(_, side)| side.dot(straight) > BESIDE)
            .find(|&(next, _)| self.sees(next, to))
            .map(|(_, side)| side)
    }

    /// Landmarks, and for each cell the first that surely sees it, counted from 1; 0 where none does. Where there is most room others come first.
    fn landmarks(&self) -> (Vec<usize>, Vec<u8>) {
        let cells = self.grid.len();
        let most = MOST.min(MOST_BYTES / cells.max(1));
        let room = self.room();
        let mut unseen: Vec<u32> =
            (0..cells as u32).filter(|&cell| self.links[cell as usize] & ALL_LINKS != 0).collect();
        // Of the same room the lowest cell: the sort is stable.
        unseen.sort_by_key(|&cell| Reverse(room[cell as usize]));
        let (mut landmarks, mut seen_by) = (Vec::new(), vec![0; cells]);
        while landmarks.len() < most
            && let Some(&landmark) = unseen.first()
        {
            let landmark = landmark as usize;
            landmarks.push(landmark);
            let seen: Vec<bool> = unseen.par_iter().map(|&cell| self.surely_sees(landmark, cell as usize)).collect();
            seen_by[landmark] = landmarks.len() as u8;
            let mut k = 0;
            unseen.retain(|&cell| {
                k += 1;
                if seen[k - 1] {
                    seen_by[cell as usize] = landmarks.len() as u8;
                }
                !seen[k - 1] && cell as usize != landmark
            });
        }
        (landmarks, seen_by)
    }

    /// How many links it is from each cell to one where a link is closed.
    fn room(&self) -> Vec<u32> {
        let mut room = vec![u32::MAX; self.grid.len()];
        let mut front: VecDeque<usize> = VecDeque::new();
        for cell in (0..room.len()).filter(|&cell| self.steps(cell).count() < 4) {
            room[cell] = 0;
            front.push_back(cell);
        }
        while let Some(cell) = front.pop_front() {
            for next in self.steps(cell) {
                if room[next] == u32::MAX {
                    room[next] = room[cell] + 1;
                    front.push_back(next);
                }
            }
        }
        room
    }

    /// Writes which way leads to a landmark from each cell: straight to the next corner that is on the shortest way. By Dijkstra's algorithm, in which
    /// a cell takes over the corner of the one it is reached from where it sees it (K. Daniel, A. Nash, S. Koenig and A. Felner, "Theta*: any-angle
    /// path planning on grids", JAIR 39, 2010).
    fn lead_to(&self, landmark: usize, field: &mut [u8]) {
        let cells = self.grid.len();
        let mut corner = vec![u32::MAX; cells];
        let mut length = vec![f32::INFINITY; cells];
        let mut front = BinaryHeap::new();
        (corner[landmark], length[landmark]) = (landmark as u32, 0.0);
        // Lengths are not negative: their bits are in their order.
        front.push(Reverse((0u32, landmark as u32)));
        while let Some(Reverse((key, cell))) = front.pop() {
            let cell = cell as usize;
            if key != length[cell].to_bits() {
                continue;
            }
            field[cell] = byte_of(self.between(cell, corner[cell] as usize));
            for next in self.steps(cell) {
                let last = corner[cell] as usize;
                let by = if self.sees(next, last) { last } else { cell };
                let whole = length[by] + self.between(next, by).length();
                if whole < length[next] {
                    (length[next], corner[next]) = (whole, by as u32);
                    front.push(Reverse((whole.to_bits(), next as u32)));
                }
            }
        }
    }

    /// From one cell to another, in cells.
    fn between(&self, from: usize, to: usize) -> Vec2 {
        let at = |cell: usize| Vec2::new((cell % self.grid.width) as f32, (cell / self.grid.width) as f32);
        at(to) - at(from)
    }
}

#[cfg(test)]
mod tests;
