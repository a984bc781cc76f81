// In a crowd where nobody lives by states.

@compute @workgroup_size(1)
fn decide() {}
