//! Undo and redo beside going back in time: what can be taken back is what the run has.

use super::*;
use throng_view::app::From;

/// To a moment of the run, as soon as something can be kept again.
fn go(desk: &mut Desk, time: f64) {
    std::thread::sleep(Duration::from_millis(600));
    go_without_saving(desk, time);
    desk.settled();
}

fn go_without_saving(desk: &mut Desk, time: f64) {
    desk.app_mut().go_to(time);
    desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03));
    desk.frames(2);
}

fn redo(desk: &mut Desk) {
    desk.app_mut().redo_last();
    desk.settled();
}

fn undo(desk: &mut Desk) {
    desk.app_mut().undo_last();
    desk.settled();
}

fn painted(desk: &mut Desk) -> usize {
    desk.saved().map.painted.iter().filter(|p| **p).count()
}

fn paint(desk: &mut Desk, at: Vec2) {
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(at, false);
    desk.app_mut().end_stroke();
    desk.settled();
}

fn hazards(desk: &mut Desk) -> Vec<(String, Vec2)> {
    let there = desk.saved().hazards;
    there.into_iter().map(|h| (h.name, h.path[0])).collect()
}

fn place(desk: &mut Desk, at: Vec2) {
    desk.app_mut().tool = Tool::Gas;
    desk.app_mut().press_hazard(at, false);
    desk.app_mut().release_hazard();
    desk.settled();
}

#[test]
fn what_going_back_brings_back_can_be_taken_back() {
    let mut desk = Desk::new(HALL);
    go(&mut desk, 0.5);
    paint(&mut desk, Vec2::new(11.5, 1.0));
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    let there = painted(&mut desk);
    assert!(there > 0);
    go(&mut desk, 1.0);
    undo(&mut desk);
    undo(&mut desk);
    assert_eq!((painted(&mut desk), desk.saved().groups.len()), (0, 2));
    go(&mut desk, 1.5);
    go(&mut desk, 0.8);
    assert_eq!(desk.says("2 changes are there again that were taken back later"), 1);
    let saved = desk.saved();
    assert_eq!((painted(&mut desk), saved.groups.len()), (there, 3));
    assert!(saved.events.len() == 1 && !saved.groups[2].on, "who was dropped at 0.5 s comes in then");
    assert!((saved.events[0].at - 0.5).abs() < 0.03, "{:?}", saved.events[0]);
    redo(&mut desk);
    assert_eq!(desk.saved().groups.len(), 3, "there is nothing to make again");
    undo(&mut desk);
    undo(&mut desk);
    assert_eq!((painted(&mut desk), desk.saved().groups.len()), (0, 2));
    redo(&mut desk);
    redo(&mut desk);
    assert_eq!((painted(&mut desk), desk.saved().groups.len()), (there, 3));
}

#[test]
fn what_was_made_again_stays_at_moments_after_that() {
    let mut desk = Desk::new(HALL);
    go(&mut desk, 1.0);
    paint(&mut desk, Vec2::new(11.5, 1.0));
    go(&mut desk, 0.0);
    assert_eq!(painted(&mut desk), 0);
    redo(&mut desk);
    let there = painted(&mut desk);
    assert!(there > 0);
    go(&mut desk, 1.5);
    go(&mut desk, 0.5);
    assert_eq!((painted(&mut desk), desk.says("taken back")), (there, 1));
    undo(&mut desk);
    assert_eq!(painted(&mut desk), 0);
}

#[test]
fn a_stroke_is_there_as_a_whole_or_not_at_all() {
    let mut desk = Desk::new(HALL);
    go(&mut desk, 0.5);
    std::thread::sleep(Duration::from_millis(600));
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(11.5, 1.0), false);
    go_without_saving(&mut desk, 1.0);
    desk.app_mut().stroke_to(Vec2::new(14.5, 1.0), false);
    desk.app_mut().end_stroke();
    let whole = painted(&mut desk);
    go(&mut desk, 0.8);
    assert_eq!(painted(&mut desk), 0);
    redo(&mut desk);
    assert_eq!(painted(&mut desk), whole);
}

#[test]
fn one_can_go_back_to_people_where_a_wall_was_built_since() {
    let mut desk = Desk::new(HALL);
    go(&mut desk, 0.5);
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.settled();
    go(&mut desk, 1.0);
    undo(&mut desk);
    desk.app_mut().tool = Tool::Rectangle;
    desk.app_mut().draw(Vec2::new(11.0, 8.5), Vec2::new(18.0, 12.0));
    desk.settled();
    go(&mut desk, 1.2);
    go(&mut desk, 0.8);
    assert_eq!(desk.says("cannot go back"), 0, "{:#?}", desk.app().log_lines().collect::<Vec<_>>());
    assert_eq!((desk.active(), desk.saved().groups.len()), (50, 3));
}

#[test]
fn a_wall_is_drawn_again_whatever_was_drawn_and_taken_back_before_it() {
    let mut desk = Desk::new(HALL);
    go(&mut desk, 0.5);
    desk.app_mut().tool = Tool::Rectangle;
    desk.app_mut().draw(Vec2::new(11.0, 1.0), Vec2::new(12.0, 1.5));
    desk.settled();
    undo(&mut desk);
    desk.app_mut().draw(Vec2::new(14.0, 1.0), Vec2::new(15.0, 1.5));
    let walls = desk.saved().map.walls;
    go_without_saving(&mut desk, 0.0);
    redo(&mut desk);
    assert_eq!((desk.saved().map.walls, desk.says("not all of the floor")), (walls, 0));
}

#[test]
fn hazards_are_put_back_where_their_numbers_were_given_to_others() {
    let mut desk = Desk::new(HALL);
    let (a, b) = (Vec2::new(14.0, 9.0), Vec2::new(5.0, 2.0));
    place(&mut desk, a);
    let first = hazards(&mut desk);
    assert_eq!(first, [("gas 1".to_owned(), a)]);
    desk.app_mut().press_hazard(a, true);
    desk.settled();
    place(&mut desk, b);
    assert_eq!(hazards(&mut desk), [("gas 2".to_owned(), b)]);
    undo(&mut desk);
    undo(&mut desk);
    assert_eq!(hazards(&mut desk), first);
    redo(&mut desk);
    assert_eq!(desk.says("\"gas 1\" is changed again"), 1);
    redo(&mut desk);
    assert_eq!(hazards(&mut desk), [("gas 2".to_owned(), b)]);
    assert_eq!(desk.says("cannot be as it was"), 0);
}

#[test]
fn a_hazard_is_put_back_after_going_back_to_before_it() {
    let mut desk = Desk::new(HALL);
    go(&mut desk, 0.5);
    let (at, to) = (Vec2::new(14.0, 9.0), Vec2::new(13.0, 8.0));
    place(&mut desk, at);
    desk.app_mut().press_hazard(at, false);
    desk.app_mut().drag_hazard(to);
    desk.app_mut().release_hazard();
    desk.settled();
    assert_eq!(desk.says("\"gas 1\" was dragged to (13.0, 8.0) m"), 1);
    go(&mut desk, 0.0);
    assert!(hazards(&mut desk).is_empty());
    redo(&mut desk);
    assert_eq!(hazards(&mut desk), [("gas 1".to_owned(), at)]);
    redo(&mut desk);
    assert_eq!(hazards(&mut desk), [("gas 1".to_owned(), to)]);
    // The run keeps hazards, too.
    go(&mut desk, 0.5);
    go(&mut desk, 0.2);
    assert_eq!(hazards(&mut desk), [("gas 1".to_owned(), to)]);
}

/// A hall whose people go from one group to another, so that no drop can be taken back.
const CHANGING: &str = r#"
name = "changing"
cell = 0.5
size = [20, 12]
goal = [{ name = "east door", rect = [19, 4, 20, 8] }]
agents = [
  { name = "guests", count = 5, start = { rect = [2, 4, 8, 10] }, state = "walk" },
  { name = "staff", count = 5, start = { rect = [12, 2, 18, 10] }, state = "walk" },
]

[[state]]
name = "walk"
goal = "east door"
[[state.then]]
to = "rest"
group = "staff"

[[state]]
name = "rest"
seconds = 5
at = "east door"
[[state.then]]
to = "walk"
"#;

#[test]
fn what_cannot_be_taken_back_is_still_there_to_be_saved() {
    let mut desk = Desk::new(CHANGING);
    desk.app_mut().drop_people(Vec2::new(10.0, 6.0));
    desk.settled();
    assert_eq!(desk.active(), 30);
    undo(&mut desk);
    assert_eq!((desk.says("nobody knows any more who was dropped"), desk.active()), (1, 30));
    // It is neither taken back nor to be made again.
    redo(&mut desk);
    assert_eq!((desk.active(), desk.saved().groups.len()), (30, 3));
    undo(&mut desk);
    assert_eq!(desk.says("nobody knows any more who was dropped"), 2);
}

#[test]
fn what_cannot_be_made_again_can_be_later() {
    let gate = "[[event]]\nat = 0.4\nclose = \"gate\"\n[[event]]\nat = 1.2\nopen = \"gate\"\n";
    let wall = "walls = [{ name = \"gate\", rect = [12, 10.5, 16, 12], open = true }, ";
    let mut desk = Desk::new(&format!("{}{gate}", HALL.replace("walls = [", wall)));
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.settled();
    undo(&mut desk);
    go_without_saving(&mut desk, 0.8);
    redo(&mut desk);
    assert_eq!((desk.says("nobody was dropped"), desk.saved().groups.len()), (1, 2));
    go_without_saving(&mut desk, 1.6);
    redo(&mut desk);
    assert_eq!(desk.saved().groups.len(), 3);
}

#[test]
fn resetting_to_the_opened_scene_can_be_taken_back() {
    let mut desk = Desk::new(HALL);
    paint(&mut desk, Vec2::new(11.5, 1.0));
    desk.type_number("length weight", "2.5");
    let changed = desk.saved();
    for _ in 0..2 {
        desk.app_mut().begin_again(From::Opened);
        let opened = desk.saved();
        assert_eq!((opened.model.length_weight, painted(&mut desk)), (1.0, 0));
        desk.app_mut().leave();
        assert!(std::mem::take(&mut desk.app_mut().quit), "it is as it was opened");
        undo(&mut desk);
        assert_eq!(desk.saved(), changed);
        redo(&mut desk);
        assert_eq!(desk.saved(), opened);
        undo(&mut desk);
        assert_eq!(desk.saved(), changed);
    }
}

#[test]
fn weights_that_a_reset_puts_back_come_again_with_undo_and_walls_can_be_taken_back_after_it() {
    let mut desk = Desk::new(HALL);
    paint(&mut desk, Vec2::new(11.5, 1.0));
    desk.type_number("length weight", "2.5");
    desk.app_mut().begin_again(From::FirstModel);
    assert_eq!(desk.saved().model.length_weight, 1.0);
    undo(&mut desk);
    assert_eq!(desk.saved().model.length_weight, 2.5);
    undo(&mut desk);
    undo(&mut desk);
    assert_eq!((desk.saved().model.length_weight, painted(&mut desk)), (1.0, 0));
}
