//! What is drawn from one place to another: straight walls, rectangles, a measuring tape. Nothing of it is there before the button is let go.

use super::floor::{FloorChange, FloorState, Stands};
use super::pointer::Touch;
use super::{App, Tool, Undo, snap};
use crate::host::{Done, Happened};
use crate::overlay::{self, to_points};
use egui::{Align2, Color32, Painter, Stroke, Ui};
use glam::Vec2;
use throng::geometry::{Rect, Shape};

/// Ends of lines go to what is this near, in points.
const REACH: f32 = 10.0;
/// Nothing shorter is drawn, m.
pub(super) const LEAST: f32 = 0.02;
const INK: Color32 = Color32::WHITE;

/// How things are drawn, and what is being drawn.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) snap: bool,
    /// Of walls, m.
    pub(super) thickness: f32,
    /// Rectangles are blocks, not rooms.
    pub(super) filled: bool,
    /// Width of a door, m.
    pub(super) door: f32,
    /// From where to where, m, while the button is down.
    pub(super) draft: Option<[Vec2; 2]>,
    /// What was measured last.
    pub(super) tape: Option<[Vec2; 2]>,
}

impl Drawing {
    pub(super) fn new() -> Self {
        Self { snap: true, thickness: 0.2, filled: true, door: 1.0, draft: None, tape: None }
    }
}

/// A straight wall.
pub(super) fn straight(from: Vec2, to: Vec2, thickness: f32) -> Shape {
    let along = (to - from).normalize_or_zero();
    let side = along.perp() * (0.5 * thickness);
    if thickness <= 0.0 {
        Shape::Line(vec![from, to])
    } else if along.x.abs() < 1e-4 || along.y.abs() < 1e-4 {
        let side = side.abs();
        Shape::Rect(Rect::new(from.min(to) - side, from.max(to) + side))
    } else {
        Shape::Polygon(vec![from + side, from - side, to - side, to + side])
    }
}

/// A block, or the four walls of a room: these are inside of the rectangle.
fn rectangle(from: Vec2, to: Vec2, filled: bool, thickness: f32) -> Vec<Shape> {
    let (a, b) = (from.min(to), from.max(to));
    let rect = |x0: f32, y0: f32, x1: f32, y1: f32| Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)));
    let t = thickness;
    if filled || 2.0 * t >= (b - a).min_element() {
        return vec![Shape::Rect(Rect::new(a, b))];
    }
    if t <= 0.0 {
        return vec![Shape::Line(vec![a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y), a])];
    }
    vec![
        rect(a.x, a.y, b.x, a.y + t),
        rect(a.x, b.y - t, b.x, b.y),
        rect(a.x, a.y + t, a.x + t, b.y - t),
        rect(b.x - t, a.y + t, b.x, b.y - t),
    ]
}

/// A distance for people.
fn metres(from: Vec2, to: Vec2) -> String {
    let by = (to - from).abs();
    format!("{:.2} m  ({:.2} × {:.2})", from.distance(to), by.x, by.y)
}

impl App {
    /// Follows the pointer. `free`: ends stay where the hand puts them.
    pub(super) fn use_draft_tool(&mut self, ui: &Ui, free: bool) {
        let reach = REACH * ui.ctx().pixels_per_point() / self.camera.scale;
        for touch in self.touches(ui) {
            match (touch, self.drawing.draft) {
                (Touch::Press(at), _) => {
                    let at = self.end_of_line(None, at, reach, free);
                    (self.drawing.draft, self.drawing.tape) = (Some([at, at]), None);
                }
                (Touch::Move(at), Some([from, _])) => {
                    let to = self.end_of_line(Some(from), at, reach, free);
                    self.drawing.draft = Some([from, to]);
                }
                (Touch::Release, Some([from, to])) => {
                    self.drawing.draft = None;
                    self.draw(from, to);
                }
                _ => {}
            }
        }
    }

    fn end_of_line(&self, from: Option<Vec2>, at: Vec2, reach: f32, free: bool) -> Vec2 {
        match &self.ground {
            Some(ground) if self.drawing.snap && !free => snap::snapped(ground, &self.scene.grid, from, at, reach),
            _ => at,
        }
    }

    /// What the tool in hand draws from one place to another.
    fn drafted(&self, from: Vec2, to: Vec2) -> Vec<Shape> {
        match self.tool {
            Tool::Line if from.distance(to) >= LEAST => vec![straight(from, to, self.drawing.thickness)],
            Tool::Rectangle if (to - from).abs().min_element() >= LEAST => {
                rectangle(from, to, self.drawing.filled, self.drawing.thickness)
            }
            _ => Vec::new(),
        }
    }

    /// Draws with the tool in hand from one place to another, m.
    pub fn draw(&mut self, from: Vec2, to: Vec2) {
        if self.tool == Tool::Measure {
            if from.distance(to) >= LEAST {
                self.note(format!("measured {}", metres(from, to)));
                self.drawing.tape = Some([from, to]);
            }
            return;
        }
        let shapes = self.drafted(from, to);
        if !shapes.is_empty() {
            let what = if self.tool == Tool::Line { "wall" } else { "rectangle" };
            let by = (to - from).abs();
            let size = if self.tool == Tool::Line {
                format!("{:.2} m", from.distance(to))
            } else {
                format!("{:.2} × {:.2} m", by.x, by.y)
            };
            self.add_walls(shapes, format!("a {what} of {size} was drawn"));
        }
    }

    /// Adds walls that can be taken back together.
    fn add_walls(&mut self, shapes: Vec<Shape>, said: String) {
        self.count_shut_in(false);
        self.host.tell(Box::new(move |sim| {
            if !shapes.iter().all(Shape::is_sound) {
                return Err("the wall cannot be drawn: it would be too far away, or too small".into());
            }
            let add = |shape: Shape| sim.add_wall(shape.clone()).map(|number| (number, shape));
            let added: Result<Vec<(usize, Shape)>, _> = shapes.into_iter().map(add).collect();
            let added = added.map_err(|e| format!("the wall cannot be drawn: {e}"))?;
            let state = |stands: bool| FloorState {
                standing: added.iter().map(|(wall, _)| (*wall, Stands::always(stands))).collect(),
                shapes: if stands { added.clone() } else { Vec::new() },
                ..FloorState::default()
            };
            let change = FloorChange { before: state(false), after: state(true) };
            let undo = Box::new(Undo::Floor(Box::new(change)));
            Ok(Done { happened: Some(Happened::Changed { undo, since: None }), ..Done::saying(said) })
        }));
        self.count_shut_in(true);
    }

    /// What is being drawn, and the tape.
    pub(super) fn show_draft(&self, painter: &Painter, ppp: f32) {
        let place = |p: Vec2| to_points(self.camera, p, self.view, ppp);
        let shown = self.drawing.draft.or(self.drawing.tape.filter(|_| self.tool == Tool::Measure));
        let Some([from, to]) = shown else { return };
        for side in self.drafted(from, to).iter().flat_map(Shape::outline) {
            painter.line_segment([place(side.a), place(side.b)], Stroke::new(2.0, INK));
        }
        if matches!(self.tool, Tool::Measure | Tool::Door) {
            let ends = [place(from), place(to)];
            painter.line_segment(ends, Stroke::new(2.0, INK));
            for end in ends {
                painter.circle_filled(end, 3.0, INK);
            }
        }
        if from.distance(to) >= LEAST {
            let at = place(to) + egui::vec2(12.0, -14.0);
            let text = painter.layout_no_wrap(metres(from, to), overlay::body(), INK);
            let back = Align2::LEFT_BOTTOM.anchor_size(at, text.size()).expand(4.0);
            // Beside the pointer, and never out of the map.
            let back = back.translate((self.view.right_bottom() - back.right_bottom()).min(egui::Vec2::ZERO));
            let back = back.translate((self.view.left_top() - back.left_top()).max(egui::Vec2::ZERO));
            painter.rect_filled(back, 4.0, overlay::BACK);
            painter.galley(back.min + egui::vec2(4.0, 4.0), text, INK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_walls_are_as_thick_and_long_as_they_are_drawn() {
        let (a, b) = (Vec2::new(2.0, 3.0), Vec2::new(2.0, 7.0));
        assert_eq!(straight(a, b, 0.2).bounds(), Rect::new(Vec2::new(1.9, 3.0), Vec2::new(2.1, 7.0)));
        assert_eq!(straight(a, b, 0.0), Shape::Line(vec![a, b]));
        let slanted = straight(Vec2::ZERO, Vec2::new(3.0, 4.0), 1.0);
        assert!(slanted.contains(Vec2::new(1.5, 2.0)) && !slanted.contains(Vec2::new(1.5, 3.0)));
    }

    #[test]
    fn a_room_has_four_walls_and_a_block_has_none_inside() {
        let (a, b) = (Vec2::new(5.0, 6.0), Vec2::new(1.0, 2.0));
        let room = rectangle(a, b, false, 0.5);
        assert_eq!(room.len(), 4);
        let solid = |p: Vec2| room.iter().filter(|s| s.contains(p)).count();
        assert_eq!([Vec2::new(3.0, 4.0), Vec2::new(1.2, 4.0), Vec2::new(1.2, 2.2)].map(solid), [0, 1, 1]);
        assert_eq!(rectangle(a, b, true, 0.5), [Shape::Rect(Rect::new(b, a))]);
        assert_eq!(rectangle(a, b, false, 3.0).len(), 1, "too thick for a room");
    }
}
