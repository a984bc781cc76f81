//! What colours mean: a legend down a corner of a picture, or along lines beside the window's map.

use crate::colour;
use crate::letters::Words;
use crate::look::{Colouring, Look, Overlay, Shade};
use crate::overlay::{BACK, Caption, DIM, INK, PAD, body, number, room_for, shortened};
use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use throng::scene::Scene;
use throng::world::points::POINT;

const ROW: f32 = 17.0;
const BAR: Vec2 = vec2(150.0, 12.0);
/// Along a line bars are shorter: their numbers stand beside them.
const LINE_BAR: Vec2 = vec2(110.0, 12.0);
/// Between two rows of a legend that stand side by side.
const GAP: f32 = 12.0;

/// A row of a legend.
pub(crate) enum Row {
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

    /// What it says, for those who listen.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Title(t) | Self::Swatch(_, t) | Self::Striped(t) | Self::Checked(t) => t.clone(),
            Self::Scale(_, [low, unit, high]) => format!("{low} to {high} {unit}"),
            Self::Wheel => "east, north, west, south".into(),
        }
    }

    /// How wide it is along a line.
    fn width(&self, painter: &Painter) -> f32 {
        match self {
            Self::Scale(_, [low, unit, high]) => {
                let width = |t: &str| room_for(t, painter, body()).x;
                width(low) + LINE_BAR.x + width(&format!("{high} {unit}")) + 12.0
            }
            Self::Wheel => LINE_BAR.x + 30.0,
            _ => self.size(painter).x,
        }
    }

    /// Draws it along a line.
    fn draw_along(&self, painter: &Painter, at: Pos2) {
        let text = |x: f32, t: &str| {
            painter.text(at + vec2(x, 0.5 * ROW), Align2::LEFT_CENTER, t, body(), DIM);
        };
        match self {
            Self::Scale(colours, [low, unit, high]) => {
                let x = room_for(low, painter, body()).x + 6.0;
                text(0.0, low);
                gradient(painter, Rect::from_min_size(at + vec2(x, 2.5), LINE_BAR), colours);
                text(x + LINE_BAR.x + 6.0, &format!("{high} {unit}"));
            }
            Self::Wheel => {
                let bar = Rect::from_min_size(at + vec2(15.0, 2.5), LINE_BAR);
                let colours: Vec<Color32> =
                    (0..=72).map(|i| colour::egui(colour::direction(i as f32 / 72.0))).collect();
                gradient(painter, bar, &colours);
                for (i, letter) in ["E", "N", "W", "S", "E"].into_iter().enumerate() {
                    let x = bar.left() + bar.width() * 0.25 * i as f32;
                    let (x, ink) = match i {
                        0 => (x - 9.0, DIM),
                        4 => (x + 9.0, DIM),
                        _ => (x, Color32::BLACK),
                    };
                    painter.text(
                        pos2(x, bar.center().y),
                        Align2::CENTER_CENTER,
                        letter,
                        FontId::proportional(11.0),
                        ink,
                    );
                }
            }
            _ => self.draw(painter, at),
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

/// What the legend says of agents and of their ways.
pub(crate) fn agent_rows(scene: &Scene, look: &Look, colouring_limits: (f32, f32)) -> Vec<Row> {
    let mut rows = Vec::new();
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
            _ => rows.push(scale_row(colour::amount, colouring_limits, unit.unwrap_or(""))),
        }
    }
    rows
}

impl Caption<'_> {
    /// What the legend says: of the field, of the solver, of the agents.
    pub(crate) fn sections(&self) -> [Vec<Row>; 3] {
        [self.field_rows(), self.solver_rows(), agent_rows(self.scene, self.look, self.colouring_limits)]
    }

    fn field_rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        if let Some(overlay) = self.look.overlay {
            rows.push(Row::Title(shortened(&self.look.field_title(self.scene))));
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
        rows
    }

    fn solver_rows(&self) -> Vec<Row> {
        let (look, scene) = (self.look, self.scene);
        let mut rows = Vec::new();
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
        rows
    }

    /// Draws the legend into the upper right corner of a view: below the title, where both do not fit side by side. On a map in a
    /// page there is no title, and the page explains field and agents.
    pub(crate) fn legend(&self, painter: &Painter, view: Rect, words: Words) {
        let [field, solver, agents] = self.sections();
        let titled = words == Words::All;
        let rows: Vec<Row> = if titled { field.into_iter().chain(solver).chain(agents).collect() } else { solver };
        if rows.is_empty() {
            return;
        }
        let Vec2 { x: width, y: height } = size_down(&rows, painter);
        if width + 4.0 * PAD > view.width() || height + 4.0 * PAD > view.height() {
            return;
        }
        let left = view.right() - width - 3.0 * PAD;
        let crowded = titled && view.left() + 3.0 * PAD + room_for(&self.heading(), painter, body()).x > left;
        let corner = pos2(left, view.top() + if crowded { 5.0 * PAD } else { PAD });
        painter.rect_filled(Rect::from_min_size(corner, vec2(width + 2.0 * PAD, height + 2.0 * PAD)), 4.0, BACK);
        draw_down(&rows, painter, corner + vec2(PAD, PAD));
    }
}

/// How wide and high a legend is that goes down.
pub(crate) fn size_down(rows: &[Row], painter: &Painter) -> Vec2 {
    let size = |a: Vec2, b: Vec2| vec2(a.x.max(b.x), a.y + b.y);
    rows.iter().map(|r| r.size(painter)).fold(Vec2::ZERO, size)
}

/// Draws rows below each other.
pub(crate) fn draw_down(rows: &[Row], painter: &Painter, mut at: Pos2) {
    for row in rows {
        row.draw(painter, at);
        at.y += row.size(painter).y;
    }
}

/// Draws rows side by side, as many as there is room for. Returns whether that was all of them.
pub(crate) fn draw_along(rows: &[Row], painter: &Painter, line: Rect) -> bool {
    let mut x = line.left();
    let y = line.center().y - 0.5 * ROW;
    for (i, row) in rows.iter().enumerate() {
        let width = row.width(painter);
        // Unless it is the last one there has to be room for the dots too.
        let dots = if i + 1 < rows.len() { GAP + 10.0 } else { 0.0 };
        if x + width + dots > line.right() {
            painter.text(pos2(x, line.center().y), Align2::LEFT_CENTER, "…", body(), INK);
            return false;
        }
        row.draw_along(painter, pos2(x, y));
        x += width + GAP;
    }
    true
}
