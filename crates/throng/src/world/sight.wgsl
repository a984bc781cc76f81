// Whether no wall is between two points, however far apart: Walls::in_sight. Needs `world`.
fn in_sight(p: vec2<f32>, q: vec2<f32>) -> bool {
    let way = q - p;
    let count = max(1u, u32(ceil(length(way) / (0.99 * params.wall_reach))));
    for (var k = 0u; k < count; k++) {
        let here = p + way * (f32(k) / f32(count));
        let there = p + way * (f32(k + 1u) / f32(count));
        if (blocked(cell_at(here), here, there)) { return false; }
    }
    return true;
}
