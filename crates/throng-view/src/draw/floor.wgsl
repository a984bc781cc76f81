// Everything that has a value per cell, in one look at every pixel: the floor, the background image, discomfort, the
// field, the solver's tiles, painted walls.

@group(1) @binding(0) var<storage, read> ground: array<u32>;
@group(1) @binding(1) var<storage, read> shown: array<vec2<f32>>;
@group(1) @binding(2) var<storage, read> tiles: array<u32>;
@group(1) @binding(3) var image: texture_2d<f32>;
@group(1) @binding(4) var smoothly: sampler;

const FLOOR: vec3<f32> = vec3<f32>(0.102, 0.118, 0.141);
const WALL: vec3<f32> = vec3<f32>(0.353, 0.384, 0.427);
const DISCOMFORT: vec3<f32> = vec3<f32>(0.478, 0.290, 0.227);

// Software looks at every line for every pixel: what is not shown is left out of the shader.
override SMALL_CELLS: bool = true;
override LAYERS: bool = true;
// Only what lies on the floor, without the floor and without walls: to be laid over ground that has a look of its own.
override BARE: bool = false;

// The world's rectangle: around it is what the picture was cleared to.
@vertex fn whole_world(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return to_clip(clamp(to_view((corner_of(v) * 0.5 + 0.5) * view.world), vec2<f32>(-1.0), view.size + 1.0));
}

fn cell_of(p: vec2<f32>) -> vec2<i32> {
    let q = vec2<i32>(floor(p / view.cell));
    return clamp(q, vec2<i32>(0), vec2<i32>(view.cells) - 1);
}

fn index_of(c: vec2<i32>) -> u32 { return u32(c.y) * view.cells.x + u32(c.x); }

// What a value is: 0 a number, 1 unreached, 2 not finite.
fn kind_of(v: vec2<f32>) -> u32 {
    if (not_finite(v.x) || not_finite(v.y)) { return 2u; }
    return select(0u, 1u, v.x >= UNREACHED);
}

fn value_at(p: vec2<f32>) -> vec2<f32> {
    let nearest = shown[index_of(cell_of(p))];
    if (view.smooth_field == 0u || kind_of(nearest) != 0u) { return nearest; }
    let q = p / view.cell - 0.5;
    let f = fract(q);
    var sum = vec2<f32>(0.0);
    var weight = 0.0;
    for (var k = 0; k < 4; k++) {
        let d = vec2<i32>(k & 1, k >> 1u);
        let c = clamp(vec2<i32>(floor(q)) + d, vec2<i32>(0), vec2<i32>(view.cells) - 1);
        let v = shown[index_of(c)];
        let w = select(1.0 - f.x, f.x, d.x == 1) * select(1.0 - f.y, f.y, d.y == 1);
        if (kind_of(v) == 0u) {
            sum += w * v;
            weight += w;
        }
    }
    return sum / max(weight, 1e-6);
}

fn field_colour(p: vec2<f32>, pixel: vec2<f32>) -> vec3<f32> {
    let v = value_at(p);
    let kind = kind_of(v);
    if (kind == 2u) {
        let checker = (i32(pixel.x) / 4 + i32(pixel.y) / 4) & 1;
        return select(vec3<f32>(1.0, 0.0, 1.0), vec3<f32>(0.35, 0.0, 0.35), checker == 1);
    }
    if (kind == 1u) {
        let stripe = fract((pixel.x + pixel.y) / 10.0);
        return select(vec3<f32>(0.169, 0.184, 0.212), vec3<f32>(0.788, 0.804, 0.827), stripe < 0.2);
    }
    let span = max(view.field_high - view.field_low, 1e-20);
    switch view.shade {
        case 1u: { return along(0u, (v.x - view.field_low) / span); }
        case 2u: { return along(0u, (length(v) - view.field_low) / span); }
        default: {
            if (dot(v, v) < 1e-6) { return vec3<f32>(0.227, 0.247, 0.278); }
            return wheel(v);
        }
    }
}

// A cell may be smaller than a pixel: then several are looked at.
fn cells_at(p: vec2<f32>) -> vec2<f32> {
    if (!SMALL_CELLS) {
        let g = ground[index_of(cell_of(p))];
        return vec2<f32>(f32(g & 1u), f32(g >> 8u) / 255.0);
    }
    let per_pixel = 1.0 / (view.cell * view.scale);
    let n = i32(clamp(ceil(per_pixel), 1.0, 4.0));
    var wall = 0.0;
    var discomfort = 0.0;
    for (var y = 0; y < n; y++) {
        for (var x = 0; x < n; x++) {
            let d = (vec2<f32>(f32(x), f32(y)) + 0.5) / f32(n) - 0.5;
            let g = ground[index_of(cell_of(p + d / view.scale))];
            wall += f32(g & 1u);
            discomfort += f32(g >> 8u) / 255.0;
        }
    }
    return vec2<f32>(wall, discomfort) / f32(n * n);
}

@fragment fn ground_colour(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = at.xy - view.origin;
    let p = to_world(pixel);
    let cells = cells_at(p);
    var colour = FLOOR;
    var covered = 0.9 * clamp(cells.y, 0.0, 1.0);
    if (LAYERS && view.background > 0.0) {
        let uv = vec2<f32>(p.x / view.world.x, 1.0 - p.y / view.world.y);
        let c = textureSampleLevel(image, smoothly, uv, view.background_level);
        colour = mix(colour, c.rgb, c.a * view.background);
        covered = max(covered, c.a * view.background);
    }
    colour = mix(colour, DISCOMFORT, 0.9 * clamp(cells.y, 0.0, 1.0));
    if (LAYERS && view.shade != 0u) { colour = mix(colour, field_colour(p, pixel), view.field_opacity); }
    if (LAYERS && view.tiles > 0.0) {
        let c = cell_of(p);
        let state = tiles[u32(c.y >> 4u) * view.tiles_wide + u32(c.x >> 4u)];
        // Asleep, converged, solved in the last round, waiting for the next.
        var tint = vec3<f32>(0.35, 0.36, 0.40);
        if (state == 1u) { tint = vec3<f32>(0.24, 0.56, 0.82); }
        if (state == 2u) { tint = vec3<f32>(0.94, 0.89, 0.26); }
        if (state == 3u) { tint = vec3<f32>(0.90, 0.40, 0.16); }
        // A line between tiles, a pixel wide.
        let inside = fract(p / (view.cell * 16.0)) * view.cell * 16.0 * view.scale;
        if (min(inside.x, inside.y) < 1.0) { tint *= 0.35; }
        colour = mix(colour, tint, view.tiles);
    }
    if (BARE) {
        if (view.shade != 0u) { covered = max(covered, view.field_opacity); }
        covered = max(covered, view.tiles);
        return vec4<f32>(colour * covered, covered);
    }
    return vec4<f32>(mix(colour, WALL, cells.x * view.walls), 1.0);
}
