// Hazards: balls of mist, thicker where one looks through more of them.

struct Mist {
    @builtin(position) at: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) @interpolate(flat) middle: vec3<f32>,
    @location(2) @interpolate(flat) radii: vec2<f32>,   // across, up
    @location(3) @interpolate(flat) colour: vec4<f32>,  // a: how thick
}

@vertex fn mist(
    @builtin(vertex_index) v: u32,
    @location(0) disc: vec4<f32>,   // middle, radius, height of its middle above the ground
    @location(1) colour: vec4<f32>,
) -> Mist {
    // A ball of 24 by 12 faces.
    let face = v / 6u;
    // From outside its near side is drawn, which ground, walls and people may hide; from within its far side, which nothing does.
    let radii = vec2<f32>(disc.z, min(disc.z, 1.0 + 0.5 * disc.z));
    let middle = vec3<f32>(disc.xy, height_at(disc.xy) + disc.w);
    let within = length((space.eye.xyz - middle) / radii.xxy) < 1.1;
    let outwards = array<u32, 6>(0u, 2u, 1u, 2u, 3u, 1u);
    let inwards = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let k = select(outwards[v % 6u], inwards[v % 6u], within);
    let a = f32(face % 24u + (k & 1u)) * 6.2831853 / 24.0;
    let b = f32(face / 24u + (k >> 1u)) * 3.1415927 / 12.0;
    let out_ = vec3<f32>(sin(b) * cos(a), sin(b) * sin(a), cos(b));
    var out: Mist;
    out.radii = radii;
    out.middle = middle;
    // The faces lie a little inside the ball: the mesh is blown up so that it holds it.
    out.place = out.middle + out_ * vec3<f32>(out.radii.x, out.radii.x, out.radii.y) * 1.04;
    out.colour = colour;
    out.at = draw_of.clip * vec4<f32>(out.place, 1.0);
    if (within) { out.at.z = out.at.w; }
    return out;
}

// Pieces of a way through the mist that are held against the ground.
const PIECES: u32 = 6u;

@fragment fn mist_colour(in: Mist) -> @location(0) vec4<f32> {
    // In a space where it is round and of radius 1: how long the way through it is, as far as the ground.
    let scale = 1.0 / in.radii.xxy;
    let from_ = (space.eye.xyz - in.middle) * scale;
    let way = normalize((in.place - space.eye.xyz) * scale);
    let b = dot(from_, way);
    let half = sqrt(max(b * b - dot(from_, from_) + 1.0, 0.0));
    let enters = max(-b - half, 0.0);
    let piece = max(half - b - enters, 0.0) / f32(PIECES);
    var through = 0.0;
    var before = 1.0;
    for (var k = 0u; k <= PIECES; k++) {
        let p = in.middle + (from_ + way * (enters + piece * f32(k))) / scale;
        let above = p.z - height_at(p.xy);
        if (k > 0u) { through += piece * select(before / (before - above), 1.0, above >= 0.0); }
        if (above < 0.0) { break; }
        before = max(above, 1e-6);
    }
    let alpha = in.colour.a * (1.0 - exp(-1.4 * 0.25 * through * through));
    let colour = through_air(linear_of(in.colour.rgb) * 1.3, in.place);
    return vec4<f32>(colour * alpha, alpha);
}
