//! Brushes, goals that are dragged, people who are dropped.

use super::*;

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
            desk.idle();
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
fn one_shape_of_a_goal_is_dragged_and_stays_in_the_world() {
    let text =
        HALL.replace("rect = [19, 4, 20, 8] }", "shapes = [{ rect = [19, 4, 20, 8] }, { rect = [14, 11, 16, 12] }] }");
    let mut desk = Desk::new(&text);
    desk.click(Tool::Goals.name());
    // Far out of the world to the north, and a little west.
    let way = [desk.at(19.5, 6.0), desk.at(18.5, 9.0), desk.at(18.5, 30.0)];
    desk.drag(&way);
    let goals = desk.saved().goals;
    let bounds: Vec<_> = goals[0].shapes.iter().map(throng::geometry::Shape::bounds).collect();
    assert!((bounds[0].min - Vec2::new(18.0, 8.0)).length() < 0.1, "{bounds:?}");
    assert_eq!(bounds[1].min, Vec2::new(14.0, 11.0), "the other one stays");
    assert_eq!(goals[1].shapes[0].bounds().min, Vec2::new(0.0, 4.0), "and so does the other goal");
    desk.undo_key();
    assert_eq!(desk.saved().goals[0].shapes[0].bounds().min, Vec2::new(19.0, 4.0));
}

#[test]
fn doors_of_an_image_are_dragged_one_by_one_and_have_names() {
    let office = Scene::built_in("office").expect("built in");
    let mut desk = Desk::with(HALL, ROOMY, |start| start.scene = office);
    let before = desk.app().ground.clone().expect("the run has begun").goals[0].clone();
    let doors: Vec<Vec2> = before.iter().map(throng::geometry::Shape::middle).collect();
    let part = desk.app().goal_at(doors[0]).expect("a door is there");
    assert!(part.shapes.len() < before.len(), "one of several doors: {part:?}");
    desk.app_mut().move_goal(&part, Vec2::new(0.5, 0.5));
    desk.settled();
    let after = desk.app().ground.clone().expect("the run has begun").goals[0].clone();
    let moved = (0..before.len()).filter(|&k| before[k] != after[k]).collect::<Vec<_>>();
    assert_eq!(moved, part.shapes);
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
    desk.wall_up_the_start();
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

/// Names and places of what people flee from, as drawn.
fn hazards(desk: &Desk) -> Vec<(String, Vec2)> {
    let shot = desk.app().shot.as_ref().expect("the run has begun");
    shot.hazards.iter().map(|h| (h.hazard.name.clone(), h.disc.centre)).collect()
}

#[test]
fn gas_and_ghosts_are_put_dragged_and_taken_away_and_all_of_that_is_undone() {
    for (tool, name) in [(Tool::Gas, "gas 1"), (Tool::Ghost, "ghost 1")] {
        let mut desk = Desk::new(HALL);
        let edits = desk.app().shot.as_ref().map(|s| s.edits);
        desk.click(tool.name());
        let at = desk.at(14.0, 9.0);
        desk.click_at(at);
        desk.settled();
        let near = |found: &[(String, Vec2)], x: f32, y: f32| matches!(found, [(n, p)] if n == name && p.distance(Vec2::new(x, y)) < 0.1);
        assert!(near(&hazards(&desk), 14.0, 9.0), "{:?}", hazards(&desk));
        assert_eq!(desk.saved().hazards.len(), 1);
        let way = [desk.at(14.1, 9.1), desk.at(12.0, 10.0), desk.at(11.1, 7.1)];
        desk.drag(&way);
        desk.settled();
        assert!(near(&hazards(&desk), 11.0, 7.0), "{:?}", hazards(&desk));
        assert_eq!(desk.app().shot.as_ref().map(|s| s.edits), edits, "the world has not changed");
        desk.app_mut().press_hazard(Vec2::new(11.0, 7.0), true);
        desk.settled();
        assert_eq!(hazards(&desk), []);
        for place in [Some((11.0, 7.0)), Some((14.0, 9.0)), None] {
            desk.undo_key();
            desk.settled();
            let now = hazards(&desk);
            assert!(place.map_or(now.is_empty(), |(x, y)| near(&now, x, y)), "{now:?}, not {place:?}");
        }
        assert!(desk.saved().hazards.is_empty());
    }
}

#[test]
fn changes_that_are_quicker_than_the_picture_are_undone_one_by_one() {
    let mut desk = Desk::new(HALL);
    let at = Vec2::new(14.0, 11.0);
    let discomfort = |desk: &Desk| floor(desk).1[22 * 40 + 28];
    desk.app_mut().tool = Tool::Discomfort;
    for erase in [false, true] {
        desk.app_mut().stroke_to(at, erase);
        desk.app_mut().end_stroke();
    }
    desk.settled();
    assert_eq!(discomfort(&desk), 0.0);
    desk.undo_key();
    desk.settled();
    assert_eq!(discomfort(&desk), 0.8, "painted, and not erased any more");
    desk.undo_key();
    desk.settled();
    assert_eq!(discomfort(&desk), 0.0);

    let goal = |desk: &mut Desk| desk.saved().goals[0].shapes[0].bounds().min;
    let part = desk.app().goal_at(Vec2::new(19.5, 6.0)).expect("a goal is there");
    desk.app_mut().move_goal(&part, Vec2::new(-2.0, 0.0));
    desk.app_mut().move_goal(&part, Vec2::new(0.0, 3.0));
    assert_eq!(goal(&mut desk), Vec2::new(17.0, 7.0));
    desk.undo_key();
    assert_eq!(goal(&mut desk), Vec2::new(17.0, 4.0));
    desk.undo_key();
    assert_eq!(goal(&mut desk), Vec2::new(19.0, 4.0));

    desk.app_mut().tool = Tool::Gas;
    desk.app_mut().press_hazard(Vec2::new(14.0, 9.0), false);
    desk.app_mut().release_hazard();
    desk.settled();
    desk.app_mut().press_hazard(Vec2::new(14.0, 9.0), false);
    desk.app_mut().drag_hazard(Vec2::new(12.0, 9.0));
    desk.app_mut().release_hazard();
    // In the picture it is where it was.
    desk.app_mut().press_hazard(Vec2::new(14.0, 9.0), true);
    desk.settled();
    assert_eq!(hazards(&desk), []);
    desk.undo_key();
    desk.settled();
    assert_eq!(hazards(&desk), [("gas 1".to_owned(), Vec2::new(12.0, 9.0))]);
}

#[test]
fn a_hazard_that_is_only_clicked_or_cannot_be_put_there_leaves_nothing_to_undo() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Gas;
    for _ in 0..65 {
        let at = Vec2::new(14.0, 9.0);
        desk.app_mut().press_hazard(at, false);
        desk.app_mut().release_hazard();
    }
    desk.settled();
    assert_eq!((hazards(&desk).len(), desk.says("cannot be put there")), (64, 1));
    desk.app_mut().press_hazard(Vec2::new(14.0, 9.0), false);
    desk.app_mut().release_hazard();
    desk.undo_key();
    desk.settled();
    assert_eq!(hazards(&desk).len(), 63, "the last one that is there is taken back");
}

#[test]
fn a_stroke_ends_where_the_map_is_left_for_three_dimensions() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Walls.name());
    let (from, to, far) = (desk.at(12.0, 10.5), desk.at(13.0, 10.5), desk.at(17.0, 10.5));
    desk.harness.hover_at(from);
    desk.harness.drag_at(from);
    desk.harness.hover_at(to);
    desk.frames(2);
    desk.press(Key::V);
    desk.press(Key::V);
    desk.harness.hover_at(far);
    desk.harness.event(button_event(far, PointerButton::Primary, false));
    desk.frames(3);
    desk.settled();
    let (painted, says) = (floor(&desk).0.iter().filter(|p| **p).count(), desk.says("walls of"));
    assert!(painted > 0 && says == 1 && !floor(&desk).0[21 * 40 + 34], "{painted} cells, said {says} times");
    desk.undo_key();
    desk.settled();
    assert_eq!(floor(&desk).0.iter().filter(|p| **p).count(), 0);
}

#[test]
fn what_is_saved_in_the_middle_of_a_stroke_or_a_drag_is_known_to_be_saved() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(12.0, 10.5), false);
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.until("it was saved", |app| app.log_lines().any(|l| l.contains("saved ")));
    assert!(read(desk.folder.path()).map.painted.contains(&true));
    // The button is let go only now.
    desk.app_mut().end_stroke();
    desk.app_mut().leave();
    desk.until("the window may close", |app| app.quit);
    desk.app_mut().quit = false;

    desk.app_mut().tool = Tool::Ghost;
    desk.app_mut().press_hazard(Vec2::new(14.0, 9.0), false);
    desk.app_mut().drag_hazard(Vec2::new(15.0, 9.0));
    assert_eq!(desk.saved().hazards.len(), 1);
    desk.app_mut().release_hazard();
    desk.app_mut().leave();
    desk.until("the window may close", |app| app.quit);
}

#[test]
fn names_of_goals_and_of_their_doors_are_on_the_map() {
    let desk = Desk::new(HALL);
    let written = desk.written();
    assert!(["east door", "west door"].iter().all(|name| written.iter().any(|w| w == name)), "{written:?}");

    let office = Scene::built_in("office").expect("built in");
    let name = office.goals[0].name.clone();
    let mut desk = Desk::with(HALL, ROOMY, |start| start.scene = office);
    let of = |desk: &Desk, name: &str| {
        let mut names = desk.written();
        names.retain(|w| w.starts_with(&format!("{name} ")));
        names.sort();
        names
    };
    desk.frames(2);
    let names = of(&desk, &name);
    assert!(names.len() > 1 && names[0] == format!("{name} 1"), "{names:?}");
}

#[test]
fn doors_of_an_image_hang_together_also_once_they_were_moved_and_the_run_has_begun_again() {
    let mut scene = Scene::parse("test.toml", HALL, &NoFiles).expect("it is sound");
    // Two doors, one of them round a corner: two rectangles of cells.
    let cells = [(38, 10), (39, 10), (39, 11), (39, 12), (39, 20)];
    scene.goals[0].shapes.clear();
    scene.goals[0].cells = cells.iter().map(|(x, y)| y * 40 + x).collect();
    let mut desk = Desk::with(HALL, ROOMY, |start| start.scene = scene);
    let part = desk.app().goal_at(Vec2::new(19.75, 6.25)).expect("a door is there");
    assert_eq!(part.shapes.len(), 2, "{part:?}");
    desk.app_mut().move_goal(&part, Vec2::new(-2.0, 0.0));
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.settled();
    assert_eq!(desk.app().goal_at(Vec2::new(17.75, 6.25)), Some(part), "it is still one door");
    let names = |name: &str| desk.written().iter().filter(|w| *w == name).count();
    assert_eq!((names("east door 1"), names("east door 2"), names("east door 3")), (1, 1, 0));
}

#[test]
fn the_kind_of_who_is_dropped_is_one_that_there_is() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().drop_people(Vec2::new(14.0, 10.0));
    desk.settled();
    desk.click(Tool::Drop.name());
    let like = |desk: &Desk, kind: &str| {
        let boxes = desk.nodes().into_iter().filter(|n| n.role == Role::ComboBox);
        boxes.into_iter().find(|n| n.text == kind || n.name == kind).map(|n| n.rect.center())
    };
    let at = like(&desk, "guests").expect("the first group at first");
    desk.click_at(at);
    desk.click("dropped 1");
    assert!(like(&desk, "dropped 1").is_some());
    desk.app_mut().begin_again(throng_view::app::From::Opened);
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.frames(2);
    assert!(like(&desk, "staff").is_some(), "the last one that there is");
}

#[test]
fn who_was_dropped_before_a_reset_cannot_be_taken_back_and_that_is_said() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().drop_people(Vec2::new(14.0, 10.0));
    desk.settled();
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    assert_eq!(desk.says("cannot be taken back any more"), 1);
}
