// In a scene without hazards.

@compute @workgroup_size(1)
fn flee_all() {}
