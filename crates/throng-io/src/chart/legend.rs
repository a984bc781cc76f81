//! Which colour is what.

use super::marks::{BAND_COVER, marker};
use super::{LineChart, MARGIN};
use crate::canvas::{Area, Canvas, INK};
use crate::flow::flow;
use crate::text::{self, Face};

/// Pixels of a legend's sample.
const SAMPLE: i32 = 22;

/// What a name of the legend stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Points,
    Curve,
    Band,
}

impl LineChart {
    /// Names and what they stand for, in the order of their colours.
    fn entries(&self) -> Vec<(&str, Kind)> {
        let points = self.points.iter().map(|p| (p.name.as_str(), Kind::Points));
        let curves = self.series.iter().map(|s| (s.name.as_str(), Kind::Curve));
        let bands = self.bands.iter().map(|b| (b.name.as_str(), Kind::Band));
        points.chain(curves).chain(bands).collect()
    }

    /// A small picture of what a name stands for, at its left end in the middle.
    fn sample(&self, canvas: &mut Canvas, (x, y): (i32, i32), index: usize, kind: Kind) {
        let colour = self.colour(index);
        match kind {
            Kind::Points => marker(canvas, ((x + SAMPLE / 2) as f32, y as f32 + 0.5), index, colour),
            Kind::Curve => canvas.fill(Area { x, y: y - 1, w: SAMPLE, h: 3 }, colour),
            Kind::Band => canvas.shade(Area { x, y: y - 5, w: SAMPLE, h: 11 }, colour, |_| BAND_COVER),
        }
    }

    /// Draws the legend just above `bottom` but not above `top`; returns the
    /// height it takes.
    pub(super) fn legend(&self, canvas: &mut Canvas, top: i32, bottom: i32, inner: i32) -> i32 {
        const AIR: i32 = 7;
        let entries = self.entries();
        if entries.len() < 2 {
            return 0;
        }
        let row = Face::Body.line();
        let most = ((bottom - top) / row).clamp(0, 4);
        let entry = |name: &str| {
            let plain = text::printable(name);
            text::shorten(Face::Body, &plain, (inner - SAMPLE - AIR).min(270))
        };
        let names: Vec<_> = entries.iter().map(|(name, _)| entry(name)).collect();
        // As many names as there is room for, and how many are left out.
        for shown in (0..=names.len()).rev() {
            let rest = match names.len() - shown {
                0 => String::new(),
                left_out => format!("and {left_out} more"),
            };
            let mut widths: Vec<_> = names[..shown].iter().map(|name| SAMPLE + AIR + Face::Body.width(name)).collect();
            widths.push(Face::Body.width(&rest));
            let flow = flow(&widths, inner, row, 22);
            if flow.rows > most {
                continue;
            }
            let first = bottom - flow.rows * row;
            for (index, &(dx, dy)) in flow.places.iter().enumerate() {
                let (x, y) = (MARGIN + dx, first + dy + 4);
                if index < shown {
                    self.sample(canvas, (x, y + Face::Body.height() / 2), index, entries[index].1);
                    let at = (x + SAMPLE + AIR, y);
                    text::draw(canvas, Face::Body, at, &names[index], INK);
                } else {
                    text::draw(canvas, Face::Body, (x, y), &rest, INK);
                }
            }
            return flow.rows * row + 4;
        }
        0
    }
}
