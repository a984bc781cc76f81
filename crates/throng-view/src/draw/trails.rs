//! Where everybody has been, at moments that lie farther apart the longer a run lasts: a fixed amount of memory.

use super::readout::PATH;

/// Bytes that the trails of a crowd may take.
const MOST_BYTES: u64 = 64 << 20;
/// Fewer are not worth it.
const LEAST_MOMENTS: u32 = 4;
/// Between the first moments, s.
const FIRST_INTERVAL: f64 = 0.2;

/// Who comes this fast from one moment to the next has entered elsewhere or been carried, m/s; and so much farther besides, m.
const CARRIED: f32 = 8.0;
const NEARBY: f32 = 0.5;

/// When to note down where everybody is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trails {
    /// Ids that there is room for.
    pub(crate) known: u32,
    /// Moments that there is room for, and those noted down.
    pub(crate) room: u32,
    pub(crate) used: u32,
    interval: f64,
    due: f64,
}

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    /// Every second moment of so many has to be forgotten first.
    pub(crate) thin: Option<u32>,
    /// Where to note down.
    pub(crate) slot: u32,
}

impl Trails {
    pub(crate) fn new(known: u32) -> Self {
        let room = (MOST_BYTES / (8 * u64::from(known.max(1)))).min(PATH as u64) as u32;
        // A few moments are no path: then none.
        let room = if room < LEAST_MOMENTS { 0 } else { room & !1 };
        Self { known, room, used: 0, interval: FIRST_INTERVAL, due: 0.0 }
    }

    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.known.max(1)) * u64::from(self.room) * 8
    }

    /// How far apart two moments of one walk can be, m.
    pub(crate) fn jump(&self) -> f32 {
        NEARBY + CARRIED * self.interval as f32
    }

    /// For more ids, and of which moments there is still room: of every how many-th, the first being one of them.
    pub(crate) fn grown(&self, known: u32) -> (Self, u32) {
        let fresh = Self::new(known);
        let mut every = 1;
        while self.used.div_ceil(every) > fresh.room.max(1) {
            every *= 2;
        }
        let used = if fresh.room == 0 { 0 } else { self.used.div_ceil(every) };
        let interval = self.interval * f64::from(every);
        // The next one is as far from the last that stays as they are from each other.
        let since = f64::from(self.used.saturating_sub(1) % every + 1) * self.interval;
        (Self { used, interval, due: self.due - since + interval, ..fresh }, every)
    }

    /// At a time of the run, s.
    pub(crate) fn at(&mut self, time: f64) -> Option<Due> {
        if self.room == 0 || (self.used > 0 && time < self.due - 1e-9) {
            return None;
        }
        let thin = (self.used == self.room).then_some(self.used);
        if thin.is_some() {
            self.used /= 2;
            self.interval *= 2.0;
        }
        let slot = self.used;
        self.used += 1;
        self.due = time + self.interval;
        Some(Due { thin, slot })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_crowd_takes_more_memory_than_it_may() {
        for known in [0, 1, 5_000, 65_536, 1_000_000, 2_097_152, 2_097_153, 16_777_216, 134_000_000] {
            let mut trails = Trails::new(known);
            assert!(trails.bytes() <= MOST_BYTES, "{known}: {}", trails.bytes());
            assert_eq!(trails.at(0.0).is_some(), known <= 2_097_152, "{known}");
        }
    }

    #[test]
    fn moments_stay_evenly_apart_when_more_people_come() {
        // Of all moments that there is room for, and of far fewer afterwards.
        for (before, after) in [(1000, 1100), (1000, 20_000), (10_000, 1_000_000), (100_000, 3_000_000)] {
            let mut trails = Trails::new(before);
            let mut kept: Vec<f64> = Vec::new();
            let note = |trails: &mut Trails, kept: &mut Vec<f64>, step: u32| {
                let time = f64::from(step) * 0.04;
                if let Some(due) = trails.at(time) {
                    if due.thin.is_some() {
                        *kept = kept.iter().step_by(2).copied().collect();
                    }
                    assert_eq!(due.slot as usize, kept.len());
                    kept.push(time);
                }
            };
            for step in 0..20_000 {
                note(&mut trails, &mut kept, step);
            }
            let (grown, every) = trails.grown(after);
            trails = grown;
            assert!(trails.bytes() <= MOST_BYTES && trails.used <= trails.room, "{trails:?}");
            kept = kept.into_iter().step_by(every as usize).take(trails.used as usize).collect();
            for step in 20_000..60_000 {
                note(&mut trails, &mut kept, step);
            }
            let gaps: Vec<f64> = kept.windows(2).map(|w| w[1] - w[0]).collect();
            let most = gaps.iter().fold(0.0f64, |a, &b| a.max(b));
            assert!(gaps.iter().all(|&g| g > 0.45 * most), "{before} to {after}: {gaps:?}");
            assert_eq!(kept.first().copied(), (trails.room > 0).then_some(0.0));
        }
    }

    #[test]
    fn a_long_run_fits_and_begins_at_its_beginning() {
        let mut trails = Trails::new(1_000_000);
        assert!(trails.bytes() <= MOST_BYTES);
        let mut kept: Vec<f64> = Vec::new();
        for step in 0..100_000 {
            let time = f64::from(step) * 0.04;
            if let Some(due) = trails.at(time) {
                if due.thin.is_some() {
                    kept = kept.iter().step_by(2).copied().collect();
                }
                assert_eq!(due.slot as usize, kept.len());
                kept.push(time);
            }
        }
        assert_eq!(kept[0], 0.0);
        assert!(kept.len() <= trails.room as usize && kept.len() >= trails.room as usize / 2);
        // Evenly: no gap is more than twice another.
        let gaps: Vec<f64> = kept.windows(2).map(|w| w[1] - w[0]).collect();
        let most = gaps.iter().fold(0.0f64, |a, &b| a.max(b));
        assert!(gaps.iter().all(|&g| g > 0.45 * most), "{gaps:?}");
    }
}
