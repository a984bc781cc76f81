// The machine that some live by: world/machine.rs, as engine/gpu/machine.rs writes it. Needs `world`.

// What `arrive` says of a group that lives by states; somebody's state is its leg then.
const BY_STATES: u32 = 3u;
// What somebody does in a state.
const WALKS: u32 = 0u;
const STAYS: u32 = 1u;
const FLEES: u32 = 2u;
// Stands for any state, any group.
const ANY: u32 = 0xffffu;

fn lives_by_states(own: vec4<u32>) -> bool { return world[params.cells + group_of(own) * 3u].z == BY_STATES; }

// Kind, place (a goal or POINT), the bits of the factor on speed.
fn state_at(number: u32) -> vec4<u32> { return world[params.states + 2u * number]; }
// Steps that a clip lasts at least, up to so many more; where its transitions are, and how many.
fn clip_at(number: u32) -> vec4<u32> { return world[params.states + 2u * number + 1u]; }
