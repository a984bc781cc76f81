// The picture: what each sample of a pixel shows, as light, and then as a screen shows it. Agents are coloured already; all else is found here: walls
// that were drawn, the ground from its depth alone, the sky, those who are far away from their sums, and mist.

@group(0) @binding(0) var draped: texture_2d<f32>;
@group(0) @binding(1) var over: sampler;
@group(0) @binding(2) var walls: texture_multisampled_2d<f32>;
@group(0) @binding(3) var picture: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(4) var<storage, read> depths: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> colours: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> sums: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> nearest: array<u32>;
@group(0) @binding(8) var<storage, read> mists: array<Mist>;

// Where what is seen at a pixel would be if the surface around a place were a plane.
fn on_plane(pixel: vec2<f32>, place: vec3<f32>, normal: vec3<f32>, ahead: f32) -> vec2<f32> {
    let way = way_to(pixel);
    let met = dot(place - space.eye.xyz, normal) / min(dot(way, normal), -1e-6);
    return space.eye.xy + way.xy * clamp(met, 0.25 * ahead, 4.0 * ahead);
}

// Light that the ground sends to the eye, from what is seen of it at a pixel.
fn ground_colour(pixel: vec2<f32>, deep: f32) -> vec3<f32> {
    let place = place_at(pixel, deep);
    let n = normal_at(place.xy);
    let ahead = space.eye.w / deep;
    let here = on_plane(pixel, place, n, ahead);
    let right = on_plane(pixel + vec2<f32>(1.0, 0.0), place, n, ahead) - here;
    let down = on_plane(pixel + vec2<f32>(0.0, 1.0), place, n, ahead) - here;
    let across = abs(right) + abs(down);
    let onto = vec2<f32>(1.0, -1.0) / space.laid;
    let laid = textureSampleGrad(draped, over, (place.xy - 0.5 * space.extent) * onto + 0.5, right * onto, down * onto);
    let inside = place.xy / space.extent;
    let within = all(inside >= vec2<f32>(0.0)) && all(inside <= vec2<f32>(1.0));
    let cover = select(0.0, clamp(laid.a, 0.0, 1.0), within);
    let paint = linear_of(laid.rgb / max(laid.a, 1e-3));
    let lights = lights_at(place.xy, n);
    var left = 1.0;
    if (lights.exposure > 0.0) { left = mix(1.0, through_to_ground(place), lights.exposure); }
    let light = max(vec3<f32>(0.0), lights.rest + lights.direct * left);
    // What is laid over the ground is half lit and half as it is: a field's colours must be found in its legend again.
    // Around the world it is duller, so that one sees where that ends.
    let far = distance(place, space.eye.xyz);
    let bare = material(place, n, far, max(across.x, across.y)) * light * select(0.7, 1.0, within);
    let colour = mix(bare, paint * (0.4 * light + 0.5), cover);
    return through_air(tinted(colour, place), place);
}

// The sky behind everything, with the sun's disc.
fn sky_colour(pixel: vec2<f32>) -> vec3<f32> {
    let way = normalize(way_to(pixel));
    let disc = smoothstep(0.99985, 0.99993, dot(way, space.sun.xyz));
    return sky(way) + disc * 20.0 * space.sun_colour.rgb;
}

// Units of area in a pixel: sums.wgsl's.
const AREA: f32 = 4096.0;

// How much of a pixel those cover who are far away. Seen from the side bodies overlap, so that sums grow faster than what is covered; from above they
// stand beside each other.
fn cover(pixel: vec2<f32>, area: u32) -> f32 {
    let steep = clamp(-normalize(way_to(pixel)).z, 0.0, 1.0);
    let sharp = mix(3.0, 12.0, steep);
    let sum = f32(area) / AREA;
    return sum / pow(1.0 + pow(min(sum, 16.0), sharp), 1.0 / sharp);
}

// A film's curve (Narkowicz's fit of ACES).
fn film(x: vec3<f32>) -> vec3<f32> {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), vec3<f32>(0.0), vec3<f32>(1.0));
}

// Ground whose depths in a pixel differ by less is coloured once.
const ALIKE: f32 = 0.05;

@compute @workgroup_size(8, 8)
fn resolve(@builtin(global_invocation_id) at: vec3<u32>) {
    let pixel = at.xy;
    if (any(pixel >= vec2<u32>(space.screen))) { return; }
    let k = pixel.y * u32(space.screen.x) + pixel.x;
    let middle = vec2<f32>(pixel) + 0.5;
    let seen = colours[k];
    var deep = bitcast<vec4<f32>>(depths[k]);
    var light: array<vec3<f32>, 4>;

    // Ground first, in the middle of its samples if they are alike.
    var ground = vec4<bool>(false);
    var sum = vec4<f32>(0.0);
    var least = 2.0;
    var most = 0.0;
    for (var s = 0u; s < 4u; s++) {
        var is_wall = false;
        if (seen[s] == 0u && space.walled > 0u) {
            let wall = textureLoad(walls, pixel, s);
            is_wall = wall.a == f32(space.walled);
            light[s] = wall.rgb;
        }
        ground[s] = seen[s] == 0u && !is_wall && deep[s] > 0.0;
        if (ground[s]) {
            sum += vec4<f32>(vec2<f32>(pixel) + SAMPLES[s], deep[s], 1.0);
            least = min(least, deep[s]);
            most = max(most, deep[s]);
        }
    }
    let alike = most - least < ALIKE * most;
    if (sum.w > 0.0 && alike) {
        let colour = ground_colour(sum.xy / sum.w, sum.z / sum.w);
        for (var s = 0u; s < 4u; s++) { if (ground[s]) { light[s] = colour; } }
    }
    var behind = vec3<f32>(0.0);
    if (any(deep == vec4<f32>(0.0))) { behind = sky_colour(middle); }
    for (var s = 0u; s < 4u; s++) {
        if (seen[s] != 0u) {
            light[s] = unpack_colour(seen[s]);
        } else if (deep[s] == 0.0) {
            light[s] = behind;
        } else if (ground[s] && !alike) {
            light[s] = ground_colour(vec2<f32>(pixel) + SAMPLES[s], deep[s]);
        }
    }

    // As many samples are covered by those who are far away as they take up, and the last in part. From pixel to pixel another comes first.
    let far = sums[k];
    if (far.w > 0u) {
        let near = bitcast<f32>(nearest[k]);
        let covered = cover(middle, far.w);
        let colour = vec3<f32>(far.xyz) / f32(far.w);
        for (var s = 0u; s < 4u; s++) {
            let order = (s + pixel.x + 2u * pixel.y) & 3u;
            let alpha = clamp(4.0 * covered - f32(order), 0.0, 1.0);
            if (alpha <= 0.0 || near < deep[s]) { continue; }
            light[s] = mix(light[s], colour, alpha);
            // Mist behind what is covered for the most part is not drawn over it.
            if (alpha >= 0.5) { deep[s] = near; }
        }
    }
    for (var m = 0u; m < space.mists; m++) {
        let veil = veil_of(mists[m], middle);
        if (veil.colour.a <= 0.0) { continue; }
        for (var s = 0u; s < 4u; s++) {
            if (veil.depth >= deep[s]) { light[s] = veil.colour.rgb + light[s] * (1.0 - veil.colour.a); }
        }
    }

    // Each sample by itself: a bright edge is as smooth as a dull one.
    var shown = vec3<f32>(0.0);
    for (var s = 0; s < 4; s++) { shown += film(0.75 * light[s]); }
    textureStore(picture, pixel, 0, vec4<f32>(pow(shown * 0.25, vec3<f32>(1.0 / 2.2)), 1.0));
}
