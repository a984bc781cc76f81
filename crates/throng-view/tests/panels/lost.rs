//! What somebody has done to a scene is never lost in silence.

use super::*;
use throng_view::app::From;
use throng_view::host::RunError;

/// A hall with one exit, and a pillar to drop it on.
const ONE_EXIT: &str = r#"
name = "one exit"
cell = 0.5
size = [20, 12]
map = { walls = [{ rect = [8, 4, 12, 8] }] }
goal = [{ name = "exit", rect = [18, 5, 19, 7] }]
agents = [{ name = "guests", count = 20, start = { rect = [2, 4, 6, 10] }, journey = ["exit"] }]
"#;

/// Moves the first goal.
fn drag_goal(desk: &mut Desk, from: Vec2, by: Vec2) {
    let part = desk.app().goal_at(from).expect("a goal is there");
    desk.app_mut().move_goal(&part, by);
    desk.frames(2);
}

fn painted(desk: &Desk) -> usize {
    desk.app().ground.as_ref().map_or(0, |g| g.painted.iter().filter(|p| **p).count())
}

#[test]
fn a_scene_that_cannot_run_is_saved_and_that_is_said() {
    let mut desk = Desk::new(ONE_EXIT);
    desk.settled();
    assert!(!desk.shows("cannot run"));
    drag_goal(&mut desk, Vec2::new(18.5, 6.0), Vec2::new(-8.5, 0.0));
    desk.settled();
    assert!(desk.shows("is saved, but as it is it cannot run"), "over the map");
    assert!(desk.says("lies inside walls") > 0, "with what is wrong");
    desk.undo_key();
    desk.settled();
    assert_eq!(desk.saved().goals[0].shapes[0].bounds().min, Vec2::new(18.0, 5.0));
}

#[test]
fn who_has_no_way_to_a_goal_that_was_moved_is_reported() {
    let mut desk = Desk::new(ONE_EXIT);
    drag_goal(&mut desk, Vec2::new(18.5, 6.0), Vec2::new(-8.5, 0.0));
    desk.settled();
    assert_eq!(desk.says("20 people have no way to their goals any more"), 1);
}

#[test]
fn quick_undos_and_redos_come_one_after_the_other() {
    let mut desk = Desk::new(HALL);
    for at in [Vec2::new(14.0, 11.0), Vec2::new(6.0, 11.0)] {
        desk.app_mut().drop_people(at);
        desk.settled();
    }
    let names = |desk: &mut Desk| desk.saved().groups.iter().map(|g| g.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&mut desk)[2..], ["dropped 1", "dropped 2"]);
    // Both within a frame, and before the run has answered.
    desk.app_mut().undo_last();
    desk.app_mut().undo_last();
    assert_eq!(names(&mut desk).len(), 2);
    desk.app_mut().redo_last();
    desk.app_mut().redo_last();
    assert_eq!(names(&mut desk)[2..], ["dropped 1", "dropped 2"]);
    assert_eq!(desk.active(), 70);
    // Goals, too, are taken back from what they are by then.
    drag_goal(&mut desk, Vec2::new(19.5, 6.0), Vec2::new(-2.0, 0.0));
    desk.settled();
    drag_goal(&mut desk, Vec2::new(17.5, 6.0), Vec2::new(0.0, 3.0));
    desk.settled();
    let at = |desk: &mut Desk| desk.saved().goals[0].shapes[0].bounds().min;
    desk.app_mut().undo_last();
    desk.app_mut().undo_last();
    assert_eq!(at(&mut desk), Vec2::new(19.0, 4.0));
    desk.app_mut().redo_last();
    desk.app_mut().redo_last();
    assert_eq!(at(&mut desk), Vec2::new(17.0, 7.0));
}

#[test]
fn every_press_of_a_key_counts() {
    let mut desk = Desk::new(HALL);
    for y in [1.0, 2.0, 11.0] {
        desk.app_mut().tool = Tool::Walls;
        desk.app_mut().stroke_to(Vec2::new(11.5, y), false);
        desk.app_mut().end_stroke();
        desk.settled();
    }
    assert!(painted(&desk) > 0);
    for _ in 0..3 {
        let press =
            Event::Key { key: Key::Z, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::COMMAND };
        desk.harness.input_mut().events.push(press);
    }
    desk.frames(3);
    desk.settled();
    assert_eq!(painted(&desk), 0);
}

#[test]
fn closing_with_changes_asks_first() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().leave();
    assert!(desk.app().quit, "nothing was changed");
    desk.app_mut().quit = false;

    desk.wall_up_the_start();
    desk.app_mut().leave();
    desk.idle();
    assert!(!desk.app().quit && desk.shows("Changes are not saved"));
    desk.press(Key::Escape);
    assert!(!desk.app().quit && !desk.shows("Changes are not saved"));
    desk.app_mut().leave();
    desk.frames(2);
    desk.click("Close without saving");
    assert!(desk.app().quit);

    // What was taken back again is no change.
    desk.app_mut().quit = false;
    desk.undo_key();
    desk.until("it is taken back", |app| app.ground.as_ref().is_some_and(|g| g.painted.iter().all(|p| !p)));
    desk.app_mut().leave();
    desk.idle();
    assert!(desk.app().quit);
}

#[test]
fn closing_can_save_first() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(11.5, 1.0), false);
    desk.app_mut().end_stroke();
    desk.app_mut().leave();
    desk.idle();
    desk.click("Save and close");
    desk.until("it is saved", |app| app.quit);
    assert!(read(desk.folder.path()).map.painted.iter().any(|p| *p));
}

#[test]
fn resetting_to_the_opened_scene_asks_first() {
    let mut desk = Desk::new(HALL);
    desk.wall_up_the_start();
    desk.app_mut().ask_to_begin_again(From::Opened);
    desk.idle();
    assert!(desk.shows("All changes of the scene"));
    desk.press(Key::Escape);
    desk.settled();
    assert!(painted(&desk) > 0);
    // By now they are in a file.
    desk.app_mut().ask_to_begin_again(From::Opened);
    desk.frames(2);
    desk.settled();
    assert_eq!(painted(&desk), 0);
}

#[test]
fn a_file_that_somebody_else_has_changed_is_not_replaced_unasked() {
    let mut desk = Desk::new(HALL);
    desk.settled();
    let file = desk.folder.path().join("saved.toml");
    let text = std::fs::read_to_string(&file).expect("it was saved") + "# mine\n";
    std::fs::write(&file, &text).expect("it can be written");
    desk.app_mut().save();
    desk.frames(2);
    assert!(desk.shows("Replace it?"));
    desk.click("Keep it");
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), text);
}

#[test]
fn changes_that_going_back_takes_back_can_be_made_again() {
    let mut desk = Desk::new(HALL);
    let go = |desk: &mut Desk, time: f64| {
        desk.app_mut().go_to(time);
        desk.until("it is there", |app| {
            !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03)
        });
        desk.settled();
    };
    go(&mut desk, 1.0);
    // A wall of its own number, a goal that was moved twice, people.
    desk.app_mut().drag_door(Vec2::new(3.0, 0.0), Vec2::new(3.0, 3.0));
    desk.settled();
    drag_goal(&mut desk, Vec2::new(19.5, 6.0), Vec2::new(-2.0, 0.0));
    desk.settled();
    drag_goal(&mut desk, Vec2::new(17.5, 6.0), Vec2::new(0.0, 3.0));
    desk.settled();
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    let changed = desk.saved();
    go(&mut desk, 0.0);
    assert!(desk.says("4 changes that came later are taken back") == 1);
    let before = desk.saved();
    assert_eq!((before.groups.len(), before.goals[0].shapes[0].bounds().min.x), (2, 19.0));
    for _ in 0..4 {
        desk.app_mut().redo_last();
    }
    let again = desk.saved();
    assert_eq!(again.goals, changed.goals);
    assert_eq!(again.map.walls, changed.map.walls);
    assert_eq!(again.groups.len(), 3);
    for _ in 0..4 {
        desk.app_mut().undo_last();
    }
    assert_eq!(desk.saved().goals, before.goals);
}

#[test]
fn a_later_moment_has_the_changes_that_came_before_it() {
    let mut desk = Desk::new(HALL);
    let go = |desk: &mut Desk, time: f64| {
        desk.app_mut().go_to(time);
        desk.until("it is there", |app| {
            !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03)
        });
        desk.settled();
    };
    go(&mut desk, 0.5);
    std::thread::sleep(Duration::from_millis(600));
    desk.type_number("length weight", "2.5");
    desk.settled();
    go(&mut desk, 1.5);
    go(&mut desk, 1.0);
    assert_eq!(desk.saved().model.length_weight, 2.5, "it was made at 0.5 s");
    go(&mut desk, 0.2);
    assert_eq!(desk.saved().model.length_weight, 1.0);
}

#[test]
fn the_same_moment_can_be_asked_for_twice() {
    let mut desk = Desk::new(HALL);
    let is_at = |app: &App, time: f64| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03);
    desk.type_number("go to", "1");
    desk.until("it is there", |app| is_at(app, 1.0));
    desk.app_mut().go_to(2.0);
    desk.until("it has gone on", |app| is_at(app, 2.0));
    desk.type_number("go to", "1");
    desk.until("it is there again", |app| is_at(app, 1.0));
}

#[test]
fn one_can_go_back_over_single_steps_and_after_a_reset() {
    let mut desk = Desk::new(HALL);
    desk.click("Step");
    desk.click("Step");
    desk.until("two steps are done", |app| app.shot.as_ref().is_some_and(|s| s.steps == 2));
    desk.app_mut().go_to(0.0);
    desk.until("it is back", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.steps == 0));

    // A run that has begun again has nothing of the one before.
    desk.app_mut().tool = Tool::Line;
    desk.app_mut().drag_door(Vec2::new(3.0, 0.0), Vec2::new(3.0, 3.0));
    desk.settled();
    desk.app_mut().begin_again(From::Changes);
    desk.settled();
    desk.app_mut().go_to(1.0);
    desk.until("it goes on", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.time > 0.9));
    desk.app_mut().go_to(0.2);
    desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - 0.2).abs() < 0.03));
    assert_eq!(desk.says("cannot go back"), 0, "{:?}", desk.app().log_lines().collect::<Vec<_>>());
}

/// A hall for which there is memory once and not twice.
struct Tight(throng::budget::Budget);

impl Files for Tight {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Err("there are none".into())
    }

    fn budget(&self) -> throng::budget::Budget {
        self.0.clone()
    }
}

#[test]
fn a_run_that_takes_most_of_the_memory_begins_again() {
    let budget = throng::budget::Budget::new(40 << 20);
    let text = HALL.replace("size = [20, 12]", "size = [150, 120]");
    let scene = Scene::parse("test.toml", &text, &Tight(budget)).unwrap_or_else(|e| panic!("{e}"));
    let mut desk = Desk::with(HALL, ROOMY, move |start| start.scene = scene);
    desk.click("Step");
    desk.until("a step is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == 1));
    desk.app_mut().begin_again(From::Changes);
    desk.until("it has begun again", |app| app.shot.as_ref().is_some_and(|s| s.steps == 0));
    assert_eq!(desk.says("begun again"), 1);
    assert_eq!(desk.says("cannot"), 0);
}

#[test]
fn a_run_that_cannot_be_made_again_is_what_it_was() {
    let budget = throng::budget::Budget::new(40 << 20);
    let text = HALL.replace("size = [20, 12]", "size = [150, 120]");
    let scene = Scene::parse("test.toml", &text, &Tight(budget)).unwrap_or_else(|e| panic!("{e}"));
    let mut made = 0;
    let made_once = std::sync::Mutex::new(move |scene: &Scene| {
        made += 1;
        // Of the second run there is none.
        if made == 2 { Err(RunError::Engine("no second one".into())) } else { Ok(Simulation::with_threads(scene, 1)?) }
    });
    let mut desk = Desk::with(HALL, ROOMY, move |start| {
        start.scene = scene;
        start.make = Box::new(move |scene| (made_once.lock().expect("nobody panics"))(scene));
    });
    desk.click("Step");
    desk.until("a step is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == 1));
    desk.app_mut().begin_again(From::Changes);
    desk.until("it is said", |app| app.log_lines().any(|l| l.contains("cannot begin again: no second one")));
    desk.click("Step");
    desk.until("it goes on", |app| app.shot.as_ref().is_some_and(|s| s.steps == 2));
    assert_eq!(desk.active(), 30);
}

#[test]
fn a_model_that_was_wanted_while_the_run_began_again_is_in_force_and_shown() {
    let made = std::sync::atomic::AtomicBool::new(false);
    let mut desk = Desk::with(HALL, ROOMY, |start| {
        start.make = Box::new(move |scene| {
            if made.swap(true, std::sync::atomic::Ordering::Relaxed) {
                // Long enough for somebody to type.
                std::thread::sleep(Duration::from_millis(1500));
            }
            Ok(Simulation::with_threads(scene, 1)?)
        });
    });
    desk.app_mut().begin_again(From::Changes);
    desk.type_number("length weight", "2.5");
    assert_eq!(desk.says("begun again"), 0, "it takes its time");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.idle();
    let shown = desk.number_at("length weight");
    assert!(desk.nodes().iter().any(|n| n.rect.contains(shown) && n.text == "2.5 per m"), "the panel says so");
    assert_eq!(desk.saved().model.length_weight, 2.5);
}
