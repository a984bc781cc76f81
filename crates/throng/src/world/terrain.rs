//! Terrain: what follows from heights for cells and links. Nothing changes it while a run goes on.
//!
//! With h the heights of cells' middles, the slope of a link is `(h_ahead − h) / cell`, and its factor the law's; a link that is
//! steeper than `steepest`, up or down, is closed to plans. The slope of a cell is the gradient of h by central differences:
//! bodies walk by the factor of its part along their way ([`Terrain::walk`]), and for costs without direction the pace of a
//! cell is the mean of those straight up and straight down.

use super::grid::{DIRECTIONS, Grid};
use crate::geometry::Rect;
use crate::scene::{self, Scene, SlopeLaw};
use glam::Vec2;
use rayon::prelude::*;

/// Of a link that is too steep to be a way up, and of one that is too steep to be a way down.
const UP: f32 = 0.0;
const DOWN: f32 = -1.0;
/// No pace is greater: what it is multiplied with stays far below that of a way that is closed.
const MOST_PACE: f32 = 1e4;

/// What follows from heights.
#[derive(Clone, Debug, Default)]
pub struct Terrain {
    /// Height of the middle of each cell, m; empty where all is level, as the others are.
    pub heights: Vec<f32>,
    /// Factor on the speed from each cell to its neighbours N, E, S, W; 0 or less where it is too steep.
    pub factors: Vec<[f32; 4]>,
    /// Which way it goes up, and how steeply.
    pub slope: Vec<Vec2>,
    /// Time for a metre over that on the level.
    pub pace: Vec<f32>,
    law: SlopeLaw,
}

/// Adds the hills to a row of cells, each where it reaches: there may be thousands, and millions of cells.
fn raise(grid: &Grid, terrain: &scene::Terrain, row: usize, heights: &mut [f32]) {
    let y = grid.centre(0, row).y;
    let mut hills = vec![0.0f32; heights.len()];
    for hill in terrain.hills.iter().filter(|hill| (hill.at.y - y).abs() <= hill.radius) {
        let around = Vec2::new(hill.radius, 0.0);
        let (columns, _) = grid.cells_in(Rect::new(hill.at - around, hill.at + around));
        for column in columns {
            hills[column] += hill.height_at(grid.centre(column, row));
        }
    }
    heights.iter_mut().zip(hills).for_each(|(height, hill)| *height += hill);
}

impl Terrain {
    /// That of a scene.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        let (grid, terrain) = (scene.grid, &scene.terrain);
        if terrain.is_flat() {
            return Self::default();
        }
        let mut heights = terrain.heights.as_ref().map_or_else(|| vec![0.0; grid.len()], |map| map.cells.clone());
        heights.resize(grid.len(), 0.0);
        heights.par_chunks_mut(grid.width).enumerate().for_each(|(row, heights)| raise(&grid, terrain, row, heights));
        let (law, steepest) = (terrain.law, terrain.steepest);
        let factors = (0..grid.len()).map(|cell| {
            DIRECTIONS.map(|step| {
                let rise = beside(&grid, cell, step).map_or(0.0, |ahead| heights[ahead] - heights[cell]) / grid.cell;
                if rise > steepest {
                    UP
                } else if rise < -steepest {
                    DOWN
                } else {
                    law.factor(rise)
                }
            })
        });
        let factors = factors.collect();
        let slope: Vec<Vec2> = (0..grid.len()).map(|cell| gradient(&grid, &heights, cell)).collect();
        let pace = slope.iter().map(|slope| {
            let s = slope.length();
            (0.5 / law.factor(s) + 0.5 / law.factor(-s)).min(MOST_PACE)
        });
        let pace = pace.collect();
        Self { heights, factors, slope, pace, law }
    }

    /// Whether all of it is level.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.heights.is_empty()
    }

    /// The bits of a cell's links that are too steep; `bit` is that of each direction.
    #[must_use]
    pub fn steep_links(&self, cell: usize, bit: [u8; 4]) -> u8 {
        let steep = self.factors.get(cell).map_or([false; 4], |factors| factors.map(|f| f <= 0.0));
        bit.into_iter().zip(steep).filter(|(_, steep)| *steep).map(|(bit, _)| bit).sum()
    }

    /// How far somebody gets in a cell that would get so far on the level: slower or faster by the slope along its way, and never
    /// up where it is too steep.
    #[must_use]
    #[inline]
    pub fn walk(&self, cell: usize, mut way: Vec2) -> Vec2 {
        let [n, e, s, w] = self.factors[cell];
        if (if way.x > 0.0 { e } else { w }) == UP {
            way.x = 0.0;
        }
        if (if way.y > 0.0 { n } else { s }) == UP {
            way.y = 0.0;
        }
        let far = way.length();
        if far > 0.0 { way * self.law.factor(self.slope[cell].dot(way) / far) } else { way }
    }

    /// Steepness of each cell, in metres up for a metre on.
    #[must_use]
    pub fn steepness(&self) -> Vec<f32> {
        self.slope.iter().map(|s| s.length()).collect()
    }
}

/// The cell beside one, if there is one.
fn beside(grid: &Grid, cell: usize, (dx, dy): (i32, i32)) -> Option<usize> {
    let (x, y) = ((cell % grid.width) as i64 + i64::from(dx), (cell / grid.width) as i64 + i64::from(dy));
    let inside = x >= 0 && y >= 0 && x < grid.width as i64 && y < grid.height as i64;
    inside.then(|| y as usize * grid.width + x as usize)
}

/// By central differences, at the edge of the world one-sided.
fn gradient(grid: &Grid, heights: &[f32], cell: usize) -> Vec2 {
    let along = |step: (i32, i32)| {
        let (ahead, behind) = (beside(grid, cell, step), beside(grid, cell, (-step.0, -step.1)));
        let cells = f32::from(u8::from(ahead.is_some()) + u8::from(behind.is_some())).max(1.0);
        (heights[ahead.unwrap_or(cell)] - heights[behind.unwrap_or(cell)]) / (cells * grid.cell)
    };
    Vec2::new(along((1, 0)), along((0, 1)))
}
