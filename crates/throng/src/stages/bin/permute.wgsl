// Columns follow the order that bin.wgsl found: two of them here, the other two in permute_minds.wgsl.

@group(0) @binding(1) var<storage, read> place: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> form: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> place_next: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> form_next: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> orders: array<u32>;

@compute @workgroup_size(256)
fn bodies(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= params.agents) { return; }
    let source = orders[i];
    place_next[i] = place[source];
    form_next[i] = form[source];
}
