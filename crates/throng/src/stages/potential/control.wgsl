// The solver's own numbers, on the device. Places as in engine/gpu/tally.rs.
const TYPICAL_SUM: u32 = 0u;
const TYPICAL_COUNT: u32 = 1u;
const ROUNDS: u32 = 2u;
const VISITS: u32 = 3u;
const LIST_OVERFLOWS: u32 = 4u;
const ITEMS_WAITING: u32 = 5u;
const RING_COUNTS: u32 = 16u;
