// Agents who are a few pixels tall at most: for each pixel sums of covered area, of light times area, and how near the nearest
// is. In integers, so that the order does not matter. Comes after tiles.wgsl.

// Of ground and walls.
@group(0) @binding(8) var depth: texture_depth_multisampled_2d;
// Four words a pixel: red, green and blue times area, and area, in 4096ths of a pixel's area: room for any heap.
@group(0) @binding(9) var<storage, read_write> sums: array<atomic<u32>>;
// Of each pixel the greatest depth, as bits of a number that is never below 0.
@group(0) @binding(10) var<storage, read_write> nearest: array<atomic<u32>>;

const AREA: f32 = 4096.0;
const LISTS: u32 = 16u;
// Light of a pixel at most, so that no sum overflows.
const BRIGHTEST: f32 = 16.0;
// How much of its box a body fills.
const FILLED: f32 = 0.85;
// How deep a body is, of what it reaches.
const DEEP: f32 = 0.4;
// How much nearer than its axis a body is, of what it reaches: arms and what they hold count for little.
const NEARER: f32 = 0.25;
// Pixels of a body across and along, at most.
const WIDEST: f32 = 32.0;

// How much of what is above a line across a pixel is in front of ground and walls: where somebody stands the ground before its
// feet does not hide it.
fn visible(pixel: vec2<u32>, feet: f32, near: f32) -> vec2<f32> {
    // Where the samples of a pixel are, from its top.
    let rows = vec4<f32>(0.125, 0.375, 0.625, 0.875);
    var seen = 0.0;
    var all_ = 0.0;
    var ground = 0.0;
    for (var s = 0; s < 4; s++) {
        let there = textureLoad(depth, pixel, s);
        ground = max(ground, there);
        if (s > 0 && f32(pixel.y) + rows[s] > feet) { continue; }
        all_ += 1.0;
        if (near >= there) { seen += 1.0; }
    }
    return vec2<f32>(seen / all_, ground);
}

@compute @workgroup_size(256)
fn add(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let instance = (group.y * groups.x + group.x) * 256u + lane;
    if (instance >= starts[LISTS + draw_of.list]) { return; }
    let seen = seen_of(who_of(instance), false);
    let clip = space.clip * vec4<f32>(seen.middle, 1.0);
    if (clip.w <= space.eye.w) { return; }
    let texel = tile_at(seen.tile);
    let share = textureLoad(shares, texel, seen.layer, LAST_COPY);
    let body = textureLoad(surface, texel, seen.layer, LAST_COPY);
    if (share.w <= 0.0) { return; }
    let extent = extent_of(seen, seen.tile.y);
    let scale = 0.5 * space.screen.y / (space.half.y * clip.w);
    let covered = share.w * 4.0 * extent.x * extent.y * scale * scale;
    // A box of that area, and a pixel wide and high at least, as a pixel sees it. Bodies are not as deep as they reach.
    let slope = SLOPE * f32(seen.tile.y);
    let high = 2.0 * (seen.tall * cos(slope) + DEEP * seen.wide * sin(slope)) * scale;
    let wide = min(2.0 * extent.x * scale, covered / (FILLED * high));
    let box = clamp(vec2<f32>(wide, high), vec2<f32>(1.0), vec2<f32>(WIDEST));
    let at = (clip.xy / clip.w * vec2<f32>(0.5, -0.5) + 0.5) * space.screen;
    let low = at - 0.5 * box;
    let top = at + 0.5 * box;
    let first = vec2<i32>(floor(max(low, vec2<f32>(0.0))));
    let last = vec2<i32>(floor(min(top, space.screen - 1.0)));
    if (any(last < first)) { return; }
    let near = space.eye.w / max(clip.w - NEARER * seen.wide, space.eye.w);

    let normal = seen.axes * ((body.xyz * 2.0 - share.w) / share.w);
    // Where its own body does not shade it: what of it does is in the mean of its normals.
    let p = seen.middle + space.sun.xyz * seen.wide;
    let light = unpack_reaching(characters[who_of(instance)].light);
    let dominant = light.dominant * shade_of(light.exposure, p, space.sun.xyz);
    let sent = lit_on_average(rest_of(light, normal), dominant, dot(normal, light.way), dot(normal, normal));
    let lit_ = painted(seen.paints, share / share.w) * sent;
    let colour = clamp(through_air(tinted(lit_, p), p), vec3<f32>(0.0), vec3<f32>(BRIGHTEST));

    // Parts of a unit are rounded up or down by chance, always the same for the same agent: small bodies do not vanish,
    // and nothing flickers.
    let chance = chance_of(seen.id, 4u);
    let feet = at.y + 0.5 * high;
    for (var y = first.y; y <= last.y; y++) {
        for (var x = first.x; x <= last.x; x++) {
            let c = vec2<f32>(f32(x), f32(y));
            let inside = max(min(top, c + 1.0) - max(low, c), vec2<f32>(0.0)) / box;
            let pixel = vec2<u32>(vec2<i32>(x, y));
            let shown = visible(pixel, feet, near);
            let q = floor(covered * inside.x * inside.y * shown.x * AREA + fract(chance + 0.37 * f32(x + 3 * y)));
            if (q < 1.0 || shown.x == 0.0) { continue; }
            let rgb = vec3<u32>(colour * q + 0.5);
            let k = u32(y) * u32(space.screen.x) + u32(x);
            atomicAdd(&sums[4u * k], rgb.x);
            atomicAdd(&sums[4u * k + 1u], rgb.y);
            atomicAdd(&sums[4u * k + 2u], rgb.z);
            atomicAdd(&sums[4u * k + 3u], u32(q));
            // What hides part of the pixel is counted already: only who is nearer than that hides the rest.
            atomicMax(&nearest[k], bitcast<u32>(max(near, shown.y)));
        }
    }
}
