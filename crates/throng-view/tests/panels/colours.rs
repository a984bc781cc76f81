//! Fields and colours.

use super::*;

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
