// Adds to a number of 64 bits: low word, then high word.
fn add_long(at: u32, value: u32) {
    let old = atomicAdd(&tally[at], value);
    if (old + value < old) { atomicAdd(&tally[at + 1u], 1u); }
}
