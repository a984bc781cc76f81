//! Relaxation on all levels.

use super::levels::{INSIDE, Level};

/// Sweeps before and after the visit of the coarser level.
const SWEEPS: usize = 2;
/// Sweeps on the coarsest level.
const COARSEST: usize = 40;
/// Values grow by no more than this at a time.
const MOST: f64 = 1e30;
/// On coarser levels walls that are missing in the ratio take no more than this away from what holds a part to its neighbours.
const LOOSEST: f64 = 0.2;

impl Level {
    /// Sets every value to what its neighbours say, from the goal outwards, then back.
    ///
    /// Who is farther out has not been set in this sweep, and its value may be far too large: it counts as having fallen as much as the neighbour nearest
    /// to the goal. Values that are too small do no harm: the next sweep outwards raises them all.
    pub(super) fn sweep_logs(&mut self, fallen: &mut Vec<f64>) {
        fallen.clear();
        fallen.resize(self.len(), 0.0);
        for i in 1..self.len() {
            let nearest = self.row(i).map(|e| self.to[e]).min().unwrap_or(0) as usize;
            let value = self.mean_of_neighbours(i, fallen[nearest]);
            if self.log[i] > f64::NEG_INFINITY {
                fallen[i] = (value - self.log[i]).min(0.0);
            }
            self.log[i] = value;
        }
        for i in (1..self.len()).rev() {
            self.log[i] = self.mean_of_neighbours(i, 0.0);
        }
    }

    /// The logarithm of what a node's neighbours say it should be; those farther out count as if they had `more`.
    #[inline]
    fn mean_of_neighbours(&self, i: usize, more: f64) -> f64 {
        let value = |e: usize| {
            let j = self.to[e] as usize;
            if j > i { self.log[j] + more } else { self.log[j] }
        };
        let row = self.row(i);
        let most = row.clone().map(value).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.map(|e| self.rate[e] * (value(e) - most).exp()).sum();
        most + (sum / self.total[i]).ln()
    }

    /// The equations for the ratio to the present values.
    fn scale(&mut self) {
        let n = self.len();
        let mut scaled = std::mem::take(&mut self.scaled);
        scaled.rate.clear();
        scaled.rate.resize(self.to.len(), 0.0);
        scaled.total.clone_from(&self.total);
        scaled.missing.clear();
        scaled.missing.resize(n, 0.0);
        for i in 1..n {
            let mut sum = 0.0;
            for e in self.row(i) {
                let rate = self.rate[e] * (self.log[self.to[e] as usize] - self.log[i]).exp();
                scaled.rate[e] = rate;
                sum += rate;
            }
            scaled.missing[i] = sum - self.total[i];
        }
        self.scaled = scaled;
    }

    /// The same equations on the next coarser level, each part's weighed by the squares of its members' values.
    fn scale_coarser(&mut self, coarse: &mut Self) {
        let n = self.len();
        coarse.log.fill(f64::NEG_INFINITY);
        for i in 0..n {
            let log = &mut coarse.log[self.part[i] as usize];
            *log = log.max(self.log[i]);
        }
        coarse.scaled.rate.clear();
        coarse.scaled.rate.resize(coarse.to.len(), 0.0);
        coarse.scaled.total.clear();
        coarse.scaled.total.resize(coarse.len(), 0.0);
        self.scaled.weight.clear();
        self.scaled.weight.resize(n, 0.0);
        for i in 1..n {
            let part = self.part[i] as usize;
            let weight = (2.0 * (self.log[i] - coarse.log[part])).exp();
            self.scaled.weight[i] = weight;
            let mut walls = self.scaled.total[i];
            for e in self.row(i) {
                walls -= self.scaled.rate[e];
                if self.link[e] != INSIDE {
                    coarse.scaled.rate[self.link[e] as usize] += weight * self.scaled.rate[e];
                }
            }
            coarse.scaled.total[part] += weight * walls;
        }
        for a in 1..coarse.len() {
            let mut total = 0.0;
            for e in coarse.row(a) {
                // Parts of equal values are twice as far from each other as their members; where values fall steeply the member nearest to the goal
                // stands for its part, and it is as far as it was.
                let fall = (-2.0 * (coarse.log[a] - coarse.log[coarse.to[e] as usize]).abs()).exp();
                coarse.scaled.rate[e] /= 1.0 + fall;
                total += coarse.scaled.rate[e];
            }
            // Where values have settled walls are in the ratio already: what is left of them is an error, and may be below 0.
            coarse.scaled.total[a] = (coarse.scaled.total[a] + total).max(LOOSEST * total);
        }
    }

    /// Relaxes the change of every ratio, from the goal outwards and back.
    fn relax(&mut self, sweeps: usize) {
        let n = self.len();
        let Self { starts, to, scaled, .. } = self;
        let mut one = |i: usize| {
            let mut sum = scaled.missing[i];
            let row = starts[i] as usize..starts[i + 1] as usize;
            for (rate, &j) in scaled.rate[row.clone()].iter().zip(&to[row]) {
                sum += rate * scaled.change[j as usize];
            }
            scaled.change[i] = if scaled.total[i] > 0.0 { sum / scaled.total[i] } else { 0.0 };
        };
        for _ in 0..sweeps {
            (1..n).for_each(&mut one);
            (1..n).rev().for_each(&mut one);
        }
    }
}

/// One cycle over a level and all that are coarser.
fn cycle(levels: &mut [Level]) {
    let Some((fine, coarser)) = levels.split_first_mut() else { return };
    let Some(coarse) = coarser.first_mut() else {
        fine.relax(COARSEST);
        return;
    };
    fine.relax(SWEEPS);
    coarse.scaled.missing.clear();
    coarse.scaled.missing.resize(coarse.len(), 0.0);
    for i in 1..fine.len() {
        let s = &fine.scaled;
        let mut left = s.missing[i] - s.total[i] * s.change[i];
        for e in fine.row(i) {
            left += s.rate[e] * s.change[fine.to[e] as usize];
        }
        coarse.scaled.missing[fine.part[i] as usize] += s.weight[i] * left;
    }
    coarse.scaled.change.clear();
    coarse.scaled.change.resize(coarse.len(), 0.0);
    // Twice where the coarser level is cheap.
    let visits = if 3 * coarse.len() <= fine.len() { 2 } else { 1 };
    for _ in 0..visits {
        cycle(coarser);
    }
    for i in 1..fine.len() {
        fine.scaled.change[i] += coarser[0].scaled.change[fine.part[i] as usize];
    }
    fine.relax(SWEEPS);
}

/// Whether every value of a level is the mean of its neighbours', within a share of itself; if not improves them by a cycle over it and the coarser
/// levels.
pub(super) fn improve(levels: &mut [Level], tolerance: f64) -> bool {
    let fine = &mut levels[0];
    fine.scale();
    if (1..fine.len()).all(|i| fine.scaled.missing[i].abs() <= tolerance * fine.total[i]) {
        return true;
    }
    fine.scaled.change.clear();
    fine.scaled.change.resize(fine.len(), 0.0);
    for l in 1..levels.len() {
        let (finer, coarser) = levels.split_at_mut(l);
        finer[l - 1].scale_coarser(&mut coarser[0]);
    }
    cycle(levels);
    if !levels[0].scaled.change.iter().all(|change| change.is_finite()) {
        // Coarser levels that are held too loosely run away: this one alone is slower, and sound.
        levels[0].scaled.change.fill(0.0);
        cycle(&mut levels[..1]);
    }
    let Level { log, scaled, .. } = &mut levels[0];
    for (log, &change) in log.iter_mut().zip(&scaled.change).skip(1) {
        // A value stays above 0, however much too large it was.
        let ratio = if change >= 0.0 { (1.0 + change).min(MOST) } else { 1.0 / (1.0 - change) };
        *log += ratio.ln();
    }
    false
}
