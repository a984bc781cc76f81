// After the last round: the push becomes part of the velocity, and what overlap is left is measured.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> before: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> bodies: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> masks: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> tally: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> world: array<vec4<u32>>;

var<workgroup> deep_sum: atomic<u32>;
var<workgroup> deep_most: atomic<u32>;
var<workgroup> deep_many: atomic<u32>;

fn depth(own: vec4<f32>, j: u32) -> f32 {
    let other = bodies[j];
    let touch = own.z + other.z;
    let apart = other.xy - own.xy;
    let square = dot(apart, apart);
    if (square >= touch * touch) { return 0.0; }
    return (touch - sqrt(square)) / touch;
}

@compute @workgroup_size(128)
fn finish(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (lane == 0u) {
        atomicStore(&deep_sum, 0u);
        atomicStore(&deep_most, 0u);
        atomicStore(&deep_many, 0u);
    }
    workgroupBarrier();
    if (i < floor_count()) {
        let own = bodies[i];
        let origin = before[i];
        let moved = own.xy - origin.xy;
        motion[i] = vec4<f32>(own.xy, motion[i].zw + moved / params.dt);
        var deepest = 0.0;
        let mask = masks[i];
        let w = window(origin.xy);
        var base = 0u;
        var found = 0u;
        let all_of_them = all(mask == LOOK_AT_ALL);
        for (var y = w.low.y; y <= w.high.y; y++) {
            let range = run(w, y);
            for (var k = range.x; k < range.y && found < MOST_NEIGHBOURS; k++) {
                let bit = base + k - range.x;
                var chosen = false;
                let j = candidate(k);
                if (all_of_them) {
                    chosen = j != i && is_neighbour(origin, before[j]);
                } else {
                    chosen = (select(mask.y, mask.x, bit < 32u) & (1u << (bit & 31u))) != 0u;
                }
                if (chosen) {
                    found++;
                    // Masks hold only those who are seen.
                    let hidden = all_of_them && own.w != 0.0 && !sees(origin.xy, before[j].xy);
                    if (!hidden) { deepest = max(deepest, depth(own, j)); }
                }
            }
            base += range.y - range.x;
        }
        if (deepest > 0.0) {
            atomicAdd(&deep_sum, u32(round(deepest * 1048576.0)));
            atomicMax(&deep_most, bitcast<u32>(deepest));
            if (deepest > 0.05) { atomicAdd(&deep_many, 1u); }
        }
    }
    workgroupBarrier();
    if (lane == 0u) {
        add_long(OVERLAP_SUM, atomicLoad(&deep_sum));
        atomicMax(&tally[OVERLAP_MOST], atomicLoad(&deep_most));
        atomicAdd(&tally[OVERLAP_MANY], atomicLoad(&deep_many));
    }
}
