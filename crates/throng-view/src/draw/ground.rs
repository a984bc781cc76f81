//! Walls, goals and zones as triangles and lines; what each cell is.

use crate::colour::{self, Colour};
use glam::Vec2;
use lyon_tessellation::geom::point;
use lyon_tessellation::path::Path;
use lyon_tessellation::{BuffersBuilder, FillOptions, FillTessellator, FillVertex, VertexBuffers};
use std::collections::BTreeSet;
use throng::geometry::{Rect, Segment, Shape};
use throng::scene::{Change, Scene};
use throng::world::World;

/// A wall that opens and closes.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// Its number.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Where.
    pub shape: Shape,
    /// Whether it is closed.
    pub standing: bool,
}

/// Names are for any wall. Those are doors that an event opens or closes, that were made while it ran, or that are called so.
fn doors(scene: &Scene, world: &World) -> Vec<Door> {
    let swings = |change: &Change| match change {
        Change::Open(wall) | Change::Close(wall) => Some(*wall),
        _ => None,
    };
    let swinging: BTreeSet<usize> = scene.events.iter().flat_map(|e| e.changes.iter().filter_map(swings)).collect();
    let named = (0..).zip(world.walls.shapes()).filter_map(|(number, wall)| {
        let (name, shape) = (wall.name.clone()?, wall.shape.clone());
        let added = scene.map.walls.get(number).is_some_and(|w| w.added);
        let called = ["door", "gate"].iter().any(|word| name.to_lowercase().contains(word));
        let is_door = added || called || swinging.contains(&number);
        is_door.then_some(Door { number, name, shape, standing: wall.standing })
    });
    named.collect()
}

/// The floor of a run as it is now: what the engine's world says, copied so that it can be drawn while the run goes on.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Walls that stand, with their numbers.
    pub walls: Vec<(usize, Shape)>,
    /// Walls that open and close, whether or not they are closed.
    pub doors: Vec<Door>,
    /// Cells that are wall by an image or a brush.
    pub painted: Vec<bool>,
    /// Discomfort of the ground per cell.
    pub discomfort: Vec<f32>,
    /// Each goal's shapes; where they come from an image, rectangles of cells.
    pub goals: Vec<Vec<Shape>>,
    /// Zones, with their speed factors.
    pub zones: Vec<(Shape, f32)>,
    /// The two places of each portal.
    pub portals: Vec<[Shape; 2]>,
}

impl Ground {
    /// What a run looks like now: its scene says where goals are, its world all that events change too.
    #[must_use]
    pub fn of(scene: &Scene, world: &World) -> Self {
        let mut painted = world.walls.painted().to_vec();
        painted.resize(world.grid.len(), false);
        let goals = scene.goals.iter().map(|goal| {
            let mut shapes = goal.shapes.clone();
            shapes.extend(runs(&goal.cells, scene.grid.width, scene.grid.cell));
            shapes
        });
        Self {
            walls: (0..)
                .zip(world.walls.shapes())
                .filter(|(_, w)| w.standing)
                .map(|(i, w)| (i, w.shape.clone()))
                .collect(),
            doors: doors(scene, world),
            painted,
            discomfort: world.ground.clone(),
            goals: goals.collect(),
            zones: world.zones.iter().map(|z| (z.shape.clone(), z.speed)).collect(),
            portals: scene.portals.iter().map(|p| p.between.map(Shape::Rect)).collect(),
        }
    }

    /// What each cell is, for floor.wgsl: bit 0 wall, from bit 8 on discomfort in 255ths.
    pub(crate) fn cells(&self) -> Vec<u32> {
        let pairs = self.painted.iter().zip(&self.discomfort);
        pairs.map(|(&wall, &d)| u32::from(wall) | (((d.clamp(0.0, 1.0) * 255.0).round() as u32) << 8)).collect()
    }
}

/// Cells as rectangles: runs along rows, those of equal extent in neighbouring rows joined.
#[must_use]
pub fn runs(cells: &[u32], width: usize, cell: f32) -> Vec<Shape> {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    // Rectangles: first and last column, first row, row after the last.
    let mut done: Vec<(u32, u32, u32, u32)> = Vec::new();
    // Those with runs in the row before, and in this one, from left to right; how many of the former are passed.
    let (mut open, mut begun, mut passed) = (Vec::<usize>::new(), Vec::<usize>::new(), 0);
    let mut at_row = None;
    let mut k = 0;
    while k < sorted.len() {
        let (row, first) = (sorted[k] / width as u32, sorted[k] % width as u32);
        if at_row.replace(row) != Some(row) {
            std::mem::swap(&mut open, &mut begun);
            begun.clear();
            passed = 0;
        }
        let mut last = first;
        while k + 1 < sorted.len() && sorted[k + 1] == sorted[k] + 1 && !(sorted[k] + 1).is_multiple_of(width as u32) {
            k += 1;
            last += 1;
        }
        k += 1;
        while open.get(passed).is_some_and(|&r| done[r].0 < first) {
            passed += 1;
        }
        match open.get(passed).copied().filter(|&r| (done[r].0, done[r].1, done[r].3) == (first, last, row)) {
            Some(r) => {
                done[r].3 += 1;
                begun.push(r);
            }
            None => {
                begun.push(done.len());
                done.push((first, last, row, row + 1));
            }
        }
    }
    let at = |x: u32, y: u32| Vec2::new(x as f32, y as f32) * cell;
    done.into_iter().map(|(a, b, low, high)| Shape::Rect(Rect::new(at(a, low), at(b + 1, high)))).collect()
}

/// Walls are drawn over goals, and have an opacity of their own.
pub(crate) const WALLS: u32 = 0;
const MARKS: u32 = 1;

#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Corner {
    pub(crate) point: [f32; 2],
    colour: [u8; 4],
    layer: u32,
}

#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Line {
    ends: [f32; 4],
    colour: [u8; 4],
    layer: u32,
    width: f32,
}

/// What the shapes pass draws.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) corners: VertexBuffers<Corner, u32>,
    pub(crate) lines: Vec<Line>,
}

fn bytes([r, g, b]: Colour, alpha: f32) -> [u8; 4] {
    [r, g, b, alpha].map(|c| (c * 255.0).round() as u8)
}

/// The outline of a shape, circles rounder than walking needs them.
pub(crate) fn outline(shape: &Shape) -> Vec<Segment> {
    let Shape::Circle(middle, radius) = shape else { return shape.outline() };
    let sides = (radius.sqrt() * 40.0).clamp(24.0, 256.0) as usize;
    let corner = |i: usize| *middle + Vec2::from_angle(std::f32::consts::TAU * i as f32 / sides as f32) * *radius;
    (0..sides).map(|i| Segment::new(corner(i), corner(i + 1))).collect()
}

impl Drawn {
    pub(crate) fn new(ground: &Ground) -> Self {
        let mut drawn = Self::default();
        let mut filler = FillTessellator::new();
        for (shape, _) in &ground.zones {
            let tint = [0.55, 0.6, 0.95];
            drawn.fill(&mut filler, shape, bytes(tint, 0.16), MARKS);
            drawn.outline(shape, bytes(tint, 0.8), MARKS, 1.0);
        }
        for shape in ground.portals.iter().flatten() {
            let tint = [0.85, 0.45, 0.9];
            drawn.fill(&mut filler, shape, bytes(tint, 0.2), MARKS);
            drawn.outline(shape, bytes(tint, 1.0), MARKS, 1.5);
        }
        for (number, shapes) in ground.goals.iter().enumerate() {
            for shape in shapes {
                drawn.fill(&mut filler, shape, bytes(colour::kind(number), 0.35), MARKS);
                if shapes.len() <= 64 {
                    drawn.outline(shape, bytes(colour::kind(number), 1.0), MARKS, 1.5);
                }
            }
        }
        for (_, shape) in &ground.walls {
            drawn.fill(&mut filler, shape, bytes(colour::WALL, 1.0), WALLS);
        }
        for (_, shape) in &ground.walls {
            drawn.outline(shape, bytes(colour::WALL_EDGE, 1.0), WALLS, 1.2);
        }
        drawn
    }

    pub(crate) fn fill(&mut self, filler: &mut FillTessellator, shape: &Shape, colour: [u8; 4], layer: u32) {
        if matches!(shape, Shape::Line(_)) {
            return;
        }
        let mut path = Path::builder();
        for (i, side) in outline(shape).iter().enumerate() {
            let at = point(side.a.x, side.a.y);
            if i == 0 {
                path.begin(at);
            } else {
                path.line_to(at);
            }
        }
        path.end(true);
        let mut sink = BuffersBuilder::new(&mut self.corners, |v: FillVertex<'_>| Corner {
            point: v.position().to_array(),
            colour,
            layer,
        });
        // A shape that cannot be filled still has its outline.
        let _ = filler.tessellate_path(&path.build(), &FillOptions::even_odd(), &mut sink);
    }

    fn outline(&mut self, shape: &Shape, colour: [u8; 4], layer: u32, width: f32) {
        self.lines.extend(outline(shape).iter().map(|side| Line {
            ends: [side.a.x, side.a.y, side.b.x, side.b.y],
            colour,
            layer,
            width,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_become_few_rectangles_that_cover_just_them() {
        // An L and a lone cell, on a raster 5 wide.
        let cells = [0, 1, 2, 5, 6, 7, 10, 19];
        let rects = runs(&cells, 5, 0.5);
        assert_eq!(rects.len(), 3, "{rects:?}");
        for c in 0..20u32 {
            let middle = Vec2::new((c % 5) as f32 + 0.5, (c / 5) as f32 + 0.5) * 0.5;
            let covered = rects.iter().filter(|r| r.contains(middle)).count();
            assert_eq!(covered, usize::from(cells.contains(&c)), "cell {c}");
        }
    }

    #[test]
    fn rectangles_end_where_a_row_is_without_them() {
        // Two columns of a raster 4 wide that stop and begin again, and one that goes on beside them.
        let cells = [0, 2, 4, 6, 10, 12, 14, 16, 18];
        assert_eq!(runs(&cells, 4, 1.0).len(), 3);
        assert_eq!(runs(&[0, 8], 4, 1.0).len(), 2);
    }

    #[test]
    fn a_run_does_not_go_on_in_the_next_row() {
        assert_eq!(runs(&[4, 5], 5, 1.0).len(), 2);
    }

    #[test]
    fn a_polygon_with_a_notch_is_filled_as_its_inside() {
        let notch = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]].map(Vec2::from);
        let mut drawn = Drawn::default();
        drawn.fill(&mut FillTessellator::new(), &Shape::Polygon(notch.to_vec()), [255; 4], WALLS);
        let corner = |i: u32| Vec2::from(drawn.corners.vertices[i as usize].point);
        let area: f32 = drawn
            .corners
            .indices
            .chunks_exact(3)
            .map(|t| ((corner(t[1]) - corner(t[0])).perp_dot(corner(t[2]) - corner(t[0])) * 0.5).abs())
            .sum();
        // By the shoelace formula; the tolerance is that of 32-bit sums.
        assert!((area - 10.0).abs() < 1e-3, "{area}");
    }
}
