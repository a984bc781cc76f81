//! The same bits, on any number of threads and after a pause.

use super::engines::bits;
use super::{STEERINGS, head, scene};
use throng::Scene;

/// Two crowds that change rooms through a door of 1.5 m.
fn two_rooms(steer: &str, count: u32) -> Scene {
    let mut text = head([16.0, 8.0], steer);
    text += "[map]\nwalls = [{ rect = [7.9, 0, 8.1, 3.25] }, { rect = [7.9, 4.75, 8.1, 8] }]\n";
    for (k, goal, start) in [(0, "15, 0, 16, 8", "1.5, 1, 7, 7"), (1, "0, 0, 1, 8", "9, 1, 14.5, 7")] {
        text += &format!(
            "[[goal]]\nname = \"g{k}\"\nrect = [{goal}]\n[[agents]]\ncount = {count}\nstart = {{ rect = [{start}] }}\n\
             radius = {{ uniform = [0.15, 0.25] }}\njourney = [\"g{k}\"]\n"
        );
    }
    scene(&text)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for steer in STEERINGS {
        bits::any_number_of_threads(&two_rooms(steer, 60), 400, steer);
    }
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    for steer in STEERINGS {
        // After an odd and after an even number of steps: tempers are kept twice.
        bits::paused(&two_rooms(steer, 20), &[151, 200], 40, steer);
    }
}

#[test]
fn engines_begin_alike() {
    for steer in STEERINGS {
        // Where two directions are equally good the last bit chooses: a few go another way.
        bits::engines_begin_alike(&two_rooms(steer, 20), 20, 0.02, 4, steer);
    }
}
