// The ground's depth: chunks of 64 × 64 quads, drawn from the heights, and an apron around the world that runs to the horizon.

struct Ground {
    @builtin(position) at: vec4<f32>,
}

const SIDE: u32 = 64u;
// How far the apron goes, in half worlds.
const APRON: f32 = 80.0;

fn corner(c: vec2<u32>) -> vec3<f32> {
    let k = min(c, space.corners - 1u);
    return vec3<f32>(vec2<f32>(k) * space.quad, corner_height(k));
}

@vertex fn ground(@builtin(vertex_index) v: u32, @location(0) chunk: vec2<u32>) -> Ground {
    let p = corner(chunk * SIDE + vec2<u32>(v % (SIDE + 1u), v / (SIDE + 1u)));
    return Ground(draw_of.clip * vec4<f32>(p, 1.0));
}

// The k-th corner of the mesh's rim, from the south-west one over south, east, north and west.
fn rim(k: u32) -> vec2<u32> {
    let n = space.corners - 1u;
    if (k < n.x) { return vec2<u32>(k, 0u); }
    if (k < n.x + n.y) { return vec2<u32>(n.x, k - n.x); }
    if (k < 2u * n.x + n.y) { return vec2<u32>(2u * n.x + n.y - k, n.y); }
    return vec2<u32>(0u, 2u * (n.x + n.y) - k);
}

// Five rings around the world, by how many times as large: four on which it comes down, one at the horizon.
@vertex fn apron(@builtin(vertex_index) v: u32) -> Ground {
    let around = 2u * (space.corners.x + space.corners.y - 2u);
    let rings = array<f32, 5>(1.0, 1.0 + FALL / 3.0, 1.0 + FALL * 2.0 / 3.0, 1.0 + FALL, APRON);
    let turns = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let k = turns[v % 6u];
    let strip = v / 6u / around;
    // Inner, outer, inner of the next, outer of the next.
    var p = corner(rim((v / 6u + (k >> 1u)) % around));
    let ring = strip + (k & 1u);
    if (ring > 0u) {
        let middle = 0.5 * space.extent;
        let out = middle + (p.xy - middle) * rings[ring];
        p = vec3<f32>(out, height_at(out));
    }
    return Ground(draw_of.clip * vec4<f32>(p, 1.0));
}
