//! The whole state of a run, out and in.

use super::{CpuEngine, LAST_STEP};
use crate::engine::EngineError;
use crate::snapshot::{MOST_WALLS, Reader, Writer};
use crate::world::agents::State;
use crate::world::walls::Wall;

impl CpuEngine {
    /// The whole state as bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.agents(&self.agents);
        w.u32(self.step);
        w.u32s(&self.life.let_in);
        w.pod(&self.totals_words());
        let walls = self.world.walls.shapes();
        w.u32s(&walls.iter().map(|x| u32::from(x.standing)).collect::<Vec<_>>());
        w.shapes(walls[self.scene.map.walls.len()..].iter().map(|x| &x.shape));
        w.bools(self.world.walls.painted());
        w.f32s(&self.world.zones.iter().map(|z| z.speed).collect::<Vec<_>>());
        w.f32s(&self.fields.peaks);
        w.f32s(&self.fields.used);
        w.finish()
    }

    /// Takes on a state; if the bytes are not one, everything stays as it was.
    pub(super) fn take_bytes(&mut self, bytes: &[u8]) -> Result<usize, EngineError> {
        let broken = |why: String| EngineError(format!("the snapshot does not fit this scene: {why}"));
        let mut fresh = Self::new(&self.scene, None).map_err(|e| EngineError(e.to_string()))?;
        let mut r = Reader::new(bytes);
        let agents = r.agents(&fresh.scene, fresh.world.grid).map_err(broken)?;
        fresh.step = r.u32().map_err(broken)?;
        if fresh.step >= LAST_STEP {
            return Err(broken("it is beyond the last step".into()));
        }
        fresh.life.let_in = r.u32s(fresh.scene.groups.len(), fresh.scene.groups.len()).map_err(broken)?;
        let words: Vec<u64> = r.pod(TOTAL_WORDS).map_err(broken)?;
        let own = fresh.world.walls.shapes().len();
        let standing = r.u32s(own, own + MOST_WALLS).map_err(broken)?;
        let added = r.shapes(standing.len() - own).map_err(broken)?;
        for shape in added {
            fresh.world.walls.add(Wall { name: None, shape, standing: true });
        }
        for (i, &s) in standing.iter().enumerate() {
            fresh.world.walls.set_standing(i, s != 0);
        }
        let cells = fresh.world.grid.len();
        let painted = r.bools(cells).map_err(broken)?;
        for (c, &wall) in painted.iter().enumerate() {
            if fresh.world.walls.painted().get(c).copied().unwrap_or(false) != wall {
                fresh.world.walls.paint(c, wall);
            }
        }
        let zones = r.f32s(fresh.world.zones.len(), fresh.world.zones.len()).map_err(broken)?;
        if zones.iter().any(|s| !(0.01..=2.0).contains(s)) {
            return Err(broken("a zone with a speed that no scene gives".into()));
        }
        for (zone, speed) in fresh.world.zones.iter_mut().zip(zones) {
            zone.speed = speed;
        }
        fresh.fields.peaks = r.f32s(0, cells).map_err(broken)?;
        fresh.fields.used = r.f32s(0, cells).map_err(broken)?;
        if ![0, cells].contains(&fresh.fields.peaks.len()) || fresh.fields.peaks.len() != fresh.fields.used.len() {
            return Err(broken("maps of another size".into()));
        }
        r.end().map_err(broken)?;
        fresh.world.refresh();
        fresh.agents = agents;
        // Columns keep the order they were saved in, so the next sort gives the order of the uninterrupted run; until
        // then nobody is in a bin, which splat allows.
        fresh.bins.start.fill(0);
        // All of them, the parked too: those who parked in the last step still lie among the others.
        fresh.bins.outside = fresh.agents.len() as u32;
        fresh.set_totals_words(&words).map_err(broken)?;
        fresh.threads = self.threads.take();
        *self = fresh;
        Ok(self.world.walls.shapes().len())
    }
}

const TOTAL_WORDS: usize = 24;

impl CpuEngine {
    fn totals_words(&self) -> [u64; TOTAL_WORDS] {
        let (t, c) = (&self.totals, &self.totals.counters);
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
            t.overlap_sum.to_bits(),
            t.share_sum.to_bits(),
            t.speed_sum.to_bits(),
            t.walked,
            u64::from(t.diverged),
        ]
    }

    /// Counts of people follow from the agents; the rest must be what a run can give.
    fn set_totals_words(&mut self, w: &[u64]) -> Result<(), String> {
        let states = &self.agents.state;
        let parked = states.iter().filter(|s| **s == State::Parked).count() as u64;
        let active = states.iter().filter(|s| s.on_floor()).count() as u64;
        if (w[0], w[1], w[3]) != (u64::from(self.step), active, parked) || w[2] != states.len() as u64 - active - parked
        {
            return Err("counters that do not match its agents".into());
        }
        let floats = (9..16).all(|i| f32::from_bits(w[i] as u32).is_finite())
            && (19..22).all(|i| f64::from_bits(w[i]).is_finite());
        if !floats
            || w.iter().enumerate().any(|(i, &n)| !(9..16).contains(&i) && !(19..22).contains(&i) && n >> 62 != 0)
        {
            return Err("counters that no run gives".into());
        }
        let t = &mut self.totals;
        let c = &mut t.counters;
        let f = |i: usize| f32::from_bits(w[i] as u32);
        (c.steps, c.active, c.outside, c.parked, c.arrived) = (w[0], w[1], w[2], w[3], w[4]);
        (c.goals_reached, c.entered, c.in_wall, c.not_finite) = (w[5], w[6], w[7], w[8]);
        (c.wall_depth, c.overlap.mean, c.overlap.max, c.overlap.share) = (f(9), f(10), f(11), f(12));
        (c.overlap_share_mean, c.mean_speed, c.density_max) = (f(13), f(14), f(15));
        (c.splat_overflows, c.neighbours_left_out, c.displaced) = (w[16], w[17], w[18]);
        (t.overlap_sum, t.share_sum) = (f64::from_bits(w[19]), f64::from_bits(w[20]));
        (t.speed_sum, t.walked, t.diverged) = (f64::from_bits(w[21]), w[22], w[23] != 0);
        c.solver.converged = !t.diverged;
        Ok(())
    }
}
