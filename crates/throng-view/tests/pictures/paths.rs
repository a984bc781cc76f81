//! Everybody's way as a ribbon, and the map that somebody steers by.

use super::*;

fn ribbons() -> Look {
    Look { ribbons: 1.0, ..Look::default() }
}

#[test]
fn three_ways_of_walking_are_three_ribbons() {
    // Figure 2 of the boundary-value planner's paper: all three have arrived and are gone.
    let mut set = Set::new(&built_in("paths")).watched(3200);
    assert_eq!(set.sim.counters().arrived, 3);
    let mut album = Album::default();
    let look = Look { body: 2.0, ..ribbons() };
    album.check("ribbons-paths", &set.shoot(&Shooting { size: [480, 320], ..plain(look, Aim::Fit) }));
    album.finish();
}

#[test]
fn ribbons_are_where_people_were() {
    let mut album = Album::default();
    for (name, mut set) in [("cpu", Set::new(&scene(YARD))), ("gpu", Set::on_gpu(&scene(YARD)))] {
        set = set.watched(100);
        // Both engines' look the same: one reference for both.
        album.check("ribbons", &set.at(ribbons(), YARD_VIEW));
        let without = set.at(Look::default(), YARD_VIEW);
        assert!(without != set.at(ribbons(), YARD_VIEW), "{name}: there are no ribbons");
    }
    album.finish();
}

#[test]
fn the_chosen_agents_own_map_is_shown() {
    let text = YARD.replace("model = { steer = \"follow\" }\n", "model = { plan = \"harmonic\", steer = \"bvp\" }\n");
    let mut set = Set::new(&scene(&text)).after(60);
    let mut album = Album::default();
    let near = Shooting { chosen: Some(7), ..plain(Look::default(), Aim::Follow(7, 48.0)) };
    album.check("local-map", &set.shoot(&near));
    let without = Shooting { look: Look { local_map: 0.0, ..Look::default() }, ..near.clone() };
    assert!(set.shoot(&near) != set.shoot(&without));
    album.finish();
}
