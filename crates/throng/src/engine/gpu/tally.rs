//! The numbers of a step as the device leaves them: places as in measure/tally.wgsl and potential/control.wgsl.

use crate::engine::totals::Numbers;
use crate::stages::COUNT;
use crate::stages::potential::SolveReport;
use crate::stages::separate::Overlap;

/// Words of a step's tally; behind them come the groups' counts.
pub(crate) const WORDS: usize = 64;
/// Where those put aside are counted.
pub(crate) const DISPLACED: usize = 18;
/// Counts of each group: let in, first-timers outside, others outside, budget, failures, joining.
pub(crate) const GROUP_KINDS: usize = 6;
/// Words of the solver's own numbers.
pub(crate) const CONTROL_WORDS: usize = 64;
/// Where the rounds that did anything are counted, and from where on the items of each list.
pub(crate) const ROUNDS: usize = 2;
pub(crate) const RING_COUNTS: usize = 16;
/// Lists that wait at the same time, as in potential.wgsl.
pub(crate) const RING: usize = 16;
/// How many of them go into the journal.
pub(crate) const CONTROL_KEPT: usize = 16;

/// Bytes of a step in the journal: tally, control, timestamps (at a multiple of 256).
pub(crate) const RECORD: u64 = 1024;
pub(crate) const CONTROL_AT: u64 = 256;
pub(crate) const TIMES_AT: u64 = 512;

/// What a step's record says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) numbers: Numbers,
    /// Ticks of each stage.
    pub(crate) ticks: [u64; COUNT],
}

impl Record {
    /// Reads a record. `area` is that of a density window; `planned` says whether the solver ran.
    pub(crate) fn read(bytes: &[u8], area: f32, planned: bool) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from(word(at)) | (u64::from(word(at + 1)) << 32);
        let control = |at: usize| word(CONTROL_AT as usize / 4 + at);
        let time = |k: usize| {
            let at = TIMES_AT as usize + 8 * k;
            u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
        };
        let on_floor = word(19).max(1);
        let left = u64::from(control(5)) + u64::from(control(4));
        let solver = SolveReport {
            rounds: control(ROUNDS).into(),
            visits: u64::from(control(3)) * 256,
            converged: left == 0,
            left: left * 256,
        };
        let numbers = Numbers {
            splat_overflows: word(0).into(),
            left_out: word(1).into(),
            overlap: Overlap {
                mean: (long(2) as f64 / 1_048_576.0 / f64::from(on_floor)) as f32,
                max: f32::from_bits(word(4)),
                share: (f64::from(word(5)) / f64::from(on_floor)) as f32,
            },
            in_wall: word(6).into(),
            not_finite: word(7).into(),
            wall_depth: f32::from_bits(word(8)),
            speed_sum: long(9) as f64 / 4096.0,
            walking: word(11).into(),
            density: word(12) as f32 / area,
            goals_reached: word(13).into(),
            arrived: word(14).into(),
            entered: word(15).into(),
            parked: word(16).into(),
            left: word(17).into(),
            went_in: word(20).into(),
            came_out: word(21).into(),
            displaced: word(DISPLACED).into(),
            refused: word(22).into(),
            solver: planned.then_some(solver),
        };
        let ticks = std::array::from_fn(|s| time(2 * s + 1).saturating_sub(time(2 * s)));
        Self { numbers, ticks }
    }
}
