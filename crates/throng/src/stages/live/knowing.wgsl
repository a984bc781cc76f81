// Who sees that walls are not as they were at the beginning. See knowing.rs, whose rules these are.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;

const FAR_SIGHT: f32 = 10.0;
const AT_HAND: f32 = 2.0;
const BEFORE: f32 = 0.05;

fn is_seen(p: vec2<f32>, sign: vec4<f32>) -> bool {
    let way = closest(sign, p) - p;
    let far = length(way);
    if (far < AT_HAND) { return true; }
    if (far >= FAR_SIGHT) { return false; }
    return in_sight(p, p + way * (1.0 - BEFORE / far));
}

@compute @workgroup_size(128)
fn look_around(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
               @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let own = journey[i];
    if (!on_floor(own) || informed_of(own) != 0u || (params.step + own.x) % params.per_second != 0u) { return; }
    for (var k = 0u; k < params.sign_count; k++) {
        if (is_seen(motion[i].xy, numbers(params.signs + k))) {
            journey[i].z = own.z | INFORMED;
            return;
        }
    }
}
