// How bad hazards are in the middle of a cell.
fn hazard_here(cell: u32) -> f32 {
    return hazard_amount(cell_middle(vec2<u32>(cell % params.width, cell / params.width)));
}

// They are uncomfortable, whatever the ground is.
fn with_hazards(discomfort: f32, cell: u32) -> f32 { return discomfort + params.hazard_discomfort * hazard_here(cell); }
