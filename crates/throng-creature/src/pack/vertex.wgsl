// Vertices of 128 bits: vertex.rs, twin by twin. `low` and `high` are the corners of the box.

struct Vertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    handedness: f32,
    uv: vec2<f32>,
}

fn vertex_unfolded(packed: vec2<i32>) -> vec3<i32> {
    let z = 32767 - abs(packed.x) - abs(packed.y);
    let side = select(vec2<i32>(1), vec2<i32>(-1), packed < vec2<i32>(0));
    let folded = (vec2<i32>(32767) - abs(packed.yx)) * side;
    return vec3<i32>(select(folded, packed, z >= 0), z);
}

fn vertex_octahedral(normal: vec3<f32>) -> vec2<i32> {
    let flat = normal.xy / (abs(normal.x) + abs(normal.y) + abs(normal.z));
    let side = select(vec2<f32>(1.0), vec2<f32>(-1.0), flat < vec2<f32>(0.0));
    let folded = select((vec2<f32>(1.0) - abs(flat.yx)) * side, flat, normal.z >= 0.0);
    return vec2<i32>(round(clamp(folded, vec2<f32>(-1.0), vec2<f32>(1.0)) * 32767.0));
}

// Two directions at right angles to a packed normal: the columns, with the normal itself.
fn vertex_frame(packed: vec2<i32>) -> mat3x3<f32> {
    let corner = vertex_unfolded(packed);
    let n = normalize(vec3<f32>(corner));
    let side = select(1.0, -1.0, corner.z < 0);
    let a = -1.0 / (side + n.z);
    let b = n.x * n.y * a;
    return mat3x3<f32>(
        vec3<f32>(1.0 + side * n.x * n.x * a, side * b, -side * n.x),
        vec3<f32>(b, side + n.y * n.y * a, -n.y),
        n,
    );
}

fn pack_vertex(v: Vertex, low: vec3<f32>, high: vec3<f32>) -> vec4<u32> {
    let at = vec3<u32>(round(clamp((v.position - low) / (high - low), vec3<f32>(0.0), vec3<f32>(1.0)) * 65535.0));
    let normal = vertex_octahedral(v.normal);
    let axes = vertex_frame(normal);
    let turn = atan2(dot(v.tangent, axes[1]), dot(v.tangent, axes[0])) / 6.283185307179586;
    let angle = u32(i32(round(turn * 32768.0))) & 0x7fffu;
    let hand = select(0u, 0x8000u, v.handedness < 0.0);
    let n = vec2<u32>(normal) & vec2<u32>(0xffffu);
    let uv = vec2<u32>(round(clamp(v.uv, vec2<f32>(0.0), vec2<f32>(1.0)) * 65535.0));
    return vec4<u32>(at.x | (at.y << 16u), at.z | ((angle | hand) << 16u), n.x | (n.y << 16u), uv.x | (uv.y << 16u));
}

fn unpack_position(packed: vec4<u32>, low: vec3<f32>, high: vec3<f32>) -> vec3<f32> {
    let at = vec3<f32>(vec3<u32>(packed.x & 0xffffu, packed.x >> 16u, packed.y & 0xffffu)) / 65535.0;
    return low + (high - low) * at;
}

fn unpack_vertex(packed: vec4<u32>, low: vec3<f32>, high: vec3<f32>) -> Vertex {
    let axes = vertex_frame(vec2<i32>(i32(packed.z << 16u) >> 16u, i32(packed.z) >> 16u));
    let angle = f32((packed.y >> 16u) & 0x7fffu) / 32768.0 * 6.283185307179586;
    var v: Vertex;
    v.position = unpack_position(packed, low, high);
    v.normal = axes[2];
    v.tangent = axes[0] * cos(angle) + axes[1] * sin(angle);
    v.handedness = select(1.0, -1.0, (packed.y >> 31u) != 0u);
    v.uv = vec2<f32>(vec2<u32>(packed.w & 0xffffu, packed.w >> 16u)) / 65535.0;
    return v;
}

fn paper_pack_vertex(v: Vertex, low: vec3<f32>, high: vec3<f32>) -> vec4<u32> {
    let at = vec3<u32>(round(clamp((v.position - low) / (high - low), vec3<f32>(0.0), vec3<f32>(1.0)) * 65535.0));
    let theta = acos(clamp(v.tangent.z, -1.0, 1.0)) / 3.141592653589793;
    // atan2(0, 0) is not defined in WGSL: a tangent straight up has no direction sideways.
    let sideways = any(v.tangent.xy != vec2<f32>(0.0));
    let phi = select(0.0, atan2(v.tangent.x, select(1.0, v.tangent.y, sideways)), sideways) / 6.283185307179586 + 0.5;
    let tangent = (u32(round(theta * 255.0)) << 8u) | u32(round(phi * 255.0));
    let n = vec3<u32>(round(clamp(v.normal * 0.5 + 0.5, vec3<f32>(0.0), vec3<f32>(1.0)) * vec3<f32>(1023.0, 2047.0, 2047.0)));
    let uv = vec2<u32>(round(clamp(v.uv, vec2<f32>(0.0), vec2<f32>(1.0)) * 65535.0));
    let hand = select(0u, 1u, v.handedness < 0.0);
    return vec4<u32>(
        (at.x << 16u) | at.y,
        (at.z << 16u) | tangent,
        (n.x << 22u) | (n.y << 11u) | n.z,
        (uv.x << 16u) | (uv.y & 0xfffeu) | hand,
    );
}

fn paper_unpack_vertex(packed: vec4<u32>, low: vec3<f32>, high: vec3<f32>) -> Vertex {
    let at = vec3<f32>(vec3<u32>(packed.x >> 16u, packed.x & 0xffffu, packed.y >> 16u)) / 65535.0;
    let theta = f32((packed.y >> 8u) & 0xffu) / 255.0 * 3.141592653589793;
    let phi = f32(packed.y & 0xffu) / 255.0 * 6.283185307179586 - 3.141592653589793;
    let n = vec3<f32>(vec3<u32>(packed.z >> 22u, (packed.z >> 11u) & 0x7ffu, packed.z & 0x7ffu));
    var v: Vertex;
    v.position = low + (high - low) * at;
    v.normal = normalize(n / vec3<f32>(1023.0, 2047.0, 2047.0) * 2.0 - 1.0);
    v.tangent = vec3<f32>(sin(phi) * sin(theta), cos(phi) * sin(theta), cos(theta));
    v.handedness = select(1.0, -1.0, (packed.w & 1u) != 0u);
    v.uv = vec2<f32>(vec2<u32>(packed.w >> 16u, packed.w & 0xfffeu)) / 65535.0;
    return v;
}
