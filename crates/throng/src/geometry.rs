//! Shapes and segments: everything that is exact and does not know of cells.

use glam::Vec2;

/// An axis-aligned rectangle, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// South-west corner.
    pub min: Vec2,
    /// North-east corner.
    pub max: Vec2,
}

impl Rect {
    /// The rectangle between two corners.
    #[must_use]
    pub fn new(min: Vec2, max: Vec2) -> Self {
        Self { min, max }
    }

    /// Grown by `margin` on every side.
    #[must_use]
    pub fn grown(self, margin: f32) -> Self {
        Self::new(self.min - margin, self.max + margin)
    }

    /// The least rectangle around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    /// Whether the two share a point.
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// A shape that a scene can draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle along the axes.
    Rect(Rect),
    /// A polygon by its corners, in order; it may be concave, the even-odd rule decides.
    Polygon(Vec<Vec2>),
    /// A disc by centre and radius, in metres.
    Circle(Vec2, f32),
    /// A thin line through points; it has no inside.
    Line(Vec<Vec2>),
}

impl Shape {
    /// Whether a point lies inside (the west and south edges belong to a rectangle, the others do not, so
    /// that two rectangles that meet share no point).
    #[must_use]
    pub fn contains(&self, p: Vec2) -> bool {
        match self {
            Self::Rect(r) => p.cmpge(r.min).all() && p.cmplt(r.max).all(),
            Self::Circle(c, radius) => p.distance_squared(*c) < radius * radius,
            Self::Polygon(corners) => {
                let mut inside = false;
                let mut b = corners[corners.len() - 1];
                for &a in corners {
                    if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                        inside = !inside;
                    }
                    b = a;
                }
                inside
            }
            Self::Line(_) => false,
        }
    }

    /// Where a level line of this y lies inside, from west to east: every point of it that [`Shape::contains`] has is in one of these
    /// spans. Spans of a polygon hold no others.
    #[must_use]
    pub fn spans_at(&self, y: f32) -> Vec<[f32; 2]> {
        let bounds = self.bounds();
        if !(bounds.min.y..=bounds.max.y).contains(&y) {
            return Vec::new();
        }
        match self {
            Self::Rect(r) => vec![[r.min.x, r.max.x]],
            Self::Circle(c, radius) => {
                let away = (y - c.y) / radius;
                // As much more as rounding may make of it.
                let half = radius * (1.0 - away * away).max(0.0).sqrt() + 1e-3 * radius;
                vec![[c.x - half, c.x + half]]
            }
            Self::Polygon(corners) => {
                let sides = corners.iter().zip(corners.iter().cycle().skip(corners.len() - 1));
                let crossed = sides.filter(|(a, b)| (a.y > y) != (b.y > y));
                let mut at: Vec<f32> = crossed.map(|(a, b)| a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)).collect();
                at.sort_unstable_by(f32::total_cmp);
                at.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
            }
            Self::Line(_) => Vec::new(),
        }
    }

    /// Whether it has an extent, enough points, and finite coordinates within 10,000 km.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let within = |p: &Vec2| p.is_finite() && p.abs().max_element() <= 1e7;
        match self {
            Self::Rect(r) => within(&r.min) && within(&r.max) && r.min.cmplt(r.max).all(),
            Self::Circle(c, radius) => within(c) && *radius >= 1e-3 && *radius <= 1e7,
            Self::Polygon(points) => points.len() >= 3 && points.iter().all(within),
            Self::Line(points) => points.len() >= 2 && points.iter().all(within),
        }
    }

    /// The least rectangle around the shape.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Rect(r) => *r,
            Self::Circle(c, radius) => Rect::new(*c - *radius, *c + *radius),
            Self::Polygon(points) | Self::Line(points) => {
                let first = points[0];
                points.iter().fold(Rect::new(first, first), |r, &p| Rect::new(r.min.min(p), r.max.max(p)))
            }
        }
    }

    /// The middle of the shape: of the bounds, or of the disc.
    #[must_use]
    pub fn middle(&self) -> Vec2 {
        let b = self.bounds();
        (b.min + b.max) * 0.5
    }

    /// The outline as segments. A circle becomes a polygon whose sides stray less than a millimetre or 1 % of
    /// the radius, whichever is more.
    #[must_use]
    pub fn outline(&self) -> Vec<Segment> {
        match self {
            Self::Rect(r) => {
                let (a, b) = (r.min, r.max);
                closed(&[a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)])
            }
            Self::Polygon(corners) => closed(corners),
            Self::Circle(c, radius) => {
                let stray = (0.01 * radius).max(0.001).min(0.5 * radius);
                let half_angle = (1.0 - stray / radius).acos();
                let n = ((std::f32::consts::PI / half_angle).ceil() as usize).clamp(8, 256);
                // Around the circle, not inside it: what touches the outline is outside of the disc.
                let radius = &(radius / (std::f32::consts::PI / n as f32).cos());
                let corners: Vec<Vec2> = (0..n)
                    .map(|i| *c + Vec2::from_angle(std::f32::consts::TAU * i as f32 / n as f32) * *radius)
                    .collect();
                closed(&corners)
            }
            Self::Line(points) => points.windows(2).map(|p| Segment::new(p[0], p[1])).collect(),
        }
    }

    /// The same shape with lengths multiplied by `factor` along each axis; a disc stays round, by the first.
    #[must_use]
    pub fn scaled(&self, factor: Vec2) -> Self {
        match self {
            Self::Rect(r) => Self::Rect(Rect::new(r.min * factor, r.max * factor)),
            Self::Polygon(points) => Self::Polygon(points.iter().map(|&p| p * factor).collect()),
            Self::Circle(c, radius) => Self::Circle(*c * factor, radius * factor.x),
            Self::Line(points) => Self::Line(points.iter().map(|&p| p * factor).collect()),
        }
    }
}

/// Whether points lie on one line, or as good as.
pub(crate) fn on_one_line(points: &[Vec2]) -> bool {
    let far = points
        .iter()
        .map(|&p| p - points[0])
        .fold(Vec2::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
    points.iter().all(|&p| far.perp_dot(p - points[0]).abs() <= 1e-6 * far.length_squared())
}

fn closed(corners: &[Vec2]) -> Vec<Segment> {
    let mut a = corners[corners.len() - 1];
    corners
        .iter()
        .map(|&b| {
            let side = Segment::new(a, b);
            a = b;
            side
        })
        .collect()
}

/// A straight piece of wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// One end.
    pub a: Vec2,
    /// The other end.
    pub b: Vec2,
}

impl Segment {
    /// The segment between two points.
    #[must_use]
    pub fn new(a: Vec2, b: Vec2) -> Self {
        Self { a, b }
    }

    /// The point of the segment that is nearest to `p`.
    #[must_use]
    #[inline]
    pub fn closest(&self, p: Vec2) -> Vec2 {
        let along = self.b - self.a;
        let length_squared = along.length_squared();
        if length_squared <= 0.0 {
            return self.a;
        }
        let t = ((p - self.a).dot(along) / length_squared).clamp(0.0, 1.0);
        self.a + along * t
    }

    /// Whether the straight way from `p` to `q` meets the segment. Touching counts.
    #[must_use]
    #[inline]
    pub fn crosses(&self, p: Vec2, q: Vec2) -> bool {
        let along = self.b - self.a;
        let way = q - p;
        let side_p = along.perp_dot(p - self.a);
        let side_q = along.perp_dot(q - self.a);
        if (side_p > 0.0 && side_q > 0.0) || (side_p < 0.0 && side_q < 0.0) {
            return false;
        }
        let side_a = way.perp_dot(self.a - p);
        let side_b = way.perp_dot(self.b - p);
        if (side_a > 0.0 && side_b > 0.0) || (side_a < 0.0 && side_b < 0.0) {
            return false;
        }
        // All four zero: collinear, or a way of no length. Then only overlap counts.
        if side_p == 0.0 && side_q == 0.0 {
            return Rect::new(p.min(q), p.max(q)).touches(self.bounds());
        }
        true
    }

    /// The least rectangle around the segment.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        Rect::new(self.a.min(self.b), self.a.max(self.b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_level_line_is_inside_just_where_its_spans_are(corners in proptest::collection::vec(point(), 3..9), p in point()) {
            for shape in [
                Shape::Polygon(corners.clone()),
                Shape::Circle(corners[0], corners[1].length() + 0.01),
                Shape::Rect(Rect::new(corners[0].min(corners[1]), corners[0].max(corners[1]))),
            ] {
                let within = shape.spans_at(p.y).iter().any(|s| (s[0]..=s[1]).contains(&p.x));
                prop_assert!(within || !shape.contains(p), "{shape:?}");
                let on_rim = shape.spans_at(p.y).iter().flatten().any(|x| (x - p.x).abs() < 0.02);
                prop_assert!(shape.contains(p) || !within || on_rim, "{shape:?}");
            }
        }
    }

    fn point() -> impl Strategy<Value = Vec2> {
        (-4.0f32..4.0, -4.0f32..4.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    #[test]
    fn neighbouring_rectangles_share_no_point() {
        let a = Shape::Rect(Rect::new(Vec2::ZERO, Vec2::ONE));
        let b = Shape::Rect(Rect::new(Vec2::new(1.0, 0.0), Vec2::new(2.0, 1.0)));
        let edge = Vec2::new(1.0, 0.5);
        assert!(!a.contains(edge) && b.contains(edge));
    }

    #[test]
    fn a_concave_polygon_excludes_its_notch() {
        let corners = [[0., 0.], [4., 0.], [4., 4.], [2., 1.], [0., 4.]].map(Vec2::from).to_vec();
        let shape = Shape::Polygon(corners);
        assert!(shape.contains(Vec2::new(0.5, 2.0)));
        assert!(!shape.contains(Vec2::new(2.0, 2.0)));
    }

    #[test]
    fn a_circle_outline_stays_near_the_circle() {
        for radius in [0.05f32, 0.3, 5.0, 400.0] {
            let shape = Shape::Circle(Vec2::new(3.0, 4.0), radius);
            for side in shape.outline() {
                let (middle, centre) = ((side.a + side.b) * 0.5, Vec2::new(3.0, 4.0));
                let (near, far) = (middle.distance(centre) - radius, side.a.distance(centre) - radius);
                assert!(near >= -1e-5 * radius.max(5.0), "{radius}: a side reaches {near} into the disc");
                assert!(far <= 0.012 * radius.max(0.1), "{radius}: a corner is {far} out");
            }
        }
    }

    proptest! {
        #[test]
        fn the_closest_point_is_no_farther_than_any_sample(a in point(), b in point(), p in point()) {
            let s = Segment::new(a, b);
            let d = s.closest(p).distance(p);
            for i in 0..=20 {
                prop_assert!(d <= (a + (b - a) * (i as f32 / 20.0)).distance(p) + 1e-5);
            }
        }

        #[test]
        fn crossing_is_symmetric_and_agrees_with_distance_zero(a in point(), b in point(), p in point(), q in point()) {
            let s = Segment::new(a, b);
            prop_assert_eq!(s.crosses(p, q), s.crosses(q, p));
            if s.crosses(p, q) {
                let way = Segment::new(p, q);
                let gap = [s.closest(p).distance(p), s.closest(q).distance(q),
                    way.closest(a).distance(a), way.closest(b).distance(b)].into_iter().fold(f32::MAX, f32::min);
                let opposite = (b - a).perp_dot(p - a) * (b - a).perp_dot(q - a) <= 0.0;
                prop_assert!(opposite || gap < 1e-4);
            }
        }
    }
}
