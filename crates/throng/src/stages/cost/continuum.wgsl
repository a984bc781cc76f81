// Costs by direction: see mod.rs. `weights`: the cost of a cell's length, of the time that a cell takes at 1 m/s, and of that
// time in discomfort 1.

fn link(weights: vec4<f32>, cell: u32, links: u32, bit: u32, step: i32, speed_ahead: f32) -> f32 {
    if ((links & bit) == 0u) { return UNREACHED; }
    let ahead = u32(i32(cell) + step);
    let discomfort = with_hazards(bitcast<f32>(world[ahead].z), ahead);
    return weights.x + (weights.y + weights.z * discomfort) / speed_ahead;
}

fn link_costs(weights: vec4<f32>, cell: u32) -> vec4<f32> {
    let links = open_links(world[cell].x, cell);
    let s = on_slopes(speed[cell], cell);
    let row = i32(params.width);
    return vec4<f32>(
        link(weights, cell, links, 1u, row, s.x),
        link(weights, cell, links, 2u, 1, s.y),
        link(weights, cell, links, 4u, -row, s.z),
        link(weights, cell, links, 8u, -1, s.w),
    );
}
