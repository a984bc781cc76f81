//! What stands around a map, and where: the title above it, what explains its
//! colours beside it, scale and key below. It is the same whoever drew the
//! map.

use super::footer::Footer;
use super::{FieldPicture, Heading, MapSize};
use crate::canvas::Area;
use crate::text::{self, Face};

/// Space around everything.
pub(super) const MARGIN: i32 = 18;
/// Space between the parts.
const GAP: i32 = 18;
/// The least width between the margins, for the sake of the text of small
/// and narrow maps.
const LEAST_WIDTH: i32 = 380;
/// Room for what explains the colours, whatever the numbers are: pictures of
/// one field have their map in one place.
const PANEL: (i32, i32) = (142, 212);
/// A title has no more lines.
const TITLE_LINES: usize = 6;
/// A smaller map is not worth a page around it.
const LEAST_MAP: (i32, i32) = (96, 100);

/// Where the parts of a page are.
pub(super) struct Layout {
    pub(super) size: (i32, i32),
    /// The title begins at the left margin.
    pub(super) title_width: i32,
    pub(super) map: Area,
    pub(super) panel: Area,
    /// Its corner, its width, and how many rows it may have.
    pub(super) footer: ((i32, i32), i32, i32),
}

impl Layout {
    /// Around a map; the page is as large as it has to be, or as it is said
    /// to be.
    pub(super) fn around(heading: Heading<'_>, map: (i32, i32), page: Option<(i32, i32)>) -> Self {
        let content = map.0 + GAP + PANEL.0;
        let width = page.map_or(content.max(LEAST_WIDTH), |page| page.0 - 2 * MARGIN);
        let left = MARGIN + ((width - content) / 2).max(0);
        let top = MARGIN + title_height(heading.longest_title, width);
        // Below a wide map the footer stays with the map, even if that is
        // lower than the panel; below a narrow one it needs the whole width.
        let rows = Footer::usual_rows(width, heading.key);
        let under_map = Footer::usual_rows(map.0, heading.key) == rows;
        let below = if under_map { 0 } else { rows * Footer::ROW + GAP };
        let beside = page.map_or(PANEL.1, |page| PANEL.1.min(page.1 - MARGIN - below - top)).max(map.1);
        let map = Area { x: left, y: if under_map { top } else { top + beside - map.1 }, w: map.0, h: map.1 };
        let panel = Area { x: map.right() + GAP, y: top, w: PANEL.0, h: beside };
        let footer =
            ((if under_map { left } else { MARGIN }, map.bottom() + GAP), if under_map { map.w } else { width });
        let bottom = panel.bottom().max(footer.0.1 + rows * Footer::ROW) + MARGIN;
        let size = page.unwrap_or((width + 2 * MARGIN, bottom));
        Self { size, title_width: width, map, panel, footer: (footer.0, footer.1, rows) }
    }

    /// The largest map that there is room for on a page.
    pub(super) fn room(heading: Heading<'_>, page: (i32, i32)) -> Option<(i32, i32)> {
        let width = page.0 - 2 * MARGIN;
        let below = GAP + Footer::usual_rows(width, heading.key) * Footer::ROW;
        let map = (width - GAP - PANEL.0, page.1 - 2 * MARGIN - title_height(heading.longest_title, width) - below);
        (map.0 >= LEAST_MAP.0 && map.1 >= LEAST_MAP.1).then_some(map)
    }
}

fn title_height(longest: &str, width: i32) -> i32 {
    match text::wrap(Face::Title, longest, width, TITLE_LINES).len() as i32 {
        0 => 0,
        lines => lines * Face::Title.line() + GAP / 2,
    }
}

/// The lines of a title.
pub(super) fn title_lines(title: &str, width: i32) -> Vec<String> {
    text::wrap(Face::Title, title, width, TITLE_LINES)
}

impl FieldPicture<'_> {
    /// The size of the picture that [`FieldPicture::render`] makes of a grid
    /// of so many cells, pixels.
    #[must_use]
    pub fn natural_size(heading: Heading<'_>, width: usize, height: usize) -> [u32; 2] {
        let map = MapSize::of(width, height);
        let size = Layout::around(heading, (map.width, map.height), None).size;
        [size.0.unsigned_abs(), size.1.unsigned_abs()]
    }

    /// The largest map, pixels, that goes into a picture of a size together
    /// with title, legend and key in letters `text` times as large as usual;
    /// `None` where there is too little room for them.
    #[must_use]
    pub fn room_for_map(heading: Heading<'_>, size: [u32; 2], text: f32) -> Option<[u32; 2]> {
        let room = Layout::room(heading, smaller(size, text))?;
        let pixels = |side: i32| (side as f32 * text).floor() as u32;
        Some([pixels(room.0), pixels(room.1)])
    }
}

/// A size in units of letters that are `text` times as large as usual.
pub(super) fn smaller(size: [u32; 2], text: f32) -> (i32, i32) {
    let side = |pixels: u32| (pixels as f32 / text).floor() as i32;
    (side(size[0]), side(size[1]))
}
