//! From the numbers of single steps to those of a run: the same on every engine.

use super::Counters;
use crate::stages::potential::SolveReport;
use crate::stages::separate::Overlap;
use crate::world::agents::Census;

/// What one step was like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) in_wall: u64,
    pub(crate) not_finite: u64,
    pub(crate) wall_depth: f32,
    pub(crate) overlap: Overlap,
    pub(crate) density: f32,
    /// Sum of the speeds of those walking, m/s.
    pub(crate) speed_sum: f64,
    pub(crate) walking: u64,
    pub(crate) goals_reached: u64,
    pub(crate) arrived: u64,
    pub(crate) entered: u64,
    pub(crate) parked: u64,
    pub(crate) left: u64,
    /// Went into a portal, and came out of one.
    pub(crate) went_in: u64,
    pub(crate) came_out: u64,
    pub(crate) splat_overflows: u64,
    pub(crate) left_out: u64,
    pub(crate) displaced: u64,
    pub(crate) refused: u64,
    /// What the solver did, in steps that plan.
    pub(crate) solver: Option<SolveReport>,
}

/// Sums over the run that counters are made of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) counters: Counters,
    overlap_sum: f64,
    share_sum: f64,
    speed_sum: f64,
    walked: u64,
}

impl Totals {
    /// Of a run that begins with these people.
    pub(crate) fn new(people: Census) -> Self {
        let mut t = Self::default();
        t.set_people(people);
        t.counters.solver.converged = true;
        t
    }

    /// Other people from now on. What has happened stays.
    pub(crate) fn set_people(&mut self, people: Census) {
        let c = &mut self.counters;
        (c.active, c.outside, c.between, c.parked) = (people.active, people.outside, people.between, people.parked);
    }

    /// Takes in a step.
    pub(crate) fn take(&mut self, n: &Numbers) {
        let c = &mut self.counters;
        let everybody = c.active + c.outside + c.between + c.parked;
        c.steps += 1;
        let steps = c.steps as f64;
        c.in_wall = c.in_wall.max(n.in_wall);
        c.not_finite = c.not_finite.max(n.not_finite);
        c.wall_depth = c.wall_depth.max(n.wall_depth);
        self.overlap_sum += f64::from(n.overlap.mean);
        self.share_sum += f64::from(n.overlap.share);
        c.overlap.mean = (self.overlap_sum / steps) as f32;
        c.overlap_share_mean = (self.share_sum / steps) as f32;
        c.overlap.max = c.overlap.max.max(n.overlap.max);
        c.overlap.share = c.overlap.share.max(n.overlap.share);
        c.density_max = c.density_max.max(n.density);
        c.density = n.density;
        c.speed = if n.walking == 0 { 0.0 } else { (n.speed_sum / n.walking as f64) as f32 };
        self.speed_sum += n.speed_sum;
        self.walked += n.walking;
        c.mean_speed = if self.walked == 0 { 0.0 } else { (self.speed_sum / self.walked as f64) as f32 };
        c.arrived += n.arrived;
        c.goals_reached += n.goals_reached;
        c.entered += n.entered;
        c.parked += n.parked;
        c.active = c.active + n.entered + n.came_out - n.left - n.went_in;
        c.between = c.between + n.went_in - n.came_out;
        c.outside = everybody - c.active - c.between - c.parked;
        c.splat_overflows += n.splat_overflows;
        c.neighbours_left_out += n.left_out;
        c.displaced += n.displaced;
        c.refused += n.refused;
        if let Some(solver) = n.solver {
            c.plans_cut_short += u64::from(!solver.converged);
            c.solver = SolveReport { left: c.solver.left.max(solver.left), ..solver };
        }
        c.solver.converged = c.plans_cut_short == 0;
    }

    /// All of it as words, for a snapshot.
    pub(crate) fn words(&self) -> [u64; WORDS] {
        let c = &self.counters;
        let f = |x: f32| u64::from(x.to_bits());
        [
            c.steps,
            c.active,
            c.outside,
            c.parked,
            c.arrived,
            c.goals_reached,
            c.entered,
            c.in_wall,
            c.not_finite,
            f(c.wall_depth),
            f(c.overlap.mean),
            f(c.overlap.max),
            f(c.overlap.share),
            f(c.overlap_share_mean),
            f(c.mean_speed),
            f(c.density_max),
            c.splat_overflows,
            c.neighbours_left_out,
            c.displaced,
            self.overlap_sum.to_bits(),
            self.share_sum.to_bits(),
            self.speed_sum.to_bits(),
            self.walked,
            c.plans_cut_short,
            f(c.density),
            f(c.speed),
            c.between,
            c.refused,
        ]
    }

    /// From the words of a snapshot, whose agents are in these states at that step: counts of people follow from the
    /// agents, the rest must be what a run can give.
    pub(crate) fn from_words(w: &[u64], step: u32, people: Census) -> Result<Self, String> {
        let counted = |w: &[u64]| Census { active: w[1], outside: w[2], parked: w[3], between: w[26] };
        if w.len() != WORDS || w[0] != u64::from(step) || counted(w) != people {
            return Err("counters that do not match its agents".into());
        }
        let floats = (9..16).chain(24..26).all(|i| f32::from_bits(w[i] as u32).is_finite())
            && (19..22).all(|i| f64::from_bits(w[i]).is_finite());
        if !floats
            || w.iter().enumerate().any(|(i, &n)| !(9..16).contains(&i) && !(19..22).contains(&i) && n >> 62 != 0)
        {
            return Err("counters that no run gives".into());
        }
        let mut t = Self::new(people);
        let c = &mut t.counters;
        let f = |i: usize| f32::from_bits(w[i] as u32);
        (c.steps, c.arrived) = (w[0], w[4]);
        (c.goals_reached, c.entered, c.in_wall, c.not_finite) = (w[5], w[6], w[7], w[8]);
        (c.wall_depth, c.overlap.mean, c.overlap.max, c.overlap.share) = (f(9), f(10), f(11), f(12));
        (c.overlap_share_mean, c.mean_speed, c.density_max) = (f(13), f(14), f(15));
        (c.splat_overflows, c.neighbours_left_out, c.displaced) = (w[16], w[17], w[18]);
        (c.density, c.speed) = (f(24), f(25));
        (c.plans_cut_short, c.refused) = (w[23], w[27]);
        c.solver.converged = c.plans_cut_short == 0;
        (t.overlap_sum, t.share_sum) = (f64::from_bits(w[19]), f64::from_bits(w[20]));
        (t.speed_sum, t.walked) = (f64::from_bits(w[21]), w[22]);
        Ok(t)
    }
}

/// Words of [`Totals::words`].
pub(crate) const WORDS: usize = 28;
