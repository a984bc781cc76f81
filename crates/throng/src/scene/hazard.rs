//! `[[hazard]]`: what people avoid and flee from. Where one is at a time is said by `world/hazards.rs`.

use super::parameters::choices;
use glam::Vec2;

/// Hazards that a scene may have: everybody asks about each in every step.
pub const MOST_HAZARDS: usize = 64;
/// Corners that the way of one may have.
pub(crate) const MOST_CORNERS: usize = 1024;
/// No place, length or speed of one is greater.
const FARTHEST: f32 = 1e7;

choices! {
    /// What a hazard is.
    pub enum HazardKind {
        /// A cloud that drifts, grows and fades.
        Gas = "gas",
        /// Somebody whom nobody wants to meet: it walks its way, or stands where it is put.
        Ghost = "ghost",
    }
}

/// When something begins or ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Moment {
    /// At a time, s.
    At(f32),
    /// With the first event of a name.
    Event(String),
}

/// Something that people avoid and flee from.
#[derive(Clone, Debug, PartialEq)]
pub struct Hazard {
    /// What people call it.
    pub name: String,
    /// What it is.
    pub kind: HazardKind,
    /// Where its middle is; or, from two points on, the corners of the way that it walks, m.
    pub path: Vec<Vec2>,
    /// How fast it walks its way, m/s.
    pub speed: f32,
    /// Whether it goes on from the last corner to the first, again and again; else it stops at the last.
    pub again: bool,
    /// How it drifts from where it is, m/s.
    pub drift: Vec2,
    /// From its middle to its rim at first, m.
    pub radius: f32,
    /// How fast that grows, m/s.
    pub growth: f32,
    /// Up to this, m.
    pub radius_max: f32,
    /// How much worse it is than one of strength 1.
    pub strength: f32,
    /// Who is nearer than this to its rim flees, m.
    pub fear: f32,
    /// When it appears.
    pub from: Moment,
    /// When it begins to fade; without that a hazard with a time to fade does so from the beginning, and others stay.
    pub until: Option<Moment>,
    /// How long it takes to fade, s.
    pub fade: f32,
    /// How long after it appeared it appears again, as at first, and so on, s; 0 if it does not.
    pub every: f32,
    /// The step before which a call put it where it is; 0 if it was there from the beginning.
    pub since: u32,
    /// A call has taken it away.
    pub gone: bool,
}

impl Hazard {
    /// One that stands somewhere, with the reader's defaults.
    #[must_use]
    pub fn new(name: &str, kind: HazardKind, at: Vec2, radius: f32) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            path: vec![at],
            speed: 1.0,
            again: false,
            drift: Vec2::ZERO,
            radius,
            growth: 0.0,
            radius_max: radius,
            strength: 1.0,
            fear: 0.5 * radius,
            from: Moment::At(0.0),
            until: None,
            fade: 0.0,
            every: 0.0,
            since: 0,
            gone: false,
        }
    }

    /// Whether a scene could say it, but for its name and the events that it names.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let time = |m: &Moment| match m {
            Moment::At(seconds) => (0.0..=FARTHEST).contains(seconds),
            Moment::Event(_) => true,
        };
        let lengths = [self.radius, self.radius_max];
        let amounts = [
            (self.speed, 100.0),
            (self.growth, 100.0),
            (self.strength, 1e4),
            (self.fear, MOST_RADIUS),
            (self.fade, FARTHEST),
            (self.every, FARTHEST),
        ];
        let plain =
            self.drift == Vec2::ZERO && self.growth == 0.0 && self.fade == 0.0 && self.radius == self.radius_max;
        (1..=MOST_CORNERS).contains(&self.path.len())
            && self.path.iter().chain([&self.drift]).all(|p| p.is_finite() && p.abs().max_element() <= FARTHEST)
            && lengths.iter().all(|r| (LEAST_RADIUS..=MOST_RADIUS).contains(r))
            && self.radius <= self.radius_max
            && amounts.iter().all(|(x, most)| (0.0..=*most).contains(x))
            && (self.path.len() == 1 || self.drift == Vec2::ZERO)
            && (self.kind == HazardKind::Gas || plain)
            && time(&self.from)
            && self.until.as_ref().is_none_or(time)
            && (self.every == 0.0 || self.lasts() <= self.every)
    }

    /// How long it is there, as far as the scene says when, s.
    #[must_use]
    pub(crate) fn lasts(&self) -> f32 {
        match (&self.from, &self.until) {
            (Moment::At(from), Some(Moment::At(until))) => until - from + self.fade,
            _ => self.fade,
        }
    }
}

/// The smallest and the largest hazard, m.
pub(crate) const LEAST_RADIUS: f32 = 0.05;
pub(crate) const MOST_RADIUS: f32 = 1e4;
