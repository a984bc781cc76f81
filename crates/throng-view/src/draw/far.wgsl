// Comes after agents.wgsl, for crowds whose bodies are smaller than pixels: sums of covered area and of colour times area.

// Four words a pixel: red, green, blue times area, and area, in 4096ths of a pixel's area: room for any heap.
@group(2) @binding(0) var<storage, read_write> sums: array<atomic<u32>>;

const UNIT: f32 = 4096.0;

fn hash(x: u32) -> f32 {
    var h = x * 0x9e3779b1u;
    h = (h ^ (h >> 15u)) * 0x85ebca77u;
    h = h ^ (h >> 13u);
    return f32(h & 0xffffu) / 65536.0;
}

@compute @workgroup_size(256)
fn add(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= view.agents || !on_floor(i)) { return; }
    let at = to_view(seen_at(i)) - 0.5;
    let corner = vec2<i32>(floor(at));
    let size = vec2<i32>(view.size);
    if (any(corner < vec2<i32>(-1)) || any(corner >= size)) { return; }
    let f = at - vec2<f32>(corner);
    let radius = radius_of(body[i]) * view.body * view.scale;
    let covered = 3.14159265 * radius * radius * UNIT;
    let colour = colour_of(i);
    // Parts of a unit are rounded up or down by chance, always the same for the same agent: small bodies do not vanish,
    // and nothing flickers.
    let chance = hash(journey[i].x);
    for (var k = 0; k < 4; k++) {
        let d = vec2<i32>(k & 1, k >> 1u);
        let c = corner + d;
        if (any(c < vec2<i32>(0)) || any(c >= size)) { continue; }
        let w = select(1.0 - f.x, f.x, d.x == 1) * select(1.0 - f.y, f.y, d.y == 1);
        let q = floor(covered * w + fract(chance + 0.37 * f32(k)));
        if (q < 1.0) { continue; }
        let rgb = vec3<u32>(colour * q + 0.5);
        let pixel = 4u * (u32(c.y) * u32(size.x) + u32(c.x));
        atomicAdd(&sums[pixel], rgb.x);
        atomicAdd(&sums[pixel + 1u], rgb.y);
        atomicAdd(&sums[pixel + 2u], rgb.z);
        atomicAdd(&sums[pixel + 3u], u32(q));
    }
}
