// Doors: let others out first. See mod.rs and cpu.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> guide: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> held: array<f32>;
// How many come through each door; cleared between the steps.
@group(0) @binding(6) var<storage, read_write> coming: array<atomic<u32>>;

const STRIP: f32 = 0.5;
const EDGE: f32 = 0.3;
const MARGIN: f32 = 1.0;
const BEYOND: f32 = 0.3;
const ACROSS: f32 = 0.05;
const CLOSED_WITHIN: f32 = 0.3;
const ASIDE: f32 = 0.5;
const BACK: f32 = 0.5;

struct Doorway {
    jamb: vec2<f32>,
    along: vec2<f32>,
    first: vec2<f32>,
    width: f32,
    reach: f32,
    patience: f32,
}

fn doorway(number: u32) -> Doorway {
    let at = params.doors + 3u * number;
    let line = numbers(at);
    let way = numbers(at + 1u);
    return Doorway(line.xy, line.zw, way.xy, way.z, way.w, numbers(at + 2u).x);
}

fn spans(door: Doorway, along: f32, margin: f32) -> bool { return along >= -margin && along <= door.width + margin; }

fn passes(door: Doorway, p: vec2<f32>, direction: vec2<f32>, way: vec2<f32>) -> bool {
    let before = dot(door.jamb - p, way);
    let at = dot(p - door.jamb, door.along);
    let speed = dot(direction, way);
    if (before > door.reach || before < -BEYOND || speed < ACROSS || !spans(door, at, door.reach)) { return false; }
    return spans(door, at + max(before, 0.0) / speed * dot(direction, door.along), MARGIN);
}

fn is_closed(door: Doorway) -> bool {
    let middle = door.jamb + door.along * (0.5 * door.width);
    return !in_sight(middle - door.first * CLOSED_WITHIN, middle + door.first * CLOSED_WITHIN);
}

@compute @workgroup_size(128)
fn count_coming(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let told = guide[i].xy;
    if (told.x == 0.0 && told.y == 0.0) { return; }
    for (var k = 0u; k < params.door_count; k++) {
        let door = doorway(k);
        if (passes(door, motion[i].xy, told, door.first)) { atomicAdd(&coming[k], 1u); }
    }
}

fn is_free_way(p: vec2<f32>, way: vec2<f32>) -> bool {
    let q = p + way * ASIDE;
    return in_world(q) && in_sight(p, q);
}

@compute @workgroup_size(128)
fn hold_back(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
             @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let told = guide[i];
    let p = motion[i].xy;
    let stands = told.x == 0.0 && told.y == 0.0;
    for (var k = 0u; k < params.door_count; k++) {
        let door = doorway(k);
        if (stands || atomicLoad(&coming[k]) == 0u || dot(p - door.jamb, door.first) <= 0.0) { continue; }
        if (!passes(door, p, told.xy, -door.first)) { continue; }
        if (held[i] > door.patience) { return; }
        if (!is_closed(door)) { held[i] += params.dt; }
        let at = dot(p - door.jamb, door.along);
        if (!spans(door, at, STRIP + EDGE)) { return; }
        let nearer = select(door.along, -door.along, at < 0.5 * door.width);
        var way = vec2<f32>(0.0);
        if (spans(door, at, STRIP)) {
            way = unit_or_zero(nearer + door.first * BACK);
            if (!is_free_way(p, way)) { way = nearer; }
            if (!is_free_way(p, way)) { way = -nearer; }
            if (!is_free_way(p, way)) { way = vec2<f32>(0.0); }
        }
        guide[i] = vec4<f32>(way, select(told.z, 0.0, way.x == 0.0 && way.y == 0.0), told.w);
        return;
    }
    held[i] = 0.0;
}
