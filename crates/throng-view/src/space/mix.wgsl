// The sums of sums.wgsl become light, sample by sample: as many samples of a pixel as are covered, and the last in part. They
// are shown as other agents are, whose edges are samples too.

@group(0) @binding(0) var<storage, read> sums: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> nearest: array<u32>;

// Units of area in a pixel: sums.wgsl's.
const AREA: f32 = 4096.0;

@vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 1u) * 4.0 - 1.0, f32(v >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

struct Mixed {
    @location(0) colour: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

fn number_of(pixel: vec2<u32>) -> u32 { return pixel.y * u32(space.screen.x) + pixel.x; }

// How much of a sample is covered.
fn cover(at: vec4<f32>, s: u32) -> f32 {
    let pixel = vec2<u32>(at.xy);
    let sum = sums[number_of(pixel)];
    // Most pixels have nobody far away.
    if (sum.w == 0u) { return 0.0; }
    // Seen from the side bodies overlap, so that sums grow faster than what is covered; from above they stand beside each other.
    let there = space.unclip * vec4<f32>(at.xy / space.screen * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0), 1.0, 1.0);
    let steep = clamp(-normalize(there.xyz / there.w - space.eye.xyz).z, 0.0, 1.0);
    let area = f32(sum.w) / AREA;
    let sharp = mix(3.0, 12.0, steep);
    let covered = area / pow(1.0 + pow(min(area, 16.0), sharp), 1.0 / sharp);
    // From pixel to pixel another sample comes first.
    let order = (s + pixel.x + 2u * pixel.y) & 3u;
    return clamp(4.0 * covered - f32(order), 0.0, 1.0);
}

@fragment fn mixed(@builtin(position) at: vec4<f32>, @builtin(sample_index) s: u32) -> Mixed {
    let alpha = cover(at, s);
    if (alpha <= 0.0) { discard; }
    let k = number_of(vec2<u32>(at.xy));
    let sum = sums[k];
    return Mixed(vec4<f32>(vec3<f32>(sum.xyz) / f32(sum.w) * alpha, alpha), bitcast<f32>(nearest[k]));
}

// Depth alone, of samples that are covered for the most part: what is behind the others is seen.
@fragment fn deep(@builtin(position) at: vec4<f32>, @builtin(sample_index) s: u32) -> Mixed {
    if (cover(at, s) < 0.5) { discard; }
    return Mixed(vec4<f32>(0.0), bitcast<f32>(nearest[number_of(vec2<u32>(at.xy))]));
}
