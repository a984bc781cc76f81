//! `keep-distance`: as `follow`, and nobody walks closer to whoever is ahead than a gap that grows with speed.
//!
//! Ahead is who stands in the strip that the own body sweeps along its heading. With `room` metres between the two bodies an
//! agent walks at most `(room − gap) / time_gap`. It does not step aside: the smallest steering that looks at neighbours, and
//! the example of ARCHITECTURE.md ("Add a steering in an hour").

use super::follow::obey;
use super::{Crowd, Pace, Steering, Wanted};
use crate::scene::parameters::parameters;
use crate::world::agents::{ColumnInfo, ModelColumn, OwnColumn};
use rayon::prelude::*;

parameters! {
    /// Room that people keep to whoever is ahead.
    pub struct KeepDistance {
        /// Room kept to whoever is ahead, beyond touching.
        gap: f32 = 0.3, "m", 0.0..=10.0, slider 0.0..=3.0;
        /// Room kept beyond that for every m/s of speed.
        time_gap: f32 = 0.5, "s", 0.0..=10.0, slider 0.0..=3.0;
    }
}

/// Its line in the table of steerings.
pub(super) const STEERING: Steering = Steering {
    columns: COLUMNS,
    pace: Pace::Field,
    yields: false,
    least_speed: 0.0,
    bounded: None,
    avoid,
    shader: include_str!("keep_distance.wgsl"),
    kernel: "keep_distance",
    threads: 128,
    agents_a_group: 128,
};

const COLUMNS: &[ModelColumn] = &[ModelColumn {
    info: ColumnInfo { name: "room_ahead", unit: "m", meaning: "Room to whoever is ahead, as far as it looks." },
    width: 1,
    start: 0.0,
}];

fn avoid(crowd: Crowd<'_>, own: &mut [OwnColumn], wanted: &mut [Wanted]) {
    let (agents, keep) = (crowd.agents, crowd.model.steering.keep_distance);
    wanted.par_iter_mut().zip(&mut own[0].values).with_min_len(256).enumerate().for_each(|(i, (wanted, seen))| {
        *wanted = obey(agents.heading[i], crowd.guide[i], crowd.dt);
        let speed = wanted.velocity.length();
        let (p, heading, radius) = (agents.position[i], wanted.heading, agents.radius[i]);
        // Nobody farther away makes a difference.
        let far = keep.gap + keep.time_gap * speed;
        let mut room = far;
        crowd.for_near(p, far + radius + crowd.widest, |j| {
            let away = agents.position[j] - p;
            let (along, aside) = (away.dot(heading), heading.perp_dot(away));
            let touch = radius + agents.radius[j];
            if j != i && along > 0.0 && aside.abs() < touch {
                // Where the other disc begins, seen along the heading.
                room = room.min((along - (touch * touch - aside * aside).max(0.0).sqrt()).max(0.0));
            }
        });
        *seen = room;
        let most = if room >= far { speed } else { (room - keep.gap).max(0.0) / keep.time_gap.max(1e-3) };
        if most < speed {
            wanted.velocity *= most / speed;
        }
    });
}
