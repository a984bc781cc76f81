//! The window's program, without the window: what is shown, what was chosen, what the panels change. It knows egui and the
//! run's host, but neither winit nor wgpu, so that its panels can be tested without either.

mod changes;
mod charts;
mod cut;
mod display;
mod doors;
mod draft;
mod drop;
mod edits;
mod fixed;
mod floor;
mod goals;
mod hazards;
mod help;
mod inspect;
mod keys;
mod leave;
mod map;
mod message;
mod model;
mod model_log;
mod moments;
mod number;
mod obstacle;
mod pointer;
mod rescue;
mod reset;
mod save;
mod snap;
mod space;
mod strip;
mod stroke;
pub(crate) mod subject;
mod timeline;
mod tool;
mod toolbar;
mod typing;
mod undo;

pub use charts::Tab;
pub use drop::Dropped;
pub use floor::{FloorChange, FloorState, Stands};
pub use goals::Part;
pub use reset::{BegunAgain, From};
pub use save::Saved;
pub use tool::Tool;
pub use undo::Undo;

use crate::camera::Camera;
use crate::draw::{Ground, Readout};
use crate::host::{Done, Host, Maker, RunError, Said};
use crate::look::{Colouring, Look};
use crate::pace::Pace;
use crate::shot::{Shot, Wish};
use crate::studio::Aim;
use charts::History;
use edits::Brush;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use subject::Subject;
use throng::Scene;

/// How many lines the log keeps.
const LOG_LINES: usize = 500;

/// Which end of the field's scale is picked from the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickLimit {
    /// The lower one.
    Low,
    /// The upper one.
    High,
}

/// What the program is told when it starts.
pub struct Start {
    /// The scene.
    pub scene: Scene,
    /// Makes a run of it, at first and whenever it is reset.
    pub make: Maker,
    /// How it looks at first.
    pub look: Look,
    /// Where it looks at first; `None` for all of the world.
    pub camera: Option<Camera>,
    /// Whose way is followed at first.
    pub follow: Option<u32>,
    /// Whether it runs at once.
    pub running: bool,
    /// Lines for the log: the device, and what is worth knowing about it.
    pub notes: Vec<String>,
    /// Shown until it is closed.
    pub notice: Option<String>,
    /// Where a changed scene is saved.
    pub save_as: PathBuf,
}

impl std::fmt::Debug for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Start").field("scene", &self.scene.name).finish_non_exhaustive()
    }
}

/// The program.
pub struct App {
    /// The scene with all changes.
    pub(crate) scene: Scene,
    pub(crate) host: Host,
    make: Arc<std::sync::Mutex<Maker>>,
    /// How it looks.
    pub look: Look,
    /// Where it looks.
    pub camera: Camera,
    /// Fit the world into the view with the next frame.
    pub(crate) fit: bool,
    /// Whether time passes.
    pub running: bool,
    /// Simulated seconds a second.
    pub speed: f32,
    /// As fast as possible instead.
    pub unbounded: bool,
    /// Single steps do one round of the solver.
    pub by_rounds: bool,
    /// The newest shot.
    pub shot: Option<Shot>,
    /// The floor as it is.
    pub ground: Option<Arc<Ground>>,
    /// What the shaders found out.
    pub readout: Readout,
    /// Whose values are shown.
    pub chosen: Option<u32>,
    /// Whether the view goes with the chosen one.
    pub follow: bool,
    /// Where the chosen one is in the next frame, how long before the last step's end that is, s, and when that was settled.
    subject: Option<Subject>,
    back: f32,
    looked: Instant,
    /// What the left button does.
    pub tool: Tool,
    brush: Brush,
    drawing: draft::Drawing,
    obstacle: obstacle::Held,
    /// How many had no way to their goals when that was last asked.
    shut_in: u64,
    /// The model that the log knows of.
    logged_model: throng::scene::Model,
    /// The task of the run that takes on the model that is wanted.
    model_task: u64,
    /// Somebody has taken hold of the model's numbers, and not changed them yet.
    model_in_hand: bool,
    /// A hazard that is dragged, and how many were put somewhere.
    carried_hazard: Option<hazards::Carried>,
    hazards_placed: u32,
    changes: changes::Changes,
    /// The scene as it was opened; and the one that the run has begun with.
    origin: Arc<Scene>,
    begun: Arc<Scene>,
    /// Names of goals, and where they are written.
    goal_names: Vec<(String, glam::Vec2)>,
    /// Files that were saved here, as they were then; and one that may have to be replaced.
    saved: Vec<save::Known>,
    overwrite: Option<PathBuf>,
    /// What would lose changes, and waits for an answer.
    asks: Option<leave::Loses>,
    leaves: bool,
    /// Somebody types; that ends in this frame, since something is to be done once it counts; and what.
    typing: bool,
    ends_typing: bool,
    once_typed: Vec<changes::Turn>,
    /// Who was dropped since the run began, in order.
    dropped: Vec<Dropped>,
    /// Everybody is out; and somebody has let time go on after that.
    ended: bool,
    past_end: bool,
    /// Time stops here, s; and until then it passes as fast as possible.
    pub run_to: Option<f64>,
    hurry: bool,
    /// Until when events are in the log, s.
    noted: f64,
    /// The moment that was last asked for, and the latest that was ever reached, s.
    asked: f64,
    furthest: f64,
    /// How many were put aside by walls, as far as it was said.
    displaced: u64,
    messages: Vec<message::Message>,
    history: History,
    log: VecDeque<(bool, String)>,
    /// What is shown at the bottom.
    pub tab: Tab,
    /// Whether panels are shown.
    pub panels: bool,
    notice: Option<String>,
    help: bool,
    save_as: String,
    picking: Option<PickLimit>,
    /// What is known of the third dimension, once it was shown.
    deep: Option<space::Deep>,
    /// Where the first picture in three dimensions looks, if the program was told.
    first: Option<Aim>,
    /// The wheel still runs out from the other picture, which it was turned in.
    wheel_is_spent: bool,
    /// Opacity of agents without a field.
    unfaded: Option<f32>,
    /// Where the map is, in points.
    pub view: egui::Rect,
    /// Pixels a point.
    pixels: f32,
    /// Where the pointer is over the map, m.
    pub(crate) pointer: Option<glam::Vec2>,
    /// A click that asks who is there, m, and how near.
    pub(crate) click: Option<(glam::Vec2, f32)>,
    /// Ends of the field's scale that are in force.
    pub limits: (f32, f32),
    /// For the rate of steps: when, and how many there were.
    rates: VecDeque<(Instant, u64)>,
    frames: VecDeque<Instant>,
    /// Somebody else wants the window closed.
    pub quit: bool,
    reset: bool,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("scene", &self.scene.name).field("running", &self.running).finish_non_exhaustive()
    }
}

impl App {
    /// Starts.
    ///
    /// # Errors
    /// If the scene cannot run.
    pub fn new(start: Start) -> Result<Self, RunError> {
        let sim = (start.make)(&start.scene)?;
        let engine = format!("runs on {}: {}", sim.engine().name(), sim.engine().device());
        let first = space::first(&start);
        let mut app = Self {
            host: Host::new(sim)?,
            make: Arc::new(std::sync::Mutex::new(start.make)),
            look: start.look,
            camera: start.camera.unwrap_or(Camera { centre: glam::Vec2::ZERO, scale: 1.0 }),
            fit: start.camera.is_none(),
            running: start.running,
            speed: 1.0,
            unbounded: false,
            by_rounds: false,
            shot: None,
            ground: None,
            readout: Readout::default(),
            chosen: start.follow,
            follow: start.follow.is_some(),
            subject: None,
            back: 0.0,
            looked: Instant::now(),
            tool: Tool::Select,
            brush: Brush::new(&start.scene),
            drawing: draft::Drawing::new(),
            obstacle: obstacle::Held::new(start.scene.grid.cell),
            shut_in: 0,
            logged_model: start.scene.model,
            model_task: 0,
            model_in_hand: false,
            carried_hazard: None,
            hazards_placed: 0,
            changes: changes::Changes::default(),
            origin: Arc::new(start.scene.clone()),
            begun: Arc::new(start.scene.clone()),
            goal_names: Vec::new(),
            saved: Vec::new(),
            overwrite: None,
            asks: None,
            leaves: false,
            typing: false,
            ends_typing: false,
            once_typed: Vec::new(),
            dropped: Vec::new(),
            ended: false,
            past_end: false,
            run_to: None,
            hurry: false,
            noted: 0.0,
            asked: 0.0,
            furthest: 0.0,
            displaced: 0,
            messages: Vec::new(),
            history: History::default(),
            log: VecDeque::new(),
            tab: Tab::Arrivals,
            panels: true,
            notice: start.notice,
            help: false,
            save_as: start.save_as.display().to_string(),
            picking: None,
            deep: None,
            first,
            wheel_is_spent: false,
            unfaded: None,
            view: egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(640.0, 480.0)),
            pixels: 1.0,
            pointer: None,
            click: None,
            limits: (0.0, 1.0),
            rates: VecDeque::new(),
            frames: VecDeque::new(),
            quit: false,
            reset: false,
            scene: start.scene,
        };
        app.note(format!("{}: {}", app.scene.name, crate::overlay::several(app.scene.agent_count(), "agent")));
        app.note(engine);
        for line in start.notes {
            app.note(line);
        }
        Ok(app)
    }

    /// Whether the run has done all that was asked for so far.
    #[must_use]
    pub fn host_is_idle(&self) -> bool {
        self.host.owes_nothing()
    }

    /// Adds a line to the log.
    pub fn note(&mut self, line: impl Into<String>) {
        self.push_log(false, self.time(), line.into());
    }

    /// Adds a line to the log about what could not be done, and says it over the map.
    pub fn complain(&mut self, line: impl Into<String>) {
        let line = line.into();
        self.push_log(true, self.time(), line.clone());
        self.say(message::Weight::Failure, line);
        self.tab = Tab::Log;
    }

    /// Simulated, s.
    fn time(&self) -> f64 {
        self.shot.as_ref().map_or(0.0, |s| s.time)
    }

    fn push_log(&mut self, trouble: bool, time: f64, line: String) {
        self.log.push_back((trouble, format!("{time:8.2} s  {line}")));
        while self.log.len() > LOG_LINES {
            self.log.pop_front();
        }
    }

    /// The lines of the log.
    pub fn log_lines(&self) -> impl Iterator<Item = &str> {
        self.log.iter().map(|(_, line)| line.as_str())
    }

    /// How fast time passes now.
    #[must_use]
    pub fn pace(&self) -> Pace {
        match (self.running, self.unbounded || self.hurry) {
            (false, _) => Pace::Paused,
            (true, true) => Pace::Unbounded,
            (true, false) => Pace::Times(self.speed),
        }
    }

    /// What the picture needs of the run.
    #[must_use]
    pub fn wish(&self) -> Wish {
        let tiles = self.look.tiles > 0.0 && !self.scene.goals.is_empty();
        Wish {
            field: self.look.engine_field(),
            persons: self.look.colouring == Colouring::Density,
            tiles: tiles.then_some(self.look.goal),
            local_map: self.chosen.filter(|_| self.look.local_map > 0.0),
        }
    }

    /// Lets time pass and takes in what is new. Returns whether the floor has changed.
    pub fn advance(&mut self) -> bool {
        if self.scene.goals.get(self.look.goal).is_none() {
            self.look.goal = 0;
            if self.scene.goals.is_empty() && self.look.overlay.is_some_and(crate::look::Overlay::has_goal) {
                self.look.overlay = None;
            }
        }
        // Whoever runs on after the end wants just that.
        self.past_end |= self.ended && self.running;
        let changed = self.take_step();
        self.take_turns();
        self.look_at_subject();
        changed
    }

    /// Whether the run has failed and has not begun again since.
    #[must_use]
    pub fn run_has_failed(&self) -> bool {
        self.host.has_failed()
    }

    /// Lets time pass.
    fn take_step(&mut self) -> bool {
        if self.running && self.host.has_failed() {
            self.running = false;
            self.complain(if self.host.is_gone() {
                "the run has stopped and cannot go on"
            } else {
                "the run has failed and cannot go on: reset it (R), or go back on the line of time"
            });
        }
        let (pace, stop, wish) = (self.pace(), self.stop(), self.wish());
        let shot = self.host.advance(pace, stop, &wish);
        self.listen();
        let Some(shot) = shot else { return false };
        self.history.note(&shot);
        self.note_moments(&shot);
        let now = Instant::now();
        self.rates.push_back((now, shot.steps));
        while self.rates.len() > 2 && now.duration_since(self.rates[0].0).as_secs_f32() > 1.0 {
            self.rates.pop_front();
        }
        let changed = shot.ground.is_some();
        if let Some(ground) = &shot.ground {
            self.goal_names = crate::studio::goal_places(&self.origin, ground);
            self.ground = Some(Arc::clone(ground));
        }
        self.shot = Some(shot);
        changed
    }

    /// Takes in what the run has said.
    fn listen(&mut self) {
        for said in self.host.said() {
            match said {
                Said::Note(line) => self.note(line),
                Said::Trouble(line) => {
                    // Whoever was to leave after saving should see this first; it may be why nothing was saved.
                    self.leaves = false;
                    // What could not be done to a run that is well is no reason to stop it.
                    self.running &= !self.host.has_failed();
                    self.complain(line);
                }
                Said::Refused(task) => self.refused(task),
                Said::Happened(task, what) => self.happened(task, what),
            }
        }
    }

    /// Takes in what the shaders found out about an earlier frame.
    pub fn learn(&mut self, found: Readout) {
        if let (Some(overlay), Some((least, greatest))) = (self.look.overlay, found.extent)
            && self.look.limits.is_none()
        {
            self.limits = overlay.limits(least, greatest);
        }
        if let Some(who) = found.clicked {
            self.chosen = who;
            self.follow &= who.is_some();
            self.follow_another();
            if let Some(id) = who {
                self.note(format!("agent {id} is chosen"));
            }
        }
        self.readout = Readout { clicked: None, ..found };
    }

    /// Nobody is chosen any more.
    pub(super) fn choose_nobody(&mut self) {
        (self.chosen, self.follow) = (None, false);
        self.follow_another();
    }

    /// Steps a second over the last second.
    #[must_use]
    pub fn steps_per_second(&self) -> f32 {
        match (self.rates.front(), self.rates.back()) {
            (Some(a), Some(b)) if b.0 > a.0 && self.running => {
                b.1.saturating_sub(a.1) as f32 / b.0.duration_since(a.0).as_secs_f32()
            }
            _ => 0.0,
        }
    }

    /// Counts a frame; returns frames a second over the last second.
    pub fn frame_rate(&mut self) -> f32 {
        let now = Instant::now();
        self.frames.push_back(now);
        while self.frames.len() > 2 && now.duration_since(self.frames[0]).as_secs_f32() > 1.0 {
            self.frames.pop_front();
        }
        let span = now.duration_since(self.frames[0]).as_secs_f32();
        if span > 0.0 { (self.frames.len() - 1) as f32 / span } else { 0.0 }
    }

    /// How long before the last step's end the picture is, s: between two steps people are drawn on their way.
    #[must_use]
    pub fn back(&self) -> f32 {
        self.back
    }

    /// Settles which moment the next frame shows, and where the chosen one is then.
    fn look_at_subject(&mut self) {
        self.back = match (&self.shot, self.pace()) {
            (Some(shot), Pace::Times(speed)) => {
                let since = shot.due.elapsed().as_secs_f32() * speed;
                (self.scene.dt - since).clamp(0.0, self.scene.dt)
            }
            _ => 0.0,
        };
        let now = Instant::now();
        let seconds = now.duration_since(self.looked).as_secs_f32();
        self.looked = now;
        let Some(shot) = &self.shot else { return };
        let shown = shot.time - f64::from(self.back);
        match (&self.readout.chosen, self.chosen) {
            (Some((agent, _)), Some(id)) if agent.id == id => {
                self.subject = Some(Subject::at(self.subject, agent, self.readout.time, shown, seconds));
            }
            // It was not asked for yet, and until then the view is that of the one before; or it has left, and is shown where it was.
            (_, Some(_)) => {}
            (_, None) => self.subject = None,
        }
        if self.follow
            && let Some(subject) = self.subject.as_ref().filter(|s| Some(s.id) == self.chosen)
        {
            self.camera.centre = subject.place;
        }
    }

    /// Whether the run has begun again since this was last asked.
    pub fn take_reset(&mut self) -> bool {
        std::mem::take(&mut self.reset)
    }

    /// One step, or one round of the solver where that is asked for; time stops passing by itself.
    pub fn single(&mut self) {
        self.running = false;
        let by_rounds = self.by_rounds;
        self.host.tell_step(Box::new(move |sim| {
            if !by_rounds {
                return sim.step().map(|()| Done::quietly()).map_err(|e| e.to_string());
            }
            match sim.step_round().map_err(|e| e.to_string())? {
                Some(report) => Ok(Done { round: Some(report), ..Done::quietly() }),
                None => {
                    Ok(Done::saying("a whole step: this engine's solver has no rounds (on a GPU it has: --device)"))
                }
            }
        }));
    }

    /// All panels and the map's overlay.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let typed = self.end_typing(ui.ctx());
        self.keys(ui.ctx());
        if self.panels {
            self.toolbar(ui);
            self.charts(ui);
        }
        self.strip(ui);
        if self.panels {
            self.display(ui);
            self.side(ui);
        }
        self.help_panel(ui);
        self.map(ui);
        self.log_model(ui.ctx());
        self.show_messages(ui.ctx());
        self.dialogs(ui.ctx());
        self.have_typed(ui.ctx(), typed);
    }

    fn dialogs(&mut self, context: &egui::Context) {
        self.ask_to_overwrite(context);
        self.ask_to_leave(context);
        if let Some(text) = self.notice.clone() {
            let mut open = true;
            egui::Window::new("Before you start")
                .collapsible(false)
                .resizable(false)
                .open(&mut open)
                .pivot(egui::Align2::CENTER_TOP)
                .default_pos(self.view.center_top() + egui::vec2(0.0, 20.0))
                .show(context, |ui| {
                    ui.set_max_width(420.0);
                    ui.label(text);
                    if ui.button("Understood").clicked() {
                        self.notice = None;
                    }
                });
            if !open {
                self.notice = None;
            }
        }
    }
}
