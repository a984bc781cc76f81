//! A scene that runs.

use crate::edited::Calls;
use crate::engine::cpu::CpuEngine;
use crate::engine::{
    Answer, Counters, CrowdChange, Edit, Engine, EngineError, Field, Request, RoundReport, TileState, Values,
    apply_to_scene, positions,
};
use crate::geometry::Shape;
use crate::scene::{Change, Group, Model, Parameters as _, Scene, SceneError};
use crate::snapshot::{checksum, model_hash, scene_hash};
use crate::stages::live::cpu::steps;
use crate::world::agents::Agents;
use crate::world::{MOST_DISCOMFORT, World};
use glam::Vec2;

/// A scene on an engine: steps, what happens when, and everything there is to read.
pub struct Simulation {
    scene: Scene,
    /// The model that the run was made with; that of `scene` is the one in force.
    first_model: Model,
    engine: Box<dyn Engine>,
    /// Events in order of time; the first `done` have happened.
    events: Vec<usize>,
    done: usize,
    /// How many walls there are, those added included.
    walls: usize,
    /// Changes to the world so far.
    edits: u64,
    /// What calls have changed.
    calls: Calls,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scene", &self.scene.name)
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

/// A shape that cannot be a wall or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a wall or goal needs an extent, enough points, and finite coordinates within 10,000 km")]
pub struct BadShape;

/// A snapshot that cannot be resumed, or an engine that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ResumeError {
    /// These bytes are no snapshot of Throng.
    #[error("this is not a snapshot of Throng, or it was cut short")]
    NotASnapshot,
    /// Written by another version.
    #[error("this snapshot has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    /// Made from a scene that differs.
    #[error("this snapshot was made from another scene, or the scene has changed since")]
    OtherScene,
    /// The contents are damaged.
    #[error("this snapshot is damaged: its checksum does not match")]
    Damaged,
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

const MAGIC: &[u8; 8] = b"THRONG\r\n";
const FORMAT: u32 = 5;
const HEADER: usize = 32;
/// Bytes after the header: hashes of the model that the run was made with, and of that in force.
const MODELS: usize = 16;

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
        Self {
            scene: scene.clone(),
            first_model: scene.model,
            engine,
            events,
            done: 0,
            walls: scene.map.walls.len(),
            edits: 0,
            calls: Calls::default(),
        }
    }

    /// The scene, with the crowd and the model as they are now.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
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
        self.steps() as f64 * f64::from(self.scene.dt)
    }

    /// Does one step: first what is due by now, then the pipeline. A step that [`Simulation::step_round`] has begun is
    /// finished.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step(&mut self) -> Result<(), EngineError> {
        self.do_what_is_due();
        self.engine.step()
    }

    /// Does one round of the solver of a step, so that it can be watched: the first call begins a step, the last ends
    /// it, with the same bits as [`Simulation::step`]. An engine whose solver has no rounds does a whole step and
    /// returns `None`.
    ///
    /// # Errors
    /// If the device fails.
    pub fn step_round(&mut self) -> Result<Option<RoundReport>, EngineError> {
        self.do_what_is_due();
        self.engine.step_round()
    }

    /// The scene's events, each once, when a step begins.
    fn do_what_is_due(&mut self) {
        if self.engine.mid_step() {
            return;
        }
        while let Some(&next) = self.events.get(self.done) {
            let event = &self.scene.events[next];
            if u64::from(steps(event.at, self.scene.dt)) > self.steps() {
                break;
            }
            let edit = match event.change {
                Change::Close(wall) => Edit::Standing(wall, true),
                Change::Open(wall) => Edit::Standing(wall, false),
                Change::ZoneSpeed(zone, speed) => Edit::ZoneSpeed(zone, speed),
            };
            self.edit(edit);
            self.done += 1;
        }
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
        assert!(goal < self.scene.goals.len(), "the scene has no goal {goal}");
        match self.ask(Request::Tiles(goal))? {
            Answer::Tiles(tiles) => Ok(tiles),
            _ => unreachable!("tiles were asked for"),
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
        Ok(self.agents()?.state_hash())
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

    fn edit(&mut self, edit: Edit) {
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
        self.walls += 1;
        Ok(self.walls - 1)
    }

    /// Lets the wall with a number stand (`true`) or not: those of the scene have numbers from 0, those added the number
    /// that [`Simulation::add_wall`] gave. Returns whether there is one.
    pub fn stand_wall(&mut self, number: usize, standing: bool) -> bool {
        if number < self.walls {
            self.edit(Edit::Standing(number, standing));
            self.calls.standing.insert(number, standing);
        }
        number < self.walls
    }

    /// Sets the speed factor of a named zone, up to the greatest that the scene itself uses (at least 1). Returns
    /// whether there is one of that name.
    pub fn set_zone(&mut self, name: &str, speed: f32) -> bool {
        let found = self.scene.zones.iter().position(|z| z.name == name);
        if let Some(number) = found {
            self.edit(Edit::ZoneSpeed(number, speed));
            // As the engine has taken it, within its limits.
            self.calls.zones.insert(number, self.engine.world().zones[number].speed);
        }
        found.is_some()
    }

    /// Lets a named wall of the scene stand (`true`) or not. Returns whether there is one of that name.
    pub fn set_wall(&mut self, name: &str, standing: bool) -> bool {
        let found = self.scene.map.walls.iter().position(|w| w.name.as_deref() == Some(name));
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
        let found = self.scene.goals.iter().position(|g| g.name == name);
        if let Some(number) = found {
            self.edit(Edit::MoveGoal(number, shapes));
        }
        Ok(found.is_some())
    }

    /// Another model from the next step on: any of its numbers and choices may differ. The scene of the run follows. Returns
    /// whether a scene could say it (every value within range, nothing that contradicts); if not, nothing changes. On a GPU
    /// another scheme or solver has kernels compiled, which takes a moment.
    pub fn set_model(&mut self, model: &Model) -> bool {
        let weighs = |g: &Group| model.weights_with(g.weights).are_something();
        let sound = model.is_sound() && self.scene.groups.iter().all(weighs);
        if sound {
            self.edit(Edit::Model(Box::new(*model)));
            self.scene.model = *model;
        }
        sound
    }

    /// Makes the cell under a point wall or floor. Returns whether the point is in the world.
    pub fn paint_wall(&mut self, at: Vec2, wall: bool) -> bool {
        let inside = self.scene.grid.inside(at);
        if inside {
            self.edit(Edit::Paint(self.scene.grid.index_at(at), wall));
        }
        inside
    }

    /// Changes who walks, from the next step on. The scene of the run follows, so a snapshot made later can be
    /// resumed only with the scene as changed ([`Simulation::scene`]), and one made before no longer here. Counts as
    /// a change of the world, and on a GPU all buffers are made anew.
    ///
    /// # Errors
    /// If no scene may have such a group, its start lies inside walls, leads to no goal or is too small, or the device
    /// fails; the run is then as it was.
    pub fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        self.engine.change_crowd(change)?;
        apply_to_scene(&mut self.scene, change);
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
        let inside = cells.iter().all(|&(cell, _)| (cell as usize) < self.scene.grid.len());
        if inside && !cells.is_empty() {
            self.edit(Edit::PaintAll(cells.to_vec()));
        }
        inside
    }

    /// Sets the discomfort of the ground, without that of near walls, in cells by plain index, from the next step on.
    /// Returns whether all of them are in the world and every value is from 0 to 0.98; if not, nothing changes.
    pub fn paint_ground(&mut self, cells: &[(u32, f32)]) -> bool {
        let fine = |&(cell, value): &(u32, f32)| {
            (cell as usize) < self.scene.grid.len() && (0.0..=MOST_DISCOMFORT).contains(&value)
        };
        let sound = cells.iter().all(fine);
        if sound && !cells.is_empty() {
            // A negative zero is a zero.
            self.edit(Edit::Ground(cells.iter().map(|&(cell, value)| (cell, value + 0.0)).collect()));
        }
        sound
    }

    /// The scene with everything that calls, but not the scene's own events, have changed: walls, painted cells,
    /// ground, goals, the model, speeds of zones and groups. A wall that was added and does not stand any more is left
    /// out. Run from the start: people are where the groups start. After resuming, what the events so far do not
    /// explain counts as changed by calls. See [`Scene::to_files`] for how to keep it.
    #[must_use]
    pub fn edited_scene(&self) -> Scene {
        let model = self.engine.model().unwrap_or(self.scene.model);
        self.calls.edited(&self.scene, self.engine.world(), model)
    }

    /// The whole state of the run. Resumed, the rest of the run has the same bits. The model in force is part of it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        let mut body = Vec::new();
        for model in [&self.first_model, &self.scene.model] {
            body.extend_from_slice(&model_hash(model).to_le_bytes());
        }
        body.extend(self.engine.save()?);
        let mut out = Vec::with_capacity(HEADER + body.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&FORMAT.to_le_bytes());
        out.extend_from_slice(&(self.done as u32).to_le_bytes());
        out.extend_from_slice(&scene_hash(&self.scene).to_le_bytes());
        out.extend_from_slice(&checksum(self.done as u32, &body).to_le_bytes());
        out.extend_from_slice(&body);
        Ok(out)
    }

    /// Takes on a state that [`Simulation::save`] gave for the same scene, with the model in force then. The scene's own
    /// may be that one, or the one that the saved run was made with.
    ///
    /// # Errors
    /// If the bytes are not such a state; the run is then as it was.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), ResumeError> {
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(ResumeError::NotASnapshot);
        }
        let (header, body) = bytes.split_at(HEADER);
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
        if word(8) != FORMAT {
            return Err(ResumeError::Format(word(8)));
        }
        if long(16) != scene_hash(&self.scene) {
            return Err(ResumeError::OtherScene);
        }
        if long(24) != checksum(word(12), body) || word(12) as usize > self.events.len() {
            return Err(ResumeError::Damaged);
        }
        let (models, state) = body.split_at_checked(MODELS).ok_or(ResumeError::NotASnapshot)?;
        let own = [&self.first_model, &self.scene.model].map(|model| model_hash(model).to_le_bytes());
        if !models.chunks_exact(8).any(|model| own.iter().any(|o| o == model)) {
            return Err(ResumeError::OtherScene);
        }
        self.walls = self.engine.restore(state)?;
        self.scene.model = self.engine.model().unwrap_or(self.first_model);
        self.done = word(12) as usize;
        self.edits += 1;
        self.calls = Calls::unexplained(&self.scene, &self.events[..self.done], self.engine.world());
        Ok(())
    }
}
