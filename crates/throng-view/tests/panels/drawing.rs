//! Lines and rectangles of walls, the measuring tape, the soft obstacle, and Esc.

use super::*;
use throng::engine::Values;
use throng::geometry::{Rect as Area, Shape};

/// Walls that stand, but for those of the scene.
fn drawn(desk: &Desk) -> Vec<Shape> {
    let ground = desk.app().ground.as_ref().expect("the run has begun");
    ground.walls.iter().filter(|(n, _)| *n > 0).map(|(_, shape)| shape.clone()).collect()
}

fn area(x0: f32, y0: f32, x1: f32, y1: f32) -> Area {
    Area::new(Vec2::new(x0, y0), Vec2::new(x1, y1))
}

fn close(a: Area, b: Area) -> bool {
    a.min.distance(b.min) < 1e-3 && a.max.distance(b.max) < 1e-3
}

#[test]
fn a_line_snaps_to_cells_and_to_corners_of_walls_unless_shift_is_held() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Line.name());
    // From near a corner of cells to near the north-west corner of the scene's wall (9, 9), which is at the same height.
    let way = [desk.at(4.06, 9.05), desk.at(7.0, 9.3), desk.at(8.94, 9.08)];
    desk.drag(&way);
    desk.settled();
    let walls = drawn(&desk);
    assert!(walls.len() == 1 && close(walls[0].bounds(), area(4.0, 8.9, 9.0, 9.1)), "{walls:?}");
    desk.undo_key();
    desk.settled();
    assert_eq!(drawn(&desk), []);
    // The same by hand and eye.
    desk.harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
    desk.drag(&way);
    desk.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    desk.settled();
    let walls = drawn(&desk);
    assert!(matches!(&walls[..], [Shape::Polygon(_)]), "{walls:?}");
    assert!(!close(walls[0].bounds(), area(4.0, 8.9, 9.0, 9.1)));
}

#[test]
fn a_rectangle_is_a_block_or_a_room_and_is_saved() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Rectangle.name());
    let way = [desk.at(12.0, 9.5), desk.at(15.0, 11.0)];
    desk.drag(&way);
    desk.settled();
    assert!(close(drawn(&desk)[0].bounds(), area(12.0, 9.5, 15.0, 11.0)), "{:?}", drawn(&desk));
    desk.harness.get_by_role_and_label(Role::CheckBox, "filled").click();
    desk.frames(2);
    let way = [desk.at(15.5, 0.5), desk.at(18.0, 1.5)];
    desk.drag(&way);
    let saved = desk.saved();
    assert_eq!(saved.map.walls.len(), 1 + 1 + 4, "a block, and four walls of a room");
    assert_eq!(desk.says("was drawn"), 2);
    desk.undo_key();
    assert_eq!(desk.saved().map.walls.len(), 2, "a room is one change");
}

#[test]
fn the_tape_says_how_far_it_is() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Measure.name());
    let way = [desk.at(2.0, 1.0), desk.at(5.0, 5.0)];
    desk.drag(&way);
    assert_eq!(desk.says("measured 5.00 m  (3.00 × 4.00)"), 1);
    desk.settled();
    assert_eq!(drawn(&desk), [], "and nothing is changed");
    desk.undo_key();
    desk.press(Key::Escape);
    assert_eq!(desk.app().tool, Tool::Measure, "Esc takes the tape away");
    desk.press(Key::Escape);
    assert_eq!(desk.app().tool, Tool::Select);
}

/// Presses the button at the first of some places and goes to the others, without letting go.
fn press_and_go(desk: &mut Desk, way: &[Pos2]) {
    desk.harness.hover_at(way[0]);
    desk.harness.drag_at(way[0]);
    for at in way {
        desk.harness.hover_at(*at);
    }
    desk.frames(2);
}

#[test]
fn escape_cancels_what_is_being_done_and_so_does_undo() {
    for cancel in [Key::Escape, Key::Z] {
        for tool in [
            Tool::Walls,
            Tool::Discomfort,
            Tool::Line,
            Tool::Rectangle,
            Tool::Goals,
            Tool::Gas,
            Tool::Door,
            Tool::Obstacle,
        ] {
            // Ground by cells: a shape of it would be written as an image afterwards.
            let text = HALL.replace(", discomfort = [{ rect = [4, 1, 7, 3], value = 0.4 }]", "");
            let mut desk = Desk::new(&text);
            desk.click(tool.name());
            let before = desk.saved();
            let way = [desk.at(19.5, 6.0), desk.at(17.0, 8.0), desk.at(15.0, 9.0)];
            press_and_go(&mut desk, &way);
            if cancel == Key::Z {
                desk.undo_key();
            } else {
                desk.press(cancel);
            }
            assert_eq!(desk.app().tool, tool, "the tool stays in hand");
            // The rest of the drag does nothing.
            let on = [desk.at(13.0, 9.0)];
            desk.harness.hover_at(on[0]);
            desk.harness.event(button_event(on[0], PointerButton::Primary, false));
            desk.frames(3);
            let now = desk.saved();
            assert_eq!(now.to_toml(), before.to_toml(), "{tool:?}, {cancel:?}");
            let painted = |s: &Scene| s.map.painted.iter().filter(|p| **p).count();
            assert_eq!(painted(&now), painted(&before), "{tool:?}, {cancel:?}");
            desk.undo_key();
            assert_eq!(desk.saved().to_toml(), before.to_toml(), "there is nothing to undo");
        }
    }
}

/// Discomfort as the planner has it.
fn discomfort(desk: &mut Desk) -> Vec<f32> {
    desk.app_mut().show_overlay(Some(Overlay::Discomfort));
    desk.until("the field is there", |app| app.shot.as_ref().is_some_and(|s| s.field.is_some()));
    desk.settled();
    match desk.app().shot.as_ref().and_then(|s| s.field.clone()) {
        Some((_, Values::Scalar(values))) => values,
        other => panic!("no field: {other:?}"),
    }
}

#[test]
fn the_obstacle_is_there_while_it_is_held_and_leaves_no_trace() {
    let mut desk = Desk::new(HALL);
    let before = discomfort(&mut desk);
    let scene = desk.saved();
    desk.click(Tool::Obstacle.name());
    let way = [desk.at(14.0, 6.0), desk.at(15.0, 6.0), desk.at(16.25, 6.25)];
    press_and_go(&mut desk, &way);
    let held = discomfort(&mut desk);
    let cell = 12 * 40 + 32;
    // Default: 5 in the middle, over the radius that the panel shows.
    assert!(held[cell] > before[cell] + 4.5, "{} at the pointer", held[cell]);
    assert!(
        (held[12 * 40 + 28] - before[12 * 40 + 28] - 5.0 / 3.0).abs() < 0.1,
        "{} two metres away",
        held[12 * 40 + 28]
    );
    desk.harness.event(button_event(way[2], PointerButton::Primary, false));
    desk.frames(3);
    assert!(discomfort(&mut desk) == before, "nothing is left of it");
    assert!(desk.saved() == scene);
}

#[test]
fn an_obstacle_that_is_left_there_can_be_undone_and_survives_beginning_again() {
    let mut desk = Desk::new(HALL);
    let before = discomfort(&mut desk);
    desk.click(Tool::Obstacle.name());
    desk.harness.get_by_role_and_label(Role::CheckBox, "leave it there").click();
    desk.frames(2);
    let at = desk.at(15.0, 6.0);
    desk.click_at(at);
    let left = discomfort(&mut desk);
    assert!(left != before);
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    assert!(discomfort(&mut desk) == left, "it is still there");
    desk.press(Key::Escape);
    assert!(discomfort(&mut desk) == before);
    desk.click(Tool::Obstacle.name());
    desk.click_at(at);
    desk.undo_key();
    assert!(discomfort(&mut desk) == before, "and undo takes it away");
    desk.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    desk.frames(2);
    assert!(discomfort(&mut desk) == left, "and redo brings it back");
}

#[test]
fn people_who_are_shut_in_are_reported_though_nobody_was_put_aside() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Rectangle;
    desk.harness.get_by_role_and_label(Role::Button, Tool::Rectangle.name()).click();
    desk.frames(2);
    desk.harness.get_by_role_and_label(Role::CheckBox, "filled").click();
    desk.frames(2);
    // Around all guests, who start between 2, 4 and 8, 10.
    desk.app_mut().draw(Vec2::new(1.25, 3.25), Vec2::new(8.75, 10.75));
    desk.until("it is said", |app| {
        app.log_lines().any(|l| l.contains("20 people have no way to their goals any more"))
    });
    assert_eq!(desk.app().shot.as_ref().map(|s| s.counters.displaced), Some(0));
    desk.undo_key();
    desk.settled();
    assert_eq!(desk.says("no way to their goals"), 1, "once");
}

#[test]
fn the_list_of_keys_is_beside_the_map() {
    let mut desk = Desk::with(HALL, [1280.0, 720.0], |_| {});
    desk.frames(2);
    let before = desk.app().view;
    desk.press(Key::F1);
    desk.frames(2);
    let view = desk.app().view;
    assert!(view.width() < before.width() - 100.0 && view.width() > 300.0, "{view:?}");
    let title = desk.nodes().into_iter().find(|n| n.text == "Keys and mouse").expect("it is open");
    assert!(!view.intersects(title.rect), "it is beside the map");
    // All of the world was seen, and is.
    for (x, y) in [(0.0, 0.0), (20.0, 12.0)] {
        let at = desk.at(x, y);
        assert!(view.contains(at), "{x}, {y} is at {at:?} of {view:?}");
    }
    desk.press(Key::Escape);
    desk.frames(2);
    assert_eq!(desk.app().view, before);
}

#[test]
fn an_obstacle_that_was_left_there_is_back_after_undoing_what_took_it_away() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Obstacle.name());
    desk.harness.get_by_role_and_label(Role::CheckBox, "leave it there").click();
    desk.frames(2);
    let at = desk.at(15.0, 6.0);
    desk.click_at(at);
    let left = discomfort(&mut desk);
    desk.press(Key::Escape);
    assert!(discomfort(&mut desk) != left);
    desk.undo_key();
    assert!(discomfort(&mut desk) == left, "Esc is undone");
    // Held elsewhere, and cancelled.
    desk.click(Tool::Obstacle.name());
    desk.harness.get_by_role_and_label(Role::CheckBox, "leave it there").click();
    desk.frames(2);
    let way = [desk.at(13.0, 2.0), desk.at(14.0, 2.0)];
    press_and_go(&mut desk, &way);
    desk.press(Key::Escape);
    desk.harness.event(button_event(way[1], PointerButton::Primary, false));
    desk.frames(3);
    assert!(discomfort(&mut desk) == left, "it is where it was");
    desk.drag(&way);
    assert!(discomfort(&mut desk) != left);
    desk.undo_key();
    assert!(discomfort(&mut desk) == left, "and letting go is undone");
}

#[test]
fn walls_of_a_room_are_all_drawn_or_none() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Rectangle.name());
    desk.harness.get_by_role_and_label(Role::CheckBox, "filled").click();
    desk.frames(2);
    // The wall in the north would be farther away than any.
    desk.app_mut().draw(Vec2::new(12.0, 1.0), Vec2::new(14.0, 1e8));
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("the wall cannot be drawn")));
    assert_eq!(desk.saved().map.walls.len(), 1, "only the one that was there");
}
