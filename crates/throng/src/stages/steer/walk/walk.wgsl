// Avoid, of the steering `follow`: nobody is avoided. See mod.rs.

@group(0) @binding(1) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
// Velocity and heading.
@group(0) @binding(4) var<storage, read_write> wanted: array<vec4<f32>>;

@compute @workgroup_size(128)
fn walk(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    wanted[i] = obey(heading_of(body[i]), guide[i]);
}
