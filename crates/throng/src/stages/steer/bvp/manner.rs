//! Manners: how those of a group walk, and where their behaviour vector points at a time.

use super::{Behaviour, Bvp};
use crate::scene::{Group, Model};
use glam::Vec2;

/// So many groups at most may have a manner of their own.
pub const MOST: usize = 63;

/// How those of a group walk.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Manner {
    /// As the model's, but for what the group says.
    pub rules: Bvp,
    /// The angle of the behaviour vector at some times, `[s, rad]`, in order; it changes evenly in between, and begins again after the last. Empty: as the
    /// rules say.
    pub table: Vec<[f32; 2]>,
}

impl Manner {
    /// The behaviour vector at a time, s, at length 1; of an agent without a deviation of its own, in the frame of the rules.
    #[must_use]
    pub fn vector(&self, time: f64) -> Vec2 {
        let Bvp { angle, behaviour, rate, swing, .. } = self.rules;
        let (angle, rate) = (f64::from(angle), f64::from(rate));
        if let Some(angle) = self.table_angle(time) {
            return unit(angle);
        }
        match behaviour {
            Behaviour::Constant => unit(angle),
            Behaviour::Turning => unit(angle + rate * time),
            Behaviour::Swinging => {
                let ahead = unit(angle);
                (ahead + ahead.perp() * (swing * (rate * time).sin() as f32)).normalize()
            }
        }
    }

    /// What the table says, if there is one.
    fn table_angle(&self, time: f64) -> Option<f64> {
        let (&[first, angle], &[last, _]) = (self.table.first()?, self.table.last()?);
        let (first, last) = (f64::from(first), f64::from(last));
        let time = if last > first && time > last { first + (time - first) % (last - first) } else { time };
        let next = self.table.iter().position(|row| f64::from(row[0]) > time);
        Some(match next {
            Some(0) => angle.into(),
            None => self.table[self.table.len() - 1][1].into(),
            Some(next) => {
                let [[t0, a0], [t1, a1]] = [self.table[next - 1], self.table[next]].map(|row| row.map(f64::from));
                a0 + (a1 - a0) * (time - t0) / (t1 - t0)
            }
        })
    }
}

fn unit(angle: f64) -> Vec2 {
    Vec2::new(angle.cos() as f32, angle.sin() as f32)
}

/// The manners of a scene: the model's own, then those of groups that have one.
#[must_use]
pub fn manners(model: &Model, groups: &[Group]) -> Vec<Manner> {
    let own = groups.iter().filter_map(|g| g.manner.clone());
    [Manner { rules: model.steering.bvp, table: Vec::new() }].into_iter().chain(own).collect()
}

/// Which of them each group has.
#[must_use]
pub fn manner_of_groups(groups: &[Group]) -> Vec<usize> {
    let mut own = 0;
    let number = |g: &Group| {
        own += usize::from(g.manner.is_some());
        if g.manner.is_some() { own } else { 0 }
    };
    groups.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_follow_time() {
        let near = |a: Vec2, b: Vec2| assert!(a.distance(b) < 1e-6, "{a} is not {b}");
        let mut manner = Manner::default();
        near(manner.vector(9.0), Vec2::X);
        manner.rules.behaviour = Behaviour::Turning;
        near(manner.vector(std::f64::consts::FRAC_PI_2 / 0.6), Vec2::Y);
        // The paper's v = (1, sin 0.6t).
        manner.rules.behaviour = Behaviour::Swinging;
        for time in [0.0, 1.0, 2.6, 7.7] {
            near(manner.vector(time), Vec2::new(1.0, (0.6f32 * time as f32).sin()).normalize());
        }
        manner.table = vec![[1.0, 0.0], [2.0, 2.0], [4.0, 0.0]];
        near(manner.vector(0.0), Vec2::X);
        near(manner.vector(1.5), Vec2::from_angle(1.0));
        near(manner.vector(3.0), Vec2::from_angle(1.0));
        // After the last row it begins again.
        near(manner.vector(4.5), manner.vector(1.5));
        near(manner.vector(25.0 + 1.5), manner.vector(2.5));
    }
}
