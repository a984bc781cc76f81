//! The colour bar right of the map.

use super::colour::Colours;
use super::grid::{Beyond, Limits};
use crate::canvas::{Area, Canvas, FRAME, INK};
use crate::text::{self, Face};
use crate::ticks::Ticks;

const THICKNESS: i32 = 22;
/// About how far the ticks are apart, at least.
const PITCH: i32 = 30;
const TICK: i32 = 6;
/// Above and below the bar: half a label, or the tip that stands for values
/// beyond the end.
const TIP: i32 = 12;
/// The unit is wrapped beyond this width.
const UNIT_WIDTH: i32 = 126;

pub(super) struct Bar {
    unit: Vec<String>,
    limits: Limits,
    beyond: Beyond,
}

impl Bar {
    pub(super) fn new(unit: &str, limits: Limits, beyond: Beyond) -> Self {
        Self { unit: text::wrap(Face::Body, unit, UNIT_WIDTH, 4), limits, beyond }
    }

    fn unit_height(&self) -> i32 {
        self.unit.len() as i32 * Face::Body.line()
    }

    /// The ticks for a bar of some height. The step gets smaller with the
    /// height, and with it the labels longer.
    fn ticks(&self, height: i32) -> Ticks {
        Ticks::within(self.limits.low, self.limits.high, (height / PITCH).clamp(2, 10))
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, area: Area, colours: &Colours) {
        text::draw_lines(canvas, Face::Body, (area.x, area.y), &self.unit, INK);
        let bar = Area {
            x: area.x + 1,
            y: area.y + self.unit_height() + TIP,
            w: THICKNESS,
            h: area.h - self.unit_height() - 2 * TIP,
        };
        let length = f64::from(bar.h - 1);
        canvas.pattern(bar, |_, y| colours.at(f64::from(bar.bottom() - 1 - y) / length));
        canvas.frame(bar, FRAME);
        let ends = [(self.beyond.high, bar.y - 1, -1, 1.0), (self.beyond.low, bar.bottom() + 1, 1, 0.0)];
        for (beyond, y, away, place) in ends {
            if beyond {
                let (left, right, y) = (bar.x as f32, bar.right() as f32, y as f32);
                let tip = y + (away * (TIP - 2)) as f32;
                let corners = [(left, y), (right, y), ((left + right) / 2.0, tip)];
                canvas.triangle(corners, colours.at(place));
            }
        }

        let ticks = self.ticks(bar.h);
        for (value, label) in ticks.values().zip(ticks.labels()) {
            let place = (value - self.limits.low) / (self.limits.high - self.limits.low);
            let y = bar.bottom() - 1 - (place.clamp(0.0, 1.0) * length).round() as i32;
            let mark = Area { x: bar.right(), y, w: TICK, h: 1 };
            canvas.fill(mark, INK);
            let at = (mark.right() + 4, y - Face::Body.height() / 2);
            text::draw(canvas, Face::Body, at, &label, INK);
        }
    }
}
