// In a scene where every goal holds any number.

@compute @workgroup_size(1)
fn leave_and_ask() {}

@compute @workgroup_size(1)
fn admit() {}
