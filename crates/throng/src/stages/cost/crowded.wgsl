// What the floor around crowded goals costs more: see crowded.rs, and world/crowding.rs for the list.

@group(0) @binding(1) var<storage, read> average: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> cost: array<vec4<f32>>;

fn crowd_word(at: u32) -> u32 { return world[params.crowded + at / 4u][at & 3u]; }

@compute @workgroup_size(64)
fn add_crowds(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
              @builtin(local_invocation_index) lane: u32) {
    let k = item(group, groups, lane, 64u);
    if (k >= crowd_word(0u)) { return; }
    let cell = crowd_word(1u + 3u * k);
    let list = crowd_word(2u + 3u * k);
    let count = crowd_word(3u + 3u * k);
    var sum = 0.0;
    for (var j = 0u; j < count; j++) { sum += average[crowd_word(list + j)].x; }
    let more = params.goal_crowding * params.persons_per_density * (sum / f32(max(count, 1u))) * params.cell;
    let at = tiled(vec2<u32>(cell % params.width, cell / params.width));
    for (var field = 0u; field < params.cost_fields; field++) {
        let place = field * params.tiles * 256u + at;
        let c = cost[place];
        cost[place] = select(c, c + more, c < vec4<f32>(UNREACHED));
    }
}
