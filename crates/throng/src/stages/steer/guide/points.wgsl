// Where somebody heads for that has a point of its own.

// Who is so near to its place stands: stages/live/waiting.rs.
const STANDS: f32 = 0.15;

@group(0) @binding(8) var<storage, read> point: array<vec2<f32>>;

fn heads_for_point(own: vec4<u32>) -> bool { return goal_of(own) == POINT; }
fn walks(i: u32, own: vec4<u32>, p: vec2<f32>) -> bool {
    if (state_of(own) == STAYING) { return distance(point[i], p) > STANDS; }
    return state_of(own) == WALKING;
}
fn point_of(i: u32) -> vec2<f32> { return point[i]; }

// Ways round walls: world/detours.rs. A record with the number of landmarks and the records of a layer, then layers of a byte a cell: links, the
// landmark that sees the cell, and for each landmark which way leads to it.
const LINK_LAYER: u32 = 0u;
const SEEN_LAYER: u32 = 1u;
const FIELD_LAYERS: u32 = 2u;
const FACES: f32 = 0.5;
const BESIDE: f32 = -0.3;

fn detour_byte(layer: u32, cell: u32) -> u32 {
    let record = world[params.detours + 1u + layer * world[params.detours].y + cell / 16u];
    return (record[(cell / 4u) & 3u] >> (8u * (cell & 3u))) & 255u;
}

fn cell_steps(cell: u32) -> vec2<i32> { return vec2<i32>(i32(cell % params.width), i32(cell / params.width)); }

// Whether the line between the middles of two cells crosses open links only: `Floor::sees`.
fn sees_cell(from_cell: u32, to_cell: u32) -> bool {
    let way = cell_steps(to_cell) - cell_steps(from_cell);
    let far = abs(way);
    let link_x = select(8u, 2u, way.x > 0);
    let link_y = select(4u, 1u, way.y > 0);
    let on_x = select(-1, 1, way.x > 0);
    let on_y = select(-i32(params.width), i32(params.width), way.y > 0);
    var left = far.x + far.y;
    var error = far.x - far.y;
    var cell = i32(from_cell);
    while (left > 0) {
        let links = detour_byte(LINK_LAYER, u32(cell));
        if (error == 0) {
            if ((links & link_x) == 0u || (links & link_y) == 0u) { return false; }
            if ((detour_byte(LINK_LAYER, u32(cell + on_x)) & link_y) == 0u) { return false; }
            if ((detour_byte(LINK_LAYER, u32(cell + on_y)) & link_x) == 0u) { return false; }
            cell += on_x + on_y;
            error += 2 * (far.x - far.y);
            left -= 2;
        } else if (error > 0) {
            if ((links & link_x) == 0u) { return false; }
            cell += on_x;
            error -= 2 * far.y;
            left -= 1;
        } else {
            if ((links & link_y) == 0u) { return false; }
            cell += on_y;
            error += 2 * far.x;
            left -= 1;
        }
    }
    return true;
}

// The same from the cells next to it as well.
fn surely_sees_cell(from_cell: u32, to_cell: u32) -> bool {
    if (!sees_cell(from_cell, to_cell)) { return false; }
    let links = detour_byte(LINK_LAYER, from_cell);
    if ((links & 1u) != 0u && !sees_cell(from_cell + params.width, to_cell)) { return false; }
    if ((links & 2u) != 0u && !sees_cell(from_cell + 1u, to_cell)) { return false; }
    if ((links & 4u) != 0u && !sees_cell(from_cell - params.width, to_cell)) { return false; }
    return (links & 8u) == 0u || sees_cell(from_cell - 1u, to_cell);
}

// Where beside or ahead of a cell another one is seen from, of which it is in the direction `straight`; zero if nowhere.
fn side_that_sees(from_cell: u32, to_cell: u32, straight: vec2<f32>) -> vec2<f32> {
    let links = detour_byte(LINK_LAYER, from_cell);
    if ((links & 1u) != 0u && straight.y > BESIDE && sees_cell(from_cell + params.width, to_cell)) { return vec2<f32>(0.0, 1.0); }
    if ((links & 2u) != 0u && straight.x > BESIDE && sees_cell(from_cell + 1u, to_cell)) { return vec2<f32>(1.0, 0.0); }
    if ((links & 4u) != 0u && -straight.y > BESIDE && sees_cell(from_cell - params.width, to_cell)) { return vec2<f32>(0.0, -1.0); }
    if ((links & 8u) != 0u && -straight.x > BESIDE && sees_cell(from_cell - 1u, to_cell)) { return vec2<f32>(-1.0, 0.0); }
    return vec2<f32>(0.0);
}

// Which way leads to somebody's point: straight there, or round the walls that are in between.
fn way_to_point(i: u32, own: vec4<u32>, p: vec2<f32>, heading: vec2<f32>) -> vec2<f32> {
    let straight = unit_or_zero(point[i] - p);
    if (world[params.detours].x == 0u || state_of(own) != WALKING || lives(own)) { return straight; }
    let from_cell = anchor(p);
    let to_cell = anchor(point[i]);
    let landmark = detour_byte(SEEN_LAYER, to_cell);
    if (landmark == 0u) { return straight; }
    if (dot(heading, straight) > FACES) {
        if (sees_cell(from_cell, to_cell)) { return straight; }
        let beside = side_that_sees(from_cell, to_cell, straight);
        if (beside.x != 0.0 || beside.y != 0.0) { return normalize(straight + beside); }
    } else if (surely_sees_cell(from_cell, to_cell)) {
        return straight;
    }
    return detour(landmark, from_cell, straight);
}

fn detour(landmark: u32, cell: u32, straight: vec2<f32>) -> vec2<f32> {
    let byte = detour_byte(FIELD_LAYERS + landmark - 1u, cell);
    let way = vec2<i32>(i32(byte >> 4u), i32(byte & 15u)) - 8;
    if (byte == 0u || all(way == vec2<i32>(0))) { return straight; }
    return normalize(vec2<f32>(way));
}
