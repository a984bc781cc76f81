// The crowd. Near: a sprite for each, with smooth edges. Far: each adds the share of the pixels that its body covers to sums
// per pixel, so that what is seen is the density whatever the number, and nothing flickers. Both cover the same area.

@group(1) @binding(0) var<storage, read> motion: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> body: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read> journey: array<vec4<u32>>;
@group(1) @binding(3) var<storage, read> waited: array<f32>;
@group(1) @binding(4) var<storage, read> persons: array<vec2<f32>>;
@group(1) @binding(5) var<storage, read> sprites: array<u32>;
// Who is in view: see cull.wgsl.
@group(1) @binding(8) var<storage, read> visible: array<u32>;

fn on_floor(i: u32) -> bool { return is_on_floor(journey[i]); }

fn seen_at(i: u32) -> vec2<f32> { return motion[i].xy - motion[i].zw * view.back; }

struct Sprite {
    @builtin(position) at: vec4<f32>,
    // In radii, x along the heading.
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(flat) colour: vec3<f32>,
    @location(2) @interpolate(flat) radius: f32,
    @location(3) @interpolate(flat) kind: u32,
}

@vertex fn sprite_corner(@builtin(vertex_index) v: u32) -> Sprite {
    let i = visible[v / 6u];
    var out: Sprite;
    let radius = radius_of(body[i]) * view.body * view.scale;
    let middle = to_view(seen_at(i));
    let half = radius + 1.0;
    let corner = corner_of(v) * half;
    let h = unpack2x16snorm(body[i].x);
    // On the screen y goes down.
    let ahead = vec2<f32>(h.x, -h.y);
    let side = vec2<f32>(-ahead.y, ahead.x);
    out.at = to_clip(middle + corner);
    out.uv = vec2<f32>(dot(corner, ahead), dot(corner, side)) / radius;
    out.colour = colour_of(i);
    out.radius = radius;
    out.kind = sprites[journey[i].y >> 16u];
    return out;
}

@group(1) @binding(6) var pictures: texture_2d_array<f32>;
@group(1) @binding(7) var smoothly: sampler;

// Signed distances below are in pixels.
fn ink(d: f32) -> f32 { return clamp(0.5 - d, 0.0, 1.0); }

@fragment fn sprite(in: Sprite) -> @location(0) vec4<f32> {
    let r = in.radius;
    let uv = in.uv;
    // A disc with a smooth edge covers a twelfth of a square pixel times π more than its radius says.
    let disc = length(uv) * r - sqrt(max(r * r - 0.0833, 0.01));
    var colour = in.colour;
    var alpha = ink(disc);
    let dark = in.colour * 0.35;
    let light = mix(in.colour, vec3<f32>(1.0), 0.55);
    if (r >= 3.0) {
        // A wedge from the middle to the rim that says where it faces.
        let nose = max((abs(uv.y) - 0.42 * (1.0 - uv.x)) * 0.92, 0.1 - uv.x) * r;
        if (in.kind == 0u) {
            // From above: shoulders across, a head, the rest of its room dim.
            let shoulders = (length(uv / vec2<f32>(0.55, 0.97)) - 1.0) * 0.6 * r;
            let head = (length(uv - vec2<f32>(0.1, 0.0)) - 0.4) * r;
            colour = mix(dark, dark * 1.35, ink(disc + 1.2));
            colour = mix(colour, light, ink(nose));
            colour = mix(colour, in.colour, ink(shoulders));
            colour = mix(colour, dark, ink(abs(head) - 0.45) * 0.8);
            colour = mix(colour, light, ink(head));
            if (r < 7.0) { colour = mix(mix(in.colour, dark, ink(-disc - 1.0)), light, ink(nose)); }
        } else if (in.kind == 1u) {
            colour = mix(in.colour, dark, ink(-disc - 0.12 * r));
            colour = mix(colour, dark, ink((abs(uv.y) - 0.1) * r) * step(0.0, uv.x));
        } else if (in.kind == 2u) {
            let front = (abs(uv.y) * 0.88 + uv.x * 0.48 - 0.47) * r;
            let notch = (-uv.x - 0.75 + 0.5 * abs(uv.y) * -1.0 + 0.35) * r;
            let d = max(max(front, notch), disc);
            colour = mix(in.colour, dark, ink(-d - 1.0));
            alpha = ink(d);
        } else {
            // Only here: a look into a texture costs software more than all the rest.
            let level = clamp(6.0 - log2(r), 0.0, 7.0);
            let picture = textureSampleLevel(pictures, smoothly, uv * 0.5 + 0.5, in.kind - 3u, level);
            colour = mix(mix(dark, in.colour, ink(-disc - 0.12 * r)), picture.rgb, picture.a);
        }
    }
    alpha *= view.agents_opacity;
    return vec4<f32>(colour * alpha, alpha);
}

// The cells that an agent touches when it is splatted: see stages/splat.
struct Area {
    @builtin(position) at: vec4<f32>,
    @location(0) @interpolate(flat) colour: vec3<f32>,
    // In cells: where this is, the agent's middle, and half of its footprint.
    @location(1) here: vec2<f32>,
    @location(2) @interpolate(flat) middle: vec2<f32>,
    @location(3) @interpolate(flat) half: f32,
}

@vertex fn area(@builtin(vertex_index) v: u32) -> Area {
    let i = visible[v / 6u];
    var out: Area;
    out.middle = motion[i].xy / view.cell;
    out.half = max(2.0 * radius_of(body[i]) / view.cell, 1.0);
    let low = max(floor(out.middle - out.half), vec2<f32>(0.0));
    let high = min(ceil(out.middle + out.half), vec2<f32>(view.cells));
    out.here = mix(low, high, corner_of(v) * 0.5 + 0.5);
    out.at = to_clip(to_view(out.here * view.cell));
    out.colour = colour_of(i);
    return out;
}

@fragment fn touched(in: Area) -> @location(0) vec4<f32> {
    let away = abs(floor(in.here) + 0.5 - in.middle) / in.half;
    // A cone where the body is wider than a cell, else a tent along both axes.
    let weight = select(min(1.0 - away.x, 1.0 - away.y), 1.0 - length(away), in.half > 1.0);
    if (weight <= 0.0) { discard; }
    let inside = fract(in.here);
    let edge = min(min(inside.x, inside.y), min(1.0 - inside.x, 1.0 - inside.y)) * view.cell * view.scale;
    let alpha = view.splats * select(0.3, 0.75, edge < 0.75);
    return vec4<f32>(in.colour * alpha, alpha);
}
