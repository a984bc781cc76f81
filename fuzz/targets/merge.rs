//! See `throng_fuzz::merge`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| throng_fuzz::merge(bytes));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    throng_fuzz::mutate::text(data, size, max_size, seed)
});
