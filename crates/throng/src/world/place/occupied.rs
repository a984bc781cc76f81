//! Bodies placed so far, so that those who come later stand clear of them.

use crate::world::World;
use glam::Vec2;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bodies in the squares of a coarse grid. A square's bodies are a chain, from the newest to the oldest, so that all
/// threads can add at once. The order within a chain depends on timing, but nobody asks for more than whether any of
/// them is too near.
pub(super) struct Occupied {
    side: f32,
    wide: usize,
    high: usize,
    widest: f32,
    /// Centre and radius.
    bodies: Vec<(Vec2, f32)>,
    /// For each square its newest body, for each body the next older one: numbers from 1 on, 0 is none. Empty until there
    /// are any.
    newest: Vec<AtomicU32>,
    older: Vec<AtomicU32>,
}

impl Occupied {
    pub(super) fn new(world: &World) -> Self {
        let side = (2.0 * world.widest).max(world.grid.cell);
        let e = world.grid.extent();
        let (wide, high) = ((e.x / side) as usize + 1, (e.y / side) as usize + 1);
        Self { side, wide, high, widest: world.widest, bodies: Vec::new(), newest: Vec::new(), older: Vec::new() }
    }

    fn coords(&self, p: Vec2) -> (usize, usize) {
        (((p.x / self.side) as usize).min(self.wide - 1), ((p.y / self.side) as usize).min(self.high - 1))
    }

    /// Adds bodies of one radius.
    pub(super) fn add(&mut self, centres: &[Vec2], radius: f32) {
        self.add_each(centres.par_iter().map(|&p| (p, radius)));
    }

    /// Adds bodies, each with its centre and radius.
    pub(super) fn add_each(&mut self, new: impl IndexedParallelIterator<Item = (Vec2, f32)>) {
        let none = |_| AtomicU32::new(0);
        if self.newest.is_empty() {
            self.newest = (0..self.wide * self.high).into_par_iter().map(none).collect();
        }
        let first = self.bodies.len();
        self.bodies.par_extend(new);
        self.older.resize_with(self.bodies.len(), || AtomicU32::new(0));
        (first..self.bodies.len()).into_par_iter().for_each(|i| {
            let (x, y) = self.coords(self.bodies[i].0);
            let before = self.newest[y * self.wide + x].swap(i as u32 + 1, Ordering::Relaxed);
            self.older[i].store(before, Ordering::Relaxed);
        });
    }

    /// Whether a body would touch none of those added.
    pub(super) fn is_free(&self, p: Vec2, radius: f32) -> bool {
        if self.bodies.is_empty() {
            return true;
        }
        let reach = Vec2::splat(radius + self.widest);
        let (x0, y0) = self.coords(p - reach);
        let (x1, y1) = self.coords(p + reach);
        (y0..=y1).all(|y| (x0..=x1).all(|x| self.is_free_in(y * self.wide + x, p, radius)))
    }

    fn is_free_in(&self, square: usize, p: Vec2, radius: f32) -> bool {
        let mut number = self.newest[square].load(Ordering::Relaxed);
        while let Some(body) = (number as usize).checked_sub(1) {
            let (q, r) = self.bodies[body];
            if q.distance_squared(p) < (r + radius) * (r + radius) {
                return false;
            }
            number = self.older[body].load(Ordering::Relaxed);
        }
        true
    }
}
