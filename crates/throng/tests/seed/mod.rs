//! The seed of everything in tests that is drawn at random by hand: the one that property tests draw from too.

use std::io::Write;
use std::sync::OnceLock;

/// `PROPTEST_RNG_SEED`, or 1 where it is not set. A test that fails says which it was, so that it can be repeated.
///
/// # Panics
/// If the variable holds no number: nobody would notice that it was passed over.
pub(crate) fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        let seed = std::env::var("PROPTEST_RNG_SEED")
            .map_or(1, |text| text.parse().expect("PROPTEST_RNG_SEED is a whole number from 0 to 2^64 - 1"));
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            tell(panic);
            // If even this cannot be written there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "drawn with PROPTEST_RNG_SEED={seed}");
        }));
        seed
    })
}
