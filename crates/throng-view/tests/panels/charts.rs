//! What the panel at the bottom shows is all there, at the size that the window opens with.

use super::*;
use throng::stages::NAMES;

#[test]
fn no_row_is_cut_off_at_the_size_that_the_window_opens_with() {
    let size = [1280.0, 720.0];
    let mut desk = Desk::with(HALL, size, |start| start.running = true);
    desk.until("stages were timed", |app| app.shot.as_ref().is_some_and(|s| s.steps > 20));
    desk.app_mut().tab = Tab::Stages;
    desk.frames(4);
    // Others are called so too, elsewhere.
    let (nodes, top) = (desk.nodes(), desk.app().view.bottom());
    let listed = |n: &Shown| n.role == Role::Label && n.rect.top() > top && n.rect.left() < 450.0;
    for name in NAMES.iter().chain(["step"].iter()) {
        let lowest = nodes.iter().filter(|n| listed(n) && n.text == *name).map(|n| n.rect.bottom());
        let lowest = lowest.fold(f32::NEG_INFINITY, f32::max);
        assert!(lowest.is_finite(), "{name} is not listed");
        assert!(lowest <= size[1], "{name} ends at {lowest}");
    }
}
