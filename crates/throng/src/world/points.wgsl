// Which point somebody heads for: world/points.rs. Needs `world`.

const POINT_TRIES: u32 = 32u;

// What a leg's record of points says: engine/gpu/world.rs.
const OPPOSITE: u32 = 0u;
const RANDOM: u32 = 1u;

// The third record of a group: its least id, its goal distance, the middle of its start area.
fn of_points(group: u32) -> vec4<u32> { return world[params.cells + group * 3u + 2u]; }
fn goal_distance(group: u32) -> f32 { return bitcast<f32>(of_points(group).y); }

// The nearest place for a body, as Walls::free_place finds it.
fn free_place(p: vec2<f32>, radius: f32) -> vec2<f32> {
    let range = length(vec2<f32>(f32(params.width), f32(params.height)) * params.cell);
    for (var wish = 0u; wish < 2u; wish++) {
        let gap = select(radius, SKIN, wish == 1u);
        for (var ring = 0u; ring < 4096u; ring++) {
            let away = 0.25 * params.cell * f32(ring) * (1.0 + f32(ring) / 24.0);
            if (away > range) { break; }
            let count = select(min(6u * ring, 96u), 1u, ring == 0u);
            for (var k = 0u; k < count; k++) {
                let angle = 6.2831853 * f32(k) / f32(count);
                let q = p + vec2<f32>(cos(angle), sin(angle)) * away;
                if (!in_wall(q) && wall_depth(q, gap) <= 0.0) { return q; }
            }
        }
    }
    return p;
}

// The point of somebody that begins a leg at `before`; `target_at` is where the leg's record of points is.
fn choose_point(own: vec4<u32>, target_at: u32, before: vec2<f32>, radius: f32) -> vec2<f32> {
    let to = world[target_at];
    let of_group = of_points(group_of(own));
    if (to.x == OPPOSITE) {
        let size = vec2<f32>(f32(params.width), f32(params.height)) * params.cell;
        // The greatest that are still in the world.
        let most = bitcast<vec2<f32>>(bitcast<vec2<u32>>(size) - 1u);
        let mirrored = 2.0 * bitcast<vec2<f32>>(of_group.zw) - before;
        return free_place(clamp(mirrored, vec2<f32>(0.0), most), radius);
    }
    if (to.x == RANDOM) {
        var p = vec2<f32>(0.0);
        for (var attempt = 0u; attempt < POINT_TRIES; attempt++) {
            let words = draw(params.seed, own.x, TO_POINT, (params.step + 1u) * POINT_TRIES + attempt);
            let place = random_place(to.yz, words);
            p = place.xy;
            if (place.z != 0.0 && !in_wall(p) && wall_depth(p, radius) <= 0.0) { return p; }
        }
        return free_place(p, radius);
    }
    let k = (own.x - of_group.x) % max(to.z, 1u);
    let pair = numbers(to.y + k / 2u);
    return select(pair.xy, pair.zw, (k & 1u) == 1u);
}
