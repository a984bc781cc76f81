//! Reference pictures in three dimensions.

use super::*;
use throng_view::space::viewpoint::{Eye, Fly, Viewpoint};
use throng_view::space::{Settings, Tint};

fn from_to(from: [f32; 3], to: [f32; 3]) -> Settings {
    let eye = Eye { position: from.into(), target: to.into() };
    Settings { viewpoint: Some(Viewpoint::Fly(Fly::from(&eye))), ..Settings::default() }
}

fn shown(look: Look, settings: Settings) -> Shooting {
    Shooting { size: [320, 180], ..plain(Look { space: Some(settings), ..look }, Aim::Fit) }
}

#[test]
fn froblins_walk_over_their_hills_before_gas_and_a_ghost() {
    let mut set = Set::new(&built_in("froblins")).after(260);
    let mut album = Album::default();
    album.check("space-froblins", &set.shoot(&shown(Look::default(), Settings::default())));
    album.check("space-gas", &set.shoot(&shown(Look::default(), from_to([16.0, 80.0, 6.0], [27.0, 88.0, 1.0]))));
    album.check("space-gold", &set.shoot(&shown(Look::default(), from_to([122.0, 43.0, 3.0], [126.0, 54.0, 0.6]))));
    album.finish();
}

#[test]
fn walls_stand_on_the_floor_and_a_field_lies_on_it() {
    let mut set = Set::new(&built_in("office")).after(60);
    let mut album = Album::default();
    let density = Look { agents: 0.0, ..field(Overlay::Density) };
    album.check("space-office", &set.shoot(&shown(density, from_to([30.0, -8.0, 16.0], [34.0, 14.0, 0.0]))));
    let lettered = shown(field(Overlay::Density), Settings::default());
    album.check("space-letters", &set.shoot(&Shooting { size: [640, 360], caption: true, ..lettered }));
    album.finish();
}

/// The yard from the middle of its southern side, near and far people in one picture.
fn over_the_yard() -> Settings {
    from_to([6.5, -4.0, 3.4], [8.0, 5.0, 0.2])
}

#[test]
fn colours_tell_levels_of_detail_and_shadow_maps() {
    let mut set = Set::new(&scene(YARD)).after(25);
    let mut album = Album::default();
    for tint in [Tint::Detail, Tint::Cascade] {
        let settings = Settings { tint, ..over_the_yard() };
        album.check(&format!("space-{}", tint.name()), &set.shoot(&shown(Look::default(), settings)));
    }
    album.finish();
}

/// Somebody alone behind a few others, all on their way through a gap.
const LANE: &str = r#"
name = "lane"
cell = 0.5
size = [24, 8]
map = { walls = [{ rect = [14, 0, 14.5, 2.5] }, { rect = [14, 5.5, 14.5, 8] }] }
goal = [{ name = "end", rect = [23, 0, 24, 8] }]
agents = [
  { name = "last", count = 1, start = { rect = [3.5, 3.8, 4.5, 4.2] }, speed = 1, journey = ["end"] },
  { name = "first", count = 7, start = { rect = [6, 2, 11, 6] }, speed = 1, journey = ["end"] },
]
"#;

#[test]
fn the_camera_follows_close_behind_somebody() {
    let mut set = Set::new(&scene(LANE)).after(25);
    let mut album = Album::default();
    let follow = Shooting { aim: Aim::Follow(0, 40.0), ..shown(Look::default(), Settings::default()) };
    album.check("space-follow", &set.shoot(&follow));
    album.finish();
}

#[test]
fn both_engines_are_drawn_from_their_own_columns_as_the_same_crowd() {
    // States, heights, hazards and a ghost; one step, in which the engines differ by no more than roundings.
    let froblins = built_in("froblins");
    let near = from_to([16.0, 80.0, 6.0], [27.0, 88.0, 1.0]);
    for settings in [Settings::default(), near] {
        let shooting = shown(Look::default(), settings);
        let [on_cpu, on_gpu] = [Set::new(&froblins), Set::on_gpu(&froblins)].map(|set| set.after(1).shoot(&shooting));
        let d = difference(&on_cpu, &on_gpu);
        if !d.is_slight() {
            let files = kept("engines", &[("cpu", &on_cpu), ("gpu", &on_gpu), ("difference", &d.picture)]);
            panic!("the engines are drawn unlike each other: {files}");
        }
    }
}
