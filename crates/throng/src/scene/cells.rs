//! A scene's map changed cell by cell, as brushes do it.

use super::{Map, Scene};
use crate::geometry::Shape;
use crate::world::grid::Grid;
use crate::world::ground_of;
use std::sync::Arc;

/// What a brush has covered, if it has: it is there again once the paint is off. It says nothing about what a map is now, so that maps are equal
/// whatever was on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Under(Option<Arc<Covered>>);

impl PartialEq for Under {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Shapes of discomfort that have become cells, and the ground per cell that they were on.
#[derive(Debug)]
struct Covered {
    grid: Grid,
    shapes: Vec<(Shape, f32)>,
    ground: Vec<f32>,
    /// Both together, per cell.
    sum: Vec<f32>,
}

impl Covered {
    /// Whether nothing covers them any more, now that some cells were painted.
    fn is_bare(&self, grid: &Grid, cells: &[(u32, f32)], ground: &[f32]) -> bool {
        // Most often the first cell says that it is not.
        self.grid == *grid
            && cells.iter().all(|&(cell, value)| self.sum[cell as usize].to_bits() == value.to_bits())
            && self.sum.iter().map(|v| v.to_bits()).eq(ground.iter().map(|v| v.to_bits()))
    }
}

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

    /// Sets the discomfort of the ground in cells by plain index. Shapes of discomfort become cells first, since their sum is what
    /// is painted over; where all of it is that sum again, they are shapes again.
    pub(crate) fn paint_ground(&mut self, cells: &[(u32, f32)]) {
        if !self.map.discomfort.is_empty() {
            let sum = ground_of(self);
            let ground = std::mem::replace(&mut self.map.ground, sum.clone());
            let shapes = std::mem::take(&mut self.map.discomfort);
            self.map.under = Under(Some(Arc::new(Covered { grid: self.grid, shapes, ground, sum })));
        }
        self.map.give_values(self.grid.len());
        for &(cell, value) in cells {
            self.map.ground[cell as usize] = value;
        }
        if let Under(Some(covered)) = &self.map.under
            && covered.is_bare(&self.grid, cells, &self.map.ground)
        {
            self.map.discomfort.clone_from(&covered.shapes);
            self.map.ground.clone_from(&covered.ground);
            self.map.give_values(self.grid.len());
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

#[cfg(test)]
mod tests {
    use crate::scene::{NoFiles, Scene};

    #[test]
    fn shapes_of_discomfort_are_shapes_again_once_the_paint_is_off() {
        let text = "size = [4, 4]\ncell = 1\n[[goal]]\nrect = [3, 0, 4, 4]\n[map]\ndiscomfort = [{ rect = [0, 0, 2, 1], value = 0.3 }]\n";
        let scene = Scene::parse("shapes.toml", text, &NoFiles).expect("it is sound");
        let mut painted = scene.clone();
        painted.paint_ground(&[(0, 0.9), (5, 0.9)]);
        assert!(painted.map.discomfort.is_empty());
        assert_eq!(painted.map.ground[..3], [0.9, 0.3, 0.0]);
        painted.paint_ground(&[(0, 0.3)]);
        assert!(painted.map.discomfort.is_empty(), "there is more of it");
        painted.paint_ground(&[(5, 0.0)]);
        assert_eq!(painted.to_start_from(), scene.to_start_from());
        assert_eq!(painted.map.discomfort, scene.map.discomfort);
        // And once more.
        painted.paint_ground(&[(0, 0.9)]);
        painted.paint_ground(&[(0, 0.3)]);
        assert_eq!(painted.map.discomfort, scene.map.discomfort);
    }
}
