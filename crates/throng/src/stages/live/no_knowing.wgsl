// In a crowd that nobody of learns by sight.

@compute @workgroup_size(1)
fn look_around() {}
