//! Which cells a body of some radius can walk between.
//!
//! A row of cells falls into *runs* that one can walk along; runs of neighbouring rows that touch are joined. Both are
//! found row by row, in parallel, and a hundred million cells of open floor are only ten thousand runs.

use crate::scene::{Group, Scene};
use crate::world::World;
use crate::world::grid::{EAST, Grid, NORTH};
use crate::world::narrow::closed_links;
use crate::world::walls::{LINK, Walls};
use glam::Vec2;
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

/// From so many radii on, those between two whose regions are the same are taken to have the same: the narrower a body, the more ways it has.
const MANY_RADII: usize = 16;

/// Bytes that regions may take for each cell of the world: less than the fields that come after them.
const MOST_BYTES: usize = 64;

/// Answers that are kept: each is a byte for each cell.
const MOST_ANSWERS: usize = 8;

/// For some regions and goals, the cells from which these can be reached.
type Answer = (Rc<Connected>, Vec<u16>, Rc<Vec<bool>>);

/// The regions of a world, for the radii that were asked for.
pub(super) struct Regions<'a> {
    world: &'a World,
    /// All radii that somebody may have, the least first, where these are many.
    radii: Vec<f32>,
    /// The regions that are known, by radius, the least first. Neighbours that are equal share theirs.
    known: Vec<(f32, Rc<Connected>)>,
    /// The last few answers, the latest first: groups often take turns between a few journeys.
    last: Vec<Answer>,
    /// Of each group that was compared with others, a hash of where it can start.
    digests: BTreeMap<usize, u64>,
}

impl<'a> Regions<'a> {
    pub(super) fn new(world: &'a World) -> Self {
        Self { world, radii: Vec::new(), known: Vec::new(), last: Vec::new(), digests: BTreeMap::new() }
    }

    /// The same, to be asked about all groups of a scene.
    pub(super) fn of_groups(world: &'a World, groups: &[Group]) -> Self {
        let mut radii: Vec<f32> = groups.iter().map(|g| g.radius.max()).collect();
        radii.sort_unstable_by(f32::total_cmp);
        radii.dedup();
        Self { radii: if radii.len() < MANY_RADII { Vec::new() } else { radii }, ..Self::new(world) }
    }

    fn connected(&mut self, radius: f32) -> Rc<Connected> {
        loop {
            let place = match self.known.binary_search_by(|(r, _)| r.total_cmp(&radius)) {
                Ok(i) => return self.known[i].1.clone(),
                Err(place) => place,
            };
            let neighbours = place.checked_sub(1).and_then(|below| self.known.get(below)).zip(self.known.get(place));
            if let Some(((_, below), (_, above))) = neighbours
                && Rc::ptr_eq(below, above)
                && !self.radii.is_empty()
            {
                return below.clone();
            }
            self.find(self.next_to_find(place, radius));
        }
    }

    /// Whose regions to find on the way to those of a radius that belongs at some place among those that are known: the widest and the
    /// narrowest first, and then halfway between two that differ.
    fn next_to_find(&self, place: usize, radius: f32) -> f32 {
        let number = |r: f32| self.radii.binary_search_by(|other| other.total_cmp(&r)).ok();
        if number(radius).is_none() {
            return radius;
        }
        let below = place.checked_sub(1).and_then(|below| number(self.known[below].0));
        let above = self.known.get(place).and_then(|known| number(known.0));
        match (below, above) {
            (None, _) => self.radii[0],
            (_, None) => self.radii[self.radii.len() - 1],
            (Some(below), Some(above)) => self.radii[(below + above) / 2],
        }
    }

    fn find(&mut self, radius: f32) {
        let place = self.known.partition_point(|(r, _)| *r < radius);
        let found = Connected::new(self.world, radius);
        let beside = self.known[place.saturating_sub(1)..].iter().take(2).find(|(_, known)| **known == found);
        let found = beside.map(|(_, known)| known.clone()).unwrap_or_else(|| Rc::new(found));
        self.known.insert(place, (radius, found));
        // Those that are farthest from the last one are the least likely to be asked for.
        let all = |known: &[(f32, Rc<Connected>)]| {
            let first = |i: usize| i == 0 || !Rc::ptr_eq(&known[i - 1].1, &known[i].1);
            (0..known.len()).filter(|&i| first(i)).map(|i| known[i].1.memory()).sum::<usize>()
        };
        while self.known.len() > 2 && all(&self.known) > MOST_BYTES * self.world.grid.len() {
            let (low, high) = (self.known[0].0, self.known[self.known.len() - 1].0);
            let farthest = if radius - low > high - radius { 0 } else { self.known.len() - 1 };
            self.known.remove(farthest);
        }
    }

    /// The cells from which a group, if it had this radius, could reach every goal of its journey.
    pub(super) fn reaching_goals(&mut self, scene: &Scene, g: usize, radius: f32) -> Rc<Vec<bool>> {
        let (connected, goals) = (self.connected(radius), goals_of(&scene.groups[g]));
        let known = |(regions, same, _): &Answer| Rc::ptr_eq(regions, &connected) && *same == goals;
        if let Some(k) = self.last.iter().position(known) {
            self.last[..=k].rotate_right(1);
        } else {
            let cells = connected.cells(&self.world.grid, &connected.runs_reaching(self.world, &goals));
            self.last.truncate(MOST_ANSWERS - 1);
            self.last.insert(0, (connected, goals, Rc::new(cells)));
        }
        self.last[0].2.clone()
    }

    /// The runs of cells that a group can start in, those that follow each other as one.
    fn starts(&mut self, scene: &Scene, g: usize) -> Vec<Range<u32>> {
        let group = &scene.groups[g];
        let connected = self.connected(group.radius.max());
        let reaching = connected.runs_reaching(self.world, &goals_of(group));
        let mut starts: Vec<Range<u32>> = Vec::new();
        for (run, _) in connected.runs.iter().zip(reaching).filter(|(_, reaching)| *reaching) {
            match starts.last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => starts.push(run.clone()),
            }
        }
        starts
    }

    fn digest(&mut self, scene: &Scene, g: usize) -> u64 {
        if let Some(digest) = self.digests.get(&g) {
            return *digest;
        }
        let mut hasher = std::hash::DefaultHasher::new();
        self.starts(scene, g).hash(&mut hasher);
        *self.digests.entry(g).or_insert(hasher.finish())
    }

    /// Whether two groups can start in the same cells.
    pub(super) fn same(&mut self, scene: &Scene, a: usize, b: usize) -> bool {
        let of = |g: usize| (scene.groups[g].radius.max().to_bits(), goals_of(&scene.groups[g]));
        of(a) == of(b)
            || (self.digest(scene, a) == self.digest(scene, b) && self.starts(scene, a) == self.starts(scene, b))
    }
}

/// The goals of a group's journey, each once.
fn goals_of(group: &Group) -> Vec<u16> {
    let mut goals: Vec<u16> = group.goals().collect();
    goals.sort_unstable();
    goals.dedup();
    goals
}

/// The cells that bodies of one radius can be in, and which of them are connected.
#[derive(PartialEq)]
struct Connected {
    /// Runs of cells, as plain indices, in order.
    runs: Vec<Range<u32>>,
    /// The first run of each row, and after the last row how many runs there are.
    first_of_row: Vec<usize>,
    /// The region of each run: the first run that is connected with it.
    region: Vec<u32>,
}

impl Connected {
    fn new(world: &World, radius: f32) -> Self {
        let (grid, walls) = (world.grid, &world.walls);
        let narrow = closed_links(walls, &grid, radius);
        let mut flags = Cow::Borrowed(walls.flags());
        if !narrow.is_empty() {
            let flags = flags.to_mut();
            narrow.iter().for_each(|&(cell, bits)| flags[cell as usize] &= !bits);
        }
        if !world.terrain.is_flat() {
            let cells = flags.to_mut().iter_mut().enumerate();
            cells.for_each(|(cell, bits)| *bits &= !world.terrain.steep_links(cell, LINK));
        }
        let flags: &[u8] = &flags;
        let by_row: Vec<Vec<Range<u32>>> =
            (0..grid.height).into_par_iter().map(|y| runs_of_row(walls, flags, grid, y, radius)).collect();
        let mut first_of_row = vec![0];
        for row in &by_row {
            first_of_row.push(first_of_row[first_of_row.len() - 1] + row.len());
        }
        let runs = by_row.concat();
        let touching: Vec<(u32, u32)> = (1..grid.height)
            .into_par_iter()
            .flat_map_iter(|y| {
                let south = first_of_row[y - 1]..first_of_row[y];
                let north = first_of_row[y]..first_of_row[y + 1];
                touching_runs(&runs, south, north, grid.width as u32, flags)
            })
            .collect();
        let mut connected = Self { runs, first_of_row, region: Vec::new() };
        let portals = world.portals.links().iter();
        let joined = portals
            .filter_map(|l| Some((connected.run_at(&grid, l.from)? as u32, connected.run_at(&grid, l.to)? as u32)));
        let pairs: Vec<(u32, u32)> = touching.into_iter().chain(joined).collect();
        connected.region = join(connected.runs.len(), &pairs);
        connected
    }

    /// Bytes that it takes.
    fn memory(&self) -> usize {
        self.runs.len() * (size_of::<Range<u32>>() + size_of::<u32>()) + self.first_of_row.len() * size_of::<usize>()
    }

    /// The run that a cell is in.
    fn run_at(&self, grid: &Grid, cell: u32) -> Option<usize> {
        let row = cell as usize / grid.width;
        let runs = self.first_of_row[row]..self.first_of_row[row + 1];
        let found = runs.start + self.runs[runs.clone()].partition_point(|run| run.end <= cell);
        (found < runs.end && self.runs[found].contains(&cell)).then_some(found)
    }

    /// For each run whether one can walk from it to all of some goals.
    fn runs_reaching(&self, world: &World, goals: &[u16]) -> Vec<bool> {
        let mut reaching = vec![true; self.runs.len()];
        for &goal in goals {
            let mut has_goal = vec![false; self.runs.len()];
            for cell in world.free_cells(goal as usize) {
                if let Some(run) = self.run_at(&world.grid, cell) {
                    has_goal[self.region[run] as usize] = true;
                }
            }
            for (reaching, &region) in reaching.iter_mut().zip(&self.region) {
                *reaching &= has_goal[region as usize];
            }
        }
        reaching
    }

    /// The cells of some runs.
    fn cells(&self, grid: &Grid, chosen: &[bool]) -> Vec<bool> {
        let mut cells = vec![false; grid.len()];
        cells.par_chunks_mut(grid.width).enumerate().for_each(|(y, row)| {
            let west = (y * grid.width) as u32;
            for run in (self.first_of_row[y]..self.first_of_row[y + 1]).filter(|&run| chosen[run]) {
                let Range { start, end } = self.runs[run];
                row[(start - west) as usize..(end - west) as usize].fill(true);
            }
        });
        cells
    }
}

/// The runs of a row: cells that have room for a body, each linked with the next.
fn runs_of_row(walls: &Walls, flags: &[u8], grid: Grid, y: usize, radius: f32) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    let mut linked = false;
    let row = y * grid.width;
    for (cell, flags) in (row..).zip(&flags[row..row + grid.width]) {
        let room = has_room_for(walls, grid, cell, radius);
        match runs.last_mut() {
            Some(run) if room && linked => run.end += 1,
            _ if room => runs.push(cell as u32..cell as u32 + 1),
            _ => {}
        }
        linked = room && flags & LINK[EAST] != 0;
    }
    runs
}

/// The pairs of runs of two neighbouring rows between which a link is open.
fn touching_runs<'a>(
    runs: &'a [Range<u32>],
    mut south: Range<usize>,
    mut north: Range<usize>,
    width: u32,
    flags: &'a [u8],
) -> impl Iterator<Item = (u32, u32)> + 'a {
    std::iter::from_fn(move || {
        while !south.is_empty() && !north.is_empty() {
            let (a, b) = (&runs[south.start], &runs[north.start]);
            let pair = (south.start as u32, north.start as u32);
            // The cells of the southern one that are below the northern one.
            let below = a.start.max(b.start - width)..a.end.min(b.end - width);
            // Whichever ends first has no other to touch.
            if a.end < b.end - width {
                south.start += 1;
            } else {
                north.start += 1;
            }
            if below.clone().any(|cell| flags[cell as usize] & LINK[NORTH] != 0) {
                return Some(pair);
            }
        }
        None
    })
}

/// For each of `count` things the first of those that pairs connect it with.
fn join(count: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..count as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    for &(a, b) in pairs {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b) as usize] = a.min(b);
    }
    // A parent comes before its children, so it is a root already.
    for i in 0..count {
        parent[i] = parent[parent[i] as usize];
    }
    parent
}

/// Whether a body has room in a cell.
pub(super) fn has_room_for(walls: &Walls, grid: Grid, cell: usize, radius: f32) -> bool {
    !walls.is_solid(cell) && (walls.distance()[cell] >= radius || has_room_near_walls(walls, grid, cell, radius))
}

/// Whether somewhere in a cell, on the side of its walls where its middle is, a body has room. Squares are halved until
/// their middles have it or none of them can: no point is clearer than its square's middle by more than the way to it.
fn has_room_near_walls(walls: &Walls, grid: Grid, cell: usize, radius: f32) -> bool {
    let centre = grid.centre_of(cell);
    let mut squares = vec![(centre, 0.5 * grid.cell)];
    // A body may be a hundredth wider than a gap: what is closed here must surely be too narrow.
    let fine = 0.01 * radius;
    while let Some((p, half)) = squares.pop() {
        let missing = walls.depth(p, radius);
        let seen = walls.sees(centre, p);
        if missing <= fine && seen {
            return true;
        }
        // Behind a wall squares need not be small: there is only the question whether they are all behind it.
        let least = if missing <= fine { 0.05 * grid.cell } else { 0.5 * fine };
        if half > least && missing <= fine + half * std::f32::consts::SQRT_2 {
            let h = 0.5 * half;
            squares
                .extend([Vec2::new(-h, -h), Vec2::new(h, -h), Vec2::new(-h, h), Vec2::new(h, h)].map(|d| (p + d, h)));
        }
    }
    false
}
