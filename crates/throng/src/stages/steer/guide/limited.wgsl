// Where a goal may be closed or full, people wait before it; and who has found no room stands on it.
fn waits(code: u32) -> bool { return code == WAIT_HERE || code == ARRIVED_HERE; }
