// Central differences: see mod.rs. `around` are the potentials N, E, S, W, unreached where the link is closed.
fn along(p: f32, ahead: f32, behind: f32) -> f32 {
    if (ahead < UNREACHED && behind < UNREACHED) { return 0.5 * (behind - ahead); }
    if (ahead < UNREACHED) { return max(p - ahead, 0.0); }
    if (behind < UNREACHED) { return -max(p - behind, 0.0); }
    return 0.0;
}

fn downhill(p: f32, ahead: f32, behind: f32) -> f32 {
    let a = max(p - ahead, 0.0);
    let b = max(p - behind, 0.0);
    return select(-b, a, a >= b);
}

fn way_from(p: f32, around: vec4<f32>, c: vec4<f32>) -> vec2<f32> {
    let way = vec2<f32>(along(p, around.y, around.w), along(p, around.x, around.z));
    let upwind = vec2<f32>(downhill(p, around.y, around.w), downhill(p, around.x, around.z));
    // On a ridge, or into a hollow between cells, differences say nothing of the way down.
    if (dot(way, upwind) <= 0.0) { return upwind; }
    return way;
}
