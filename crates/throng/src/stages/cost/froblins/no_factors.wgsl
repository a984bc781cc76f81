// Where weights are the same everywhere.
fn cost_factors_of(cell: u32) -> vec4<f32> { return vec4<f32>(1.0); }
