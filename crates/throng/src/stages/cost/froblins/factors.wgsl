// Where weights are scaled in places.
@group(0) @binding(8) var<storage, read> cost_factors: array<vec4<f32>>;
fn cost_factors_of(cell: u32) -> vec4<f32> { return cost_factors[cell]; }
