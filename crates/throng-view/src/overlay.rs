//! What is written over the picture: legend, scale, clock, names of goals, the chosen agent's path. Drawn with egui, in the
//! window and without one.

use crate::camera::Camera;
use crate::colour;
use crate::look::{Colouring, Look, Overlay, Shade};
use crate::shot::ShownHazard;
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use throng::scene::{HazardKind, Scene};
use throng::world::points::POINT;

const INK: Color32 = Color32::from_rgb(0xE8, 0xEA, 0xED);
const DIM: Color32 = Color32::from_rgb(0xB4, 0xBA, 0xC2);
const BACK: Color32 = Color32::from_rgba_premultiplied(10, 12, 15, 215);
const GAS: Color32 = Color32::from_rgb(0x9C, 0xC4, 0x3C);
const GHOST: Color32 = Color32::from_rgb(0xC0, 0xAC, 0xF4);
const PAD: f32 = 8.0;
const ROW: f32 = 17.0;
const BAR: Vec2 = vec2(150.0, 12.0);

fn body() -> FontId {
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
    /// Where each goal is, m.
    pub goals: &'a [glam::Vec2],
    /// What people flee from.
    pub hazards: &'a [ShownHazard],
    /// Simulated time, s.
    pub time: f64,
    /// On the floor.
    pub active: u64,
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

fn room_for(text: &str, painter: &Painter, font: FontId) -> Vec2 {
    painter.layout_no_wrap(text.to_owned(), font, INK).size()
}

fn shortened(name: &str) -> String {
    if name.chars().count() > 26 { name.chars().take(25).chain(['…']).collect() } else { name.to_owned() }
}

/// A row of a legend.
enum Row {
    Title(String),
    Swatch(Color32, String),
    Scale(Vec<Color32>, [String; 3]),
    Wheel,
    Striped(String),
    Checked(String),
}

impl Row {
    fn size(&self, painter: &Painter) -> Vec2 {
        match self {
            Self::Title(t) => vec2(room_for(t, painter, body()).x, ROW + 2.0),
            Self::Swatch(_, t) | Self::Striped(t) | Self::Checked(t) => {
                vec2(20.0 + room_for(t, painter, body()).x, ROW)
            }
            Self::Scale(..) => vec2(BAR.x, BAR.y + ROW + 4.0),
            Self::Wheel => vec2(84.0, 84.0),
        }
    }

    fn draw(&self, painter: &Painter, at: Pos2) {
        let text = |offset: Vec2, align: Align2, t: &str, colour: Color32| {
            painter.text(at + offset, align, t, body(), colour);
        };
        let middle = vec2(0.0, 0.5 * ROW);
        let square = Rect::from_min_size(at + vec2(0.0, 2.5), vec2(12.0, 12.0));
        match self {
            Self::Title(t) => text(middle, Align2::LEFT_CENTER, t, INK),
            Self::Swatch(colour, t) => {
                painter.rect_filled(square, 2.0, *colour);
                text(middle + vec2(20.0, 0.0), Align2::LEFT_CENTER, t, DIM);
            }
            Self::Striped(t) => {
                painter.rect_filled(square, 0.0, colour::egui(colour::UNREACHED[0]));
                let light = Stroke::new(1.5, colour::egui(colour::UNREACHED[1]));
                let clipped = painter.with_clip_rect(square);
                for k in [6.0, 16.0] {
                    clipped.line_segment([square.min + vec2(k, 0.0), square.min + vec2(0.0, k)], light);
                    clipped.line_segment([square.min + vec2(k, 0.0), square.min + vec2(k - 16.0, 16.0)], light);
                }
                text(middle + vec2(20.0, 0.0), Align2::LEFT_CENTER, t, DIM);
            }
            Self::Checked(t) => {
                painter.rect_filled(square, 0.0, colour::egui(colour::NOT_FINITE));
                let dark = Color32::from_rgb(89, 0, 89);
                painter.rect_filled(Rect::from_min_size(square.min, vec2(6.0, 6.0)), 0.0, dark);
                painter.rect_filled(Rect::from_min_size(square.min + vec2(6.0, 6.0), vec2(6.0, 6.0)), 0.0, dark);
                text(middle + vec2(20.0, 0.0), Align2::LEFT_CENTER, t, DIM);
            }
            Self::Scale(colours, labels) => {
                gradient(painter, Rect::from_min_size(at, BAR), colours);
                let y = BAR.y + 0.5 * ROW + 2.0;
                text(vec2(0.0, y), Align2::LEFT_CENTER, &labels[0], DIM);
                text(vec2(0.5 * BAR.x, y), Align2::CENTER_CENTER, &labels[1], DIM);
                text(vec2(BAR.x, y), Align2::RIGHT_CENTER, &labels[2], DIM);
            }
            Self::Wheel => wheel(painter, at + vec2(42.0, 42.0)),
        }
    }
}

fn gradient(painter: &Painter, rect: Rect, colours: &[Color32]) {
    let mut mesh = Mesh::default();
    for (i, colour) in colours.iter().enumerate() {
        let x = rect.left() + rect.width() * i as f32 / (colours.len() - 1) as f32;
        mesh.colored_vertex(pos2(x, rect.top()), *colour);
        mesh.colored_vertex(pos2(x, rect.bottom()), *colour);
        if i > 0 {
            let n = 2 * i as u32;
            mesh.add_triangle(n - 2, n - 1, n);
            mesh.add_triangle(n - 1, n + 1, n);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Directions, with their names.
fn wheel(painter: &Painter, middle: Pos2) {
    let (inner, outer, n) = (13.0, 26.0, 72);
    let mut mesh = Mesh::default();
    for i in 0..=n {
        let turns = i as f32 / n as f32;
        let angle = turns * std::f32::consts::TAU;
        let away = vec2(angle.cos(), -angle.sin());
        let c = colour::egui(colour::direction(turns));
        mesh.colored_vertex(middle + away * inner, c);
        mesh.colored_vertex(middle + away * outer, c);
        if i > 0 {
            let k = 2 * i as u32;
            mesh.add_triangle(k - 2, k - 1, k);
            mesh.add_triangle(k - 1, k + 1, k);
        }
    }
    painter.add(Shape::mesh(mesh));
    for (letter, away) in [("N", vec2(0.0, -1.0)), ("E", vec2(1.0, 0.0)), ("S", vec2(0.0, 1.0)), ("W", vec2(-1.0, 0.0))]
    {
        painter.text(middle + away * 35.0, Align2::CENTER_CENTER, letter, FontId::proportional(11.0), DIM);
    }
}

fn scale_row(of: fn(f32) -> colour::Colour, (low, high): (f32, f32), unit: &str) -> Row {
    let colours = (0..=32).map(|i| colour::egui(of(i as f32 / 32.0))).collect();
    Row::Scale(colours, [number(low), unit.to_owned(), number(high)])
}

/// The colours of kinds with their names: of the first few.
fn kinds(names: &mut dyn ExactSizeIterator<Item = &str>) -> Vec<Row> {
    let more = names.len().saturating_sub(8);
    let swatch = |(i, name): (usize, &str)| Row::Swatch(colour::egui(colour::kind(i)), shortened(name));
    let mut list: Vec<Row> = names.take(8).enumerate().map(swatch).collect();
    if more > 0 {
        list.push(Row::Title(format!("… and {more} more")));
    }
    list
}

/// States that people live by, and of others whether they walk.
fn state_rows(scene: &Scene) -> Vec<Row> {
    const MOST: usize = 16;
    let swatch = |c: colour::Colour, name: &str| Row::Swatch(colour::egui(c), shortened(name));
    let states = scene.states.iter().take(MOST).enumerate();
    let mut rows: Vec<Row> =
        states.map(|(number, state)| swatch(colour::state(&scene.states, number), &state.name)).collect();
    if scene.states.len() > MOST {
        rows.push(Row::Title(format!("… and {} more", scene.states.len() - MOST)));
    }
    if scene.groups.iter().any(|g| !g.lives()) {
        rows.push(swatch(colour::STATES[0], "walking"));
        rows.push(swatch(colour::STATES[1], "waiting"));
    }
    rows
}

impl Caption<'_> {
    fn rows(&self) -> Vec<Row> {
        let (look, scene) = (self.look, self.scene);
        let mut rows = Vec::new();
        if let Some(overlay) = look.overlay {
            rows.push(Row::Title(shortened(&look.field_title(scene))));
            match overlay.shade() {
                Shade::Wheel => rows.push(Row::Wheel),
                _ => rows.push(scale_row(colour::field, self.limits, overlay.unit())),
            }
            match overlay {
                Overlay::Potential => rows.push(Row::Striped("unreached".into())),
                Overlay::Cost => rows.push(Row::Striped("no way in this direction".into())),
                Overlay::Gradient => {
                    let none = colour::egui(colour::NO_DIRECTION);
                    rows.push(Row::Swatch(none, "none: goal, wall, unreached".into()));
                }
                _ => {}
            }
            rows.push(Row::Checked("not a finite number".into()));
        }
        if look.tiles > 0.0 && self.has_tiles {
            let name = scene.goals.get(look.goal).map_or("", |g| &g.name);
            let title = match self.round {
                Some(round) => format!("solver of \"{}\", round {round}", shortened(name)),
                None => format!("solver of \"{}\"", shortened(name)),
            };
            rows.push(Row::Title(title));
            let swatch = |r, g, b, t: &str| Row::Swatch(Color32::from_rgb(r, g, b), t.into());
            rows.push(swatch(89, 92, 102, "asleep"));
            rows.push(swatch(240, 227, 66, "updated in the last round"));
            rows.push(swatch(230, 102, 41, "waits for a round"));
            rows.push(swatch(61, 143, 209, "converged"));
        }
        if look.ribbons > 0.0 && (look.colouring != Colouring::Group || look.agents <= 0.0) {
            rows.push(Row::Title("ways by group".into()));
            rows.extend(kinds(&mut scene.groups.iter().map(|g| g.name.as_str())));
        }
        if look.agents > 0.0 && scene.agent_count() > 0 {
            let unit = look.colouring.unit();
            let what = match look.colouring {
                Colouring::Goal => "agents by goal",
                Colouring::Group => "agents by group",
                Colouring::Speed => "agents by speed",
                Colouring::Density => "agents by density",
                Colouring::Waiting => "agents by time standing",
                Colouring::State => "agents by state",
            };
            rows.push(Row::Title(what.into()));
            match look.colouring {
                Colouring::Goal => {
                    rows.extend(kinds(&mut scene.goals.iter().map(|g| g.name.as_str())));
                    if scene.needs_points() {
                        let colour = colour::kind(usize::from(POINT));
                        let what = if scene.uses_points() { "a point of its own" } else { "a place to wait" };
                        rows.push(Row::Swatch(colour::egui(colour), what.into()));
                    }
                }
                Colouring::Group => rows.extend(kinds(&mut scene.groups.iter().map(|g| g.name.as_str()))),
                Colouring::State => rows.extend(state_rows(scene)),
                _ => rows.push(scale_row(colour::amount, self.colouring_limits, unit.unwrap_or(""))),
            }
        }
        rows
    }

    /// Draws the legend into the upper right corner of a view; `titled`: below the title, where both do not fit side by side.
    pub fn legend(&self, painter: &Painter, view: Rect, titled: bool) {
        let rows = self.rows();
        if rows.is_empty() {
            return;
        }
        let sizes: Vec<Vec2> = rows.iter().map(|r| r.size(painter)).collect();
        let width = sizes.iter().map(|s| s.x).fold(0.0, f32::max);
        let height: f32 = sizes.iter().map(|s| s.y).sum();
        if width + 4.0 * PAD > view.width() || height + 4.0 * PAD > view.height() {
            return;
        }
        let left = view.right() - width - 3.0 * PAD;
        let crowded = titled && view.left() + 3.0 * PAD + room_for(&self.heading(), painter, body()).x > left;
        let corner = pos2(left, view.top() + if crowded { 5.0 * PAD } else { PAD });
        painter.rect_filled(Rect::from_min_size(corner, vec2(width + 2.0 * PAD, height + 2.0 * PAD)), 4.0, BACK);
        let mut at = corner + vec2(PAD, PAD);
        for (row, size) in rows.iter().zip(sizes) {
            row.draw(painter, at);
            at.y += size.y;
        }
    }

    /// Draws a length to compare with into the lower left corner.
    pub fn scale(&self, painter: &Painter, view: Rect) {
        let per_metre = self.camera.scale / painter.pixels_per_point();
        let most = (0.2 * view.width()).clamp(60.0, 200.0) / per_metre;
        let ten = 10f32.powf(most.log10().floor());
        let metres = [5.0, 2.0, 1.0].into_iter().map(|k| k * ten).find(|&m| m <= most).unwrap_or(ten);
        let text = if metres >= 1000.0 {
            format!("{} km", number(metres / 1000.0))
        } else if metres >= 1.0 {
            format!("{} m", number(metres))
        } else {
            format!("{} cm", number(metres * 100.0))
        };
        let length = metres * per_metre;
        let at = pos2(view.left() + 1.5 * PAD, view.bottom() - 1.5 * PAD);
        let back = Rect::from_min_max(at + vec2(-PAD, -24.0), at + vec2(length + PAD, PAD * 0.75));
        painter.rect_filled(back, 4.0, BACK);
        let stroke = Stroke::new(1.5, INK);
        painter.line_segment([at, at + vec2(length, 0.0)], stroke);
        painter.line_segment([at + vec2(0.0, -4.0), at + vec2(0.0, 4.0)], stroke);
        painter.line_segment([at + vec2(length, -4.0), at + vec2(length, 4.0)], stroke);
        painter.text(at + vec2(0.5 * length, -4.0), Align2::CENTER_BOTTOM, text, body(), INK);
    }

    fn heading(&self) -> String {
        format!("{}    {}    {} on the floor", shortened(&self.scene.name), clock(self.time), grouped(self.active))
    }

    /// Writes the scene, the time and how many are on the floor into the upper left corner.
    pub fn title(&self, painter: &Painter, view: Rect) {
        let text =
            format!("{}    {}    {} on the floor", shortened(&self.scene.name), clock(self.time), grouped(self.active));
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
        if self.look.goals <= 0.0 || self.goals.len() > 32 {
            return;
        }
        let clipped = painter.with_clip_rect(view);
        let mut taken: Vec<Rect> = Vec::new();
        for (goal, &place) in self.scene.goals.iter().zip(self.goals) {
            let at = to_points(self.camera, place, view, painter.pixels_per_point());
            let name = shortened(&goal.name);
            let size = room_for(&name, painter, FontId::proportional(12.0));
            let keep = view.shrink2(0.5 * size + vec2(4.0, 4.0));
            if !view.contains(at) || !keep.is_positive() {
                continue;
            }
            // Goals may lie close together: a name goes below the one that is in its way, or is left out.
            let label =
                |row: f32| Rect::from_center_size(keep.clamp(at + vec2(0.0, row * 18.0)), size + vec2(6.0, 2.0));
            let free = |rect: &Rect| !taken.iter().any(|t| t.intersects(*rect));
            let Some(rect) = [0.0, 1.0, -1.0, 2.0, 3.0].map(label).into_iter().find(free) else { continue };
            let at = rect.center();
            taken.push(rect);
            clipped.rect_filled(rect, 3.0, BACK);
            clipped.text(at, Align2::CENTER_CENTER, name, FontId::proportional(12.0), INK);
        }
    }
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
