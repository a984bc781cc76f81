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
    /// On the way through a portal until its wake step, and then until there is room where it comes out: its position.
    Between = 4,
    /// Waits at a goal until its wake step, at a place of its own there (its point): goes there, and back when it is pushed away.
    Staying = 5,
}

impl State {
    /// Whether an agent in this state is a body on the floor.
    #[must_use]
    #[inline]
    pub fn on_floor(self) -> bool {
        matches!(self, Self::Walking | Self::Waiting | Self::Staying)
    }

    /// Whether an agent in this state stands, or stays at a place of its own, until its wake step.
    #[must_use]
    pub fn waits(self) -> bool {
        matches!(self, Self::Waiting | Self::Staying)
    }

    /// The state of a stored byte.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        let all = [Self::Walking, Self::Waiting, Self::Outside, Self::Parked, Self::Between, Self::Staying];
        all.get(byte as usize).copied()
    }
}

/// How many people there are of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Census {
    /// On the floor.
    pub active: u64,
    /// Not on the floor yet, or not again.
    pub outside: u64,
    /// On the way through a portal.
    pub between: u64,
    /// Gone for good.
    pub parked: u64,
}

/// Where agents that are not on the floor are said to be.
pub const NOWHERE: Vec2 = Vec2::new(-1.0, -1.0);

/// What a column holds, for people and for files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name.
    pub name: &'static str,
    /// Its unit, or nothing.
    pub unit: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
}

/// A column that only one model needs, of one, two or four numbers an agent. A model lists its own in its folder; the sort,
/// snapshots, the copy between engines and the viewer's inspector follow from that list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelColumn {
    /// What it holds. Shaders call the buffer by this name.
    pub info: ColumnInfo,
    /// Numbers an agent: 1, 2 or 4.
    pub width: usize,
    /// What each of them is at first.
    pub start: f32,
}

/// The values of a model's column.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnColumn {
    /// Which one it is.
    pub column: &'static ModelColumn,
    /// All agents' numbers, agent by agent.
    pub values: Vec<f32>,
}

macro_rules! columns {
    ($($name:ident: $type:ty, $unit:literal, $meaning:literal;)*) => {
        /// All agents. After a sort those on the floor, in cell order, come first; then those outside, then the parked.
        #[derive(Clone, Debug, Default)]
        pub struct Agents {
            $(#[doc = $meaning] pub $name: Vec<$type>,)*
            /// Columns of the models in use.
            pub own: Vec<OwnColumn>,
        }

        /// One agent, all its values but those of the models' own columns.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Agent { $(#[doc = $meaning] pub $name: $type,)* }

        /// The columns that every crowd has.
        pub const COLUMNS: &[ColumnInfo] =
            &[$(ColumnInfo { name: stringify!($name), unit: $unit, meaning: $meaning },)*];

        impl Agents {
            /// Adds an agent at the end.
            pub fn push(&mut self, agent: Agent) {
                $(self.$name.push(agent.$name);)*
                for own in &mut self.own {
                    own.values.extend(std::iter::repeat_n(own.column.start, own.column.width));
                }
            }

            /// One agent's values, by its place in the columns.
            #[must_use]
            pub fn get(&self, index: usize) -> Agent { Agent { $($name: self.$name[index],)* } }

            /// Adds everybody of another crowd at the end. Columns that only one of the two has begin as they start.
            pub fn append(&mut self, others: &Self) {
                $(self.$name.extend_from_slice(&others.$name);)*
                for own in &mut self.own {
                    match others.own.iter().find(|o| o.column.info == own.column.info) {
                        Some(other) => own.values.extend_from_slice(&other.values),
                        None => own.values.extend(std::iter::repeat_n(own.column.start, own.column.width * others.id.len())),
                    }
                }
            }

            /// Keeps those that `keep` says, in their order.
            pub fn retain(&mut self, keep: impl Fn(Agent) -> bool) {
                let kept: Vec<bool> = (0..self.len()).map(|i| keep(self.get(i))).collect();
                $(
                    let mut each = kept.iter();
                    self.$name.retain(|_| *each.next().expect("one for each agent"));
                )*
                for own in &mut self.own {
                    let mut numbers = 0;
                    own.values.retain(|_| {
                        numbers += 1;
                        kept[(numbers - 1) / own.column.width]
                    });
                }
            }

            /// Bytes that the columns occupy.
            #[must_use]
            pub fn memory(&self) -> usize {
                0 $(+ self.$name.capacity() * size_of::<$type>())*
                    + self.own.iter().map(|o| 4 * o.values.capacity()).sum::<usize>()
            }

            /// Bytes of one agent, without the models' own columns.
            pub const BYTES: usize = 0 $(+ size_of::<$type>())*;

            /// Puts the columns in the order of `order`: place `i` gets what was at `order[i]`. The result
            /// goes to `spare`, whatever that was.
            pub fn permute_into(&self, order: &[u32], spare: &mut Self) {
                $(permute(&self.$name, order, &mut spare.$name);)*
                spare.own.resize_with(self.own.len(), || OwnColumn { column: &NO_COLUMN, values: Vec::new() });
                for (own, spare) in self.own.iter().zip(&mut spare.own) {
                    spare.column = own.column;
                    permute_wide(&own.values, own.column.width, order, &mut spare.values);
                }
            }

            /// Writes every column, in the order of the table, each in one piece.
            pub(crate) fn write(&self, writer: &mut crate::snapshot::Writer) {
                $(Stored::write(&self.$name, writer);)*
                for own in &self.own {
                    writer.pod(&own.values);
                }
            }

            /// Reads what [`Agents::write`] wrote for `n` agents with these columns of models.
            pub(crate) fn read(
                reader: &mut crate::snapshot::Reader<'_>,
                n: usize,
                own: &[&'static ModelColumn],
            ) -> Result<Self, String> {
                Ok(Self {
                    $($name: Stored::read(reader, n)?,)*
                    own: own
                        .iter()
                        .map(|&column| Ok(OwnColumn { column, values: reader.pod(n * column.width)? }))
                        .collect::<Result<_, String>>()?,
                })
            }
        }
    };
}

const NO_COLUMN: ModelColumn =
    ModelColumn { info: ColumnInfo { name: "", unit: "", meaning: "" }, width: 1, start: 0.0 };

const PERMUTE_CHUNK: usize = 16_384;

fn permute<T: Copy + Send + Sync>(from: &[T], order: &[u32], to: &mut Vec<T>) {
    use rayon::prelude::*;
    to.resize(order.len(), from[0]);
    to.par_chunks_mut(PERMUTE_CHUNK).zip(order.par_chunks(PERMUTE_CHUNK)).for_each(|(out, order)| {
        for (o, &i) in out.iter_mut().zip(order) {
            *o = from[i as usize];
        }
    });
}

fn permute_wide(from: &[f32], width: usize, order: &[u32], to: &mut Vec<f32>) {
    use rayon::prelude::*;
    to.resize(order.len() * width, 0.0);
    to.par_chunks_mut(PERMUTE_CHUNK * width).zip(order.par_chunks(PERMUTE_CHUNK)).for_each(|(out, order)| {
        for (o, &i) in out.chunks_exact_mut(width).zip(order) {
            o.copy_from_slice(&from[i as usize * width..][..width]);
        }
    });
}

/// A column in a snapshot.
trait Stored: Sized {
    fn write(&self, writer: &mut crate::snapshot::Writer);
    fn read(reader: &mut crate::snapshot::Reader<'_>, n: usize) -> Result<Self, String>;
}

impl<T: bytemuck::Pod> Stored for Vec<T> {
    fn write(&self, writer: &mut crate::snapshot::Writer) {
        writer.pod(self);
    }

    fn read(reader: &mut crate::snapshot::Reader<'_>, n: usize) -> Result<Self, String> {
        reader.pod(n)
    }
}

impl Stored for Vec<State> {
    fn write(&self, writer: &mut crate::snapshot::Writer) {
        writer.pod(&self.iter().map(|&s| s as u8).collect::<Vec<u8>>());
    }

    fn read(reader: &mut crate::snapshot::Reader<'_>, n: usize) -> Result<Self, String> {
        let bytes: Vec<u8> = reader.pod(n)?;
        bytes.into_iter().map(|b| State::from_byte(b).ok_or(format!("an agent in state {b}"))).collect()
    }
}

columns! {
    id: u32, "", "Given at creation, never reused.";
    position: Vec2, "m", "Where its centre is.";
    heading: Vec2, "", "Where it faces; of length 1 within 16 bits.";
    velocity: Vec2, "m/s", "How it really moved in the last step.";
    radius: f32, "m", "Of the body.";
    preferred: f32, "m/s", "The speed it walks at when nothing hinders it.";
    turn: f32, "rad/s", "How fast it turns.";
    goal: u16, "", "The goal it heads for.";
    group: u16, "", "Its group.";
    leg: u16, "", "How far along its journey it is.";
    state: State, "", "What it is doing.";
    wake: u32, "step", "The step at which waiting ends.";
    informed: u8, "", "1 if it has seen that walls are not as they were at the beginning, else 0.";
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

    /// How many there are of each kind.
    #[must_use]
    pub fn census(&self) -> Census {
        let count = |f: fn(State) -> bool| self.state.iter().filter(|&&s| f(s)).count() as u64;
        Census {
            active: count(State::on_floor),
            outside: count(|s| s == State::Outside),
            between: count(|s| s == State::Between),
            parked: count(|s| s == State::Parked),
        }
    }

    /// Gives the crowd exactly these columns of models: those that it has keep their values, others begin as they start.
    pub fn use_columns(&mut self, columns: &[&'static ModelColumn]) {
        let n = self.len();
        let mut had = std::mem::take(&mut self.own);
        for &column in columns {
            let values = match had.iter_mut().find(|o| o.column.info == column.info) {
                Some(own) => std::mem::take(&mut own.values),
                None => vec![column.start; n * column.width],
            };
            self.own.push(OwnColumn { column, values });
        }
    }

    /// A hash of the state of all agents, whatever their order: the sum over agents of a mix of id, the bits of
    /// position, heading and speed, then goal and state, then the models' own columns.
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
                let informed = (self.informed[i] > 0).then_some(1);
                let own = self.own.iter().flat_map(|o| &o.values[i * o.column.width..][..o.column.width]);
                let words = words.into_iter().chain(informed).chain(own.map(|v| v.to_bits()));
                words.fold(0x9E37_79B9_7F4A_7C15, |h, w| mix(h ^ u64::from(w)))
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
            informed: 0,
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
