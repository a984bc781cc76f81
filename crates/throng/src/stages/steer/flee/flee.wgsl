// Flee: who is near a hazard turns away from it. See mod.rs and cpu.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> guide: array<vec4<f32>>;

const MARGIN: f32 = 1.0;
const LEAST: f32 = 0.02;
const LOOK: f32 = 0.5;
const TURN: f32 = 4.0;
const SIN_45: f32 = 0.70710678;

// Which way to flee, at length 1; zero for those who need not.
fn away_from_hazards(p: vec2<f32>, heading: vec2<f32>) -> vec2<f32> {
    var sum = vec2<f32>(0.0);
    var near = false;
    for (var k = 0u; k < hazards.count.x; k++) {
        let disc = hazards.discs[k];
        let away = p - disc.centre;
        let d = length(away);
        if (d < disc.reach) {
            near = true;
            sum += away * ((1.0 - d / disc.reach) / max(d, 1e-6));
        }
    }
    if (!near) { return vec2<f32>(0.0); }
    if (dot(sum, sum) > 1e-12) { return normalize(sum); }
    return heading;
}

// What is left of a direction without what would lead into a hazard's reach.
fn kept_out(p: vec2<f32>, told: vec2<f32>) -> vec2<f32> {
    var way = told;
    for (var k = 0u; k < hazards.count.x; k++) {
        let disc = hazards.discs[k];
        let to = disc.centre - p;
        let d = length(to);
        if (d < disc.reach + MARGIN) {
            let into = to / d;
            let much = 1.0 - (d - disc.reach) / MARGIN;
            way -= into * (max(dot(way, into), 0.0) * much);
        }
    }
    return way;
}

fn is_free_to(p: vec2<f32>, q: vec2<f32>) -> bool { return in_world(q) && sees(p, q); }

@compute @workgroup_size(128)
fn flee_all(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let p = motion[i].xy;
    let told = guide[i];
    let away = away_from_hazards(p, heading_of(body[i]));
    if (away.x == 0.0 && away.y == 0.0) {
        let way = kept_out(p, told.xy);
        if (way.x == told.x && way.y == told.y) { return; }
        let left = length(way);
        if (left < LEAST) {
            guide[i] = vec4<f32>(0.0, 0.0, 0.0, told.w);
        } else {
            guide[i] = vec4<f32>(way / left, told.z * min(left, 1.0), told.w);
        }
        return;
    }
    // Blended with the plan where it leads away as well.
    var way = away;
    if (dot(told.xy, away) > 0.0) { way = normalize(away + told.xy); }
    // First the side that the plan is on.
    let left_of = vec2<f32>(-way.y, way.x);
    let side = select(-left_of, left_of, cross2(way, told.xy) >= 0.0);
    var free = way;
    if (!is_free_to(p, p + free * LOOK)) { free = (way + side) * SIN_45; }
    if (!is_free_to(p, p + free * LOOK)) { free = (way - side) * SIN_45; }
    if (!is_free_to(p, p + free * LOOK)) { free = side; }
    if (!is_free_to(p, p + free * LOOK)) { free = -side; }
    if (!is_free_to(p, p + free * LOOK)) { free = way; }
    let walk = preferred_of(body[i]) * bitcast<f32>(world[cell_at(p)].y);
    guide[i] = vec4<f32>(free, params.flee_speed * select(walk, told.z, told.z > 0.0), TURN * turn_of(body[i]));
}
