// The other two columns: see permute.wgsl.

@group(0) @binding(1) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> turn: array<f32>;
@group(0) @binding(3) var<storage, read_write> journey_next: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> turn_next: array<f32>;
@group(0) @binding(5) var<storage, read> orders: array<u32>;

@compute @workgroup_size(256)
fn journeys(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let source = orders[i];
    journey_next[i] = journey[source];
    turn_next[i] = turn[source];
}
