// Downhill to the neighbours that the way leads to; `around` are the potentials N, E, S, W, unreached where the link is closed.
fn down(p: f32, other: f32, c: f32) -> f32 { return max((p - other) / c, 0.0); }

fn way_from(p: f32, around: vec4<f32>, c: vec4<f32>) -> vec2<f32> {
    let un = down(p, around.x, c.x);
    let ue = down(p, around.y, c.y);
    let us = down(p, around.z, c.z);
    let uw = down(p, around.w, c.w);
    return vec2<f32>(select(-uw / c.w, ue / c.y, ue >= uw), select(-us / c.z, un / c.x, un >= us));
}
