//! One figure, and who of the crowd is drawn as it.

use super::budget::{self, Casters};
use super::figure::Figure;
use super::levels::{CASTERS, CLOSE, FULL, IMPOSTOR, LEVELS, LISTS, MESHES, SKINNED_CASTERS, SMALL_CASTERS};
use super::patches::{FINENESSES, workgroups};
use super::settings::Settings;
use super::shadow::CASCADES;
use super::small;
use crate::draw::memory::buffer;
use throng::engine::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

/// Bytes of the arguments of a draw call.
pub(crate) const ARGUMENTS: u64 = 20;
/// Where the workgroups that skin are in the arguments.
pub(crate) const SKIN_ARGUMENTS: u64 = ARGUMENTS * LISTS as u64;
/// The mesh that casts shadows in each map, if it is skinned for it: edges of shadows are soft anyway.
const CAST: [usize; CASCADES] = [1, 2, 3];

/// Triangles of a list at most, where everybody has one level of detail: so many at once that a device still answers.
const PINNED: u32 = 1 << 26;

/// Bytes of skinned vertices of all figures, at most.
const MOST_SKINNED: u64 = 512 << 20;

/// See lists.wgsl.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Meshes {
    of_list: [[u32; 4]; LISTS],
    patches: [[u32; 4]; FINENESSES],
    begins: [[u32; 4]; 2],
    figure: u32,
    slots: u32,
    shares: u32,
    least_caster: u32,
}

/// A figure with its lists.
#[derive(Debug)]
pub(crate) struct Actors {
    gpu: Gpu,
    pub(crate) figure: Figure,
    pub(crate) blocks: Buffer,
    pub(crate) members: Buffer,
    pub(crate) starts: Buffer,
    pub(crate) arguments: Buffer,
    pub(crate) meshes: Buffer,
    /// Vertices of those who are skinned before they are drawn.
    pub(crate) skinned: Buffer,
}

impl Actors {
    pub(crate) fn new(gpu: &Gpu, figure: Figure) -> Self {
        let storage = BufferUsages::STORAGE;
        Self {
            figure,
            blocks: buffer(gpu, "blocks", 4 * LISTS as u64, storage),
            members: buffer(gpu, "members", 16, storage),
            starts: buffer(gpu, "starts", 4 * (2 * LISTS as u64 + 1), storage),
            arguments: buffer(gpu, "arguments", SKIN_ARGUMENTS + 12, storage | BufferUsages::INDIRECT),
            meshes: buffer(gpu, "meshes", size_of::<Meshes>() as u64, BufferUsages::UNIFORM),
            skinned: buffer(gpu, "skinned", 16, storage),
            gpu: gpu.clone(),
        }
    }

    /// The most that can be skinned with a buffer as large as the device lets shaders have, one of so many figures.
    pub(crate) fn most_slots(&self, settings: &Settings, figures: usize) -> u32 {
        let limits = self.gpu.device().limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let most = most.min(MOST_SKINNED / figures.max(1) as u64);
        let each = settings.vertices.bytes() * u64::from(self.figure.cage_size[0]);
        (most / each.max(1)).min(u64::from(limits.max_compute_workgroups_per_dimension)) as u32
    }

    /// How many of so many triangles each are drawn at most where levels are pinned: there is no budget then, but there is an end.
    pub(crate) fn most_pinned(&self, triangles: u32) -> u32 {
        PINNED.checked_div(triangles).unwrap_or(u32::MAX)
    }

    /// How finely pinned close-ups are cut, if there are so many: it depends on who is there, and not on who is seen.
    pub(crate) fn pinned_fineness(&self, count: u32, finest: u32) -> u32 {
        let most = self.most_pinned(self.triangles()[CLOSE]);
        (0..=finest).rev().find(|k| count.max(1) <= most >> (2 * k)).unwrap_or(0)
    }

    /// Makes room for so many agents, of whom so many may be skinned, and tells the shaders what lists are drawn with.
    pub(crate) fn prepare(&mut self, number: u32, (agents, slots): (u64, u32), shares: bool, settings: &Settings) {
        let storage = BufferUsages::STORAGE;
        if self.members.size() < 4 * agents * (1 + CASCADES as u64) {
            self.blocks = buffer(&self.gpu, "blocks", 4 * LISTS as u64 * agents.div_ceil(256), storage);
            // The camera's lists hold everybody once, each shadow map everybody once more.
            self.members = buffer(&self.gpu, "members", 4 * agents * (1 + CASCADES as u64), storage);
        }
        let bytes = settings.vertices.bytes() * u64::from(self.figure.cage_size[0]) * u64::from(slots);
        // Whoever looked at everybody's full mesh for a while does not keep the memory.
        if self.skinned.size() < bytes || self.skinned.size() / 2 > bytes {
            self.skinned = buffer(&self.gpu, "skinned", bytes, storage);
        }
        let faces = &self.figure.faces;
        let shown = |list: usize| match list {
            SKINNED_CASTERS..CASTERS => self.figure.caster,
            CASTERS..SMALL_CASTERS => faces[CAST[list - CASTERS]],
            _ => faces[MESHES - 1],
        };
        let triangles = self.triangles();
        let of_list = std::array::from_fn(|list| {
            let most = |triangles: u32| settings.pinned.map_or(u32::MAX, |_| self.most_pinned(triangles));
            match list {
                FULL..IMPOSTOR => [self.figure.pieces[list - FULL], 1, triangles[list], most(triangles[list])],
                IMPOSTOR => [1, small::PICTURES, triangles[list], most(triangles[list])],
                0..LEVELS => [0, 1, triangles[list], most(triangles[list])],
                _ => {
                    let range = shown(list);
                    [range.count, range.first, range.triangles, most(range.triangles)]
                }
            }
        });
        let mut begins = [[0; 4]; 2];
        for (k, bin) in budget::begins().into_iter().enumerate() {
            begins[k / 4][k % 4] = bin;
        }
        let meshes = Meshes {
            of_list,
            patches: std::array::from_fn(|k| [workgroups(k, self.figure.cage_size[1]), 0, 0, 0]),
            begins,
            figure: number,
            slots,
            shares: u32::from(shares),
            least_caster: budget::LEAST_CASTER,
        };
        self.gpu.queue().write_buffer(&self.meshes, 0, bytemuck::bytes_of(&meshes));
    }

    /// Triangles of a member of each level.
    pub(crate) fn triangles(&self) -> [u32; LEVELS] {
        let [full, one, two, three] = self.figure.faces.map(|f| f.triangles);
        [full, full, one, two, three, small::TRIANGLES, 0]
    }

    /// Triangles of whoever casts a shadow.
    pub(crate) fn casters(&self) -> Casters {
        let each = CAST.map(|mesh| self.figure.faces[mesh].triangles);
        let full = each.iter().fold(self.figure.caster.triangles, |a, &b| a.max(b));
        Casters { full, each, small: self.figure.faces[MESHES - 1].triangles }
    }

    /// Triangles that were drawn, if lists have so many members and edges of close-ups were cut into so many pieces.
    pub(crate) fn drawn(&self, counts: &[u32; LISTS], cut: u32) -> u64 {
        let each = |list: usize| match list {
            0..LEVELS => self.triangles()[list],
            SKINNED_CASTERS..CASTERS => self.figure.caster.triangles,
            CASTERS..SMALL_CASTERS => self.figure.faces[CAST[list - CASTERS]].triangles,
            _ => self.figure.faces[MESHES - 1].triangles,
        };
        let all = (0..LISTS).map(|list| u64::from(counts[list]) * u64::from(each(list)));
        let finer = u64::from(counts[CLOSE]) * u64::from(self.triangles()[CLOSE]) * u64::from(cut * cut - 1);
        all.sum::<u64>() + finer
    }
}
