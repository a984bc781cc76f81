//! Mazes, for the tests and for examples/harmonic_maps.rs.

/// The free cells of a maze, row by row: corridors `wide` cells wide between walls of one cell, of which so many in a thousand are missing; by depth first, from a random place.
/// `draw` gives a random number below another.
pub(crate) fn free_cells(side: usize, wide: usize, loops: u32, mut draw: impl FnMut(usize) -> usize) -> Vec<bool> {
    let pitch = wide + 1;
    let rooms = (side - 1) / pitch;
    let mut free = vec![false; side * side];
    let carve = |free: &mut Vec<bool>, from: [usize; 2], size: [usize; 2]| {
        for y in from[1]..from[1] + size[1] {
            free[y * side + from[0]..y * side + from[0] + size[0]].fill(true);
        }
    };
    let first = [draw(rooms), draw(rooms)];
    let mut seen = vec![false; rooms * rooms];
    seen[first[1] * rooms + first[0]] = true;
    let mut stack = vec![first];
    while let Some(&[i, j]) = stack.last() {
        carve(&mut free, [i * pitch + 1, j * pitch + 1], [wide, wide]);
        let around = [(i + 1, j), (i.wrapping_sub(1), j), (i, j + 1), (i, j.wrapping_sub(1))];
        let fresh: Vec<_> =
            around.into_iter().filter(|&(a, b)| a < rooms && b < rooms && !seen[b * rooms + a]).collect();
        if fresh.is_empty() {
            stack.pop();
            continue;
        }
        let (a, b) = fresh[draw(fresh.len())];
        seen[b * rooms + a] = true;
        stack.push([a, b]);
        let low = [i.min(a) * pitch + 1, j.min(b) * pitch + 1];
        carve(&mut free, low, if a != i { [2 * wide + 1, wide] } else { [wide, 2 * wide + 1] });
    }
    for k in 0..rooms * (rooms - 1) {
        if (draw(1000) as u32) < loops {
            let (i, j) = (k % (rooms - 1), k / (rooms - 1));
            carve(&mut free, [i * pitch + 1, j * pitch + 1], [2 * wide + 1, wide]);
        }
    }
    free
}
