//! What a run comes to: people who are dropped into it, its events, its end.

use super::*;
use throng_view::app::From;

/// A door that closes and opens, and a way out that everybody finds soon.
const SHORT: &str = r#"
name = "short"
cell = 0.5
size = [12, 8]
map = { walls = [{ name = "shutter", rect = [5, 0, 5.5, 3], open = true }] }
goal = [{ name = "way out", rect = [11, 2, 12, 6] }]
agents = [{ name = "guests", count = 6, start = { rect = [6, 2, 9, 6] }, journey = ["way out"] }]
event = [{ at = 0.4, close = "shutter" }, { at = 1.2, name = "bell", open = "shutter" }]
"#;

fn drop_at(desk: &mut Desk, x: f32, y: f32) {
    let at = desk.at(x, y);
    desk.click_at(at);
    desk.settled();
}

#[test]
fn a_drop_with_the_default_brush_finds_room_on_free_floor() {
    for cell in ["0.25", "0.5", "1"] {
        let text = format!(
            "name = \"hall\"\ncell = {cell}\nsize = [30, 20]\ngoal = [{{ name = \"door\", rect = [29, 8, 30, 12] }}]\n\
             agents = [{{ name = \"guests\", count = 5, start = {{ rect = [2, 2, 6, 6] }}, journey = [\"door\"] }}]"
        );
        let mut desk = Desk::new(&text);
        desk.click(Tool::Drop.name());
        drop_at(&mut desk, 15.0, 12.0);
        assert_eq!((desk.active(), desk.says("20 people dropped")), (25, 1), "cell {cell}");
        // Near the pointer: twenty people need a circle of some metre and a half.
        let start = desk.saved().groups[1].start[0].bounds();
        assert!(start.max.x - start.min.x < 6.0, "cell {cell}: {start:?}");
    }
}

#[test]
fn as_many_are_dropped_as_there_is_room_for() {
    let text = r#"
        name = "closet"
        cell = 0.25
        size = [4, 3]
        map = { walls = [{ rect = [2, 0, 2.25, 1] }, { rect = [2, 2, 2.25, 3] }] }
        goal = [{ name = "door", rect = [3.5, 1, 4, 2] }]
        agents = [{ name = "guest", count = 1, start = { rect = [2.5, 0.5, 3.5, 2.5] }, journey = ["door"] }]
    "#;
    let mut desk = Desk::new(text);
    desk.click(Tool::Drop.name());
    desk.type_number("people", "500");
    drop_at(&mut desk, 1.0, 1.5);
    let dropped = desk.active() - 1;
    assert!((5..100).contains(&dropped), "{dropped} were dropped into 12 m²");
    assert_eq!(desk.says("there is no room for more"), 1);
}

#[test]
fn who_was_dropped_into_a_run_comes_in_at_that_time_when_it_is_saved_or_begun_again() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().go_to(2.0);
    desk.until("two seconds have passed", |app| !app.running);
    desk.click(Tool::Drop.name());
    // Where the staff started: nobody could start there too.
    drop_at(&mut desk, 15.0, 6.0);
    assert_eq!(desk.active(), 50);
    let saved = desk.saved();
    assert_eq!(saved.groups.len(), 3);
    assert!(saved.groups[2].rate.is_some() && !saved.groups[2].on);
    assert_eq!(saved.events.len(), 1, "they come in by an event");
    assert!((saved.events[0].at - 2.0).abs() < 0.05, "at the time when they were dropped: {}", saved.events[0].at);
    assert_eq!(saved.groups[2].delay, Distribution::Constant(0.0));
    let mut run = Simulation::with_threads(&saved, 1).expect("what was saved can be run");
    run.steps_by(40).expect("the CPU does not fail");
    assert_eq!(run.counters().active + run.counters().parked, 30, "not yet");
    run.steps_by(100).expect("the CPU does not fail");
    assert_eq!(run.counters().outside, 0, "by now all are in");
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.settled();
    assert_eq!((desk.steps(), desk.active(), desk.says("cannot begin again")), (0, 30, 0));
    assert_eq!(desk.app().shot.as_ref().map(|s| s.counters.outside), Some(20));
    assert_eq!(desk.saved(), saved, "saved once more it is the same");
}

#[test]
fn who_was_dropped_among_others_at_the_beginning_does_not_keep_it_from_beginning_again() {
    let mut desk = Desk::new(HALL);
    desk.click(Tool::Drop.name());
    drop_at(&mut desk, 15.0, 6.0);
    drop_at(&mut desk, 15.0, 6.0);
    assert_eq!(desk.active(), 70);
    Simulation::with_threads(&desk.saved(), 1).expect("what was saved can be run");
    desk.click("Reset");
    desk.until("it has begun again", |app| app.log_lines().any(|l| l.contains("begun again")));
    desk.settled();
    assert_eq!(desk.says("cannot begin again"), 0);
}

#[test]
fn when_everybody_is_out_it_stops_and_says_how_long_it_took() {
    let mut desk = Desk::new(SHORT);
    desk.app_mut().unbounded = true;
    desk.press(Key::Space);
    desk.until("it has stopped", |app| !app.running);
    desk.settled();
    let (steps, time) = desk.app().shot.as_ref().map(|s| (s.steps, s.time)).expect("a shot");
    assert_eq!(desk.active(), 0);
    // It stops with the step in which the last one left: the same run, step by step, says which.
    let mut run =
        Simulation::with_threads(&Scene::parse("test.toml", SHORT, &NoFiles).expect("sound"), 1).expect("runs");
    while !run.is_done() {
        run.step().expect("the CPU does not fail");
    }
    assert_eq!(steps, run.steps());
    let words = format!("Everybody is out after {time:.1} s (6 people)");
    assert_eq!(desk.says(&words), 1, "{:#?}", desk.app().log_lines().collect::<Vec<_>>());
    assert!(desk.shows(&format!("{words}. Run goes on all the same.")), "and it is said over the map");
    // With people on the floor again it is not so any more.
    desk.app_mut().drop_people(Vec2::new(3.0, 4.0));
    desk.settled();
    desk.click("Arrivals");
    assert!(!desk.shows("Everybody is out after"));
    desk.undo_key();
    desk.until("they are gone", |app| app.shot.as_ref().is_some_and(|s| s.counters.active == 0));
    // Asked to, it goes on.
    desk.press(Key::Space);
    desk.until("it goes on", |app| app.shot.as_ref().is_some_and(|s| s.steps > steps + 10));
    assert!(desk.app().running);
    assert_eq!(desk.says("Everybody is out"), 2, "said once each time that it became so");
    desk.click("Reset");
    desk.until("it has begun again", |app| app.shot.as_ref().is_some_and(|s| s.counters.active == 6));
    assert!(!desk.shows("Everybody is out after") || desk.app().tab == Tab::Log);
    desk.app_mut().running = true;
    desk.until("it has stopped again", |app| !app.running);
    assert_eq!(desk.says("Everybody is out"), 3);
}

#[test]
fn the_log_has_events_at_their_times_and_its_newest_line_in_view() {
    let mut desk = Desk::with(SHORT, [1280.0, 720.0], |_| {});
    desk.click("Log");
    for k in 0..60 {
        desk.app_mut().note(format!("line {k}"));
    }
    desk.app_mut().go_to(2.0);
    desk.until("two seconds have passed", |app| !app.running);
    desk.frames(4);
    let log: Vec<String> = desk.app().log_lines().map(str::to_owned).collect();
    assert!(log.contains(&"    0.40 s  event: \"shutter\" closes".to_owned()), "{log:#?}");
    assert!(log.contains(&"    1.20 s  event \"bell\": \"shutter\" opens".to_owned()), "{log:#?}");
    let newest = desk.nodes().into_iter().find(|n| n.text.contains("event \"bell\"")).expect("it is listed");
    assert!(newest.rect.bottom() < 720.0 && newest.rect.top() > desk.app().view.bottom(), "{newest:?}");
}

#[test]
fn a_failure_is_said_over_the_map_until_it_is_clicked_away() {
    let mut desk = Desk::with(HALL, [1280.0, 720.0], |_| {});
    desk.app_mut().drop_people(Vec2::new(9.5, 6.0));
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("nobody was dropped")));
    desk.frames(2);
    let view = desk.app().view;
    let said = |desk: &Desk| {
        let nodes = desk.nodes();
        nodes
            .iter()
            .any(|n| n.role == Role::Label && n.text.starts_with("nobody was dropped") && view.contains_rect(n.rect))
    };
    assert!(said(&desk));
    desk.click("×");
    assert!(!said(&desk));
}

#[test]
fn people_where_a_wall_is_painted_are_reported() {
    let mut desk = Desk::new(HALL);
    desk.wall_up_the_start();
    desk.click("Step");
    desk.until("it is said", |app| app.log_lines().any(|l| l.contains("stood where a wall is now")));
    assert_eq!(desk.active(), 30, "nobody is lost");
}

#[test]
fn who_was_put_aside_before_a_moment_is_not_reported_again_by_going_back_to_it() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().go_to(1.0);
    desk.until("a second has passed", |app| !app.running);
    desk.wall_up_the_start();
    desk.app_mut().go_to(8.0);
    desk.until("eight seconds have passed", |app| !app.running);
    // Once, or in two parts where a picture came in between.
    let said = desk.says("stood where a wall is now");
    assert!(said > 0, "it is said when it happens");
    desk.app_mut().go_to(6.0);
    desk.until("it has gone back", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.time < 7.0));
    desk.settled();
    assert_eq!(desk.says("stood where a wall is now"), said, "{:#?}", desk.app().log_lines().collect::<Vec<_>>());
}

#[test]
fn groups_that_are_dropped_in_one_frame_have_names_and_times_of_their_own() {
    let mut desk = Desk::new(HALL);
    desk.click("Step");
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.app_mut().drop_people(Vec2::new(14.0, 2.0));
    let saved = desk.saved();
    let names: Vec<&str> = saved.groups.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names[2..], ["dropped 1", "dropped 2"]);
    assert!(saved.groups[2..].iter().all(|g| g.rate.is_some() && !g.on), "both come in when they were dropped");
    assert_eq!(saved.events.len(), 2);
}

#[test]
fn it_begins_again_with_changes_or_without() {
    let mut desk = Desk::new(HALL);
    let first = desk.app().look.clone();
    desk.type_number("length weight", "2.5");
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.settled();
    for (from, weight, groups) in [(From::Changes, 2.5, 3), (From::FirstModel, 1.0, 3), (From::Opened, 1.0, 2)] {
        desk.app_mut().begin_again(from);
        let saved = desk.saved();
        assert_eq!((saved.model.length_weight, saved.groups.len()), (weight, groups), "{from:?}");
        assert_eq!(desk.steps(), 0);
    }
    assert_eq!(desk.app().look, first, "how it looks is no change of the scene");
    desk.click("Reset to…");
    for from in From::ALL {
        assert!(desk.shows(from.words()), "{from:?} is in the menu");
    }
    // Esc closes the menu, and nothing behind it.
    desk.app_mut().chosen = Some(1);
    desk.press(Key::Escape);
    assert!(From::ALL.iter().all(|from| !desk.shows(from.words())), "the menu is closed");
    assert_eq!(desk.app().chosen, Some(1));
    desk.press(Key::Escape);
    assert_eq!(desk.app().chosen, None);
}

/// Who is where, as the picture has it.
fn people(desk: &mut Desk) -> Vec<u8> {
    desk.settled();
    let shot = desk.app().shot.as_ref().expect("the run has begun");
    let columns = shot.columns.as_ref().expect("the CPU's crowd comes with it");
    bytemuck::cast_slice::<_, u8>(&columns.motion).to_vec()
}

#[test]
fn one_can_go_on_to_a_moment_and_back_and_it_is_the_same_run() {
    let mut desk = Desk::new(HALL);
    let at = |desk: &mut Desk, time: f64| {
        desk.app_mut().go_to(time);
        desk.until("it is there", |app| {
            !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03)
        });
    };
    at(&mut desk, 3.0);
    let three = people(&mut desk);
    // Snapshots are kept every two seconds of the run, but not twice in half a second.
    std::thread::sleep(Duration::from_millis(600));
    at(&mut desk, 6.0);
    let six = people(&mut desk);
    assert!(three != six);
    for _ in 0..2 {
        at(&mut desk, 3.0);
        assert!(people(&mut desk) == three, "back at 3 s");
        at(&mut desk, 6.0);
        assert!(people(&mut desk) == six, "on to 6 s");
    }
    assert_eq!(desk.says("gone back to 3.0 s"), 2);
    // Whoever pauses stays there.
    desk.app_mut().go_to(1e5);
    desk.until("it runs", |app| app.shot.as_ref().is_some_and(|s| s.time > 6.5));
    desk.press(Key::Space);
    desk.settled();
    assert!(!desk.app().running && desk.app().run_to.is_none());
    desk.type_number("go to", "4");
    desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - 4.0).abs() < 0.03));
}

#[test]
fn going_back_takes_changes_back_that_came_later() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().go_to(1.0);
    desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.time > 0.9));
    desk.type_number("length weight", "2.5");
    assert_eq!(desk.saved().model.length_weight, 2.5);
    desk.app_mut().go_to(0.0);
    desk.until("it is back", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.steps == 0));
    assert_eq!(desk.saved().model.length_weight, 1.0);
    let shown = desk.number_at("length weight");
    assert!(desk.nodes().iter().any(|n| n.rect.contains(shown) && n.text == "1.0 per m"), "and the panel says so");
}

#[test]
fn the_panel_of_groups_says_where_everybody_is() {
    let mut desk = Desk::new(HALL);
    assert!(desk.shows("20 on the floor, 0 outside, 0 gone") && desk.shows("10 on the floor, 0 outside, 0 gone"));
    desk.app_mut().unbounded = true;
    desk.press(Key::Space);
    desk.until("everybody is out", |app| !app.running);
    desk.frames(2);
    assert!(desk.shows("0 on the floor, 0 outside, 20 gone") && desk.shows("0 on the floor, 0 outside, 10 gone"));
}

#[test]
fn agents_fade_while_a_field_is_shown() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().look.agents = 0.9;
    desk.press(Key::Num2);
    assert!(desk.app().look.agents < 0.4);
    desk.press(Key::Num3);
    assert!(desk.app().look.agents < 0.4, "also from one field to the next");
    desk.press(Key::Num0);
    assert_eq!(desk.app().look.agents, 0.9);
}

#[test]
fn one_can_go_back_beyond_a_drop_and_the_run_is_the_same() {
    let there = r#"arrive = "next", journey = ["east door", "west door"]"#;
    let endless = HALL.replace(r#"journey = ["east door"]"#, there);
    let mut desk = Desk::new(&endless);
    let run_to = |desk: &mut Desk, time: f64| {
        desk.app_mut().go_to(time);
        desk.until("it is there", |app| {
            !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.05)
        });
        desk.settled();
    };
    let places = |desk: &mut Desk| {
        let shot = desk.app().shot.as_ref().expect("the run has begun");
        let columns = shot.columns.clone().expect("a CPU run");
        let mut list: Vec<_> =
            columns.journey.iter().zip(&columns.motion).map(|(j, m)| format!("{j:?} {m:?}")).collect();
        list.sort();
        list
    };
    run_to(&mut desk, 3.0);
    let before = places(&mut desk);
    run_to(&mut desk, 4.0);
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    desk.until("they are there", |app| app.log_lines().any(|l| l.contains("20 people dropped")));
    desk.settled();
    run_to(&mut desk, 8.0);
    assert_eq!(desk.saved().groups.len(), 3);
    run_to(&mut desk, 3.0);
    assert_eq!(desk.saved().groups.len(), 2, "who was dropped later is gone");
    assert!(places(&mut desk) == before, "everybody is where they were, to the bit");
    assert_eq!(desk.says("cannot go back"), 0);
    run_to(&mut desk, 5.0);
    assert_eq!(desk.saved().groups.len(), 2);
}

#[test]
fn going_back_while_the_run_goes_on_ends_at_that_moment() {
    let mut desk = Desk::new(HALL);
    let is_at = |app: &App, time: f64| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03);
    desk.app_mut().go_to(3.0);
    desk.until("it is there", |app| is_at(app, 3.0));
    (desk.app_mut().running, desk.app_mut().unbounded) = (true, true);
    desk.until("it goes on", |app| app.shot.as_ref().is_some_and(|s| s.time > 3.2));
    desk.app_mut().go_to(0.5);
    // The next frame takes its time.
    std::thread::sleep(Duration::from_millis(300));
    desk.until("it is there", |app| is_at(app, 0.5));
}

#[test]
fn going_back_after_a_reset_stays_in_the_run_that_has_begun_again() {
    let mut desk = Desk::new(HALL);
    let is_at = |app: &App, time: f64| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.03);
    desk.app_mut().go_to(3.0);
    desk.until("it is there", |app| is_at(app, 3.0));
    desk.wall_up_corner();
    desk.idle();
    // Both before the run has answered.
    desk.app_mut().begin_again(From::Changes);
    desk.app_mut().go_to(0.5);
    desk.until("it is there", |app| is_at(app, 0.5));
    assert_eq!((desk.says("begun again"), desk.says("cannot go back")), (1, 0));
    assert!(desk.saved().map.painted.contains(&true), "what was changed is there from the beginning");
}

#[test]
fn an_event_at_the_beginning_is_in_the_log_of_every_run() {
    // Slow enough that there is no end before that.
    let mut desk = Desk::new(&SHORT.replace("at = 0.4", "at = 0").replace("count = 6,", "count = 6, speed = 0.02,"));
    let closes = "\"shutter\" closes";
    desk.app_mut().go_to(0.5);
    desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| s.time > 0.4));
    assert_eq!(desk.says(closes), 1);
    // While it goes on: by the next picture it is beyond that.
    (desk.app_mut().running, desk.app_mut().unbounded) = (true, true);
    desk.until("it goes on", |app| app.shot.as_ref().is_some_and(|s| s.time > 0.6));
    desk.app_mut().begin_again(From::Changes);
    std::thread::sleep(Duration::from_millis(200));
    desk.until("it is said again", |app| app.log_lines().filter(|l| l.contains(closes)).count() == 2);
}

#[test]
fn what_cannot_be_done_does_not_stop_a_run_that_is_well() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().running = true;
    desk.app_mut().drop_people(Vec2::new(9.5, 6.0));
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("nobody was dropped")));
    assert!(desk.app().running);
    let steps = desk.steps();
    desk.until("it goes on", |app| app.shot.as_ref().is_some_and(|s| s.steps > steps));
}

#[test]
fn a_click_on_the_line_of_time_goes_there() {
    let mut desk = Desk::new(HALL);
    let line = |desk: &Desk| desk.nodes().into_iter().find(|n| n.text == "line of time").expect("it is shown").rect;
    // It goes to 20 s as long as nothing is known of any later.
    for (share, time) in [(0.25, 5.0), (0.05, 1.0)] {
        let rect = line(&desk);
        desk.click_at(pos2(rect.left() + share * rect.width(), rect.center().y));
        desk.until("it is there", |app| !app.running && app.shot.as_ref().is_some_and(|s| (s.time - time).abs() < 0.1));
    }
    assert_eq!(desk.says("gone back to"), 1);
}

#[test]
fn a_moment_that_is_only_being_typed_is_not_gone_to_by_saving() {
    let mut desk = Desk::new(HALL);
    let at = desk.number_at("go to");
    desk.write_number_at(at, "5");
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.until("it was saved", |app| app.log_lines().any(|l| l.contains("saved ")));
    desk.frames(5);
    assert!(!desk.app().running && desk.app().run_to.is_none() && desk.steps() == 0);
}
