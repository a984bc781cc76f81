//! First what each cell's density allows, by table; then the four directions of each cell.

use super::{SpeedLaw, weidmann};
use crate::scene::Model;
use crate::stages::splat::body;
use crate::world::grid::{DIRECTIONS, Grid};
use crate::world::walls::LINK;
use glam::Vec2;
use rayon::prelude::*;

/// Entries of the table from 0 to the jam density; linear between. The steepest part of the law changes by 0.003 from
/// entry to entry.
const TABLE: usize = 1024;

/// The law of a scene, ready for use.
#[derive(Clone, Debug)]
pub struct Law {
    /// Share of free speed at densities from 0 to the jam, and once more at the end.
    table: Vec<f32>,
    /// Persons/m² in a planner's density of 1, and table entries in a person/m².
    persons: f32,
    entries: f32,
    /// The speed of the walker that the field is made for, m/s.
    pub reference: f32,
    per_reference: f32,
    min_speed: f32,
    model: Model,
}

/// Numbers of a [`Law`], as it uses them.
#[cfg(feature = "gpu")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct LawNumbers {
    pub(crate) persons: f32,
    pub(crate) entries: f32,
    pub(crate) per_reference: f32,
    pub(crate) min_speed: f32,
}

/// What of the world the speed depends on.
#[derive(Clone, Copy, Debug)]
pub struct Floor<'a> {
    /// The raster.
    pub grid: &'a Grid,
    /// Links of each cell.
    pub flags: &'a [u8],
    /// Speed factor of each cell.
    pub zone: &'a [f32],
}

/// Persons per square metre where the planner's density is 1.
pub(crate) fn persons_per_density(model: &Model) -> f32 {
    1.0 / body(model.person_radius)
}

impl Law {
    /// The law of a model. `reference` is the mean preferred speed, `top` the greatest.
    #[must_use]
    pub fn new(model: &Model, reference: f32, top: f32) -> Self {
        let at = |i: usize| weidmann(model.jam_density * i as f32 / TABLE as f32, model.jam_density);
        let table = (0..=TABLE + 1).map(at).collect();
        let reference = if model.speed_law == SpeedLaw::Thesis { top } else { reference };
        Self {
            table,
            persons: persons_per_density(model),
            entries: TABLE as f32 / model.jam_density,
            reference,
            per_reference: 1.0 / reference,
            min_speed: model.min_speed.max(model.steer.steering().least_speed).min(reference),
            model: *model,
        }
    }

    /// The numbers that a shader needs besides the table.
    #[cfg(feature = "gpu")]
    pub(crate) fn numbers(&self) -> LawNumbers {
        LawNumbers {
            persons: self.persons,
            entries: self.entries,
            per_reference: self.per_reference,
            min_speed: self.min_speed,
        }
    }

    /// Share of free speed at densities from 0 to the jam.
    #[cfg(feature = "gpu")]
    pub(crate) fn table(&self) -> &[f32] {
        &self.table
    }

    /// Speed of an agent with its own preferred speed where the field says `field` and the zone's factor is `zone`.
    #[inline]
    #[must_use]
    pub fn own(&self, field: f32, preferred: f32, zone: f32) -> f32 {
        match self.model.speed_law {
            SpeedLaw::Weidmann => field * self.per_reference * preferred,
            SpeedLaw::Thesis => field.min(preferred * zone),
        }
    }

    /// What a planner's density allows: the share of free speed, and how much the stream counts.
    #[inline]
    fn look_up(&self, density: f32) -> (f32, f32) {
        let persons = (density * self.persons).max(0.0);
        let t = (persons * self.entries).min(TABLE as f32);
        let i = t as usize;
        let (a, b) = (self.table[i], self.table[i + 1]);
        (a + (b - a) * (t - i as f32), persons / (persons + 1.0))
    }

    /// The speed from a cell to its neighbour in a direction: what [`Law::run`] writes there, for whoever needs only a few.
    #[inline]
    #[must_use]
    pub fn from_cell(
        &self,
        Floor { grid, flags, zone }: Floor<'_>,
        density: &[f32],
        velocity: &[Vec2],
        cell: usize,
        d: usize,
    ) -> f32 {
        let width = grid.width as isize;
        let ahead = if flags[cell] & LINK[d] != 0 { cell.wrapping_add_signed([width, 1, -width, -1][d]) } else { cell };
        let along = along(velocity[ahead], d);
        match self.model.speed_law {
            SpeedLaw::Weidmann => self.in_stream(self.allowed(density[ahead], zone[ahead]), along, zone[ahead]),
            SpeedLaw::Thesis => self.thesis(density[ahead], along, zone[ahead]),
        }
    }

    /// What a density allows in a zone: the speed with the stream, and how much the stream counts.
    #[inline]
    fn allowed(&self, density: f32, zone: f32) -> (f32, f32) {
        let (f, weight) = self.look_up(density);
        ((self.reference * zone * f).max(self.floor(zone)), 0.5 * self.model.flow_weight * weight)
    }

    /// free·(1 − weight·(1 − clamp(along/free, −1, 1))), without the division.
    #[inline]
    fn in_stream(&self, (free, weight): (f32, f32), along: f32, zone: f32) -> f32 {
        (free - weight * (free - along.clamp(-free, free))).max(self.floor(zone))
    }

    /// Writes the speed field; `allowed` is working memory.
    pub fn run(
        &self,
        Floor { grid, flags, zone }: Floor<'_>,
        density: &[f32],
        velocity: &[Vec2],
        allowed: &mut [(f32, f32)],
        out: &mut [[f32; 4]],
    ) {
        let width = grid.width;
        let weidmann = self.model.speed_law == SpeedLaw::Weidmann;
        if weidmann {
            allowed.par_chunks_mut(8192).enumerate().for_each(|(chunk, allowed)| {
                for (k, a) in allowed.iter_mut().enumerate() {
                    let cell = chunk * 8192 + k;
                    *a = self.allowed(density[cell], zone[cell]);
                }
            });
        }
        let allowed = &*allowed;
        let steps = [width as isize, 1, -(width as isize), -1];
        out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, speeds) in row.iter_mut().enumerate() {
                let cell = y * width + x;
                let links = flags[cell];
                for d in 0..4 {
                    // Where the way is closed nobody walks, but a body sliding along the wall still asks.
                    let ahead = if links & LINK[d] != 0 { cell.wrapping_add_signed(steps[d]) } else { cell };
                    let along = along(velocity[ahead], d);
                    speeds[d] = if weidmann {
                        self.in_stream(allowed[ahead], along, zone[ahead])
                    } else {
                        self.thesis(density[ahead], along, zone[ahead])
                    };
                }
            }
        });
    }

    /// The least speed that is reckoned with; a slow zone slows that too.
    #[inline]
    fn floor(&self, zone: f32) -> f32 {
        self.min_speed * zone.min(1.0)
    }

    fn thesis(&self, density: f32, along: f32, zone: f32) -> f32 {
        let top = self.reference * zone;
        let flow = along.max(self.floor(zone)).min(top);
        let t =
            ((density - self.model.density_min) / (self.model.density_max - self.model.density_min)).clamp(0.0, 1.0);
        (top - t * (top - flow)).max(self.floor(zone))
    }
}

/// A velocity's part in a direction.
#[inline]
fn along(v: Vec2, d: usize) -> f32 {
    let (dx, dy) = DIRECTIONS[d];
    v.x * dx as f32 + v.y * dy as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Steer;

    #[test]
    fn the_table_follows_weidmanns_formula() {
        for (person_radius, jam_density) in [(0.2, 5.4), (0.5, 5.4), (0.01, 5.4), (5.0, 0.1), (0.2, 100.0)] {
            let model = Model { person_radius, jam_density, ..Model::default() };
            let law = Law::new(&model, 1.34, 2.0);
            for i in 0..500 {
                let persons = jam_density * i as f32 / 400.0;
                let (f, _) = law.look_up(persons * body(person_radius));
                // Linear between entries that differ by 0.1 at most (jam at 100: the law falls within 2 persons/m²).
                let bound = if jam_density > 50.0 { 0.02 } else { 1e-3 };
                assert!((f - weidmann(persons, jam_density)).abs() < bound, "{person_radius} {jam_density} {persons}");
            }
        }
        // Weidmann: 1.34·f at 0.5, 1, 1.5, 2, 2.5, 3 persons/m².
        for (persons, speed) in [(0.5, 1.30), (1.0, 1.06), (1.5, 0.81), (2.0, 0.61), (2.5, 0.45), (3.0, 0.33)] {
            assert!((1.34 * weidmann(persons, 5.4) - speed).abs() < 0.006, "{persons}");
        }
    }

    #[test]
    fn with_the_stream_is_never_slower_than_against_it_nor_faster_than_allowed() {
        let grid = Grid { width: 3, height: 1, cell: 0.5 };
        let follow = Model { steer: Steer::Follow, ..Model::default() };
        let law = Law::new(&follow, 1.34, 2.0);
        let flags = [LINK[1], LINK[1] | LINK[3], LINK[3]];
        for density in [0.05f32, 0.2, 0.5, 0.8] {
            for u in [0.0f32, 0.3, 1.0] {
                let mut out = [[0.0; 4]; 3];
                let floor = Floor { grid: &grid, flags: &flags, zone: &[1.0; 3] };
                law.run(floor, &[density; 3], &[Vec2::new(u, 0.0); 3], &mut [(0.0, 0.0); 3], &mut out);
                let (with, against) = (out[1][1], out[1][3]);
                for (cell, speeds) in out.iter().enumerate() {
                    for (d, speed) in speeds.iter().enumerate() {
                        let alone = law.from_cell(floor, &[density; 3], &[Vec2::new(u, 0.0); 3], cell, d);
                        assert_eq!(alone.to_bits(), speed.to_bits(), "cell {cell}, direction {d}");
                    }
                }
                assert!(
                    with >= against && with <= 1.34 * law.look_up(density).0 + 1e-6,
                    "{density} {u}: {with} {against}"
                );
            }
        }
    }
}
