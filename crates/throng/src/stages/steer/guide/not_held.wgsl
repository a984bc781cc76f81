// Where goals are always open nobody waits before one.
fn waits(code: u32) -> bool { return false; }
