//! Single values with their deviations, and bands.

use super::{LineChart, Plot};
use crate::canvas::{Area, Canvas, Colour, PAPER, Spot, bounds, from_segment};

/// Values of a [`LineChart`] that no curve joins, such as measured ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// What they are called in the legend.
    pub name: String,
    /// Where each is, how much, and by how much it may be less or more: drawn as a bar through it, unless it is 0. Those that are
    /// not finite are left out.
    pub points: Vec<(f64, f64, f64)>,
}

impl Points {
    /// Both ends of every bar.
    pub(super) fn extent(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.points.iter().flat_map(|&(x, y, spread)| {
            let bar = if spread.is_finite() { spread.abs() } else { 0.0 };
            [(x, y - bar), (x, y), (x, y + bar)]
        })
    }
}

/// An area of a [`LineChart`] between two curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// What it is called in the legend.
    pub name: String,
    /// From left to right: where, its lower and its upper edge.
    pub edges: Vec<(f64, f64, f64)>,
}

/// How much a band covers what is below it.
pub(super) const BAND_COVER: f32 = 0.16;
/// Half the width of a marker, pixels.
const MARKER: f32 = 5.0;
/// Half the length of the line at the end of a bar.
const CAP: f32 = 3.5;

/// Draws the sign of a set of points: each set has a shape of its own.
pub(super) fn marker(canvas: &mut Canvas, at: Spot, set: usize, colour: Colour) {
    let within = bounds(&[at], MARKER + 2.0);
    let from = |p: Spot| ((p.0 - at.0).abs(), (p.1 - at.1).abs());
    let disc = |p: Spot| from(p).0.hypot(from(p).1) - MARKER;
    let square = |p: Spot| from(p).0.max(from(p).1) - 0.85 * MARKER;
    let diamond = |p: Spot| (from(p).0 + from(p).1) * std::f32::consts::FRAC_1_SQRT_2 - 0.85 * MARKER;
    match set % 5 {
        0 => canvas.shape(within, colour, disc),
        1 => {
            canvas.shape(within, colour, disc);
            canvas.shape(within, PAPER, |p| disc(p) + 2.0);
        }
        2 => canvas.shape(within, colour, diamond),
        3 => {
            canvas.shape(within, colour, square);
            canvas.shape(within, PAPER, |p| square(p) + 1.8);
        }
        _ => canvas.shape(within, colour, square),
    }
}

impl LineChart {
    pub(super) fn draw_points(&self, canvas: &mut Canvas, plot: &Plot, set: &Points, index: usize) {
        let colour = self.colour(index);
        let line = |canvas: &mut Canvas, a: Spot, b: Spot| {
            canvas.shape(bounds(&[a, b], 2.0), colour, |p| from_segment(p, a, b) - 0.6);
        };
        for &(x, y, spread) in set.points.iter().filter(|p| self.drawable(&(p.0, p.1))) {
            let at = (plot.across(x), plot.down(y));
            let ends = [y - spread, y + spread].map(|y| (x, y));
            if spread > 0.0 && ends.iter().all(|end| self.drawable(end)) {
                let [low, high] = ends.map(|(_, y)| (at.0, plot.down(y)));
                line(canvas, low, high);
                for end in [low, high] {
                    line(canvas, (end.0 - CAP, end.1), (end.0 + CAP, end.1));
                }
            }
            marker(canvas, at, index, colour);
        }
    }

    pub(super) fn draw_band(&self, canvas: &mut Canvas, plot: &Plot, band: &Band, colour: Colour) {
        let drawable = |e: &&(f64, f64, f64)| self.drawable(&(e.0, e.1)) && self.drawable(&(e.0, e.2));
        let edges: Vec<(f32, f32, f32)> = band
            .edges
            .iter()
            .filter(drawable)
            .map(|&(x, low, high)| (plot.across(x), plot.down(low), plot.down(high)))
            .collect();
        for pair in edges.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            for x in a.0.floor() as i32..b.0.floor() as i32 {
                let t = ((x as f32 + 0.5 - a.0) / (b.0 - a.0)).clamp(0.0, 1.0);
                let (low, high) = (a.1 + t * (b.1 - a.1), a.2 + t * (b.2 - a.2));
                let column = Area { x, y: high.floor() as i32 - 1, w: 1, h: (low - high).ceil() as i32 + 3 };
                canvas.shade(column, colour, |p| {
                    let edge = (p.1 - high + 0.5).clamp(0.0, 1.0) * (low - p.1 + 0.5).clamp(0.0, 1.0);
                    BAND_COVER * edge
                });
            }
        }
    }
}
