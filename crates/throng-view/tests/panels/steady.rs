//! What one aims at stays where it is: numbers that grow, words that change and somebody who is chosen move nothing.

use super::*;

/// Where everything is that can be clicked, but for those of the chosen agent.
fn places(desk: &Desk) -> Vec<(String, Rect)> {
    let view = desk.app().view;
    let acts = |n: &Shown| n.role == Role::Button && n.rect.bottom() <= view.top();
    // The words of these two change: their places do not.
    let name = |n: &Shown| match n.name.as_str() {
        "Run" | "Pause" => "Run or Pause".to_owned(),
        "Step" | "Round" => "Step or Round".to_owned(),
        other => other.to_owned(),
    };
    desk.nodes().iter().filter(|n| acts(n)).map(|n| (name(n), n.rect)).collect()
}

fn someone() -> Readout {
    let agent = walker(Vec2::new(1234.56, 4321.98), Vec2::new(-10.6, -10.8));
    Readout { chosen: Some((agent, 1234.5)), ..Readout::default() }
}

#[test]
fn nothing_moves_when_time_passes_somebody_is_chosen_or_a_colour_changes() {
    for size in [[1280.0, 720.0], [900.0, 600.0]] {
        let mut desk = Desk::with(HALL, size, |_| {});
        desk.frames(3);
        let (before, view) = (places(&desk), desk.app().view);
        let check = |desk: &mut Desk, what: &str| {
            desk.frames(3);
            assert_eq!(desk.app().view, view, "{size:?}, {what}: the map keeps its place");
            assert_eq!(places(desk), before, "{size:?}, {what}: buttons keep their places");
        };
        desk.press(Key::Space);
        check(&mut desk, "while it runs");
        desk.press(Key::Space);
        let shot = desk.app_mut().shot.as_mut().expect("the run has begun");
        (shot.time, shot.steps) = (36_123.4, 903_085);
        check(&mut desk, "after ten hours");
        desk.app_mut().by_rounds = true;
        check(&mut desk, "round by round");
        desk.app_mut().chosen = Some(7);
        desk.app_mut().readout = someone();
        check(&mut desk, "with somebody chosen");
        desk.app_mut().chosen = None;
        for colouring in Colouring::ALL {
            desk.app_mut().look.colouring = colouring;
            check(&mut desk, colouring.name());
        }
        for overlay in Overlay::ALL {
            desk.app_mut().show_overlay(Some(overlay));
            check(&mut desk, overlay.name());
        }
        for tool in Tool::ALL {
            desk.app_mut().tool = tool;
            check(&mut desk, tool.name());
        }
    }
}

#[test]
fn legend_scale_and_pointer_are_beside_the_map_with_panels_and_without() {
    let mut desk = Desk::with(HALL, [1280.0, 720.0], |_| {});
    for panels in [true, false] {
        desk.app_mut().panels = panels;
        desk.app_mut().show_overlay(Some(Overlay::Density));
        desk.frames(2);
        desk.press(Key::F);
        let at = desk.at(5.2, 5.2);
        desk.harness.hover_at(at);
        desk.frames(3);
        let view = desk.app().view;
        for words in ["agents by goal", "persons/m²", "m   cell 10, 10"] {
            let nodes = desk.nodes();
            let found = nodes.iter().find(|n| n.role == Role::Label && n.text.contains(words) && n.rect.top() > 300.0);
            let found = found.unwrap_or_else(|| panic!("{words} is said, panels {panels}"));
            assert!(!found.rect.intersects(view.shrink(0.5)), "panels {panels}: {found:?} over the map {view:?}");
        }
    }
    assert!(desk.shows("hall    0.0 s    30 on the floor"), "without panels it says what is shown");
}
