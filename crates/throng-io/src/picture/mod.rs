//! A field over a grid, drawn as a map.
//!
//! The work is split by what one looks at: [`grid`] decides what each drawn
//! cell shows, [`colour`] how that looks, [`bar`] and [`wheel`] explain the
//! colours, [`arrows`] lays directions over them, [`footer`] holds the scale
//! and the key, and this file puts the parts beside each other.

mod arrows;
mod bar;
mod colour;
mod error;
mod footer;
mod grid;
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
pub use png::write_png;
use wheel::Wheel;

/// The numbers of a field, row by row, row 0 being the **south** row.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// One number per cell.
    Scalar(&'a [f32]),
    /// An arrow per cell: how far it points east and how far north.
    Vector(&'a [[f32; 2]]),
}

/// The colours that stand for small to large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Viridis, from dark blue over green to yellow: for amounts of any kind.
    #[default]
    Sequential,
    /// Inferno, from black over red to pale yellow: for what glows where it
    /// is dangerous, such as density.
    Heat,
}

/// A field to be drawn as a map, north up.
///
/// A grid with a longer side of a few cells up to some hundred is drawn with
/// square cells of several pixels; one with more than 2048 cells along a side
/// is drawn with several cells per pixel, each showing the largest of its
/// values so that peaks stay visible (the picture says so).
///
/// Vectors are coloured by their magnitude and overlaid with arrows. Where
/// all of them are directions, that is of length one (or zero, for none), the
/// colour shows the direction instead, and a wheel explains it.
///
/// ```
/// use throng_io::{FieldPicture, Palette, Values};
///
/// let picture = FieldPicture {
///     title: "density",
///     unit: "persons/m²",
///     width: 3,
///     height: 2,
///     cell_m: 0.5,
///     values: Values::Scalar(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
///     walls: &[],
///     unreached: &[],
///     limits: None,
///     palette: Palette::Sequential,
/// }
/// .render()?;
/// assert!(picture.width() > 3 * 64);
/// # Ok::<(), throng_io::PictureError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FieldPicture<'a> {
    /// What is shown, for example `density`; wrapped where it is long.
    pub title: &'a str,
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
    /// The colours of the values.
    pub palette: Palette,
}

/// Space around everything.
const MARGIN: i32 = 18;
/// Space between the parts.
const GAP: i32 = 18;
/// The least width between the margins, for the sake of the text of small
/// and narrow maps.
const LEAST_WIDTH: i32 = 380;
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

    fn size(&self) -> (i32, i32) {
        match self {
            Self::Bar(bar) => bar.least_size(),
            Self::Wheel(wheel) => wheel.size(),
            Self::Nothing => (Face::Body.width(Self::NOTHING), Face::Body.height()),
        }
    }

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
        let colours = Colours::new(self.palette, grid.kind, grid.limits);
        let panel = match (grid.kind, grid.limits) {
            (Kind::Direction, _) => Panel::Wheel(Wheel::new(self.unit)),
            (Kind::Amount, Some(limits)) => Panel::Bar(Bar::new(self.unit, limits, grid.beyond)),
            (Kind::Amount, None) => Panel::Nothing,
        };
        let pixels = pixels_per_cell(grid.columns.max(grid.rows));
        let (map_w, map_h) = (grid.columns * pixels, grid.rows * pixels);
        let (panel_w, panel_h) = panel.size();
        let width = (map_w + GAP + panel_w).max(LEAST_WIDTH);
        let title = text::wrap(Face::Title, self.title, width, 6);
        let metres_per_pixel = f64::from(self.cell_m) * f64::from(grid.block) / f64::from(pixels);
        // Below a wide map the footer stays with the map, even if that is
        // lower than the panel; below a narrow one it needs the whole width.
        let under_map = map_w >= LEAST_WIDTH;
        let footer_width = if under_map { map_w } else { width };
        let footer = Footer::new(&grid, metres_per_pixel, map_w.max(map_h), footer_width);

        let title_height = match title.len() as i32 {
            0 => 0,
            lines => lines * Face::Title.line() + GAP / 2,
        };
        let beside = Area { x: MARGIN + map_w + GAP, y: MARGIN + title_height, w: panel_w, h: map_h.max(panel_h) };
        let map = Area { x: MARGIN, y: if under_map { beside.y } else { beside.bottom() - map_h }, w: map_w, h: map_h };
        let footer_top = map.bottom() + GAP;
        let mut canvas = Canvas::new(width + 2 * MARGIN, beside.bottom().max(footer_top + footer.height()) + MARGIN);

        text::draw_lines(&mut canvas, Face::Title, (MARGIN, MARGIN), &title, INK);
        draw_cells(&mut canvas, map, pixels, &grid, &colours);
        canvas.frame(map, FRAME);
        if let Values::Vector(vectors) = self.values {
            arrows::draw(&mut canvas, map, pixels, self, vectors, &grid);
        }
        panel.draw(&mut canvas, beside, &colours);
        footer.draw(&mut canvas, (MARGIN, footer_top));
        Ok((canvas.into_image(), map))
    }
}

/// The side of a drawn cell for a map of so many cells along the longer side.
fn pixels_per_cell(longer: i32) -> i32 {
    let off = |pixels: i32| (f64::from(longer * pixels) / GOAL).ln().abs();
    (1..=LARGEST_CELL).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(1)
}

fn draw_cells(canvas: &mut Canvas, map: Area, pixels: i32, grid: &Grid, colours: &Colours) {
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let area = Area {
                x: map.x + column * pixels,
                // Row 0 is the south row: it goes to the bottom.
                y: map.y + (grid.rows - 1 - row) * pixels,
                w: pixels,
                h: pixels,
            };
            match grid.cell(column, row) {
                Cell::Unreached => canvas.pattern(area, colour::hatched),
                Cell::Wall => canvas.fill(area, colour::WALL),
                Cell::NotFinite => canvas.fill(area, colour::NOT_FINITE),
                Cell::NoDirection => canvas.fill(area, colour::NO_DIRECTION),
                Cell::Shown(value) => canvas.fill(area, colours.of(value)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
