// Cost: what it costs to walk from each cell to each neighbour, tile by tile as the solver reads it. A sample of tiles
// says what a link typically costs (the harmonic mean), which sets the width of the solver's buckets.

@group(0) @binding(1) var<storage, read> speed: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> cost: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> control: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read> seeds: array<u32>;

var<workgroup> sampled: atomic<u32>;
var<workgroup> sampled_count: atomic<u32>;

@compute @workgroup_size(256)
fn costs(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let number = item(group, groups, 0u, 1u);
    let tile = number % params.tiles;
    let field = number / params.tiles;
    let weights = bitcast<vec4<f32>>(world[params.weights + min(field, params.cost_fields - 1u)]);
    if (lane == 0u) {
        atomicStore(&sampled, 0u);
        atomicStore(&sampled_count, 0u);
    }
    workgroupBarrier();
    let xy = vec2<u32>(tile % params.tiles_x, tile / params.tiles_x) * 16u + vec2<u32>(lane & 15u, lane >> 4u);
    var c = vec4<f32>(UNREACHED);
    let inside = field < params.cost_fields && xy.x < params.width && xy.y < params.height;
    // By the chosen plan: continuum.wgsl, froblins/froblins.wgsl.
    if (inside) { c = link_costs(weights, cell_index(xy)); }
    if (field < params.cost_fields) { cost[number * 256u + lane] = c; }
    // The first field's links stand for all.
    if (field == 0u && tile % params.sample_every == 0u) {
        if (c.y < UNREACHED) {
            // Free floor counts 255, costlier links less: integers, so the sum is the same in any order.
            atomicAdd(&sampled, u32(clamp(255.0 * params.free_cost / c.y, 1.0, 4080.0)));
            atomicAdd(&sampled_count, 1u);
        }
    }
    workgroupBarrier();
    if (lane == 0u && atomicLoad(&sampled_count) > 0u) {
        // The mean of the tile in 1/256, so that thousands of tiles fit 32 bits.
        atomicAdd(&control[TYPICAL_SUM], atomicLoad(&sampled) * 16u / atomicLoad(&sampled_count));
        atomicAdd(&control[TYPICAL_COUNT], 1u);
    }
}

// Links that cost something else than the floor says: too narrow for those whom a field is for, or closed by gates. One
// workgroup a cell that has any; a cell that is in both lists has other links in each. See world/narrow.rs.
@compute @workgroup_size(1)
fn close_links(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = item(group, groups, 0u, 1u);
    if (i >= params.narrow_links) { return; }
    let entry = params.narrow_at + 3u * i;
    let at = seeds[entry];
    let bits = seeds[entry + 1u];
    let other = bitcast<f32>(seeds[entry + 2u]);
    // Each component by itself: another thread may write the others.
    if ((bits & 1u) != 0u) { cost[at].x = other; }
    if ((bits & 2u) != 0u) { cost[at].y = other; }
    if ((bits & 4u) != 0u) { cost[at].z = other; }
    if ((bits & 8u) != 0u) { cost[at].w = other; }
}
