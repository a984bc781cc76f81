// Turning by no more than an angle: see turn.rs.

fn turned(heading: vec2<f32>, wish: vec2<f32>, cosine: f32, most: f32) -> vec2<f32> {
    if (most >= 3.14159265) { return wish; }
    // Sine and cosine of `most` by their series at half of it, doubled: as in cpu.rs.
    let h = 0.5 * most;
    let q = h * h;
    let sh = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    let ch = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    let c = 1.0 - 2.0 * sh * sh;
    if (cosine >= c) { return wish; }
    var s = 2.0 * sh * ch;
    if (cross2(heading, wish) < 0.0) { s = -s; }
    return unit_or_zero(vec2<f32>(heading.x * c - heading.y * s, heading.x * s + heading.y * c));
}

// The angle, 0 to pi, whose cosine and sine are in this ratio: as in turn.rs.
fn angle_between(cosine: f32, sine: f32) -> f32 {
    let along = abs(cosine);
    let t = min(sine, along) / max(max(sine, along), 1e-30);
    let q = t * t;
    var a = t * (0.999866 + q * (-0.3302995 + q * (0.180141 + q * (-0.085133 + q * 0.0208351))));
    if (sine > along) { a = 1.57079633 - a; }
    return select(a, 3.14159265 - a, cosine < 0.0);
}

// What somebody wants who does what the plan tells (direction, speed, turn): velocity and heading, as in follow/mod.rs.
fn obey(heading: vec2<f32>, told: vec4<f32>) -> vec4<f32> {
    if (told.x == 0.0 && told.y == 0.0) { return vec4<f32>(0.0, 0.0, heading); }
    let next = turned(heading, told.xy, dot(heading, told.xy), told.w * params.dt);
    return vec4<f32>(next * (told.z * max(dot(next, told.xy), 0.0)), next);
}
