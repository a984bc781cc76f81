// For a steering whose cells hold as many as come.

@compute @workgroup_size(1)
fn gather_cells() {}
