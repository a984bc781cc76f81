//! The wheel that explains the colours of directions.

use super::colour;
use crate::canvas::{Area, Canvas, INK};
use crate::text::{self, Face};

const RADIUS: i32 = 44;
const HOLE: i32 = 18;
/// Space between the wheel and the letters around it.
const AIR: i32 = 5;

pub(super) struct Wheel {
    heading: Vec<String>,
}

impl Wheel {
    pub(super) fn new(unit: &str) -> Self {
        let width = Self::across();
        let mut heading = text::wrap(Face::Body, unit, width, 4);
        if heading.is_empty() {
            heading = text::wrap(Face::Body, "direction", width, 1);
        }
        Self { heading }
    }

    /// The wheel with its letters, from side to side.
    fn across() -> i32 {
        2 * (RADIUS + AIR + Face::Body.width("W"))
    }

    fn heading_height(&self) -> i32 {
        self.heading.len() as i32 * Face::Body.line() + AIR
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, area: Area) {
        text::draw_lines(canvas, Face::Body, (area.x, area.y), &self.heading, INK);
        let letter = (Face::Body.width("W"), Face::Body.height());
        let (x, y) = (area.x + letter.0 + AIR + RADIUS, area.y + self.heading_height() + letter.1 + AIR + RADIUS);
        let (outer, inner) = (RADIUS as f32, HOLE as f32);
        for dy in -RADIUS..RADIUS {
            for dx in -RADIUS..RADIUS {
                let (east, north) = (dx as f32 + 0.5, -(dy as f32 + 0.5));
                let from_centre = east.hypot(north);
                let distance = (from_centre - outer).max(inner - from_centre);
                let turns = f64::from(north.atan2(east)) / std::f64::consts::TAU;
                let cover = (0.5 - distance).clamp(0.0, 1.0);
                canvas.blend(x + dx, y + dy, colour::direction(turns), cover);
            }
        }
        let (half_w, half_h) = (letter.0 / 2, letter.1 / 2);
        let away = RADIUS + AIR;
        for (name, at) in [
            ("N", (x - half_w, y - away - letter.1)),
            ("S", (x - half_w, y + away)),
            ("E", (x + away, y - half_h)),
            ("W", (x - away - letter.0, y - half_h)),
        ] {
            text::draw(canvas, Face::Body, at, name, INK);
        }
    }
}
