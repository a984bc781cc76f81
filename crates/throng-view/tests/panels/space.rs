//! The third dimension: keys, pointer and switches.

use super::*;
use throng_view::camera::Camera;
use throng_view::space::viewpoint::Viewpoint;
use throng_view::space::{Pass, Report, Settings, Skinning, Tint};

impl Desk {
    fn deep(&self) -> Settings {
        self.app().look.space.expect("it is shown in three dimensions")
    }

    fn tick(&mut self, label: &str) {
        self.harness.get_by_role_and_label(Role::CheckBox, label).click();
        self.frames(2);
    }

    /// Holds a key for some frames.
    fn hold(&mut self, key: Key) {
        self.harness.event(key_event(key, true));
        self.frames(4);
        self.harness.event(key_event(key, false));
        self.frames(2);
    }
}

#[test]
fn v_goes_there_and_back_and_choices_stay() {
    let mut desk = Desk::new(HALL);
    assert_eq!(desk.app().look.space, None);
    desk.press(Key::V);
    assert_eq!(desk.deep(), Settings::default());
    desk.press(Key::K);
    desk.press(Key::V);
    assert_eq!(desk.app().look.space, None);
    desk.press(Key::V);
    assert!(!desk.deep().shadows, "as it was left");
}

#[test]
fn keys_switch_each_mechanism() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    desk.press(Key::B);
    assert!(!desk.deep().frustum && !desk.deep().occlusion);
    desk.press(Key::B);
    assert!(desk.deep().frustum && desk.deep().occlusion);
    desk.press(Key::M);
    assert!(desk.deep().wireframe);
    for tint in [Tint::Detail, Tint::Cascade, Tint::None] {
        desk.press(Key::J);
        assert_eq!(desk.deep().tint, tint);
    }
}

#[test]
fn w_flies_ahead_and_does_not_do_what_letters_do_from_above() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    let (arrows, direction, steps) = (desk.app().look.arrows, desk.app().look.direction, desk.steps());
    desk.hold(Key::W);
    let Some(Viewpoint::Fly(first)) = desk.deep().viewpoint else { panic!("{:?}", desk.deep().viewpoint) };
    desk.hold(Key::W);
    let Some(Viewpoint::Fly(then)) = desk.deep().viewpoint else { panic!("{:?}", desk.deep().viewpoint) };
    let ahead = first.eye().target - first.eye().position;
    assert!((then.position - first.position).dot(ahead) > 0.0, "{first:?} {then:?}");
    for key in [Key::A, Key::S, Key::D] {
        desk.hold(key);
    }
    let app = desk.app();
    assert_eq!((app.look.arrows, app.look.direction), (arrows, direction));
    assert_eq!(desk.steps(), steps);
}

#[test]
fn the_pointer_turns_the_world_and_chooses_who_is_under_it() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    let middle = desk.app().view.center();
    desk.drag(&[middle, middle + egui::vec2(60.0, 0.0), middle + egui::vec2(120.0, 10.0)]);
    let Some(Viewpoint::Orbit(orbit)) = desk.deep().viewpoint else { panic!("{:?}", desk.deep().viewpoint) };
    let size = Vec2::new(desk.app().view.width(), desk.app().view.height());
    assert_eq!(desk.app_mut().eye(size), orbit.eye());
    // What is in the middle of the picture is what one turns around.
    desk.harness.hover_at(middle);
    desk.frames(2);
    let shown = desk.nodes().iter().any(|n| n.text.contains("10.0") || n.name.contains("10.0"));
    assert!(shown, "the place under the pointer is told: {orbit:?}");
}

#[test]
fn f_goes_behind_the_chosen_one_and_back() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    desk.press(Key::F);
    assert_eq!(desk.deep().viewpoint, None, "nobody is chosen");
    desk.app_mut().chosen = Some(7);
    desk.press(Key::F);
    assert!(matches!(desk.deep().viewpoint, Some(Viewpoint::Follow(f)) if f.id == 7));
    let walker = walker(Vec2::new(5.0, 6.0), Vec2::new(0.0, 1.0));
    desk.app_mut().readout.chosen = Some((walker, 0.0));
    desk.frames(1);
    let eye = desk.app_mut().eye(Vec2::new(400.0, 300.0));
    assert!(eye.position.y < 6.0 && (eye.position.x - 5.0).abs() < 1e-3, "to the south of who faces north: {eye:?}");
    desk.press(Key::F);
    assert_eq!(desk.deep().viewpoint, None);
}

#[test]
fn another_is_followed_from_where_one_is_until_it_is_known_where_they_are() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    let size = Vec2::new(400.0, 300.0);
    let found = |id: u32, x: f32| {
        let agent = Agent { id, ..walker(Vec2::new(x, 6.0), Vec2::ZERO) };
        Readout { chosen: Some((agent, 0.0)), ..Readout::default() }
    };
    desk.app_mut().chosen = Some(7);
    desk.app_mut().learn(found(7, 5.0));
    desk.frames(1);
    desk.press(Key::F);
    let first = desk.app_mut().eye(size);
    assert_eq!(first.target.x, 5.0);
    desk.app_mut().learn(Readout { clicked: Some(Some(8)), ..found(7, 5.0) });
    desk.frames(2);
    assert_eq!(desk.app_mut().eye(size), first, "nothing else is known yet");
    desk.app_mut().learn(found(8, 7.0));
    desk.frames(1);
    assert_eq!(desk.app_mut().eye(size).target.x, 7.0);
}

/// In three dimensions from the beginning.
fn opened(camera: Option<Camera>, follow: Option<u32>) -> Desk {
    Desk::with(HALL, ROOMY, |start| {
        start.look.space = Some(Settings::default());
        (start.camera, start.follow) = (camera, follow);
    })
}

#[test]
fn a_window_in_three_dimensions_begins_where_it_is_aimed() {
    let size = Vec2::new(400.0, 300.0);
    let camera = Camera { centre: Vec2::new(4.0, 7.0), scale: 50.0 };
    let mut desk = opened(Some(camera), None);
    desk.frames(1);
    let Some(Viewpoint::Orbit(orbit)) = desk.deep().viewpoint else { panic!("{:?}", desk.deep().viewpoint) };
    assert_eq!(orbit.centre.truncate(), camera.centre);
    let mut all = opened(None, None);
    all.frames(1);
    assert_eq!(all.deep().viewpoint, None);
    assert!(all.app_mut().eye(size).target.truncate() != camera.centre);
    // Behind who is followed, and with F all of the world.
    let mut desk = opened(Some(camera), Some(7));
    desk.frames(1);
    assert!(matches!(desk.deep().viewpoint, Some(Viewpoint::Follow(f)) if f.id == 7), "{:?}", desk.deep().viewpoint);
    desk.press(Key::F);
    assert_eq!(desk.deep().viewpoint, None);
    desk.frames(2);
    assert_eq!(desk.deep().viewpoint, None);
}

#[test]
fn who_flies_down_stops_at_the_ground() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    desk.frames(1);
    for _ in 0..60 {
        desk.hold(Key::Q);
    }
    let Some(Viewpoint::Fly(low)) = desk.deep().viewpoint else { panic!("{:?}", desk.deep().viewpoint) };
    assert!((0.0..1.0).contains(&low.position.z), "{low:?}");
    desk.hold(Key::E);
    let Some(Viewpoint::Fly(up)) = desk.deep().viewpoint else { panic!("{:?}", desk.deep().viewpoint) };
    assert!(up.position.z > low.position.z + 0.05, "{up:?} after {low:?}");
}

#[test]
fn the_panel_tells_what_was_drawn() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    let report = Report {
        levels: [3, 4, 5, 6, 0, 0, 0],
        cut: 4,
        casters: [7, 8, 9],
        triangles: 12_345,
        passes_ms: Some([0.25; Pass::ALL.len()]),
        ..Report::default()
    };
    desk.app_mut().learn_space(report);
    desk.frames(2);
    for text in ["12,345 triangles", "3 / 4 / 5 / 6", "7 / 8 / 9", "shadows: 0.25 ms"] {
        assert!(desk.shows(text), "{text}");
    }
}

#[test]
fn levels_of_detail_and_skinning_can_be_switched() {
    let mut desk = Desk::new(HALL);
    desk.press(Key::V);
    desk.frames(2);
    desk.tick("close-ups");
    assert_eq!(desk.deep().finest, 1);
    desk.tick("close-ups");
    assert_eq!(desk.deep().finest, 16);
    desk.tick("shared skinning");
    assert_eq!(desk.deep().skinning, Skinning::Each);
}
