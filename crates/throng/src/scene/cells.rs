//! A scene's map changed cell by cell, as brushes do it.

use super::{Map, Scene};
use crate::world::ground_of;

impl Scene {
    /// Makes cells, by plain index, wall or floor.
    pub(crate) fn paint(&mut self, cells: &[(u32, bool)]) {
        // Floor that is floor needs no map.
        if self.map.painted.is_empty() && !cells.iter().any(|&(_, wall)| wall) {
            return;
        }
        self.map.give_values(self.grid.len());
        for &(cell, wall) in cells {
            self.map.painted[cell as usize] = wall;
        }
    }

    /// Sets the discomfort of the ground in cells by plain index. Shapes of discomfort become cells first: their sum is what
    /// is painted over.
    pub(crate) fn paint_ground(&mut self, cells: &[(u32, f32)]) {
        if !self.map.discomfort.is_empty() {
            self.map.ground = ground_of(self);
            self.map.discomfort.clear();
        }
        self.map.give_values(self.grid.len());
        for &(cell, value) in cells {
            self.map.ground[cell as usize] = value;
        }
    }
}

impl Map {
    /// Either both have a value per cell or neither: from here on both.
    fn give_values(&mut self, cells: usize) {
        self.painted.resize(cells, false);
        self.ground.resize(cells, 0.0);
    }

    /// Takes values per cell away that say nothing, where no image has given any.
    pub(super) fn drop_empty_values(&mut self) {
        let plain = self.painted.iter().all(|wall| !wall) && self.ground.iter().all(|value| *value == 0.0);
        if self.image.is_none() && plain {
            (self.painted, self.ground) = (Vec::new(), Vec::new());
        }
    }
}
