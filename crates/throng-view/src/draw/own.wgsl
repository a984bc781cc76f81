// What a column of the model in use holds of the chosen one: a pass for each such column.

struct Place {
    // Where its numbers go in `out`, and how many an agent has.
    at: u32,
    width: u32,
}

@group(1) @binding(0) var<uniform> place: Place;
@group(1) @binding(1) var<storage, read> journey: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read> own: array<f32>;
@group(1) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(256)
fn tell(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= view.agents || journey[i].x != view.chosen || !is_on_floor(journey[i])) { return; }
    for (var k = 0u; k < place.width; k++) { out[place.at + k] = bitcast<u32>(own[i * place.width + k]); }
}
