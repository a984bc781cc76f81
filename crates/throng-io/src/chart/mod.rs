//! Curves over a common axis, such as arrivals over time.

mod axis;
mod legend;
mod marks;
#[cfg(test)]
mod tests;

use image::RgbImage;

use crate::canvas::{Area, Canvas, Colour, FRAME, INK, Spot, bounds, from_segment};
use crate::text::{self, Face};
use axis::Axis;
pub use axis::Scale;
pub use marks::{Band, Points};

/// A curve of a [`LineChart`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the curve is called in the legend.
    pub name: String,
    /// Its points from left to right. Where a coordinate is not finite, or
    /// has no place on a [`Scale::Log`] because it is not above zero, the
    /// curve has a gap; a point without neighbours is drawn as a dot.
    pub points: Vec<(f64, f64)>,
}

/// A chart with one or several curves.
///
/// There is a legend when there is more than one of curves, sets of points and bands. A linear vertical
/// axis starts at zero where that does not press the curves together.
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
///     ..LineChart::default()
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
    /// How the horizontal axis is divided.
    pub x_scale: Scale,
    /// How the vertical axis is divided.
    pub y_scale: Scale,
    /// Where the horizontal axis has labels, and which, from left to right;
    /// if there is none, at round numbers. Where they do not all fit, every
    /// second or third is shown.
    pub x_marks: Vec<(f64, String)>,
    /// A dot at every point: for curves of few points, each measured.
    pub dots: bool,
    /// Single values with their deviations, on top of the curves.
    pub points: Vec<Points>,
    /// Areas between two curves, below everything else.
    pub bands: Vec<Band>,
}

const MARGIN: i32 = 18;
/// Right of the plot: half of the last label of the horizontal axis.
const OVERHANG: i32 = 36;
const TICK: i32 = 5;
const GRID_LINE: Colour = [228, 228, 228];
/// Between the marks of a logarithmic axis.
const FINE_LINE: Colour = [243, 243, 243];
/// Half the thickness of a curve.
const STROKE: f32 = 1.1;
const DOT: f32 = 3.0;
const LEAST_PLOT: i32 = 80;

/// The colours of Okabe and Ito, which readers with a colour vision
/// deficiency can tell apart too; without the yellow, too pale on white.
const CURVES: [Colour; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [60, 60, 60]];

/// Where the plot is, and its axes.
struct Plot {
    area: Area,
    x: Axis,
    y: Axis,
}

impl Plot {
    fn across(&self, x: f64) -> f32 {
        self.area.x as f32 + self.x.share(x) * (self.area.w - 1) as f32 + 0.5
    }

    fn down(&self, y: f64) -> f32 {
        self.area.bottom() as f32 - 0.5 - self.y.share(y) * (self.area.h - 1) as f32
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
        let top = self.draw_head(&mut canvas, inner);

        let mut bottom = height - MARGIN;
        let row = Face::Body.line();
        let x_label = text::wrap(Face::Body, &self.x_label, inner, 1);
        let below = TICK + 4 + row * (1 + x_label.len() as i32);
        bottom -= self.legend(&mut canvas, top + LEAST_PLOT + below, bottom, inner);
        let x_label_top = bottom - row * x_label.len() as i32;
        bottom -= below;

        let (x, y) = self.ranges();
        let y = self.y_scale.around(y, ((bottom - top) / 40).clamp(2, 10));
        let label_width = y.marks.iter().map(|(_, label)| Face::Body.width(label)).max();
        let left = MARGIN + label_width.unwrap_or(0) + 4 + TICK;
        let area = Area { x: left, y: top, w: width - OVERHANG - left, h: bottom - top };
        let plot = Plot { area, x: self.x_axis(x, area.w), y };
        self.draw_axes(&mut canvas, &plot);
        for line in x_label {
            let x = plot.area.x + (plot.area.w - Face::Body.width(&line)) / 2;
            let x = x.min(width - MARGIN - Face::Body.width(&line)).max(MARGIN);
            text::draw(&mut canvas, Face::Body, (x, x_label_top), &line, INK);
        }

        for (index, band) in self.bands.iter().enumerate() {
            self.draw_band(&mut canvas, &plot, band, self.colour(self.points.len() + self.series.len() + index));
        }
        if self.places().next().is_none() {
            let words = "no data";
            let at = (
                plot.area.x + (plot.area.w - Face::Body.width(words)) / 2,
                plot.area.y + (plot.area.h - Face::Body.height()) / 2,
            );
            text::draw(&mut canvas, Face::Body, at, words, FRAME);
        }
        // The first one last: it is the one that lies on top.
        for (index, series) in self.series.iter().enumerate().rev() {
            self.draw_curve(&mut canvas, &plot, series, self.colour(self.points.len() + index));
        }
        for (index, points) in self.points.iter().enumerate().rev() {
            self.draw_points(&mut canvas, &plot, points, index);
        }
        canvas.into_image()
    }

    /// Title and unit; returns where the plot may begin.
    fn draw_head(&self, canvas: &mut Canvas, inner: i32) -> i32 {
        let title = text::wrap(Face::Title, &self.title, inner, 2);
        text::draw_lines(canvas, Face::Title, (MARGIN, MARGIN), &title, INK);
        let mut top = MARGIN + title.len() as i32 * Face::Title.line();
        if !title.is_empty() {
            top += 6;
        }
        for line in text::wrap(Face::Body, &self.y_label, inner, 1) {
            text::draw(canvas, Face::Body, (MARGIN, top), &line, INK);
            top += Face::Body.line() + 4;
        }
        top + Face::Body.height() / 2
    }

    /// Whether both coordinates have a place.
    fn drawable(&self, &(x, y): &(f64, f64)) -> bool {
        self.x_scale.holds(x) && self.y_scale.holds(y)
    }

    /// Colours are given to points first, then to curves, then to bands.
    fn colour(&self, index: usize) -> Colour {
        CURVES[index % CURVES.len()]
    }

    /// Everything that has to have room between the axes.
    fn places(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let curves = self.series.iter().flat_map(|series| series.points.iter().copied());
        let points = self.points.iter().flat_map(Points::extent);
        let bands = self.bands.iter().flat_map(|band| &band.edges);
        let edges = bands.flat_map(|&(x, low, high)| [(x, low), (x, high)]);
        curves.chain(points).chain(edges).filter(|place| self.drawable(place))
    }

    /// The ranges of both axes, fit for ticks.
    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        let extent = |pick: fn((f64, f64)) -> f64| {
            let all = self.places().map(pick);
            all.fold(None, |range: Option<(f64, f64)>, v| {
                Some(range.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
            })
        };
        let (mut x, mut y) = (extent(|point| point.0), extent(|point| point.1));
        if let (Scale::Linear, Some((low, high))) = (self.x_scale, &mut x) {
            // Before the first value and after the last there is a gap too, so that charts of one run have one axis of time.
            for (at, _) in self.series.iter().flat_map(|s| &s.points).filter(|(at, y)| at.is_finite() && y.is_nan()) {
                (*low, *high) = (low.min(*at), high.max(*at));
            }
        }
        if let (Scale::Linear, Some((low, high)), false) = (self.x_scale, &mut x, self.points.is_empty()) {
            // Single values do not lie on the axis.
            let air = 0.03 * (*high - *low);
            (*low, *high) = (*low - air, *high + air);
        }
        if let (Scale::Linear, Some((low, high))) = (self.y_scale, &mut y)
            && *low > 0.0
            && *low < *high / 2.0
        {
            *low = 0.0;
        }
        (self.x_scale.readable(x), self.y_scale.readable(y))
    }

    /// The horizontal axis, so many pixels long, with as many labels as fit
    /// without touching.
    fn x_axis(&self, range: (f64, f64), length: i32) -> Axis {
        let fits = |axis: &Axis| {
            let widest = axis.marks.iter().map(|(_, label)| Face::Body.width(label)).max();
            let places: Vec<f32> =
                axis.marks.iter().map(|(value, _)| axis.share(*value) * (length - 1) as f32).collect();
            let pitch = places.windows(2).map(|pair| pair[1] - pair[0]);
            let pitch = pitch.fold(f32::INFINITY, f32::min);
            pitch >= (widest.unwrap_or(0) + 14) as f32
        };
        let given = self.x_marks.iter().filter(|(value, _)| self.x_scale.holds(*value));
        if given.clone().next().is_some() {
            let every = |step: usize| self.x_scale.within(range).with_marks(given.clone().step_by(step).cloned());
            return (1..=self.x_marks.len()).map(every).find(fits).unwrap_or_else(|| every(self.x_marks.len()));
        }
        let most = (length / 70).clamp(2, 12);
        let rounded = |count: i32| self.x_scale.within(range).with_round_marks(count);
        (1..=most).rev().map(rounded).find(fits).unwrap_or_else(|| rounded(1))
    }

    fn draw_axes(&self, canvas: &mut Canvas, plot: &Plot) {
        let area = plot.area;
        for &value in &plot.y.fine {
            canvas.fill(Area { x: area.x, y: plot.down(value) as i32, w: area.w, h: 1 }, FINE_LINE);
        }
        for (value, label) in &plot.y.marks {
            let y = plot.down(*value) as i32;
            canvas.fill(Area { x: area.x - TICK, y, w: TICK, h: 1 }, INK);
            canvas.fill(Area { x: area.x, y, w: area.w, h: 1 }, GRID_LINE);
            let at = (area.x - TICK - 4 - Face::Body.width(label), y - Face::Body.height() / 2);
            text::draw(canvas, Face::Body, at, label, INK);
        }
        for (value, label) in &plot.x.marks {
            let x = plot.across(*value) as i32;
            if self.x_scale == Scale::Log {
                canvas.fill(Area { x, y: area.y, w: 1, h: area.h }, GRID_LINE);
            }
            let y = area.bottom();
            canvas.fill(Area { x, y, w: 1, h: TICK }, INK);
            let width = Face::Body.width(label);
            let left = (x - width / 2).min(canvas.width() - width - 2).max(2);
            text::draw(canvas, Face::Body, (left, y + TICK + 4), label, INK);
        }
        let (x, y, w, h) = (area.x - 1, area.y, area.w + 1, area.h + 1);
        canvas.fill(Area { x, y, w: 1, h }, INK);
        let y = area.bottom();
        canvas.fill(Area { x, y, w, h: 1 }, INK);
    }

    /// Draws one curve. The coverage of all its segments is gathered first and
    /// laid on once: where segments meet, twice would be too dark.
    fn draw_curve(&self, canvas: &mut Canvas, plot: &Plot, series: &Series, colour: Colour) {
        // A little more on each side, for curves and dots on an edge.
        let edge = DOT as i32 + 1;
        let Area { x, y, w, h } = plot.area;
        let area = Area { x: x - edge, y: y - edge, w: w + 2 * edge, h: h + 2 * edge };
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
        for run in series.points.split(|point| !self.drawable(point)) {
            let spots: Vec<Spot> = run.iter().map(|&(x, y)| (plot.across(x), plot.down(y))).collect();
            if self.dots || spots.len() == 1 {
                spots.iter().for_each(|&spot| stroke(spot, spot, DOT));
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
}
