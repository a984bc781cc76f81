//! The shaders and their kernels, in two tables, and which pieces each shader is made of.

pub(crate) use super::variant::{Goals, Variant};
use super::{bounded, living, plans};
use crate::scene::Model;
use crate::scene::parameters::Choice as _;
use crate::stages::steer::Steer;

const PRELUDE: &str = include_str!("prelude.wgsl");
const SCAN: &str = include_str!("scan.wgsl");
const ROUND: &str = include_str!("round.wgsl");
const RANDOM: &str = include_str!("../../random.wgsl");
const GEOMETRY: &str = include_str!("../../geometry.wgsl");
const WALLS: &str = include_str!("../../world/walls.wgsl");
const TALLY: &str = include_str!("../../measure/tally.wgsl");
const ADD_LONG: &str = include_str!("../../measure/add_long.wgsl");
const CONTROL: &str = include_str!("../../stages/potential/control.wgsl");
const JUMPS: &str = include_str!("../../stages/potential/jumps.wgsl");
const NEIGHBOURS: &str = include_str!("../../stages/separate/neighbours.wgsl");
const TURN: &str = include_str!("../../stages/steer/turn.wgsl");
const PORTALS: &str = include_str!("../../world/portals.wgsl");
const ROUTES: &str = include_str!("../../world/routes.wgsl");
const RULES: &str = include_str!("../../stages/live/rules.wgsl");
const AREAS: &str = include_str!("../../stages/live/areas.wgsl");
const POINTS: &str = include_str!("../../world/points.wgsl");
const GUIDE_POINTS: &str = include_str!("../../stages/steer/guide/points.wgsl");
const GUIDE_NO_POINTS: &str = include_str!("../../stages/steer/guide/no_points.wgsl");
const LIVE_POINTS: &str = include_str!("../../stages/live/points.wgsl");
const LIVE_WAITING: &str = include_str!("../../stages/live/waiting.wgsl");
const DOORS: &str = include_str!("../../stages/steer/doors/doors.wgsl");
const NO_DOORS: &str = include_str!("../../stages/steer/doors/no_doors.wgsl");
const KNOWING: &str = include_str!("../../stages/live/knowing.wgsl");
const NO_KNOWING: &str = include_str!("../../stages/live/no_knowing.wgsl");
const SIGHT: &str = include_str!("../../world/sight.wgsl");
const LIVE_NO_POINTS: &str = include_str!("../../stages/live/no_points.wgsl");

const LIVE_UNTIL: &str = include_str!("../../stages/live/until.wgsl");
const LIVE_NO_UNTIL: &str = include_str!("../../stages/live/no_until.wgsl");
const LIVE_REFUSED: &str = include_str!("../../stages/live/refused.wgsl");
const LIVE_NOT_REFUSED: &str = include_str!("../../stages/live/not_refused.wgsl");
const ROOM: &str = include_str!("../../stages/live/room.wgsl");
const NO_ROOM: &str = include_str!("../../stages/live/no_room.wgsl");
const GUIDE_HELD: &str = include_str!("../../stages/steer/guide/held.wgsl");
const GUIDE_LIMITED: &str = include_str!("../../stages/steer/guide/limited.wgsl");
const GUIDE_NOT_HELD: &str = include_str!("../../stages/steer/guide/not_held.wgsl");

macro_rules! shaders {
    ($($id:ident $name:literal [$($piece:expr),*],)*) => {
        /// A shader: a text of several kernels that share their bindings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Shader { $($id,)* }

        impl Shader {
            pub(crate) const ALL: &[Self] = &[$(Self::$id,)*];

            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)* }
            }

            /// The pieces that it is made of, besides the prelude.
            fn pieces(self) -> Vec<&'static str> {
                match self { $(Self::$id => vec![$($piece),*],)* }
            }
        }
    };
}

shaders! {
    Bin "bin" [SCAN, include_str!("../../stages/bin/bin.wgsl")],
    Permute "permute" [include_str!("../../stages/bin/permute.wgsl")],
    PermuteColumn "permute_column" [include_str!("../../stages/bin/permute_column.wgsl")],
    Splat "splat" [GEOMETRY, WALLS, include_str!("../../stages/splat/splat.wgsl")],
    Flow "flow" [TALLY, include_str!("../../stages/flow/flow.wgsl")],
    Speed "speed" [include_str!("../../stages/speed/speed.wgsl")],
    Cost "cost" [CONTROL, include_str!("../../stages/cost/cost.wgsl")],
    Potential "potential" [CONTROL, ROUND, JUMPS, include_str!("../../stages/potential/potential.wgsl")],
    Gradient "gradient" [JUMPS, include_str!("../../stages/gradient/gradient.wgsl")],
    Guide "guide" [GEOMETRY, WALLS, ROUTES, TURN, include_str!("../../stages/steer/guide/guide.wgsl")],
    Doors "doors" [],
    Flee "flee" [],
    // The chosen steering's own shader comes behind.
    Avoid "avoid" [TURN],
    // For a steering whose cells hold only so many.
    Cells "cells" [],
    Bound "bound" [],
    Motion "motion" [GEOMETRY, WALLS, include_str!("../../stages/motion/motion.wgsl")],
    Sweep "sweep" [include_str!("../../stages/separate/sweep.wgsl")],
    Find "find" [GEOMETRY, WALLS, TALLY, NEIGHBOURS, include_str!("../../stages/separate/find.wgsl")],
    Separate "separate" [RANDOM, GEOMETRY, WALLS, ROUND, NEIGHBOURS, include_str!("../../stages/separate/separate.wgsl")],
    Finish "finish" [GEOMETRY, WALLS, TALLY, ADD_LONG, NEIGHBOURS, include_str!("../../stages/separate/finish.wgsl")],
    Crowd "crowd" [GEOMETRY, WALLS, TALLY, ADD_LONG, include_str!("../../measure/crowd.wgsl")],
    Density "density" [TALLY, include_str!("../../measure/density.wgsl")],
    Live "live" [TALLY, ROUTES, RULES, PORTALS, include_str!("../../stages/live/live.wgsl")],
    Knowing "knowing" [],
    // Where crowded goals cost more than others.
    Crowded "crowded" [],
    // In scenes where somebody lives by states.
    Decide "decide" [],
    Change "change" [],
    // In scenes that have a goal that holds only so many.
    Room "room" [],
    Entries "entries" [RANDOM, GEOMETRY, WALLS, AREAS, TALLY, ROUTES, RULES, PORTALS, include_str!("../../stages/live/entries.wgsl")],
    Displace "displace" [GEOMETRY, WALLS, TALLY, ROUTES, include_str!("../../world/displace.wgsl")],
}

macro_rules! kernels {
    ($($id:ident $shader:ident $entry:literal $([$($constant:literal = $value:literal),*])?,)*) => {
        /// A kernel: an entry of a shader, with values for some of its constants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kernel { $($id,)* }

        impl Kernel {
            pub(crate) const ALL: &[Self] = &[$(Self::$id,)*];

            pub(crate) const fn shader(self) -> Shader {
                match self { $(Self::$id => Shader::$shader,)* }
            }

            /// Its name in the shader; a steering names its own.
            pub(crate) const fn entry(self, steer: Steer) -> &'static str {
                if matches!(self, Self::Avoid) {
                    return steer.steering().kernel;
                }
                match self { $(Self::$id => $entry,)* }
            }

            pub(crate) const fn constants(self) -> &'static [(&'static str, f64)] {
                match self { $(Self::$id => &[$($(($constant, $value)),*)?],)* }
            }
        }
    };
}

kernels! {
    BinCount Bin "count",
    BinSumCells Bin "sum_cells",
    BinSumBlocks Bin "sum_blocks",
    BinPlaceCells Bin "place_cells",
    BinScatter Bin "scatter",
    BinRank Bin "rank",
    Permute Permute "permute",
    PermuteOne PermuteColumn "permute_column" ["WIDTH" = 1.0],
    PermuteTwo PermuteColumn "permute_column" ["WIDTH" = 2.0],
    PermuteFour PermuteColumn "permute_column" ["WIDTH" = 4.0],
    Splat Splat "tiles",
    Flow Flow "flow",
    Speed Speed "speeds",
    SpeedOfEmptyFloor Speed "speeds" ["EMPTY" = 1.0],
    Cost Cost "costs",
    CloseLinks Cost "close_links",
    AddCrowds Crowded "add_crowds",
    PotentialReset Potential "reset",
    PotentialSeed Potential "seed",
    PotentialRelax Potential "relax",
    PotentialJump Potential "jump",
    PotentialSumUp Potential "sum_up",
    Gradient Gradient "gradients",
    SendThrough Gradient "send_through",
    Hold Gradient "hold",
    Guide Guide "follow_field",
    CountComing Doors "count_coming",
    HoldBack Doors "hold_back",
    Flee Flee "flee_all",
    GatherCells Cells "gather_cells",
    Avoid Avoid "",
    AskForPlaces Bound "ask_for_places",
    KeepOut Bound "keep_out",
    Move Motion "move_all",
    SweepCount Sweep "count_columns",
    SweepPlace Sweep "place_columns",
    SweepFill Sweep "fill_columns",
    Gather Find "gather",
    Find Find "find",
    PushApart Separate "push_apart",
    Finish Finish "finish",
    Look Crowd "look",
    Density Density "density",
    LeaveGoals Room "leave_goals",
    Ask Room "ask",
    Admit Room "admit",
    Arrivals Live "arrivals",
    Decide Decide "decide",
    Change Change "change",
    Entries Entries "entries",
    SetOut Live "set_out",
    TakePlaces Live "take_places",
    LookAround Knowing "look_around",
    Displace Displace "displace",
}

/// What a shader has to know of points, doors or sight, or that there are none.
const fn variant_pieces(shader: Shader, Variant { points, doors, sight, .. }: Variant) -> &'static [&'static str] {
    let has = match shader {
        Shader::Doors => doors,
        Shader::Knowing => sight,
        _ => points,
    };
    match (shader, has) {
        (Shader::Guide, true) => &[GUIDE_POINTS],
        (Shader::Guide, false) => &[GUIDE_NO_POINTS],
        (Shader::Live, true) => &[RANDOM, GEOMETRY, WALLS, SIGHT, AREAS, POINTS, LIVE_POINTS, LIVE_WAITING],
        (Shader::Live, false) => &[LIVE_NO_POINTS],
        (Shader::Doors, true) => &[GEOMETRY, WALLS, SIGHT, DOORS],
        (Shader::Doors, false) => &[NO_DOORS],
        (Shader::Knowing, true) => &[GEOMETRY, WALLS, SIGHT, KNOWING],
        (Shader::Knowing, false) => &[NO_KNOWING],
        _ => &[],
    }
}

/// What a shader has to know of goals that are closed or full at times and of waits for events, or that there are none.
fn goal_pieces(shader: Shader, Variant { signals, goals, .. }: Variant) -> Vec<&'static str> {
    let until = if signals { LIVE_UNTIL } else { LIVE_NO_UNTIL };
    match (shader, goals) {
        (Shader::Guide, Goals::Open) => vec![GUIDE_NOT_HELD],
        (Shader::Guide, Goals::Held) => vec![GUIDE_HELD],
        (Shader::Guide, Goals::Limited) => vec![GUIDE_LIMITED],
        (Shader::Live, Goals::Limited) => vec![until, LIVE_REFUSED],
        (Shader::Live, _) => vec![until, LIVE_NOT_REFUSED],
        (Shader::Room, Goals::Limited) => vec![SCAN, TALLY, ROUTES, RULES, until, LIVE_REFUSED, ROOM],
        (Shader::Room, _) => vec![NO_ROOM],
        _ => Vec::new(),
    }
}

/// The text of a shader, all pieces joined; a steering's own is part of `avoid`.
#[must_use]
pub(crate) fn text(shader: Shader, variant: Variant) -> String {
    let steer = variant.steer;
    let parameters = if bounded::has_parameters(shader, variant) { steering_struct(steer) } else { String::new() };
    let params = super::params::wgsl();
    let mut pieces = vec![&*params, PRELUDE, &parameters];
    pieces.extend(shader.pieces());
    pieces.extend(variant_pieces(shader, variant));
    pieces.extend(goal_pieces(shader, variant));
    pieces.extend(living::pieces(shader, variant));
    pieces.extend(plans::pieces(shader, variant));
    pieces.extend(bounded::pieces(shader, variant));
    if shader == Shader::Avoid {
        let own = steer.steering().shader;
        if own.contains("> world:") {
            pieces.extend([GEOMETRY, WALLS]);
        }
        if own.contains("draw(") {
            pieces.push(RANDOM);
        }
        if own.contains("route_of(") {
            pieces.push(ROUTES);
        }
        pieces.push(own);
    }
    pieces.join("\n")
}

/// The parameters of a steering as its shader declares them, if it has any.
fn steering_struct(steer: Steer) -> String {
    let model = Model { steer, ..Model::default() };
    model.steering_part().map_or_else(String::new, |part| part.wgsl("Steering"))
}

/// All shaders, name and text: for tests, and for whoever wants to read or validate them.
pub fn shaders() -> impl Iterator<Item = (&'static str, String)> {
    let common = Shader::ALL.iter().filter(|s| **s != Shader::Avoid).map(|s| (s.name(), text(*s, Variant::default())));
    let words = Steer::WORDS.iter().map(|w| w.word);
    let steerings = words.zip(Steer::ALL);
    let steerings =
        steerings.map(|(name, &steer)| (name, text(Shader::Avoid, Variant { steer, ..Variant::default() })));
    let with_more = [
        (Shader::Guide, "guide with points"),
        (Shader::Live, "live with points"),
        (Shader::Doors, "doors where there are any"),
        (Shader::Knowing, "knowing by sight"),
    ];
    let more = Variant { points: true, doors: true, sight: true, ..Variant::default() };
    let with_more = with_more.map(|(shader, name)| (name, text(shader, more)));
    let limited = Variant { points: true, signals: true, goals: Goals::Limited, ..Variant::default() };
    let with_limits = [
        ("guide with closed goals", Shader::Guide, Variant { goals: Goals::Held, ..limited }),
        ("guide with full goals", Shader::Guide, limited),
        ("live with full goals", Shader::Live, limited),
        ("room with full goals", Shader::Room, limited),
    ];
    let with_limits = with_limits.map(|(name, shader, variant)| (name, text(shader, variant)));
    let plans = plans::VARIANTS.iter().map(|(name, shader, variant)| (*name, text(*shader, *variant)));
    let living = living::VARIANTS.iter().map(|(name, shader, variant)| (*name, text(*shader, *variant)));
    let bounded = bounded::VARIANTS.iter().map(|(name, shader, variant)| (*name, text(*shader, *variant)));
    common.chain(steerings).chain(with_more).chain(with_limits).chain(plans).chain(living).chain(bounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::gpu::buffers::{Buffer, Column};
    use crate::engine::gpu::programs::{Wanted, wanted};
    use crate::stages::live::states;
    use crate::stages::steer::doors;
    use crate::world::{goals, points};

    /// Names that stand for one buffer or another: see `Kernels::bind`.
    const STAND_INS: &[&str] = &["bodies", "bodies_next", "own", "own_next", "cell_starts"];

    fn variants() -> impl Iterator<Item = Variant> {
        let plain = |&steer: &Steer| {
            [false, true].map(|more| Variant { steer, points: more, doors: more, sight: more, ..Variant::default() })
        };
        let limited = Variant { points: true, signals: true, goals: Goals::Limited, ..Variant::default() };
        let held = Variant { goals: Goals::Held, ..Variant::default() };
        Steer::ALL
            .iter()
            .flat_map(plain)
            .chain([held, limited])
            .chain(living::VARIANTS.iter().map(|(_, _, variant)| *variant))
            .chain(plans::VARIANTS.iter().map(|(_, _, variant)| *variant))
            .chain(bounded::VARIANTS.iter().map(|(_, _, variant)| *variant))
    }

    #[test]
    fn every_binding_names_a_buffer_a_column_or_a_stand_in() {
        for variant in variants() {
            for &shader in Shader::ALL {
                for Wanted { name, .. } in wanted(&text(shader, variant)) {
                    let column = name.strip_suffix("_next").unwrap_or(&name);
                    let model = Model { steer: variant.steer, ..Model::default() };
                    let mut own: Vec<_> = model.columns();
                    own.extend(variant.points.then_some(&points::COLUMN));
                    own.extend(variant.doors.then_some(&doors::HELD));
                    own.extend((variant.goals == Goals::Limited).then_some(&goals::COLUMN));
                    own.extend(variant.states.then_some(&states::COLUMN));
                    let own = own.iter().any(|c| c.info.name == column);
                    let known = Buffer::named(&name).is_some()
                        || Column::ALL.iter().any(|c| c.name() == column)
                        || STAND_INS.contains(&name.as_str())
                        || own;
                    assert!(known, "{}: nothing is called {name}", shader.name());
                }
            }
        }
    }

    #[test]
    fn every_kernel_is_an_entry_of_its_shader() {
        for variant in variants() {
            for &kernel in Kernel::ALL {
                let text = text(kernel.shader(), variant);
                let entry = format!("fn {}(", kernel.entry(variant.steer));
                let after = text.split("@compute").skip(1).any(|part| part.contains(&entry));
                assert!(after, "{kernel:?}: {} has no kernel {entry}", kernel.shader().name());
                for (constant, _) in kernel.constants() {
                    assert!(text.contains(&format!("override {constant}:")), "{kernel:?}: {constant}");
                }
            }
        }
    }

    #[test]
    fn steerings_keep_to_what_the_engine_gives_them() {
        for &steer in Steer::ALL {
            let threads = format!("@workgroup_size({})", steer.steering().threads);
            assert!(steer.steering().shader.contains(&threads), "{steer:?}: its kernel is not {threads}");
            for column in steer.steering().columns {
                let name = column.info.name;
                assert!(Buffer::named(name).is_none() && Column::ALL.iter().all(|c| c.name() != name), "{name}");
                assert!([1, 2, 4].contains(&column.width), "{name}");
            }
            let words = Model { steer, ..Model::default() }.steering_part().map_or(0, |part| part.words().len());
            assert!(16 * words as u64 <= crate::engine::gpu::buffers::STEERING_BYTES, "{steer:?}");
        }
    }
}
