// Where a goal may be closed, people wait before it.
fn waits(code: u32) -> bool { return code == WAIT_HERE; }
