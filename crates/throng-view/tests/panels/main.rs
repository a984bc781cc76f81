//! The window's panels without a window: buttons, keys, sliders and brushes, by what they do to the run and to the
//! scene. What the panels look like is for eyes; what they say is here: names, units, explanations.

mod again;
mod back;
mod charts;
mod colours;
mod doors;
mod drawing;
mod keys;
mod lost;
mod model;
mod moments;
mod saving;
mod space;
mod steady;
mod tools;
mod unsaved;
mod words;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, accesskit::Role, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT, Queryable};
use glam::Vec2;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use throng::engine::Direction;
use throng::scene::parameters::{Kind, Parameter, Parameters, Value};
use throng::scene::{Arrive, Distribution, Files, Model, NoFiles};
use throng::stages::steer::Steer;
use throng::world::agents::{Agent, OwnColumn, State};
use throng::{Scene, Simulation};
use throng_view::app::{App, Start, Tab, Tool};
use throng_view::draw::Readout;
use throng_view::look::{Colouring, Look, Overlay};

/// Two groups on their way through each other, a wall, ground that is uncomfortable.
const HALL: &str = r#"
name = "hall"
cell = 0.5
size = [20, 12]
map = { walls = [{ rect = [9, 3, 10, 9] }], discomfort = [{ rect = [4, 1, 7, 3], value = 0.4 }] }
goal = [{ name = "east door", rect = [19, 4, 20, 8] }, { name = "west door", rect = [0, 4, 1, 8] }]
agents = [
  { name = "guests", count = 20, start = { rect = [2, 4, 8, 10] }, journey = ["east door"] },
  { name = "staff", count = 10, start = { rect = [12, 2, 18, 10] }, speed = 1.2, journey = ["west door"] },
]
"#;

/// Large enough that nothing has to be scrolled to.
const ROOMY: [f32; 2] = [1500.0, 2000.0];
/// The run is on a thread of its own, which may have to wait for a core.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program in front of nobody.
struct Desk {
    harness: Harness<'static, App>,
    folder: TempDir,
}

/// Somebody on the way to the first goal.
fn walker(position: Vec2, velocity: Vec2) -> Agent {
    Agent {
        id: 7,
        position,
        velocity,
        heading: Vec2::new(0.0, 1.0),
        radius: 0.2,
        preferred: 1.34,
        turn: 5.0,
        goal: 0,
        group: 0,
        leg: 0,
        state: State::Walking,
        wake: 0,
        informed: 0,
    }
}

impl Desk {
    fn new(text: &str) -> Self {
        Self::with(text, ROOMY, |_| {})
    }

    fn with(text: &str, size: [f32; 2], change: impl FnOnce(&mut Start)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = Scene::parse("test.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut start = Start {
            scene,
            make: Box::new(|scene| Ok(Simulation::with_threads(scene, 1)?)),
            look: Look::default(),
            camera: None,
            follow: None,
            running: false,
            notes: vec!["drawn by nobody".into()],
            notice: None,
            save_as: folder.path().join("saved.toml"),
        };
        change(&mut start);
        let app = App::new(start).unwrap_or_else(|e| panic!("{e}"));
        // Names of widgets are a test of their own.
        let builder =
            Harness::builder().with_size(size).with_accessibility_check(false).with_context_setup(|context| {
                // As the window has it.
                context.all_styles_mut(|style| style.spacing.item_spacing = egui::vec2(6.0, 5.0));
            });
        let frame = |ui: &mut egui::Ui, app: &mut App| {
            app.advance();
            app.ui(ui);
        };
        let harness = builder.build_ui_state(frame, app);
        let mut desk = Self { harness, folder };
        desk.until("the run has begun", |app| app.shot.is_some() && app.ground.is_some());
        desk
    }

    fn app(&self) -> &App {
        self.harness.state()
    }

    fn app_mut(&mut self) -> &mut App {
        self.harness.state_mut()
    }

    /// Paints walls all over the place where the guests of the hall start.
    fn wall_up_the_start(&mut self) {
        self.app_mut().tool = Tool::Walls;
        for y in 0..16 {
            for x in [1.5, 8.5] {
                self.app_mut().stroke_to(Vec2::new(x, 3.5 + 0.5 * y as f32), false);
            }
        }
        self.app_mut().end_stroke();
    }

    /// Paints a wall where nobody is.
    fn wall_up_corner(&mut self) {
        self.app_mut().tool = Tool::Walls;
        self.app_mut().stroke_to(Vec2::new(11.5, 1.0), false);
        self.app_mut().end_stroke();
    }

    /// What is written anywhere, also on the map.
    fn written(&self) -> Vec<String> {
        fn texts(shape: &egui::Shape, out: &mut Vec<String>) {
            match shape {
                egui::Shape::Text(text) => out.push(text.galley.text().to_owned()),
                egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, out)),
                _ => {}
            }
        }
        let mut out = Vec::new();
        self.harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut out));
        out
    }

    fn frames(&mut self, frames: usize) {
        self.harness.run_steps(frames);
    }

    /// Frame by frame until something is so.
    fn until(&mut self, what: &str, is_so: impl Fn(&App) -> bool) {
        let began = Instant::now();
        while !is_so(self.app()) {
            let log: Vec<&str> = self.app().log_lines().collect();
            assert!(began.elapsed() < PATIENCE, "it is not so that {what}; the log says {log:#?}");
            self.harness.step();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn steps(&self) -> u64 {
        self.app().shot.as_ref().map_or(0, |s| s.steps)
    }

    fn active(&self) -> u64 {
        self.app().shot.as_ref().map_or(0, |s| s.counters.active)
    }

    fn says(&self, part: &str) -> usize {
        self.app().log_lines().filter(|line| line.contains(part)).count()
    }

    /// Waits, without a frame, until the run has done what it was told: it saves after that.
    fn answered(&mut self) {
        let (said, began) = (self.says("saved "), Instant::now());
        self.app_mut().save();
        while self.says("saved ") == said {
            assert!(began.elapsed() < PATIENCE, "the run does not answer");
            self.app_mut().advance();
            std::thread::sleep(Duration::from_millis(1));
        }
        // The shot after it.
        let shots = self.app().shot.as_ref().map(|s| s.due);
        while self.app().shot.as_ref().map(|s| s.due) == shots && began.elapsed() < PATIENCE {
            self.app_mut().advance();
        }
    }

    /// Waits until the run has done what it was told, and for what follows from that.
    fn idle(&mut self) {
        self.until("the run has answered", |app| app.host_is_idle());
        self.frames(2);
    }

    fn settled(&mut self) {
        self.answered();
        self.frames(2);
    }

    /// The scene as Save writes it: what the run itself has, not what panels show.
    fn saved(&mut self) -> Scene {
        self.settled();
        read(self.folder.path())
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::Button, label).click();
        self.frames(2);
    }

    fn press(&mut self, key: Key) {
        self.harness.key_press(key);
        self.frames(2);
    }

    fn undo_key(&mut self) {
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        self.frames(2);
    }

    /// Where the number of that name is, or else the first after a label.
    fn number_at(&mut self, label: &str) -> Pos2 {
        self.frames(2);
        let nodes = self.nodes();
        let is_number = |n: &&Shown| n.role == Role::SpinButton;
        if let Some(named) = nodes.iter().filter(is_number).find(|n| n.name == label) {
            return named.rect.center();
        }
        let after = nodes.iter().position(|n| n.role == Role::Label && n.text == label);
        let after = after.unwrap_or_else(|| panic!("nothing is called \"{label}\""));
        nodes[after..].iter().find(is_number).expect("it has a number").rect.center()
    }

    /// Types a number as hands do: a click selects the old one, keys come with their text, Enter ends it.
    fn type_number(&mut self, label: &str, text: &str) {
        let at = self.number_at(label);
        self.type_number_at(at, text);
    }

    fn type_number_at(&mut self, at: Pos2, text: &str) {
        self.write_number_at(at, text);
        self.press(Key::Enter);
    }

    /// The same without Enter.
    fn write_number_at(&mut self, at: Pos2, text: &str) {
        self.click_at(at);
        for c in text.chars() {
            let key = Key::from_name(&c.to_string()).expect("digits and dots");
            self.harness.input_mut().events.push(key_event(key, true));
            self.harness.input_mut().events.push(Event::Text(c.to_string()));
            self.harness.step();
            self.harness.event(key_event(key, false));
            self.harness.step();
        }
    }

    fn click_at(&mut self, at: Pos2) {
        self.harness.hover_at(at);
        self.harness.drag_at(at);
        self.harness.event(button_event(at, PointerButton::Primary, false));
        self.frames(3);
    }

    /// Where a point of the world is.
    fn at(&self, x: f32, y: f32) -> Pos2 {
        let view = self.app().view;
        let pixel = self.app().camera.to_view(Vec2::new(x, y), Vec2::new(view.width(), view.height()));
        view.min + egui::vec2(pixel.x, pixel.y)
    }

    /// Draws with the left button, frame by frame.
    fn drag(&mut self, way: &[Pos2]) {
        self.harness.hover_at(way[0]);
        self.harness.drag_at(way[0]);
        for at in way {
            self.harness.hover_at(*at);
        }
        let last = way[way.len() - 1];
        self.harness.event(button_event(last, PointerButton::Primary, false));
        self.frames(3);
    }

    /// Everything that is shown, in order.
    fn nodes(&self) -> Vec<Shown> {
        let shown = |n: AccessKitNode<'_>| {
            let rect = n
                .raw_bounds()
                .map(|r| Rect::from_min_max(pos2(r.x0 as f32, r.y0 as f32), pos2(r.x1 as f32, r.y1 as f32)));
            Shown {
                role: n.role(),
                name: n.label().unwrap_or_default(),
                text: n.value().unwrap_or_default(),
                tooltip: n.description().unwrap_or_default(),
                rect: rect.unwrap_or(Rect::NOTHING),
            }
        };
        self.harness.root().children_recursive().map(|n| shown(n.accesskit_node())).collect()
    }

    fn shows(&self, text: &str) -> bool {
        self.nodes().iter().any(|n| n.text.contains(text) || n.name.contains(text))
    }
}

fn read(folder: &Path) -> Scene {
    struct Folder<'a>(&'a Path);
    impl Files for Folder<'_> {
        fn read(&self, name: &str) -> Result<Vec<u8>, String> {
            std::fs::read(self.0.join(name)).map_err(|e| e.to_string())
        }
    }
    let text = std::fs::read_to_string(folder.join("saved.toml")).expect("it was saved");
    Scene::parse("saved.toml", &text, &Folder(folder)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Something that is shown, as a screen reader would have it.
#[derive(Debug)]
struct Shown {
    role: Role,
    name: String,
    text: String,
    tooltip: String,
    rect: Rect,
}

fn key_event(key: Key, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
}

fn button_event(pos: Pos2, button: PointerButton, pressed: bool) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }
}
