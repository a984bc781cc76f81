//! Hazards: where each is at a step, and what it means to be near one.
//!
//! Everything about a hazard follows from the scene, the time and the calls that have put it somewhere (`Course::at`), so nothing is
//! kept from step to step. What matters to a step is a short list of discs ([`Disc`]); the shaders get the same list (hazards.wgsl).
//!
//! The field that plans count is
//!
//! ```text
//! A(x) = Σ strength·max(0, 1 − |x − centre| / reach),   reach = radius + fear
//! ```
//!
//! so that ways already keep away from where people would flee.

use super::grid::Grid;
use crate::scene::{Hazard, Moment, Signals};
use crate::stages::live::cpu::steps;
use bytemuck::{Pod, Zeroable};
use glam::Vec2;

/// How far the next hazard is where there is none, m.
pub const NO_HAZARD: f32 = 1e9;

/// A hazard in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Disc {
    /// Its middle.
    pub centre: Vec2,
    /// From there to its rim, m.
    pub radius: f32,
    /// Who is nearer than this to its middle flees, m.
    pub reach: f32,
    /// How bad it is in the middle.
    pub strength: f32,
    /// Its number in the scene.
    pub number: u32,
    padding: [u32; 2],
}

impl Disc {
    /// How bad it is somewhere.
    #[must_use]
    #[inline]
    pub fn amount(&self, p: Vec2) -> f32 {
        self.strength * (1.0 - p.distance(self.centre) / self.reach).max(0.0)
    }

    /// Whether a run may have it.
    pub(crate) fn is_sound(&self) -> bool {
        self.centre.is_finite()
            && self.radius > 0.0
            && self.reach >= self.radius
            && self.reach.is_finite()
            && (0.0..=f32::MAX).contains(&self.strength)
    }
}

/// How far somebody is from the rim of the nearest of some hazards, m: below 0 inside, [`NO_HAZARD`] if there is none.
#[must_use]
pub fn distance(discs: &[Disc], p: Vec2) -> f32 {
    discs.iter().map(|disc| p.distance(disc.centre) - disc.radius).fold(NO_HAZARD, f32::min)
}

/// A hazard of the scene, in steps.
#[derive(Clone, Debug)]
struct Course {
    hazard: Hazard,
    begin: Option<u32>,
    end: Option<u32>,
    /// Steps after which it begins again.
    every: Option<u32>,
    dt: f32,
}

impl Course {
    fn new(hazard: &Hazard, signals: &Signals, dt: f32) -> Self {
        let step = |moment: &Moment| match moment {
            Moment::At(seconds) => Some(steps(*seconds, dt)),
            Moment::Event(name) => signals.all(name).first().copied(),
        };
        let begin = step(&hazard.from);
        let end = match &hazard.until {
            Some(moment) => step(moment),
            None if hazard.fade > 0.0 => begin,
            None => None,
        };
        let every = (hazard.every > 0.0).then(|| steps(hazard.every, dt).max(1));
        Self { hazard: hazard.clone(), begin, end, every, dt }
    }

    /// Where it is in a step, if it is there.
    fn at(&self, step: u32, number: usize) -> Option<Disc> {
        let hazard = &self.hazard;
        let first = self.begin.filter(|&begin| begin <= step && !hazard.gone)?;
        let later = self.every.map_or(0, |every| (step - first) / every * every);
        let (begin, end) = (first + later, self.end.map(|end| end.saturating_add(later)));
        let seconds = |since: u32| f64::from(step.saturating_sub(since)) * f64::from(self.dt);
        let share = match end.filter(|&end| end <= step) {
            None => 1.0,
            Some(end) if hazard.fade > 0.0 => 1.0 - (seconds(end) / f64::from(hazard.fade)) as f32,
            Some(_) => 0.0,
        };
        if share <= 0.0 {
            return None;
        }
        let moved = seconds(begin.max(hazard.since));
        let centre = match hazard.path[..] {
            [at] => at + hazard.drift * moved as f32,
            _ => along(&hazard.path, moved * f64::from(hazard.speed), hazard.again),
        };
        let radius = (hazard.radius + (seconds(begin) * f64::from(hazard.growth)) as f32).min(hazard.radius_max);
        Some(Disc {
            centre,
            radius,
            reach: radius + hazard.fear * share,
            strength: hazard.strength * share,
            number: number as u32,
            padding: [0; 2],
        })
    }
}

/// So many metres along a way of straight pieces; again and again if it leads back to its beginning.
fn along(path: &[Vec2], metres: f64, again: bool) -> Vec2 {
    let pieces = if again { path.len() } else { path.len() - 1 };
    let piece = |k: usize| (path[k], path[(k + 1) % path.len()]);
    let length = |k: usize| f64::from(piece(k).0.distance(piece(k).1));
    let whole: f64 = (0..pieces).map(length).sum();
    let mut left = if again && whole > 0.0 { metres % whole } else { metres };
    for k in 0..pieces {
        let (a, b) = piece(k);
        if left < length(k) {
            return a.lerp(b, (left / length(k)) as f32);
        }
        left -= length(k);
    }
    if again { path[0] } else { path[path.len() - 1] }
}

/// The hazards of a world.
#[derive(Clone, Debug, Default)]
pub struct Hazards {
    courses: Vec<Course>,
    now: Vec<Disc>,
}

impl Hazards {
    /// Those of a scene, as they are at the beginning.
    #[must_use]
    pub fn new(list: &[Hazard], signals: &Signals, dt: f32) -> Self {
        let mut hazards = Self { courses: list.iter().map(|h| Course::new(h, signals, dt)).collect(), now: Vec::new() };
        hazards.go_to(0);
        hazards
    }

    /// Where they are in a step.
    #[must_use]
    pub fn at(&self, step: u32) -> Vec<Disc> {
        self.courses.iter().enumerate().filter_map(|(number, course)| course.at(step, number)).collect()
    }

    /// Where they were in the step done last, or are in the one under way.
    #[must_use]
    pub fn now(&self) -> &[Disc] {
        &self.now
    }

    /// When a step begins.
    pub(crate) fn go_to(&mut self, step: u32) {
        self.now = self.at(step);
    }

    /// As they were when a plan was made.
    pub(crate) fn go_back(&mut self, discs: &[Disc]) {
        self.now = discs.to_vec();
    }

    /// Puts one in the place of another, or behind the last.
    pub(crate) fn set(&mut self, number: usize, hazard: &Hazard, signals: &Signals, dt: f32) {
        let course = Course::new(hazard, signals, dt);
        match self.courses.get_mut(number) {
            Some(old) => *old = course,
            None => self.courses.push(course),
        }
    }

    /// Adds the field of all of them, times a factor, to a value per cell.
    pub fn add_field(&self, grid: &Grid, factor: f32, values: &mut [f32]) {
        for disc in &self.now {
            let around = crate::geometry::Rect::new(disc.centre, disc.centre).grown(disc.reach);
            let (columns, rows) = grid.cells_in(around);
            for y in rows {
                for x in columns.clone() {
                    values[y * grid.width + x] += factor * disc.amount(grid.centre(x, y));
                }
            }
        }
    }

    /// The field of all of them.
    #[must_use]
    pub fn field(&self, grid: &Grid) -> Vec<f32> {
        let mut values = vec![0.0; grid.len()];
        self.add_field(grid, 1.0, &mut values);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::HazardKind;

    fn at(hazard: &Hazard, seconds: f32) -> Option<Disc> {
        Hazards::new(std::slice::from_ref(hazard), &Signals::default(), 0.5).at((2.0 * seconds) as u32).pop()
    }

    #[test]
    fn a_ghost_walks_its_way_and_stops_at_the_end_or_begins_again() {
        let corners = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 4.0)];
        let mut ghost =
            Hazard { path: corners.to_vec(), speed: 2.0, ..Hazard::new("g", HazardKind::Ghost, Vec2::ZERO, 1.0) };
        let places = |ghost: &Hazard| [0.0, 1.0, 3.0, 4.0, 9.0].map(|s| at(ghost, s).expect("it is there").centre);
        let open = places(&ghost);
        assert_eq!(open, [(0.0, 0.0), (2.0, 0.0), (4.0, 2.0), (4.0, 4.0), (4.0, 4.0)].map(Vec2::from));
        ghost.again = true;
        // The way back is √32 m: after 18 m it has been round once and is on its second piece again.
        let round = places(&ghost);
        assert_eq!(round[..4], open[..4]);
        assert!(round[4].distance(Vec2::new(4.0, 18.0 - 12.0 - 32f32.sqrt())) < 1e-4, "{}", round[4]);
    }

    #[test]
    fn a_cloud_drifts_grows_and_fades() {
        let cloud = Hazard {
            drift: Vec2::new(0.5, -1.0),
            growth: 0.25,
            radius_max: 2.0,
            from: Moment::At(2.0),
            until: Some(Moment::At(10.0)),
            fade: 4.0,
            ..Hazard::new("c", HazardKind::Gas, Vec2::new(5.0, 20.0), 1.0)
        };
        assert_eq!(at(&cloud, 1.5), None);
        let (young, old) = (at(&cloud, 4.0).expect("there"), at(&cloud, 12.0).expect("there"));
        assert_eq!((young.centre, young.radius, young.reach, young.strength), (Vec2::new(6.0, 18.0), 1.5, 2.0, 1.0));
        assert_eq!((old.centre, old.radius, old.reach, old.strength), (Vec2::new(10.0, 10.0), 2.0, 2.25, 0.5));
        assert_eq!(at(&cloud, 14.0), None);
        let again = Hazard { every: 30.0, ..cloud.clone() };
        for seconds in [1.5, 4.0, 12.0, 14.0, 31.5] {
            assert_eq!(at(&again, seconds), at(&cloud, seconds));
        }
        for seconds in [2.0, 4.0, 12.0, 14.0, 31.5] {
            assert_eq!(at(&again, seconds + 30.0), at(&cloud, seconds), "after {seconds} s of its second time");
            assert_eq!(at(&again, seconds + 90.0), at(&cloud, seconds), "after {seconds} s of its fourth time");
        }
        let puff = Hazard { until: None, ..cloud };
        assert_eq!((at(&puff, 4.0).expect("there").strength, at(&puff, 6.0)), (0.5, None));
    }

    #[test]
    fn the_field_and_the_distance_follow_their_laws() {
        let discs = Hazards::new(
            &[(2.0, 1.0), (9.0, 2.0)].map(|(x, r)| Hazard::new("h", HazardKind::Gas, Vec2::new(x, 5.0), r)),
            &Signals::default(),
            0.1,
        );
        let grid = Grid { width: 24, height: 20, cell: 0.5 };
        let values = discs.field(&grid);
        for (cell, value) in values.iter().enumerate() {
            let p = grid.centre(cell % 24, cell / 24);
            let cone = |x: f32, reach: f32| (1.0 - p.distance(Vec2::new(x, 5.0)) / reach).max(0.0);
            assert!((value - cone(2.0, 1.5) - cone(9.0, 3.0)).abs() < 1e-6, "at {p}");
        }
        assert!((distance(discs.now(), Vec2::new(5.0, 5.0)) - 2.0).abs() < 1e-6);
        assert!((distance(discs.now(), Vec2::new(9.5, 5.0)) + 1.5).abs() < 1e-6);
        assert_eq!(distance(&[], Vec2::ZERO), NO_HAZARD);
    }
}
