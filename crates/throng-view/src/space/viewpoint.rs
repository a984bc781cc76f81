//! Where one stands and looks in three dimensions: around a place, free, or behind somebody. x is east, y north, z up.

use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec2, Vec3};
use throng::geometry::Rect;

/// Nothing nearer than this is drawn, m.
pub const NEAR: f32 = 0.1;
/// How much is in view from bottom to top, radians.
pub const FIELD_OF_VIEW: f32 = 0.75;
/// Straight up and straight down have no heading.
const STEEPEST: f32 = 1.55;
/// From low above the ground to straight down.
const TILTS: std::ops::RangeInclusive<f32> = -0.1..=STEEPEST;
/// How far one can be from what one looks at, m.
const DISTANCES: std::ops::RangeInclusive<f32> = 0.5..=1e5;
/// Which way one looks at a world by default, from north to the east and down, radians.
pub const TOWARDS: (f32, f32) = (0.12, 0.52);
/// Radians that a pixel of dragging turns by.
const PER_PIXEL: f32 = 0.006;

/// An eye: where it is and what it looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Where it is, m.
    pub position: Vec3,
    /// What is in the middle of the picture, m.
    pub target: Vec3,
}

impl Eye {
    /// From metres to what the eye sees: x to the right, y up, −z ahead.
    #[must_use]
    pub fn view(&self) -> Mat4 {
        view::look_at_mat4(self.position, self.target, Vec3::Z)
    }

    /// From what the eye sees to the picture. Depth is 1 at [`NEAR`] and 0 infinitely far away: floats are then as fine far away
    /// as near.
    #[must_use]
    pub fn projection(aspect: f32) -> Mat4 {
        directx::perspective_infinite_reverse(FIELD_OF_VIEW, aspect, NEAR)
    }

    /// Which way a pixel of a picture of this size looks.
    #[must_use]
    pub fn ray(&self, pixel: Vec2, size: Vec2) -> Vec3 {
        let ahead = (self.target - self.position).normalize_or(Vec3::NEG_Z);
        let right = ahead.cross(Vec3::Z).normalize_or(Vec3::X);
        let up = right.cross(ahead);
        let half = (0.5 * FIELD_OF_VIEW).tan();
        let at = (pixel / size * 2.0 - 1.0) * half * Vec2::new(size.x / size.y, -1.0);
        (ahead + right * at.x + up * at.y).normalize()
    }

    /// The pixel of a point, if it is before the eye.
    #[must_use]
    pub fn pixel(&self, point: Vec3, size: Vec2) -> Option<Vec2> {
        let clip = Self::projection(size.x / size.y) * self.view() * point.extend(1.0);
        let at = Vec2::new(clip.x, -clip.y) / clip.w;
        (clip.w > NEAR).then(|| (at * 0.5 + 0.5) * size)
    }
}

/// Which way one faces with a turn (from north to the east) and a tilt (down), radians.
fn facing(turn: f32, tilt: f32) -> Vec3 {
    Vec3::new(turn.sin() * tilt.cos(), turn.cos() * tilt.cos(), -tilt.sin())
}

/// Around a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What is in the middle of the picture, m.
    pub centre: Vec3,
    /// Which way one looks, from north to the east, radians.
    pub turn: f32,
    /// How far down one looks, radians.
    pub tilt: f32,
    /// From there to the eye, m.
    pub distance: f32,
}

impl Orbit {
    /// All of a world between two heights, from the south and above, as large as it fits.
    #[must_use]
    pub fn fit(world: Rect, heights: (f32, f32), aspect: f32) -> Self {
        Self::towards(world, heights, aspect, TOWARDS.0, TOWARDS.1)
    }

    /// All of a world, seen in a direction.
    #[must_use]
    pub fn towards(world: Rect, (low, high): (f32, f32), aspect: f32, turn: f32, tilt: f32) -> Self {
        let middle = ((world.min + world.max) * 0.5).extend(0.5 * (low + high));
        let eye = Eye { position: Vec3::ZERO, target: facing(turn, tilt) };
        let view = eye.view();
        let half = (0.5 * FIELD_OF_VIEW).tan();
        let corners = [world.min, world.max, Vec2::new(world.min.x, world.max.y), Vec2::new(world.max.x, world.min.y)];
        let corners: Vec<Vec3> = corners
            .into_iter()
            .flat_map(|c| [low, high].map(|z| view.transform_vector3(c.extend(z) - middle)))
            .collect();
        // A corner beside the middle by x is in view from a distance of x over the tangent, and nearer by how far ahead it is.
        let most = |of: &dyn Fn(&Vec3) -> f32| corners.iter().map(of).fold(1.0f32, f32::max);
        let across = most(&|c| c.x.abs() / (half * aspect) + c.z);
        let along = most(&|c| c.y.abs() / half + c.z);
        let distance = 1.03 * across.max(along);
        Self { centre: middle, turn, tilt, distance: distance.clamp(*DISTANCES.start(), *DISTANCES.end()) }
    }

    /// The eye.
    #[must_use]
    pub fn eye(&self) -> Eye {
        Eye { position: self.centre - facing(self.turn, self.tilt) * self.distance, target: self.centre }
    }

    /// Turns the world along with a pointer.
    pub fn drag(&mut self, pixels: Vec2) {
        self.turn = (self.turn - pixels.x * PER_PIXEL).rem_euclid(std::f32::consts::TAU);
        self.tilt = (self.tilt + pixels.y * PER_PIXEL).clamp(*TILTS.start(), *TILTS.end());
    }

    /// Moves the ground along with a pointer, in a view of so many pixels from bottom to top.
    pub fn pan(&mut self, pixels: Vec2, height: f32) {
        let metres = 2.0 * (0.5 * FIELD_OF_VIEW).tan() * self.distance / height.max(1.0);
        let ahead = Vec3::new(self.turn.sin(), self.turn.cos(), 0.0);
        let right = Vec3::new(ahead.y, -ahead.x, 0.0);
        // Ground that is seen from the side goes further for a pixel.
        let along = pixels.y / self.tilt.sin().max(0.2);
        self.centre += (ahead * along - right * pixels.x) * metres;
    }

    /// Goes nearer by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.distance = (self.distance / factor).clamp(*DISTANCES.start(), *DISTANCES.end());
    }
}

/// Free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fly {
    /// Where one is, m.
    pub position: Vec3,
    /// Which way one looks, from north to the east, radians.
    pub turn: f32,
    /// How far down one looks, radians.
    pub tilt: f32,
}

impl Fly {
    /// From where an eye is.
    #[must_use]
    pub fn from(eye: &Eye) -> Self {
        let ahead = (eye.target - eye.position).normalize_or(Vec3::Y);
        Self {
            position: eye.position,
            turn: ahead.x.atan2(ahead.y),
            tilt: (-ahead.z).asin().clamp(-STEEPEST, STEEPEST),
        }
    }

    /// The eye.
    #[must_use]
    pub fn eye(&self) -> Eye {
        Eye { position: self.position, target: self.position + facing(self.turn, self.tilt) }
    }

    /// Looks round.
    pub fn drag(&mut self, pixels: Vec2) {
        self.turn = (self.turn + pixels.x * PER_PIXEL).rem_euclid(std::f32::consts::TAU);
        self.tilt = (self.tilt + pixels.y * PER_PIXEL).clamp(-STEEPEST, STEEPEST);
    }

    /// Goes so many metres ahead, to the right and up.
    pub fn go(&mut self, by: Vec3) {
        let ahead = facing(self.turn, self.tilt);
        let right = Vec3::new(self.turn.cos(), -self.turn.sin(), 0.0);
        self.position += ahead * by.x + right * by.y + Vec3::Z * by.z;
    }
}

/// Behind somebody.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follow {
    /// Its id.
    pub id: u32,
    /// Away from straight behind, radians.
    pub turn: f32,
    /// How far down one looks, radians.
    pub tilt: f32,
    /// From there to the eye, m.
    pub distance: f32,
}

impl Follow {
    /// Over the shoulder.
    #[must_use]
    pub fn of(id: u32) -> Self {
        Self { id, turn: 0.0, tilt: 0.35, distance: 7.0 }
    }

    /// Turns the world along with a pointer.
    pub fn drag(&mut self, pixels: Vec2) {
        self.turn -= pixels.x * PER_PIXEL;
        self.tilt = (self.tilt + pixels.y * PER_PIXEL).clamp(*TILTS.start(), *TILTS.end());
    }

    /// The eye, for somebody whose middle is here and who faces there.
    #[must_use]
    pub fn eye(&self, middle: Vec3, heading: Vec2) -> Eye {
        let turn = heading.x.atan2(heading.y) + self.turn;
        Eye { position: middle - facing(turn, self.tilt) * self.distance, target: middle }
    }
}

/// How one looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Viewpoint {
    /// Around a place.
    Orbit(Orbit),
    /// Free.
    Fly(Fly),
    /// Behind somebody.
    Follow(Follow),
}

impl Viewpoint {
    /// The eye; `subject` is where the middle of the followed one is and where it faces, if that is known.
    #[must_use]
    pub fn eye(&self, subject: Option<(Vec3, Vec2)>) -> Option<Eye> {
        match self {
            Self::Orbit(orbit) => Some(orbit.eye()),
            Self::Fly(fly) => Some(fly.eye()),
            Self::Follow(follow) => subject.map(|(middle, heading)| follow.eye(middle, heading)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(640.0, 360.0);

    fn world(x: f32, y: f32) -> Rect {
        Rect::new(Vec2::ZERO, Vec2::new(x, y))
    }

    #[test]
    fn all_of_a_world_fits_and_touches_an_edge_of_the_picture() {
        for (x, y, low, high) in
            [(144.0, 144.0, 0.0, 5.0), (200.0, 8.0, 0.0, 2.5), (6.0, 90.0, -20.0, 60.0), (1.0, 1.0, 0.0, 0.0)]
        {
            let eye = Orbit::fit(world(x, y), (low, high), SIZE.x / SIZE.y).eye();
            let mut nearest = f32::INFINITY;
            for corner in [[0.0, 0.0], [x, 0.0], [0.0, y], [x, y]] {
                for z in [low, high] {
                    let pixel = eye.pixel(Vec3::new(corner[0], corner[1], z), SIZE).expect("before the eye");
                    let room = pixel.min(SIZE - pixel);
                    assert!(room.min_element() >= 0.0, "{x} × {y}: {corner:?} at {pixel}");
                    nearest = nearest.min(room.min_element());
                }
            }
            // A few per cent of margin, unless the world is no larger than a person.
            assert!(nearest < 25.0 || x < 2.0, "{x} × {y} leaves {nearest} px");
        }
    }

    #[test]
    fn a_pixel_looks_at_the_points_that_are_drawn_there() {
        let eye = Eye { position: Vec3::new(3.0, -7.0, 5.0), target: Vec3::new(10.0, 12.0, 1.0) };
        for pixel in [Vec2::new(320.0, 180.0), Vec2::new(5.0, 350.0), Vec2::new(600.0, 20.0)] {
            for far in [0.5, 30.0, 2000.0] {
                let back = eye.pixel(eye.position + eye.ray(pixel, SIZE) * far, SIZE).expect("before the eye");
                // Rounding of 32-bit numbers at some hundred pixels.
                assert!(back.distance(pixel) < 0.02, "{pixel} became {back}");
            }
        }
        assert_eq!(eye.pixel(eye.position - (eye.target - eye.position), SIZE), None);
    }

    #[test]
    fn depth_is_one_at_the_near_plane_and_falls_to_nought() {
        let clip = Eye::projection(1.5);
        let depth = |away: f32| {
            let p = clip * Vec3::new(0.0, 0.0, -away).extend(1.0);
            p.z / p.w
        };
        assert!((depth(NEAR) - 1.0).abs() < 1e-6);
        assert!((depth(100.0) - NEAR / 100.0).abs() < 1e-9);
        assert!(depth(1e9) > 0.0 && depth(1e9) < 1e-8);
    }

    #[test]
    fn turning_keeps_the_centre_and_the_distance() {
        let mut orbit = Orbit::fit(world(20.0, 30.0), (0.0, 3.0), 1.6);
        let before = orbit.eye();
        orbit.drag(Vec2::new(130.0, -40.0));
        let after = orbit.eye();
        assert_eq!(before.target, after.target);
        assert!((before.position.distance(before.target) - after.position.distance(after.target)).abs() < 1e-3);
        orbit.drag(Vec2::new(0.0, 1e6));
        assert!(orbit.eye().position.z > orbit.centre.z && orbit.eye().view().is_finite());
    }

    #[test]
    fn panning_carries_the_ground_along() {
        let mut orbit = Orbit::fit(world(80.0, 80.0), (0.0, 0.0), SIZE.x / SIZE.y);
        let point = orbit.centre;
        orbit.pan(Vec2::new(30.0, 0.0), SIZE.y);
        let pixel = orbit.eye().pixel(point, SIZE).expect("before the eye");
        assert!(pixel.distance(SIZE * 0.5 + Vec2::new(30.0, 0.0)) < 0.5, "{pixel}");
        // Along the view perspective bends it a little.
        orbit.pan(Vec2::new(-30.0, 20.0), SIZE.y);
        let pixel = orbit.eye().pixel(point, SIZE).expect("before the eye");
        assert!(pixel.distance(SIZE * 0.5 + Vec2::new(0.0, 20.0)) < 4.0, "{pixel}");
    }

    #[test]
    fn flying_begins_where_one_is_and_goes_where_one_looks() {
        let eye = Eye { position: Vec3::new(1.0, 2.0, 9.0), target: Vec3::new(5.0, 4.0, 3.0) };
        let mut fly = Fly::from(&eye);
        let ahead = (eye.target - eye.position).normalize();
        assert!((fly.eye().target - fly.eye().position).distance(ahead) < 1e-5);
        fly.go(Vec3::new(2.0, 0.0, 0.0));
        assert!(fly.position.distance(eye.position + 2.0 * ahead) < 1e-5);
        let before = fly.position;
        fly.go(Vec3::new(0.0, 3.0, 0.0));
        assert!((fly.position - before).dot(ahead).abs() < 1e-5 && (fly.position - before).z.abs() < 1e-6);
    }

    #[test]
    fn who_follows_is_behind() {
        let (middle, heading) = (Vec3::new(4.0, 5.0, 1.0), Vec2::new(0.6, 0.8));
        let eye = Viewpoint::Follow(Follow::of(3)).eye(Some((middle, heading))).expect("somebody is there");
        assert!((middle - eye.position).truncate().normalize().distance(heading) < 1e-5);
        assert!(eye.position.z > middle.z);
        assert_eq!(Viewpoint::Follow(Follow::of(3)).eye(None), None);
    }
}
