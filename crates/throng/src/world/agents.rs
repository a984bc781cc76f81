//! The crowd as columns. Every sort permutes them; an agent's id, given at creation and never reused, stays.

use glam::Vec2;

/// What an agent is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// Walks to its goal.
    Walking = 0,
    /// Stands on the floor until its wake step: before setting out, or at a goal of its journey.
    Waiting = 1,
    /// Not on the floor yet, or not again: waits for a free place in its entry area.
    Outside = 2,
    /// Has left for good.
    Parked = 3,
}

impl State {
    /// Whether an agent in this state is a body on the floor.
    #[must_use]
    #[inline]
    pub fn on_floor(self) -> bool {
        matches!(self, Self::Walking | Self::Waiting)
    }

    /// The state of a stored byte.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Walking, Self::Waiting, Self::Outside, Self::Parked].get(byte as usize).copied()
    }
}

/// Where agents that are not on the floor are said to be.
pub const NOWHERE: Vec2 = Vec2::new(-1.0, -1.0);

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// All agents. On the floor, in cell order, come first; then those outside, then the parked.
        #[derive(Clone, Debug, Default)]
        pub struct Agents { $($(#[$doc])* pub $name: Vec<$type>,)* }

        /// One agent, all its values.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Agent { $($(#[$doc])* pub $name: $type,)* }

        impl Agents {
            /// Adds an agent at the end.
            pub fn push(&mut self, agent: Agent) { $(self.$name.push(agent.$name);)* }

            /// One agent's values, by its place in the columns.
            #[must_use]
            pub fn get(&self, index: usize) -> Agent { Agent { $($name: self.$name[index],)* } }

            /// Adds everybody of another crowd at the end.
            pub fn append(&mut self, others: &Self) { $(self.$name.extend_from_slice(&others.$name);)* }

            /// Keeps those that `keep` says, in their order.
            pub fn retain(&mut self, keep: impl Fn(Agent) -> bool) {
                let kept: Vec<bool> = (0..self.len()).map(|i| keep(self.get(i))).collect();
                $(
                    let mut each = kept.iter();
                    self.$name.retain(|_| *each.next().expect("one for each agent"));
                )*
            }

            /// Bytes that the columns occupy.
            #[must_use]
            pub fn memory(&self) -> usize { 0 $(+ self.$name.capacity() * size_of::<$type>())* }

            /// Bytes of one agent.
            pub const BYTES: usize = 0 $(+ size_of::<$type>())*;

            /// Puts the columns in the order of `order`: place `i` gets what was at `order[i]`. The result
            /// goes to `spare`, whatever that was.
            pub fn permute_into(&self, order: &[u32], spare: &mut Self) {
                use rayon::prelude::*;
                $(
                    spare.$name.resize(order.len(), self.$name[0]);
                    spare.$name.par_chunks_mut(PERMUTE_CHUNK).zip(order.par_chunks(PERMUTE_CHUNK)).for_each(|(out, order)| {
                        for (o, &i) in out.iter_mut().zip(order) { *o = self.$name[i as usize]; }
                    });
                )*
            }
        }
    };
}

const PERMUTE_CHUNK: usize = 16_384;

columns! {
    /// Given at creation, never reused.
    id: u32,
    /// Centre, in metres.
    position: Vec2,
    /// Where it faces; of length 1.
    heading: Vec2,
    /// How it really moved in the last step, in m/s.
    velocity: Vec2,
    /// Of the body, in metres.
    radius: f32,
    /// The speed it walks at when nothing hinders it, in m/s.
    preferred: f32,
    /// How fast it turns, in rad/s.
    turn: f32,
    /// The goal it heads for.
    goal: u16,
    /// Its group.
    group: u16,
    /// How far along its journey it is.
    leg: u16,
    /// What it is doing.
    state: State,
    /// The step at which waiting ends.
    wake: u32,
}

impl Agents {
    /// How many agents there are, wherever they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is nobody at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// How many are on the floor, outside, and parked.
    #[must_use]
    pub fn census(&self) -> (u64, u64, u64) {
        let count = |f: fn(&State) -> bool| self.state.iter().filter(|&s| f(s)).count() as u64;
        (count(|s| s.on_floor()), count(|s| *s == State::Outside), count(|s| *s == State::Parked))
    }

    /// A hash of the state of all agents, whatever their order: the sum over agents of a mix of id, the bits of
    /// position, heading and speed, then goal and state.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        (0..self.len())
            .map(|i| {
                let words = [
                    self.id[i],
                    self.position[i].x.to_bits(),
                    self.position[i].y.to_bits(),
                    self.heading[i].x.to_bits(),
                    self.heading[i].y.to_bits(),
                    self.velocity[i].length().to_bits(),
                    u32::from(self.goal[i]),
                    self.state[i] as u32,
                ];
                words.iter().fold(0x9E37_79B9_7F4A_7C15, |h, &w| mix(h ^ u64::from(w)))
            })
            .fold(0, u64::wrapping_add)
    }
}

/// The finaliser of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(id: u32, x: f32) -> Agent {
        Agent {
            id,
            position: Vec2::new(x, 2.0),
            heading: Vec2::X,
            velocity: Vec2::ZERO,
            radius: 0.2,
            preferred: 1.3,
            turn: 5.0,
            goal: 0,
            group: 0,
            leg: 0,
            state: State::Walking,
            wake: 0,
        }
    }

    #[test]
    fn the_hash_ignores_order_and_sees_a_single_bit() {
        let mut a = Agents::default();
        for id in 0..5 {
            a.push(agent(id, id as f32));
        }
        let mut b = Agents::default();
        a.permute_into(&[4, 2, 0, 1, 3], &mut b);
        assert_eq!(b.id, [4, 2, 0, 1, 3]);
        assert_eq!(a.state_hash(), b.state_hash());
        b.position[2].x = f32::from_bits(b.position[2].x.to_bits() + 1);
        assert_ne!(a.state_hash(), b.state_hash());
    }
}
