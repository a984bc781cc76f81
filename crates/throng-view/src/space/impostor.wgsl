// Agents who are small on the screen: a picture of each from the atlas that faces the eye. Comes after tiles.wgsl.

@group(0) @binding(8) var softly: sampler;

// Its light is found once for all of it.
struct Board {
    @builtin(position) at: vec4<f32>,
    // From the middle, m, to the right and up; then how much of the dominant light is left there.
    @location(0) from_middle: vec3<f32>,
    @location(1) @interpolate(flat) layer_and_chance: vec2<u32>,
    @location(2) @interpolate(flat) tile: vec3<u32>,
    @location(3) @interpolate(flat) next: vec3<u32>,
    @location(4) @interpolate(flat) share: vec3<f32>,
    // Half the width of tiles, half the body's height, m, and pixels in a metre.
    @location(5) @interpolate(flat) sizes: vec3<f32>,
    @location(6) @interpolate(flat) skin: vec3<f32>,
    @location(7) @interpolate(flat) tinted: vec3<f32>,
    @location(8) @interpolate(flat) cloth: vec3<f32>,
    @location(9) @interpolate(flat) other: vec3<f32>,
    // How far ahead of the eye its middle is, and by how much more what is a metre to the right, up, and towards the eye.
    @location(10) @interpolate(flat) ahead: vec4<f32>,
    // What the air leaves of the dominant light and of the rest; which way the first comes from, and by how much more of
    // the second comes from there, along the body's axes; what the air adds.
    @location(11) @interpolate(flat) dominant: vec3<f32>,
    @location(12) @interpolate(flat) way: vec3<f32>,
    @location(13) @interpolate(flat) rest: vec3<f32>,
    @location(14) @interpolate(flat) more: vec3<f32>,
    @location(15) @interpolate(flat) air: vec3<f32>,
}

// Smaller ones are shown by one tile and not by a mixture, px: each look at a texture costs as much as many pixels are worth.
const MIXED: f32 = 9.0;

// Which smaller copy of a tile has texels as large as pixels.
fn copy_of(extent: vec3<f32>, scale: f32) -> f32 {
    let texels = 0.5 * TILE / (extent.xy * scale);
    return clamp(0.5 * log2(texels.x * texels.y), 0.0, f32(LAST_COPY));
}

// From its axis to what of a body is in the sun, of its width.
const SUNLIT: f32 = 0.4;

fn pixels_in_a_metre(p: vec3<f32>) -> f32 {
    let away = max((space.clip * vec4<f32>(p, 1.0)).w, space.eye.w);
    return 0.5 * space.screen.y / (space.half.y * away);
}

@vertex fn board(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Board {
    let agent = who_of(instance);
    let who = characters[agent];
    let seen = seen_of(agent, stills[0].w == 1u && space.tall * who.size * pixels_in_a_metre(who.place) >= MIXED);
    let scale = pixels_in_a_metre(seen.middle);
    let a = extent_of(seen, seen.tile.y);
    let b = extent_of(seen, seen.next.y);
    // Half a texel more on all sides, where the outermost ones fade.
    let more = 1.0 + exp2(max(copy_of(a, scale), copy_of(b, scale))) / TILE;
    let from_middle = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    var out: Board;
    let half = max(a.xy, b.xy);
    out.from_middle = vec3<f32>(from_middle * half * more, 1.0);
    let p = seen.middle + seen.right * out.from_middle.x + seen.up * out.from_middle.y;
    out.at = space.clip * vec4<f32>(p, 1.0);
    out.layer_and_chance = vec2<u32>(seen.layer, hash(seen.id));
    out.tile = seen.tile;
    out.next = seen.next;
    out.share = seen.share;
    out.sizes = vec3<f32>(seen.wide, seen.tall, scale);
    out.skin = tinted(seen.paints.skin, seen.middle);
    out.tinted = tinted(seen.paints.tinted, seen.middle);
    out.cloth = tinted(seen.paints.cloth, seen.middle);
    out.other = tinted(seen.paints.other, seen.middle);
    let back = vec3<f32>(space.view[0].z, space.view[1].z, space.view[2].z);
    out.ahead = -vec4<f32>((space.view * vec4<f32>(seen.middle, 1.0)).z, dot(back, seen.right), dot(back, seen.up), dot(back, seen.towards));

    let light = unpack_reaching(who.light);
    let air = air_at(seen.middle);
    // At its four ends, within the body but towards the sun: what of it faces away is in the normals.
    let end = seen.middle + seen.right * (0.4 * half.x * from_middle.x) + seen.up * (0.7 * half.y * from_middle.y);
    out.from_middle.z = shade_of(light.exposure, end + space.sun.xyz * (SUNLIT * seen.wide), space.sun.xyz);
    out.dominant = light.dominant * air.left;
    out.way = light.way * seen.axes;
    out.rest = light.rest[0] * air.left;
    let along = vec3<f32>(brightness(light.rest[1]), brightness(light.rest[2]), brightness(light.rest[3]));
    out.more = along * seen.axes / max(brightness(light.rest[0]), 1e-6);
    out.air = air.added;
    return out;
}

struct Covered {
    @location(0) colour: vec4<f32>,
    @builtin(sample_mask) samples: u32,
    @builtin(frag_depth) depth: f32,
}

// How much nearer than what the picture shows of it somebody counts as, of its width: depths of feet are mixed with the ground's.
const NEARER: f32 = 0.1;

@fragment fn boarded(in: Board) -> Covered {
    var seen: Seen;
    seen.wide = in.sizes.x;
    seen.tall = in.sizes.y;
    var share = vec4<f32>(0.0);
    var normal = vec3<f32>(0.0);
    var near = 0.0;
    let tiles = vec2<f32>(f32(DIRECTIONS), f32(SLOPES * PHASES));
    let mixes = select(1u, 8u, any(in.share > vec3<f32>(0.0)));
    for (var k = 0u; k < mixes; k++) {
        let second = (vec3<u32>(k) & vec3<u32>(1u, 2u, 4u)) != vec3<u32>(0u);
        let of_it = select(1.0 - in.share, in.share, second);
        let weight = of_it.x * of_it.y * of_it.z;
        if (weight < 0.004) { continue; }
        let tile = select(in.tile, in.next, second);
        let extent = extent_of(seen, tile.y);
        let copy = copy_of(extent, in.sizes.z);
        let half_texel = 0.5 * exp2(copy) / TILE;
        let at = in.from_middle.xy / extent.xy * vec2<f32>(0.5, -0.5) + 0.5;
        let inside = clamp(at, vec2<f32>(half_texel), vec2<f32>(1.0 - half_texel));
        let fades = max(1.0 - abs(at - inside) / (2.0 * half_texel), vec2<f32>(0.0));
        let uv = (vec2<f32>(tile_at(tile)) + inside) / tiles;
        let w = weight * fades.x * fades.y;
        let a = textureSampleLevel(shares, softly, uv, in.layer_and_chance.x, copy);
        let b = textureSampleLevel(surface, softly, uv, in.layer_and_chance.x, copy);
        share += w * a;
        normal += w * (b.xyz * 2.0 - a.w);
        near += w * (b.w * 2.0 - a.w) * extent.z;
    }
    // Parts of a sample are covered by chance; whose samples come first differs, so that those behind each other do not hide
    // the same ones.
    let pixel = vec2<u32>(in.at.xy);
    let chance = hash(in.layer_and_chance.y ^ (pixel.x * 0x9e3779b1u + pixel.y * 0x85ebca77u));
    let samples = u32(clamp(4.0 * share.w + f32(chance & 0xffffu) / 65536.0, 0.0, 4.0));
    if (samples == 0u) { discard; }
    let mask = ((1u << samples) - 1u) << (chance >> 30u);

    normal /= share.w;
    let rest = in.rest * max(1.0 + dot(in.more, normal), 0.0);
    let sent = lit_on_average(rest, in.dominant * in.from_middle.z, dot(in.way, normal), dot(normal, normal));
    let colour = painted(Paints(in.skin, in.tinted, in.cloth, in.other), share / share.w) * sent + in.air;
    // As deep as its surface is there: who stands behind a wall is behind it.
    let front = in.ahead.x + dot(in.ahead.yzw, vec3<f32>(in.from_middle.xy, near / share.w + NEARER * in.sizes.x));
    let depth = space.eye.w / max(front, space.eye.w);
    return Covered(vec4<f32>(colour, 1.0), (mask | (mask >> 4u)) & 15u, depth);
}
