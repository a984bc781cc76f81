// After walls have changed: whoever is in a wall now is put aside to the nearest free place. As `settle` of the CPU engine.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> potential: array<f32>;
@group(0) @binding(6) var<storage, read_write> tally: array<atomic<u32>>;

fn buried(p: vec2<f32>) -> bool { return in_wall(p) || wall_depth(p, 0.9 * SKIN) > 0.0; }

@compute @workgroup_size(64)
fn displace(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 64u);
    if (i >= params.agents || !on_floor(journey[i])) { return; }
    let here = motion[i];
    let p = here.xy;
    if (!buried(p)) { return; }
    atomicAdd(&tally[DISPLACED], 1u);
    let radius = radius_of(body[i]);
    let to_point = goal_of(journey[i]) == POINT;
    var route = 0u;
    if (!to_point) { route = route_of(journey[i]); }
    let size = vec2<f32>(f32(params.width), f32(params.height)) * params.cell;
    let range = length(size);
    // First a place that the goal can be reached from, if it has one; then any; then one clear by a hair.
    for (var wish = 0u; wish < 3u; wish++) {
        if (wish == 0u && to_point) { continue; }
        let gap = select(radius, SKIN, wish == 2u);
        for (var ring = 0u; ring < 4096u; ring++) {
            let away = 0.25 * params.cell * f32(ring) * (1.0 + f32(ring) / 24.0);
            if (away > range) { break; }
            let count = select(min(6u * ring, 96u), 1u, ring == 0u);
            for (var k = 0u; k < count; k++) {
                let angle = 6.2831853 * f32(k) / f32(count);
                let q = p + vec2<f32>(cos(angle), sin(angle)) * away;
                if (in_wall(q) || wall_depth(q, gap) > 0.0) { continue; }
                if (wish == 0u && potential[per_route(route, cell_xy(q))] >= UNREACHED) { continue; }
                motion[i] = vec4<f32>(q, here.zw);
                return;
            }
        }
    }
}
