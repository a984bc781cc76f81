// The columns that everybody has follow the order that bin.wgsl found. A model's own: permute_column.wgsl.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> motion_next: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> body_next: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> journey_next: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> orders: array<u32>;

@compute @workgroup_size(256)
fn permute(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
           @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let source = orders[i];
    motion_next[i] = motion[source];
    body_next[i] = body[source];
    journey_next[i] = journey[source];
}
