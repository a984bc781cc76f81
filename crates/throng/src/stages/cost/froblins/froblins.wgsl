// Costs without direction: see mod.rs. `weights`: as for the continuum's, of which only discomfort counts.

@group(0) @binding(6) var<storage, read> average: array<vec4<f32>>;

fn link_costs(weights: vec4<f32>, cell: u32) -> vec4<f32> {
    let links = open_links(world[cell].x, cell);
    let factors = cost_factors_of(cell);
    let t = mean_pace(cell) / bitcast<f32>(world[cell].y) * params.cell + weights.z * bitcast<f32>(world[cell].z);
    let crowd = params.froblins_density * factors.y * average[cell].x;
    let danger = params.froblins_hazard * factors.z * hazard_here(cell);
    let metre = params.froblins_terrain * factors.x * t + (crowd + danger) * params.cell;
    let cost = clamp(metre, params.froblins_least * params.cell, 1e8 * params.cell);
    return select(vec4<f32>(cost), vec4<f32>(UNREACHED), (vec4<u32>(links) & vec4<u32>(1u, 2u, 4u, 8u)) == vec4<u32>(0u));
}
