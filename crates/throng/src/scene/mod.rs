//! What a scene is: everything that a run starts from.
//!
//! [`Scene::parse`] reads the language of `docs/scene.md`; files that a scene names come through [`Files`], so
//! this library never opens a path. [`Scene::to_toml`] writes every value in force back in the same language.

mod builtin;
mod cells;
mod distribution;
mod edit;
mod error;
mod event;
mod excerpt;
mod files;
mod hazard;
mod journey;
mod looks;
pub(crate) mod machine;
mod merge;
mod model;
mod needs;
pub mod parameters;
mod read;
mod scale;
mod show;
mod show_states;
mod start;
mod terrain;
mod value;

pub use crate::stages::steer::Steer;
pub use builtin::{BUILT_IN, BuiltIn, built_in};
pub use distribution::Distribution;
pub use edit::with_value;
pub use error::{SceneError, Source};
pub use event::{Change, Event, Signals};
pub use excerpt::{is_printable, printable};
pub use hazard::{Hazard, HazardKind, MOST_HAZARDS, Moment};
pub use journey::{Leg, Target, Wait};
pub use looks::{CharacterFile, MOST_CHARACTERS, Picture, Sprite};
pub use machine::{Does, MachineState, Nearby, Transition, When};
pub use model::{Model, OwnWeights, Plan, Weights};
pub use needs::MemoryNeeds;
pub use parameters::Parameters;
pub use scale::ScaleError;
pub use terrain::{HeightMap, Hill, LocalWeights, STEEPEST, SlopeLaw, Terrain};
pub use value::nearest;

pub(crate) use hazard::MOST_CORNERS;
pub(crate) use read::{MOST_AGENTS, MOST_GROUPS};

use crate::budget::Budget;
use crate::geometry::{Rect, Shape};
use crate::stages::speed::cpu::Law;
use crate::stages::steer::bvp::Manner;
use crate::world::grid::Grid;
use glam::Vec2;
use std::ops::Range;

/// Gives a scene the files that it names.
pub trait Files {
    /// The bytes of a file, or why they cannot be had.
    ///
    /// # Errors
    /// A sentence for the user.
    fn read(&self, name: &str) -> Result<Vec<u8>, String>;

    /// The memory that the scene may take: its text, its images, and runs of it on the CPU, all together.
    fn budget(&self) -> Budget {
        Budget::default()
    }
}

/// For scenes that name no files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("this scene was loaded without a folder to look in".into())
    }
}

/// A scene, complete and within range. Whether its crowd fits and can reach its goals is found out when a
/// [`crate::Simulation`] is made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What people call it.
    pub name: String,
    /// The raster.
    pub grid: Grid,
    /// Time step, in seconds.
    pub dt: f32,
    /// Seed of all randomness.
    pub seed: u32,
    /// Walls and ground.
    pub map: Map,
    /// How high the floor is.
    pub terrain: Terrain,
    /// Where the parts of the cost of `plan = "froblins"` count more or less.
    pub local_weights: Vec<LocalWeights>,
    /// Where agents can head for.
    pub goals: Vec<Goal>,
    /// Who walks.
    pub groups: Vec<Group>,
    /// The machine that groups live by that have a state instead of a journey.
    pub states: Vec<MachineState>,
    /// Places that change speed.
    pub zones: Vec<Zone>,
    /// Ways between places that are not neighbours.
    pub portals: Vec<Portal>,
    /// Doors at which one direction goes first.
    pub doors: Vec<Door>,
    /// What people avoid and flee from.
    pub hazards: Vec<Hazard>,
    /// What happens when.
    pub events: Vec<Event>,
    /// What is measured where; nothing in a run depends on it.
    pub measures: Vec<Measure>,
    /// How the crowd is modelled.
    pub model: Model,
    pub(crate) source: Source,
    pub(crate) memory: needs::Memory,
}

/// Walls and ground.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Map {
    /// Name of the image of walls and discomfort.
    pub image: Option<String>,
    /// Name of the image of goals.
    pub exits: Option<String>,
    /// Cells painted as wall by the image, south row first; empty without an image.
    pub painted: Vec<bool>,
    /// Discomfort per cell, from the image; empty without one.
    pub ground: Vec<f32>,
    /// Walls as shapes.
    pub walls: Vec<WallSpec>,
    /// Discomfort as shapes, with its amount.
    pub discomfort: Vec<(Shape, f32)>,
    /// What a viewer shows under everything, stretched over the world.
    pub background: Option<Picture>,
    /// What painted ground covers.
    pub(crate) under: cells::Under,
}

/// A wall as written in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct WallSpec {
    /// For events.
    pub name: Option<String>,
    /// Where.
    pub shape: Shape,
    /// Not there at first.
    pub open: bool,
    /// Added by a call while a run went on; those follow the others.
    pub added: bool,
}

/// A place to head for.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What journeys call it.
    pub name: String,
    /// Where it is; the nearest shape counts.
    pub shapes: Vec<Shape>,
    /// Its cells where it comes from an image, as plain indices; else empty.
    pub cells: Vec<u32>,
    /// Whether people can arrive there at first.
    pub open: bool,
    /// How many it holds at most, all its shapes together.
    pub capacity: Option<u32>,
    /// How many each of its shapes holds at most, by number; shapes beyond the list hold any number.
    pub capacities: Vec<Option<u32>>,
    pub(crate) mark: Range<usize>,
}

/// A part of the crowd.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What people call it.
    pub name: String,
    /// How many.
    pub count: u32,
    /// Persons per square metre of the start area, if the scene says so instead of a count.
    pub density: Option<f32>,
    /// Start area; empty means anywhere.
    pub start: Vec<Shape>,
    /// How they are placed.
    pub place: Place,
    /// Body radius, m.
    pub radius: Distribution,
    /// Preferred speed, m/s.
    pub speed: Distribution,
    /// Turn rate, rad/s.
    pub turn: Distribution,
    /// When they set out, s.
    pub delay: Distribution,
    /// The event that the delay counts from, by its name; else from the beginning.
    pub delay_until: Option<String>,
    /// Where they go, in order; of those who live by states a leg for each.
    pub journey: Vec<Leg>,
    /// The state that they begin with, by number, if they live by states.
    pub state: Option<u16>,
    /// How near to a point of its own somebody has arrived, m; of those who live by states also how near to a goal, and each may
    /// have its own.
    pub goal_distance: Distribution,
    /// What happens after the last leg.
    pub arrive: Arrive,
    /// Where they enter again; empty means the start area.
    pub entry: Vec<Shape>,
    /// If they come in one by one, how many a second.
    pub rate: Option<f32>,
    /// Whether such a source lets people in at first.
    pub on: bool,
    /// Weights of its own.
    pub weights: OwnWeights,
    /// What they know of walls that come and go.
    pub knows: Knows,
    /// How they walk with `steer = "bvp"`, if not as the model says.
    pub manner: Option<Manner>,
    /// How a viewer draws them from above.
    pub sprite: Sprite,
    /// Whom a viewer draws them as in three dimensions, if not as everybody else.
    pub character: Option<CharacterFile>,
    pub(crate) marks: GroupMarks,
}

impl Group {
    /// A group with the reader's defaults: so many in a start area (empty means anywhere), on a journey.
    #[must_use]
    pub fn new(name: &str, count: u32, start: Vec<Shape>, journey: Vec<Leg>) -> Self {
        Self {
            name: name.to_owned(),
            count,
            density: None,
            start,
            place: Place::Lattice,
            radius: Distribution::Constant(0.2),
            speed: Distribution::Normal { mean: 1.34, deviation: 0.26, min: 0.56, max: 2.12 },
            turn: Distribution::Constant(5.0),
            delay: Distribution::Constant(0.0),
            delay_until: None,
            journey,
            state: None,
            goal_distance: Distribution::Constant(GOAL_DISTANCE),
            arrive: Arrive::Park,
            entry: Vec::new(),
            rate: None,
            on: true,
            weights: OwnWeights::default(),
            knows: Knows::AtOnce,
            manner: None,
            sprite: Sprite::Person,
            character: None,
            marks: GroupMarks::default(),
        }
    }
}

/// When people know that a wall has come or gone: one with a name, or that a call has added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knows {
    /// At once, wherever they are.
    AtOnce,
    /// So many seconds later, wherever they are.
    After(f32),
    /// When they see one of those that have changed.
    OnSight,
}

/// How near to a point somebody has arrived, m, where the scene does not say.
pub const GOAL_DISTANCE: f32 = 0.3;

/// Where a group's values stand in the text.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct GroupMarks {
    pub(crate) table: Range<usize>,
    pub(crate) count: Range<usize>,
    pub(crate) start: Range<usize>,
    pub(crate) journey: Range<usize>,
    pub(crate) entry: Range<usize>,
    pub(crate) character: Range<usize>,
}

/// How a group is placed at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a jittered lattice, shuffled, nobody overlapping.
    Lattice,
    /// Anywhere in the area, overlapping or not.
    Random,
}

/// What happens after the last leg of a journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrive {
    /// Leave the floor for good.
    Park,
    /// Begin the journey again.
    Next,
    /// Enter again in the entry area.
    Respawn,
}

/// A place that changes speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// For events.
    pub name: String,
    /// Where.
    pub shape: Shape,
    /// Factor on everybody's speed.
    pub speed: f32,
}

/// A way between two places that are not neighbours: stairs, a lift, a tunnel.
#[derive(Clone, Debug, PartialEq)]
pub struct Portal {
    /// What people call it.
    pub name: String,
    /// The two places, equal in size, m.
    pub between: [Rect; 2],
    /// How far it is from one to the other, m.
    pub length: f32,
    /// Factor on everybody's speed on the way.
    pub speed: f32,
}

/// A door at which people let those who come the other way pass first.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// What people call it.
    pub name: String,
    /// From jamb to jamb, m.
    pub line: [Vec2; 2],
    /// The direction that goes first.
    pub first: First,
    /// How far from the line people count, m.
    pub reach: f32,
    /// How long people hold back, s.
    pub patience: f32,
}

/// Which way through a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// From the left to the right of somebody who looks from the line's first point to its second.
    Forward,
    /// The other way.
    Backward,
}

/// A place that is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What people call it.
    pub name: String,
    /// A line between two points, whose crossings are counted; or an area, whose density and speed are taken.
    pub shape: Shape,
}

impl Scene {
    /// What to say besides where an image has made most of the world a wall: plans are drawn on white paper.
    pub(crate) fn mostly_wall(&self) -> &'static str {
        let walls = self.map.painted.iter().filter(|&&wall| wall).count();
        if self.map.image.is_some() && 2 * walls > self.grid.len() {
            ". Most of the image is wall: what is red or white in it is wall, black is free floor"
        } else {
            ""
        }
    }

    /// Reads a scene. `name` is the file's name, for messages and as the default name of the scene.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and what would be right; [`SceneError::others`] has what else was found.
    pub fn parse(name: &str, text: &str, files: &dyn Files) -> Result<Self, SceneError> {
        read::scene(Source { name: name.to_owned(), text: text.to_owned() }, files)
    }

    /// A built-in scene by name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        built_in(name)
            .map(|b| Self::parse(&format!("{name}.toml"), b.text, &b).expect("a test loads every built-in scene"))
    }

    /// Whether there is any door at which one direction goes first.
    #[must_use]
    pub fn has_doors(&self) -> bool {
        !self.doors.is_empty()
    }

    /// Whether there is, or was, anything that people flee from.
    #[must_use]
    pub fn has_hazards(&self) -> bool {
        !self.hazards.is_empty()
    }

    /// How much faster than they walk people may flee, as far as the scene foresees it; at least 1.
    pub(crate) fn flee_limit(&self) -> f32 {
        if self.has_hazards() { self.model.flee_speed.max(1.0) } else { 1.0 }
    }

    /// All agents that the scene will ever have.
    #[must_use]
    pub fn agent_count(&self) -> u64 {
        self.groups.iter().map(|g| u64::from(g.count)).sum()
    }

    /// The speed that the planner reckons with: the mean preferred speed of the crowd, m/s.
    #[must_use]
    pub fn reference_speed(&self) -> f32 {
        let n: f64 = self.groups.iter().map(|g| f64::from(g.count)).sum();
        if n == 0.0 {
            return 1.34;
        }
        let sum: f64 = self.groups.iter().map(|g| f64::from(g.count) * f64::from(g.speed.typical())).sum();
        (sum / n) as f32
    }

    /// The speed law of the model, for this crowd.
    pub(crate) fn law(&self) -> Law {
        let top = self.groups.iter().map(|g| g.speed.max()).fold(0.1, f32::max);
        Law::new(&self.model, self.reference_speed(), top)
    }

    /// The widest body, m; 0 without groups.
    #[must_use]
    pub fn widest_radius(&self) -> f32 {
        self.groups.iter().map(|g| g.radius.max()).fold(0.0, f32::max)
    }

    /// The fastest anybody may walk, m/s.
    #[must_use]
    pub fn top_speed(&self) -> f32 {
        self.top_speed_within(&self.zone_limits(), self.flee_limit())
    }

    /// The same where zones have these factors at most, and people flee at most so much faster than they walk.
    pub(crate) fn top_speed_within(&self, zone_limits: &[f32], flee_limit: f32) -> f32 {
        let quickest = self.states.iter().map(|s| s.speed).fold(1.0, f32::max);
        let top = |g: &Group| g.speed.max() * if g.lives() { quickest } else { 1.0 };
        let factors = self.top_factor(zone_limits) * flee_limit * self.terrain.top_factor();
        self.groups.iter().map(top).fold(0.0, f32::max) * factors
    }

    /// A bound of the factor that zones put on anybody's speed. Where zones overlap their factors multiply.
    fn top_factor(&self, zone_limits: &[f32]) -> f32 {
        let bounds = self.zones.iter().map(|z| z.shape.bounds());
        let fast: Vec<(Rect, f32)> = bounds.zip(zone_limits.iter().copied()).filter(|(_, most)| *most > 1.0).collect();
        let around = |r: Rect| fast.iter().filter(|(other, _)| other.touches(r)).map(|(_, most)| most).product();
        fast.iter().map(|(r, _)| around(*r)).fold(1.0, f32::max)
    }

    /// The greatest factor of each zone, now or after events; at least 1.
    pub(crate) fn zone_limits(&self) -> Vec<f32> {
        let mut most: Vec<f32> = self.zones.iter().map(|z| z.speed.max(1.0)).collect();
        for change in self.events.iter().flat_map(|e| &e.changes) {
            if let Change::ZoneSpeed(zone, speed) = *change {
                most[zone] = most[zone].max(speed);
            }
        }
        most
    }

    /// The text that the scene was read from.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The scene with other groups.
    pub(crate) fn with_groups(&self, groups: &[Group]) -> Self {
        Self { groups: groups.to_vec(), ..self.clone() }
    }

    /// That a group is one that this scene could have been read with, by the reader's own rules.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn check_group(&self, group: &Group) -> Result<(), SceneError> {
        read::check_group(self, group)
    }

    /// An error about the character of a group, at its place in the text: for whoever looks into the file, as this library does not.
    #[must_use]
    pub fn wrong_character(&self, group: &Group, why: impl std::fmt::Display) -> SceneError {
        let name = group.character.as_ref().map_or("", |file| file.name.as_str());
        let message = format!("\"{}\" cannot be drawn: {why}", value::shorten(name));
        let error = match group.marks.character.clone() {
            // A group that came while the run went on stands nowhere.
            place if place.is_empty() => SceneError::whole(&self.source, message),
            place => self.error(place, message),
        };
        error.help(
            "docs/creature.md says what a character may have; without `character` they are drawn as everybody else",
        )
    }

    pub(crate) fn error(&self, at: Range<usize>, message: impl Into<String>) -> SceneError {
        SceneError::at(&self.source, at, message)
    }
}
