//! What runs the stages. The rest of the library speaks to this trait and does not know what is behind it.

pub mod cpu;
mod crowd;
mod edits;
mod floor;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod layout;
mod points;
mod schedule;
mod set_up;
mod state;
mod states;
mod totals;

use crate::geometry::Shape;
use crate::scene::{Arrive, Change, Distribution, Group, Hazard, Model, Scene};
use crate::stages::COUNT;
use crate::stages::potential::SolveReport;
use crate::stages::separate::Overlap;
use crate::stages::steer::bvp::LocalMap;
use crate::world::World;
use crate::world::agents::Agents;
use crate::world::obstacle::Obstacle;
use glam::Vec2;

/// A direction of a field that has a value per direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards greater y.
    North,
    /// Towards greater x.
    East,
    /// Towards smaller y.
    South,
    /// Towards smaller x.
    West,
}

/// A field over the cells of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Discomfort of the ground and of near walls.
    Discomfort,
    /// The planner's density: 4/3 of the share of floor that bodies cover.
    Density,
    /// Persons per square metre as the planner's cells have them: each is spread over the cells that its body touches.
    Persons,
    /// Persons per square metre over a metre: whole persons in the square of at least a square metre around a cell, see
    /// [`crate::measure::crowd::window`]. As the last step found them: the greatest value
    /// of all steps is the counters' `density_max`, and of each cell [`Field::PeakDensity`].
    LocalDensity,
    /// Average velocity of the crowd.
    Velocity,
    /// Speed that can be reached in a direction.
    Speed(Direction),
    /// Cost of a metre in a direction.
    Cost(Direction),
    /// Cost of the cheapest way to a goal.
    Potential(usize),
    /// Direction of the cheapest way to a goal.
    Gradient(usize),
    /// The most persons per square metre so far, over windows of at least a square metre.
    PeakDensity,
    /// Person-seconds per square metre so far.
    Use,
    /// How bad hazards are: see [`crate::world::hazards`].
    Hazard,
    /// How high the floor is, m.
    Height,
    /// How steep it is, in metres up for a metre on.
    Slope,
    /// People in the bounded cell there, as the last step found them; none with a steering that has no such cells.
    Occupancy,
    /// How many that cell had no place for in the last step.
    Refusals,
}

impl Field {
    /// Whether it follows from the world alone, so that no device keeps it.
    #[must_use]
    pub fn is_of_world(self) -> bool {
        matches!(self, Self::Hazard | Self::Height | Self::Slope)
    }
}

/// The values of a field, south row first.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A number per cell.
    Scalar(Vec<f32>),
    /// A vector per cell: east, north.
    Vector(Vec<[f32; 2]>),
}

/// What can be asked of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// The crowd, all columns.
    Agents,
    /// A field.
    Field(Field),
    /// What the GPU solver's tiles did for a goal, in the last step that planned.
    Tiles(usize),
    /// The map of one's own of the agent with this id, as the next step would make it.
    LocalMap(u32),
}

/// What a tile of the GPU's solver did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TileState {
    /// How often it was solved; never visited means asleep.
    pub visits: u32,
    /// The last round that solved it.
    pub last_round: Option<u32>,
    /// Whether it still waits for a round: the solver had to stop early.
    pub waiting: bool,
}

/// What an engine answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The crowd.
    Agents(Box<Agents>),
    /// A field's values.
    Field(Values),
    /// The solver's tiles, row by row from the south; empty where the solver has none.
    Tiles(Vec<TileState>),
    /// Somebody's map; none for who has none.
    LocalMap(Option<Box<LocalMap>>),
}

/// A request on its way. It belongs to the step at which it was made.
#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
pub struct Ticket(pub(crate) u64);

/// A change to the world between two steps, by a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Lets the wall with this number stand or not.
    Standing(usize, bool),
    /// Adds a wall.
    AddWall(Shape),
    /// Gives the added wall with this number a name, or takes it.
    NameWall(usize, Option<String>),
    /// Makes a cell (by index) wall or not.
    Paint(usize, bool),
    /// Makes many cells (by plain index) wall or not.
    PaintAll(Vec<(u32, bool)>),
    /// Sets the discomfort of the ground, without that of near walls, in cells by plain index.
    Ground(Vec<(u32, f32)>),
    /// Sets the speed factor of the zone with this number.
    ZoneSpeed(usize, f32),
    /// Puts the goal with this number somewhere else.
    MoveGoal(usize, Vec<Shape>),
    /// Lets people arrive at the goal with this number, or not.
    OpenGoal(usize, bool),
    /// Lets the source of the group with this number let people in, or not.
    Source(usize, bool),
    /// Which limits of the goal with this number are reached. It follows from who is in it, so the scene in force stays as it is.
    Full(usize, Vec<bool>),
    /// Puts a hazard in the place of the one with this number, or behind the last.
    Hazard(usize, Box<Hazard>),
    /// Puts the soft obstacle somewhere, or takes it away. No scene has one, so the scene in force stays as it is.
    Obstacle(Option<Obstacle>),
    /// Another model: any of its numbers and choices.
    Model(Box<Model>),
}

/// A change to who walks.
#[derive(Clone, Debug, PartialEq)]
pub enum CrowdChange {
    /// One group more, placed now in its start area, clear of who is there (but with random places: separation pushes those
    /// apart). Its count says how many, whatever its density.
    Drop(Box<Group>),
    /// The group dropped last is taken off again, wherever its people are.
    TakeBack,
    /// Preferred speeds of the group with this number, drawn anew, m/s.
    Speed(usize, Distribution),
    /// What the group with this number does after its last goal, from now on.
    Arrive(usize, Arrive),
}

/// Numbers about the run so far.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Counters {
    /// Steps done.
    pub steps: u64,
    /// On the floor now.
    pub active: u64,
    /// Waiting to enter now.
    pub outside: u64,
    /// Left for good.
    pub parked: u64,
    /// Journeys completed.
    pub arrived: u64,
    /// Goals reached, on the way or at the end.
    pub goals_reached: u64,
    /// On the way through a portal now.
    pub between: u64,
    /// Times that somebody entered the floor, from a source or again.
    pub entered: u64,
    /// The most agents that had their centre in a wall at the end of any step.
    pub in_wall: u64,
    /// The most agents with a value that is not finite at the end of any step.
    pub not_finite: u64,
    /// How deep any disc reached into a wall, m.
    pub wall_depth: f32,
    /// Overlap: mean over steps of the mean, the greatest of all, the share of the worst step.
    pub overlap: Overlap,
    /// Mean over steps of the share of agents that overlap by more than 5 %.
    pub overlap_share_mean: f32,
    /// Mean speed over agents and steps, m/s, of those walking.
    pub mean_speed: f32,
    /// The most persons per square metre anywhere so far, over windows of at least a square metre.
    pub density_max: f32,
    /// The same in the last step alone; 0 before the first.
    pub density: f32,
    /// Mean speed of those walking in the last step alone, m/s; 0 before the first.
    pub speed: f32,
    /// Times that a cell's splat was full.
    pub splat_overflows: u64,
    /// Times that a neighbour was left out because a heap was too dense.
    pub neighbours_left_out: u64,
    /// Agents that a closing wall had to put aside.
    pub displaced: u64,
    /// Times that somebody was kept out of a cell that held as many as it may.
    pub refused: u64,
    /// Steps whose plan had to do with fewer rounds of the solver than it took to finish: some cells far from a goal kept values that were too high.
    pub plans_cut_short: u64,
    /// The solver in the last step; converged only if it was in every step.
    pub solver: SolveReport,
}

impl Counters {
    /// How many have not gone for good: on the floor, on the way through a portal, or outside.
    #[must_use]
    pub fn to_go(&self) -> u64 {
        self.active + self.between + self.outside
    }
}

/// Where a step stands whose solver is done round by round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundReport {
    /// Rounds done in this step.
    pub rounds: u32,
    /// Whether the solver and with it the step is finished.
    pub finished: bool,
}

/// Something went wrong inside an engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct EngineError(pub String);

/// What runs the stages.
pub trait Engine: Send {
    /// `cpu` or `gpu`.
    fn name(&self) -> &'static str;
    /// The hardware, in words.
    fn device(&self) -> String;
    /// Does one step.
    ///
    /// # Errors
    /// If the device fails.
    fn step(&mut self) -> Result<(), EngineError>;
    /// Does one round of the solver of a step: the first call begins a step, and the one that leaves the solver
    /// nothing to do ends it. In between fields show what is known so far; [`Engine::step`] and every change end the
    /// step first. An engine whose solver has no rounds does a whole step and returns `None`.
    ///
    /// # Errors
    /// If the device fails.
    fn step_round(&mut self) -> Result<Option<RoundReport>, EngineError> {
        self.step()?;
        Ok(None)
    }
    /// Whether a step has begun by [`Engine::step_round`] and not ended.
    fn mid_step(&self) -> bool {
        false
    }
    /// Steps asked for so far.
    fn steps(&self) -> u64;
    /// Asks for something as of now. Never waits.
    fn request(&mut self, what: Request) -> Ticket;
    /// The answer, if it is there.
    ///
    /// # Errors
    /// If the device has failed: then it never will be.
    fn poll(&mut self, ticket: Ticket) -> Result<Option<Answer>, EngineError>;
    /// Numbers about the run so far, up to the last step asked for. Waits for it; if the device fails, what was known.
    fn counters(&self) -> Counters;
    /// The newest numbers that are there without waiting; their `steps` says as of when.
    fn latest(&self) -> Counters;
    /// The numbers after each step since this was last asked, in order. Waits as [`Engine::counters`] does.
    fn history(&mut self) -> Vec<Counters>;
    /// The same of those that are there without waiting; the others come with the next call.
    fn history_so_far(&mut self) -> Vec<Counters> {
        self.history()
    }
    /// The world as edits have left it; what follows from them is up to date after [`Engine::settle`] or a step.
    fn world(&self) -> &World;
    /// The scene in force: as it was given, with everything that calls have changed since. What the scene's own events have
    /// done is in the world alone: begun again, the scene has them happen again.
    fn scene(&self) -> &Scene;
    /// Changes the world between two steps, by a call: the scene in force says so from now on.
    fn edit(&mut self, edit: Edit);
    /// Changes the world between two steps as an event of the scene says: the scene in force stays as it is.
    fn event(&mut self, change: Change);
    /// Changes who walks, between two steps; the scene in force follows. Counters go on; ids of new people go on from the highest ever given.
    ///
    /// # Errors
    /// If no scene may have such a group, its start lies inside walls, leads to no goal or is too small, or the device
    /// fails; the run is then as it was.
    fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        let _ = change;
        Err(EngineError(format!("the crowd of the engine {} cannot change", self.name())))
    }
    /// Gives agents, by id, points of their own to head for instead of what they head for now: from the next step on they
    /// walk straight there, and having come within their group's goal distance go on with the next leg of their journey.
    ///
    /// # Errors
    /// If a point is outside of the world or inside a wall, an id is nobody's who is on the floor, or the device fails;
    /// the run is then as it was.
    fn set_points(&mut self, points: &[(u32, Vec2)]) -> Result<(), EngineError> {
        let _ = points;
        Err(EngineError(format!("the engine {} takes no points", self.name())))
    }
    /// Puts agents, by id, into states, by number: their clips begin before the next step. Who is to stand stands where it is.
    ///
    /// # Errors
    /// If there is no such state, an id is nobody's who is on the floor and lives by states, or the device fails; the run is
    /// then as it was.
    fn set_states(&mut self, states: &[(u32, u16)]) -> Result<(), EngineError> {
        let _ = states;
        Err(EngineError(format!("the engine {} takes no states", self.name())))
    }
    /// How many are counted in each goal and shape that holds only so many, in the order of
    /// [`crate::world::goals::GoalPlace::counts_at`]. Waits for the last step.
    ///
    /// # Errors
    /// If the device fails.
    fn in_goals(&mut self) -> Result<Vec<u32>, EngineError>;
    /// Takes in edits now instead of at the next step, so that people and walls can be looked at.
    fn settle(&mut self);
    /// Whether to keep the maps of peak density and use.
    fn keep_maps(&mut self, keep: bool);
    /// Whether it keeps them now, or may.
    fn keeps_maps(&self) -> bool {
        true
    }
    /// Whether all people of the scene are there: of a large source those who have yet to come may not be.
    fn has_everybody(&self) -> bool {
        true
    }
    /// Milliseconds that each part of setting the scene up took, in order, where the engine tells.
    fn set_up_ms(&self) -> &[(&'static str, f64)] {
        &[]
    }
    /// Milliseconds spent in each stage so far, in the order of [`crate::stages::NAMES`].
    fn stage_ms(&self) -> [f64; COUNT];
    /// The same, as far as it is known without waiting.
    fn latest_stage_ms(&self) -> [f64; COUNT] {
        self.stage_ms()
    }
    /// The part of [`crate::Simulation::state_hash`] that is of people whom [`Request::Agents`] does not give: of a large source those who
    /// have yet to come may not be there.
    fn absent_hash(&self) -> u64 {
        0
    }
    /// Bytes that each stage has to read and write in a step like the last.
    fn stage_bytes(&self) -> [u64; COUNT];
    /// Bytes held, by what for.
    fn memory(&self) -> Vec<(&'static str, u64)>;
    /// Bytes of every single buffer, by name, where the engine has any to tell apart; else as [`Engine::memory`].
    fn buffers(&self) -> Vec<(String, u64)> {
        self.memory().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect()
    }
    /// The GPU engine that holds the present state, if there is one: to draw from its buffers.
    #[cfg(feature = "gpu")]
    fn on_gpu(&self) -> Option<&gpu::GpuEngine> {
        None
    }
    /// The whole state as bytes.
    ///
    /// # Errors
    /// If the device fails.
    fn save(&mut self) -> Result<Vec<u8>, EngineError>;
    /// Takes on a state that [`Engine::save`] gave for the same scene, with the scene in force then.
    ///
    /// # Errors
    /// If the bytes are not such a state.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), EngineError>;
    /// The same of a run that had other groups: they are those of the scene from then on.
    ///
    /// # Errors
    /// If the bytes are not such a state, or the engine takes no other groups.
    fn restore_with(&mut self, groups: &[Group], bytes: &[u8]) -> Result<(), EngineError> {
        if groups != self.scene().groups {
            return Err(EngineError("this engine takes no other groups".into()));
        }
        self.restore(bytes)
    }
}

/// Positions by id; those not on the floor are left out.
#[must_use]
pub fn positions(agents: &Agents) -> Vec<(u32, Vec2)> {
    let mut list: Vec<(u32, Vec2)> =
        (0..agents.len()).filter(|&i| agents.state[i].on_floor()).map(|i| (agents.id[i], agents.position[i])).collect();
    list.sort_unstable_by_key(|&(id, _)| id);
    list
}
