// How far ground and buildings are, and then agents who are drawn already, over ever larger squares of pixels: texel (x, y) of level k is the farthest of the pixels
// from (x, y)·2ᵏ on, 2ᵏ wide and high, all four samples of each. Beyond the picture nothing is far.

// Of each pixel's samples: raster.wgsl's.
@group(0) @binding(0) var<storage, read> depths: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> pyramid: array<f32>;
// Of each level where it begins, how wide and how high it is; level 0 is not kept.
@group(0) @binding(2) var<uniform> levels: array<vec4<u32>, 16>;

var<workgroup> part: array<f32, 256>;

fn farthest(pixel: vec2<u32>) -> f32 {
    if (any(pixel >= vec2<u32>(space.screen))) { return 1.0; }
    let d = bitcast<vec4<f32>>(depths[pixel.y * u32(space.screen.x) + pixel.x]);
    return min(min(d.x, d.y), min(d.z, d.w));
}

fn put(level: u32, c: vec2<u32>, value: f32) {
    let l = levels[level];
    if (c.x < l.y && c.y < l.z) { pyramid[l.x + c.y * l.y + c.x] = value; }
}

fn at(level: u32, c: vec2<u32>) -> f32 {
    let l = levels[level];
    if (c.x >= l.y || c.y >= l.z) { return 1.0; }
    return pyramid[l.x + c.y * l.y + c.x];
}

// Levels 1 to 5 of 32 × 32 pixels.
@compute @workgroup_size(16, 16)
fn first(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
    let c = group.xy * 16u + id.xy;
    let lane = id.y * 16u + id.x;
    var d = min(min(farthest(2u * c), farthest(2u * c + vec2<u32>(1u, 0u))),
        min(farthest(2u * c + vec2<u32>(0u, 1u)), farthest(2u * c + 1u)));
    put(1u, c, d);
    part[lane] = d;
    for (var k = 1u; k < 5u; k++) {
        let half = 1u << (k - 1u);
        workgroupBarrier();
        let mine = all((id.xy & vec2<u32>((1u << k) - 1u)) == vec2<u32>(0u));
        if (mine) {
            d = min(min(d, part[lane + half]), min(part[lane + 16u * half], part[lane + 17u * half]));
        }
        workgroupBarrier();
        if (mine) {
            part[lane] = d;
            put(k + 1u, c >> vec2<u32>(k), d);
        }
    }
}

// The levels above, by one workgroup.
@compute @workgroup_size(256)
fn rest(@builtin(local_invocation_index) lane: u32) {
    for (var k = 6u; k <= space.levels; k++) {
        storageBarrier();
        let l = levels[k];
        for (var i = lane; i < l.y * l.z; i += 256u) {
            let c = vec2<u32>(i % l.y, i / l.y);
            put(k, c, min(min(at(k - 1u, 2u * c), at(k - 1u, 2u * c + vec2<u32>(1u, 0u))),
                min(at(k - 1u, 2u * c + vec2<u32>(0u, 1u)), at(k - 1u, 2u * c + 1u))));
        }
    }
}
