//! Saving: by a key, with an answer, not over what is there already, and in the words of who wrote the scene.

use super::*;

/// As somebody writes it: comments, an order of its own, defaults left out, both forms of lists.
const WRITTEN: &str = r#"# A hall for two hundred guests.
name = "hall"      # as on the plan
size = [20, 12]
cell = 0.5

# People first, since they matter most.
[[agents]]
name = "guests"
count = 20         # counted at noon
start = { rect = [2, 4, 8, 10] }
journey = ["east door"]

[[agents]]
name = "staff"
count = 10
start = { rect = [12, 2, 18, 10] }
speed = 1.2        # slow: they carry things
journey = ["west door"]

[[goal]]
name = "east door" # the wide one
rect = [19, 4, 20, 8]

[[goal]]
name = "west door"
rect = [0, 4, 1, 8]

[map]
# Measured on site.
walls = [{ rect = [9, 3, 10, 9] }]
"#;

fn text(desk: &Desk) -> String {
    std::fs::read_to_string(desk.folder.path().join("saved.toml")).expect("it was saved")
}

#[test]
fn a_scene_that_was_not_changed_is_saved_letter_by_letter() {
    let mut desk = Desk::new(WRITTEN);
    desk.settled();
    assert_eq!(text(&desk), WRITTEN);
    assert_eq!(desk.says("comments and order"), 1);
}

#[test]
fn only_what_was_changed_is_changed_in_the_text() {
    let mut desk = Desk::new(WRITTEN);
    desk.type_number("length weight", "2.5");
    desk.settled();
    assert_eq!(text(&desk), format!("{WRITTEN}\n[model]\nlength_weight = 2.5\n"));
    let part = desk.app().goal_at(Vec2::new(19.5, 6.0)).expect("a goal is there");
    desk.app_mut().move_goal(&part, Vec2::new(-2.0, 1.0));
    desk.settled();
    let moved = WRITTEN.replace("rect = [19, 4, 20, 8]", "rect = [17, 5, 18, 9]");
    assert_eq!(text(&desk), format!("{moved}\n[model]\nlength_weight = 2.5\n"));
    // Both changes taken back: as it was.
    desk.undo_key();
    desk.undo_key();
    desk.settled();
    assert_eq!(text(&desk).replace("\n[model]\n", ""), WRITTEN);
}

#[test]
fn who_was_dropped_and_what_was_painted_is_added_to_the_text() {
    let mut desk = Desk::new(WRITTEN);
    desk.app_mut().tool = Tool::Walls;
    desk.app_mut().stroke_to(Vec2::new(3.0, 11.0), false);
    desk.app_mut().end_stroke();
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    let saved = desk.saved();
    assert_eq!((saved.groups.len(), saved.map.painted.iter().filter(|p| **p).count() > 3), (3, true));
    let text = text(&desk);
    for line in [
        "# A hall for two hundred guests.",
        "count = 20         # counted at noon",
        "# Measured on site.",
        "speed = 1.2        # slow",
    ] {
        assert!(text.contains(line), "{line} is kept:\n{text}");
    }
    assert_eq!(text.matches("[[agents]]").count(), 3, "{text}");
    // Of a group that was made here only what is not as it is without saying.
    let dropped = &text[text.find("name = \"dropped 1\"").expect("it is there")..];
    let dropped: Vec<&str> =
        dropped.lines().take_while(|l| l.contains('=')).map(|l| l.split(" =").next().unwrap_or(l)).collect();
    assert_eq!(dropped, ["name", "count", "start", "journey"], "{text}");
    assert!(text.contains("image = \"saved-map.png\""), "{text}");
}

#[test]
fn a_scene_in_lists_of_one_line_is_kept_as_well() {
    let mut desk = Desk::new(HALL);
    desk.app_mut().drop_people(Vec2::new(14.0, 11.0));
    assert_eq!(desk.saved().groups.len(), 3);
    assert!(text(&desk).contains("map = { walls = [{ rect = [9, 3, 10, 9] }], discomfort"), "{}", text(&desk));
}

#[test]
fn control_and_s_saves_and_says_so() {
    let mut desk = Desk::with(WRITTEN, [1280.0, 720.0], |_| {});
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.until("it was saved", |app| app.log_lines().any(|l| l.contains("saved ")));
    desk.frames(2);
    assert!(desk.folder.path().join("saved.toml").exists());
    let view = desk.app().view;
    let said = |n: &Shown| n.text.starts_with("Saved ") && n.text.ends_with("saved.toml") && view.contains_rect(n.rect);
    assert!(desk.nodes().iter().any(said), "it is said where one looks");
    assert!(!desk.app().running && desk.steps() == 0, "S alone would be a step");
}

#[test]
fn files_beside_the_scene_are_not_replaced_without_asking_either() {
    let mut desk = Desk::new(WRITTEN);
    std::fs::write(desk.folder.path().join("saved-map.png"), "somebody else's").expect("written");
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.frames(3);
    assert!(desk.nodes().iter().any(|n| n.text.contains("There is a file") && n.text.contains("saved-map.png")));
    desk.click("Keep it");
    assert!(!desk.folder.path().join("saved.toml").exists());
    // Files whose names only begin alike are nobody's business.
    std::fs::rename(desk.folder.path().join("saved-map.png"), desk.folder.path().join("saved-by-me.png"))
        .expect("renamed");
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.until("it was saved", |app| app.log_lines().any(|l| l.contains("saved ")));
}

#[test]
fn a_file_that_is_there_is_not_replaced_without_asking() {
    let mut desk = Desk::new(WRITTEN);
    let file = desk.folder.path().join("saved.toml");
    std::fs::write(&file, "somebody else's").expect("written");
    let asked = |desk: &Desk| desk.nodes().iter().any(|n| n.text.contains("There is a file"));
    for (answer, kept) in [("Keep it", true), ("Replace", false)] {
        desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
        desk.frames(3);
        assert!(asked(&desk), "it asks");
        assert_eq!(std::fs::read_to_string(&file).expect("still there"), "somebody else's");
        desk.click(answer);
        assert!(!asked(&desk));
        if !kept {
            desk.until("it was saved", |app| app.log_lines().any(|l| l.contains("saved ")));
        }
        assert_eq!(std::fs::read_to_string(&file).expect("still there") == "somebody else's", kept, "{answer}");
    }
    // What was saved here is replaced without a question.
    desk.harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    desk.frames(3);
    assert!(!asked(&desk));
    desk.until("it was saved again", |app| app.log_lines().filter(|l| l.contains("saved ")).count() == 2);
}

#[test]
fn shapes_of_discomfort_are_saved_as_they_were_once_what_was_painted_over_them_is_undone() {
    let written = WRITTEN.replace("[map]", "[map]\ndiscomfort = [{ rect = [4, 1, 7, 3], value = 0.4 }] # slippery");
    let mut desk = Desk::new(&written);
    for x in [5.0, 14.0] {
        desk.app_mut().tool = Tool::Discomfort;
        desk.app_mut().stroke_to(Vec2::new(x, 2.0), false);
        desk.app_mut().end_stroke();
    }
    desk.settled();
    assert!(text(&desk).contains("saved-map.png"));
    desk.undo_key();
    desk.undo_key();
    desk.settled();
    assert_eq!(text(&desk), written);
}

#[test]
fn a_save_that_fails_leaves_no_files_behind() {
    let mut desk = Desk::new(HALL);
    std::fs::create_dir(desk.folder.path().join("saved.toml")).expect("a folder");
    desk.wall_up_corner();
    desk.idle();
    desk.app_mut().save();
    desk.idle();
    desk.click("Replace");
    desk.until("it says why not", |app| app.log_lines().any(|l| l.contains("cannot save")));
    let left: Vec<_> =
        std::fs::read_dir(desk.folder.path()).expect("it is there").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["saved.toml"]);
}
