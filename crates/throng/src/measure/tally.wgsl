// The numbers of one step, added up on the device in integers: the same in any order. Names and places as in
// engine/gpu/tally.rs. Behind them, for each group: how many its source has let in, how many first-timers and how many
// others are outside.

const SPLAT_OVERFLOWS: u32 = 0u;
const LEFT_OUT: u32 = 1u;
const OVERLAP_SUM: u32 = 2u;
const OVERLAP_MOST: u32 = 4u;
const OVERLAP_MANY: u32 = 5u;
const IN_WALL: u32 = 6u;
const NOT_FINITE: u32 = 7u;
const WALL_DEPTH: u32 = 8u;
const SPEED_SUM: u32 = 9u;
const WALKERS: u32 = 11u;
const DENSEST: u32 = 12u;
const GOALS_REACHED: u32 = 13u;
const ARRIVED: u32 = 14u;
const ENTERED: u32 = 15u;
const GONE: u32 = 16u;
const LEFT: u32 = 17u;
const DISPLACED: u32 = 18u;
const FLOOR_COUNT: u32 = 19u;
const WENT_IN: u32 = 20u;
const CAME_OUT: u32 = 21u;
const KEPT_OUT: u32 = 22u;
const GROUP_COUNTS: u32 = 64u;
