use super::*;
use crate::random::{Purpose, draw};

/// A floor from a picture, the northern row first: `#` is wall.
fn floor(rows: &[&str]) -> (Grid, Vec<u8>) {
    let (width, height) = (rows[0].len(), rows.len());
    let wall = |x: usize, y: usize| rows[height - 1 - y].as_bytes()[x] == b'#';
    links_of(width, height, wall)
}

/// Links between all cells that are no walls.
fn links_of(width: usize, height: usize, wall: impl Fn(usize, usize) -> bool) -> (Grid, Vec<u8>) {
    let mut links = vec![0; width * height];
    for (cell, bits) in links.iter_mut().enumerate() {
        let (x, y) = (cell % width, cell / width);
        for (d, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
            let (nx, ny) = (x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize));
            if nx < width && ny < height && !wall(x, y) && !wall(nx, ny) {
                *bits |= LINK[d];
            }
        }
    }
    (Grid { width, height, cell: 0.5 }, links)
}

fn detours(grid: &Grid, links: &[u8]) -> Detours {
    let mut detours = Detours { wanted: true, ..Detours::default() };
    detours.find(grid, links);
    detours
}

/// The cells that can be reached from one.
fn reached(floor: Floor<'_>, from: usize) -> Vec<bool> {
    let mut known = vec![false; floor.links.len()];
    let mut front = vec![from];
    known[from] = true;
    while let Some(cell) = front.pop() {
        for next in floor.steps(cell) {
            if !std::mem::replace(&mut known[next], true) {
                front.push(next);
            }
        }
    }
    known
}

/// Walks from one cell to another, a fifth of a cell at a time, and slides along closed links. Returns how many cells it went.
fn walk(grid: &Grid, links: &[u8], detours: &Detours, from: usize, to: usize) -> Option<f32> {
    let at = |cell: usize| Vec2::new((cell % grid.width) as f32 + 0.5, (cell / grid.width) as f32 + 0.5);
    let cell_of = |p: Vec2| p.y as usize * grid.width + p.x as usize;
    let (mut p, mut heading) = (at(from), Vec2::X);
    for step in 0..40 * (grid.width + grid.height) {
        let (cell, straight) = (cell_of(p), (at(to) - p).normalize_or_zero());
        if p.distance(at(to)) < 0.3 {
            return Some(0.2 * step as f32);
        }
        let way = detours.way(grid, cell, to, straight, heading.dot(straight) > FACES);
        heading = way;
        for (axis, [forth, back]) in [(Vec2::X, [LINK[1], LINK[3]]), (Vec2::Y, [LINK[0], LINK[2]])] {
            let next = p + axis * way.dot(axis) * 0.2;
            let link = if way.dot(axis) > 0.0 { forth } else { back };
            if cell_of(next) == cell_of(p) || links[cell_of(p)] & link != 0 {
                p = next;
            }
        }
    }
    None
}

#[test]
fn lines_of_sight_end_at_walls_and_are_the_same_both_ways() {
    let (grid, links) = floor(&["......", "..#...", "......"]);
    let floor = Floor { grid, links: &links };
    assert!(floor.sees(0, 5), "along the southern row");
    assert!(!floor.sees(6, 11), "through the wall");
    assert!(!floor.sees(1, 15), "a corner of the wall counts on both sides");
    for (a, b) in (0..links.len()).flat_map(|a| (0..links.len()).map(move |b| (a, b))) {
        assert_eq!(floor.sees(a, b), floor.sees(b, a), "{a} and {b}");
    }
}

#[test]
fn a_floor_without_walls_has_no_landmarks() {
    let (grid, links) = floor(&["....", "....", "...."]);
    let none = detours(&grid, &links);
    assert_eq!((none.landmarks(), none.bytes.len()), (0, 0));
    assert_eq!(none.way(&grid, 0, 11, Vec2::X, false), Vec2::X);
}

#[test]
fn the_way_out_of_a_dead_end_is_short() {
    let (grid, links) = floor(&[
        "............",
        "..######....",
        ".......#....",
        ".......#....",
        ".......#....",
        "..######....",
        "............",
    ]);
    let detours = detours(&grid, &links);
    let (from, to) = (3 * 12 + 6, 3 * 12 + 10);
    let far = walk(&grid, &links, &detours, from, to).expect("it gets there");
    // West to the opening, round its corner, east again.
    assert!((14.0..20.0).contains(&far), "{far}");
}

#[test]
fn from_everywhere_to_everywhere_one_gets_there() {
    for seed in 0..12u32 {
        // Blocks of walls of some sizes, anywhere.
        let (width, height) = (40, 30);
        let word = |k: u32, i: usize| draw(seed, k, Purpose::Point, 7)[i] as usize;
        let blocks: Vec<[usize; 4]> = (0..4 + 3 * seed)
            .map(|k| [word(k, 0) % width, word(k, 1) % height, 1 + word(k, 2) % 12, 1 + word(k, 3) % 4])
            .collect();
        let wall = |x: usize, y: usize| {
            blocks.iter().enumerate().any(|(k, &[bx, by, long, wide])| {
                let (dx, dy) = if k % 2 == 0 { (long, wide) } else { (wide, long) };
                x >= bx && x < bx + dx && y >= by && y < by + dy
            })
        };
        let (grid, links) = links_of(width, height, wall);
        let detours = detours(&grid, &links);
        assert!(detours.landmarks() > 0);
        let floor = Floor { grid, links: &links };
        for k in 0..60 {
            let (from, to) = (word(1000 + k, 0) % grid.len(), word(1000 + k, 1) % grid.len());
            if links[from] != 0 && reached(floor, from)[to] {
                let far = walk(&grid, &links, &detours, from, to);
                assert!(far.is_some(), "seed {seed}: from {from} to {to}, {} landmarks", detours.landmarks());
            }
        }
    }
}

#[test]
fn every_cell_of_the_floor_is_seen_from_a_landmark() {
    let (grid, links) = floor(&["..#..#....", "..#..#..#.", ".....#..#.", "..#.....#.", "..#..#...."]);
    let detours = detours(&grid, &links);
    for cell in (0..links.len()).filter(|&cell| links[cell] != 0) {
        assert_ne!(detours.bytes[detours.layer() + cell], 0, "{cell}");
    }
}

#[test]
fn directions_keep_their_angle_in_a_byte() {
    for k in 0..360 {
        let way = Vec2::from_angle((k as f32).to_radians());
        let kept = direction(byte_of(way * 30.0)).as_vec2().normalize();
        assert!(kept.dot(way) > 0.997, "{k}°");
    }
    assert_eq!(direction(byte_of(Vec2::ZERO)), IVec2::ZERO);
}
