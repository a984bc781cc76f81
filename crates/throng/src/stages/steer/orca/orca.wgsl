// Avoid, of the steering `orca`: see mod.rs, cpu.rs and program.rs. Behind it comes patience.wgsl.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> world: array<vec4<u32>>;
// Velocity and heading.
@group(0) @binding(6) var<storage, read_write> wanted: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> journey: array<vec4<u32>>;
// Four numbers an agent: see patience.wgsl.
@group(0) @binding(8) var<storage, read_write> temper: array<f32>;
@group(0) @binding(9) var<uniform> steering: Steering;

const MOST_WALLS: u32 = 8u;
const WINDOW: f32 = 2.0;
const SPARE: f32 = 1.6;
const CAN_PUSH: bool = false;
const PARALLEL: f32 = 1e-5;
const WITHIN: f32 = 1e-5;

// Half-planes of velocities: normal and offset. Those of walls come first.
var<private> planes: array<vec3<f32>, 24>;
var<private> plane_count: u32;
var<private> wall_count: u32;
// Where no half-plane is violated more than another.
var<private> equal: array<vec3<f32>, 24>;

// The nearest people: the square of the distance, and where in the columns.
var<private> near_squares: array<f32, 16>;
var<private> near_places: array<u32, 16>;
var<private> found: u32;

fn violation(plane: vec3<f32>, v: vec2<f32>) -> f32 { return plane.z - dot(plane.xy, v); }

// Takes somebody into the list, nearest first, those at the same distance in the order of the columns.
fn take(square: f32, j: u32) {
    var k = found;
    if (found == steering.neighbours) {
        if (square >= near_squares[found - 1u]) { return; }
        k = found - 1u;
    } else {
        found += 1u;
    }
    while (k > 0u && near_squares[k - 1u] > square) {
        near_squares[k] = near_squares[k - 1u];
        near_places[k] = near_places[k - 1u];
        k -= 1u;
    }
    near_squares[k] = square;
    near_places[k] = j;
}

fn gather(i: u32, p: vec2<f32>, reach: f32) {
    found = 0u;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    for (var y = low.y; y <= high.y; y++) {
        let end = starts[y * params.width + high.x + 1u];
        for (var j = starts[y * params.width + low.x]; j < end; j++) {
            let d = motion[j].xy - p;
            let square = dot(d, d);
            if (square < reach * reach && j != i) { take(square, j); }
        }
    }
}

fn find(i: u32, p: vec2<f32>, most: f32) {
    // How far to look so that there are enough, by how many are in a window.
    let low = cell_xy(p - WINDOW);
    let high = cell_xy(p + WINDOW);
    var people = 0u;
    for (var y = low.y; y <= high.y; y++) {
        people += starts[y * params.width + high.x + 1u] - starts[y * params.width + low.x];
    }
    let size = vec2<f32>(high - low + 1u) * params.cell;
    let enough = SPARE / 3.14159265 * f32(steering.neighbours) * size.x * size.y / f32(max(people, 1u));
    let reach = min(sqrt(enough), most);
    gather(i, p, reach);
    if (found < steering.neighbours && reach < most) { gather(i, p, most); }
}

// The nearest wall within reach that none of those before covers: where it is from here, and how far; as far as the reach if there is none.
fn nearest_wall(p: vec2<f32>, reach: f32, radius: f32) -> vec3<f32> {
    var best = vec3<f32>(0.0, 0.0, reach);
    // Every place within reach is near one of these, and so are its segments in that cell's list.
    let count = u32(ceil(2.0 * reach / params.wall_reach)) + 1u;
    for (var y = 0u; y < count; y++) {
        for (var x = 0u; x < count; x++) {
            let list = near(cell_at(p - reach + vec2<f32>(f32(x), f32(y)) * params.wall_reach));
            for (var k = 0u; k < list.count; k++) {
                let away = closest(numbers(list.first + k), p) - p;
                let far = length(away);
                if (far >= best.z) { continue; }
                var covered = false;
                for (var c = 0u; c < wall_count; c++) {
                    let plane = planes[c];
                    covered = covered || -dot(away, plane.xy) >= radius - plane.z * steering.wall_horizon - 1e-3;
                }
                if (!covered) { best = vec3<f32>(away, far); }
            }
        }
    }
    return best;
}

fn add_walls(p: vec2<f32>, radius: f32, speed: f32) {
    wall_count = 0u;
    let reach = radius + speed * steering.wall_horizon;
    if (!any_around(p, reach)) { return; }
    while (wall_count < MOST_WALLS) {
        let wall = nearest_wall(p, reach, radius);
        if (wall.z >= reach) { return; }
        planes[wall_count] = vec3<f32>(-wall.xy / max(wall.z, 1e-6), -(wall.z - radius) / steering.wall_horizon);
        wall_count += 1u;
    }
}

// Velocities that avoid a collision with somebody, if it does its half.
fn half_plane(x: vec2<f32>, touch: f32, own: vec2<f32>, other: vec2<f32>) -> vec3<f32> {
    let v = own - other;
    let square = dot(x, x);
    let far = square - touch * touch;
    let time = select(params.dt, steering.horizon, far > 0.0);
    let w = v - x / time;
    let along = dot(w, x);
    if (far <= 0.0 || (along < 0.0 && along * along > touch * touch * dot(w, w))) {
        let size = length(w);
        var normal = w / max(size, 1e-6);
        if (size <= 1e-6) {
            normal = -unit_or_zero(x);
            if (normal.x == 0.0 && normal.y == 0.0) { normal = vec2<f32>(-1.0, 0.0); }
        }
        return vec3<f32>(normal, dot(own, normal) + 0.5 * (touch / time - size));
    }
    let leg = sqrt(far);
    let perp = select(vec2<f32>(x.y, -x.x), vec2<f32>(-x.y, x.x), cross2(x, w) > 0.0);
    let normal = (perp * leg - x * touch) / square;
    return vec3<f32>(normal, dot(own, normal) - 0.5 * dot(v, normal));
}

// What a program found: a velocity, and the first half-plane that left nothing, or how many there are.
struct Found {
    v: vec2<f32>,
    failed: u32,
}

fn plane_of(of_equal: bool, k: u32) -> vec3<f32> {
    if (of_equal) { return equal[k]; }
    return planes[k];
}

// The best velocity in the first of some half-planes: nearest to `aim`, or (of those in `equal`) farthest in that direction.
fn within(of_equal: bool, count: u32, speed: f32, aim: vec2<f32>) -> Found {
    var best = aim;
    let size = length(aim);
    if (of_equal) { best = aim * speed; } else if (size > speed) { best = aim * (speed / size); }
    for (var k = 0u; k < count; k++) {
        let plane = plane_of(of_equal, k);
        if (violation(plane, best) <= WITHIN) { continue; }
        let room = speed * speed - plane.z * plane.z;
        if (room < 0.0) { return Found(best, k); }
        let foot = plane.xy * plane.z;
        let along = vec2<f32>(-plane.y, plane.x);
        var high = sqrt(room);
        var low = -high;
        for (var c = 0u; c < k; c++) {
            let other = plane_of(of_equal, c);
            let slope = dot(along, other.xy);
            let missing = violation(other, foot);
            if (abs(slope) < PARALLEL) {
                if (missing > WITHIN) { low = 3.4e38; }
            } else if (slope > 0.0) {
                low = max(low, missing / slope);
            } else {
                high = min(high, missing / slope);
            }
        }
        if (low > high) { return Found(best, k); }
        var at = clamp(dot(aim, along), low, high);
        if (of_equal) { at = select(low, high, dot(aim, along) > 0.0); }
        best = foot + along * at;
    }
    return Found(best, count);
}

// The velocity in the walls' half-planes that is least outside of any other.
fn least_outside(failed: u32, speed: f32, start: vec2<f32>) -> vec2<f32> {
    var best = start;
    var outside = 0.0;
    for (var k = 0u; k < wall_count; k++) { equal[k] = planes[k]; }
    for (var k = max(failed, wall_count); k < plane_count; k++) {
        let plane = planes[k];
        if (violation(plane, best) <= outside) { continue; }
        var count = wall_count;
        for (var c = wall_count; c < k; c++) {
            let between = planes[c] - plane;
            let size = length(between.xy);
            if (size > PARALLEL) {
                equal[count] = between / size;
                count += 1u;
            }
        }
        let result = within(true, count, speed, plane.xy);
        if (result.failed == count) { best = result.v; }
        outside = violation(plane, best);
    }
    return best;
}

// The plan's direction, a little to the side.
fn to_the_side(way: vec2<f32>) -> vec2<f32> {
    let h = 0.5 * abs(steering.side);
    let q = h * h;
    let sh = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    let ch = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    let c = 1.0 - 2.0 * sh * sh;
    var s = 2.0 * sh * ch;
    if (steering.side > 0.0) { s = -s; }
    return vec2<f32>(way.x * c - way.y * s, way.x * s + way.y * c);
}

@compute @workgroup_size(128)
fn orca(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let told = guide[i];
    let heading = heading_of(body[i]);
    if (told.x == 0.0 && told.y == 0.0) {
        rest(i);
        wanted[i] = vec4<f32>(0.0, 0.0, heading);
        return;
    }
    let intent = intent_of(i, told);
    let own = motion[i];
    let radius = radius_of(body[i]);
    let speed = told.z;
    add_walls(own.xy, radius, speed);
    find(i, own.xy, 2.0 * speed * steering.horizon + radius + params.widest);
    plane_count = wall_count;
    for (var k = 0u; k < found; k++) {
        let other = motion[near_places[k]];
        planes[plane_count] = half_plane(other.xy - own.xy, radius + radius_of(body[near_places[k]]), own.zw, other.zw);
        plane_count += 1u;
    }
    let result = within(false, plane_count, speed, to_the_side(intent.way) * intent.speed);
    var v = result.v;
    if (result.failed < plane_count) { v = least_outside(result.failed, speed, v); }
    var towards = unit_or_zero(v);
    if (towards.x == 0.0 && towards.y == 0.0) { towards = heading; }
    wanted[i] = vec4<f32>(v, turned(heading, towards, dot(heading, towards), told.w * params.dt));
}
