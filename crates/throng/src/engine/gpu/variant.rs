//! What the texts of shaders depend on.

use crate::stages::steer::Steer;
use crate::stages::steer::social_force::Layout;

/// What the texts of shaders depend on. Scenes that do without something do not pay for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Variant {
    pub(crate) steer: Steer,
    /// How people are kept for others to read, where the steering's cells hold only so many.
    pub(crate) layout: Layout,
    /// Whether anybody may head for a point of its own.
    pub(crate) points: bool,
    /// Whether the scene has doors at which one direction goes first.
    pub(crate) doors: bool,
    /// Whether there is anything that people flee from, and whether plans count it.
    pub(crate) hazards: bool,
    pub(crate) planned_hazards: bool,
    /// Whether costs are without direction, and whether their weights differ from place to place.
    pub(crate) froblins: bool,
    pub(crate) factors: bool,
    /// Whether directions are by central differences.
    pub(crate) central: bool,
    /// Whether there are slopes.
    pub(crate) terrain: bool,
    /// Whether anybody learns by sight that walls have changed.
    pub(crate) sight: bool,
    /// Whether anybody waits for an event at the end of a leg.
    pub(crate) signals: bool,
    /// Whether anybody lives by states; then there are points too.
    pub(crate) states: bool,
    /// Whether crowded goals cost more than others.
    pub(crate) crowding: bool,
    pub(crate) goals: Goals,
}

impl Variant {
    /// With the first steering, and nothing that a scene may do without.
    pub(crate) const PLAIN: Self = Self {
        steer: Steer::Walk,
        layout: Layout::Full,
        points: false,
        doors: false,
        hazards: false,
        planned_hazards: false,
        froblins: false,
        factors: false,
        central: false,
        terrain: false,
        sight: false,
        signals: false,
        states: false,
        crowding: false,
        goals: Goals::Open,
    };
}

/// What goals may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Goals {
    /// Always open.
    #[default]
    Open,
    /// Closed at times.
    Held,
    /// Full at times.
    Limited,
}
