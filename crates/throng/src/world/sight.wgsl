// Whether no wall is between two points, however far apart: Walls::in_sight. Needs `world`.
fn in_sight(p: vec2<f32>, q: vec2<f32>) -> bool {
    let way = q - p;
    let count = max(1u, u32(ceil(length(way) / (0.99 * params.wall_reach))));
    let pieces = f32(count);
    for (var first = 0u; first < count; first += 4u) {
        // Most pieces of a way are far from walls: four are asked for at a time, so that they do not wait for each other.
        var cells: array<u32, 4>;
        var flags = 0u;
        for (var k = 0u; k < 4u; k++) {
            cells[k] = cell_at(p + way * (f32(min(first + k, count - 1u)) / pieces));
            flags |= world[cells[k]].x;
        }
        if ((flags & NEAR) == 0u) { continue; }
        for (var k = 0u; k < min(4u, count - first); k++) {
            let here = p + way * (f32(first + k) / pieces);
            let there = p + way * (f32(first + k + 1u) / pieces);
            if (blocked(cells[k], here, there)) { return false; }
        }
    }
    return true;
}
