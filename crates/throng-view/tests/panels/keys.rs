//! Time and keys.

use super::*;

#[test]
fn buttons_run_pause_step_and_begin_again() {
    let mut desk = Desk::new(HALL);
    assert_eq!(desk.steps(), 0);
    desk.click("Step");
    desk.until("one step is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == 1));
    desk.click("Run");
    assert!(desk.app().running);
    desk.until("more steps are done", |app| app.shot.as_ref().is_some_and(|s| s.steps > 4));
    desk.click("Pause");
    assert!(!desk.app().running);
    desk.settled();
    let paused = desk.steps();
    std::thread::sleep(Duration::from_millis(150));
    desk.settled();
    assert_eq!(desk.steps(), paused, "time stands still in a pause");
    desk.click("Step");
    desk.until("one step more is done", |app| app.shot.as_ref().is_some_and(|s| s.steps == paused + 1));
    desk.click("Reset");
    desk.until("it has begun again", |app| app.shot.as_ref().is_some_and(|s| s.steps == 0));
    assert!(desk.app_mut().take_reset() && desk.says("begun again") == 1);
}

#[test]
fn time_passes_as_fast_as_is_asked_for() {
    // Where nobody ever leaves: else it would stop at the end.
    let there = r#"arrive = "next", journey = ["east door", "west door"]"#;
    let back = r#"arrive = "next", journey = ["west door", "east door"]"#;
    let endless = HALL.replace(r#"journey = ["east door"]"#, there).replace(r#"journey = ["west door"]"#, back);
    let mut desk = Desk::new(&endless);
    for (key, speed) in [(Key::Plus, 2.0), (Key::Plus, 4.0), (Key::Minus, 2.0)] {
        desk.press(key);
        assert_eq!(desk.app().speed, speed);
    }
    for _ in 0..20 {
        desk.press(Key::Minus);
    }
    assert!(desk.app().speed > 0.0, "never backwards, never a stop by itself");
    desk.app_mut().speed = 1.0;
    desk.app_mut().unbounded = true;
    desk.press(Key::Space);
    // More simulated seconds than patience has real ones.
    desk.until("it is as fast as possible", |app| app.shot.as_ref().is_some_and(|s| s.time > 25.0));
    desk.press(Key::Space);
    assert!(!desk.app().running);
}

// Keys.

#[test]
fn number_keys_choose_fields() {
    let mut desk = Desk::new(HALL);
    let keys = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    for (key, overlay) in keys.into_iter().zip(Overlay::ALL) {
        desk.press(key);
        assert_eq!(desk.app().look.overlay, Some(overlay));
        assert!(desk.shows(overlay.name()), "{overlay:?} is named");
    }
    desk.press(Key::Num9);
    assert_eq!(desk.app().look.overlay, None, "the same key again takes it away");
    desk.press(Key::Num3);
    desk.press(Key::Num0);
    assert_eq!(desk.app().look.overlay, None);
    for overlay in Overlay::ALL {
        let place = Overlay::ALL.iter().position(|o| *o == overlay).expect("one of them") + 1;
        let label = if place > 9 { overlay.name().to_owned() } else { format!("{place}  {}", overlay.name()) };
        desk.click(&label);
        assert_eq!(desk.app().look.overlay, Some(overlay), "buttons do the same");
    }
}

#[test]
fn letters_change_what_is_shown_and_how() {
    let mut desk = Desk::new(HALL);
    for expected in [Colouring::Group, Colouring::Speed, Colouring::Density, Colouring::Waiting, Colouring::State] {
        desk.press(Key::C);
        assert_eq!(desk.app().look.colouring, expected);
    }
    desk.press(Key::C);
    assert_eq!(desk.app().look.colouring, Colouring::Goal, "and round again");
    desk.press(Key::X);
    desk.press(Key::A);
    assert!(desk.app().look.smooth && !desk.app().look.arrows);
    desk.press(Key::D);
    assert_eq!(desk.app().look.direction, Direction::South);
    desk.press(Key::G);
    assert_eq!(desk.app().look.goal, 1);
    desk.press(Key::G);
    assert_eq!(desk.app().look.goal, 0);
    desk.press(Key::T);
    assert!(desk.app().look.tiles > 0.0);
    desk.press(Key::T);
    assert!(desk.app().look.tiles <= 0.0);
    desk.press(Key::Space);
    assert!(desk.app().running);
    desk.press(Key::Period);
    assert!(!desk.app().running, "a single step is the end of running");
    desk.press(Key::H);
    assert!(!desk.app().panels && !desk.shows("Reset"));
    desk.press(Key::H);
    assert!(desk.shows("Reset"));
}

#[test]
fn the_list_of_keys_opens_and_closes() {
    let mut desk = Desk::new(HALL);
    for _ in 0..2 {
        desk.press(Key::F1);
        for word in ["Space", "Ctrl+Z", "F1", "wheel"] {
            assert!(desk.nodes().iter().any(|n| n.role == Role::Label && n.text == word), "{word}");
        }
        desk.press(Key::F1);
        assert!(!desk.shows("Ctrl+Z"));
    }
}

#[test]
fn keys_are_letters_while_somebody_writes() {
    let mut desk = Desk::new(HALL);
    let nodes = desk.nodes();
    let field = nodes.iter().find(|n| n.role == Role::TextInput).expect("a path can be written");
    assert!(!field.name.is_empty());
    let at = field.rect.center();
    desk.click_at(at);
    for (key, text) in [(Key::Num2, "2"), (Key::C, "c"), (Key::R, "r"), (Key::Space, " ")] {
        desk.harness.input_mut().events.push(key_event(key, true));
        desk.harness.input_mut().events.push(Event::Text(text.into()));
        desk.harness.step();
        desk.harness.event(key_event(key, false));
        desk.harness.step();
    }
    assert_eq!(desk.app().look, Look::default());
    assert!(!desk.app().running && desk.says("begun again") == 0);
    let nodes = desk.nodes();
    let written = &nodes.iter().find(|n| n.role == Role::TextInput).expect("as before").text;
    assert!(["2", "c", "r"].iter().all(|c| written.contains(c)), "{written}");
    // A click into the map gives the keys back.
    let at = desk.at(10.0, 11.0);
    desk.click_at(at);
    desk.press(Key::Num2);
    assert_eq!(desk.app().look.overlay, Some(Overlay::Density));
}
