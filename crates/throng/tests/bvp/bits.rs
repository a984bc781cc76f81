//! The same bits, on any number of threads and after a pause; and the same crowd on both engines.

use super::engines::bits;
use super::scene;
use throng::Scene;

/// Two crowds that change rooms through a door, with manners of all kinds.
fn two_rooms(plan: &str, count: u32) -> Scene {
    let mut text = format!(
        "size = [16, 8]\ncell = 0.5\nseed = 1\n[model]\nplan = \"{plan}\"\nsteer = \"bvp\"\n[model.bvp]\nside = 16\nepsilon = -0.5\nspread = 0.4\n\
         [map]\nwalls = [{{ rect = [7.9, 0, 8.1, 3] }}, {{ rect = [7.9, 5, 8.1, 8] }}]\n"
    );
    for (k, goal, start) in [(0, "15, 0, 16, 8", "1.5, 1, 7, 7"), (1, "0, 0, 1, 8", "9, 1, 14.5, 7")] {
        let manner = [
            "",
            "bvp = { side = 11, epsilon = -0.9, frame = \"way\", behaviour = \"swinging\", company = 3, table = [[0, 0], [1, 2], [3, -1]] }\n",
        ][k];
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = {count}\nstart = {{ rect = [{start}] }}\n\
             radius = {{ uniform = [0.15, 0.25] }}\njourney = [\"g{k}\"]\n{manner}"
        );
    }
    scene(&text)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    bits::any_number_of_threads(&two_rooms("harmonic", 40), 150, "bvp");
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    for plan in ["harmonic", "continuum"] {
        bits::paused(&two_rooms(plan, 12), &[61], 20, plan);
    }
}

#[test]
fn engines_begin_alike() {
    // Whether somebody's body covers a cell of another's map is a matter of the last bit now and then.
    bits::engines_begin_alike(&two_rooms("harmonic", 20), 15, 0.02, 4, "bvp");
}

#[test]
fn a_scene_is_written_as_it_was_read() {
    let first = two_rooms("harmonic", 5);
    let again = scene(&first.to_toml());
    assert_eq!(first.groups[1].manner, again.groups[1].manner);
    assert_eq!(first.model, again.model);
    assert!(first.groups[0].manner.is_none() && again.groups[0].manner.is_none());
}
