//! A scene that runs.

use crate::engine::cpu::CpuEngine;
use crate::engine::{
    Answer, Counters, CrowdChange, Edit, Engine, EngineError, Field, Request, RoundReport, TileState, Values, positions,
};
use crate::geometry::Shape;
use crate::resume::Origin;
use crate::scene::{Group, Model, Parameters, Scene, SceneError};
use crate::stages::live::cpu::steps;
use crate::stages::steer::Steer;
use crate::stages::steer::bvp::LocalMap;
use crate::world::agents::Agents;
use crate::world::goals::GoalPlace;
use crate::world::{MOST_DISCOMFORT, World};
use glam::Vec2;

/// A scene on an engine: steps, what happens when, and everything there is to read.
pub struct Simulation {
    /// It has the scene in force too: there is no other.
    pub(crate) engine: Box<dyn Engine>,
    /// What the scene was when the run was made.
    pub(crate) origin: Origin,
    /// Events in order of time; the first `done` have happened.
    pub(crate) events: Vec<usize>,
    pub(crate) done: usize,
    /// Changes to the world so far.
    pub(crate) edits: u64,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene().name)
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

/// A shape that cannot be a wall or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a wall or goal needs an extent, enough points, and finite coordinates within 10,000 km")]
pub struct BadShape;

/// How many are in a goal, or in a shape of it, and how many it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Holds {
    /// Who waits there, or ended its journey there for good.
    pub people: u32,
    /// How many there can be, if that is limited.
    pub capacity: Option<u32>,
}

impl Holds {
    /// Whether nobody finds room there any more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.capacity.is_some_and(|most| self.people >= most)
    }
}

/// A goal that holds only so many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InGoal {
    /// Its number in the scene.
    pub goal: usize,
    /// All of it.
    pub whole: Holds,
    /// Its shapes by number, as far as any has a capacity of its own.
    pub shapes: Vec<Holds>,
}

impl Simulation {
    /// Sets a scene up on the CPU engine, with all cores.
    ///
    /// # Errors
    /// If the crowd does not fit or cannot reach its goals.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Ok(Self::on(scene, Box::new(CpuEngine::new(scene, None)?)))
    }

    /// Sets a scene up on the CPU engine with so many threads. The result does not depend on it.
    ///
    /// # Errors
    /// If the crowd does not fit or cannot reach its goals.
    pub fn with_threads(scene: &Scene, threads: usize) -> Result<Self, SceneError> {
        Ok(Self::on(scene, Box::new(CpuEngine::new(scene, Some(threads))?)))
    }

    /// Runs a scene on an engine that was made for it.
    #[must_use]
    pub fn on(scene: &Scene, engine: Box<dyn Engine>) -> Self {
        let mut events: Vec<usize> = (0..scene.events.len()).collect();
        events.sort_by(|&a, &b| scene.events[a].at.total_cmp(&scene.events[b].at));
        Self { engine, origin: Origin::of(scene), events, done: 0, edits: 0 }
    }

    /// The scene in force: as it was given, with everything that calls have changed since, whether crowd, model, walls, painted
    /// cells, ground, goals or zones. Walls have the numbers of [`Simulation::stand_wall`]; one that was added and does not stand
    /// any more is there as `open`.
    ///
    /// It is what the run would begin from, so the scene's own events are not in it: a door that one has closed is as open here
    /// as it was before, since the event is in the scene and happens again. What stands now is in [`Simulation::world`].
    #[must_use]
    pub fn scene(&self) -> &Scene {
        self.engine.scene()
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        self.engine.as_ref()
    }

    /// The engine, to change things.
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        self.engine.as_mut()
    }

    /// Steps done so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.engine.steps()
    }

    /// Simulated time, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps() as f64 * f64::from(self.scene().dt)
    }

    /// Does one step: first what is due by now, then the pipeline. A step that [`Simulation::step_round`] has begun is
    /// finished.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<(), EngineError> {
        self.do_what_is_due()?;
        self.engine.step()
    }

    /// Does one round of the solver of a step, so that it can be watched: the first call begins a step, the last ends
    /// it, with the same bits as [`Simulation::step`]. An engine whose solver has no rounds does a whole step and
    /// returns `None`.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step_round(&mut self) -> Result<Option<RoundReport>, EngineError> {
        self.do_what_is_due()?;
        self.engine.step_round()
    }

    /// The scene's events, each once, when a step begins; and which goals are full, once a simulated second.
    fn do_what_is_due(&mut self) -> Result<(), EngineError> {
        if self.engine.mid_step() {
            return Ok(());
        }
        while let Some(&next) = self.events.get(self.done) {
            let (scene, event) = (self.scene(), &self.scene().events[next]);
            if u64::from(steps(event.at, scene.dt)) > self.steps() {
                break;
            }
            // All between the same two steps: what follows from them is found out once.
            let changes = event.changes.clone();
            changes.into_iter().for_each(|change| self.engine.event(change));
            self.edits += 1;
            self.done += 1;
        }
        self.look_at_goals()
    }

    /// Tells the engine which goals are full, in the first step and then once a simulated second: whoever is on its way learns it then.
    fn look_at_goals(&mut self) -> Result<(), EngineError> {
        let second = ((1.0 / self.scene().dt).round() as u64).max(1);
        if !self.steps().is_multiple_of(second) || !self.world().places.iter().any(GoalPlace::is_limited) {
            return Ok(());
        }
        let counts = self.engine.in_goals()?;
        for goal in 0..self.world().places.len() {
            let place = &self.world().places[goal];
            let full = place.full_by(&counts);
            if full != place.full() {
                self.edit(Edit::Full(goal, full));
            }
        }
        Ok(())
    }

    /// Does several steps.
    ///
    /// # Errors
    /// If the device fails.
    pub fn steps_by(&mut self, steps: u64) -> Result<(), EngineError> {
        (0..steps).try_for_each(|_| self.step())
    }

    /// Whether nobody is on the floor or will ever come.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.engine.counters().to_go() == 0
    }

    /// Numbers about the run so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.engine.counters()
    }

    /// The crowd, all columns. Waits if the engine needs time to bring it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn agents(&mut self) -> Result<Agents, EngineError> {
        match self.ask(Request::Agents)? {
            Answer::Agents(agents) => Ok(*agents),
            _ => unreachable!("agents were asked for"),
        }
    }

    /// Ids and positions of everybody on the floor, by id.
    ///
    /// # Errors
    /// If the device fails.
    pub fn positions(&mut self) -> Result<Vec<(u32, Vec2)>, EngineError> {
        Ok(positions(&self.agents()?))
    }

    /// A field's values. Waits if the engine needs time to bring them. The maps of peak density and use are empty unless
    /// [`Engine::keep_maps`] was set.
    ///
    /// # Panics
    /// If the scene has no goal of that number.
    ///
    /// # Errors
    /// If the device fails.
    pub fn field(&mut self, field: Field) -> Result<Values, EngineError> {
        match self.ask(Request::Field(field))? {
            Answer::Field(values) => Ok(values),
            _ => unreachable!("a field was asked for"),
        }
    }

    /// What the GPU solver's tiles did for a goal in the last step that planned; empty on the CPU, whose solver has none.
    ///
    /// # Panics
    /// If the scene has no goal of that number.
    ///
    /// # Errors
    /// If the device fails.
    pub fn tiles(&mut self, goal: usize) -> Result<Vec<TileState>, EngineError> {
        assert!(goal < self.scene().goals.len(), "the scene has no goal {goal}");
        match self.ask(Request::Tiles(goal))? {
            Answer::Tiles(tiles) => Ok(tiles),
            _ => unreachable!("tiles were asked for"),
        }
    }

    /// The map of one's own of the agent with this id, as the next step would make it (`steer = "bvp"`); none for who is not on the floor or has nowhere to
    /// go, and with other steerings. Waits as [`Simulation::agents`] does.
    ///
    /// # Errors
    /// If the device fails.
    pub fn local_map(&mut self, id: u32) -> Result<Option<LocalMap>, EngineError> {
        if self.scene().model.steer != Steer::Bvp {
            // Nothing has to be read for that.
            return Ok(None);
        }
        match self.ask(Request::LocalMap(id))? {
            Answer::LocalMap(map) => Ok(map.map(|map| *map)),
            _ => unreachable!("a map was asked for"),
        }
    }

    fn ask(&mut self, what: Request) -> Result<Answer, EngineError> {
        let ticket = self.engine.request(what);
        loop {
            if let Some(answer) = self.engine.poll(ticket)? {
                return Ok(answer);
            }
            std::thread::yield_now();
        }
    }

    /// A hash of the state of all agents, whatever their order in memory.
    ///
    /// # Errors
    /// If the device fails.
    pub fn state_hash(&mut self) -> Result<u64, EngineError> {
        Ok(self.agents()?.state_hash().wrapping_add(self.engine.absent_hash()))
    }

    /// The world as changes have left it; after [`Simulation::settle`] or a step with all that follows from them.
    #[must_use]
    pub fn world(&self) -> &World {
        self.engine.world()
    }

    /// How many changes to the world there have been so far, by calls and by the scene's events (resuming counts as
    /// one): a viewer redraws walls when it has grown.
    #[must_use]
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// Takes in changes now instead of at the next step, so that people and walls can be looked at.
    pub fn settle(&mut self) {
        self.engine.settle();
    }

    /// A change by a call.
    pub(crate) fn edit(&mut self, edit: Edit) {
        self.engine.edit(edit);
        self.edits += 1;
    }

    /// Adds a wall while the run goes on, from the next step on; whoever stands there is put aside. Returns the wall's
    /// number, for [`Simulation::stand_wall`]: a moving obstacle is a wall that goes and another that comes.
    ///
    /// # Errors
    /// If the shape has no extent, too few points, or coordinates that are not finite or beyond 10,000 km.
    pub fn add_wall(&mut self, shape: Shape) -> Result<usize, BadShape> {
        if !shape.is_sound() {
            return Err(BadShape);
        }
        self.edit(Edit::AddWall(shape));
        Ok(self.scene().map.walls.len() - 1)
    }

    /// Lets the wall with a number stand (`true`) or not: those of the scene have numbers from 0, those added the number
    /// that [`Simulation::add_wall`] gave. Returns whether there is one.
    pub fn stand_wall(&mut self, number: usize, standing: bool) -> bool {
        let found = number < self.scene().map.walls.len();
        if found {
            self.edit(Edit::Standing(number, standing));
        }
        found
    }

    /// Sets the speed factor of a named zone, up to the greatest that the scene itself uses (at least 1). Returns
    /// whether there is one of that name.
    pub fn set_zone(&mut self, name: &str, speed: f32) -> bool {
        let found = self.scene().zones.iter().position(|z| z.name == name);
        if let Some(number) = found {
            self.edit(Edit::ZoneSpeed(number, speed));
        }
        found.is_some()
    }

    /// Lets a named wall of the scene stand (`true`) or not. Returns whether there is one of that name.
    pub fn set_wall(&mut self, name: &str, standing: bool) -> bool {
        let found = self.scene().map.walls.iter().position(|w| w.name.as_deref() == Some(name));
        if let Some(number) = found {
            self.stand_wall(number, standing);
        }
        found.is_some()
    }

    /// Puts a named goal somewhere else, from the next step on. Returns whether there is one of that name.
    ///
    /// # Errors
    /// If there is no shape, or one has no extent, too few points, or coordinates that are not finite.
    pub fn move_goal(&mut self, name: &str, shapes: Vec<Shape>) -> Result<bool, BadShape> {
        if shapes.is_empty() || !shapes.iter().all(Shape::is_sound) {
            return Err(BadShape);
        }
        let found = self.scene().goals.iter().position(|g| g.name == name);
        if let Some(number) = found {
            self.edit(Edit::MoveGoal(number, shapes));
        }
        Ok(found.is_some())
    }

    /// Lets people arrive at a named goal (`true`) or not, from the next step on. Who heads for a closed goal walks there and waits before
    /// it. Returns whether there is one of that name. On a GPU the first goal that is closed has kernels compiled.
    pub fn open_goal(&mut self, name: &str, open: bool) -> bool {
        let found = self.scene().goals.iter().position(|g| g.name == name);
        if let Some(number) = found {
            self.edit(Edit::OpenGoal(number, open));
        }
        found.is_some()
    }

    /// Lets the source of a named group let people in (`true`) or not, from the next step on; of several groups of that name, the sources
    /// among them. Nobody has to be made up for when it is on again. Returns whether there is such a source.
    pub fn set_source(&mut self, group: &str, on: bool) -> bool {
        let groups = self.scene().groups.iter().enumerate().filter(|(_, g)| g.name == group && g.rate.is_some());
        let sources: Vec<usize> = groups.map(|(number, _)| number).collect();
        sources.iter().for_each(|&number| self.edit(Edit::Source(number, on)));
        !sources.is_empty()
    }

    /// How many are in each goal that holds only so many, with its limits. Waits for the last step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn in_goals(&mut self) -> Result<Vec<InGoal>, EngineError> {
        let counts = self.engine.in_goals()?;
        let places = self.world().places.iter().enumerate().filter(|(_, place)| place.is_limited());
        let holds = |(limit, n): (&Option<u32>, &u32)| Holds { people: *n, capacity: *limit };
        let each = |(goal, place): (usize, &GoalPlace)| {
            let mut all = place.limits().iter().zip(&counts[place.counts_at()]).map(holds);
            InGoal { goal, whole: all.next().unwrap_or_default(), shapes: all.collect() }
        };
        Ok(places.map(each).collect())
    }

    /// Another model from the next step on: any of its numbers and choices may differ. The scene of the run follows. Returns
    /// whether a scene could say it (every value within range, nothing that contradicts); if not, nothing changes. On a GPU
    /// another scheme or solver has kernels compiled, which takes a moment.
    pub fn set_model(&mut self, model: &Model) -> bool {
        let weighs = |g: &Group| model.weights_with(g.weights).are_something();
        let sound = model.is_sound() && self.scene().groups.iter().all(weighs);
        if sound {
            self.edit(Edit::Model(Box::new(*model)));
        }
        sound
    }

    /// Makes the cell under a point wall or floor. Returns whether the point is in the world.
    pub fn paint_wall(&mut self, at: Vec2, wall: bool) -> bool {
        let inside = self.scene().grid.inside(at);
        if inside {
            self.edit(Edit::Paint(self.scene().grid.index_at(at), wall));
        }
        inside
    }

    /// Changes who walks, from the next step on. The scene of the run follows, so a snapshot made later can be
    /// resumed only with a scene of the same groups ([`Simulation::scene`]), and one made before no longer here. Counts as
    /// a change of the world, and on a GPU all buffers are made anew.
    ///
    /// # Errors
    /// If no scene may have such a group, its start lies inside walls, leads to no goal or is too small, or the device
    /// fails; the run is then as it was.
    pub fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        self.engine.change_crowd(change)?;
        self.edits += 1;
        Ok(())
    }

    /// Gives agents, by id, points of their own to head for instead of what they head for now. From the next step on they
    /// walk straight there (who waits waits on first), slide along whatever wall is in between, and once within their
    /// group's `goal_distance` go on with the next leg of their journey. Of two points for the same agent the later counts.
    /// On a GPU this waits for the last step, and the first call in a scene without points has kernels compiled.
    ///
    /// # Errors
    /// If a point is outside of the world or inside a wall, an id is nobody's who is on the floor, or the device fails;
    /// the run is then as it was.
    pub fn set_points(&mut self, points: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.engine.set_points(points)
    }

    /// Makes many cells, by plain index, wall (`true`) or floor. Returns whether all of them are in the world; if not,
    /// nothing changes.
    pub fn paint_walls(&mut self, cells: &[(u32, bool)]) -> bool {
        let inside = cells.iter().all(|&(cell, _)| (cell as usize) < self.scene().grid.len());
        if inside && !cells.is_empty() {
            self.edit(Edit::PaintAll(cells.to_vec()));
        }
        inside
    }

    /// Sets the discomfort of the ground, without that of near walls, in cells by plain index, from the next step on.
    /// Returns whether all of them are in the world and every value is from 0 to 0.98; if not, nothing changes.
    pub fn paint_ground(&mut self, cells: &[(u32, f32)]) -> bool {
        let fine = |&(cell, value): &(u32, f32)| {
            (cell as usize) < self.scene().grid.len() && (0.0..=MOST_DISCOMFORT).contains(&value)
        };
        let sound = cells.iter().all(fine);
        if sound && !cells.is_empty() {
            // A negative zero is a zero.
            self.edit(Edit::Ground(cells.iter().map(|&(cell, value)| (cell, value + 0.0)).collect()));
        }
        sound
    }

    /// The scene in force ([`Simulation::scene`]) as files can say it, to keep ([`Scene::to_files`]) or to begin again from: walls that
    /// were added and do not stand any more or are outside of the world are left out, walls and goals without extent are
    /// something that can be drawn, and a goal outside of the world is the cell of the world next to it. People are where the
    /// groups start.
    #[must_use]
    pub fn edited_scene(&self) -> Scene {
        self.scene().to_start_from()
    }
}
