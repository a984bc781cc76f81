//! An RGB image with the few drawing operations the pictures need.

use std::convert::Infallible;

use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use image::RgbImage;

/// Red, green, blue.
pub(crate) type Colour = [u8; 3];

pub(crate) const PAPER: Colour = [255, 255, 255];
pub(crate) const INK: Colour = [34, 34, 34];
pub(crate) const FRAME: Colour = [120, 120, 120];

/// Where something is: left, top, width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i32,
    pub(crate) h: i32,
}

impl Area {
    pub(crate) fn right(self) -> i32 {
        self.x + self.w
    }

    pub(crate) fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// One pixel more on each side.
    pub(crate) fn grown(self) -> Self {
        Self { x: self.x - 1, y: self.y - 1, w: self.w + 2, h: self.h + 2 }
    }
}

pub(crate) struct Canvas {
    image: RgbImage,
}

impl Canvas {
    /// A sheet of paper. A side below one pixel becomes one pixel.
    pub(crate) fn new(width: i32, height: i32) -> Self {
        let side = |length: i32| length.max(1).unsigned_abs();
        Self { image: RgbImage::from_pixel(side(width), side(height), image::Rgb(PAPER)) }
    }

    /// A picture to draw on.
    pub(crate) fn of(image: RgbImage) -> Self {
        Self { image }
    }

    pub(crate) fn into_image(self) -> RgbImage {
        self.image
    }

    pub(crate) fn width(&self) -> i32 {
        self.image.width() as i32
    }

    pub(crate) fn height(&self) -> i32 {
        self.image.height() as i32
    }

    /// Colours one pixel; outside of the canvas nothing happens.
    pub(crate) fn put(&mut self, x: i32, y: i32, colour: Colour) {
        if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
            && let Some(pixel) = self.image.get_pixel_mut_checked(x, y)
        {
            pixel.0 = colour;
        }
    }

    /// Lays a colour over a pixel; `cover` 0 leaves it, 1 replaces it.
    pub(crate) fn blend(&mut self, x: i32, y: i32, colour: Colour, cover: f32) {
        if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
            && let Some(pixel) = self.image.get_pixel_mut_checked(x, y)
        {
            for (old, new) in pixel.0.iter_mut().zip(colour) {
                let mixed = f32::from(*old) * (1.0 - cover) + f32::from(new) * cover;
                *old = mixed.round() as u8;
            }
        }
    }

    pub(crate) fn fill(&mut self, area: Area, colour: Colour) {
        self.pattern(area, |_, _| colour);
    }

    /// Colours an area pixel by pixel, by the pixel's place on the canvas.
    pub(crate) fn pattern(&mut self, area: Area, colour: impl Fn(i32, i32) -> Colour) {
        for y in area.y.max(0)..area.bottom().min(self.height()) {
            for x in area.x.max(0)..area.right().min(self.width()) {
                self.put(x, y, colour(x, y));
            }
        }
    }

    /// A line one pixel wide around an area, outside of it.
    pub(crate) fn frame(&mut self, area: Area, colour: Colour) {
        let Area { x, y, w, h } = area.grown();
        self.fill(Area { x, y, w, h: 1 }, colour);
        self.fill(Area { x, y, w: 1, h }, colour);
        let (bottom, right) = (y + h - 1, x + w - 1);
        self.fill(Area { x, y: bottom, w, h: 1 }, colour);
        self.fill(Area { x: right, y, w: 1, h }, colour);
    }

    /// Fills a shape with smooth edges. `distance` tells how far a point is
    /// outside the shape (negative: inside), in pixels; only the pixels of
    /// `within` are looked at.
    pub(crate) fn shape(&mut self, within: Area, colour: Colour, distance: impl Fn(Spot) -> f32) {
        self.shade(within, colour, |at| 0.5 - distance(at));
    }

    /// Lays a colour over an area, by how much `cover` says at each place: 0 to 1.
    pub(crate) fn shade(&mut self, within: Area, colour: Colour, cover: impl Fn(Spot) -> f32) {
        for y in within.y.max(0)..within.bottom().min(self.height()) {
            for x in within.x.max(0)..within.right().min(self.width()) {
                let cover = cover((x as f32 + 0.5, y as f32 + 0.5)).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.blend(x, y, colour, cover);
                }
            }
        }
    }

    pub(crate) fn triangle(&mut self, corners: [Spot; 3], colour: Colour) {
        self.shape(bounds(&corners, 1.0), colour, |at| outside_triangle(at, corners));
    }
}

/// A point between the pixels: x to the right, y down.
pub(crate) type Spot = (f32, f32);

/// The pixels that lie within `margin` of the points' bounding box.
pub(crate) fn bounds(points: &[Spot], margin: f32) -> Area {
    let fold = |pick: fn(&Spot) -> f32| {
        points.iter().map(pick).fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((left, right), (top, bottom)) = (fold(|p| p.0), fold(|p| p.1));
    let (x, y) = ((left - margin).floor() as i32, (top - margin).floor() as i32);
    Area { x, y, w: (right + margin).ceil() as i32 - x, h: (bottom + margin).ceil() as i32 - y }
}

/// The distance of `at` from the segment between `a` and `b`.
pub(crate) fn from_segment(at: Spot, a: Spot, b: Spot) -> f32 {
    let (ax, ay) = (at.0 - a.0, at.1 - a.1);
    let (bx, by) = (b.0 - a.0, b.1 - a.1);
    let squared = bx * bx + by * by;
    let along = if squared > 0.0 { ((ax * bx + ay * by) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (ax - bx * along).hypot(ay - by * along)
}

/// How far `at` is outside a triangle, whichever way round its corners go;
/// negative inside. Beyond a corner it understates, which keeps tips sharp.
pub(crate) fn outside_triangle(at: Spot, corners: [Spot; 3]) -> f32 {
    let [a, b, c] = corners;
    let cross = |p: Spot, q: Spot, r: Spot| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    let turn = if cross(a, b, c) < 0.0 { -1.0 } else { 1.0 };
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .map(|(p, q)| {
            let length = (q.0 - p.0).hypot(q.1 - p.1).max(f32::MIN_POSITIVE);
            -turn * cross(p, q, at) / length
        })
        .fold(f32::NEG_INFINITY, f32::max)
}

// What embedded-graphics needs to draw its text.
impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(self.image.width(), self.image.height())
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb888>>,
    {
        for Pixel(at, colour) in pixels {
            self.put(at.x, at.y, [colour.r(), colour.g(), colour.b()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_outside_is_ignored() {
        let mut canvas = Canvas::new(4, 4);
        let huge = Area { x: -10, y: -10, w: 100, h: 100 };
        canvas.fill(huge, INK);
        canvas.frame(huge, PAPER);
        canvas.triangle([(-3.0, 90.0), (-9.0, 95.0), (-3.0, 99.0)], PAPER);
        canvas.put(-1, 0, PAPER);
        canvas.put(4, 0, PAPER);
        assert!(canvas.into_image().pixels().all(|pixel| pixel.0 == INK));
    }

    #[test]
    fn a_triangle_is_the_same_whichever_way_round() {
        let corners = [(1.0, 1.0), (9.0, 1.0), (5.0, 9.0)];
        let inside = outside_triangle((5.0, 3.0), corners);
        assert!(inside < -1.0);
        let [a, b, c] = corners;
        assert!((outside_triangle((5.0, 3.0), [c, b, a]) - inside).abs() < 1e-6);
        assert!(outside_triangle((5.0, -1.0), corners) > 1.9);
    }

    #[test]
    fn the_distance_to_a_segment_ends_at_its_ends() {
        let (a, b) = ((0.0, 0.0), (10.0, 0.0));
        assert!((from_segment((5.0, 3.0), a, b) - 3.0).abs() < 1e-6);
        assert!((from_segment((14.0, 3.0), a, b) - 5.0).abs() < 1e-6);
        assert!((from_segment((3.0, 4.0), a, a) - 5.0).abs() < 1e-6);
    }
}
