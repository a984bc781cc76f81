//! What is written over the picture: scale, clock, names of goals, the chosen agent's path (and the legend: legend.rs). Drawn
//! with egui, in the window and without one.

use crate::camera::Camera;
use crate::look::Look;
use crate::shot::ShownHazard;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use throng::scene::{HazardKind, Scene};

pub(crate) const INK: Color32 = Color32::from_rgb(0xE8, 0xEA, 0xED);
pub(crate) const DIM: Color32 = Color32::from_rgb(0xB4, 0xBA, 0xC2);
pub(crate) const BACK: Color32 = Color32::from_rgba_premultiplied(10, 12, 15, 215);
const GAS: Color32 = Color32::from_rgb(0x9C, 0xC4, 0x3C);
const GHOST: Color32 = Color32::from_rgb(0xC0, 0xAC, 0xF4);
pub(crate) const PAD: f32 = 8.0;

pub(crate) fn body() -> FontId {
    FontId::proportional(13.0)
}

/// What to write, and about what.
#[derive(Debug)]
pub struct Caption<'a> {
    /// The scene: names.
    pub scene: &'a Scene,
    /// How the picture looks.
    pub look: &'a Look,
    /// Where one looks; in pixels.
    pub camera: Camera,
    /// Ends of the field's scale.
    pub limits: (f32, f32),
    /// Ends of the agents' scale.
    pub colouring_limits: (f32, f32),
    /// Names of goals, and where they are written, m.
    pub goals: &'a [(String, glam::Vec2)],
    /// What people flee from.
    pub hazards: &'a [ShownHazard],
    /// Simulated time, s.
    pub time: f64,
    /// On the floor.
    pub active: u64,
    /// On the way through portals.
    pub between: u64,
    /// The solver's round, where it is done round by round.
    pub round: Option<u32>,
    /// Whether the solver has tiles.
    pub has_tiles: bool,
}

/// A time for people.
#[must_use]
pub fn clock(seconds: f64) -> String {
    // First to what is shown: not 1 min 60.0 s.
    let seconds = (seconds * 10.0).round() / 10.0;
    let minutes = (seconds / 60.0).floor();
    if minutes >= 60.0 {
        let hours = (minutes / 60.0).floor();
        format!("{hours:.0} h {:02.0} min {:04.1} s", minutes % 60.0, seconds % 60.0)
    } else if minutes >= 1.0 {
        format!("{minutes:.0} min {:04.1} s", seconds % 60.0)
    } else {
        format!("{seconds:.1} s")
    }
}

/// A count with thousands apart.
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// So many of something, in words: 1 agent, 2 agents.
#[must_use]
pub fn several(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// So many people, in words: 1 person, 2 people.
#[must_use]
pub fn people(n: u64) -> String {
    format!("{} {}", grouped(n), if n == 1 { "person" } else { "people" })
}

/// A number with as many digits as are worth reading.
#[must_use]
pub fn number(v: f32) -> String {
    let size = v.abs();
    match size {
        _ if v.is_nan() => "not a number".into(),
        _ if !v.is_finite() => "infinite".into(),
        _ if size >= 1e6 || (size > 0.0 && size < 1e-3) => format!("{v:.2e}"),
        _ if size >= 1000.0 => format!("{v:.0}"),
        _ => {
            let digits = if size >= 100.0 { 1 } else { 3 };
            let text = format!("{v:.digits$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

pub(crate) fn room_for(text: &str, painter: &Painter, font: FontId) -> Vec2 {
    painter.layout_no_wrap(text.to_owned(), font, INK).size()
}

pub(crate) fn shortened(name: &str) -> String {
    if name.chars().count() > 26 { name.chars().take(25).chain(['…']).collect() } else { name.to_owned() }
}

/// Names of goals that are written at once: more would be a texture.
const MOST_NAMES: usize = 200;

impl Caption<'_> {
    /// Draws a length to compare with into the lower left corner.
    pub fn scale(&self, painter: &Painter, view: Rect) {
        let at = pos2(view.left() + 1.5 * PAD, view.bottom() - 1.5 * PAD);
        let (text, length) = self.scale_bar(painter, (0.2 * view.width()).clamp(60.0, 200.0));
        let back = Rect::from_min_max(at + vec2(-PAD, -24.0), at + vec2(length + PAD, PAD * 0.75));
        painter.rect_filled(back, 4.0, BACK);
        ruler(painter, at, length);
        painter.text(at + vec2(0.5 * length, -4.0), Align2::CENTER_BOTTOM, text, body(), INK);
    }

    /// A length that is a round number of metres, as text, and in points: at most so many.
    pub(crate) fn scale_bar(&self, painter: &Painter, most: f32) -> (String, f32) {
        let per_metre = self.camera.scale / painter.pixels_per_point();
        let most = most / per_metre;
        let ten = 10f32.powf(most.log10().floor());
        let metres = [5.0, 2.0, 1.0].into_iter().map(|k| k * ten).find(|&m| m <= most).unwrap_or(ten);
        let text = if metres >= 1000.0 {
            format!("{} km", number(metres / 1000.0))
        } else if metres >= 1.0 {
            format!("{} m", number(metres))
        } else {
            format!("{} cm", number(metres * 100.0))
        };
        (text, metres * per_metre)
    }

    pub(crate) fn heading(&self) -> String {
        let between = match self.between {
            0 => String::new(),
            n => format!(", {} in portals", grouped(n)),
        };
        let (name, time) = (shortened(&self.scene.name), clock(self.time));
        format!("{name}    {time}    {} on the floor{between}", grouped(self.active))
    }

    /// Writes the scene, the time and how many are on the floor into the upper left corner.
    pub fn title(&self, painter: &Painter, view: Rect) {
        let text = self.heading();
        let at = view.left_top() + vec2(2.0 * PAD, 2.0 * PAD);
        let size = room_for(&text, painter, body());
        painter.rect_filled(Rect::from_min_size(at, size).expand(PAD * 0.75), 4.0, BACK);
        painter.text(at, Align2::LEFT_TOP, text, body(), INK);
    }

    /// Draws hazards as discs with a rim, a ring where people begin to flee, and their names.
    pub fn hazards(&self, painter: &Painter, view: Rect) {
        let clipped = painter.with_clip_rect(view);
        let ppp = painter.pixels_per_point();
        for ShownHazard { disc, hazard } in self.hazards {
            let colour = if hazard.kind == HazardKind::Gas { GAS } else { GHOST };
            let at = to_points(self.camera, disc.centre, view, ppp);
            let points = |metres: f32| metres * self.camera.scale / ppp;
            // What has faded is fainter.
            let share = if hazard.strength > 0.0 { disc.strength / hazard.strength } else { 1.0 };
            clipped.circle_filled(at, points(disc.radius), colour.gamma_multiply(0.1 + 0.35 * share));
            clipped.circle_stroke(at, points(disc.radius), Stroke::new(1.8, colour.gamma_multiply(0.3 + 0.6 * share)));
            clipped.circle_stroke(at, points(disc.reach), Stroke::new(1.0, colour.gamma_multiply(0.35 * share)));
            if points(disc.radius) > 10.0 {
                clipped.text(at, Align2::CENTER_CENTER, shortened(&hazard.name), FontId::proportional(12.0), INK);
            }
        }
    }

    /// Writes the names of goals where they are.
    pub fn names(&self, painter: &Painter, view: Rect) {
        if self.look.goals <= 0.0 {
            return;
        }
        let clipped = painter.with_clip_rect(view);
        let mut taken: Vec<Rect> = Vec::new();
        for (name, place) in self.goals {
            let at = to_points(self.camera, *place, view, painter.pixels_per_point());
            let size = room_for(name, painter, FontId::proportional(12.0));
            let keep = view.shrink2(0.5 * size + vec2(4.0, 4.0));
            if !view.contains(at) || !keep.is_positive() {
                continue;
            }
            // One at the rim of the picture has its name beside it, towards the middle.
            let inwards = (keep.clamp(at).x - at.x).signum() * f32::from(u8::from(keep.clamp(at).x != at.x));
            let beside = at + vec2(inwards * (0.5 * size.x + 12.0), 0.0);
            // Goals may lie close together: a name goes below or above the one that is in its way, or is left out until there is room.
            let label =
                |row: f32| Rect::from_center_size(keep.clamp(beside + vec2(0.0, row * 18.0)), size + vec2(6.0, 2.0));
            let free = |rect: &Rect| !taken.iter().any(|t| t.intersects(*rect));
            let Some(rect) = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0].map(label).into_iter().find(free) else { continue };
            taken.push(rect);
            // A line from there to the goal, unless the name is on it.
            if !rect.contains(at) {
                let stroke = Stroke::new(1.0, INK.gamma_multiply(0.8));
                clipped.line_segment([rect.clamp(at), at], stroke);
                clipped.circle_filled(at, 2.0, INK);
            }
            clipped.rect_filled(rect, 3.0, BACK);
            clipped.text(rect.center(), Align2::CENTER_CENTER, name, FontId::proportional(12.0), INK);
            if taken.len() >= MOST_NAMES {
                break;
            }
        }
    }
}

/// A line with ends.
pub(crate) fn ruler(painter: &Painter, at: Pos2, length: f32) {
    let stroke = Stroke::new(1.5, INK);
    painter.line_segment([at, at + vec2(length, 0.0)], stroke);
    painter.line_segment([at + vec2(0.0, -4.0), at + vec2(0.0, 4.0)], stroke);
    painter.line_segment([at + vec2(length, -4.0), at + vec2(length, 4.0)], stroke);
}

/// The place of a point of the world, in egui's points.
#[must_use]
pub fn to_points(camera: Camera, point: glam::Vec2, view: Rect, pixels_per_point: f32) -> Pos2 {
    let size = glam::Vec2::new(view.width(), view.height()) * pixels_per_point;
    let pixel = camera.to_view(point, size) / pixels_per_point;
    view.min + vec2(pixel.x, pixel.y)
}

/// The point of the world under a place in egui's points.
#[must_use]
pub fn to_metres(camera: Camera, at: Pos2, view: Rect, pixels_per_point: f32) -> glam::Vec2 {
    let size = glam::Vec2::new(view.width(), view.height()) * pixels_per_point;
    let pixel = (at - view.min) * pixels_per_point;
    camera.to_world(glam::Vec2::new(pixel.x, pixel.y), size)
}

/// Draws the way that somebody has come, and a ring around them.
pub fn path(painter: &Painter, view: Rect, camera: Camera, points: &[glam::Vec2], here: Option<(glam::Vec2, f32)>) {
    let clipped = painter.with_clip_rect(view);
    let ppp = painter.pixels_per_point();
    let place = |p: glam::Vec2| to_points(camera, p, view, ppp);
    // Somebody who enters anew elsewhere leaves no line across the floor.
    let mut part: Vec<Pos2> = Vec::new();
    let mut last: Option<glam::Vec2> = None;
    let flush = |part: &mut Vec<Pos2>| {
        if part.len() > 1 {
            clipped.add(Shape::line(part.clone(), Stroke::new(3.0, Color32::from_black_alpha(160))));
            clipped.add(Shape::line(std::mem::take(part), Stroke::new(1.5, Color32::WHITE)));
        }
        part.clear();
    };
    let typical = {
        let mut gaps: Vec<f32> = points.windows(2).map(|w| w[0].distance(w[1])).collect();
        gaps.sort_by(f32::total_cmp);
        gaps.get(gaps.len() / 2).copied().unwrap_or(1.0)
    };
    for &p in points {
        if last.is_some_and(|l| l.distance(p) > 20.0 * typical + 5.0) {
            flush(&mut part);
        }
        part.push(place(p));
        last = Some(p);
    }
    if let Some((p, _)) = here
        && last.is_some_and(|l| l.distance(p) <= 20.0 * typical + 5.0)
    {
        part.push(place(p));
    }
    flush(&mut part);
    if let Some((p, radius)) = here {
        let r = (radius * camera.scale / ppp + 3.0).max(6.0);
        clipped.circle_stroke(place(p), r + 1.0, Stroke::new(3.0, Color32::from_black_alpha(160)));
        clipped.circle_stroke(place(p), r, Stroke::new(1.8, Color32::WHITE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_reading() {
        let cases = [(0.0, "0"), (0.25, "0.25"), (1.0, "1"), (12.3456, "12.346"), (123.456, "123.5"), (4321.9, "4322")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(f32::NAN), "not a number");
        assert_eq!(number(1e15), "1.00e15");
        assert_eq!(grouped(1_048_576), "1,048,576");
        assert_eq!(grouped(999), "999");
        assert_eq!(clock(59.94), "59.9 s");
        assert_eq!(clock(119.999_997), "2 min 00.0 s");
        assert_eq!(clock(83.24), "1 min 23.2 s");
        assert_eq!(clock(3725.0), "1 h 02 min 05.0 s");
    }
}
