// What moves a character: its bones between keys of one or two clips, and its individual's proportions.

fn bone_at(first: u32, joint: u32, share: f32) -> mat3x4<f32> {
    let a = unpack_bone(table[shape.bones_at + first + joint], shape.bones_low, shape.bones_high);
    let b = unpack_bone(table[shape.bones_at + first + shape.bones + joint], shape.bones_low, shape.bones_high);
    return a * (1.0 - share) + b * share;
}

// In a pose of animate.wgsl's.
fn bone_in(pose: vec4<u32>, joint: u32) -> mat3x4<f32> {
    let shares = unpack2x16unorm(pose.z);
    let before = bitcast<f32>(pose.w);
    var bone = bone_at(pose.x, joint, shares.x);
    if (before > 0.0) { bone = bone * (1.0 - before) + bone_at(pose.y, joint, shares.y) * before; }
    return bone;
}

// Where the individual's proportions put what hangs on a bone: offset and scale.
fn grown(joint: u32, it: ptr<function, Variation>) -> vec4<f32> {
    let inner = table[shape.growths_at + 2u * joint];
    let outer = table[shape.growths_at + 2u * joint + 1u];
    return variation_grow(
        bitcast<vec3<f32>>(inner.xyz), (*it).channels[inner.w], bitcast<vec3<f32>>(outer.xyz), (*it).channels[outer.w]);
}
