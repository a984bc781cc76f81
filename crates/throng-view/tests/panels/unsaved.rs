//! What is in no file: it is known when the window is to close, and it is found again when it had to.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};
use throng_view::app::From;

const QUESTION: &str = "Changes are not saved";

/// Paints a wall where nobody stands.
fn stroke(desk: &mut Desk, x: f32) {
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(x, 1.0), false);
    desk.app_mut().end_stroke();
}

/// Whether closing the window asks first.
fn asks(desk: &mut Desk) -> bool {
    desk.app_mut().leave();
    let began = Instant::now();
    while !desk.app().quit && !desk.shows(QUESTION) {
        assert!(began.elapsed() < PATIENCE, "neither closed nor asked");
        desk.frames(1);
    }
    let asks = !desk.app().quit;
    if asks {
        desk.click("Cancel");
    }
    desk.app_mut().quit = false;
    asks
}

fn save_key(desk: &mut Desk) {
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.frames(2);
}

fn until_saved(desk: &mut Desk, times: usize) {
    desk.until("it was saved", |app| app.log_lines().filter(|l| l.contains("saved ")).count() == times);
}

#[test]
fn a_save_that_failed_closes_no_window_later() {
    let mut desk = Desk::with(HALL, ROOMY, |start| {
        let folder = start.save_as.with_file_name("later");
        start.save_as = folder.join("saved.toml");
    });
    stroke(&mut desk, 11.5);
    desk.app_mut().leave();
    desk.idle();
    desk.click("Save and close");
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("cannot save")));
    std::fs::create_dir(desk.folder.path().join("later")).expect("a folder");
    save_key(&mut desk);
    until_saved(&mut desk, 1);
    desk.frames(3);
    assert!(!desk.app().quit, "nobody wants to leave any more");
}

#[test]
fn what_was_changed_while_it_was_saved_is_asked_about() {
    let mut desk = Desk::new(HALL);
    stroke(&mut desk, 11.5);
    desk.settled();
    stroke(&mut desk, 12.5);
    desk.idle();
    desk.app_mut().leave();
    desk.frames(2);
    desk.harness.get_by_role_and_label(Role::Button, "Save and close").click();
    // The frame in which the run is told to save is the last one of these.
    desk.harness.step();
    stroke(&mut desk, 13.5);
    until_saved(&mut desk, 2);
    desk.frames(3);
    assert!(!desk.app().quit && desk.shows(QUESTION));
}

#[test]
fn what_the_run_has_not_done_yet_is_not_lost_unasked() {
    for reset in [false, true] {
        let mut desk = Desk::new(HALL);
        desk.app_mut().tool = Tool::Rectangle;
        desk.app_mut().draw(Vec2::new(11.0, 1.0), Vec2::new(12.0, 1.5));
        if reset {
            desk.app_mut().ask_to_begin_again(From::Opened);
        } else {
            desk.app_mut().leave();
        }
        assert!(!desk.app().quit, "it is not known yet that something was drawn");
        let began = Instant::now();
        while !desk.shows(QUESTION) {
            assert!(began.elapsed() < PATIENCE && !desk.app().quit && desk.says("begun again") == 0);
            desk.frames(1);
        }
    }
}

#[test]
fn who_does_not_want_to_wait_asks_twice() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.app_mut().leave();
    desk.app_mut().leave();
    desk.frames(2);
    assert!(desk.shows(QUESTION));
}

#[test]
fn the_opened_scene_is_in_no_file_any_more_once_it_was_replaced() {
    let mut desk = Desk::new(HALL);
    std::fs::write(desk.folder.path().join("saved.toml"), HALL).expect("written");
    let undo = |desk: &mut Desk| {
        desk.undo_key();
        desk.until("it is taken back", |app| {
            app.ground.as_ref().is_some_and(|g| g.painted.iter().all(|p| !p)) && app.host_is_idle()
        });
    };
    stroke(&mut desk, 11.5);
    assert!(asks(&mut desk));
    undo(&mut desk);
    assert!(!asks(&mut desk), "it is in the file that it came from");
    stroke(&mut desk, 11.5);
    save_key(&mut desk);
    desk.idle();
    desk.click("Replace");
    until_saved(&mut desk, 1);
    assert!(!asks(&mut desk));
    undo(&mut desk);
    assert!(asks(&mut desk), "that file is another one now");
}

#[test]
fn an_obstacle_that_is_left_there_is_nothing_to_save() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Obstacle.name());
    desk.harness.get_by_role_and_label(Role::CheckBox, "leave it there").click();
    desk.frames(2);
    let at = desk.at(15.0, 6.0);
    desk.click_at(at);
    assert_eq!(desk.says("the obstacle stays"), 1);
    assert!(!asks(&mut desk));
}

#[test]
fn a_number_that_is_being_typed_is_saved_and_not_lost() {
    let mut desk = Desk::new(HALL);
    let at = desk.number_at("length weight");
    desk.write_number_at(at, "2.5");
    save_key(&mut desk);
    until_saved(&mut desk, 1);
    assert_eq!(read(desk.folder.path()).model.length_weight, 2.5);
    assert!(!asks(&mut desk));
    let at = desk.number_at("time weight");
    desk.write_number_at(at, "3");
    assert!(asks(&mut desk), "though nobody has pressed Enter");
}

#[test]
fn a_drag_that_goes_on_after_saving_is_another_change() {
    let mut desk = Desk::new(HALL);
    let nodes = desk.nodes();
    let label = nodes.iter().position(|n| n.role == Role::Label && n.text == "time weight").expect("it is there");
    let slider = nodes[label..].iter().find(|n| n.role == Role::Slider).expect("it has a slider").rect;
    let way = [0.2, 0.4, 0.7].map(|k| pos2(slider.left() + k * slider.width(), slider.center().y));
    desk.harness.hover_at(way[0]);
    desk.harness.drag_at(way[0]);
    desk.harness.hover_at(way[1]);
    desk.frames(2);
    save_key(&mut desk);
    until_saved(&mut desk, 1);
    let saved = read(desk.folder.path()).model.time_weight;
    desk.harness.hover_at(way[2]);
    desk.harness.event(button_event(way[2], PointerButton::Primary, false));
    desk.frames(3);
    assert!(asks(&mut desk));
    assert!(desk.saved().model.time_weight > saved);
    desk.undo_key();
    assert_eq!(desk.saved().model.time_weight, 1.0, "and all of it is one change to undo");
}

#[test]
fn who_was_dropped_just_now_has_a_start_time() {
    let start_times = |scene: &Scene| scene.events.iter().map(|e| e.at).collect::<Vec<_>>();
    let mut desk = Desk::new(HALL);
    desk.click("Step");
    desk.until("a step is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == 1));
    // Within a frame, before the run has answered.
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.app_mut().save();
    until_saved(&mut desk, 1);
    assert_eq!(start_times(&read(desk.folder.path())).len(), 1);
    desk.app_mut().undo_last();
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.app_mut().begin_again(From::Changes);
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    let scene = desk.saved();
    assert_eq!((start_times(&scene).len(), scene.groups.len()), (1, 3));
}

/// People who stay where others begin.
const WAITERS: &str = r#"
name = "waiters"
cell = 0.5
size = [20, 12]
goal = [{ name = "exit", rect = [18, 5, 19, 7] }]
agents = [
  { name = "waiters", count = 2, start = { rect = [12, 2, 14, 4] }, state = "waiting" },
  { name = "guests", count = 30, start = { rect = [3, 5, 5, 9] }, place = "lattice", journey = ["exit"] },
]
state = [
  { name = "waiting", seconds = 5, then = [{ to = "leaving" }] },
  { name = "leaving", goal = "exit", then = [{ to = "waiting" }] },
]
"#;

#[test]
fn who_stays_and_was_dropped_where_others_begin_stands_beside_them() {
    let mut desk = Desk::new(WAITERS);
    desk.app_mut().go_to(8.0);
    desk.until("the guests are on their way", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.time > 7.9));
    desk.app_mut().drop_people(Vec2::new(4.0, 7.0));
    let scene = desk.saved();
    assert_eq!((scene.groups.len(), scene.groups[2].count), (3, 20));
    assert_eq!((desk.says("cannot run"), desk.says("dropped at")), (0, 1));
    desk.app_mut().begin_again(From::Changes);
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    assert_eq!(desk.active(), 52);
}

#[test]
fn what_is_in_no_file_is_written_to_one_of_its_own_when_the_window_has_to_close() {
    let mut desk = Desk::new(HALL);
    assert_eq!(desk.app_mut().rescue(), None);
    // Not known yet.
    desk.app_mut().tool = Tool::Rectangle;
    desk.app_mut().draw(Vec2::new(11.0, 1.0), Vec2::new(12.0, 1.5));
    for name in ["saved-rescued.toml", "saved-rescued-2.toml"] {
        let said = desk.app_mut().rescue().expect("something was drawn");
        let file = desk.folder.path().join(name);
        assert!(said.contains(&file.display().to_string()), "{said}");
        let text = std::fs::read_to_string(&file).expect("it is there");
        let scene = Scene::parse(name, &text, &NoFiles).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(scene.map.walls.len(), 2);
    }
    desk.settled();
    assert_eq!(desk.app_mut().rescue(), None, "by now it is in a file");
}

#[test]
fn what_was_changed_is_saved_though_a_bug_has_stopped_the_run() {
    let made = AtomicU32::new(0);
    let mut desk = Desk::with(HALL, ROOMY, move |start| {
        start.make = Box::new(move |scene| {
            assert!(made.fetch_add(1, Ordering::Relaxed) == 0, "the second one is a bug of the program's");
            Ok(Simulation::with_threads(scene, 1)?)
        });
    });
    stroke(&mut desk, 11.5);
    desk.app_mut().begin_again(From::Changes);
    desk.until("it is said", |app| app.log_lines().any(|l| l.contains("the run has stopped")));
    assert_eq!(desk.says("can still be saved"), 1);
    assert!(desk.app().run_has_failed(), "the program ends with an error then");
    desk.app_mut().running = true;
    desk.frames(2);
    assert!(!desk.app().running, "it does not go on");
    assert!(asks(&mut desk), "what is in no file is asked about");
    assert!(desk.app_mut().rescue().is_some_and(|said| said.contains("saved-rescued.toml")));
    assert!(desk.saved().map.painted.contains(&true));
    assert!(!asks(&mut desk), "by now it is in a file");
}
