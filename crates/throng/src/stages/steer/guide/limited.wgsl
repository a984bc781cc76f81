// Where a goal may be closed or full, people wait before it; and who has found no room stands on it.
fn waits(at: u32) -> bool {
    let code = directions[at];
    return code == WAIT_HERE || code == ARRIVED_HERE;
}
