// Walls as bodies meet them: world/walls.rs. Needs `world`: a record per cell (flags, zone, discomfort, where its list of
// segments is), then lists: a record with the count, then segments; and the solid shapes of tiles.

const SKIN: f32 = 1e-3;

struct Near {
    first: u32,
    count: u32,
}

fn near(cell: u32) -> Near {
    let g = world[cell];
    if ((g.x & NEAR) == 0u) { return Near(0u, 0u); }
    return Near(g.w + 1u, world[g.w].x);
}

fn blocked(cell: u32, p: vec2<f32>, q: vec2<f32>) -> bool {
    let list = near(cell);
    for (var k = 0u; k < list.count; k++) {
        if (crosses(numbers(list.first + k), p, q)) { return true; }
    }
    return false;
}

// Whether two points that are at most two radii and a stride apart see each other.
fn sees(p: vec2<f32>, q: vec2<f32>) -> bool {
    let a = cell_at(p);
    let b = cell_at(q);
    if (((world[a].x | world[b].x) & NEAR) == 0u) { return true; }
    if (blocked(a, p, q)) { return false; }
    return a == b || !blocked(b, p, q);
}

fn in_wall(p: vec2<f32>) -> bool {
    if (!in_world(p)) { return true; }
    let xy = cell_xy(p);
    let flags = world[cell_index(xy)].x;
    if ((flags & NEAR) == 0u) { return (flags & SOLID) != 0u; }
    if ((flags & PAINTED) != 0u) { return true; }
    let tile = (xy.y >> 4u) * params.wall_tiles_x + (xy.x >> 4u);
    let list = world[params.solids + tile / 4u][tile & 3u];
    let count = world[list].x;
    for (var k = 0u; k < count; k++) {
        if (shape_contains(world[list + 1u + k], p)) { return true; }
    }
    return false;
}

// Whether a wall may be within a distance: by tiles.
fn any_around(p: vec2<f32>, distance: f32) -> bool {
    let low = cell_xy(p - distance) >> vec2<u32>(4u);
    let high = cell_xy(p + distance) >> vec2<u32>(4u);
    for (var y = low.y; y <= high.y; y++) {
        for (var x = low.x; x <= high.x; x++) {
            let tile = y * params.wall_tiles_x + x;
            if (world[world[params.solids + tile / 4u][tile & 3u]].y != 0u) { return true; }
        }
    }
    return false;
}

fn wall_depth(p: vec2<f32>, radius: f32) -> f32 {
    let list = near(cell_at(p));
    var deep = 0.0;
    for (var k = 0u; k < list.count; k++) { deep = max(deep, radius - distance(closest(numbers(list.first + k), p), p)); }
    return deep;
}

// The cell whose middle stands for a point: its own, or the nearest around whose middle can be seen.
fn anchor(p: vec2<f32>) -> u32 {
    let xy = cell_xy(p);
    let home = cell_index(xy);
    let flags = world[home].x;
    if ((flags & (NEAR | SOLID)) == 0u) { return home; }
    if ((flags & SOLID) == 0u && sees(p, cell_middle(xy))) { return home; }
    var best = 3.4e38;
    var found = home;
    let low = max(xy, vec2<u32>(1u)) - 1u;
    let high = min(xy + 1u, vec2<u32>(params.width - 1u, params.height - 1u));
    for (var y = low.y; y <= high.y; y++) {
        for (var x = low.x; x <= high.x; x++) {
            let middle = cell_middle(vec2<u32>(x, y));
            let away = middle - p;
            let square = dot(away, away);
            let cell = y * params.width + x;
            if (square < best && (world[cell].x & SOLID) == 0u && sees(p, middle)) {
                best = square;
                found = cell;
            }
        }
    }
    return found;
}

// Where a disc ends that wants to go from `start` to `goal`: it slides along walls and never passes one.
fn slide(start: vec2<f32>, goal: vec2<f32>, radius: f32) -> vec2<f32> {
    let list = near(cell_at(start));
    if (list.count == 0u) { return goal; }
    var at = goal;
    var settled = false;
    for (var round = 0u; round < 4u && !settled; round++) {
        settled = true;
        for (var k = 0u; k < list.count; k++) {
            let s = numbers(list.first + k);
            let crossed = crosses(s, start, at);
            let foot = closest(s, at);
            let away = at - foot;
            let gap = length(away);
            if (!crossed && gap >= radius) { continue; }
            var out: vec2<f32>;
            if (crossed || gap < SKIN) {
                let along = s.zw - s.xy;
                var normal = unit_or_zero(vec2<f32>(-along.y, along.x));
                if (dot(normal, start - s.xy) < 0.0) { normal = -normal; }
                out = normal;
                if (normal.x == 0.0 && normal.y == 0.0) { out = unit_or_zero(start - closest(s, start)); }
            } else {
                out = away / gap;
            }
            at = foot + out * (radius + 1e-5);
            settled = false;
        }
    }
    if (!settled) {
        for (var k = 0u; k < list.count; k++) {
            let s = numbers(list.first + k);
            if (crosses(s, start, at) || distance(closest(s, at), at) < SKIN) { return start; }
        }
        if (distance(at, start) + radius > params.wall_reach) { return start; }
    }
    return select(start, at, in_world(at));
}
