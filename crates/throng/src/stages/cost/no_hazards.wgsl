// In a scene without hazards.
fn with_hazards(discomfort: f32, cell: u32) -> f32 { return discomfort; }
