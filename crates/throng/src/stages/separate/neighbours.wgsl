// Who may be near: shared by the shaders of this stage. `starts` says where each cell's agents are; for sweep and prune it
// holds columns of cells instead, and behind them the agents in their order; all pairs need neither.

const BINS: u32 = 0u;
const SWEEP: u32 = 1u;
const ALL_PAIRS: u32 = 2u;
const MOST_NEIGHBOURS: u32 = 64u;
// A mask of this value says: too many candidates for 64 bits, or another search; look at all of them.
const LOOK_AT_ALL: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);

struct Window {
    low: vec2<u32>,
    high: vec2<u32>,
}

fn window(p: vec2<f32>) -> Window {
    // Bins are of where everybody stood when the step began, at most a stride from here.
    let reach = 2.0 * params.widest + params.stride + params.walked;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    if (params.neighbours == BINS) { return Window(low, high); }
    return Window(vec2<u32>(low.x, 0u), vec2<u32>(high.x, 0u));
}

// The candidates of one row of a window, as a range.
fn run(w: Window, y: u32) -> vec2<u32> {
    if (params.neighbours == ALL_PAIRS) { return vec2<u32>(0u, floor_count()); }
    let row = y * params.width;
    return vec2<u32>(starts[row + w.low.x], starts[row + w.high.x + 1u]);
}

fn candidate(k: u32) -> u32 {
    if (params.neighbours == SWEEP) { return starts[params.columns + k]; }
    return k;
}

// How many agents are on the floor; columns keep it too.
fn floor_count() -> u32 { return starts[select(params.cells, params.width, params.neighbours == SWEEP)]; }

// Near enough, where they stood before the first round, to touch in this step.
fn is_neighbour(own: vec4<f32>, other: vec4<f32>) -> bool {
    let touch = own.z + other.z + params.stride;
    let apart = other.xy - own.xy;
    return dot(apart, apart) < touch * touch;
}
