//! The scene in force of a run as a scene to start from.

use super::{Arrive, Scene};
use crate::geometry::{Rect, Shape, on_one_line};
use crate::world::grid::Grid;

impl Scene {
    /// The same scene as files can say it: walls that were added and do not stand any more, or are outside of the world, are
    /// left out; walls and goals are shapes that can be drawn.
    pub(crate) fn to_start_from(&self) -> Self {
        let mut scene = self.clone();
        let (grid, whole) = (self.grid, self.grid.bounds());
        scene.map.walls.retain_mut(|wall| {
            if !std::mem::take(&mut wall.added) {
                return true;
            }
            // A door that was made stays one while it is open.
            let gone = wall.open && wall.name.is_none();
            let shape = if gone || !wall.shape.bounds().touches(whole) { None } else { drawn(&wall.shape) };
            shape.is_some_and(|shape| {
                wall.shape = shape;
                true
            })
        });
        scene.map.drop_empty_values();
        for goal in scene.goals.iter_mut().filter(|g| g.cells.is_empty()) {
            let areas = goal.shapes.iter().enumerate().filter_map(|(k, s)| Some((k, as_area(&grid, s)?)));
            let areas: Vec<(usize, Shape)> = areas.collect();
            // A goal outside of the world is no goal: what is nearest to it is.
            let areas = if areas.iter().any(|(_, s)| s.bounds().touches(whole)) {
                areas
            } else {
                goal.shapes.first().map(|s| (0, cell_near(&grid, s))).into_iter().collect()
            };
            if !goal.capacities.is_empty() {
                goal.capacities = areas.iter().map(|(k, _)| goal.capacities.get(*k).copied().flatten()).collect();
                if goal.capacities.iter().all(Option::is_none) {
                    goal.capacities.clear();
                }
            }
            goal.shapes = areas.into_iter().map(|(_, shape)| shape).collect();
        }
        scene.hazards.retain(|hazard| !hazard.gone);
        scene.hazards.iter_mut().for_each(|hazard| hazard.since = 0);
        for group in scene.groups.iter_mut().filter(|g| g.arrive != Arrive::Respawn) {
            group.entry.clear();
        }
        scene
    }
}

/// A wall as a scene can draw it: one without area is a line, one without length is nothing.
fn drawn(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Polygon(points) if on_one_line(points) => {
            let around = points.iter().chain(points.first()).copied().collect();
            drawn(&Shape::Line(around))
        }
        Shape::Line(points) if points.iter().all(|p| *p == points[0]) => None,
        _ => Some(shape.clone()),
    }
}

/// A goal as a scene can draw it: one without area is the cell under its middle.
fn as_area(grid: &Grid, shape: &Shape) -> Option<Shape> {
    let flat = match shape {
        Shape::Line(_) => true,
        Shape::Polygon(points) => on_one_line(points),
        _ => false,
    };
    if !flat {
        return Some(shape.clone());
    }
    grid.inside(shape.middle()).then(|| cell_near(grid, shape))
}

/// The cell that is nearest to the middle of a shape.
fn cell_near(grid: &Grid, shape: &Shape) -> Shape {
    let (x, y) = grid.coords(shape.middle());
    let c = grid.centre(x, y);
    Shape::Rect(Rect::new(c, c).grown(0.5 * grid.cell))
}
