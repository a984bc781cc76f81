// Where crowded goals cost no more than others.

@compute @workgroup_size(1)
fn add_crowds() {}
