// Agents who are small on the screen: a picture of each from the atlas that faces the eye. Comes after tiles.wgsl.

@group(0) @binding(8) var softly: sampler;

struct Board {
    @builtin(position) at: vec4<f32>,
    // From the middle, m, to the right and up.
    @location(0) from_middle: vec2<f32>,
    @location(1) @interpolate(flat) layer_and_chance: vec2<u32>,
    @location(2) @interpolate(flat) tile: vec3<u32>,
    @location(3) @interpolate(flat) next: vec3<u32>,
    @location(4) @interpolate(flat) share: vec3<f32>,
    @location(5) @interpolate(flat) middle: vec3<f32>,
    @location(6) @interpolate(flat) right: vec3<f32>,
    @location(7) @interpolate(flat) towards: vec3<f32>,
    @location(8) @interpolate(flat) ahead: vec3<f32>,
    @location(9) @interpolate(flat) side: vec3<f32>,
    // Half the width of tiles, half the body's height, m, and pixels in a metre.
    @location(10) @interpolate(flat) sizes: vec3<f32>,
    @location(11) @interpolate(flat) skin: vec3<f32>,
    @location(12) @interpolate(flat) tinted: vec3<f32>,
    @location(13) @interpolate(flat) cloth: vec3<f32>,
    @location(14) @interpolate(flat) other: vec3<f32>,
}

// Which smaller copy of a tile has texels as large as pixels.
fn copy_of(extent: vec3<f32>, scale: f32) -> f32 {
    let texels = 0.5 * TILE / (extent.xy * scale);
    return clamp(0.5 * log2(texels.x * texels.y), 0.0, f32(LAST_COPY));
}

@vertex fn board(@builtin(vertex_index) corner: u32, @builtin(instance_index) instance: u32) -> Board {
    let seen = seen_of(who_of(instance), stills[0].w == 1u);
    let middle = space.clip * vec4<f32>(seen.middle, 1.0);
    let away = max(middle.w, space.eye.w);
    let scale = 0.5 * space.screen.y / (space.half.y * away);
    let a = extent_of(seen, seen.tile.y);
    let b = extent_of(seen, seen.next.y);
    // Half a texel more on all sides, where the outermost ones fade.
    let more = 1.0 + exp2(max(copy_of(a, scale), copy_of(b, scale))) / TILE;
    let from_middle = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0;
    var out: Board;
    out.from_middle = from_middle * max(a.xy, b.xy) * more;
    let p = seen.middle + seen.right * out.from_middle.x + seen.up * out.from_middle.y;
    out.at = space.clip * vec4<f32>(p, 1.0);
    out.layer_and_chance = vec2<u32>(seen.layer, hash(seen.id));
    out.tile = seen.tile;
    out.next = seen.next;
    out.share = seen.share;
    out.middle = seen.middle;
    out.right = seen.right;
    out.towards = seen.towards;
    out.ahead = seen.axes[0];
    out.side = seen.axes[1];
    out.sizes = vec3<f32>(seen.wide, seen.tall, scale);
    out.skin = seen.paints.skin;
    out.tinted = seen.paints.tinted;
    out.cloth = seen.paints.cloth;
    out.other = seen.paints.other;
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
        let at = in.from_middle / extent.xy * vec2<f32>(0.5, -0.5) + 0.5;
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
    let world = in.ahead * normal.x + in.side * normal.y + cross(in.ahead, in.side) * normal.z;
    let p = in.middle + in.right * in.from_middle.x + cross(in.towards, in.right) * in.from_middle.y + in.towards * (near / share.w);
    let colour = painted(Paints(in.skin, in.tinted, in.cloth, in.other), share / share.w) * lit_on_average(p, world);
    // As deep as its surface is there: who stands behind a wall is behind it.
    let front = -(space.view * vec4<f32>(p + in.towards * (NEARER * in.sizes.x), 1.0)).z;
    let depth = space.eye.w / max(front, space.eye.w);
    return Covered(vec4<f32>(through_air(tinted(colour, p), p), 1.0), (mask | (mask >> 4u)) & 15u, depth);
}
