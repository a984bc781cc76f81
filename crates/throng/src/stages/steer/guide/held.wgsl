// Where a goal may be closed, people wait before it. `at` is where the directions of somebody's route and cell are.
fn waits(at: u32) -> bool { return directions[at] == WAIT_HERE; }
