// What every shader of the third dimension begins with: where one looks, and the ground. The Rust side of Space is numbers.rs.

struct Space {
    clip: mat4x4<f32>,                  // from metres to the picture; depth 1 at the near plane, 0 far away
    view: mat4x4<f32>,                  // from metres to what the eye sees: x right, y up, −z ahead
    cascades: array<mat4x4<f32>, 3>,    // from metres to each shadow map
    eye: vec4<f32>,                     // m; w: of the near plane, m
    sun: vec4<f32>,                     // which way it is; w: whether there are shadow maps
    sun_colour: vec4<f32>,              // w: how much air there is in a metre
    ends: vec4<f32>,                    // m ahead of the eye at which the shadow maps end; w: at which the first begins
    texels: vec4<f32>,                  // side of a texel of each shadow map, m
    extent: vec2<f32>,                  // of the world, m
    quad: vec2<f32>,                    // sides of a quad of the ground's mesh, m
    corners: vec2<u32>,                 // of the ground's mesh, across and along
    base: f32,                          // height of the ground around the world, m
    top: f32,                           // nothing of the ground is higher, m
    screen: vec2<f32>,                  // px
    half: vec2<f32>,                    // tangents of half the angles of view
    agents: u32,
    pinned: u32,                        // everybody's level of detail, or NOBODY
    frustum: u32,
    occlusion: u32,
    tint: u32,                          // 1 levels of detail, 2 shadow maps
    flat_floor: u32,                    // built ground instead of grown one
    tall: f32,                          // height of a body, in radii
    elapsed: f32,                       // s of simulation since the frame before
    levels: u32,                        // of the depth pyramid
    known: u32,                         // ids that there is room for
    time: f32,                          // s of simulation
    step: f32,                          // s of simulation in a step
    figure_count: u32,
    mists: u32,                         // hazards
    laid: vec2<f32>,                    // sides of what the drape shows, around the middle of the world, m
    walled: u32,                        // whether there are walls: a number that no frame before has left in them
    figures: array<vec4<f32>, 8>,       // of the sphere around each: its middle above the ground, its radius, its middle from the axis, in radii
}

// Somebody, as gather.wgsl has found them in the columns.
struct Character {
    place: vec3<f32>,   // where it stands, m
    size: f32,          // its radius, m; 0: it is not there
    heading: u32,       // two signed 16-bit numbers
    up: u32,            // x and y of where its head points, likewise
    colour: u32,        // as shown; the highest byte is the number of its figure
    id: u32,
    // The light that reaches it, if the camera sees it: light.wgsl's, written by classify.wgsl.
    light: array<vec4<u32>, 2>,
}

// What is known of somebody from frame to frame, by id.
struct Living {
    phase: f32,         // how far it is in the clip now, 0 to 1
    clips: u32,         // now in 12 bits, before in 12 more, the gait in 2, the figure in 3; the highest is set if it is known at all
    lasted: f32,        // s since the clip now began
    seen: u32,          // classify.wgsl's: its height on the screen in 8 bits, as a bin and 1, or 0; in 8 more that of its shadow, seen or not; then which way it was shown to face
    place: vec3<f32>,   // m: in the frame before
    phase_before: f32,  // how far it is in the clip before
}

// Which list a draw call draws, and into which picture.
struct Draw {
    clip: mat4x4<f32>,
    list: u32,
    level: u32,
    phase: u32,         // of raster.wgsl: 0 depths, 1 colours
    edges: u32,         // of triangles, instead of their faces
}

@group(2) @binding(0) var<uniform> space: Space;
// Of the corners of the ground's mesh, m.
@group(2) @binding(1) var<storage, read> heights: array<f32>;
@group(2) @binding(2) var<uniform> draw_of: Draw;

const NOBODY: u32 = 0xffffffffu;

fn corner_height(c: vec2<u32>) -> f32 {
    let k = min(c, space.corners - 1u);
    return heights[k.y * space.corners.x + k.x];
}

// How far around the world the ground comes down to its mean height, in half worlds.
const FALL: f32 = 0.3;

// Height of the drawn ground: on the very triangles that are drawn, so that nobody floats or sinks in.
fn height_at(p: vec2<f32>) -> f32 {
    let out = abs(p / space.extent - 0.5) * 2.0;
    let beyond = smoothstep(1.0, 1.0 + FALL, max(out.x, out.y));
    return mix(mesh_height(p), space.base, beyond);
}

fn mesh_height(p: vec2<f32>) -> f32 {
    let q = clamp(p / space.quad, vec2<f32>(0.0), vec2<f32>(space.corners - 1u) - 1e-3);
    let c = vec2<u32>(q);
    let f = q - vec2<f32>(c);
    let h00 = corner_height(c);
    let h11 = corner_height(c + 1u);
    if (f.x >= f.y) {
        let h10 = corner_height(c + vec2<u32>(1u, 0u));
        return h00 + (h10 - h00) * f.x + (h11 - h10) * f.y;
    }
    let h01 = corner_height(c + vec2<u32>(0u, 1u));
    return h00 + (h11 - h01) * f.x + (h01 - h00) * f.y;
}

// By central differences over a quad to each side.
fn normal_at(p: vec2<f32>) -> vec3<f32> {
    let d = space.quad;
    let x = height_at(p + vec2<f32>(d.x, 0.0)) - height_at(p - vec2<f32>(d.x, 0.0));
    let y = height_at(p + vec2<f32>(0.0, d.y)) - height_at(p - vec2<f32>(0.0, d.y));
    return normalize(vec3<f32>(-x / (2.0 * d.x), -y / (2.0 * d.y), 1.0));
}

// Light of the sky without the sun's disc: blue above, pale at the horizon, brighter around the sun. In units in which white
// paper that faces the sun is as bright as the sun's colour says.
fn sky(way: vec3<f32>) -> vec3<f32> {
    let up = clamp(way.z, 0.0, 1.0);
    let near_sun = max(dot(way, space.sun.xyz), 0.0);
    var light = mix(vec3<f32>(0.62, 0.72, 0.84), vec3<f32>(0.16, 0.32, 0.66), pow(up, 0.5));
    light += space.sun_colour.rgb * (0.06 * pow(near_sun, 6.0) + 0.12 * pow(near_sun, 48.0));
    return light;
}

// From the eye to where something is seen in the picture, px, a metre ahead.
fn way_to(pixel: vec2<f32>) -> vec3<f32> {
    let seen = vec3<f32>((pixel / space.screen * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0)) * space.half, -1.0);
    return vec3<f32>(dot(space.view[0].xyz, seen), dot(space.view[1].xyz, seen), dot(space.view[2].xyz, seen));
}

// Where what has a depth there is.
fn place_at(pixel: vec2<f32>, depth: f32) -> vec3<f32> { return space.eye.xyz + way_to(pixel) * (space.eye.w / depth); }

// Where samples are in a pixel: where hardware has them.
const SAMPLES: array<vec2<f32>, 4> =
    array<vec2<f32>, 4>(vec2<f32>(0.375, 0.125), vec2<f32>(0.875, 0.375), vec2<f32>(0.125, 0.625), vec2<f32>(0.625, 0.875));
