// Before the rounds of separate.wgsl: bodies as the rounds see them, and who is near whom.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> before: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> masks: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> tally: array<atomic<u32>>;

@compute @workgroup_size(256)
fn gather(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= floor_count()) { return; }
    let p = motion[i].xy;
    // A wall that is not near this cell is farther than a radius and a stride: no round brings it near.
    let near_wall = select(0.0, 1.0, (world[cell_at(p)].x & NEAR) != 0u);
    before[i] = vec4<f32>(p, radius_of(body[i]), near_wall);
}

@compute @workgroup_size(128)
fn find(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= floor_count()) { return; }
    let own = before[i];
    let near_wall = own.w != 0.0;
    let w = window(own.xy);
    var mask = vec2<u32>(0u);
    var base = 0u;
    var found = 0u;
    for (var y = w.low.y; y <= w.high.y; y++) {
        let range = run(w, y);
        for (var k = range.x; k < range.y; k++) {
            let j = candidate(k);
            let other = before[j];
            if (j != i && is_neighbour(own, other)) {
                found++;
                let bit = base + k - range.x;
                if (bit < 64u && (!near_wall || sees(own.xy, other.xy))) {
                    if (bit < 32u) { mask.x |= 1u << bit; } else { mask.y |= 1u << (bit - 32u); }
                }
            }
        }
        base += range.y - range.x;
    }
    if (base > 64u || params.neighbours != BINS) { mask = LOOK_AT_ALL; }
    masks[i] = mask;
    if (found > MOST_NEIGHBOURS) { atomicAdd(&tally[LEFT_OUT], found - MOST_NEIGHBOURS); }
}
