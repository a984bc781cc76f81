// Where goals are always open nobody waits before one.
fn waits(at: u32) -> bool { return false; }
