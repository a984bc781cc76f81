//! The window's panels without a window: buttons, keys, sliders and brushes, by what they do to the run and to the
//! scene. What the panels look like is for eyes; what they say is here: names, units, explanations.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, accesskit::Role, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT, Queryable};
use glam::Vec2;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use throng::engine::Direction;
use throng::scene::parameters::{Kind, Parameter, Parameters, Value};
use throng::scene::{Arrive, Files, Model, NoFiles};
use throng::world::agents::{Agent, State};
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
const ROOMY: [f32; 2] = [1500.0, 1400.0];
/// The run is on a thread of its own, which may have to wait for a core.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program in front of nobody.
struct Desk {
    harness: Harness<'static, App>,
    folder: TempDir,
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
        self.click_at(at);
        for c in text.chars() {
            let key = Key::from_name(&c.to_string()).expect("digits and dots");
            self.harness.input_mut().events.push(key_event(key, true));
            self.harness.input_mut().events.push(Event::Text(c.to_string()));
            self.harness.step();
            self.harness.event(key_event(key, false));
            self.harness.step();
        }
        self.press(Key::Enter);
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

// Time.

#[test]
fn buttons_run_pause_step_and_begin_again() {
    let mut desk = Desk::new(HALL);
    assert_eq!(desk.steps(), 0);
    desk.click("Step");
    desk.until("one step is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == 1));
    desk.click("Run");
    assert!(desk.app().running);
    desk.until("more steps are done", |app| app.shot.as_ref().is_some_and(|s| s.steps > 4));
    desk.click("Pause");
    assert!(!desk.app().running);
    desk.settled();
    let paused = desk.steps();
    std::thread::sleep(Duration::from_millis(150));
    desk.settled();
    assert_eq!(desk.steps(), paused, "time stands still in a pause");
    desk.click("Step");
    desk.until("one step more is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == paused + 1));
    desk.click("Reset");
    desk.until("it has begun again", |app| app.shot.as_ref().is_some_and(|s| s.steps == 0));
    assert!(desk.app_mut().take_reset() && desk.says("begun again") == 1);
}

#[test]
fn time_passes_as_fast_as_is_asked_for() {
    let mut desk = Desk::new(HALL);
    for (key, speed) in [(Key::Plus, 2.0), (Key::Plus, 4.0), (Key::Minus, 2.0)] {
        desk.press(key);
        assert_eq!(desk.app().speed, speed);
    }
    for _ in 0..20 {
        desk.press(Key::Minus);
    }
    assert!(desk.app().speed > 0.0, "never backwards, never a stop by itself");
    desk.app_mut().speed = 1.0;
    desk.app_mut().unbounded = true;
    desk.press(Key::Space);
    // 50 simulated seconds in less than those that patience has.
    desk.until("it is as fast as possible", |app| app.shot.as_ref().is_some_and(|s| s.time > 50.0));
    desk.press(Key::Space);
    assert!(!desk.app().running);
}

// Keys.

#[test]
fn number_keys_choose_fields() {
    let mut desk = Desk::new(HALL);
    let keys = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7];
    for (key, overlay) in keys.into_iter().zip(Overlay::ALL) {
        desk.press(key);
        assert_eq!(desk.app().look.overlay, Some(overlay));
        assert!(desk.shows(overlay.name()), "{overlay:?} is named");
    }
    desk.press(Key::Num7);
    assert_eq!(desk.app().look.overlay, None, "the same key again takes it away");
    desk.press(Key::Num3);
    desk.press(Key::Num0);
    assert_eq!(desk.app().look.overlay, None);
    for overlay in Overlay::ALL {
        let place = Overlay::ALL.iter().position(|o| *o == overlay).expect("one of them") + 1;
        desk.click(&format!("{place}  {}", overlay.name()));
        assert_eq!(desk.app().look.overlay, Some(overlay), "buttons do the same");
    }
}

#[test]
fn letters_change_what_is_shown_and_how() {
    let mut desk = Desk::new(HALL);
    for expected in [Colouring::Group, Colouring::Speed, Colouring::Density, Colouring::Waiting, Colouring::State] {
        desk.press(Key::C);
        assert_eq!(desk.app().look.colouring, expected);
    }
    desk.press(Key::C);
    assert_eq!(desk.app().look.colouring, Colouring::Goal, "and round again");
    desk.press(Key::X);
    desk.press(Key::A);
    assert!(desk.app().look.smooth && !desk.app().look.arrows);
    desk.press(Key::D);
    assert_eq!(desk.app().look.direction, Direction::South);
    desk.press(Key::G);
    assert_eq!(desk.app().look.goal, 1);
    desk.press(Key::G);
    assert_eq!(desk.app().look.goal, 0);
    desk.press(Key::T);
    assert!(desk.app().look.tiles > 0.0);
    desk.press(Key::T);
    assert!(desk.app().look.tiles <= 0.0);
    desk.press(Key::Space);
    assert!(desk.app().running);
    desk.press(Key::Period);
    assert!(!desk.app().running, "a single step is the end of running");
    desk.press(Key::H);
    assert!(!desk.app().panels && !desk.shows("Reset"));
    desk.press(Key::H);
    assert!(desk.shows("Reset"));
}

#[test]
fn the_list_of_keys_opens_and_closes() {
    let mut desk = Desk::new(HALL);
    for _ in 0..2 {
        desk.press(Key::F1);
        for word in ["Space", "Ctrl+Z", "F1", "wheel"] {
            assert!(desk.nodes().iter().any(|n| n.role == Role::Label && n.text == word), "{word}");
        }
        desk.press(Key::F1);
        assert!(!desk.shows("Ctrl+Z"));
    }
}

#[test]
fn keys_are_letters_while_somebody_writes() {
    let mut desk = Desk::new(HALL);
    let nodes = desk.nodes();
    let field = nodes.iter().find(|n| n.role == Role::TextInput).expect("a path can be written");
    assert!(!field.name.is_empty());
    let at = field.rect.center();
    desk.click_at(at);
    for (key, text) in [(Key::Num2, "2"), (Key::C, "c"), (Key::R, "r"), (Key::Space, " ")] {
        desk.harness.input_mut().events.push(key_event(key, true));
        desk.harness.input_mut().events.push(Event::Text(text.into()));
        desk.harness.step();
        desk.harness.event(key_event(key, false));
        desk.harness.step();
    }
    assert_eq!(desk.app().look, Look::default());
    assert!(!desk.app().running && desk.says("begun again") == 0);
    let nodes = desk.nodes();
    let written = &nodes.iter().find(|n| n.role == Role::TextInput).expect("as before").text;
    assert!(["2", "c", "r"].iter().all(|c| written.contains(c)), "{written}");
    // A click into the map gives the keys back.
    let at = desk.at(10.0, 11.0);
    desk.click_at(at);
    desk.press(Key::Num2);
    assert_eq!(desk.app().look.overlay, Some(Overlay::Density));
}

// Fields and colours.

#[test]
fn ends_of_a_fields_scale_can_be_typed() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::Num2);
    desk.type_number("Upper end: drag or type", "3.5");
    assert_eq!(desk.app().look.limits.map(|l| l.1), Some(3.5));
    assert_eq!(desk.app().look.overlay, Some(Overlay::Density), "digits that are typed choose no field");
    desk.type_number("Lower end: drag or type", "1");
    assert_eq!(desk.app().look.limits, Some((1.0, 3.5)));
    desk.type_number("Upper end: drag or type", "0.5");
    let (low, high) = desk.app().look.limits.expect("still by hand");
    assert!(low < high, "a scale that goes nowhere is not taken: {low} to {high}");
    desk.click("auto");
    assert_eq!(desk.app().look.limits, None);
}

#[test]
fn ends_of_a_fields_scale_can_be_picked_from_the_picture() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::Num2);
    let high = desk.app().limits.1;
    desk.app_mut().readout = Readout { probe: Some([0.25, 0.0]), ..Readout::default() };
    desk.click("pick low");
    let at = desk.at(5.0, 2.0);
    desk.click_at(at);
    assert_eq!(desk.app().look.limits, Some((0.25, high)));
    desk.app_mut().readout = Readout { probe: Some([f32::NAN, 0.0]), ..Readout::default() };
    desk.click("pick high");
    desk.click_at(at);
    assert_eq!(desk.app().look.limits, Some((0.25, high)), "what is no number is no end of a scale");
    assert_eq!(desk.says("no value there"), 1);
}

#[test]
fn the_scale_follows_the_fields_values_unless_it_was_set() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::Num2);
    desk.app_mut().learn(Readout { extent: Some((0.0, 3.7)), ..Readout::default() });
    let (low, high) = desk.app().limits;
    assert!(low <= 0.0 && (3.7..=4.0).contains(&high), "{low} to {high}");
    desk.app_mut().look.limits = Some((1.0, 2.0));
    desk.frames(2);
    desk.app_mut().learn(Readout { extent: Some((0.0, 30.0)), ..Readout::default() });
    assert_eq!(desk.app().limits, (1.0, 2.0));
}

#[test]
fn the_colour_of_agents_can_be_chosen_from_a_list() {
    let mut desk = Desk::new(HALL);
    desk.harness.get_by_role_and_label(Role::ComboBox, "colour").click();
    desk.frames(3);
    desk.click("speed");
    assert_eq!(desk.app().look.colouring, Colouring::Speed);
    let list = desk.nodes().iter().position(|n| n.role == Role::ComboBox && n.text == "speed").expect("as chosen");
    let ends: Vec<Pos2> = desk.nodes()[list..]
        .iter()
        .filter(|n| n.role == Role::SpinButton && n.text.ends_with(" m/s"))
        .map(|n| n.rect.center())
        .collect();
    desk.type_number_at(ends[1], "1.5");
    desk.type_number_at(ends[0], "0.5");
    assert_eq!(desk.app().look.colouring_limits, Some((0.5, 1.5)));
}

// The model and the groups.

/// The parameters of the model that the panel shows, and of its parts: the part's place, if it is in one, and the parameter.
fn shown_parameters(model: &Model) -> Vec<(Option<usize>, &'static Parameter)> {
    let own = model.table().iter().filter(|p| model.matters(p)).map(|p| (None, p));
    let parts = model.parts().into_iter().enumerate().filter(|(_, (name, _))| model.part_matters(name));
    own.chain(parts.flat_map(|(k, (_, part))| part.table().iter().map(move |p| (Some(k), p)))).collect()
}

fn value_of(model: &Model, part: Option<usize>, parameter: &Parameter) -> Value {
    let value = match part {
        None => model.get(parameter.key),
        Some(k) => model.parts()[k].1.get(parameter.key),
    };
    value.expect("it is in the table")
}

#[test]
fn every_number_of_the_model_reaches_the_run_and_can_be_undone() {
    let mut desk = Desk::new(HALL);
    let before = desk.saved().model;
    let mut typed = 0;
    for (part, parameter) in shown_parameters(&before) {
        // As many digits as the field shows.
        let (text, value) = match &parameter.kind {
            Kind::Number { slider, .. } => {
                let text = format!("{:.2}", 0.4 * slider.start() + 0.6 * slider.end());
                (text.clone(), Value::Number(text.parse().expect("a number")))
            }
            Kind::Whole { default, .. } => ((default + 2).to_string(), Value::Whole(default + 2)),
            Kind::Choice { .. } => continue,
        };
        desk.type_number(&parameter.name(), &text);
        assert_eq!(value_of(&desk.saved().model, part, parameter), value, "{}", parameter.key);
        typed += 1;
    }
    assert!(typed > 10, "only {typed} numbers are shown");
    for _ in 0..100 {
        desk.undo_key();
    }
    assert_eq!(desk.saved().model, before, "all of it undone");
}

#[test]
fn every_choice_of_the_model_can_be_made_while_it_runs_and_undone() {
    let mut desk = Desk::new(HALL);
    let before = desk.saved().model;
    desk.click("Run");
    let mut made = 0;
    for (part, parameter) in shown_parameters(&before) {
        let Kind::Choice { words: words @ [_, second, ..] } = parameter.kind else { continue };
        desk.harness.get_by_role_and_label(Role::ComboBox, &parameter.name()).click();
        desk.frames(3);
        let nodes = desk.nodes();
        for word in words {
            let item = nodes.iter().find(|n| n.role == Role::Button && n.name == word.word);
            assert_eq!(item.map(|n| n.tooltip.as_str()), Some(word.what), "{} is explained", word.word);
        }
        desk.click(second.word);
        assert_eq!(value_of(&desk.saved().model, part, parameter), Value::Choice(1), "{}", parameter.key);
        assert!(desk.nodes().iter().any(|n| n.role == Role::ComboBox && n.text == second.word), "{}", second.word);
        made += 1;
    }
    let steps = desk.steps();
    desk.until("it still runs", |app| app.shot.as_ref().is_some_and(|s| s.steps > steps + 2));
    desk.click("Pause");
    for _ in 0..made {
        desk.undo_key();
    }
    assert!(made >= 5, "only {made} choices are shown");
    assert_eq!(desk.saved().model, before, "each is one change to undo");
}

#[test]
fn numbers_that_only_one_law_has_are_shown_with_it() {
    let mut desk = Desk::new(HALL);
    let label = |desk: &Desk, text: &str| desk.nodes().iter().any(|n| n.role == Role::Label && n.text == text);
    assert!(label(&desk, "jam density") && !label(&desk, "density max"));
    desk.harness.get_by_role_and_label(Role::ComboBox, "speed law").click();
    desk.frames(3);
    desk.click("thesis");
    assert!(!label(&desk, "jam density") && label(&desk, "density max"));
    desk.type_number("density max", "0.9");
    assert_eq!(desk.saved().model.density_max, 0.9);
    desk.type_number("density max", "0.4");
    assert_eq!(desk.saved().model.density_max, 0.9, "not below density_min, 0.5");
    assert_eq!(desk.says("density_max 0.4 is not above density_min 0.5"), 1);
    desk.undo_key();
    desk.undo_key();
    assert!(label(&desk, "jam density") && !label(&desk, "density max"));
}

#[test]
fn a_slider_that_is_dragged_is_undone_at_once() {
    let mut desk = Desk::new(HALL);
    let before = desk.saved().model;
    let nodes = desk.nodes();
    let label = nodes.iter().position(|n| n.role == Role::Label && n.text == "time weight").expect("it is there");
    let slider = nodes[label..].iter().find(|n| n.role == Role::Slider).expect("it has a slider").rect;
    let way: Vec<Pos2> =
        [0.2, 0.4, 0.5, 0.7].map(|k| pos2(slider.left() + k * slider.width(), slider.center().y)).into();
    desk.drag(&way);
    let dragged = desk.saved().model.time_weight;
    assert!(dragged > before.time_weight + 1.0, "{dragged} per s");
    desk.undo_key();
    assert_eq!(desk.saved().model, before, "one drag is one change");
}

#[test]
fn looking_at_the_model_does_not_change_it() {
    // Beyond the ends of the sliders, but as a scene may have it.
    let model = "length_weight = 50\njam_density = 20\nmin_speed = 0.7\nperson_radius = 1.5\nseparation_rounds = 20";
    let text = format!("{HALL}\n[model]\n{model}\n");
    let mut desk = Desk::new(&text);
    let given = Scene::parse("test.toml", &text, &NoFiles).expect("a sound scene").model;
    desk.frames(5);
    assert_eq!(desk.saved().model, given);
    desk.type_number("time weight", "2");
    assert_eq!(desk.saved().model, Model { time_weight: 2.0, ..given }, "nor does changing one of its numbers");
}

#[test]
fn what_people_do_on_arrival_can_be_chosen() {
    let mut desk = Desk::new(HALL);
    let boxes: Vec<Pos2> = desk
        .nodes()
        .iter()
        .filter(|n| n.role == Role::ComboBox && n.text.contains("on arrival"))
        .map(|n| n.rect.center())
        .collect();
    assert_eq!(boxes.len(), 2, "one for each group");
    desk.click_at(boxes[1]);
    desk.click("respawn");
    let arrive = |scene: &Scene| scene.groups.iter().map(|g| g.arrive).collect::<Vec<_>>();
    assert_eq!(arrive(&desk.saved()), [Arrive::Park, Arrive::Respawn]);
    assert!(desk.shows("on arrival: respawn") && desk.says("\"staff\" was changed") == 1);
    desk.undo_key();
    assert_eq!(arrive(&desk.saved()), [Arrive::Park, Arrive::Park]);
}

#[test]
fn the_speed_of_a_group_can_be_typed() {
    let mut desk = Desk::new(HALL);
    let staff = desk.nodes().iter().position(|n| n.text.starts_with("staff:")).expect("the group is listed");
    let place = desk.nodes()[staff..].iter().find(|n| n.text == "1.20 m/s").expect("its speed is shown").rect.center();
    desk.click_at(place);
    for text in ["0", ".", "6"] {
        desk.harness.event(Event::Text(text.into()));
        desk.frames(2);
    }
    desk.press(Key::Enter);
    desk.frames(3);
    let typical = |scene: &Scene| scene.groups.iter().map(|g| g.speed.typical()).collect::<Vec<_>>();
    let now = typical(&desk.saved());
    // A hundredth is what the field shows.
    assert!((now[1] - 0.6).abs() < 0.01 && (now[0] - 1.34).abs() < 0.01, "{now:?} m/s");
    desk.undo_key();
    let back = typical(&desk.saved());
    assert!((back[1] - 1.2).abs() < 0.01, "{back:?} m/s");
}

// Tools.

#[test]
fn each_tool_has_a_button_and_says_what_it_does() {
    let mut desk = Desk::new(HALL);
    for tool in Tool::ALL {
        desk.click(tool.name());
        assert_eq!(desk.app().tool, tool);
        let nodes = desk.nodes();
        let button = nodes.iter().find(|n| n.role == Role::Button && n.name == tool.name()).expect("just clicked");
        assert_eq!(button.tooltip, tool.meaning());
        assert!(tool == Tool::Select || desk.shows(tool.meaning()), "{tool:?} is explained in the panel");
    }
    desk.press(Key::Escape);
    assert_eq!(desk.app().tool, Tool::Select);
}

/// What the floor is: painted cells, discomfort, walls that stand, where goals are.
fn floor(desk: &Desk) -> (Vec<bool>, Vec<f32>, Vec<usize>, String) {
    let ground = desk.app().ground.as_ref().expect("the run has begun");
    let standing = ground.walls.iter().map(|(n, _)| *n).collect();
    (ground.painted.clone(), ground.discomfort.clone(), standing, format!("{:?}", ground.goals))
}

#[test]
fn a_stroke_changes_the_floor_and_undoing_it_leaves_no_trace() {
    for (tool, erase) in
        [(Tool::Walls, false), (Tool::Walls, true), (Tool::Discomfort, false), (Tool::Discomfort, true)]
    {
        let mut desk = Desk::new(HALL);
        if erase {
            // Something to erase besides what the scene has.
            desk.app_mut().tool = tool;
            desk.app_mut().stroke_to(Vec2::new(12.0, 2.0), false);
            desk.app_mut().end_stroke();
            desk.settled();
        }
        let before = floor(&desk);
        let edits = desk.app().shot.as_ref().map(|s| s.edits);
        desk.app_mut().tool = tool;
        // Over the wall of the scene and the uncomfortable ground, twice over the same place.
        for (x, y) in [(3.0, 2.0), (6.0, 2.0), (9.5, 5.0), (6.0, 2.0), (12.0, 2.0)] {
            desk.app_mut().stroke_to(Vec2::new(x, y), erase);
            desk.answered();
        }
        desk.app_mut().end_stroke();
        desk.answered();
        assert!(floor(&desk) != before, "{tool:?}, erasing {erase}: nothing has changed");
        assert!(desk.app().shot.as_ref().map(|s| s.edits) > edits);
        desk.app_mut().undo_last();
        desk.answered();
        let now = floor(&desk);
        assert!(now.0 == before.0, "{tool:?}, erasing {erase}: painted walls differ");
        assert!(now.1 == before.1, "{tool:?}, erasing {erase}: discomfort differs");
        assert_eq!((now.2, now.3), (before.2, before.3), "{tool:?}, erasing {erase}");
    }
}

#[test]
fn the_brush_paints_where_the_pointer_goes() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Walls.name());
    let way = [desk.at(12.0, 10.0), desk.at(14.0, 10.5), desk.at(17.0, 11.0)];
    desk.drag(&way);
    desk.settled();
    let painted = |desk: &Desk, x: f32, y: f32| {
        let ground = desk.app().ground.as_ref().expect("the run has begun");
        ground.painted[(y / 0.5) as usize * 40 + (x / 0.5) as usize]
    };
    for (x, y) in [(12.0, 10.0), (14.0, 10.5), (16.0, 10.8)] {
        assert!(painted(&desk, x, y), "at {x}, {y}");
    }
    assert!(!painted(&desk, 12.0, 6.0));
    assert_eq!(desk.says("walls of"), 1, "one stroke");
    desk.undo_key();
    desk.settled();
    assert!(!painted(&desk, 14.0, 10.5));
}

#[test]
fn a_stroke_that_is_quicker_than_a_frame_is_painted_from_its_beginning_to_its_end() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Discomfort.name());
    let (from, to) = (desk.at(12.0, 11.0), desk.at(17.0, 11.0));
    desk.harness.hover_at(from);
    desk.frames(1);
    // On a slow machine all of it comes with one frame.
    let events = [
        button_event(from, PointerButton::Primary, true),
        Event::PointerMoved(to),
        button_event(to, PointerButton::Primary, false),
    ];
    desk.harness.input_mut().events.extend(events);
    desk.frames(3);
    desk.settled();
    let ground = desk.app().ground.clone().expect("the run has begun");
    for x in [12.0f32, 14.0, 16.9] {
        let value = ground.discomfort[22 * 40 + (x / 0.5) as usize];
        assert!(value > 0.5, "{value} at {x}");
    }
}

#[test]
fn a_goal_can_be_dragged_elsewhere_and_back() {
    let mut desk = Desk::new(HALL);
    let before = floor(&desk);
    desk.click(Tool::Goals.name());
    let way = [desk.at(19.5, 6.0), desk.at(18.0, 8.0), desk.at(15.5, 9.0)];
    desk.drag(&way);
    desk.settled();
    let moved = desk.saved();
    let bounds = moved.goals[0].shapes[0].bounds();
    // It goes as far as the pointer: from 19.5, 6 to 15.5, 9; a pixel is a fiftieth of a metre here.
    let by = bounds.min - Vec2::new(19.0, 4.0);
    assert!(by.distance(Vec2::new(-4.0, 3.0)) < 0.1, "moved by {by}");
    assert_eq!(desk.says("\"east door\" was moved"), 1);
    desk.undo_key();
    desk.settled();
    assert!(floor(&desk) == before, "all as it was");
}

#[test]
fn people_can_be_dropped_and_taken_back() {
    let mut desk = Desk::new(HALL);
    assert_eq!(desk.active(), 30);
    desk.click(Tool::Drop.name());
    let at = desk.at(14.0, 10.0);
    desk.click_at(at);
    desk.until("20 more are there", |app| app.shot.as_ref().is_some_and(|s| s.counters.active == 50));
    assert_eq!(desk.says("20 people dropped"), 1);
    assert_eq!(desk.saved().groups.len(), 3);
    desk.undo_key();
    desk.until("they are gone", |app| app.shot.as_ref().is_some_and(|s| s.counters.active == 30));
    assert_eq!(desk.saved().groups.len(), 2);
}

#[test]
fn a_drop_that_fails_leaves_nothing_to_undo() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().drop_people(Vec2::new(14.0, 10.0));
    desk.until("20 more are there", |app| app.shot.as_ref().is_some_and(|s| s.counters.active == 50));
    // Into the wall.
    desk.app_mut().drop_people(Vec2::new(9.5, 6.0));
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("nobody was dropped")));
    desk.frames(2);
    let listed = desk.nodes().iter().filter(|n| n.role == Role::Label && n.text.starts_with("dropped")).count();
    assert_eq!(listed, 1, "only who is there is listed");
    desk.app_mut().undo_last();
    desk.until("the first are gone", |app| app.shot.as_ref().is_some_and(|s| s.counters.active == 30));
    desk.app_mut().undo_last();
    desk.settled();
    let listed = desk.nodes().iter().filter(|n| n.role == Role::Label && n.text.starts_with("dropped")).count();
    assert_eq!(listed, 0, "and they are not listed any more");
    let troubles =
        desk.app().log_lines().filter(|l| l.contains("nobody was dropped") || l.contains("no group")).count();
    assert_eq!(troubles, 1, "{:#?}", desk.app().log_lines().collect::<Vec<_>>());
}

#[test]
fn changes_survive_beginning_again() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(3.0, 11.0), false);
    desk.app_mut().end_stroke();
    desk.type_number("length weight", "2.5");
    desk.app_mut().drop_people(Vec2::new(14.0, 10.0));
    desk.settled();
    let (floor_before, scene_before) = (floor(&desk), desk.saved());
    desk.click("Step");
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.settled();
    assert!(floor(&desk) == floor_before, "the floor is as it was changed");
    let now = desk.saved();
    assert_eq!((now.model, now.groups.len()), (scene_before.model, 3));
    assert_eq!((desk.steps(), desk.active()), (0, 50));
}

#[test]
fn a_run_that_cannot_begin_again_goes_on() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Walls;
    // Walls all over the place where the guests start.
    for y in 0..16 {
        desk.app_mut().stroke_to(Vec2::new(1.5, 3.5 + 0.5 * y as f32), false);
        desk.app_mut().stroke_to(Vec2::new(8.5, 3.5 + 0.5 * y as f32), false);
    }
    desk.app_mut().end_stroke();
    desk.settled();
    let before = floor(&desk);
    desk.click("Reset");
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("cannot begin again")));
    assert_eq!(desk.app().tab, Tab::Log, "and the log is shown");
    desk.click("Step");
    desk.settled();
    assert!(desk.steps() == 1 && floor(&desk) == before, "the old run goes on");
    desk.undo_key();
    desk.settled();
    assert_eq!(floor(&desk).0.iter().filter(|p| **p).count(), 0, "and the stroke can still be undone");
}

// Saving.

#[test]
fn saving_writes_a_scene_that_can_be_read_with_its_images_beside_it() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Discomfort;
    desk.app_mut().stroke_to(Vec2::new(14.0, 11.0), false);
    desk.app_mut().end_stroke();
    desk.settled();
    std::fs::remove_file(desk.folder.path().join("saved.toml")).expect("it was saved before");
    let said = desk.says("saved ");
    desk.click("Save");
    desk.until("it is saved", |app| app.log_lines().filter(|l| l.contains("saved ")).count() > said);
    let last = desk.app().log_lines().last().expect("a line").to_owned();
    assert!(last.contains("saved.toml") && last.contains("1 image"), "{last}");
    assert!(desk.folder.path().join("saved-map.png").exists());
    let scene = read(desk.folder.path());
    assert_eq!(scene.name, "hall");
    let cell = scene.grid.index_at(Vec2::new(14.0, 11.0));
    let sim = Simulation::with_threads(&scene, 1).expect("it runs");
    // A step of 255 is what an image can say; the rest is said in the text, exactly.
    assert!((sim.world().ground[cell] - 0.8).abs() < 1e-6, "{}", sim.world().ground[cell]);
}

#[test]
fn a_path_that_cannot_be_written_to_is_said_and_nothing_breaks() {
    let mut desk = Desk::with(HALL, ROOMY, |start| start.save_as = "no/such/folder/anywhere/saved.toml".into());
    desk.click("Save");
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("cannot save")));
    assert_eq!(desk.app().tab, Tab::Log, "the log is shown");
    let complaint = desk.app().log_lines().last().expect("a line").to_owned();
    assert!(complaint.contains("saved.toml") || complaint.contains("no/such/folder"), "{complaint}");
    desk.click("Step");
    desk.until("the run goes on", |app| app.shot.as_ref().is_some_and(|s| s.steps == 1));
}

// What is shown.

#[test]
fn the_log_shows_its_lines_and_keeps_the_newest() {
    let mut desk = Desk::new(HALL);
    desk.click("Log");
    for line in ["hall: 30 agents", "runs on cpu", "drawn by nobody"] {
        assert!(desk.shows(line), "{line}");
    }
    for n in 0..600 {
        desk.app_mut().note(format!("line {n}"));
    }
    assert_eq!(desk.app().log_lines().count(), 500);
    desk.frames(3);
    assert!(desk.app().log_lines().last().is_some_and(|l| l.ends_with("line 599")));
    desk.click("Arrivals");
    desk.app_mut().complain("something does not work");
    desk.frames(2);
    assert!(desk.shows("something does not work"), "complaints open the log");
}

#[test]
fn each_tab_shows_what_it_is_called_after() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().running = true;
    desk.until("some steps are done", |app| app.shot.as_ref().is_some_and(|s| s.steps > 10));
    let cases = [
        ("Arrivals", Tab::Arrivals, vec!["arrived", "on the floor"]),
        ("Density", Tab::Density, vec!["mean speed"]),
        ("Time per stage", Tab::Stages, throng::stages::NAMES.to_vec()),
        ("Memory", Tab::Memory, vec!["in all", "B"]),
    ];
    for (name, tab, words) in cases {
        desk.click(name);
        assert_eq!(desk.app().tab, tab);
        for word in words {
            assert!(desk.shows(word), "{name}: {word}");
        }
    }
}

#[test]
fn the_map_keeps_its_place_whatever_tab_is_shown() {
    for size in [[1280.0, 720.0], [900.0, 600.0]] {
        let mut desk = Desk::with(HALL, size, |_| {});
        desk.frames(3);
        let first = desk.app().view;
        for name in ["Density", "Time per stage", "Memory", "Log", "Arrivals"] {
            desk.click(name);
            desk.frames(3);
            let now = desk.app().view;
            // A pixel of rounding.
            assert!(
                (now.height() - first.height()).abs() <= 1.0,
                "{name}: {} instead of {}",
                now.height(),
                first.height()
            );
        }
    }
}

#[test]
fn numbers_have_their_units() {
    let mut desk = Desk::new(HALL);
    let units = [
        ("length weight", " per m"),
        ("time weight", " per s"),
        ("discomfort weight", " per s"),
        ("jam density", " persons/m²"),
        ("min speed", " m/s"),
        ("clearance", " m"),
        ("plan every", " steps"),
        ("person radius", " m"),
        ("speed", " m/s"),
    ];
    for (name, unit) in units {
        let nodes = desk.nodes();
        let label = nodes.iter().position(|n| n.role == Role::Label && n.text == name).expect("it is there");
        let number = nodes[label..].iter().find(|n| n.role == Role::SpinButton).expect("it has a number");
        assert!(number.text.ends_with(unit), "{name}: {}", number.text);
    }
    for tool in [Tool::Walls, Tool::Discomfort, Tool::Drop] {
        desk.click(tool.name());
        let nodes = desk.nodes();
        let radius =
            nodes.iter().find(|n| n.role == Role::SpinButton && n.name == "radius").expect("a brush has a size");
        assert!(radius.text.ends_with(" m"), "{tool:?}: {}", radius.text);
    }
    for overlay in Overlay::ALL.into_iter().filter(|o| *o != Overlay::Gradient) {
        desk.app_mut().show_overlay(Some(overlay));
        desk.frames(2);
        assert!(desk.nodes().iter().any(|n| n.text == format!("scale, {}", overlay.unit())), "{overlay:?}");
    }
    for colouring in [Colouring::Speed, Colouring::Density, Colouring::Waiting] {
        desk.app_mut().look.colouring = colouring;
        desk.frames(2);
        let unit = format!(" {}", colouring.unit().expect("it is measured"));
        let with_unit = desk.nodes().iter().filter(|n| n.role == Role::SpinButton && n.text.ends_with(&unit)).count();
        assert!(with_unit >= 2, "{colouring:?}: both ends");
    }
    for words in ["steps/s", "frames/s", "persons/m²; mean speed"] {
        assert!(desk.shows(words), "{words}");
    }
}

#[test]
fn everything_can_be_reached_by_name_and_the_model_is_explained() {
    let mut desk = Desk::new(HALL);
    let nodes = desk.nodes();
    for (_, parameter) in shown_parameters(&Model::default()) {
        let name = parameter.name();
        let label = nodes.iter().find(|n| n.role == Role::Label && n.text == name).expect("it is there");
        assert_eq!(label.tooltip, parameter.what, "{name}");
    }
    for tool in Tool::ALL {
        desk.click(tool.name());
        desk.press(Key::Num5);
        let unnamed = desk.harness.unnamed_widgets();
        assert!(unnamed.is_empty(), "{tool:?}: {unnamed:#?}");
        desk.press(Key::Num0);
    }
}

#[test]
fn resting_on_a_button_says_what_it_does() {
    let mut desk = Desk::new(HALL);
    desk.harness.get_by_role_and_label(Role::Button, "Reset").hover();
    let began = Instant::now();
    while !desk.nodes().iter().any(|n| n.role == Role::Label && n.text.contains("Begin again with the same seed")) {
        assert!(began.elapsed() < PATIENCE, "no tooltip appears");
        desk.frames(1);
    }
}

#[test]
fn the_chosen_agent_is_described_with_units() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().learn(Readout { clicked: Some(Some(7)), ..Readout::default() });
    assert_eq!((desk.app().chosen, desk.says("agent 7 is chosen")), (Some(7), 1));
    let agent = Agent {
        id: 7,
        position: Vec2::new(3.0, 4.5),
        velocity: Vec2::new(0.6, 0.8),
        heading: Vec2::new(0.0, 1.0),
        radius: 0.2,
        preferred: 1.34,
        turn: 5.0,
        goal: 0,
        group: 0,
        leg: 0,
        state: State::Walking,
        wake: 0,
    };
    desk.app_mut().readout = Readout { chosen: Some((agent, 2.5)), ..Readout::default() };
    desk.frames(2);
    let rows = [
        ("position", "3.00, 4.50 m"),
        ("velocity", "0.60, 0.80 m/s"),
        ("speed", "1.00 m/s"),
        ("preferred speed", "1.34 m/s"),
        ("heading", "90°"),
        ("turn rate", "5.00 rad/s"),
        ("radius", "0.200 m"),
        ("standing for", "2.5 s"),
        ("goal", "east door"),
        ("group", "guests"),
        ("state", "walking"),
    ];
    let nodes = desk.nodes();
    for (name, value) in rows {
        let labels: Vec<&Shown> = nodes.iter().filter(|n| n.role == Role::Label).collect();
        let place = labels.iter().position(|n| n.text == name).unwrap_or_else(|| panic!("no row {name}"));
        assert!(labels[place + 1].text.starts_with(value), "{name}: {}", labels[place + 1].text);
    }
    desk.press(Key::L);
    assert!(desk.app().follow);
    desk.app_mut().learn(Readout { chosen: Some((agent, 2.5)), ..Readout::default() });
    assert_eq!(desk.app().camera.centre, agent.position, "the view goes along");
    desk.press(Key::Escape);
    assert_eq!((desk.app().chosen, desk.app().follow), (None, false));
}

#[test]
fn a_notice_is_shown_until_it_is_understood() {
    let mut desk = Desk::with(HALL, ROOMY, |start| start.notice = Some("There is no GPU here.".into()));
    desk.frames(2);
    assert!(desk.shows("There is no GPU here."));
    desk.click("Understood");
    assert!(!desk.shows("There is no GPU here."));
}

#[test]
fn nothing_is_cut_off_or_covered_in_windows_of_usual_sizes() {
    for size in [[1280.0, 720.0], [900.0, 600.0]] {
        let mut desk = Desk::with(HALL, size, |_| {});
        for tool in Tool::ALL {
            desk.app_mut().tool = tool;
            desk.frames(3);
            let view = desk.app().view;
            let acts = |n: &&Shown| {
                let roles =
                    [Role::Button, Role::CheckBox, Role::Slider, Role::SpinButton, Role::ComboBox, Role::TextInput];
                roles.contains(&n.role)
            };
            let nodes = desk.nodes();
            let top: Vec<&Shown> = nodes.iter().filter(acts).filter(|n| n.rect.bottom() <= view.top()).collect();
            assert!(top.len() > 10, "the toolbar is at the top");
            for (i, a) in top.iter().enumerate() {
                assert!(a.rect.left() >= 0.0 && a.rect.right() <= size[0], "{size:?}: {a:?}");
                for b in &top[..i] {
                    // Touching edges are fine.
                    assert!(!a.rect.shrink(0.5).intersects(b.rect), "{size:?}: {a:?} covers {b:?}");
                }
            }
            let side =
                |n: &&Shown| n.rect.top() > view.top() && n.rect.bottom() < view.bottom() && n.rect.width() < 400.0;
            for n in nodes.iter().filter(|n| acts(n) || n.role == Role::Label).filter(side) {
                let inside = |left: f32, right: f32| n.rect.left() >= left && n.rect.right() <= right;
                let fits =
                    inside(0.0, view.left()) || inside(view.right(), size[0]) || inside(view.left(), view.right());
                assert!(fits, "{size:?}, {tool:?}: {n:?} is cut off; the map is at {view:?}");
            }
        }
        assert!(desk.app().view.width() > 0.3 * size[0], "there is room for the map: {:?}", desk.app().view);
    }
}
