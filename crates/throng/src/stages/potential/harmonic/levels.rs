//! The equations of a floor, and coarser and coarser ones for the same: nodes are cells, then connected parts of squares of 2 × 2, 4 × 4 and so
//! on cells.

/// A node's neighbour is in the same node of the next coarser level.
pub(super) const INSIDE: u32 = u32::MAX;

/// The equation of every node: `total · u = Σ rate · u of the neighbours`, walls counting in the total alone. Node 0 is the goal, whose value is
/// 1; the others are numbered as a search from it finds them, so that each has a neighbour with a lower number.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Where each node's neighbours begin, and one more.
    pub(super) starts: Vec<u32>,
    /// Neighbours.
    pub(super) to: Vec<u32>,
    /// How strongly each counts.
    pub(super) rate: Vec<f64>,
    pub(super) total: Vec<f64>,
    /// Which square it is in.
    pub(super) square: Vec<[u32; 2]>,
    /// The logarithm of `u`; on levels coarser than the one that is solved the largest of its part.
    pub(super) log: Vec<f64>,
    /// Its node of the next coarser level, and where in that level's `to` each neighbour is, or [`INSIDE`]; empty on the coarsest.
    pub(super) part: Vec<u32>,
    pub(super) link: Vec<u32>,
    pub(super) scaled: Scaled,
}

/// The same equations for the ratio of `u` to what `log` says: numbers around 1 wherever one is.
#[derive(Debug, Default)]
pub(super) struct Scaled {
    pub(super) rate: Vec<f64>,
    pub(super) total: Vec<f64>,
    /// How much a node counts in its part.
    pub(super) weight: Vec<f64>,
    /// What the change of the ratio has to make up for, and that change.
    pub(super) missing: Vec<f64>,
    pub(super) change: Vec<f64>,
}

impl Level {
    pub(super) fn len(&self) -> usize {
        self.total.len()
    }

    /// The places of a node's neighbours in the lists.
    #[inline]
    pub(super) fn row(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// The next coarser level, and where in it everything of this one is; nothing if it would be hardly smaller.
    pub(super) fn coarser(&mut self) -> Option<Self> {
        let part = self.parts();
        let parts = part.iter().max().map_or(0, |p| *p as usize + 1);
        if parts < 4 || parts * 4 > self.len() * 3 {
            return None;
        }
        let mut members: Vec<u32> = (0..self.len() as u32).collect();
        members.sort_by_key(|&i| part[i as usize]);
        let mut coarse = Self { starts: vec![0], link: Vec::new(), ..Self::default() };
        let mut link = vec![INSIDE; self.to.len()];
        // Where in the row under way each part is, if it is.
        let mut found = vec![INSIDE; parts];
        for of_part in members.chunk_by(|a, b| part[*a as usize] == part[*b as usize]) {
            let own = part[of_part[0] as usize];
            let first = coarse.to.len();
            let mut walls = 0.0;
            for &i in of_part {
                walls += self.total[i as usize];
                for e in self.row(i as usize) {
                    walls -= self.rate[e];
                    let there = part[self.to[e] as usize];
                    if there == own {
                        continue;
                    }
                    let at = &mut found[there as usize];
                    if *at == INSIDE {
                        *at = coarse.to.len() as u32;
                        coarse.to.push(there);
                        coarse.rate.push(0.0);
                    }
                    // Parts are twice as far from each other as their members.
                    coarse.rate[*at as usize] += 0.5 * self.rate[e];
                    link[e] = *at;
                }
            }
            coarse.to[first..].iter().for_each(|&there| found[there as usize] = INSIDE);
            coarse.total.push(walls.max(0.0) + coarse.rate[first..].iter().sum::<f64>());
            coarse.starts.push(coarse.to.len() as u32);
            coarse.square.push(self.square[of_part[0] as usize].map(|x| x / 2));
        }
        (self.part, self.link) = (part, link);
        coarse.log = vec![f64::NEG_INFINITY; coarse.len()];
        Some(coarse)
    }

    /// Which part each node belongs to: nodes of one square of 2 × 2 that are connected inside it. Numbered as they are found.
    fn parts(&self) -> Vec<u32> {
        let mut part = vec![INSIDE; self.len()];
        part[0] = 0;
        let mut count = 1;
        let mut stack = Vec::new();
        for first in 1..self.len() {
            if part[first] != INSIDE {
                continue;
            }
            let square = self.square[first].map(|x| x / 2);
            part[first] = count;
            stack.push(first);
            while let Some(i) = stack.pop() {
                for e in self.row(i) {
                    let j = self.to[e] as usize;
                    if part[j] == INSIDE && self.square[j].map(|x| x / 2) == square {
                        part[j] = count;
                        stack.push(j);
                    }
                }
            }
            count += 1;
        }
        part
    }
}
