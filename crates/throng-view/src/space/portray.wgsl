// Tiles of the atlas: a character in its clips, as it is before anything makes an individual of it, seen from all around and from
// above. Comes after bones.wgsl.

@group(0) @binding(0) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(1) var<uniform> shape: Shape;
@group(0) @binding(2) var<uniform> portrait: Portrait;

struct Portrait {
    clip: vec4<u32>,    // first matrix, keys, whether it is a loop
    frame: vec4<f32>,   // from the axis how far it reaches, its lowest and its highest point, m
}

const DIRECTIONS: u32 = 8u;
const PHASES: u32 = 8u;
const SLOPES: u32 = 3u;
const SLOPE: f32 = 0.6981317;

struct Sitter {
    @builtin(position) at: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) near: f32,
    @location(2) tint: f32,
    @location(3) @interpolate(flat) part: u32,
}

@vertex fn sit(
    @builtin(instance_index) tile: u32,
    @location(0) vertex: vec4<u32>,
    @location(1) skin: vec3<u32>,
) -> Sitter {
    let column = tile % DIRECTIONS;
    let row = tile / DIRECTIONS;
    let looped = portrait.clip.z == 1u;
    let phase = f32(row % PHASES) / f32(select(PHASES - 1u, PHASES, looped));
    let keys = max(portrait.clip.y, 2u);
    let at = phase * f32(keys - 1u);
    let key = min(u32(at), keys - 2u);
    let first = portrait.clip.x + key * shape.bones;
    let rest = vec4<f32>(unpack_position(vertex, shape.low, shape.high), 1.0);
    let upright = vec4<f32>(vertex_frame(vec2<i32>(i32(vertex.z << 16u) >> 16u, i32(vertex.z) >> 16u))[2], 0.0);
    var place = vec3<f32>(0.0);
    var normal = vec3<f32>(0.0);
    for (var k = 0u; k < 4u; k++) {
        let weight = f32((skin.y >> (8u * k)) & 0xffu) / 255.0;
        let bone = bone_at(first, (skin.x >> (8u * k)) & 0xffu, at - f32(key));
        place += weight * (rest * bone);
        normal += weight * (upright * bone);
    }

    let turn = f32(column) / f32(DIRECTIONS) * 6.2831853;
    let slope = SLOPE * f32(row / PHASES);
    let right = vec3<f32>(-sin(turn), cos(turn), 0.0);
    let towards = vec3<f32>(cos(slope) * cos(turn), cos(slope) * sin(turn), sin(slope));
    let up = cross(towards, right);
    let tall = 0.5 * (portrait.frame.z - portrait.frame.y);
    let wide = portrait.frame.x;
    let p = place - vec3<f32>(0.0, 0.0, 0.5 * (portrait.frame.y + portrait.frame.z));
    let in_tile = vec3<f32>(
        dot(p, right) / wide,
        dot(p, up) / (tall * cos(slope) + wide * sin(slope)),
        dot(p, towards) / (wide * cos(slope) + tall * sin(slope)),
    );
    let tiles = vec2<f32>(f32(DIRECTIONS), f32(SLOPES * PHASES));
    let corner = (vec2<f32>(f32(column), f32(row)) + in_tile.xy * vec2<f32>(0.5, -0.5) + 0.5) / tiles;
    var out: Sitter;
    out.at = vec4<f32>(corner * vec2<f32>(2.0, -2.0) + vec2<f32>(-1.0, 1.0), 0.5 - 0.5 * in_tile.z, 1.0);
    out.normal = normal;
    out.near = 0.5 + 0.5 * in_tile.z;
    out.tint = f32((skin.z >> 8u) & 0xffu) / 255.0;
    out.part = min(skin.z & 0xffu, shape.parts - 1u);
    return out;
}

struct Texels {
    @location(0) shares: vec4<f32>,
    @location(1) surface: vec4<f32>,
}

@fragment fn portrayed(in: Sitter) -> Texels {
    let skin = select(0.0, 1.0, in.part == 0u);
    let cloth = select(0.0, 1.0, in.part == shape.cloth && in.part != 0u);
    return Texels(
        vec4<f32>(skin * (1.0 - in.tint), skin * in.tint, cloth, 1.0),
        vec4<f32>(normalize(in.normal) * 0.5 + 0.5, in.near),
    );
}
