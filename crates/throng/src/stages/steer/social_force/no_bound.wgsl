// For a steering whose cells hold as many as come.

@compute @workgroup_size(1)
fn ask_for_places() {}

@compute @workgroup_size(1)
fn keep_out() {}
