// A column that only one model has follows the order that bin.wgsl found.

@group(0) @binding(1) var<storage, read> own: array<f32>;
@group(0) @binding(2) var<storage, read_write> own_next: array<f32>;
@group(0) @binding(3) var<storage, read> orders: array<u32>;

// Numbers an agent.
override WIDTH: u32 = 1u;

@compute @workgroup_size(256)
fn permute_column(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                  @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let source = orders[i];
    for (var k = 0u; k < WIDTH; k++) { own_next[i * WIDTH + k] = own[source * WIDTH + k]; }
}
