// In a scene where every goal holds any number.

@compute @workgroup_size(1)
fn leave_goals() {}

@compute @workgroup_size(1)
fn ask() {}

@compute @workgroup_size(1)
fn admit() {}
