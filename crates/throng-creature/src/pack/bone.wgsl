// A skinning matrix from 16 bytes: bone.rs. The columns of the result are the rows of the transform, so that a point p becomes
// vec4(p, 1) * matrix.

fn unpack_bone(packed: vec4<u32>, low: vec3<f32>, high: vec3<f32>) -> mat3x4<f32> {
    let halves = vec4<i32>(i32(packed.x << 16u), i32(packed.x), i32(packed.y << 16u), i32(packed.y)) >> vec4<u32>(16u);
    let q = normalize(vec4<f32>(halves));
    let at = vec3<f32>(vec3<u32>(packed.z & 0xffffu, packed.z >> 16u, packed.w & 0xffffu)) / 65535.0;
    let place = low + (high - low) * at;
    let s = f32(packed.w >> 16u) * (2.0 / 65535.0);
    return mat3x4<f32>(
        vec4<f32>(s * vec3<f32>(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y)), place.x),
        vec4<f32>(s * vec3<f32>(2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x)), place.y),
        vec4<f32>(s * vec3<f32>(2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)), place.z),
    );
}
