//! Where one looks: which metres of the world are on which pixels.

use glam::Vec2;
use throng::geometry::Rect;

/// The least and the most that can be zoomed to, px/m.
const SCALES: std::ops::RangeInclusive<f32> = 1e-3..=5e3;

/// Where one looks. Pixels are counted from the top left corner of the view, y down; metres north up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What is in the middle of the view, m.
    pub centre: Vec2,
    /// Pixels per metre.
    pub scale: f32,
}

impl Camera {
    /// Shows a rectangle of the world in full, in a view of so many pixels, with a margin around it.
    #[must_use]
    pub fn fit(rect: Rect, size: Vec2, margin: f32) -> Self {
        let extent = (rect.max - rect.min).max(Vec2::splat(1e-3));
        let room = (size - 2.0 * margin).max(Vec2::splat(16.0));
        let scale = (room / extent).min_element();
        Self { centre: (rect.min + rect.max) * 0.5, scale: scale.clamp(*SCALES.start(), *SCALES.end()) }
    }

    /// The pixel of a point of the world.
    #[must_use]
    pub fn to_view(&self, point: Vec2, size: Vec2) -> Vec2 {
        let away = (point - self.centre) * self.scale;
        size * 0.5 + Vec2::new(away.x, -away.y)
    }

    /// The point of the world under a pixel.
    #[must_use]
    pub fn to_world(&self, pixel: Vec2, size: Vec2) -> Vec2 {
        let away = (pixel - size * 0.5) / self.scale;
        self.centre + Vec2::new(away.x, -away.y)
    }

    /// Moves the world along with a pointer that moved by so many pixels.
    pub fn pan(&mut self, pixels: Vec2) {
        self.centre += Vec2::new(-pixels.x, pixels.y) / self.scale;
    }

    /// Zooms by a factor; what is under the pixel stays there.
    pub fn zoom(&mut self, factor: f32, pixel: Vec2, size: Vec2) {
        let held = self.to_world(pixel, size);
        self.scale = (self.scale * factor).clamp(*SCALES.start(), *SCALES.end());
        self.centre += held - self.to_world(pixel, size);
    }

    /// The part of the world that is in view.
    #[must_use]
    pub fn shown(&self, size: Vec2) -> Rect {
        let half = size * 0.5 / self.scale;
        Rect::new(self.centre - half, self.centre + half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(800.0, 600.0);

    #[test]
    fn north_is_up_and_the_middle_is_the_middle() {
        let camera = Camera { centre: Vec2::new(10.0, 20.0), scale: 4.0 };
        assert_eq!(camera.to_view(Vec2::new(10.0, 20.0), SIZE), SIZE * 0.5);
        assert_eq!(camera.to_view(Vec2::new(11.0, 22.0), SIZE), Vec2::new(404.0, 292.0));
    }

    #[test]
    fn a_pixel_and_its_point_belong_together() {
        let camera = Camera { centre: Vec2::new(-3.0, 7.5), scale: 12.5 };
        for pixel in [Vec2::ZERO, Vec2::new(13.0, 599.0), Vec2::new(800.0, 1.0)] {
            let back = camera.to_view(camera.to_world(pixel, SIZE), SIZE);
            // Rounding of 32-bit numbers below a thousand.
            assert!(back.distance(pixel) < 1e-3, "{pixel} became {back}");
        }
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let mut camera = Camera { centre: Vec2::new(100.0, 50.0), scale: 2.0 };
        let pixel = Vec2::new(700.0, 120.0);
        let held = camera.to_world(pixel, SIZE);
        for factor in [1.3, 5.0, 0.2, 0.01, 300.0] {
            camera.zoom(factor, pixel, SIZE);
            assert!(camera.to_world(pixel, SIZE).distance(held) < 1e-2 / camera.scale.min(1.0));
        }
    }

    #[test]
    fn fitting_shows_everything_and_wastes_nothing() {
        let rect = Rect::new(Vec2::new(5.0, 5.0), Vec2::new(105.0, 25.0));
        let camera = Camera::fit(rect, SIZE, 10.0);
        let (a, b) = (camera.to_view(rect.min, SIZE), camera.to_view(rect.max, SIZE));
        assert!((a.x - 10.0).abs() < 1e-3 && (b.x - 790.0).abs() < 1e-3, "{a} {b}");
        assert!(a.y < 590.0 && b.y > 10.0);
    }

    #[test]
    fn dragging_carries_the_world_along() {
        let mut camera = Camera { centre: Vec2::ZERO, scale: 10.0 };
        let point = camera.to_world(Vec2::new(300.0, 300.0), SIZE);
        camera.pan(Vec2::new(50.0, -20.0));
        assert!(camera.to_view(point, SIZE).distance(Vec2::new(350.0, 280.0)) < 1e-3);
    }
}
