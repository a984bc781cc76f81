// Which tile of the atlas shows somebody who is seen from afar, and in which colours. What is drawn as a picture and what is
// summed up for each pixel share it. The Rust side is atlas.rs.

@group(0) @binding(0) var<storage, read> characters: array<Character>;
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// animate.wgsl's.
@group(0) @binding(3) var<storage, read> poses: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> living: array<Living>;
// Clips, palettes, bones, and whether tiles are mixed. For each clip two rows: its layer, from the axis how far it reaches, its
// lowest and its highest point, m; its first matrix, its keys, whether its pictures are those of a loop, radii in a metre. For
// each palette skin and tinted skin. For each layer and palette the mean of all else.
@group(0) @binding(5) var<uniform> stills: array<vec4<u32>, 2048>;
// Multiplied by what is covered: shares of skin, tinted skin and cloth, and what is covered.
@group(0) @binding(6) var shares: texture_2d_array<f32>;
// Likewise: the normal in the character's own space, and how near the surface is.
@group(0) @binding(7) var surface: texture_2d_array<f32>;

const DIRECTIONS: u32 = 8u;
const PHASES: u32 = 8u;
const SLOPES: u32 = 3u;
// From one slope that tiles are seen at to the next, radians: level, 40°, 80°.
const SLOPE: f32 = 0.6981317;
// Texels of a tile, either way.
const TILE: f32 = 32.0;
// The smallest copy has one texel for a tile.
const LAST_COPY: u32 = 5u;

// The colours of somebody, linear.
struct Paints {
    skin: vec3<f32>,
    tinted: vec3<f32>,
    cloth: vec3<f32>,
    other: vec3<f32>,
}

struct Seen {
    id: u32,
    layer: u32,
    // Direction, slope and phase of the tile, and of the one that it is mixed with by a share of it.
    tile: vec3<u32>,
    next: vec3<u32>,
    share: vec3<f32>,
    middle: vec3<f32>,  // of what tiles show, m
    right: vec3<f32>,   // axes of the picture: right, up, and to the eye
    up: vec3<f32>,
    towards: vec3<f32>,
    axes: mat3x3<f32>,  // of the body: ahead, to its left, to its head
    wide: f32,          // from the axis to a tile's edge, m
    tall: f32,          // half of the body, m
    paints: Paints,
}

fn hash(x: u32) -> u32 {
    var h = x * 0x9e3779b1u;
    h = (h ^ (h >> 15u)) * 0x85ebca77u;
    return h ^ (h >> 13u);
}

// From 0 to 1, always the same for the same agent.
fn chance_of(id: u32, what: u32) -> f32 { return f32(hash(id * 4u + what) & 0xffffu) / 65536.0; }

// Half the width, height and depth of what a tile shows at a slope, m.
fn extent_of(seen: Seen, slope: u32) -> vec3<f32> {
    let a = SLOPE * f32(slope);
    return vec3<f32>(seen.wide, seen.tall * cos(a) + seen.wide * sin(a), seen.wide * cos(a) + seen.tall * sin(a));
}

// Where a tile begins in its layer, in tiles.
fn tile_at(tile: vec3<u32>) -> vec2<u32> { return vec2<u32>(tile.x, tile.y * PHASES + tile.z); }

fn who_of(instance: u32) -> u32 { return members[starts[draw_of.list] + instance]; }

// With `mixed` between the nearest tiles, else one of them by chance, so that a crowd never changes all at once.
fn seen_of(agent: u32, mixed: bool) -> Seen {
    let who = characters[agent];
    let it = variation_of(who.id);
    let pose = poses[agent];
    var seen: Seen;
    seen.id = who.id;

    // Who changes from clip to clip is seen in the one that it is nearer to.
    let clips = living[min(who.id, arrayLength(&living) - 1u)].clips;
    let old = bitcast<f32>(pose.w) > chance_of(who.id, 3u);
    let both = unpack2x16unorm(pose.z);
    let clip = min(select(clips, clips >> 12u, old) & 0xfffu, stills[0].x - 1u);
    let frame = stills[1u + 2u * clip];
    let keys = stills[2u + 2u * clip];
    let key = (select(pose.x, pose.y, old) - keys.x) / stills[0].z;
    let phase = clamp((f32(key) + select(both.x, both.y, old)) / f32(max(keys.y, 2u) - 1u), 0.0, 1.0);
    seen.layer = frame.x;

    let tip = unpack2x16snorm(who.up);
    let head = vec3<f32>(tip, sqrt(max(1.0 - dot(tip, tip), 0.0)));
    let side = normalize(cross(head, vec3<f32>(unpack2x16snorm(who.heading), 0.0)));
    seen.axes = mat3x3<f32>(cross(side, head), side, head);
    let size = it.size * bitcast<f32>(keys.w) * who.size;
    let span = bitcast<vec3<f32>>(frame.yzw);
    seen.wide = span.x * size * it.girth;
    seen.tall = 0.5 * (span.z - span.y) * size;
    seen.middle = who.place + head * (0.5 * (span.y + span.z) * size);

    seen.towards = normalize(space.eye.xyz - seen.middle);
    let across = cross(head, seen.towards);
    // From straight above every way is as good.
    seen.right = select(normalize(across), side, dot(across, across) < 1e-6);
    seen.up = cross(seen.towards, seen.right);
    // As the camera sees it: round it, how steeply from above, where in its clip.
    let local = seen.towards * seen.axes;
    let turn = select(atan2(local.y, local.x), 0.0, dot(across, across) < 1e-6) / 6.2831853;
    let looped = keys.z == 1u;
    var at = vec3<f32>(
        fract(turn + 1.0) * f32(DIRECTIONS),
        clamp(asin(clamp(local.z, -1.0, 1.0)) / SLOPE, 0.0, f32(SLOPES - 1u)),
        phase * f32(select(PHASES - 1u, PHASES, looped)),
    );
    let low = floor(at);
    seen.share = at - low;
    seen.tile = vec3<u32>(low);
    seen.next = seen.tile + 1u;
    if (!mixed) {
        let chosen = vec3<f32>(chance_of(who.id, 0u), chance_of(who.id, 1u), chance_of(who.id, 2u));
        seen.tile = select(seen.tile, seen.next, seen.share > chosen);
        seen.next = seen.tile;
        seen.share = vec3<f32>(0.0);
    }
    let last = vec3<u32>(DIRECTIONS, SLOPES, PHASES) - 1u;
    let goes_round = vec3<bool>(true, false, looped);
    seen.tile = select(min(seen.tile, last), seen.tile & last, goes_round);
    seen.next = select(min(seen.next, last), seen.next & last, goes_round);

    let shown = linear_of(unpack4x8unorm(who.colour).rgb);
    let palette = it.palette % stills[0].y;
    let paints_at = 1u + 2u * stills[0].x + 2u * palette;
    let others_at = 1u + 2u * stills[0].x + 2u * stills[0].y + seen.layer * stills[0].y + palette;
    seen.paints = Paints(
        mix(bitcast<vec3<f32>>(stills[paints_at].xyz) * it.shade, shown, STAIN),
        mix(bitcast<vec3<f32>>(stills[paints_at + 1u].xyz) * it.shade, shown, STAIN),
        shown,
        bitcast<vec3<f32>>(stills[others_at].xyz) * it.shade,
    );
    if (space.tint == 1u) {
        let level = level_tint(draw_of.level);
        seen.paints = Paints(level, level, level, level);
    }
    return seen;
}

// What shares of paints add up to.
fn painted(paints: Paints, share: vec4<f32>) -> vec3<f32> {
    let other = max(share.w - share.x - share.y - share.z, 0.0);
    return paints.skin * share.x + paints.tinted * share.y + paints.cloth * share.z + paints.other * other;
}
