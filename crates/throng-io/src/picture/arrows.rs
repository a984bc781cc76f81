//! Arrows over a coarser grid, to show which way vectors point.

use std::ops::Range;

use super::FieldPicture;
use super::grid::{Grid, Kind};
use crate::canvas::{self, Area, Canvas, Spot};

/// About how many arrows there are along the longer side of the map.
const ALONG: f32 = 32.0;
/// The least distance between arrows, and the least space for one, in pixels.
const LEAST_PITCH: f32 = 24.0;
const LEAST_ROOM: f32 = 9.0;

/// The mean of the vectors of a block, and where to show it.
struct Mean {
    at: Spot,
    east: f64,
    north: f64,
    /// Most of the block is wall or the like.
    sparse: bool,
}

impl Mean {
    fn magnitude(&self) -> f64 {
        self.east.hypot(self.north)
    }
}

/// Draws them over a map of the whole grid.
pub(super) fn draw(canvas: &mut Canvas, picture: &FieldPicture<'_>, vectors: &[[f32; 2]], grid: &Grid) {
    let map = Area { x: 0, y: 0, w: canvas.width(), h: canvas.height() };
    let scale = map.w as f32 / picture.width as f32;
    let goal = map.w.max(map.h) as f32 / ALONG / scale;
    let cells = goal.round().max((LEAST_PITCH / scale).ceil()) as usize;
    let pitch = cells as f32 * scale;
    let room = pitch.min(map.w as f32).min(map.h as f32);
    if room < LEAST_ROOM {
        return;
    }

    let mut means = means(map, scale, cells, picture, vectors);
    let largest = means.iter().map(Mean::magnitude).fold(0.0, f64::max);
    // An arrow of a sparse block may have been moved far: it is left out where
    // it would lie over another, but not where it is the only one around, as
    // in a narrow passage.
    means.sort_by_key(|mean| mean.sparse);
    let mut drawn: Vec<Spot> = Vec::with_capacity(means.len());
    for mean in means {
        let magnitude = mean.magnitude();
        // Where they cancel out, or nothing moves, an arrow would point
        // nowhere in particular.
        let (share, least) = match grid.kind {
            Kind::Direction => (1.0, 0.2),
            Kind::Amount => (magnitude / largest, largest * 0.02),
        };
        let near = |other: &Spot| {
            let (dx, dy) = (other.0 - mean.at.0, other.1 - mean.at.1);
            dx.hypot(dy) < pitch * 0.8
        };
        let in_the_way = mean.sparse && drawn.iter().any(near);
        if magnitude > least && !in_the_way {
            // The colours tell the magnitude; even a short arrow must be long
            // enough to tell the direction.
            let length = room * 0.8 * (0.35 + 0.65 * share as f32);
            let (dx, dy) = ((mean.east / magnitude) as f32, -(mean.north / magnitude) as f32);
            arrow(canvas, mean.at, (dx, dy), length);
            drawn.push(mean.at);
        }
    }
}

/// The mean of each block of so many cells that has an open one.
fn means(map: Area, scale: f32, cells: usize, picture: &FieldPicture<'_>, vectors: &[[f32; 2]]) -> Vec<Mean> {
    let mut means = Vec::new();
    for rows in blocks(picture.height, cells) {
        for columns in blocks(picture.width, cells) {
            let mut count = 0_u32;
            let (mut x_sum, mut y_sum, mut east, mut north) = (0.0, 0.0, 0.0, 0.0);
            for y in rows.clone() {
                for x in columns.clone() {
                    let index = y * picture.width + x;
                    if picture.is_open(index) {
                        count += 1;
                        x_sum += x as f64 + 0.5;
                        y_sum += y as f64 + 0.5;
                        east += f64::from(vectors[index][0]);
                        north += f64::from(vectors[index][1]);
                    }
                }
            }
            if count == 0 {
                continue;
            }
            let total = f64::from(count);
            // In the middle of the block, so that the arrows are in line,
            // unless that is in a wall.
            let middle = |side: &Range<usize>| side.start + side.len() / 2;
            let (x, y) = if picture.is_open(middle(&rows) * picture.width + middle(&columns)) {
                let halfway = |side: &Range<usize>| (side.start + side.end) as f64 / 2.0;
                (halfway(&columns), halfway(&rows))
            } else {
                (x_sum / total, y_sum / total)
            };
            means.push(Mean {
                at: (map.x as f32 + x as f32 * scale, map.bottom() as f32 - y as f32 * scale),
                east: east / total,
                north: north / total,
                sparse: (count as usize) * 2 < rows.len() * columns.len(),
            });
        }
    }
    means
}

/// Ranges of `size` cells each, and what is left over shared by the two ends;
/// a single range where there are fewer cells than that.
fn blocks(cells: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    let count = (cells / size).max(1);
    let size = size.min(cells);
    let start = (cells - count * size) / 2;
    (0..count).map(move |index| start + index * size..start + (index + 1) * size)
}

/// White with a dark rim: one of the two stands out from any colour.
fn arrow(canvas: &mut Canvas, middle: Spot, (dx, dy): Spot, length: f32) {
    const FILL: [u8; 3] = [255, 255, 255];
    const RIM: [u8; 3] = [20, 20, 20];
    let along = |steps: f32, aside: f32| (middle.0 + dx * steps - dy * aside, middle.1 + dy * steps + dx * aside);
    let head = (length * 0.45).clamp(4.0, 12.0);
    let thickness = (length / 28.0).clamp(0.6, 1.6);
    let rim = if length < 14.0 { 0.8 } else { 1.1 };
    let (tail, neck, tip) =
        (along(-length / 2.0, 0.0), along(length / 2.0 - head * 0.8, 0.0), along(length / 2.0, 0.0));
    let corners = [tip, along(length / 2.0 - head, head * 0.42), along(length / 2.0 - head, -head * 0.42)];
    let outside = |at: Spot| {
        let shaft = canvas::from_segment(at, tail, neck) - thickness;
        shaft.min(canvas::outside_triangle(at, corners))
    };
    let within = canvas::bounds(&[tail, tip, corners[1], corners[2]], thickness + rim + 1.0);
    canvas.shape(within, RIM, |at| outside(at) - rim);
    canvas.shape(within, FILL, outside);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_alike_and_in_the_middle() {
        let of = |cells, size| blocks(cells, size).collect::<Vec<_>>();
        assert_eq!(of(11, 3), [1..4, 4..7, 7..10]);
        assert_eq!(of(6, 3), [0..3, 3..6]);
        assert_eq!(of(2, 3), std::slice::from_ref(&(0..2)));
        assert_eq!(of(1, 1), std::slice::from_ref(&(0..1)));
    }
}
