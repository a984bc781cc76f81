//! Undo, redo, and back to what a value was.

use super::*;

/// Everything that can be changed: what Save writes.
fn whole(desk: &mut Desk) -> String {
    let scene = desk.saved();
    let walls: Vec<usize> = (0..scene.map.painted.len()).filter(|&c| scene.map.painted[c]).collect();
    let ground: Vec<(usize, f32)> = scene.map.ground.iter().copied().enumerate().filter(|(_, d)| *d > 0.0).collect();
    format!("{}\npainted {walls:?}\nground {ground:?}\n", scene.to_toml())
}

/// Lines that two texts do not have in common.
fn differing<'a>(a: &'a str, b: &'a str) -> Vec<&'a str> {
    let missing = |from: &'a str, of: &'a str| of.lines().filter(move |l| !from.lines().any(|m| m == *l));
    missing(a, b).chain(missing(b, a)).collect()
}

#[test]
fn every_change_can_be_taken_back_and_made_again() {
    let mut desk = Desk::new(HALL);
    let mut states = vec![whole(&mut desk)];
    let changes: [fn(&mut Desk); 10] = [
        |desk| {
            desk.app_mut().tool = Tool::Walls;
            desk.app_mut().stroke_to(Vec2::new(3.0, 11.0), false);
            desk.app_mut().end_stroke();
        },
        |desk| {
            // Takes a wall of the scene down.
            desk.app_mut().tool = Tool::Walls;
            desk.app_mut().stroke_to(Vec2::new(9.5, 6.0), true);
            desk.app_mut().end_stroke();
        },
        |desk| {
            desk.app_mut().tool = Tool::Discomfort;
            desk.app_mut().stroke_to(Vec2::new(14.0, 3.0), false);
            desk.app_mut().end_stroke();
        },
        |desk| {
            let part = desk.app().goal_at(Vec2::new(19.5, 6.0)).expect("a goal is there");
            desk.app_mut().move_goal(&part, Vec2::new(-2.0, 1.0));
        },
        |desk| desk.type_number("length weight", "2.5"),
        |desk| {
            desk.app_mut().tool = Tool::Gas;
            desk.app_mut().press_hazard(Vec2::new(14.0, 9.0), false);
            desk.app_mut().release_hazard();
        },
        |desk| desk.app_mut().drop_people(Vec2::new(14.0, 11.0)),
        |desk| {
            desk.app_mut().tool = Tool::Rectangle;
            desk.app_mut().draw(Vec2::new(11.0, 1.0), Vec2::new(12.0, 1.5));
        },
        // A door in that wall, which is open then; and it is closed.
        |desk| desk.app_mut().click_door(Vec2::new(11.5, 1.2), 0.05),
        |desk| desk.app_mut().click_door(Vec2::new(11.5, 1.2), 0.05),
    ];
    for change in changes {
        change(&mut desk);
        let now = whole(&mut desk);
        assert!(Some(&now) != states.last(), "change {} changes something", states.len());
        states.push(now);
    }
    for round in 0..2 {
        for k in (0..changes.len()).rev() {
            desk.undo_key();
            let now = whole(&mut desk);
            let differs = differing(&now, &states[k]);
            assert!(differs.is_empty(), "round {round}: change {} is taken back: {differs:#?}", k + 1);
        }
        for (k, state) in states.iter().enumerate().skip(1) {
            desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::Y);
            desk.frames(2);
            let now = whole(&mut desk);
            let differs = differing(&now, state);
            assert!(differs.is_empty(), "round {round}: change {k} is made again: {differs:#?}");
        }
    }
    desk.undo_key();
    desk.settled();
    desk.type_number("time weight", "3");
    let before = whole(&mut desk);
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    assert!(whole(&mut desk) == before, "after another change there is nothing to make again");
}

#[test]
fn each_value_of_the_model_is_a_click_away_from_what_it_was() {
    let mut desk = Desk::new(HALL);
    assert!(!desk.shows("back to"));
    desk.type_number("length weight", "2.5");
    desk.type_number("clearance", "1.5");
    desk.click("back to 1 per m");
    desk.settled();
    let model = desk.saved().model;
    assert_eq!((model.length_weight, model.clearance), (1.0, 1.5));
    desk.undo_key();
    assert_eq!(desk.saved().model.length_weight, 2.5, "and that can be undone");
}

#[test]
fn the_default_is_a_click_away_where_the_scene_says_something_else() {
    let mut desk = Desk::new(&format!("model = {{ clearance = 0.8 }}\n{}", HALL.trim_start()));
    let model = desk.saved().model;
    let default = Model::default().clearance;
    assert_eq!(model.clearance, 0.8);
    desk.click(&format!("default {default} m"));
    assert_eq!(desk.saved().model.clearance, default);
    desk.click("back to 0.8 m");
    assert_eq!(desk.saved().model.clearance, 0.8);
}

#[test]
fn changes_of_the_model_are_in_the_log() {
    let mut desk = Desk::new(HALL);
    desk.type_number("length weight", "2.5");
    desk.frames(2);
    assert_eq!(desk.says("length weight: 2.5 per m instead of 1 per m"), 1);
    desk.undo_key();
    let back = "length weight: 1 per m instead of 2.5 per m";
    desk.until("it is in the log", |app| app.log_lines().any(|l| l.contains(back)));
    assert_eq!(desk.says(back), 1);
}

#[test]
fn what_a_group_was_is_a_click_away() {
    let mut desk = Desk::new(HALL);
    let of = |desk: &mut Desk| {
        let staff = &desk.saved().groups[1];
        (staff.speed.typical(), staff.arrive)
    };
    let staff = desk.nodes().iter().position(|n| n.text.starts_with("staff:")).expect("the group is listed");
    let at = desk.nodes()[staff..].iter().find(|n| n.text == "1.20 m/s").expect("its speed is shown").rect.center();
    desk.type_number_at(at, "0.6");
    desk.settled();
    let boxes: Vec<Pos2> = desk
        .nodes()
        .iter()
        .filter(|n| n.role == Role::ComboBox && n.text.contains("on arrival"))
        .map(|n| n.rect.center())
        .collect();
    desk.click_at(boxes[1]);
    desk.click("respawn");
    let (speed, arrive) = of(&mut desk);
    assert!((speed - 0.6).abs() < 0.01 && arrive == Arrive::Respawn, "{speed} {arrive:?}");
    desk.click("back to 1.2 m/s");
    assert_eq!(of(&mut desk), (1.2, Arrive::Respawn));
    desk.click("back to park");
    assert_eq!(of(&mut desk), (1.2, Arrive::Park));
    assert!(!desk.shows("back to"));
    desk.undo_key();
    assert_eq!(of(&mut desk).1, Arrive::Respawn, "and that can be undone");
}
