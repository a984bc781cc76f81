//! Portals: links between cells that are not neighbours, such as the foot and the head of a flight of stairs.
//!
//! A portal joins two equal rectangles of cells. Planning sees a link from each cell of one to the same cell of the other,
//! both ways, that costs its length and the time that takes; whoever the plan sends through leaves the floor there, is on
//! the way for as long as it walks, and comes out on the other side as soon as there is room.

use crate::geometry::{Rect, Shape};
use crate::scene::{Portal, Weights};
use crate::world::grid::Grid;
use glam::{IVec2, Vec2};
use std::collections::BTreeSet;

/// One of the two directions of a portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Where one goes in: the first column and row, and those behind the last.
    pub from: [u32; 4],
    /// From where one goes in to where one comes out, in cells.
    pub offset: IVec2,
    /// How far it is, m.
    pub length: f32,
    /// Factor on everybody's speed on the way.
    pub speed: f32,
}

impl Passage {
    /// What going through costs, for somebody who walks at `reference` m/s. Never nothing: else it would lead in circles.
    #[must_use]
    pub fn cost(&self, weights: Weights, reference: f32) -> f32 {
        (self.length * (weights.length + weights.time / (self.speed * reference).max(1e-3))).max(1e-6)
    }

    /// Steps on the way at a preferred speed.
    #[must_use]
    pub fn steps(&self, preferred: f32, dt: f32) -> u32 {
        (self.length / (self.speed * preferred * dt)).ceil() as u32
    }

    /// The rectangle where one comes out, m.
    #[must_use]
    pub fn exit(&self, cell: f32) -> Rect {
        let [x0, y0, x1, y1] = self.from.map(|n| n as f32);
        let shift = self.offset.as_vec2();
        Rect::new((Vec2::new(x0, y0) + shift) * cell, (Vec2::new(x1, y1) + shift) * cell)
    }

    /// Where somebody comes out who goes in at `p`: surely in the cell beyond.
    #[must_use]
    pub fn beyond(&self, p: Vec2, cell: f32) -> Vec2 {
        let (exit, rim) = (self.exit(cell), 0.01 * cell);
        (p + self.offset.as_vec2() * cell).clamp(exit.min + rim, exit.max - rim)
    }
}

/// A link through a portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortalLink {
    /// Where it begins, as a plain index.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// The passage, by number.
    pub passage: u16,
}

/// All portals of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Portals {
    passages: Vec<Passage>,
    all: Vec<PortalLink>,
    open: Vec<PortalLink>,
}

impl Portals {
    /// The portals of a scene, on its raster. A cell has one link at most: where portals share a cell the first has it.
    #[must_use]
    pub fn new(grid: &Grid, portals: &[Portal]) -> Self {
        let mut all = Vec::new();
        let mut taken = BTreeSet::new();
        let passages: Vec<Passage> = portals.iter().flat_map(|portal| both_ways(grid, portal)).collect();
        for (number, pair) in passages.chunks(2).enumerate() {
            let [x0, y0, x1, y1] = pair[0].from;
            for (x, y) in (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))) {
                let index = |x: u32, y: u32| y * grid.width as u32 + x;
                let shift = pair[0].offset;
                let a = index(x, y);
                let b = index(x.wrapping_add_signed(shift.x), y.wrapping_add_signed(shift.y));
                if a != b && !taken.contains(&a) && !taken.contains(&b) {
                    taken.extend([a, b]);
                    let passage = 2 * number as u16;
                    all.push(PortalLink { from: a, to: b, passage });
                    all.push(PortalLink { from: b, to: a, passage: passage + 1 });
                }
            }
        }
        Self { passages, open: all.clone(), all }
    }

    /// Closes the links that begin or end in a cell that is not free.
    pub(crate) fn refresh(&mut self, free: impl Fn(u32) -> bool) {
        self.open.clear();
        self.open.extend(self.all.iter().filter(|l| free(l.from) && free(l.to)));
    }

    /// All passages, by number: each portal's one way, then back.
    #[must_use]
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The links that are open now.
    #[must_use]
    pub fn links(&self) -> &[PortalLink] {
        &self.open
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// The passage that ends where somebody is who is on the way.
    #[must_use]
    pub fn ending_at(&self, p: Vec2, cell: f32) -> Option<&Passage> {
        self.passages.iter().find(|passage| Shape::Rect(passage.exit(cell)).contains(p))
    }
}

/// The cells of a rectangle: the first column and row, and those behind the last. At least one, and all in the world.
pub(crate) fn cells_of(grid: &Grid, rect: Rect) -> [u32; 4] {
    let span = |low: f32, high: f32, most: usize| {
        let cells = |v: f32| (v / grid.cell).round().clamp(0.0, most as f32) as u32;
        let first = cells(low).min(most as u32 - 1);
        (first, cells(high).max(first + 1))
    };
    let (x0, x1) = span(rect.min.x, rect.max.x, grid.width);
    let (y0, y1) = span(rect.min.y, rect.max.y, grid.height);
    [x0, y0, x1, y1]
}

fn both_ways(grid: &Grid, portal: &Portal) -> [Passage; 2] {
    let [a, b] = portal.between.map(|rect| cells_of(grid, rect));
    // As large as the smaller one, should rounding have made them differ.
    let (width, height) = ((a[2] - a[0]).min(b[2] - b[0]), (a[3] - a[1]).min(b[3] - b[1]));
    let passage = |from: [u32; 4], to: [u32; 4]| Passage {
        from: [from[0], from[1], from[0] + width, from[1] + height],
        offset: IVec2::new(to[0] as i32 - from[0] as i32, to[1] as i32 - from[1] as i32),
        length: portal.length,
        speed: portal.speed,
    };
    [passage(a, b), passage(b, a)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_portal_links_each_cell_with_its_like_both_ways() {
        let grid = Grid { width: 20, height: 10, cell: 0.5 };
        let rect = |x: f32, y: f32| Rect::new(Vec2::new(x, y), Vec2::new(x + 0.5, y + 1.0));
        let portal =
            Portal { name: "stairs".into(), between: [rect(1.0, 1.0), rect(8.0, 3.0)], length: 4.0, speed: 0.5 };
        let mut portals = Portals::new(&grid, &[portal]);
        let (a, b) = ((2 * 20 + 2, 6 * 20 + 16), (3 * 20 + 2, 7 * 20 + 16));
        let link = |from, to, passage| PortalLink { from, to, passage };
        assert_eq!(portals.links(), [link(a.0, a.1, 0), link(a.1, a.0, 1), link(b.0, b.1, 0), link(b.1, b.0, 1)]);
        let there = portals.passages()[0];
        // 4 m at half of 1.25 m/s are 6.4 s.
        assert_eq!(there.steps(1.25, 0.05), 128);
        assert_eq!(there.beyond(Vec2::new(1.2, 1.4), 0.5), Vec2::new(8.2, 3.4));
        assert_eq!(portals.ending_at(Vec2::new(8.2, 3.4), 0.5), Some(&there));
        portals.refresh(|cell| cell != b.1);
        assert_eq!(portals.links(), [link(a.0, a.1, 0), link(a.1, a.0, 1)]);
    }
}
