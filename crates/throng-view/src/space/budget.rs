//! How many triangles agents may have, on the CPU: what budget.wgsl does, number by number. All of it is in integers, so both
//! are the same.

use super::levels::{CLOSE, FAR, FULL, IMPOSTOR, LEVELS, SMALLEST_MESH};
use super::patches::FINENESSES;
use super::shadow::CASCADES;

/// Heights on the screen are counted in so many bins: quarters of an octave from half a pixel on.
pub const BINS: usize = 64;
/// Sums stop here.
pub(crate) const MOST: u32 = i32::MAX as u32;
/// Heights on the screen that levels begin at, px; the last has what is left.
const BEGINS: [f32; FAR] = [400.0, 120.0, 28.0, 14.0, 14.0, 3.0];
/// Close-ups have as many triangles as so many of the finest would, however many there are.
const FINEST: u32 = 2;

/// What a share is of: everybody has one chance of so many.
pub(crate) const ALL_OF_THEM: u32 = 1024;

/// Who is in a lower bin, less than four pixels tall, casts no shadow: it would be a pixel long, and maps are coarser than that there.
pub(crate) const LEAST_CASTER: u32 = 12;

/// The bins that levels begin at, if there are triangles enough.
#[must_use]
pub fn begins() -> [u32; FAR] {
    BEGINS.map(|pixels| (4.0 * (pixels / 0.5).max(1.0).log2()).round() as u32)
}

/// What a frame has to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Triangles of each level of detail, the finest first; of close-ups those of the full mesh.
    pub triangles: [u32; LEVELS],
    /// The bins that levels begin at.
    pub begins: [u32; FAR],
    /// Triangles of all that are drawn, at most.
    pub budget: u32,
    /// How many may be skinned before they are drawn: close-ups and full meshes together.
    pub slots: u32,
    /// How finely close-ups are cut at most, as a power of two.
    pub finest: u32,
    /// Triangles in shadow maps, at most.
    pub for_shadows: u32,
    /// Triangles of whoever casts a shadow.
    pub casters: Casters,
}

/// Triangles of whoever casts a shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Casters {
    /// Who may be skinned already, in any map.
    pub full: u32,
    /// Who is smaller, in each map.
    pub each: [u32; CASCADES],
    /// Who is so small that it has no mesh in the picture.
    pub small: u32,
}

/// Who gets which level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Bins that all thresholds are raised by, but for that of the farthest.
    pub lift: u32,
    /// Who is in a lower bin is not drawn, unless it is among the farthest,
    pub least: u32,
    /// and of the bin just below those whose chance is less than this, in 1024ths.
    pub share: u32,
    /// Impostors, at most.
    pub most: u32,
    /// Edges of close-ups are cut into two to the power of this.
    pub fineness: u32,
    /// That and 1, for the next frame; 0 if there are no close-ups.
    pub held: u32,
}

/// What would be drawn if triangles had no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Agents at each level of detail.
    pub levels: [u32; LEVELS],
    /// Edges of close-ups would be cut into so many pieces; 0 without close-ups.
    pub cut: u32,
    /// Triangles, those in shadow maps counted in. Of several figures all count as the one with the most; who casts a shadow and may be skinned already counts
    /// as the dearest of its casters, so that it is somewhat more than would be drawn.
    pub triangles: u64,
    /// Those of them in shadow maps.
    pub in_shadows: u64,
}

impl Limits {
    /// What would be drawn without a limit, if so many are in each bin of the picture and of shadow maps.
    #[must_use]
    pub fn wanted(&self, seen: &[u32; BINS], casting: &[[u32; BINS]]) -> Wanted {
        let mut wanted = Wanted::default();
        for (bin, &n) in (0..).zip(seen) {
            wanted.levels[self.level(bin, 0)] += n;
        }
        let fineness = self.fineness(seen, self.down_to(seen, 0, CLOSE), MOST);
        wanted.cut = if wanted.levels[CLOSE] > 0 { 1 << fineness } else { 0 };
        let drawn = Plan { share: ALL_OF_THEM, most: u32::MAX, fineness, ..Plan::default() };
        wanted.triangles = self.drawn(seen, &drawn, 0);
        for (map, bins) in casting.iter().enumerate().take(CASCADES) {
            for (bin, &n) in (0..).zip(bins).skip(LEAST_CASTER as usize) {
                wanted.in_shadows += u64::from(n) * u64::from(self.caster(bin, map));
            }
        }
        wanted.triangles += wanted.in_shadows;
        wanted
    }

    /// Triangles of somebody's shadow in a map, by its bin.
    fn caster(&self, bin: u32, map: usize) -> u32 {
        match bin {
            b if b < self.begins[SMALLEST_MESH] => self.casters.small,
            b if b < self.begins[FULL] => self.casters.each[map],
            _ => self.casters.full,
        }
    }

    /// The level of a bin.
    #[must_use]
    pub fn level(&self, bin: u32, lift: u32) -> usize {
        if bin < self.begins[IMPOSTOR] {
            return FAR;
        }
        self.begins[..IMPOSTOR].iter().filter(|&&begin| bin < begin + lift).count()
    }

    /// So many are at a level and at finer ones.
    fn down_to(&self, bins: &[u32; BINS], lift: u32, level: usize) -> u32 {
        (0..).zip(bins).filter(|&(b, _)| self.level(b, lift) <= level).map(|(_, &n)| n).fold(0, plus)
    }

    fn cost(&self, bins: &[u32; BINS], lift: u32) -> u32 {
        if self.down_to(bins, lift, FULL) > self.slots {
            return MOST;
        }
        let each = (0..).zip(bins).map(|(b, &n)| times(n, self.triangles[self.level(b, lift)]));
        each.fold(0, plus)
    }

    /// The first bin that is drawn with triangles at all.
    fn near(&self) -> usize {
        self.begins[IMPOSTOR] as usize
    }

    fn coarsest(&self, bins: &[u32; BINS], least: usize) -> u32 {
        bins[least.max(self.near())..].iter().map(|&n| times(n, self.triangles[IMPOSTOR])).fold(0, plus)
    }

    /// For so many in each bin; `before` is the plan of the frame before.
    #[must_use]
    pub fn plan(&self, bins: &[u32; BINS], before: &Plan) -> Plan {
        let last = before.lift;
        let lowest =
            |limit: u32| (0..BINS as u32 - 1).find(|&l| self.cost(bins, l) <= limit).unwrap_or(BINS as u32 - 1);
        let mut lift = lowest(self.budget);
        if lift < last {
            // Finer again only when there is a tenth to spare.
            lift = last.min(lowest(self.budget - self.budget / 10).max(lift));
        }
        let cost = self.cost(bins, lift);
        if cost <= self.budget {
            let close = self.down_to(bins, lift, CLOSE);
            let left = self.budget - cost;
            let mut fineness = self.fineness(bins, close, left);
            if before.held > 0 && close > 0 && fineness >= before.held {
                // Finer again only with a tenth and one character to spare.
                let spare = (left - left / 10).checked_sub(self.triangles[CLOSE]);
                let easy = spare.map_or(0, |spare| self.fineness(bins, plus(close, 1), spare));
                fineness = easy.max(before.held - 1);
            }
            let held = if close > 0 { fineness + 1 } else { 0 };
            return Plan { lift, least: 0, share: ALL_OF_THEM, most: u32::MAX, fineness, held };
        }
        let least = (self.near()..BINS).find(|&l| self.coarsest(bins, l) <= self.budget).unwrap_or(BINS);
        let above: u32 = bins[least..].iter().sum();
        let each = self.triangles[IMPOSTOR];
        let room = (self.budget - times(above, each)) / each.max(1);
        let below = if least > self.near() { bins[least - 1] } else { 0 };
        // Of so many that 1024 times them would overflow a part is counted in 1024ths of them.
        let large = room > 0x20_0000 || below > 0x20_0000;
        let share = if large { room / (below / ALL_OF_THEM).max(1) } else { ALL_OF_THEM * room / below.max(1) };
        Plan { lift, least: least as u32, share: share.min(ALL_OF_THEM), most: above + room, fineness: 0, held: 0 }
    }

    /// The lowest bin whose people cast shadows, if so many are in each bin of each map; `last` is that of the frame before.
    #[must_use]
    pub fn casts(&self, casting: &[[u32; BINS]; CASCADES], last: u32) -> u32 {
        let mut casts = self.casts_within(casting, self.for_shadows);
        if casts < last {
            // As with thresholds: a ring of shadows does not come and go.
            casts = last.min(self.casts_within(casting, self.for_shadows - self.for_shadows / 10));
        }
        casts.max(LEAST_CASTER)
    }

    fn casts_within(&self, casting: &[[u32; BINS]; CASCADES], limit: u32) -> u32 {
        let cost =
            |bin: usize| (0..CASCADES).map(|map| times(casting[map][bin], self.caster(bin as u32, map))).fold(0, plus);
        let mut sum = 0;
        for bin in (0..BINS).rev() {
            sum = plus(sum, cost(bin));
            if sum > limit {
                return bin as u32 + 1;
            }
        }
        0
    }

    /// How finely so many close-ups are cut if so many triangles are left: triangles grow as the square of it, so that for N of them it is the
    /// finest times √(2/N). Triangles smaller than a pixel or so are not worth having.
    fn fineness(&self, bins: &[u32; BINS], close: u32, left: u32) -> u32 {
        let tallest: u32 = (0..).zip(bins).filter(|&(_, &n)| n > 0).map(|(b, _)| b).max().unwrap_or(0);
        let worth = 2 + tallest.saturating_sub(self.begins[CLOSE]) / 4;
        let all = 1 << (2 * (FINENESSES as u32 - 1));
        let fits = |k: u32| {
            let cut = 1 << (2 * k);
            times(close, cut) <= FINEST * all && times(times(close, self.triangles[CLOSE]), cut - 1) <= left
        };
        (0..=worth.min(self.finest)).rev().find(|&k| fits(k)).unwrap_or(0)
    }

    /// Triangles that are drawn, if so many are in each bin, and of the bin that is drawn in part so many are let through.
    #[must_use]
    pub fn drawn(&self, bins: &[u32; BINS], plan: &Plan, let_through: u32) -> u64 {
        let mut levels = [0u64; LEVELS];
        for (bin, &n) in (0..).zip(bins) {
            let level = self.level(bin, plan.lift);
            let n = if bin >= plan.least || level == FAR {
                n
            } else if bin + 1 == plan.least {
                let_through.min(n)
            } else {
                0
            };
            levels[level] += u64::from(n);
        }
        levels[IMPOSTOR] = levels[IMPOSTOR].min(u64::from(plan.most));
        levels[CLOSE] <<= 2 * plan.fineness;
        levels.iter().zip(self.triangles).map(|(&n, t)| n * u64::from(t)).sum()
    }
}

fn times(a: u32, b: u32) -> u32 {
    a.checked_mul(b).map_or(MOST, |v| v.min(MOST))
}

fn plus(a: u32, b: u32) -> u32 {
    (a.min(MOST) + b.min(MOST)).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CHARACTERS: Limits = Limits {
        triangles: [6400, 6400, 900, 150, 50, 2, 0],
        begins: [39, 32, 26, 21, 17, 10],
        budget: 8_000_000,
        slots: 1200,
        finest: 4,
        for_shadows: 2_000_000,
        casters: Casters { full: 900, each: [900, 150, 50], small: 50 },
    };

    fn crowd() -> impl Strategy<Value = [u32; BINS]> {
        // From one to a hundred million, in few bins or in all of them.
        let one = prop_oneof![6 => Just(0u32), 2 => 0u32..50, 2 => 0u32..50_000, 1 => 0u32..4_000_000];
        proptest::collection::vec(one, BINS).prop_map(|v| v.try_into().expect("as many as there are bins"))
    }

    fn limits() -> impl Strategy<Value = Limits> {
        (1u32..40, 1u32..200, 1u32..800, 1u32..9000, 1u32..16_000_000, 0u32..3000, 0u32..5).prop_map(
            |(a, b, c, d, budget, slots, finest)| Limits {
                triangles: [a + b + c + d, a + b + c + d, a + b + c, a + b, a, a.min(2), 0],
                begins: begins(),
                budget,
                slots,
                finest,
                ..CHARACTERS
            },
        )
    }

    /// What a frame before may have left.
    fn before() -> impl Strategy<Value = Plan> {
        (0u32..64, 0u32..=5).prop_map(|(lift, held)| Plan { lift, held, ..Plan::default() })
    }

    proptest! {
        #[test]
        fn the_budget_is_never_exceeded(bins in crowd(), limits in limits(), before in before(), part in 0u32..=1024) {
            let plan = limits.plan(&bins, &before);
            // However many of the last bin's ids end in what is let through.
            for let_through in [0, plan.most, u32::MAX, part * 100] {
                let drawn = limits.drawn(&bins, &plan, let_through);
                prop_assert!(drawn <= u64::from(limits.budget), "{drawn} of {}: {plan:?}", limits.budget);
            }
            prop_assert!(plan.least > 0 || limits.down_to(&bins, plan.lift, FULL) <= limits.slots);
        }

        #[test]
        fn nobody_is_left_out_while_coarser_ones_would_do(bins in crowd(), limits in limits(), before in before()) {
            let plan = limits.plan(&bins, &before);
            let all: u64 = bins[limits.near()..].iter().map(|&n| u64::from(n)).sum();
            if all * u64::from(limits.triangles[IMPOSTOR]) <= u64::from(limits.budget) {
                prop_assert_eq!(plan.least, 0);
                prop_assert_eq!(plan.share, ALL_OF_THEM);
            }
        }

        #[test]
        fn the_same_crowd_keeps_its_levels(bins in crowd(), limits in limits(), before in before()) {
            let first = limits.plan(&bins, &before);
            prop_assert_eq!(limits.plan(&bins, &first), first);
        }

        #[test]
        fn somebody_at_the_edge_of_the_picture_does_not_cut_all_others_anew(
            others in 1u32..80, bin in 39usize..56, limits in limits(), before in before()
        ) {
            let mut bins = [0; BINS];
            bins[bin] = others;
            let mut with = bins;
            with[bin] += 1;
            let mut plan = limits.plan(&bins, &before);
            let plans = [with, bins, with, bins, with].map(|bins| {
                plan = limits.plan(&bins, &plan);
                plan
            });
            // Whatever was before may have been much coarser; and thresholds have a tenth to spare of their own.
            if plans.iter().all(|p| p.lift == plans[0].lift && p.least == 0) {
                prop_assert!(plans[1..].iter().all(|p| p.fineness == plans[1].fineness), "{plans:?}");
            }
        }
    }

    #[test]
    fn few_characters_get_the_levels_of_their_size() {
        let mut bins = [0; BINS];
        bins[37] = 3;
        bins[20] = 50;
        bins[3] = 1_000_000;
        let plan = CHARACTERS.plan(&bins, &Plan::default());
        assert_eq!((plan.lift, plan.least, plan.share, plan.most), (0, 0, ALL_OF_THEM, u32::MAX));
    }

    #[test]
    fn many_near_ones_are_drawn_coarser() {
        let mut bins = [0; BINS];
        bins[40] = 3000;
        let plan = CHARACTERS.plan(&bins, &Plan::default());
        assert!(plan.lift > 0 && plan.least == 0);
        // With 10 % to spare it does not get finer at once, and without the crowd it does.
        bins[40] = 1;
        assert_eq!(CHARACTERS.plan(&bins, &plan).lift, 0);
    }

    #[test]
    fn of_millions_alike_as_many_are_drawn_as_there_is_room_for() {
        let mut bins = [0; BINS];
        bins[12] = 16_777_216;
        let plan = CHARACTERS.plan(&bins, &Plan::default());
        assert_eq!(plan.least, 13);
        assert_eq!(plan.most, CHARACTERS.budget / 2);
        assert_eq!(plan.share, 244, "four of sixteen million, rounded down");
    }

    #[test]
    fn of_many_times_too_many_alike_some_are_drawn() {
        let mut bins = [0; BINS];
        bins[12] = 1_000_000;
        // A picture of a thousandth of them: a share of 1024 has room for these.
        let plan = Limits { budget: 2000, ..CHARACTERS }.plan(&bins, &Plan::default());
        assert_eq!((plan.least, plan.share, plan.most), (13, 1, 1000));
    }

    #[test]
    fn the_smallest_cast_no_shadows_where_there_are_too_many() {
        let mut casting = [[0; BINS]; CASCADES];
        assert_eq!(CHARACTERS.casts(&casting, 0), LEAST_CASTER, "who is tiny casts none whatever is left");
        casting[0][40] = 1000;
        casting[2][15] = 20_000;
        // 900,000 triangles and 1,000,000.
        assert_eq!(CHARACTERS.casts(&casting, 0), LEAST_CASTER);
        // What was left out comes back only with a tenth to spare.
        assert_eq!(CHARACTERS.casts(&casting, 16), 16);
        casting[2][15] = 30_000;
        assert_eq!(CHARACTERS.casts(&casting, 0), 16);
        casting[1][50] = 10_000;
        assert_eq!(CHARACTERS.casts(&casting, 0), 51);
    }

    #[test]
    fn what_is_wanted_is_what_a_budget_without_end_would_draw() {
        let mut seen = [0; BINS];
        (seen[5], seen[15], seen[22], seen[33], seen[40]) = (7000, 900, 500, 600, 20);
        let mut casting = [[0; BINS]; CASCADES];
        (casting[0][40], casting[1][33], casting[2][15]) = (20, 600, 900);
        let wanted = CHARACTERS.wanted(&seen, &casting);
        assert_eq!(wanted.levels, [20, 600, 0, 500, 0, 900, 7000]);
        assert_eq!(wanted.cut, 4);
        assert_eq!(wanted.in_shadows, (20 + 600) * 900 + 900 * 50);
        assert_eq!(wanted.triangles, 20 * 6400 * 16 + 600 * 6400 + 500 * 150 + 900 * 2 + (20 + 600) * 900 + 900 * 50);
        // The budget of eight million is not enough for that and does not change it.
        assert!(CHARACTERS.drawn(&seen, &CHARACTERS.plan(&seen, &Plan::default()), 0) <= u64::from(CHARACTERS.budget));
        assert_eq!(CHARACTERS.wanted(&[0; BINS], &casting).cut, 0);
    }

    #[test]
    fn close_ups_share_the_triangles_of_two_of_the_finest() {
        let limits = Limits { budget: 40_000_000, ..CHARACTERS };
        let with = |close: u32| {
            let mut bins = [0; BINS];
            bins[50] = close;
            1 << limits.plan(&bins, &Plan::default()).fineness
        };
        // The finest times √(2/N), rounded down to a power of two; the paper's 2/N would have 8, 4, 1 of 4, 8, 32.
        assert_eq!([1, 2, 3, 4, 8, 9, 32, 33, 600].map(with), [16, 16, 8, 8, 8, 4, 4, 2, 1]);
        // Eight are cut as finely again only when they are seven, with one to spare.
        let mut plan = Plan::default();
        let after = [8, 9, 8, 9, 8, 7, 8, 9].map(|close| {
            let mut bins = [0; BINS];
            bins[50] = close;
            plan = limits.plan(&bins, &plan);
            1 << plan.fineness
        });
        assert_eq!(after, [8, 4, 4, 4, 4, 8, 8, 4]);
        // Whose triangles would be smaller than a pixel is cut less.
        let mut bins = [0; BINS];
        bins[CHARACTERS.begins[CLOSE] as usize] = 1;
        assert_eq!(limits.plan(&bins, &Plan::default()).fineness, 2);
    }
}
