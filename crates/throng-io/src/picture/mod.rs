//! A field over a grid, drawn as a map.
//!
//! The work is split by what one looks at: [`grid`] decides what each drawn
//! cell shows, [`colour`] how that looks, [`bar`] and [`wheel`] explain the
//! colours, [`arrows`] lays directions over them, [`footer`] holds the scale
//! and the key, [`page`] says where they are, and this file draws the whole.

mod arrows;
mod bar;
mod colour;
mod error;
mod footer;
mod grid;
mod page;
mod png;
mod wheel;

use image::RgbImage;

use crate::canvas::{Area, Canvas, FRAME, INK};
use crate::text::{self, Face};
use bar::Bar;
use colour::Colours;
pub use colour::direction as direction_colour;
pub use error::PictureError;
use footer::Footer;
use grid::{Cell, Grid, Kind};
use page::{Layout, MARGIN};
pub use png::write_png;
use wheel::Wheel;

/// The numbers of a field, row by row, row 0 being the **south** row.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// One number per cell.
    Scalar(&'a [f32]),
    /// An arrow per cell: how far it points east and how far north.
    Vector(&'a [[f32; 2]]),
    /// A direction per cell: an arrow of length one, or of none.
    Direction(&'a [[f32; 2]]),
}

/// What a series of pictures has in common, so that their maps are in one place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heading<'a> {
    /// The longest that the title gets.
    pub longest_title: &'a str,
    /// What else is explained below the map.
    pub key: &'a [KeyEntry],
}

/// A colour and what it means, or words alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// Of the square before the words, if there is one.
    pub colour: Option<[u8; 3]>,
    /// What it means.
    pub words: String,
}

/// A field to be drawn as a map, north up.
///
/// A grid with a longer side of a few cells up to some hundred is drawn with
/// square cells of several pixels; one with more than 2048 cells along a side
/// is drawn with several cells per pixel, each showing the largest of its
/// values so that peaks stay visible (the picture says so).
///
/// Vectors are coloured by their magnitude, directions by a wheel, and both are
/// overlaid with arrows.
///
/// ```
/// use throng_io::{FieldPicture, Heading, Values};
///
/// let picture = FieldPicture {
///     title: "density",
///     heading: Heading { longest_title: "density", key: &[] },
///     unit: "persons/m²",
///     width: 3,
///     height: 2,
///     cell_m: 0.5,
///     values: Values::Scalar(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
///     walls: &[],
///     unreached: &[],
///     limits: None,
/// }
/// .render()?;
/// assert!(picture.width() > 3 * 64);
/// # Ok::<(), throng_io::PictureError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FieldPicture<'a> {
    /// What is shown, for example `density`; wrapped where it is long.
    pub title: &'a str,
    /// What decides how much room there is for the map.
    pub heading: Heading<'a>,
    /// What the numbers count, for example `persons/m²`; shown at the colour
    /// bar.
    pub unit: &'a str,
    /// Cells from west to east.
    pub width: usize,
    /// Cells from south to north.
    pub height: usize,
    /// The side of a cell in metres.
    pub cell_m: f32,
    /// The field, `width * height` of it.
    pub values: Values<'a>,
    /// Where walls are, drawn dark grey whatever the value; empty for none.
    pub walls: &'a [bool],
    /// Cells that nobody can reach, drawn hatched whatever the value; empty
    /// for none.
    pub unreached: &'a [bool],
    /// The values at the ends of the colour bar. `None`: the least and the
    /// largest finite value shown. Values beyond get the colour of the end,
    /// and the bar a tip.
    pub limits: Option<(f32, f32)>,
}

/// What the longer side of the map should come near to, in pixels.
const GOAL: f64 = 896.0;
/// The largest side of a drawn cell.
const LARGEST_CELL: i32 = 64;

/// What explains the colours, right of the map.
enum Panel {
    Bar(Bar),
    Wheel(Wheel),
    /// There is no value to be explained.
    Nothing,
}

impl Panel {
    const NOTHING: &'static str = "no values";

    fn draw(&self, canvas: &mut Canvas, area: Area, colours: &Colours) {
        match self {
            Self::Bar(bar) => bar.draw(canvas, area, colours),
            Self::Wheel(wheel) => wheel.draw(canvas, area),
            Self::Nothing => {
                text::draw(canvas, Face::Body, (area.x, area.y), Self::NOTHING, INK);
            }
        }
    }
}

impl FieldPicture<'_> {
    /// Draws the picture.
    ///
    /// Values that are not finite are drawn in a bright magenta, so that they
    /// are noticed; walls and unreached cells are drawn as such whatever
    /// their value.
    ///
    /// # Errors
    ///
    /// [`PictureError`], when there are no cells, the sizes of the slices do
    /// not match the grid, the cell size is not a positive number, or the
    /// limits are not two finite numbers in order.
    pub fn render(&self) -> Result<RgbImage, PictureError> {
        self.compose().map(|(image, _)| image)
    }

    /// The picture, and where in it the map is.
    fn compose(&self) -> Result<(RgbImage, Area), PictureError> {
        error::check(self)?;
        let grid = Grid::new(self);
        let colours = Colours::new(grid.kind, grid.limits);
        let size = MapSize::of(self.width, self.height);
        let mut map = Canvas::new(size.width, size.height);
        draw_cells(&mut map, size.pixels, &grid, &colours);
        self.draw_arrows(&mut map, &grid);
        let layout = Layout::around(self.heading, (size.width, size.height), None);
        let metres_per_pixel = f64::from(self.cell_m) * f64::from(grid.block) / f64::from(size.pixels);
        let canvas = self.furnish(&layout, &grid, &colours, metres_per_pixel, true);
        let mut image = canvas.into_image();
        image::imageops::replace(&mut image, &map.into_image(), layout.map.x.into(), layout.map.y.into());
        Ok((image, layout.map))
    }

    /// Puts title, legend and key around a map that somebody else has drawn
    /// of this field, in the same colours.
    /// The picture gets this size, and letters `text` times as large as usual.
    ///
    /// # Errors
    ///
    /// As [`FieldPicture::render`].
    pub fn around(&self, map: RgbImage, frame: &Around) -> Result<RgbImage, PictureError> {
        error::check(self)?;
        let grid = Grid::new(self);
        let colours = Colours::new(grid.kind, grid.limits);
        let text = frame.text;
        let logical = |pixels: u32| (pixels as f32 / text).round() as i32;
        let page = page::smaller(frame.size, text);
        let layout = Layout::around(self.heading, (logical(map.width()), logical(map.height())), Some(page));
        let canvas = self.furnish(&layout, &grid, &colours, frame.metres_per_pixel * f64::from(text), false);
        let mut map = Canvas::of(map);
        if frame.arrows {
            self.draw_arrows(&mut map, &grid);
        }
        let [width, height] = frame.size;
        let mut image = canvas.into_image();
        if (image.width(), image.height()) != (width, height) {
            image = image::imageops::resize(&image, width, height, image::imageops::FilterType::CatmullRom);
        }
        let place = |side: i32| (side as f32 * text).round() as i64;
        image::imageops::replace(&mut image, &map.into_image(), place(layout.map.x), place(layout.map.y));
        Ok(image)
    }

    /// Everything but the map.
    fn furnish(&self, layout: &Layout, grid: &Grid, colours: &Colours, metres_per_pixel: f64, own: bool) -> Canvas {
        let panel = match (grid.kind, grid.limits) {
            (Kind::Direction, _) => Panel::Wheel(Wheel::new(self.unit)),
            (Kind::Amount, Some(limits)) => Panel::Bar(Bar::new(self.unit, limits, grid.beyond)),
            (Kind::Amount, None) => Panel::Nothing,
        };
        let ((left, top), width, rows) = layout.footer;
        let footer = Footer::new(grid, self.heading.key, metres_per_pixel, layout.map.w.max(layout.map.h), width, own);
        // A picture of its own may be higher for what is seldom there.
        let more = if own { (footer.rows() - rows).max(0) } else { 0 };
        let bottom = top + (rows + more) * Footer::ROW + MARGIN;
        let mut canvas = Canvas::new(layout.size.0, if more > 0 { layout.size.1.max(bottom) } else { layout.size.1 });
        let title = page::title_lines(self.title, layout.title_width);
        text::draw_lines(&mut canvas, Face::Title, (MARGIN, MARGIN), &title, INK);
        canvas.frame(layout.map, FRAME);
        panel.draw(&mut canvas, layout.panel, colours);
        footer.draw(&mut canvas, (left, top), rows + more);
        canvas
    }

    fn draw_arrows(&self, map: &mut Canvas, grid: &Grid) {
        if let Values::Vector(vectors) | Values::Direction(vectors) = self.values {
            arrows::draw(map, self, vectors, grid);
        }
    }
}

/// How a map that somebody else has drawn gets its title, legend and key.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Of the whole picture, pixels.
    pub size: [u32; 2],
    /// Letters are so many times as large as usual.
    pub text: f32,
    /// The scale of the map.
    pub metres_per_pixel: f64,
    /// Whether arrows are to be drawn over a field of vectors: of a map that
    /// is just the grid.
    pub arrows: bool,
}

/// A map of a grid as it is drawn by itself, pixels.
struct MapSize {
    width: i32,
    height: i32,
    /// Side of a drawn cell.
    pixels: i32,
}

impl MapSize {
    fn of(width: usize, height: usize) -> Self {
        let (columns, rows, _) = grid::drawn_cells(width, height);
        let pixels = pixels_per_cell(columns.max(rows));
        Self { width: columns * pixels, height: rows * pixels, pixels }
    }
}

/// The side of a drawn cell for a map of so many cells along the longer side.
fn pixels_per_cell(longer: i32) -> i32 {
    let off = |pixels: i32| (f64::from(longer * pixels) / GOAL).ln().abs();
    (1..=LARGEST_CELL).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(1)
}

fn draw_cells(canvas: &mut Canvas, pixels: i32, grid: &Grid, colours: &Colours) {
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let area = Area {
                x: column * pixels,
                // Row 0 is the south row: it goes to the bottom.
                y: (grid.rows - 1 - row) * pixels,
                w: pixels,
                h: pixels,
            };
            match grid.cell(column, row) {
                Cell::Unreached => canvas.pattern(area, colour::striped),
                Cell::Wall => canvas.fill(area, colour::WALL),
                Cell::NotFinite => canvas.pattern(area, colour::checked),
                Cell::NoDirection => canvas.fill(area, colour::NO_DIRECTION),
                Cell::Shown(value) => canvas.fill(area, colours.of(value)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
