//! The model and the groups.

use super::*;

/// The parameters of the model that the panel shows, and of its parts: the part's place, if it is in one, and the parameter.
pub(crate) fn shown_parameters(model: &Model) -> Vec<(Option<usize>, &'static Parameter)> {
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

#[test]
fn a_model_that_would_cost_a_group_nothing_is_refused_with_a_reason() {
    let text = HALL.replace("speed = 1.2,", "speed = 1.2, length_weight = 0,");
    let mut desk = Desk::new(&text);
    desk.type_number("time weight", "0");
    desk.frames(2);
    assert_eq!(desk.says("every way would cost it the same"), 1);
    assert!(desk.says("\"staff\"") == 1 && desk.says("time weight: 0") == 0);
    let label =
        desk.nodes().iter().position(|n| n.role == Role::Label && n.text == "time weight").expect("it is there");
    let shown = desk.nodes()[label..].iter().find(|n| n.role == Role::SpinButton).map(|n| n.text.clone());
    assert_eq!(shown.as_deref(), Some("1.0 per s"), "the panel shows what the run has");
    assert_eq!(desk.saved().model.time_weight, 1.0);
    desk.app_mut().leave();
    assert!(desk.app().quit, "nothing was changed");
}

/// Where the field of the speed of the second group is.
fn speed_of_staff(desk: &Desk) -> Shown {
    let nodes = desk.nodes();
    let staff = nodes.iter().position(|n| n.text.starts_with("staff:")).expect("the group is listed");
    nodes.into_iter().skip(staff).find(|n| n.role == Role::SpinButton).expect("it has a speed")
}

#[test]
fn looking_at_groups_changes_nobodys_speed() {
    for (speed, shown) in [(15.0, "15.00 m/s"), (0.02, "0.02 m/s"), (1.23456, "1.23 m/s")] {
        let text = HALL.replace("speed = 1.2,", &format!("speed = {speed},")).replace("cell =", "dt = 0.01\ncell =");
        let mut desk = Desk::new(&text);
        desk.frames(5);
        let field = speed_of_staff(&desk);
        assert_eq!(field.text, shown);
        // Into the field and out again.
        desk.click_at(field.rect.center());
        desk.press(Key::Enter);
        desk.frames(3);
        assert_eq!(desk.saved().groups[1].speed, Distribution::Constant(speed));
        assert_eq!(desk.says("was changed"), 0);
        desk.app_mut().leave();
        assert!(desk.app().quit, "nothing was changed");
    }
}

#[test]
fn a_number_of_the_model_keeps_decimals_that_are_not_shown_until_somebody_types_another() {
    let text = format!("{HALL}\n[model]\nlength_weight = 0.12345\ntime_weight = 50\n");
    let mut desk = Desk::new(&text);
    let given = desk.saved().model;
    for label in ["length weight", "time weight"] {
        let at = desk.number_at(label);
        desk.click_at(at);
        desk.press(Key::Enter);
        assert_eq!(desk.saved().model, given, "{label}");
    }
    desk.type_number("length weight", "0.12");
    assert_eq!(desk.saved().model, Model { length_weight: 0.12, ..given });
}

#[test]
fn a_slider_that_is_pressed_and_stays_where_it_is_leaves_nothing_to_undo() {
    let range = Model::default().values().into_iter().find_map(|(parameter, _)| match &parameter.kind {
        Kind::Number { slider, .. } if parameter.key == "time_weight" => Some(slider.clone()),
        _ => None,
    });
    let most = *range.expect("it has a slider").end();
    let mut desk = Desk::new(&format!("{HALL}\n[model]\ntime_weight = {most}\n"));
    let nodes = desk.nodes();
    let label = nodes.iter().position(|n| n.role == Role::Label && n.text == "time weight").expect("it is there");
    let slider = nodes[label..].iter().find(|n| n.role == Role::Slider).expect("it has a slider").rect;
    desk.drag(&[slider.right_center() - egui::vec2(1.0, 0.0), slider.right_center() - egui::vec2(0.5, 0.0)]);
    desk.idle();
    desk.app_mut().leave();
    assert!(desk.app().quit, "nothing was changed");
    assert_eq!(desk.saved().model.time_weight, most);
}
