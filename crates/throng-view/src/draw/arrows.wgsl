// Arrows over a field of vectors: one for every few cells, as long as the vector.

@group(1) @binding(0) var<storage, read> shown: array<vec2<f32>>;

struct Arrow {
    @builtin(position) at: vec4<f32>,
    // Pixels along and across; the arrow's length.
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) far: f32,
}

@vertex fn arrow(@builtin(vertex_index) v: u32) -> Arrow {
    let every = view.arrow_every;
    let n = v / 6u;
    let block = view.arrow_first + vec2<u32>(n % view.arrow_across, n / view.arrow_across);
    let cell = block * every + every / 2u;
    var out: Arrow;
    out.at = NOWHERE;
    if (any(cell >= view.cells)) { return out; }
    let value = shown[cell.y * view.cells.x + cell.x];
    let size = length(value);
    if (not_finite(value.x) || not_finite(value.y) || value.x >= UNREACHED || size < 1e-3) { return out; }
    let far = min(size * view.stretch, f32(every) * view.cell * view.scale * 0.85);
    if (far < 2.0) { return out; }
    let middle = to_view((vec2<f32>(cell) + 0.5) * view.cell);
    let ahead = vec2<f32>(value.x, -value.y) / size;
    let side = vec2<f32>(-ahead.y, ahead.x);
    let corner = corner_of(v);
    out.place = vec2<f32>(corner.x * (0.5 * far + 2.0), corner.y * 6.0);
    out.far = far;
    out.at = to_clip(middle + ahead * out.place.x + side * out.place.y);
    return out;
}

@fragment fn draw(in: Arrow) -> @location(0) vec4<f32> {
    let tip = 0.5 * in.far;
    let head = min(7.0, 0.55 * in.far);
    // The shaft, then the head: a triangle that opens backwards.
    let shaft = max(abs(in.place.y) - 0.8, max(-tip - in.place.x, in.place.x - (tip - 0.6 * head)));
    let back = tip - in.place.x;
    let wedge = max((abs(in.place.y) - 0.45 * back) * 0.91, back - head);
    let d = min(shaft, wedge);
    let ink = clamp(0.5 - d, 0.0, 1.0);
    let rim = clamp(1.6 - d, 0.0, 1.0) * 0.65;
    let alpha = max(ink, rim) * view.field_opacity;
    return vec4<f32>(vec3<f32>(ink) * view.field_opacity, alpha);
}
