// Close-ups: points of patches, relief.rs twin by twin. Corners come in the order of their places' numbers: the caller sorts them, and their
// weights with them, so that faces on both sides of an edge compute the same bits.

struct Corner {
    rest: vec3<f32>,
    rest_normal: vec3<f32>,
    rest_tangent: vec3<f32>,
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    // What the surface is bent by and pushed along: the normal, or nothing.
    bend: vec3<f32>,
    displacement: f32,
}

struct PatchPoint {
    position: vec3<f32>,
    normal: vec3<f32>,
}

fn relief_value(x: i32, y: i32, z: i32) -> f32 {
    var h = (u32(x) * 0x8da6b343u) ^ (u32(y) * 0xd8163841u) ^ (u32(z) * 0xcb1ab31fu);
    h = (h ^ (h >> 16u)) * 0x7feb352du;
    h = (h ^ (h >> 15u)) * 0x846ca68bu;
    return f32(h >> 16u) * (1.0 / 32768.0) - 1.0;
}

// Slope, then height.
fn relief_noise(p: vec3<f32>) -> vec4<f32> {
    let cell = floor(p);
    let t = p - cell;
    let s = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let ds = t * t * (t * (t * 30.0 - 60.0) + 30.0);
    let i = vec3<i32>(cell);
    let a = relief_value(i.x, i.y, i.z);
    let b = relief_value(i.x + 1, i.y, i.z);
    let c = relief_value(i.x, i.y + 1, i.z);
    let d = relief_value(i.x, i.y, i.z + 1);
    let e = relief_value(i.x + 1, i.y + 1, i.z);
    let f = relief_value(i.x, i.y + 1, i.z + 1);
    let g = relief_value(i.x + 1, i.y, i.z + 1);
    let h = relief_value(i.x + 1, i.y + 1, i.z + 1);
    let k = vec3<f32>(b - a, c - a, d - a);
    // Of x and y, y and z, z and x.
    let pairs = vec3<f32>(a - b - c + e, a - c - d + f, a - b - d + g);
    let all3 = b + c + d - a - e - f - g + h;
    let height = a + dot(k, s) + pairs.x * s.x * s.y + pairs.y * s.y * s.z + pairs.z * s.z * s.x + all3 * s.x * s.y * s.z;
    let slope = vec3<f32>(
        k.x + pairs.x * s.y + pairs.z * s.z + all3 * s.y * s.z,
        k.y + pairs.y * s.z + pairs.x * s.x + all3 * s.z * s.x,
        k.z + pairs.z * s.x + pairs.y * s.y + all3 * s.x * s.y,
    );
    return vec4<f32>(slope * ds, height);
}

fn relief(p: vec3<f32>) -> vec4<f32> {
    let coarse = relief_noise(p * 33.0);
    let fine = relief_noise(p * 91.0 + 17.5);
    return vec4<f32>(coarse.xyz * (33.0 * 0.65) + fine.xyz * (91.0 * 0.35), coarse.w * 0.65 + fine.w * 0.35);
}

fn relief_across(direction: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let level = direction - normal * dot(direction, normal);
    if dot(level, level) > 1e-8 {
        return normalize(level);
    }
    return normalize(cross(normal, vec3<f32>(0.48, 0.6, 0.64)));
}

fn patch_curved(flat_point: vec3<f32>, corner: Corner) -> vec3<f32> {
    return flat_point - corner.bend * dot(flat_point - corner.position, corner.bend);
}

// Sums of the corners by their weights, each term added by one fma. A term with a weight of 0 adds nothing wherever it stands, so that
// the faces on both sides of an edge have the same bits; were the products left to the compiler, it could join them differently.
fn patch_sum(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, w: vec3<f32>) -> vec3<f32> {
    return fma(c, vec3<f32>(w.z), fma(b, vec3<f32>(w.y), a * w.x));
}

fn patch_point(a: Corner, b: Corner, c: Corner, w: vec3<f32>) -> PatchPoint {
    let level = patch_sum(a.position, b.position, c.position, w);
    let curved = patch_sum(patch_curved(level, a), patch_curved(level, b), patch_curved(level, c), w);
    let position = level + (curved - level) * 0.75;
    let bend = patch_sum(a.bend, b.bend, c.bend, w);
    // Nothing where nothing bends.
    let out = bend / max(length(bend), 1e-6);
    let normal = normalize(patch_sum(a.normal, b.normal, c.normal, w));
    let tangent = relief_across(patch_sum(a.tangent, b.tangent, c.tangent, w), normal);
    let rest_normal = normalize(patch_sum(a.rest_normal, b.rest_normal, c.rest_normal, w));
    let rest_tangent = relief_across(patch_sum(a.rest_tangent, b.rest_tangent, c.rest_tangent, w), rest_normal);
    let push = fma(c.displacement, w.z, fma(b.displacement, w.y, a.displacement * w.x));
    let bumps = relief(patch_sum(a.rest, b.rest, c.rest, w));
    let along = dot(bumps.xyz, rest_tangent);
    let beside = dot(bumps.xyz, cross(rest_normal, rest_tangent));
    let tilt = tangent * along + cross(normal, tangent) * beside;
    return PatchPoint(position + out * (bumps.w * push), normalize(normal - tilt * push));
}
