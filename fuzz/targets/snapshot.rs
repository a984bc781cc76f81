//! See `throng_fuzz::snapshot`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| throng_fuzz::snapshot(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    throng_fuzz::mutate::words(data, size, max_size, seed)
});
