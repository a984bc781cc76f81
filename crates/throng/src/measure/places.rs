//! What happens at places that a scene names: who crosses a line, and how dense and how fast an area is.

use crate::geometry::{Segment, Shape};
use glam::Vec2;

/// Somebody who crosses a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// When, s.
    pub time: f64,
    /// Who.
    pub id: u32,
    /// From its left to its right, as seen from the line's first point to its second.
    pub forward: bool,
}

/// A line that counts who crosses it, as often as they do.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What people call it.
    pub name: String,
    /// Where it is.
    pub at: Segment,
    /// Everybody who crossed it, in order of time.
    pub crossings: Vec<Crossing>,
}

impl Line {
    /// A line that nobody has crossed.
    #[must_use]
    pub fn new(name: &str, at: Segment) -> Self {
        Self { name: name.to_owned(), at, crossings: Vec::new() }
    }

    /// Whether the straight way from `p` to `q` crosses it, and if so whether forward. Who stands on it is on its right.
    #[must_use]
    pub fn crossed(&self, p: Vec2, q: Vec2) -> Option<bool> {
        let left = |at: Vec2| (self.at.b - self.at.a).perp_dot(at - self.at.a) > 0.0;
        (left(p) != left(q) && self.at.crosses(p, q)).then(|| left(p))
    }

    /// How often it was crossed forward and backward.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        let forward = self.crossings.iter().filter(|c| c.forward).count();
        [forward, self.crossings.len() - forward]
    }

    /// Persons per second in both directions, from the first crossing to the last: `(n − 1) / Δt`.
    #[must_use]
    pub fn flow(&self) -> Option<f64> {
        let time = self.crossings.last()?.time - self.crossings.first()?.time;
        (time > 0.0).then(|| (self.crossings.len() - 1) as f64 / time)
    }

    /// Its length, m.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.at.a.distance(self.at.b)
    }
}

/// Fruin's levels of service of walkways, from A (free) to F (jammed).
pub const LEVELS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

/// Up to how many persons per square metre a walkway has the levels A to E; above it is F. Fruin's limits are 3.24, 2.32, 1.39, 0.93
/// and 0.46 m² a person (Pedestrian Planning and Design, 1971).
pub const LEVEL_LIMITS: [f64; 5] = [1.0 / 3.24, 1.0 / 2.32, 1.0 / 1.39, 1.0 / 0.93, 1.0 / 0.46];

/// The level of service of a walkway at a density in persons/m², as a place in [`LEVELS`].
#[must_use]
pub fn level_of_service(density: f64) -> usize {
    LEVEL_LIMITS.iter().filter(|&&limit| density > limit).count()
}

/// An area at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When, s.
    pub time: f64,
    /// Whose centres are in it.
    pub persons: u32,
    /// How fast they are on average, m/s; 0 without anybody.
    pub speed: f32,
}

/// An area whose density and speed are taken again and again, by the classic method: persons by area, and their mean speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// What people call it.
    pub name: String,
    /// Where it is.
    pub shape: Shape,
    /// Its size, m². Walls in it count as floor.
    pub size: f64,
    /// In order of time.
    pub samples: Vec<Sample>,
}

impl Area {
    /// An area without samples.
    #[must_use]
    pub fn new(name: &str, shape: &Shape) -> Self {
        Self { name: name.to_owned(), shape: shape.clone(), size: size(shape), samples: Vec::new() }
    }

    /// Persons/m² at a sample.
    #[must_use]
    pub fn density(&self, sample: &Sample) -> f64 {
        f64::from(sample.persons) / self.size
    }

    /// Mean density over all samples, persons/m².
    #[must_use]
    pub fn mean_density(&self) -> Option<f64> {
        let n = self.samples.len();
        (n > 0).then(|| self.samples.iter().map(|s| self.density(s)).sum::<f64>() / n as f64)
    }

    /// The greatest density, persons/m².
    #[must_use]
    pub fn most_density(&self) -> f64 {
        self.samples.iter().map(|s| self.density(s)).fold(0.0, f64::max)
    }

    /// Mean speed over all persons of all samples, m/s.
    #[must_use]
    pub fn mean_speed(&self) -> Option<f64> {
        let persons: f64 = self.samples.iter().map(|s| f64::from(s.persons)).sum();
        let sum: f64 = self.samples.iter().map(|s| f64::from(s.persons) * f64::from(s.speed)).sum();
        (persons > 0.0).then(|| sum / persons)
    }

    /// The share of samples, that is of time, at each of the [`LEVELS`].
    #[must_use]
    pub fn levels(&self) -> [f64; 6] {
        let mut shares = [0.0; 6];
        for sample in &self.samples {
            shares[level_of_service(self.density(sample))] += 1.0 / self.samples.len() as f64;
        }
        shares
    }
}

/// The size of a shape, m².
fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Rect(r) => f64::from(r.max.x - r.min.x) * f64::from(r.max.y - r.min.y),
        Shape::Circle(_, radius) => std::f64::consts::PI * f64::from(*radius).powi(2),
        Shape::Polygon(corners) => {
            let from = corners[0].as_dvec2();
            let corner = |i: usize| corners[i % corners.len()].as_dvec2() - from;
            0.5 * (0..corners.len()).map(|i| corner(i).perp_dot(corner(i + 1))).sum::<f64>().abs()
        }
        Shape::Line(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    #[test]
    fn levels_are_those_of_fruins_table() {
        for (area, level) in [(10.0, 'A'), (3.3, 'A'), (3.0, 'B'), (2.0, 'C'), (1.0, 'D'), (0.5, 'E'), (0.4, 'F')] {
            assert_eq!(LEVELS[level_of_service(1.0 / area)], level, "{area} m² a person");
        }
        assert_eq!(LEVELS[level_of_service(0.0)], 'A');
    }

    #[test]
    fn areas_know_their_size_and_average_over_persons() {
        let mut area = Area::new("hall", &Shape::Rect(Rect::new(Vec2::ZERO, Vec2::new(2.0, 5.0))));
        area.samples =
            [(0.0, 10, 1.0), (0.2, 30, 0.5)].map(|(time, persons, speed)| Sample { time, persons, speed }).to_vec();
        assert_eq!((area.size, area.mean_density(), area.most_density()), (10.0, Some(2.0), 3.0));
        assert_eq!(area.mean_speed(), Some(0.625));
        assert_eq!(area.levels(), [0.0, 0.0, 0.0, 0.5, 0.0, 0.5]);
        let l = [[0., 0.], [4., 0.], [4., 1.], [1., 1.], [1., 3.], [0., 3.]].map(Vec2::from).to_vec();
        assert_eq!(Area::new("corner", &Shape::Polygon(l)).size, 6.0);
    }

    #[test]
    fn a_line_is_crossed_once_whoever_stops_on_it() {
        let line = Line::new("gate", Segment::new(Vec2::ZERO, Vec2::new(0.0, 2.0)));
        let at = |x: f32, y: f32| Vec2::new(x, y);
        assert_eq!(line.crossed(at(-1.0, 1.0), at(1.0, 1.0)), Some(true), "from its left to its right");
        assert_eq!(line.crossed(at(1.0, 1.0), at(-1.0, 1.0)), Some(false));
        assert_eq!(line.crossed(at(-1.0, 3.0), at(1.0, 3.0)), None, "past its end");
        let way = [-1.0, 0.0, 0.0, 1.0].map(|x| at(x, 1.0));
        assert_eq!(way.windows(2).filter_map(|w| line.crossed(w[0], w[1])).collect::<Vec<_>>(), [true]);
    }
}
