// Hazards: balls of mist, thicker where one looks through more of them.

struct Mist {
    disc: vec4<f32>,    // middle, radius, height of its middle above the ground, m
    colour: vec4<f32>,  // a: how thick
}

// What mist adds to a pixel, multiplied by how much it hides, and how deep it begins: who is nearer is not behind it.
struct Veil {
    colour: vec4<f32>,
    depth: f32,
}

// Pieces of a way through the mist that are held against the ground.
const PIECES: u32 = 6u;

fn veil_of(mist: Mist, pixel: vec2<f32>) -> Veil {
    let radii = vec2<f32>(mist.disc.z, min(mist.disc.z, 1.0 + 0.5 * mist.disc.z)).xxy;
    let middle = vec3<f32>(mist.disc.xy, height_at(mist.disc.xy) + mist.disc.w);
    // In a space where it is round and of radius 1: how long the way through it is, as far as the ground.
    let from_ = (space.eye.xyz - middle) / radii;
    let ahead = way_to(pixel);
    let long = length(ahead / radii);
    let way = ahead / radii / long;
    let b = dot(from_, way);
    let square = b * b - dot(from_, from_) + 1.0;
    // From within nothing hides it.
    let within = length(from_) < 1.1;
    if (square <= 0.0 || (b > 0.0 && !within)) { return Veil(vec4<f32>(0.0), 0.0); }
    let half = sqrt(square);
    let enters = max(-b - half, 0.0);
    let piece = max(half - b - enters, 0.0) / f32(PIECES);
    var through = 0.0;
    var before = 1.0;
    for (var k = 0u; k <= PIECES; k++) {
        let p = middle + (from_ + way * (enters + piece * f32(k))) * radii;
        let above = p.z - height_at(p.xy);
        if (k > 0u) { through += piece * select(before / (before - above), 1.0, above >= 0.0); }
        if (above < 0.0) { break; }
        before = max(above, 1e-6);
    }
    let alpha = mist.colour.a * (1.0 - exp(-1.4 * 0.25 * through * through));
    // The side that is seen: the near one from outside, else the far one.
    let met = select(enters, half - b, within) / long;
    let colour = through_air(linear_of(mist.colour.rgb) * 1.3, space.eye.xyz + ahead * met);
    return Veil(vec4<f32>(colour * alpha, alpha), select(space.eye.w / max(met, space.eye.w), 1.0, within));
}
