// What every shader of the viewer begins with: where one looks, and colours. The Rust side of View is draw/view.rs.

struct View {
    centre: vec2<f32>,      // m, in the middle of the view
    size: vec2<f32>,        // of the view, px
    origin: vec2<f32>,      // its top left corner in the picture, px
    world: vec2<f32>,       // m
    scale: f32,             // px/m
    back: f32,              // s: how long before the last step's end the picture is
    cell: f32,              // m
    body: f32,              // drawn radius over the real one
    cells: vec2<u32>,
    agents: u32,
    goals: u32,
    colouring: u32,
    low: f32,               // ends of the agents' scale
    high: f32,
    agents_opacity: f32,
    shade: u32,             // of the field: 0 none, 1 amount, 2 length, 3 wheel
    field_low: f32,
    field_high: f32,
    field_opacity: f32,
    smooth_field: u32,
    background: f32,        // opacity of the image; 0 without one
    background_level: f32,  // of its smaller copies
    walls: f32,
    goals_opacity: f32,
    splats: f32,
    tiles: f32,
    tiles_wide: u32,
    pointer: vec2<f32>,     // m
    click: vec2<f32>,       // m
    reach: f32,             // m: who is nearer than this to a click is meant
    chosen: u32,            // an id
    elapsed: f32,           // s of simulation since agents were last watched
    slot: u32,              // of the trails that is written now, or NONE
    known: u32,             // ids that trails and waiting times have room for
    slots: u32,             // of trails that are written
    arrow_every: u32,       // cells
    stretch: f32,           // px per unit of a vector field's arrows
    arrow_first: vec2<u32>, // the first block of cells that is in view, and how many beside each other
    arrow_across: u32,
    ribbons: f32,           // opacity of everybody's path
    jump: f32,              // m: nobody walks as far between two moments of the trails
    pad: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> palette: array<vec4<f32>>;

const NONE: u32 = 0xffffffffu;
const UNREACHED: f32 = 1e15;
const STEPS: u32 = 256u;
const WHEEL_AT: u32 = 256u;
const AMOUNT_AT: u32 = 512u;
const KINDS_AT: u32 = 768u;
const KINDS: u32 = 32u;
const STATES_AT: u32 = 800u;
const MACHINE_AT: u32 = 802u;
const GROUPS_AT: u32 = 866u;

// Whether a group lives by states.
fn lives(group: u32) -> bool {
    let at = GROUPS_AT + group;
    return at < arrayLength(&palette) && palette[min(at, arrayLength(&palette) - 1u)].r > 0.5;
}

// The figure that people of a group are drawn as in three dimensions.
fn figure_of(group: u32) -> u32 {
    let at = GROUPS_AT + group;
    return select(0u, u32(palette[min(at, arrayLength(&palette) - 1u)].g), at < arrayLength(&palette));
}

fn to_world(pixel: vec2<f32>) -> vec2<f32> {
    let away = (pixel - 0.5 * view.size) / view.scale;
    return view.centre + vec2<f32>(away.x, -away.y);
}

fn to_view(point: vec2<f32>) -> vec2<f32> {
    let away = (point - view.centre) * view.scale;
    return 0.5 * view.size + vec2<f32>(away.x, -away.y);
}

fn to_clip(pixel: vec2<f32>) -> vec4<f32> {
    let c = pixel / view.size * 2.0 - 1.0;
    return vec4<f32>(c.x, -c.y, 0.0, 1.0);
}

// A place that is never drawn.
const NOWHERE: vec4<f32> = vec4<f32>(2.0, 2.0, 2.0, 1.0);

fn not_finite(v: f32) -> bool { return (bitcast<u32>(v) & 0x7f800000u) == 0x7f800000u; }

// From 0 to 1 along a scale that begins somewhere in the palette.
fn along(start: u32, place: f32) -> vec3<f32> {
    let at = clamp(place, 0.0, 1.0) * f32(STEPS - 1u);
    let i = u32(at);
    return mix(palette[start + i].rgb, palette[start + min(i + 1u, STEPS - 1u)].rgb, at - f32(i));
}

fn wheel(v: vec2<f32>) -> vec3<f32> {
    let turns = fract(atan2(v.y, v.x) / 6.2831853 + 1.0);
    let at = turns * f32(STEPS);
    let i = u32(at) % STEPS;
    return mix(palette[WHEEL_AT + i].rgb, palette[WHEEL_AT + (i + 1u) % STEPS].rgb, fract(at));
}

fn corner_of(v: u32) -> vec2<f32> {
    // Two triangles: 0 1 2, 2 1 3.
    let k = v % 6u;
    let n = select(k, select(6u - k, 1u, k == 4u), k >= 3u);
    let m = select(n, 2u, k == 3u);
    let j = select(m, 3u, k == 5u);
    return vec2<f32>(f32(j & 1u), f32(j >> 1u)) * 2.0 - 1.0;
}

// Agents as the engine keeps them: throng::engine::layout.
const WALKING: u32 = 0u;
const WAITING: u32 = 1u;
const STAYING: u32 = 5u;

fn radius_of(body: vec4<u32>) -> f32 { return bitcast<f32>(body.y); }

fn is_on_floor(journey: vec4<u32>) -> bool {
    let state = (journey.z >> 16u) & 0xffu;
    return state == WALKING || state == WAITING || state == STAYING;
}
