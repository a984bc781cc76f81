//! Saving, and what is shown: names, units, explanations.

use super::model::shown_parameters;
use super::*;

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
    assert!(last.contains("saved.toml") && last.contains("1 file"), "{last}");
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
    let agent = walker(Vec2::new(3.0, 4.5), Vec2::new(0.6, 0.8));
    // A column of a model's own, as its table says it.
    let column = &Steer::KeepDistance.steering().columns[0];
    let own = vec![OwnColumn { column, values: vec![0.756] }];
    desk.app_mut().readout = Readout { chosen: Some((agent, 2.5)), own, ..Readout::default() };
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
        ("room ahead", "0.76 m"),
    ];
    let nodes = desk.nodes();
    for (name, value) in rows {
        let labels: Vec<&Shown> = nodes.iter().filter(|n| n.role == Role::Label).collect();
        let place = labels.iter().position(|n| n.text == name).unwrap_or_else(|| panic!("no row {name}"));
        assert!(labels[place + 1].text.starts_with(value), "{name}: {}", labels[place + 1].text);
    }
    let agent = Agent { goal: throng::world::points::POINT, ..agent };
    let own = vec![OwnColumn { column: &throng::world::points::COLUMN, values: vec![8.0, 2.5] }];
    desk.app_mut().readout = Readout { chosen: Some((agent, 2.5)), own, ..Readout::default() };
    desk.frames(2);
    assert!(desk.shows("the point 8.00, 2.50 m"));
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

#[test]
fn how_many_frames_there_are_a_second_is_shown() {
    let mut desk = Desk::new(HALL);
    // More than the second that it is counted over.
    for _ in 0..60 {
        std::thread::sleep(Duration::from_millis(20));
        desk.frames(1);
    }
    let shown = desk.nodes().into_iter().find(|n| n.text.contains("frame")).expect("it is shown").text;
    let number: f32 =
        shown.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect::<String>().parse().expect("a number");
    // Each takes 20 ms and what it takes to draw it.
    assert!((1.0..=51.0).contains(&number), "{shown}");
}
