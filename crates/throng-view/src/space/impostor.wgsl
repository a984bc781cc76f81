// Agents who are small on the screen: a picture of each from the atlas that faces the eye. A workgroup looks at sixteen of them: four threads for
// each, one for each corner at first and then one for every fourth pixel; those of large ones are taken by all. Everything is done twice: depths, then colours. Comes
// after tiles.wgsl and samples.wgsl.

@group(0) @binding(8) var softly: sampler;

const LISTS: u32 = 16u;
const PICTURES: u32 = 16u;
// Pixels around a picture at most that its own threads look at.
const ALONE: u32 = 1024u;

// Its light is found once for all of it.
struct Board {
    seen: Seen,
    chance: u32,
    scale: f32,         // pixels in a metre
    half: vec2<f32>,    // to its right and upper ends, m
    low: vec2<u32>,     // pixels
    size: vec2<u32>,
    // How far ahead of the eye its middle is, and by how much more what is a metre to the right, up, and towards the eye.
    ahead: vec4<f32>,
    // What the air leaves of the dominant light and of the rest; which way the first comes from, and by how much more of
    // the second comes from there, along the body's axes; what the air adds.
    dominant: vec3<f32>,
    way: vec3<f32>,
    rest: vec3<f32>,
    more: vec3<f32>,
    air: vec3<f32>,
}

var<workgroup> boards: array<Board, 16>;
// How much of the dominant light is left at its corners: below left, below right, above left, above right.
var<workgroup> left_at: array<f32, 64>;

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

fn board(agent: u32) -> Board {
    let who = characters[agent];
    let mixed = stills[0].w == 1u && space.tall * who.size * pixels_in_a_metre(who.place) >= MIXED;
    var seen = seen_of(agent, mixed);
    var out: Board;
    out.scale = pixels_in_a_metre(seen.middle);
    let a = extent_of(seen, seen.tile.y);
    let b = extent_of(seen, seen.next.y);
    // Half a texel more on all sides, where the outermost ones fade.
    out.half = max(a.xy, b.xy) * (1.0 + exp2(max(copy_of(a, out.scale), copy_of(b, out.scale))) / TILE);
    out.chance = hash(seen.id);
    seen.paints = Paints(
        tinted(seen.paints.skin, seen.middle), tinted(seen.paints.tinted, seen.middle), tinted(seen.paints.cloth, seen.middle),
        tinted(seen.paints.other, seen.middle));
    out.seen = seen;
    let back = vec3<f32>(space.view[0].z, space.view[1].z, space.view[2].z);
    out.ahead = -vec4<f32>((space.view * vec4<f32>(seen.middle, 1.0)).z, dot(back, seen.right), dot(back, seen.up), dot(back, seen.towards));
    // Pixels whose middles it may hold; nobody who is drawn so is before the near plane.
    var low = vec2<f32>(1e9);
    var high = vec2<f32>(-1e9);
    for (var k = 0u; k < 4u; k++) {
        let end = vec2<f32>(f32(k & 1u), f32(k >> 1u)) * 2.0 - 1.0;
        let clip = space.clip * vec4<f32>(seen.middle + seen.right * (end.x * out.half.x) + seen.up * (end.y * out.half.y), 1.0);
        if (clip.w <= space.eye.w) {
            high = vec2<f32>(-1e9);
            break;
        }
        let at = (clip.xy / clip.w * vec2<f32>(0.5, -0.5) + 0.5) * space.screen;
        low = min(low, at);
        high = max(high, at);
    }
    let first = clamp(ceil(low - 0.5), vec2<f32>(0.0), space.screen);
    let last = clamp(floor(high - 0.5), vec2<f32>(-1.0), space.screen - 1.0);
    out.low = vec2<u32>(first);
    out.size = vec2<u32>(max(last - first + 1.0, vec2<f32>(0.0)));
    if (draw_of.phase == 1u) {
        let light = unpack_reaching(who.light);
        let air = air_at(seen.middle);
        out.dominant = light.dominant * air.left;
        out.way = light.way * seen.axes;
        out.rest = light.rest[0] * air.left;
        let along = vec3<f32>(brightness(light.rest[1]), brightness(light.rest[2]), brightness(light.rest[3]));
        out.more = along * seen.axes / max(brightness(light.rest[0]), 1e-6);
        out.air = air.added;
    }
    return out;
}

// At one of its four ends, within the body but towards the sun: what of it faces away is in the normals.
fn left_of(agent: u32, seen: Seen, half: vec2<f32>, k: u32) -> f32 {
    let exposed = f32(characters[agent].light[0].w >> 24u) / 255.0;
    let end = vec2<f32>(f32(k & 1u), f32(k >> 1u)) * 2.0 - 1.0;
    let at = seen.middle + seen.right * (0.4 * half.x * end.x) + seen.up * (0.7 * half.y * end.y);
    return shade_of(exposed, at + space.sun.xyz * (SUNLIT * seen.wide), space.sun.xyz);
}

// How much nearer than what the picture shows of it somebody counts as, of its width: depths of feet are mixed with the ground's.
const NEARER: f32 = 0.1;

fn plot(number: u32, pixel: vec2<u32>) {
    let seen = boards[number].seen;
    let scale = boards[number].scale;
    let half = boards[number].half;
    // Where the board is met on the way to the middle of the pixel.
    let way = way_to(vec2<f32>(pixel) + 0.5);
    let before = seen.middle - space.eye.xyz;
    let p = way * (dot(before, seen.towards) / dot(way, seen.towards)) - before;
    let from_middle = vec2<f32>(dot(p, seen.right), dot(p, seen.up));
    if (any(abs(from_middle) > half)) { return; }
    var share = vec4<f32>(0.0);
    var normal = vec3<f32>(0.0);
    var near = 0.0;
    let tiles = vec2<f32>(f32(DIRECTIONS), f32(SLOPES * PHASES));
    let mixes = select(1u, 8u, any(seen.share > vec3<f32>(0.0)));
    for (var k = 0u; k < mixes; k++) {
        let second = (vec3<u32>(k) & vec3<u32>(1u, 2u, 4u)) != vec3<u32>(0u);
        let of_it = select(1.0 - seen.share, seen.share, second);
        let weight = of_it.x * of_it.y * of_it.z;
        if (weight < 0.004) { continue; }
        let tile = select(seen.tile, seen.next, second);
        let extent = extent_of(seen, tile.y);
        let copy = copy_of(extent, scale);
        let half_texel = 0.5 * exp2(copy) / TILE;
        let at = from_middle / extent.xy * vec2<f32>(0.5, -0.5) + 0.5;
        let inside = clamp(at, vec2<f32>(half_texel), vec2<f32>(1.0 - half_texel));
        let fades = max(1.0 - abs(at - inside) / (2.0 * half_texel), vec2<f32>(0.0));
        let uv = (vec2<f32>(tile_at(tile)) + inside) / tiles;
        let w = weight * fades.x * fades.y;
        let a = textureSampleLevel(shares, softly, uv, seen.layer, copy);
        let b = textureSampleLevel(surface, softly, uv, seen.layer, copy);
        share += w * a;
        normal += w * (b.xyz * 2.0 - a.w);
        near += w * (b.w * 2.0 - a.w) * extent.z;
    }
    // Parts of a sample are covered by chance; whose samples come first differs, so that those behind each other do not hide
    // the same ones.
    let chance = hash(boards[number].chance ^ (pixel.x * 0x9e3779b1u + pixel.y * 0x85ebca77u));
    let samples = u32(clamp(4.0 * share.w + f32(chance & 0xffffu) / 65536.0, 0.0, 4.0));
    if (samples == 0u) { return; }
    let shifted = ((1u << samples) - 1u) << (chance >> 30u);
    let mask = shifted | (shifted >> 4u);
    // As deep as its surface is there: who stands behind a wall is behind it.
    let ahead = boards[number].ahead;
    let front = ahead.x + dot(ahead.yzw, vec3<f32>(from_middle, near / share.w + NEARER * seen.wide));
    let depth = space.eye.w / max(front, space.eye.w);
    let first = first_sample(pixel);
    var mine = 0u;
    for (var s = 0u; s < 4u; s++) {
        if (((mask >> s) & 1u) == 1u && reaches(first + s, depth)) { mine |= 1u << s; }
    }
    if (mine == 0u) { return; }
    normal /= share.w;
    let right = clamp(from_middle / half * 0.5 + 0.5, vec2<f32>(0.0), vec2<f32>(1.0));
    let below = mix(left_at[4u * number], left_at[4u * number + 1u], right.x);
    let above = mix(left_at[4u * number + 2u], left_at[4u * number + 3u], right.x);
    let rest = boards[number].rest * max(1.0 + dot(boards[number].more, normal), 0.0);
    let direct = boards[number].dominant * mix(below, above, right.y);
    let sent = lit_on_average(rest, direct, dot(boards[number].way, normal), dot(normal, normal));
    colour_samples(first, mine, painted(seen.paints, share / share.w) * sent + boards[number].air);
}

@compute @workgroup_size(64)
fn pictures(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = lane / 4u;
    let instance = (group.y * groups.x + group.x) * PICTURES + number;
    let there = instance < starts[LISTS + draw_of.list];
    if (lane % 4u == 0u) {
        if (there) { boards[number] = board(who_of(instance)); } else { boards[number].size = vec2<u32>(0u); }
    }
    workgroupBarrier();
    if (there && draw_of.phase == 1u) { left_at[lane] = left_of(who_of(instance), boards[number].seen, boards[number].half, lane % 4u); }
    workgroupBarrier();
    // First each four threads their own, all at once, and then all of them one large one after the other.
    for (var n = 0u; n <= PICTURES; n++) {
        let own = n == 0u;
        let b = select(n - 1u, number, own);
        let size = boards[b].size;
        let pixels = size.x * size.y;
        if ((pixels > ALONE) == own) { continue; }
        let low = boards[b].low;
        for (var k = select(lane, lane % 4u, own); k < pixels; k += select(64u, 4u, own)) {
            plot(b, low + vec2<u32>(k % size.x, k / size.x));
        }
    }
}
