//! Curves over a common axis, such as arrivals over time.

use image::RgbImage;

use crate::canvas::{Area, Canvas, Colour, FRAME, INK, Spot, bounds, from_segment};
use crate::flow::flow;
use crate::text::{self, Face};
use crate::ticks::{self, Ticks};

/// A curve of a [`LineChart`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the curve is called in the legend.
    pub name: String,
    /// Its points from left to right. Where a coordinate is not finite the
    /// curve has a gap; a point without neighbours is drawn as a dot.
    pub points: Vec<(f64, f64)>,
}

/// A chart with one or several curves.
///
/// There is a legend when there is more than one series. The vertical axis
/// starts at zero where that does not press the curves together.
///
/// ```
/// use throng_io::{LineChart, Series};
///
/// let chart = LineChart {
///     title: "arrivals".to_owned(),
///     x_label: "time in s".to_owned(),
///     y_label: "persons".to_owned(),
///     series: vec![Series {
///         name: "all".to_owned(),
///         points: vec![(0.0, 0.0), (10.0, 3.0), (20.0, 40.0)],
///     }],
/// };
/// assert_eq!(chart.render(800, 500).dimensions(), (800, 500));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// Above the chart; wrapped where it is long.
    pub title: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Above the vertical axis.
    pub y_label: String,
    /// The curves.
    pub series: Vec<Series>,
}

const MARGIN: i32 = 18;
/// Right of the plot: half of the last label of the horizontal axis.
const OVERHANG: i32 = 36;
const TICK: i32 = 5;
const GRID_LINE: Colour = [228, 228, 228];
/// Half the thickness of a curve.
const STROKE: f32 = 1.1;
const LEAST_PLOT: i32 = 80;

/// The colours of Okabe and Ito, which readers with a colour vision
/// deficiency can tell apart too; without the yellow, too pale on white.
const CURVES: [Colour; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [60, 60, 60]];

/// Coordinates that can be drawn. The bound, far beyond what occurs, keeps
/// the differences between any two finite.
fn drawable(&(x, y): &(f64, f64)) -> bool {
    let fine = |v: f64| v.is_finite() && v.abs() < 1e100;
    fine(x) && fine(y)
}

/// Where the plot is and which coordinates are at its edges.
struct Plot {
    area: Area,
    x: (f64, f64),
    y: (f64, f64),
}

impl Plot {
    fn across(&self, x: f64) -> f32 {
        let share = (x - self.x.0) / (self.x.1 - self.x.0);
        self.area.x as f32 + share as f32 * (self.area.w - 1) as f32 + 0.5
    }

    fn down(&self, y: f64) -> f32 {
        let share = (y - self.y.0) / (self.y.1 - self.y.0);
        self.area.bottom() as f32 - 0.5 - share as f32 * (self.area.h - 1) as f32
    }
}

impl LineChart {
    /// Draws the chart as a picture of the given size in pixels.
    ///
    /// So that all words fit, neither side is less than 240 pixels (the width
    /// 320); and so that a mistaken size does not ask for all memory, neither
    /// is more than 8192.
    #[must_use]
    pub fn render(&self, width: u32, height: u32) -> RgbImage {
        let (width, height) = (width.clamp(320, 8192) as i32, height.clamp(240, 8192) as i32);
        let mut canvas = Canvas::new(width, height);
        let inner = width - 2 * MARGIN;

        let title = text::wrap(Face::Title, &self.title, inner, 2);
        text::draw_lines(&mut canvas, Face::Title, (MARGIN, MARGIN), &title, INK);
        let mut top = MARGIN + title.len() as i32 * Face::Title.line();
        if !title.is_empty() {
            top += 6;
        }
        for line in text::wrap(Face::Body, &self.y_label, inner, 1) {
            text::draw(&mut canvas, Face::Body, (MARGIN, top), &line, INK);
            top += Face::Body.line() + 4;
        }
        top += Face::Body.height() / 2;

        let mut bottom = height - MARGIN;
        let row = Face::Body.line();
        let x_label = text::wrap(Face::Body, &self.x_label, inner, 1);
        let below = TICK + 4 + row * (1 + x_label.len() as i32);
        bottom -= self.legend(&mut canvas, top + LEAST_PLOT + below, bottom, inner);
        let x_label_top = bottom - row * x_label.len() as i32;
        bottom -= below;

        let (x, y) = self.ranges();
        let y_ticks = Ticks::around(y.0, y.1, ((bottom - top) / 40).clamp(2, 10));
        let y_labels = y_ticks.labels();
        let label_width = y_labels.iter().map(|label| Face::Body.width(label)).max();
        let left = MARGIN + label_width.unwrap_or(0) + 4 + TICK;
        let plot = Plot {
            area: Area { x: left, y: top, w: width - OVERHANG - left, h: bottom - top },
            x,
            y: (y_ticks.low(), y_ticks.high()),
        };

        for (value, label) in y_ticks.values().zip(&y_labels) {
            let y = plot.down(value) as i32;
            let (x, w) = (left - TICK, TICK);
            canvas.fill(Area { x, y, w, h: 1 }, INK);
            let (x, w) = (left, plot.area.w);
            canvas.fill(Area { x, y, w, h: 1 }, GRID_LINE);
            let at = (left - TICK - 4 - Face::Body.width(label), y - Face::Body.height() / 2);
            text::draw(&mut canvas, Face::Body, at, label, INK);
        }
        self.draw_x_axis(&mut canvas, &plot);
        for line in x_label {
            let x = plot.area.x + (plot.area.w - Face::Body.width(&line)) / 2;
            let x = x.min(width - MARGIN - Face::Body.width(&line)).max(MARGIN);
            text::draw(&mut canvas, Face::Body, (x, x_label_top), &line, INK);
        }

        if self.points().next().is_none() {
            let words = "no data";
            let at = (
                plot.area.x + (plot.area.w - Face::Body.width(words)) / 2,
                plot.area.y + (plot.area.h - Face::Body.height()) / 2,
            );
            text::draw(&mut canvas, Face::Body, at, words, FRAME);
        }
        // The first one last: it is the one that lies on top.
        for (index, series) in self.series.iter().enumerate().rev() {
            draw_curve(&mut canvas, &plot, series, CURVES[index % CURVES.len()]);
        }
        canvas.into_image()
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let all = self.series.iter().flat_map(|series| &series.points);
        all.filter(|&point| drawable(point)).copied()
    }

    /// The ranges of both axes, fit for ticks.
    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        let extent = |pick: fn((f64, f64)) -> f64| {
            let (low, high) = self
                .points()
                .map(pick)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            if low <= high { (low, high) } else { (0.0, 1.0) }
        };
        let (x, mut y) = (extent(|point| point.0), extent(|point| point.1));
        if y.0 > 0.0 && y.0 < y.1 / 2.0 {
            y.0 = 0.0;
        }
        (ticks::readable(x.0, x.1), ticks::readable(y.0, y.1))
    }

    /// The horizontal axis with as many labels as fit without touching.
    fn draw_x_axis(&self, canvas: &mut Canvas, plot: &Plot) {
        let area = plot.area;
        let fits = |ticks: &Ticks| {
            let labels = ticks.labels();
            let widest = labels.iter().map(|label| Face::Body.width(label)).max();
            let places: Vec<f32> = ticks.values().map(|value| plot.across(value)).collect();
            let pitch = places.windows(2).map(|pair| pair[1] - pair[0]);
            let pitch = pitch.fold(f32::INFINITY, f32::min);
            pitch >= (widest.unwrap_or(0) + 14) as f32
        };
        let most = (area.w / 70).clamp(2, 12);
        let ticks = (1..=most)
            .rev()
            .map(|count| Ticks::within(plot.x.0, plot.x.1, count))
            .find(fits)
            .unwrap_or_else(|| Ticks::within(plot.x.0, plot.x.1, 1));
        for (value, label) in ticks.values().zip(ticks.labels()) {
            let x = plot.across(value) as i32;
            let (y, h) = (area.bottom(), TICK);
            canvas.fill(Area { x, y, w: 1, h }, INK);
            let width = Face::Body.width(&label);
            let left = (x - width / 2).min(canvas.width() - width - 2).max(2);
            text::draw(canvas, Face::Body, (left, y + TICK + 4), &label, INK);
        }
        let (x, y, w, h) = (area.x - 1, area.y, area.w + 1, area.h + 1);
        canvas.fill(Area { x, y, w: 1, h }, INK);
        let y = area.bottom();
        canvas.fill(Area { x, y, w, h: 1 }, INK);
    }

    /// Draws the legend just above `bottom` but not above `top`; returns the
    /// height it takes.
    fn legend(&self, canvas: &mut Canvas, top: i32, bottom: i32, inner: i32) -> i32 {
        const SAMPLE: i32 = 22;
        const AIR: i32 = 7;
        if self.series.len() < 2 {
            return 0;
        }
        let row = Face::Body.line();
        let most = ((bottom - top) / row).clamp(0, 4);
        let entry = |name: &str| {
            let plain = text::printable(name);
            text::shorten(Face::Body, &plain, (inner - SAMPLE - AIR).min(270))
        };
        let names: Vec<_> = self.series.iter().map(|series| entry(&series.name)).collect();
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
                    let sample = Area { x, y: y + Face::Body.height() / 2 - 1, w: SAMPLE, h: 3 };
                    canvas.fill(sample, CURVES[index % CURVES.len()]);
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

/// Draws one curve. The coverage of all its segments is gathered first and
/// laid on once: where segments meet, twice would be too dark.
fn draw_curve(canvas: &mut Canvas, plot: &Plot, series: &Series, colour: Colour) {
    // One pixel more on each side, for curves that run along an edge.
    let area = Area { x: plot.area.x - 2, y: plot.area.y - 2, w: plot.area.w + 4, h: plot.area.h + 4 };
    let mut cover = vec![0.0_f32; (area.w * area.h) as usize];
    let mut stroke = |a: Spot, b: Spot, radius: f32| {
        let within = bounds(&[a, b], radius + 1.0);
        for y in within.y.max(area.y)..within.bottom().min(area.bottom()) {
            for x in within.x.max(area.x)..within.right().min(area.right()) {
                let at = (x as f32 + 0.5, y as f32 + 0.5);
                let here = (radius + 0.5 - from_segment(at, a, b)).clamp(0.0, 1.0);
                let old = &mut cover[((y - area.y) * area.w + x - area.x) as usize];
                *old = old.max(here);
            }
        }
    };
    for run in series.points.split(|point| !drawable(point)) {
        let spots: Vec<Spot> = run.iter().map(|&(x, y)| (plot.across(x), plot.down(y))).collect();
        if let [only] = spots[..] {
            stroke(only, only, 3.0);
        }
        for pair in spots.windows(2) {
            stroke(pair[0], pair[1], STROKE);
        }
    }
    for y in 0..area.h {
        for x in 0..area.w {
            let here = cover[(y * area.w + x) as usize];
            if here > 0.0 {
                canvas.blend(area.x + x, area.y + y, colour, here);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(series: &[&[(f64, f64)]]) -> LineChart {
        LineChart {
            title: "arrivals".to_owned(),
            x_label: "time in s".to_owned(),
            y_label: "persons".to_owned(),
            series: series
                .iter()
                .enumerate()
                .map(|(index, points)| Series { name: format!("series {index}"), points: points.to_vec() })
                .collect(),
        }
    }

    fn count(image: &RgbImage, colour: Colour) -> usize {
        image.pixels().filter(|pixel| pixel.0 == colour).count()
    }

    #[test]
    fn a_curve_goes_where_its_points_are() {
        let image = chart(&[&[(0.0, 0.0), (100.0, 10.0)]]).render(800, 500);
        let found: Vec<_> =
            image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0 == CURVES[0]).map(|(x, y, _)| (x, y)).collect();
        let first = found.iter().min_by_key(|(x, _)| x).unwrap();
        let last = found.iter().max_by_key(|(x, _)| x).unwrap();
        assert!(last.0 - first.0 > 600, "{first:?} {last:?}");
        assert!(first.1 > last.1 + 300, "it rises: {first:?} {last:?}");
    }

    #[test]
    fn odd_series_are_drawn_without_panic() {
        let nan = f64::NAN;
        let cases: [&[&[(f64, f64)]]; 9] = [
            &[],
            &[&[]],
            &[&[], &[(1.0, 1.0)]],
            &[&[(5.0, 7.0)]],
            &[&[(0.0, 0.0), (nan, 1.0), (2.0, f64::INFINITY)]],
            &[&[(0.0, 3.0), (1.0, 3.0)]],
            &[&[(0.0, f64::MAX), (1.0, -f64::MAX)]],
            &[&[(-9e99, -9e99), (9e99, 9e99)]],
            &[&[(1e-320, 1e-300), (1e-310, 1e-305)]],
        ];
        for case in cases {
            for (width, height) in [(0, 0), (1, 9000), (320, 240), (640, 400)] {
                let image = chart(case).render(width, height);
                assert!(image.width() >= 320 && image.height() >= 240);
                assert!(image.width() <= 8192 && image.height() <= 8192);
            }
        }
    }

    #[test]
    fn a_single_point_is_a_dot_and_a_gap_a_gap() {
        let image = chart(&[&[(5.0, 7.0)]]).render(640, 400);
        assert!((9..60).contains(&count(&image, CURVES[0])));
        let whole = chart(&[&[(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]]);
        let mut broken = whole.clone();
        broken.series[0].points.insert(2, (1.5, f64::NAN));
        let pixels = |chart: &LineChart| count(&chart.render(640, 400), CURVES[0]);
        let (whole, broken) = (pixels(&whole), pixels(&broken));
        assert!(broken > whole / 2 && broken < whole * 3 / 4, "{broken} of {whole}");
    }

    #[test]
    fn a_crowded_legend_leaves_room_for_the_plot() {
        let points: &[(f64, f64)] = &[(0.0, 0.0), (1.0, 1.0)];
        let image = chart(&[points; 200]).render(320, 240);
        assert_eq!(image.dimensions(), (320, 240));
        assert!(count(&image, CURVES[0]) > 100);
    }

    #[test]
    fn the_axis_starts_at_zero_unless_that_hides_the_curve() {
        assert!(chart(&[&[(0.0, 1.0), (1.0, 9.0)]]).ranges().1.0 == 0.0);
        assert!(chart(&[&[(0.0, 8.0), (1.0, 9.0)]]).ranges().1.0 == 8.0);
    }

    #[test]
    fn nothing_reaches_the_edge() {
        let long = "a rather long text that goes on ".repeat(20);
        let mut full = chart(&[&[(0.0, 0.0), (1.234e7, 9.9e9)], &[(3.0, -4.0)]]);
        full.title.clone_from(&long);
        full.x_label.clone_from(&long);
        full.y_label.clone_from(&long);
        full.series[0].name = long;
        for (width, height) in [(320, 240), (500, 300), (1200, 700)] {
            let image = full.render(width, height);
            for (x, y, pixel) in image.enumerate_pixels() {
                if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
                    assert_eq!(pixel.0, crate::canvas::PAPER, "at {x} {y}");
                }
            }
        }
    }
}
