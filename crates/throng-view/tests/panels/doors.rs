//! Doors that are opened, closed and made.

use super::*;
use throng::geometry::Shape;
use throng_view::draw::Door;

/// Two rooms and a wall with an opening and a gate between them.
const ROOMS: &str = r#"
name = "rooms"
cell = 0.5
size = [20, 12]
map = { walls = [
  { rect = [9, 0, 9.5, 4] }, { rect = [9, 5.5, 9.5, 9] },
  { rect = [9, 9, 9.5, 10], name = "gate" }, { rect = [9, 10, 9.5, 12] },
] }
goal = [{ name = "east door", rect = [19, 4, 20, 8] }]
agents = [{ name = "guests", count = 20, start = { rect = [2, 4, 8, 10] }, journey = ["east door"] }]
event = [{ at = 500, open = "gate" }]
"#;

fn doors(desk: &Desk) -> Vec<Door> {
    desk.app().ground.as_ref().expect("the run has begun").doors.clone()
}

fn state(desk: &Desk) -> Vec<(String, bool)> {
    doors(desk).into_iter().map(|d| (d.name, d.standing)).collect()
}

fn is(desk: &Desk, wanted: &[(&str, bool)]) -> bool {
    state(desk).iter().map(|(n, s)| (n.as_str(), *s)).eq(wanted.iter().copied())
}

fn click_map(desk: &mut Desk, x: f32, y: f32) {
    let at = desk.at(x, y);
    desk.click_at(at);
    desk.settled();
}

#[test]
fn a_click_opens_and_closes_a_door_of_the_scene() {
    let mut desk = Desk::new(ROOMS);
    desk.click(Tool::Door.name());
    assert!(is(&desk, &[("gate", true)]));
    click_map(&mut desk, 9.25, 9.5);
    assert!(is(&desk, &[("gate", false)]), "{:?}", state(&desk));
    assert!(desk.saved().map.walls[2].open);
    click_map(&mut desk, 9.25, 9.5);
    assert!(is(&desk, &[("gate", true)]));
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", false)]));
    assert_eq!((desk.says("\"gate\" is open now"), desk.says("\"gate\" is closed now")), (1, 1));
}

#[test]
fn doors_that_are_made_in_one_frame_have_names_of_their_own() {
    let mut desk = Desk::new(ROOMS);
    desk.app_mut().click_door(Vec2::new(9.25, 7.5), 0.1);
    desk.app_mut().click_door(Vec2::new(9.25, 2.0), 0.1);
    desk.settled();
    assert!(is(&desk, &[("gate", true), ("door 1", false), ("door 2", false)]), "{:?}", state(&desk));
}

#[test]
fn a_click_into_a_wall_makes_an_open_door_there_and_undo_mends_the_wall() {
    let mut desk = Desk::new(ROOMS);
    desk.click(Tool::Door.name());
    let before = desk.saved();
    click_map(&mut desk, 9.25, 7.5);
    assert!(is(&desk, &[("gate", true), ("door 1", false)]), "{:?}", state(&desk));
    let door = doors(&desk)[1].shape.bounds();
    assert!((door.min.y - 7.0).abs() < 0.05 && (door.max.y - 8.0).abs() < 0.05 && door.min.x == 9.0, "{door:?}");
    let wall = |desk: &Desk, x: f32, y: f32| {
        let ground = desk.app().ground.as_ref().expect("the run has begun");
        ground.walls.iter().any(|(_, s)| s.contains(Vec2::new(x, y)))
    };
    assert!(!wall(&desk, 9.25, 7.5) && wall(&desk, 9.25, 6.0) && wall(&desk, 9.25, 8.5));
    let saved = desk.saved();
    let made = saved.map.walls.iter().find(|w| w.name.as_deref() == Some("door 1")).expect("it is saved");
    assert!(made.open);
    click_map(&mut desk, 9.25, 7.5);
    assert!(is(&desk, &[("gate", true), ("door 1", true)]) && wall(&desk, 9.25, 7.5));
    desk.undo_key();
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", true)]) && wall(&desk, 9.25, 7.5));
    let now = desk.saved();
    assert_eq!(now.map, before.map);
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    desk.frames(2);
    desk.settled();
    assert!(is(&desk, &[("gate", true), ("door 1", false)]));
}

#[test]
fn a_door_that_was_made_survives_beginning_again() {
    let mut desk = Desk::new(ROOMS);
    desk.click(Tool::Door.name());
    click_map(&mut desk, 9.25, 7.5);
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.settled();
    assert!(is(&desk, &[("gate", true), ("door 1", false)]), "{:?}", state(&desk));
    click_map(&mut desk, 9.25, 7.5);
    assert!(is(&desk, &[("gate", true), ("door 1", true)]));
}

#[test]
fn drags_make_doors_along_a_wall_across_one_and_in_an_opening() {
    let mut desk = Desk::new(ROOMS);
    desk.click(Tool::Door.name());
    let along = [desk.at(9.25, 1.0), desk.at(9.25, 2.0), desk.at(9.25, 3.0)];
    desk.drag(&along);
    desk.settled();
    let size = |desk: &Desk, k: usize| {
        let b = doors(desk)[k].shape.bounds();
        b.max - b.min
    };
    assert!((size(&desk, 1) - Vec2::new(0.5, 2.0)).length() < 0.1, "{:?}", doors(&desk));
    let across = [desk.at(8.0, 7.0), desk.at(9.0, 7.2), desk.at(10.5, 7.4)];
    desk.drag(&across);
    desk.settled();
    assert!((size(&desk, 2) - Vec2::new(0.5, 1.0)).length() < 0.1, "{:?}", doors(&desk));
    let opening = [desk.at(9.25, 4.02), desk.at(9.25, 5.48)];
    desk.drag(&opening);
    desk.settled();
    let names = state(&desk);
    assert_eq!(names.iter().map(|d| d.1).collect::<Vec<_>>(), [true, false, false, true], "{names:?}");
}

#[test]
fn a_click_into_an_opening_hangs_a_closed_door_and_who_is_behind_it_is_reported() {
    let mut desk = Desk::new(ROOMS);
    desk.click(Tool::Door.name());
    click_map(&mut desk, 9.25, 4.7);
    assert!(is(&desk, &[("gate", true), ("door 1", true)]), "{:?}", state(&desk));
    let b = doors(&desk)[1].shape.bounds();
    assert!((b.min.y - 4.0).abs() < 1e-3 && (b.max.y - 5.5).abs() < 1e-3, "from side to side: {b:?}");
    assert_eq!(desk.says("20 people have no way to their goals any more"), 1);
    // Far from any wall there is nothing to hang it in.
    click_map(&mut desk, 15.0, 6.0);
    assert_eq!(desk.says("no opening narrow enough"), 1);
    assert_eq!(doors(&desk).len(), 2);
}

#[test]
fn painted_walls_and_slanted_ones_get_doors_and_round_ones_say_why_not() {
    let text = ROOMS.replace(
        "{ rect = [9, 10, 9.5, 12] },",
        "{ rect = [9, 10, 9.5, 12] }, { circle = [16, 2, 1] }, { line = [[12, 8], [16, 11]] },",
    );
    let mut desk = Desk::new(&text);
    desk.app_mut().tool = Tool::Walls;
    for x in 0..20 {
        desk.app_mut().stroke_to(Vec2::new(10.25 + 0.4 * x as f32, 4.25), false);
    }
    desk.app_mut().end_stroke();
    desk.settled();
    desk.click(Tool::Door.name());
    let painted = |desk: &Desk| desk.app().ground.as_ref().map_or(0, |g| g.painted.iter().filter(|p| **p).count());
    let before = painted(&desk);
    click_map(&mut desk, 14.1, 4.2);
    assert!(painted(&desk) < before, "cells are floor now");
    assert!(matches!(doors(&desk)[1].shape, Shape::Rect(_)) && !doors(&desk)[1].standing);
    click_map(&mut desk, 14.0, 9.5);
    assert!(matches!(doors(&desk)[2].shape, Shape::Line(_)), "{:?}", doors(&desk));
    click_map(&mut desk, 16.0, 2.0);
    assert_eq!((doors(&desk).len(), desk.says("the wall is round")), (3, 1));
    desk.undo_key();
    desk.undo_key();
    desk.settled();
    assert_eq!((doors(&desk).len(), painted(&desk)), (1, before));
}

#[test]
fn a_wall_with_a_name_that_is_no_door_gets_one() {
    let text =
        ROOMS.replace("{ rect = [9, 5.5, 9.5, 9] }", "{ rect = [9, 5.5, 9.5, 9], name = \"north of the opening\" }");
    let mut desk = Desk::new(&text);
    desk.click(Tool::Door.name());
    assert!(is(&desk, &[("gate", true)]), "{:?}", state(&desk));
    click_map(&mut desk, 9.25, 7.5);
    assert!(is(&desk, &[("gate", true), ("door 1", false)]), "{:?}", state(&desk));
    click_map(&mut desk, 9.25, 7.5);
    assert!(is(&desk, &[("gate", true), ("door 1", true)]));
    desk.undo_key();
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", true)]));
}

/// To a moment of the run.
fn go(desk: &mut Desk, time: f64) {
    desk.app_mut().go_to(time);
    desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.06));
    desk.settled();
}

#[test]
fn undoing_a_change_of_a_door_that_an_event_has_opened_leaves_what_the_scene_begins_with() {
    let mut desk = Desk::new(&ROOMS.replace("at = 500", "at = 0.2"));
    go(&mut desk, 0.5);
    assert!(is(&desk, &[("gate", false)]), "the event has opened it");
    desk.app_mut().click_door(Vec2::new(9.25, 9.5), 0.1);
    desk.settled();
    assert!(is(&desk, &[("gate", true)]));
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", false)]), "as open as it was");
    assert!(!desk.saved().map.walls[2].open, "and the scene still begins with it closed");
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.settled();
    assert!(is(&desk, &[("gate", true)]), "{:?}", state(&desk));
}

#[test]
fn undoing_the_eraser_after_an_event_leaves_what_the_scene_begins_with() {
    let text =
        ROOMS.replace("at = 500, open", "at = 0.2, close").replace("name = \"gate\"", "name = \"gate\", open = true");
    let mut desk = Desk::new(&text);
    go(&mut desk, 0.5);
    assert!(is(&desk, &[("gate", true)]), "the event has closed it");
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(9.25, 9.5), true);
    desk.app_mut().end_stroke();
    desk.settled();
    assert!(is(&desk, &[("gate", false)]));
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", true)]), "as closed as it was");
    assert!(desk.saved().map.walls[2].open, "and the scene still begins with it open");
}

#[test]
fn a_door_that_is_closed_twice_in_a_frame_is_undone_one_click_after_the_other() {
    let mut desk = Desk::new(&ROOMS.replace("name = \"gate\"", "name = \"gate\", open = true"));
    // Both by a picture in which it is open.
    desk.app_mut().click_door(Vec2::new(9.25, 9.5), 0.1);
    desk.app_mut().click_door(Vec2::new(9.25, 9.5), 0.1);
    desk.settled();
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", true)]), "as the first click has left it");
    desk.undo_key();
    desk.settled();
    assert!(is(&desk, &[("gate", false)]));
}
