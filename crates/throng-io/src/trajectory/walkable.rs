//! The walkable area of a world: its floor without its walls, as polygons.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::simplify::Simplify;
use i_overlay::i_float::int::point::IntPoint;
use i_overlay::i_shape::int::shape::{IntContour, IntShape};
use std::fmt::Write as _;

/// A wall.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A polygon by its corners, in order; the even-odd rule decides.
    Area(Vec<[f64; 2]>),
    /// A thin wall through points. It becomes [`LINE_WIDTH`] wide, so that
    /// the area on its two sides is not one.
    Line(Vec<[f64; 2]>),
}

/// How wide thin walls are made, metres.
pub const LINE_WIDTH: f64 = 0.02;

/// Places are whole tenths of a millimetre: what was whole stays whole, and
/// the corners of 100 km fit.
const UNITS: f64 = 1e4;

/// Corners that are farther away are as good as there.
const FAR: f64 = 1.05e5;

type Contour = IntContour<i32>;

fn point([x, y]: [f64; 2]) -> IntPoint<i32> {
    let unit = |v: f64| (v.clamp(-FAR, FAR) * UNITS).round() as i32;
    IntPoint::new(unit(x), unit(y))
}

fn options() -> IntOverlayOptions<u64> {
    // Polygons as shapely and others want them: rings that do not touch themselves. Crumbs below a square centimetre
    // come from rounding.
    IntOverlayOptions { min_output_area: 10_000, ..IntOverlayOptions::ogc() }
}

/// The contours of a wall, those of its outside counter-clockwise.
fn contours(outline: &Outline) -> Vec<Contour> {
    match outline {
        Outline::Area(corners) => {
            let ring: Contour = corners.iter().copied().map(point).collect();
            ring.simplify(FillRule::EvenOdd, IntOverlayOptions::default()).into_iter().flatten().collect()
        }
        Outline::Line(points) => points.windows(2).filter_map(|p| stroke(p[0], p[1])).collect(),
    }
}

/// A piece of a thin wall, and as much beyond its ends as it is wide: pieces that meet overlap.
fn stroke(a: [f64; 2], b: [f64; 2]) -> Option<Contour> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]);
    let [x, y] = along.map(|v| 0.5 * LINE_WIDTH * v / length);
    let corners = [[a[0] - x + y, a[1] - y - x], [b[0] + x + y, b[1] + y - x], [b[0] + x - y, b[1] + y + x]];
    let corners = [corners[0], corners[1], corners[2], [a[0] - x - y, a[1] - y + x]];
    (length > 0.0).then(|| corners.map(point).to_vec())
}

/// The walkable area of a world of a size in metres, as well-known text: one
/// polygon with holes, or where walls divide it several.
///
/// Parts with none of the places `used` in them are left out: what is walled
/// in, and what lies around a building. If that leaves none, all of them stay.
#[must_use]
pub fn walkable_wkt(size: [f64; 2], walls: &[Outline], used: &[[f64; 2]]) -> String {
    let [w, h] = size;
    let mut overlay = Overlay::<i32>::new_custom(4 + 4 * walls.len(), options(), Default::default());
    overlay.add_contour(&[[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]].map(point), ShapeType::Subject);
    for wall in walls {
        overlay.add_source(&contours(wall), ShapeType::Clip);
    }
    let mut parts = overlay.overlay(OverlayRule::Difference, FillRule::NonZero);
    if parts.len() > 1 {
        let used: Vec<IntPoint<i32>> = used.iter().copied().map(point).collect();
        let kept: Vec<bool> = parts.iter().map(|part| holds_any(part, &used)).collect();
        if kept.contains(&true) {
            let mut each = kept.iter();
            parts.retain(|_| each.next().is_some_and(|&k| k));
        }
    }
    let texts: Vec<String> = parts.iter().map(polygon_text).collect();
    match texts.as_slice() {
        [] => "POLYGON EMPTY".to_owned(),
        [one] => format!("POLYGON {one}"),
        several => format!("MULTIPOLYGON ({})", several.join(", ")),
    }
}

/// Whether any of the points is inside a polygon with holes.
fn holds_any(part: &IntShape<i32>, points: &[IntPoint<i32>]) -> bool {
    let outer = &part[0];
    let limits = |pick: fn(&IntPoint<i32>) -> i32| {
        let values = outer.iter().map(pick);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
    };
    let (x, y) = (limits(|p| p.x), limits(|p| p.y));
    let near = |p: &&IntPoint<i32>| (x.0..=x.1).contains(&p.x) && (y.0..=y.1).contains(&p.y);
    points.iter().filter(near).any(|&p| {
        // A ray to the east crosses an odd number of sides, holes included.
        let crossings = part.iter().flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)));
        let crossed = crossings.filter(|&(a, b)| {
            let [ax, ay, bx, by, px, py] = [a.x, a.y, b.x, b.y, p.x, p.y].map(i128::from);
            let side = (bx - ax) * (py - ay) - (px - ax) * (by - ay);
            (ay > py) != (by > py) && if by > ay { side > 0 } else { side < 0 }
        });
        crossed.count() % 2 == 1
    })
}

fn polygon_text(part: &IntShape<i32>) -> String {
    let mut text = String::from("(");
    for (i, ring) in part.iter().enumerate() {
        text += if i > 0 { ", (" } else { "(" };
        // From the corner farthest west on, so that the same area has the same text.
        let first = (0..ring.len()).min_by_key(|&i| (ring[i].x, ring[i].y)).unwrap_or(0);
        for p in ring[first..].iter().chain(&ring[..=first]) {
            // Writing to a string does not fail.
            let _ = write!(text, "{} {}, ", f64::from(p.x) / UNITS, f64::from(p.y) / UNITS);
        }
        text.truncate(text.len() - 2);
        text.push(')');
    }
    text.push(')');
    text
}
