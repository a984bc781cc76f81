// Walls, goals and zones: filled triangles, and lines of a width in pixels with smooth edges.

struct Filled {
    @builtin(position) at: vec4<f32>,
    @location(0) colour: vec4<f32>,
}

fn opacity_of(layer: u32) -> f32 { return select(view.goals_opacity, view.walls, layer == 0u); }

@vertex fn filled(@location(0) point: vec2<f32>, @location(1) colour: vec4<f32>, @location(2) layer: u32) -> Filled {
    let alpha = colour.a * opacity_of(layer);
    return Filled(to_clip(to_view(point)), vec4<f32>(colour.rgb * alpha, alpha));
}

@fragment fn fill(in: Filled) -> @location(0) vec4<f32> { return in.colour; }

struct Line {
    @builtin(position) at: vec4<f32>,
    @location(0) colour: vec4<f32>,
    // Pixels along and across, the line's length and half its width.
    @location(1) place: vec2<f32>,
    @location(2) @interpolate(flat) measure: vec2<f32>,
}

@vertex fn lined(
    @builtin(vertex_index) v: u32,
    @location(0) ends: vec4<f32>,
    @location(1) colour: vec4<f32>,
    @location(2) layer: u32,
    @location(3) width: f32,
) -> Line {
    let a = to_view(ends.xy);
    let b = to_view(ends.zw);
    let length = max(distance(a, b), 1e-3);
    let along = (b - a) / length;
    let across = vec2<f32>(-along.y, along.x);
    let half = 0.5 * width;
    let corner = corner_of(v);
    let place = vec2<f32>(select(-half - 1.0, length + half + 1.0, corner.x > 0.0), corner.y * (half + 1.0));
    let alpha = colour.a * opacity_of(layer);
    let at = to_clip(a + along * place.x + across * place.y);
    return Line(at, vec4<f32>(colour.rgb, alpha), place, vec2<f32>(length, half));
}

@fragment fn stroke(in: Line) -> @location(0) vec4<f32> {
    let beyond = max(max(-in.place.x, in.place.x - in.measure.x), 0.0);
    let d = length(vec2<f32>(beyond, in.place.y)) - in.measure.y;
    let alpha = in.colour.a * clamp(0.5 - d, 0.0, 1.0);
    return vec4<f32>(in.colour.rgb * alpha, alpha);
}
