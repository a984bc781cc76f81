//! Tests that are known to fail, and why.

/// By id. A test of this list that fails is an `expected-fail`; one that passes is a pass, and leaves the list.
pub(crate) const SHORTFALLS: &[(&str, &str)] = &[
    (
        "rimea-15",
        "people jam at the inner corner, and too few take the longer way round outside: the plan expects at least 0.4 m/s of a jam, \
         which two-way doors need (`follow`, which expects less, takes 87 s)",
    ),
    (
        "raster",
        "the plan that follows the crowd is rougher on small cells, and two streams at a door are chaotic: times and speeds in a jam \
         differ by up to a fifth",
    ),
    (
        "arch",
        "the crowd before a door is deeper than wide: people who keep their distance do not press round to its sides as the thesis's do",
    ),
];
