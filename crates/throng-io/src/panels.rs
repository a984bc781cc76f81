//! Crowds side by side, seen from above: everybody an arrow, dark or grey.

use image::RgbImage;

use crate::canvas::{Area, Canvas, Colour, FRAME, INK};
use crate::text::{self, Face};

/// Somebody seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Person2d {
    /// Where it is, m.
    pub at: [f32; 2],
    /// Where it faces; of length 1.
    pub facing: [f32; 2],
    /// Whether it is drawn dark.
    pub dark: bool,
}

/// One crowd.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdPanel {
    /// Above it.
    pub title: String,
    /// Everybody.
    pub people: Vec<Person2d>,
}

/// Crowds on the same floor, side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdPanels {
    /// Width and height of the floor, m.
    pub size: [f32; 2],
    /// From left to right.
    pub panels: Vec<CrowdPanel>,
}

const MARGIN: i32 = 18;
const GREY: Colour = [165, 165, 165];
/// Length of an arrow and half of its width, m.
const ARROW: (f32, f32) = (0.9, 0.26);

impl CrowdPanels {
    /// Draws them with so many pixels a metre.
    #[must_use]
    pub fn render(&self, scale: u32) -> RgbImage {
        let scale = scale.clamp(1, 64) as f32;
        let side = |metres: f32| (metres * scale).clamp(16.0, 4096.0) as i32;
        let (w, h) = (side(self.size[0]), side(self.size[1]));
        let top = MARGIN + Face::Title.line();
        let count = self.panels.len().clamp(1, 8) as i32;
        let mut canvas = Canvas::new(MARGIN + count * (w + MARGIN), top + h + MARGIN);
        for (k, panel) in self.panels.iter().take(8).enumerate() {
            let area = Area { x: MARGIN + k as i32 * (w + MARGIN), y: top, w, h };
            text::draw(&mut canvas, Face::Title, (area.x, MARGIN / 2), &text::printable(&panel.title), INK);
            canvas.frame(area, FRAME);
            // The dark ones on top.
            for dark in [false, true] {
                for person in panel.people.iter().filter(|p| p.dark == dark) {
                    canvas.triangle(arrow(person, area, scale), if dark { INK } else { GREY });
                }
            }
        }
        canvas.into_image()
    }
}

/// The corners of an arrow: its tip, and the two behind.
fn arrow(person: &Person2d, area: Area, scale: f32) -> [(f32, f32); 3] {
    let ([x, y], [dx, dy]) = (person.at, person.facing);
    let on_paper = |x: f32, y: f32| (area.x as f32 + x * scale, area.bottom() as f32 - y * scale);
    let (long, wide) = ARROW;
    let corner = |along: f32, across: f32| on_paper(x + along * dx - across * dy, y + along * dy + across * dx);
    [corner(0.5 * long, 0.0), corner(-0.5 * long, wide), corner(-0.5 * long, -wide)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dark_person_is_dark_where_it_stands_and_a_grey_one_grey() {
        let person = |x: f32, dark| Person2d { at: [x, 2.0], facing: [0.0, 1.0], dark };
        let panel = CrowdPanel { title: "one".into(), people: vec![person(2.0, true), person(8.0, false)] };
        let panels = CrowdPanels { size: [10.0, 10.0], panels: vec![panel.clone(), panel] };
        let image = panels.render(10);
        let top = MARGIN + Face::Title.line();
        assert_eq!(image.dimensions(), ((3 * MARGIN + 200) as u32, (top + 100 + MARGIN) as u32));
        for k in 0..2 {
            let at =
                |x: f32| image.get_pixel((MARGIN + k * (100 + MARGIN)) as u32 + (10.0 * x) as u32, (top + 80) as u32).0;
            assert_eq!((at(2.0), at(8.0), at(5.0)), (INK, GREY, [255; 3]));
        }
    }
}
