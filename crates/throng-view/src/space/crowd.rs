//! Everybody on the device: gathered, classified, put on lists, with the arguments that they are drawn with. Nothing of it is
//! read back to decide anything.

use super::actors::{Actors, SKIN_ARGUMENTS};
use super::budget::{self, BINS};
use super::figure::Figure;
use super::levels::{CLOSE, FULL, LEVELS};
use super::settings::{Settings, Skinning};
use super::shadow::CASCADES;
use super::skinned::Skinned;
use super::small::Listed;
use crate::draw::layout::{Slot, bind, bind_buffers, group_layout, kernel, module};
use crate::draw::memory::buffer;
use crate::draw::prepare::dispatch;
use crate::draw::{Crowd as Columns, Shared, most_records};
use throng::engine::gpu::Gpu;
use throng_creature::{BONE_WGSL, VARIATION_WGSL, VERTEX_WGSL};
use wgpu::{
    BindGroup, BindGroupLayout, BindingResource, Buffer, BufferUsages, ComputePass, ComputePipeline, ShaderStages,
};

/// Figures that a scene may have.
pub(crate) const FIGURES: usize = 8;
/// Bytes of somebody, gathered.
pub(crate) const RECORD: u64 = 64;
/// Bytes of what is remembered of somebody.
const LIVING: u64 = 32;
/// Bytes of the plan of budget.wgsl.
const PLAN: u64 = 40;
/// Bytes of a pose.
const POSE: u64 = 16;
/// Parts of the budget, in quarters, that are for shadow maps.
const SHADOW_QUARTERS: u32 = 1;

/// What shaders that skin a character begin with.
pub(crate) const SKINNING_WGSL: [&str; 5] =
    [VARIATION_WGSL, VERTEX_WGSL, BONE_WGSL, FIGURE_WGSL, include_str!("bones.wgsl")];
/// What shaders know of a character.
pub(crate) const FIGURE_WGSL: &str = include_str!("figure.wgsl");

/// See budget.wgsl.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Costs {
    triangles: [[u32; 4]; 2],
    begins: [[u32; 4]; 2],
    budget: u32,
    slots: u32,
    finest: u32,
    for_shadows: u32,
    casters: [[u32; 4]; 2],
    least_caster: u32,
    pinned: u32,
    pad: [u32; 2],
}

/// Everybody, and who of them is drawn.
#[derive(Debug)]
pub(crate) struct Crowd {
    gpu: Gpu,
    /// Who is drawn as each figure of the scene.
    pub(crate) actors: Vec<Actors>,
    pub(super) characters: Buffer,
    pub(super) living: Buffer,
    pub(super) poses: Buffer,
    pub(super) classes: Buffer,
    pub(super) bins: Buffer,
    pub(super) plan: Buffer,
    costs: Buffer,
    pub(crate) layout: BindGroupLayout,
    layouts: [BindGroupLayout; 5],
    gather: ComputePipeline,
    animate: ComputePipeline,
    classify: ComputePipeline,
    budget: ComputePipeline,
    lists: [ComputePipeline; 3],
}

impl Crowd {
    /// `view` is the layout that pictures of both kinds share, `space` that of all shaders here, `nothing` one without bindings.
    pub(crate) fn new(
        gpu: &Gpu,
        figures: Vec<Figure>,
        view: &BindGroupLayout,
        [nothing, light, space]: [&BindGroupLayout; 3],
    ) -> Self {
        use Slot::{Read, Uniform, Write};
        let device = gpu.device();
        let compute = ShaderStages::COMPUTE;
        let layouts = [
            group_layout(device, "gather", compute, &[Read, Read, Read, Read, Read, Write]),
            group_layout(device, "animate", compute, &[Read, Read, Read, Read, Write, Write, Uniform]),
            group_layout(device, "classify", compute, &[Write, Write, Read, Uniform, Write, Write]),
            group_layout(device, "budget", compute, &[Read, Write, Uniform]),
            group_layout(device, "lists", compute, &[Read, Write, Write, Write, Write, Write, Uniform]),
        ];
        let [l_gather, l_animate, l_classify, l_budget, l_lists] = &layouts;
        let common = include_str!("../draw/common.wgsl");
        let ours = include_str!("space.wgsl");
        let colours = include_str!("../draw/colouring.wgsl");
        let gather = module(device, "gather", &[common, ours, include_str!("gather.wgsl"), colours]);
        let animate =
            module(device, "animate", &[common, ours, VARIATION_WGSL, FIGURE_WGSL, include_str!("animate.wgsl")]);
        let classify = module(
            device,
            "classify",
            &[ours, VARIATION_WGSL, include_str!("light.wgsl"), include_str!("classify.wgsl")],
        );
        let plan = module(device, "budget", &[include_str!("budget.wgsl")]);
        let lists = module(device, "lists", &[ours, include_str!("lists.wgsl")]);
        let storage = BufferUsages::STORAGE;
        Self {
            gather: kernel(device, &gather, "gather", &[view, l_gather, space]),
            animate: kernel(device, &animate, "animate", &[view, l_animate, space]),
            classify: kernel(device, &classify, "classify", &[l_classify, light, space]),
            budget: kernel(device, &plan, "budget", &[l_budget]),
            lists: ["count", "offsets", "list"].map(|entry| kernel(device, &lists, entry, &[l_lists, nothing, space])),
            layout: group_layout(
                device,
                "characters",
                ShaderStages::VERTEX | ShaderStages::COMPUTE,
                &[Read, Read, Read, Read, Read, Uniform],
            ),
            layouts,
            actors: figures.into_iter().map(|figure| Actors::new(gpu, figure)).collect(),
            characters: buffer(gpu, "characters", RECORD, storage),
            living: buffer(gpu, "living", LIVING, storage),
            poses: buffer(gpu, "poses", POSE, storage),
            classes: buffer(gpu, "classes", 4, storage),
            bins: buffer(gpu, "bins", 4 * (1 + CASCADES as u64) * BINS as u64, storage),
            plan: buffer(gpu, "plan", PLAN, storage),
            costs: buffer(gpu, "costs", size_of::<Costs>() as u64, BufferUsages::UNIFORM),
            gpu: gpu.clone(),
        }
    }

    /// Forgets what everybody did.
    pub(crate) fn forget(&mut self) {
        self.living = buffer(&self.gpu, "living", self.living.size(), BufferUsages::STORAGE);
        self.plan = buffer(&self.gpu, "plan", PLAN, BufferUsages::STORAGE);
    }

    /// What the picture's triangles have to keep to.
    pub(crate) fn limits(&self, count: u32, settings: &Settings) -> budget::Limits {
        let mut triangles = [0; LEVELS];
        let mut casters = budget::Casters::default();
        for actors in &self.actors {
            // Whoever is drawn costs no more than if all were of the figure with the most triangles.
            triangles = std::array::from_fn(|level| triangles[level].max(actors.triangles()[level]));
            let other = actors.casters();
            casters.full = casters.full.max(other.full);
            casters.small = casters.small.max(other.small);
            casters.each = std::array::from_fn(|map| casters.each[map].max(other.each[map]));
        }
        let budget = settings.budget - shadow_share(settings);
        let figures = self.actors.len();
        let room = self.actors.iter().map(|a| a.most_slots(settings, figures)).min().unwrap_or(0);
        let wanted = match settings.pinned {
            Some(level) if level as usize <= FULL => count,
            _ => budget / triangles[FULL].max(1),
        };
        budget::Limits {
            triangles,
            begins: budget::begins(),
            budget,
            slots: wanted.min(room).min(count).max(1),
            finest: settings.finest.clamp(1, 16).ilog2(),
            for_shadows: shadow_share(settings),
            casters,
        }
    }

    /// Whether full meshes are skinned once a frame. Where everybody shall have one and there is not room for all of them, nobody's is: who
    /// is skinned must not depend on who is seen.
    pub(crate) fn shares(&self, count: u32, settings: &Settings) -> bool {
        let fits = settings.pinned.is_none() || self.limits(count, settings).slots >= count;
        settings.skinning == Skinning::Shared && fits
    }

    /// See `budget.wgsl`.
    fn pinned_fineness(&self, limits: &budget::Limits, count: u32, settings: &Settings) -> u32 {
        let close = settings.pinned.filter(|&level| level as usize == CLOSE).map(|_| count.min(limits.slots));
        close.map_or(budget::MOST, |n| {
            self.actors.iter().map(|a| a.pinned_fineness(n, limits.finest)).min().unwrap_or(0)
        })
    }

    /// How many of the first in the columns are drawn, where everybody has one level of detail.
    pub(crate) fn drawn_pinned(&self, count: u32, settings: &Settings) -> u32 {
        let Some(level) = settings.pinned else { return count };
        let most = |a: &Actors| a.most_pinned(a.triangles()[(level as usize).min(LEVELS - 1)]);
        self.actors.iter().map(most).fold(count, u32::min)
    }

    /// Makes room, and tells the shaders what lists are drawn with.
    pub(crate) fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        (count, known): (u32, u32),
        settings: &Settings,
    ) {
        let (n, storage) = (u64::from(count.max(1)), BufferUsages::STORAGE);
        if self.characters.size() < RECORD * n {
            self.characters = buffer(&self.gpu, "characters", RECORD * n, storage);
            self.poses = buffer(&self.gpu, "poses", POSE * n, storage);
            self.classes = buffer(&self.gpu, "classes", 4 * n, storage);
        }
        let bytes = LIVING * u64::from(known).min(most_records(&self.gpu, LIVING));
        if self.living.size() < bytes {
            // Who was there before goes on with what it does.
            let before = std::mem::replace(&mut self.living, buffer(&self.gpu, "living", bytes, storage));
            encoder.copy_buffer_to_buffer(&before, 0, &self.living, 0, before.size().min(bytes));
        }
        let limits = self.limits(count, settings);
        let shares = self.shares(count, settings);
        // Where all are coarser, or skinned wherever they are drawn, nobody needs a slot.
        let needed = match settings.pinned {
            Some(level) if level as usize > FULL || (level as usize == FULL && !shares) => 1,
            _ => limits.slots,
        };
        for (number, actors) in (0..).zip(&mut self.actors) {
            actors.prepare(number, (n, needed), shares, settings);
        }
        let mut costs = Costs {
            triangles: [[0; 4]; 2],
            begins: [[0; 4]; 2],
            budget: limits.budget,
            slots: limits.slots,
            finest: limits.finest,
            for_shadows: limits.for_shadows,
            casters: [[0; 4]; 2],
            least_caster: budget::LEAST_CASTER,
            pinned: self.pinned_fineness(&limits, count, settings),
            pad: [0; 2],
        };
        let budget::Casters { full, each: [a, b, c], small } = limits.casters;
        costs.casters = [[full, a, b, c], [small, 0, 0, 0]];
        for (k, triangles) in limits.triangles.into_iter().enumerate() {
            costs.triangles[k / 4][k % 4] = triangles;
        }
        for (k, bin) in limits.begins.into_iter().enumerate() {
            costs.begins[k / 4][k % 4] = bin;
        }
        self.gpu.queue().write_buffer(&self.costs, 0, bytemuck::bytes_of(&costs));
    }

    /// Gathers everybody, and lets time pass for their clips.
    pub(crate) fn gather(
        &self,
        pass: &mut ComputePass<'_>,
        (columns, count): (&Columns, u32),
        shared: &Shared<'_>,
        space: &BindGroup,
    ) {
        let device = self.gpu.device();
        let [motion, body, journey] = &columns.columns;
        let n = u64::from(count);
        pass.set_bind_group(0, shared.view, &[]);
        let everybody = [motion, body, journey, shared.waited, shared.persons, &self.characters];
        pass.set_bind_group(1, &bind_buffers(device, &self.layouts[0], &everybody), &[]);
        pass.set_bind_group(2, space, &[]);
        pass.set_pipeline(&self.gather);
        dispatch(pass, n);
        pass.set_pipeline(&self.animate);
        for Actors { figure, .. } in &self.actors {
            let lives = [motion, journey, &self.characters, &figure.table, &self.living, &self.poses, &figure.shape];
            pass.set_bind_group(1, &bind_buffers(device, &self.layouts[1], &lives), &[]);
            dispatch(pass, n);
        }
    }

    /// Decides who is drawn, and how.
    pub(crate) fn decide(
        &self,
        pass: &mut ComputePass<'_>,
        n: u32,
        [pyramid, levels]: [BindingResource<'_>; 2],
        [nothing, light, space]: [&BindGroup; 3],
    ) {
        let device = self.gpu.device();
        let n = u64::from(n);
        let [characters, living, classes, bins] =
            [&self.characters, &self.living, &self.classes, &self.bins].map(|b| b.as_entire_binding());
        let classify = [characters, living, pyramid, levels, classes, bins];
        pass.set_bind_group(0, &bind(device, &self.layouts[2], &classify), &[]);
        pass.set_bind_group(1, light, &[]);
        pass.set_bind_group(2, space, &[]);
        pass.set_pipeline(&self.classify);
        dispatch(pass, n);
        pass.set_bind_group(1, nothing, &[]);
        let plan = [&self.bins, &self.plan, &self.costs];
        pass.set_bind_group(0, &bind_buffers(device, &self.layouts[3], &plan), &[]);
        pass.set_pipeline(&self.budget);
        pass.dispatch_workgroups(1, 1, 1);
        for Actors { blocks, members, starts, arguments, meshes, .. } in &self.actors {
            let lists = [&self.classes, &self.plan, blocks, members, starts, arguments, meshes];
            pass.set_bind_group(0, &bind_buffers(device, &self.layouts[4], &lists), &[]);
            for (kernel, threads) in self.lists.iter().zip([n, 1, n]) {
                pass.set_pipeline(kernel);
                dispatch(pass, threads);
            }
        }
    }

    /// Skins the full meshes of those who are near.
    pub(crate) fn skin(&self, pass: &mut ComputePass<'_>, by: &Skinned) {
        pass.set_pipeline(&by.skin);
        for actors in &self.actors {
            let Figure { table, shape, .. } = &actors.figure;
            let Actors { members, starts, skinned, arguments, .. } = actors;
            let all = [&self.characters, members, starts, &self.poses, table, skinned, shape];
            pass.set_bind_group(0, &bind_buffers(self.gpu.device(), &by.layouts[0], &all), &[]);
            pass.dispatch_workgroups_indirect(arguments, SKIN_ARGUMENTS);
        }
    }

    /// What has to be nought before a frame.
    pub(crate) fn clear(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.bins, 0, None);
    }

    /// What shaders read that skin while they draw.
    pub(crate) fn bound(&self, actors: &Actors) -> BindGroup {
        let Figure { table, shape, .. } = &actors.figure;
        let all = [&self.characters, &actors.members, &actors.starts, &self.poses, table, shape];
        bind_buffers(self.gpu.device(), &self.layout, &all)
    }

    /// What shaders read of whose large triangles they draw.
    pub(crate) fn bound_large(&self, actors: &Actors, layout: &BindGroupLayout) -> BindGroup {
        let Figure { table, shape, .. } = &actors.figure;
        bind_buffers(self.gpu.device(), layout, &[&self.characters, table, shape])
    }

    /// What shaders read of those who are small on the screen.
    pub(crate) fn listed<'a>(&'a self, actors: &'a Actors) -> Listed<'a> {
        let Self { characters, poses, living, .. } = self;
        let Actors { members, starts, figure, .. } = actors;
        Listed { characters, members, starts, poses, living, atlas: &figure.atlas }
    }

    /// What shaders read of those who are skinned already.
    pub(crate) fn bound_skinned(&self, actors: &Actors, by: &Skinned) -> BindGroup {
        let Figure { table, shape, .. } = &actors.figure;
        let Actors { members, starts, skinned, .. } = actors;
        let all = [&self.characters, members, starts, table, skinned, shape];
        bind_buffers(self.gpu.device(), &by.layouts[1], &all)
    }
}

/// Triangles that are for shadow maps.
fn shadow_share(settings: &Settings) -> u32 {
    settings.budget / 4 * SHADOW_QUARTERS
}
