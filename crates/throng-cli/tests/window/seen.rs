//! What a person sees who looks at the window, types and clicks.

use super::*;

#[test]
fn a_run_is_shown_pauses_goes_on_and_ends_with_the_window() {
    let mut show = office(&[]);
    let first = show.picture();
    show.until("people walk", |now| changed(&first, now) > 0.01);
    show.press(SPACE);
    let paused = show.still();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(changed(&paused, &show.picture()), 0.0, "nobody walks in a pause");
    show.press(PERIOD);
    show.until("a step is done", |now| changed(&paused, now) > 0.001);
    let stepped = show.still();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(changed(&stepped, &show.picture()), 0.0, "a single step is a single one");
    show.press(SPACE);
    show.until("people walk again", |now| changed(&stepped, now) > 0.01);
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn number_keys_lay_fields_over_the_floor() {
    let mut show = office(&["--paused"]);
    show.press(H);
    // Fields are those of the last step done.
    show.press(PERIOD);
    let plain = show.still();
    assert!(of_a_field(&plain) < 0.01, "{}", of_a_field(&plain));
    show.press(u32::from(b'2'));
    // The rest are walls, and agents over it.
    show.until("the density is shown", |now| of_a_field(now) > 0.3);
    show.press(u32::from(b'7'));
    show.until("directions are shown", |now| of_a_field(now) < 0.05 && changed(&plain, now) > 0.3);
    show.press(u32::from(b'0'));
    show.until("no field is shown", |now| changed(&plain, now) <= 0.0);
    show.press(u32::from(b'c'));
    show.until("another colour of people is shown", |now| changed(&plain, now) > 0.005);
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn the_wheel_zooms_and_the_right_button_pans() {
    let mut show = office(&["--paused"]);
    show.press(H);
    show.press(u32::from(b'f'));
    show.until("the world fits the window", |now| world(now)[1] - world(now)[0] > 500);
    let all = show.still();
    let [west, east] = world(&all);
    assert!(east - west > 200, "the world is in the picture: {west} to {east}");
    let centre = show.at(50, 60);
    show.point(centre);
    for _ in 0..4 {
        show.button(WHEEL_DOWN, true);
        show.button(WHEEL_DOWN, false);
    }
    let mut width = 0;
    show.until("the world is smaller", |now| {
        let [a, b] = world(now);
        width = b - a;
        width < (east - west) * 9 / 10
    });
    let small = show.still();
    let [a, b] = world(&small);
    // Zooming is about the pointer, and that is in the middle. A pixel for each end.
    assert!((a + b - west - east).abs() <= 4, "{west} to {east} became {a} to {b}");

    // Where the mouse counts as dragging is egui's to say, and on a slow machine a frame late; from there on the world
    // goes with it.
    let mut x = centre[0];
    show.point(centre);
    show.button(RIGHT, true);
    show.until_after("the world begins to move", |show| {
        x += 3;
        show.point([x, centre[1]]);
        world(&show.picture())[0] > a
    });
    let [c, _] = world(&show.still());
    show.point([x + 80, centre[1]]);
    show.until("the world moves on", |now| world(now)[0] > c);
    let [d, e] = world(&show.still());
    show.button(RIGHT, false);
    // A pixel for each end.
    assert!((d - c - 80).abs() <= 2 && (e - d - b + a).abs() <= 2, "{a} to {b} became {c} to …, then {d} to {e}");

    for _ in 0..12 {
        show.button(WHEEL_UP, true);
        show.button(WHEEL_UP, false);
    }
    show.until("the world is larger than it was", |now| {
        let [a, b] = world(now);
        b - a > (east - west) * 11 / 10
    });
    // The wheel runs out smoothly.
    show.still();
    show.press(u32::from(b'f'));
    show.until("all of the world is shown again", |now| world(now) == [west, east] && changed(&all, now) <= 0.0);
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn walls_can_be_painted_and_taken_back() {
    let mut show = Show::open(&["empty", "--paused", "--size", "1280x720"]);
    let before = show.still();
    assert_eq!(walls(&before), 0, "an empty floor");
    // Tools stand side by side: Select, Discomfort, Walls.
    for tool in ["discomfort", "walls"] {
        let last = selected_tool(&show.picture()).expect("a tool is selected");
        show.point([last[0] + 30, last[1]]);
        show.button(LEFT, true);
        show.button(LEFT, false);
        show.until(&format!("the tool for {tool} is selected"), |now| {
            selected_tool(now).is_some_and(|place| place[0] > last[0] + 20)
        });
    }
    let (from, to) = (show.at(40, 46), show.at(54, 62));
    show.point(from);
    show.button(LEFT, true);
    show.until("the stroke begins", |now| walls(now) > 0);
    show.point(show.at(47, 54));
    show.point(to);
    show.still();
    show.button(LEFT, false);
    // Away from the map, where no ring shows the brush.
    show.point(show.at(50, 5));
    let painted = show.still();
    // Along the whole way, and nowhere else.
    let on_the_way = |k: i16| [0, 1].map(|i| from[i] + (to[i] - from[i]) * k / 10);
    for k in 0..=10 {
        let [x, y] = on_the_way(k);
        let p = painted.get_pixel(x as u32, y as u32);
        assert!(near(p, colour::WALL), "{p:?} at {x}, {y}: {}", kept("stroke", &painted));
    }
    let [x, y] = show.at(54, 46);
    assert!(near(painted.get_pixel(x as u32, y as u32), colour::FLOOR));
    show.press_with_control(Z);
    show.until("the stroke is gone", |now| walls(now) == 0 && changed(&before, now) <= 0.0);
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn a_click_chooses_somebody_and_escape_lets_go() {
    let mut show = office(&["--paused"]);
    let before = show.still();
    let orange = colour::kind(0);
    let (w, h) = before.dimensions();
    let in_the_map = |&(x, y): &(u32, u32)| near(before.get_pixel(x, y), orange);
    let mut places = (h * 45 / 100..h * 66 / 100).flat_map(|y| (w * 32 / 100..w * 68 / 100).map(move |x| (x, y)));
    let (x, y) = places.find(in_the_map).expect("somebody is in the middle of the office");
    show.point([x as i16, y as i16]);
    show.button(LEFT, true);
    show.button(LEFT, false);
    let ring = |now: &RgbaImage| middle(now).pixels().filter(|p| near(p, colour::CHOSEN)).count();
    assert_eq!(ring(&before), 0);
    show.until("a ring is around them", |now| ring(now) > 15);
    // The first closes what the window says of drawing without a GPU.
    show.press(ESCAPE);
    show.press(ESCAPE);
    show.until("nobody is chosen", |now| ring(now) == 0);
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn the_gpu_engine_is_drawn_from_its_own_buffers() {
    let mut show = Show::open(&["bottleneck", "--set", "cell=0.25", "--device", "llvmpipe", "--size", "800x500"]);
    show.press(H);
    let first = show.picture();
    show.until("people walk", |now| changed(&first, now) > 0.01);
    show.press(u32::from(b'6'));
    show.until("the potential is shown", |now| of_a_field(now) > 0.3);
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn the_window_can_be_resized() {
    let mut show = office(&["--paused"]);
    show.press(H);
    show.still();
    let size = x11rb::protocol::xproto::ConfigureWindowAux::new().width(640).height(420);
    show.connection.configure_window(show.window, &size).expect("sent").check().expect("taken");
    show.place[2..].copy_from_slice(&[640, 420]);
    show.press(u32::from(b'f'));
    let fitted = show.until("the world fits the smaller window", |now| {
        let [a, b] = world(now);
        a > 0 && b < 639 && b - a > 200
    });
    let [a, b] = world(&fitted);
    assert!((a + b - 639).abs() <= 2, "in the middle: {a} to {b}");
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn without_a_screen_it_says_what_is_missing_and_what_works_instead() {
    let args = ["view", "office"];
    let mut command = program(&args);
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    let text = complaint_of(&args, command.output().expect("the program starts"), 1);
    assert!(text.contains("DISPLAY") && text.contains("throng render"), "{text}");
    assert!(!text.contains(".rs") && !text.contains(".."), "in the words of a person: {text}");
}

#[test]
fn a_screen_that_is_not_there_is_no_reason_to_panic() {
    let args = ["view", "office"];
    let mut command = program(&args);
    command.env("DISPLAY", ":65000").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    let text = complaint_of(&args, command.output().expect("the program starts"), 1);
    assert!(text.contains("throng render"), "{text}");
}

#[test]
fn a_device_that_is_not_there_is_answered_with_those_that_are() {
    let screen = Screen::new();
    let cases: [(&[&str], &[&str]); 2] = [
        (&["view", "office", "--device", "nosuch"], &["nosuch", "llvmpipe"]),
        (&["view", "office", "--engine", "gpu"], &["--engine gpu", "--device llvmpipe"]),
    ];
    for (args, words) in cases {
        let mut command = program(args);
        command.env("DISPLAY", &screen.name).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let text = complaint_of(args, command.output().expect("the program starts"), 1);
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
}

#[test]
fn what_cannot_run_is_said_before_a_window_opens() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "broken.toml");
    std::fs::write(&file, "size = [4, 4]\ngoal = 7\n").expect("a file");
    let args = ["view", &file];
    let text = complaint_of(&args, program(&args).env_remove("DISPLAY").output().expect("the program starts"), 2);
    assert!(text.contains("goal") && text.contains("broken.toml"), "{text}");
}

#[test]
fn names_in_letters_that_no_font_has_are_shown_somehow() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "names.toml");
    let text = "name = \"会場 \\u200B\\uE000\"\nsize = [20, 12]\n[map]\nwalls = [{ rect = [9, 0, 10, 5], name = \"𐍈 दरवाज़ा\" }]\n\
                [[goal]]\nname = \"出口 \\U0010FFFD\"\nrect = [18, 4, 20, 8]\n[[agents]]\nname = \"ضيوف\"\ncount = 5\n\
                start = { rect = [2, 2, 6, 10] }\n";
    std::fs::write(&file, text).expect("a file");
    let mut show = Show::open(&[&file, "--size", "900x600"]);
    let first = show.picture();
    show.until("people walk", |now| changed(&first, now) > 0.0);
    // The names of groups, goals and doors are in panels, in the legend and over the map.
    show.press(u32::from(b'c'));
    show.press(u32::from(b'6'));
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(show.close().code(), Some(0));
}

#[test]
fn v_shows_the_world_in_three_dimensions_and_the_pointer_turns_it() {
    let mut show = office(&["--paused"]);
    show.press(H);
    let above = show.still();
    show.press(u32::from(b'v'));
    show.until("it is shown in three dimensions", |now| changed(&above, now) > 0.9);
    let first = show.still();
    assert!(colours(&middle(&first)) > 200, "light has many shades: {}", colours(&middle(&first)));
    show.press(u32::from(b'j'));
    show.until("levels of detail have colours", |now| changed(&first, now) > 0.005);
    let levels = show.still();
    show.press(u32::from(b'j'));
    show.until("shadow maps have colours", |now| changed(&levels, now) > 0.5);
    show.press(u32::from(b'j'));
    show.until("it is as before", |now| changed(&first, now) <= 0.0);
    let centre = show.at(50, 60);
    show.point(centre);
    show.button(WHEEL_UP, true);
    show.button(WHEEL_UP, false);
    show.until("it is nearer", |now| changed(&first, now) > 0.3);
    // A wheel runs out slowly, and must not move the picture from above.
    show.still();
    show.press(u32::from(b'v'));
    show.until("it is shown from above again", |now| changed(&above, now) <= 0.0);
    assert_eq!(show.close().code(), Some(0));
}
