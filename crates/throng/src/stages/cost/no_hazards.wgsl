// In a scene without hazards.
fn hazard_here(cell: u32) -> f32 { return 0.0; }
fn with_hazards(discomfort: f32, cell: u32) -> f32 { return discomfort; }
