// Hazards are uncomfortable, whatever the ground is.
fn with_hazards(discomfort: f32, cell: u32) -> f32 {
    let middle = cell_middle(vec2<u32>(cell % params.width, cell / params.width));
    return discomfort + params.hazard_discomfort * hazard_amount(middle);
}
