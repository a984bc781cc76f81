//! A picture of states and the ways between them.
//!
//! States stand below each other as boxes in their colours. To the right of each are its ways out, a row for each, with what causes it. Every state
//! that a way leads to has a line of its own, in its colour, down the right side: a way runs to the right until it meets the line of the state it leads to, and
//! follows it to that state's box. So no two texts can overlap, and no way has to be told from another by its bends.

use image::RgbImage;

use crate::canvas::{Area, Canvas, Colour, INK, PAPER, Spot, bounds, from_segment};
use crate::text::{self, Face};

/// States and the ways between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateDiagram {
    /// Above the picture.
    pub title: String,
    /// The states, from top to bottom.
    pub states: Vec<StateBox>,
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateBox {
    /// What it is called.
    pub name: String,
    /// What else there is to say, in lines.
    pub about: Vec<String>,
    /// Its colour.
    pub colour: [u8; 3],
    /// The ways out, in order.
    pub ways: Vec<StateWay>,
}

/// A way from a state to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateWay {
    /// The state that it leads to, by number.
    pub to: usize,
    /// What causes it.
    pub cause: String,
    /// Whether it may come at any moment: drawn with dashes.
    pub interrupts: bool,
}

const MARGIN: i32 = 28;
const PAD: i32 = 14;
const ROW: i32 = 26;
const BETWEEN: i32 = 22;
const LANE: i32 = 20;
const WIDEST: usize = 64;
const DIM: Colour = [90, 90, 90];

/// Where everything is.
struct Plan {
    boxes: Vec<Area>,
    /// The line of each state that a way leads to.
    lanes: Vec<Option<i32>>,
    width: i32,
    height: i32,
}

impl StateDiagram {
    /// Draws it, as large as it has to be.
    #[must_use]
    pub fn render(&self) -> RgbImage {
        let plan = self.plan();
        let mut canvas = Canvas::new(plan.width, plan.height);
        text::draw(&mut canvas, Face::Title, (MARGIN, MARGIN), &text::printable(&self.title), INK);
        for (to, lane) in plan.lanes.iter().enumerate() {
            if let Some(x) = *lane {
                self.draw_lane(&mut canvas, &plan, to, x);
            }
        }
        for (from, state) in self.states.iter().enumerate() {
            self.draw_ways(&mut canvas, &plan, from, state);
        }
        for (state, area) in self.states.iter().zip(&plan.boxes) {
            draw_box(&mut canvas, state, *area);
        }
        let key =
            "dashed: may come at any moment; else when the clip is over or the goal is reached, the first that holds";
        let y = plan.height - MARGIN - Face::Body.height();
        text::draw(&mut canvas, Face::Body, (MARGIN, y), key, DIM);
        canvas.into_image()
    }

    fn plan(&self) -> Plan {
        let width_of = |face: Face, t: &str| face.width(&short(t));
        let inside = |s: &StateBox| {
            let about = s.about.iter().map(|line| width_of(Face::Body, line)).max().unwrap_or(0);
            width_of(Face::Title, &s.name).max(about)
        };
        let box_width = 2 * PAD + self.states.iter().map(inside).max().unwrap_or(0);
        let causes = self.states.iter().flat_map(|s| &s.ways).map(|w| width_of(Face::Body, &w.cause));
        let label = causes.max().unwrap_or(0);
        let mut y = MARGIN + Face::Title.line() + PAD;
        let mut boxes = Vec::new();
        for state in &self.states {
            let texts = Face::Title.line() + Face::Body.line() * state.about.len() as i32;
            // A row for every way out, and one for all ways in.
            let h = 2 * PAD + texts.max(ROW * (1 + state.ways.len() as i32));
            boxes.push(Area { x: MARGIN, y, w: box_width, h });
            y += h + BETWEEN;
        }
        let first = MARGIN + box_width + 3 * PAD + label + PAD;
        // Lines that are short run nearest to the boxes.
        let mut order: Vec<(usize, usize)> =
            (0..self.states.len()).filter_map(|to| Some((self.span(to)?, to))).collect();
        order.sort_unstable();
        let mut lanes = vec![None; self.states.len()];
        for (k, (_, to)) in order.iter().enumerate() {
            lanes[*to] = Some(first + LANE * k as i32);
        }
        let key = Face::Body.width(
            "dashed: may come at any moment; else when the clip is over or the goal is reached, the first that holds",
        );
        let title = Face::Title.width(&self.title);
        let width = (first + LANE * order.len() as i32).max(MARGIN + key).max(MARGIN + title) + MARGIN;
        Plan { boxes, lanes, width, height: y + Face::Body.line() + MARGIN }
    }

    /// How many boxes the line of a state runs along, if any way leads there.
    fn span(&self, to: usize) -> Option<usize> {
        let users = self.states.iter().enumerate().filter(|(_, s)| s.ways.iter().any(|w| w.to == to));
        users.map(|(from, _)| from.abs_diff(to)).max()
    }

    /// The line of a state, from the first way that leads there to the last, and into its box.
    fn draw_lane(&self, canvas: &mut Canvas, plan: &Plan, to: usize, x: i32) {
        let colour = ink_of(self.states[to].colour);
        let entry = entry_of(plan.boxes[to]);
        let mut ends = vec![entry];
        for (from, state) in self.states.iter().enumerate() {
            let rows = state.ways.iter().enumerate().filter(|(_, way)| way.to == to);
            ends.extend(rows.map(|(k, _)| row_of(plan.boxes[from], k)));
        }
        let (top, bottom) = (ends.iter().min().copied().unwrap_or(entry), ends.iter().max().copied().unwrap_or(entry));
        let right = plan.boxes[to].right();
        line(canvas, (x, top), (x, bottom), colour, false);
        line(canvas, (right + 10, entry), (x, entry), colour, false);
        let tip = (right as f32 + 1.0, entry as f32 + 0.5);
        canvas.triangle([tip, (tip.0 + 13.0, tip.1 - 7.0), (tip.0 + 13.0, tip.1 + 7.0)], colour);
    }

    fn draw_ways(&self, canvas: &mut Canvas, plan: &Plan, from: usize, state: &StateBox) {
        for (k, way) in state.ways.iter().enumerate() {
            let (area, y) = (plan.boxes[from], row_of(plan.boxes[from], k));
            let Some((x, target)) = plan.lanes.get(way.to).copied().flatten().zip(self.states.get(way.to)) else {
                continue;
            };
            let colour = ink_of(target.colour);
            let cause = short(&way.cause);
            let left = area.right() + 2 * PAD;
            let after = left + Face::Body.width(&cause) + 8;
            line(canvas, (area.right(), y), (left - 6, y), colour, way.interrupts);
            line(canvas, (after, y), (x, y), colour, way.interrupts);
            text::draw(canvas, Face::Body, (left, y - Face::Body.height() / 2), &cause, INK);
            dot(canvas, (x, y), colour);
        }
    }
}

/// A text as it is drawn.
fn short(t: &str) -> String {
    let plain = text::printable(t);
    if plain.chars().count() <= WIDEST { plain } else { plain.chars().take(WIDEST - 3).chain("...".chars()).collect() }
}

/// Where the ways into a box end, and where its way out of a number begins: from the top.
fn entry_of(area: Area) -> i32 {
    area.y + PAD + ROW / 2
}

fn row_of(area: Area, number: usize) -> i32 {
    entry_of(area) + ROW * (1 + number as i32)
}

/// A colour that can be seen on paper.
fn ink_of(colour: Colour) -> Colour {
    let light = (2 * u32::from(colour[0]) + 5 * u32::from(colour[1]) + u32::from(colour[2])) / 8;
    let keep = if light > 150 { 150.0 / light as f32 } else { 1.0 };
    colour.map(|c| (f32::from(c) * keep) as u8)
}

fn line(canvas: &mut Canvas, a: (i32, i32), b: (i32, i32), colour: Colour, dashed: bool) {
    let spot = |(x, y): (i32, i32)| -> Spot { (x as f32 + 0.5, y as f32 + 0.5) };
    let (a, b) = (spot(a), spot(b));
    canvas.shape(bounds(&[a, b], 2.0), colour, |at| {
        let gap = dashed && ((at.0 - a.0).abs() + (at.1 - a.1).abs()) % 11.0 > 6.0;
        if gap { 1.0 } else { from_segment(at, a, b) - 0.9 }
    });
}

fn dot(canvas: &mut Canvas, (x, y): (i32, i32), colour: Colour) {
    let middle = (x as f32 + 0.5, y as f32 + 0.5);
    canvas.shape(bounds(&[middle], 5.0), colour, |at| (at.0 - middle.0).hypot(at.1 - middle.1) - 3.5);
}

/// How far a point is outside of a rounded box.
fn outside_box(at: Spot, area: Area, radius: f32) -> f32 {
    let half = (0.5 * area.w as f32 - radius, 0.5 * area.h as f32 - radius);
    let middle = (area.x as f32 + 0.5 * area.w as f32, area.y as f32 + 0.5 * area.h as f32);
    let (dx, dy) = ((at.0 - middle.0).abs() - half.0, (at.1 - middle.1).abs() - half.1);
    dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - radius
}

fn draw_box(canvas: &mut Canvas, state: &StateBox, area: Area) {
    const ROUND: f32 = 12.0;
    let edge = ink_of(state.colour);
    let tint = |k: usize| (0.3 * f32::from(state.colour[k]) + 0.7 * f32::from(PAPER[k])) as u8;
    canvas.shape(area.grown(), edge, |at| outside_box(at, area, ROUND));
    let inner = Area { x: area.x + 2, y: area.y + 2, w: area.w - 4, h: area.h - 4 };
    canvas.shape(inner.grown(), [tint(0), tint(1), tint(2)], |at| outside_box(at, inner, ROUND - 2.0));
    let (x, y) = (area.x + PAD, area.y + PAD);
    text::draw(canvas, Face::Title, (x, y), &short(&state.name), INK);
    let lines: Vec<String> = state.about.iter().map(|line| short(line)).collect();
    text::draw_lines(canvas, Face::Body, (x, y + Face::Title.line()), &lines, INK);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(causes: &[&[(usize, &str, bool)]]) -> StateDiagram {
        let way = |(to, cause, interrupts): &(usize, &str, bool)| StateWay {
            to: *to,
            cause: (*cause).into(),
            interrupts: *interrupts,
        };
        let state = |(k, ways): (usize, &&[(usize, &str, bool)])| StateBox {
            name: format!("state {k}"),
            about: vec!["walks to the camp".into()],
            colour: [[224, 176, 64], [86, 180, 233], [0, 168, 122]][k % 3],
            ways: ways.iter().map(way).collect(),
        };
        StateDiagram { title: "a machine".into(), states: causes.iter().enumerate().map(state).collect() }
    }

    #[test]
    fn boxes_rows_and_lines_keep_apart_whatever_leads_where() {
        let all: Vec<(usize, &str, bool)> =
            (0..6).map(|to| (to, "somebody has come within 12.5 m", to % 2 == 0)).collect();
        let rows: Vec<&[(usize, &str, bool)]> = (0..6).map(|k| &all[..k]).collect();
        let diagram = diagram(&rows);
        let plan = diagram.plan();
        let mut texts: Vec<Area> = plan.boxes.clone();
        for (state, area) in diagram.states.iter().zip(&plan.boxes) {
            for (k, way) in state.ways.iter().enumerate() {
                let h = Face::Body.height();
                texts.push(Area {
                    x: area.right() + 2 * PAD,
                    y: row_of(*area, k) - h / 2,
                    w: Face::Body.width(&way.cause),
                    h,
                });
                assert!(row_of(*area, k) + h / 2 <= area.bottom());
            }
        }
        let apart = |a: &Area, b: &Area| a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
        for (k, a) in texts.iter().enumerate() {
            assert!(texts[..k].iter().all(|b| apart(a, b)), "{a:?}");
            assert!(a.right() < plan.width && a.bottom() < plan.height, "{a:?} in {} x {}", plan.width, plan.height);
            // Lines run to the right of every text.
            assert!(plan.lanes.iter().flatten().all(|x| *x > a.right()), "{a:?}: {:?}", plan.lanes);
        }
        let mut lanes: Vec<i32> = plan.lanes.iter().flatten().copied().collect();
        lanes.sort_unstable();
        assert!(lanes.windows(2).all(|pair| pair[1] - pair[0] >= LANE));
        let image = diagram.render();
        assert_eq!((image.width() as i32, image.height() as i32), (plan.width, plan.height));
    }

    #[test]
    fn a_way_reaches_the_box_that_it_leads_to_in_its_colour() {
        let diagram = diagram(&[&[(1, "gold reached", false)], &[(0, "clip over", true)]]);
        let (plan, image) = (diagram.plan(), diagram.render());
        for (from, to) in [(0, 1), (1, 0)] {
            let colour = ink_of(diagram.states[to].colour);
            let x = plan.lanes[to].expect("a way leads there");
            let (a, b) = (row_of(plan.boxes[from], 0), entry_of(plan.boxes[to]));
            // Where another way crosses it, that one is seen, with its margin: six pixels.
            let other =
                (a.min(b) + 8..a.max(b) - 8).filter(|&y| image.get_pixel(x as u32, y as u32).0 != colour).count();
            assert!(other <= 6, "from {from} to {to}: {other} pixels");
            assert_eq!(image.get_pixel((plan.boxes[to].right() + 6) as u32, b as u32).0, colour);
        }
    }

    #[test]
    fn odd_machines_are_drawn_too() {
        assert!(StateDiagram::default().render().width() > 1);
        let long = "x".repeat(500);
        let mut odd = diagram(&[&[(7, &long, false), (0, "", true)]]);
        odd.states[0].name = long;
        assert!(odd.render().width() < 2000);
    }
}
