// In a scene without doors.

@compute @workgroup_size(1)
fn count_coming() {}

@compute @workgroup_size(1)
fn hold_back() {}
