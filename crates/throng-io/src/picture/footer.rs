//! Below the map: its scale, where north is, and a key to the cells that are
//! not values.

use super::KeyEntry;
use super::colour;
use super::grid::{Cell, Grid, Kind};
use crate::canvas::{Area, Canvas, Colour, FRAME, INK};
use crate::flow::{Flow, flow};
use crate::text::{self, Face};
use crate::ticks;

const GAP: i32 = 26;
const SWATCH: i32 = 18;
/// About how long the bar of the scale is at most.
const LONGEST_SCALE: i32 = 220;
/// Between a mark and its words.
const AIR: i32 = 7;

/// One entry: a mark and the words beside it.
struct Entry {
    mark: Mark,
    words: String,
}

/// A colour for each place on the canvas.
type Pattern = fn(i32, i32) -> Colour;

enum Mark {
    /// A scale bar so many pixels long.
    Scale(i32),
    North,
    Swatch(Pattern),
    Plain(Colour),
    None,
}

impl Entry {
    fn of(item: &KeyEntry) -> Self {
        Self { mark: item.colour.map_or(Mark::None, Mark::Plain), words: text::printable(&item.words) }
    }

    fn mark_width(&self) -> i32 {
        match self.mark {
            Mark::Scale(length) => length + AIR,
            Mark::North => 11 + AIR,
            Mark::Swatch(_) | Mark::Plain(_) => SWATCH + AIR,
            Mark::None => 0,
        }
    }

    fn width(&self) -> i32 {
        self.mark_width() + Face::Body.width(&self.words)
    }
}

pub(super) struct Footer {
    entries: Vec<Entry>,
    flow: Flow,
}

impl Footer {
    /// The height of a row.
    pub(super) const ROW: i32 = 24;

    /// Rows that hold whatever is usually there: the longest scale, north, walls, cells without a value, the values;
    /// and the key.
    pub(super) fn usual_rows(width: i32, key: &[KeyEntry]) -> i32 {
        let entry = |mark: Mark, words: &str| Entry { mark, words: words.to_owned() }.width();
        let swatch = || Mark::Swatch(|_, _| colour::WALL);
        let mut widths = vec![
            entry(Mark::Scale(LONGEST_SCALE), "500 m"),
            entry(Mark::North, "N"),
            entry(swatch(), "wall"),
            entry(swatch(), "no direction"),
            entry(Mark::None, "values 1.00e-3 to 1.00e15"),
        ];
        widths.extend(key.iter().map(|item| Entry::of(item).width()));
        flow(&widths, width, Self::ROW, GAP).rows
    }

    /// `own`: of a map whose drawn cells are those of the grid.
    pub(super) fn new(
        grid: &Grid,
        key: &[KeyEntry],
        metres_per_pixel: f64,
        map_side: i32,
        width: i32,
        own: bool,
    ) -> Self {
        let mut entries = vec![scale(metres_per_pixel, map_side), Entry { mark: Mark::North, words: "N".to_owned() }];
        let kinds: [(Cell, &str, Pattern); 4] = [
            (Cell::Wall, "wall", |_, _| colour::WALL),
            (Cell::Unreached, "unreached", colour::striped),
            (Cell::NoDirection, "no direction", |_, _| colour::NO_DIRECTION),
            (Cell::NotFinite, "not a finite number", colour::checked),
        ];
        for (cell, words, pattern) in kinds {
            if grid.has(cell) {
                entries.push(Entry { mark: Mark::Swatch(pattern), words: words.to_owned() });
            }
        }
        if let (Kind::Amount, Some((least, largest))) = (grid.kind, grid.found) {
            // The ticks of the bar are round numbers, its ends hardly ever.
            let (low, high) = (ticks::significant(least.into()), ticks::significant(largest.into()));
            entries.push(Entry {
                mark: Mark::None,
                words: if low == high { format!("all values {low}") } else { format!("values {low} to {high}") },
            });
        }
        if own && grid.block > 1 {
            let block = grid.block;
            let by = match grid.kind {
                Kind::Amount => "largest",
                Kind::Direction => "mean",
            };
            entries.push(Entry { mark: Mark::None, words: format!("1 pixel: {by} of {block}×{block} cells") });
        }
        entries.extend(key.iter().map(Entry::of));
        let widths: Vec<_> = entries.iter().map(Entry::width).collect();
        let flow = flow(&widths, width, Self::ROW, GAP);
        Self { entries, flow }
    }

    pub(super) fn rows(&self) -> i32 {
        self.flow.rows
    }

    /// Draws the first so many rows.
    pub(super) fn draw(&self, canvas: &mut Canvas, (left, top): (i32, i32), rows: i32) {
        let places = self.flow.places.iter().filter(|place| place.1 < rows * Self::ROW);
        for (entry, &(dx, dy)) in self.entries.iter().zip(places) {
            let (x, y) = (left + dx, top + dy);
            let middle = y + Self::ROW / 2;
            match entry.mark {
                Mark::Scale(length) => draw_scale(canvas, x, middle, length),
                Mark::North => draw_north(canvas, x, middle),
                Mark::Swatch(pattern) => swatch(canvas, x, middle, pattern),
                Mark::Plain(colour) => swatch(canvas, x, middle, |_, _| colour),
                Mark::None => {}
            }
            let at = (x + entry.mark_width(), middle - Face::Body.height() / 2);
            text::draw(canvas, Face::Body, at, &entry.words, INK);
        }
    }
}

fn swatch(canvas: &mut Canvas, x: i32, middle: i32, pattern: impl Fn(i32, i32) -> Colour) {
    let area = Area { x: x + 1, y: middle - SWATCH / 2 + 1, w: SWATCH - 2, h: SWATCH - 2 };
    canvas.pattern(area, pattern);
    canvas.frame(area, FRAME);
}

/// A bar of a round number of metres, about a quarter of the map.
fn scale(metres_per_pixel: f64, map_side: i32) -> Entry {
    let goal = f64::from((map_side / 4).clamp(80, LONGEST_SCALE));
    let (metres, number) = ticks::round_length(goal * metres_per_pixel);
    let (kilometres, thousands) = ticks::round_length(metres / 1000.0);
    Entry {
        mark: Mark::Scale((metres / metres_per_pixel).round() as i32),
        words: if (1.0..1000.0).contains(&kilometres) { format!("{thousands} km") } else { format!("{number} m") },
    }
}

fn draw_scale(canvas: &mut Canvas, x: i32, middle: i32, length: i32) {
    let line = Area { x, y: middle - 1, w: length, h: 2 };
    canvas.fill(line, INK);
    for x in [line.x, line.right() - 2] {
        let end = Area { x, y: middle - 6, w: 2, h: 12 };
        canvas.fill(end, INK);
    }
}

/// An arrow head over a short shaft.
fn draw_north(canvas: &mut Canvas, x: i32, middle: i32) {
    let shaft = Area { x: x + 5, y: middle - 2, w: 1, h: 10 };
    canvas.fill(shaft, INK);
    let (left, right) = (x as f32 + 0.5, x as f32 + 10.5);
    let (tip, base) = (middle as f32 - 9.0, middle as f32);
    canvas.triangle([(left, base), (right, base), (x as f32 + 5.5, tip)], INK);
}
