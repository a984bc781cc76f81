//! The same bits, on any number of threads and after a pause.

use super::engines::bits;
use super::two_rooms;

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    bits::any_number_of_threads(&two_rooms(60, 1.0, 0.25, "continuum"), 400, "walk");
}

#[test]
fn a_run_that_was_paused_goes_on_with_the_same_bits() {
    // After an odd and after an even number of steps: minds are kept twice.
    bits::paused(&two_rooms(20, 1.0, 0.5, "static"), &[101, 160], 60, "walk");
}

#[test]
fn engines_begin_alike() {
    // Where two directions are equally good the last bit chooses: a few go another way.
    bits::engines_begin_alike(&two_rooms(20, 1.5, 0.25, "static"), 20, 0.02, 4, "walk");
}
