//! The numbers that every shader of the viewer is given: `View` of common.wgsl, field by field.

/// See common.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct View {
    pub(crate) centre: [f32; 2],
    pub(crate) size: [f32; 2],
    pub(crate) origin: [f32; 2],
    pub(crate) world: [f32; 2],
    pub(crate) scale: f32,
    pub(crate) back: f32,
    pub(crate) cell: f32,
    pub(crate) body: f32,
    pub(crate) cells: [u32; 2],
    pub(crate) agents: u32,
    pub(crate) goals: u32,
    pub(crate) colouring: u32,
    pub(crate) low: f32,
    pub(crate) high: f32,
    pub(crate) agents_opacity: f32,
    pub(crate) shade: u32,
    pub(crate) field_low: f32,
    pub(crate) field_high: f32,
    pub(crate) field_opacity: f32,
    pub(crate) smooth_field: u32,
    pub(crate) background: f32,
    pub(crate) background_level: f32,
    pub(crate) walls: f32,
    pub(crate) goals_opacity: f32,
    pub(crate) splats: f32,
    pub(crate) tiles: f32,
    pub(crate) tiles_wide: u32,
    pub(crate) pointer: [f32; 2],
    pub(crate) click: [f32; 2],
    pub(crate) reach: f32,
    pub(crate) chosen: u32,
    pub(crate) elapsed: f32,
    pub(crate) slot: u32,
    pub(crate) known: u32,
    pub(crate) slots: u32,
    pub(crate) arrow_every: u32,
    pub(crate) stretch: f32,
    pub(crate) arrow_first: [u32; 2],
    pub(crate) arrow_across: u32,
    pub(crate) ribbons: f32,
    pub(crate) jump: f32,
    pub(crate) pad: u32,
}

impl View {
    /// How many agents and how many cells there are to work on.
    pub(crate) fn work(&self) -> (u64, u64) {
        (u64::from(self.agents), u64::from(self.cells[0]) * u64::from(self.cells[1]))
    }
}

/// No id, no slot.
pub(crate) const NONE: u32 = u32::MAX;
