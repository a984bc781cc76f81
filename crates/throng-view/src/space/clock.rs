//! How long each pass of a frame takes on the device, and how much it drew: read back later, for people alone.

use super::actors::Actors;
use super::budget::{BINS, Limits, Wanted};
use super::crowd::{Crowd, FIGURES};
use super::levels::{CASTERS, CLOSE, LEVELS, LISTS, SKINNED_CASTERS, SMALL_CASTERS};
use super::shadow::CASCADES;
use crate::draw::memory::buffer;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};
use throng::engine::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

/// The passes of a frame, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// What lies on the ground, and everybody gathered.
    Gather,
    /// What is draped over the ground.
    Drape,
    /// Ground and walls, depth alone.
    Depth,
    /// The pyramid of depths.
    Pyramid,
    /// Who is drawn, and how.
    Decide,
    /// Those who are near, skinned.
    Skin,
    /// Shadow maps.
    Shadows,
    /// Sums of those who are far away.
    Far,
    /// Agents, sample by sample.
    Agents,
    /// The picture: what is not agents, and all of it as a screen shows it.
    Main,
}

impl Pass {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Gather,
        Self::Drape,
        Self::Depth,
        Self::Pyramid,
        Self::Decide,
        Self::Skin,
        Self::Shadows,
        Self::Far,
        Self::Agents,
        Self::Main,
    ];

    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gather => "gather",
            Self::Drape => "drape",
            Self::Depth => "depth",
            Self::Pyramid => "pyramid",
            Self::Decide => "decide",
            Self::Skin => "skin",
            Self::Shadows => "shadows",
            Self::Far => "far",
            Self::Agents => "agents",
            Self::Main => "main",
        }
    }
}

const MARKS: u32 = 2 * Pass::ALL.len() as u32;

/// What is known of a frame that was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Agents drawn at each level of detail.
    pub levels: [u32; LEVELS],
    /// Edges of close-ups are cut into so many pieces.
    pub cut: u32,
    /// Agents in each shadow map.
    pub casters: [u32; CASCADES],
    /// Triangles of agents, those in shadow maps counted in.
    pub triangles: u64,
    /// Those of them in shadow maps.
    pub in_shadows: u64,
    /// What would have been drawn if triangles had no limit; with a level pinned there is none.
    pub wanted: Wanted,
    /// Time of each pass, ms, where the device can tell.
    pub passes_ms: Option<[f64; Pass::ALL.len()]>,
}

/// Notes times and numbers of frames.
#[derive(Debug)]
pub(crate) struct Clock {
    set: Option<wgpu::QuerySet>,
    resolved: Buffer,
    read: Buffer,
    /// 0 free, 1 copied to, 2 being mapped, 3 mapped.
    state: Arc<AtomicU8>,
    /// A bit for each pass of the noted frame that was there: of the others times are old.
    there: AtomicU16,
    /// What the noted frame had to keep to, unless a level was pinned.
    limits: Option<Limits>,
    period: f64,
}

/// Words that are kept of each figure's lists: where they begin, how many they have, how finely close-ups are cut.
const WORDS: usize = 2 * LISTS + 1;
const COUNTS: u64 = 4 * (WORDS * FIGURES).next_multiple_of(2) as u64;
/// How many are in each bin: of the picture, then of each shadow map.
const BINNED: u64 = 4 * (BINS * (1 + CASCADES)) as u64;
const TIMES: u64 = 8 * MARKS as u64;

impl Clock {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let device = gpu.device();
        let timed = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Self {
            set: timed.then(|| {
                device.create_query_set(&wgpu::QuerySetDescriptor {
                    label: Some("passes"),
                    ty: wgpu::QueryType::Timestamp,
                    count: MARKS,
                })
            }),
            resolved: buffer(gpu, "pass times", TIMES, BufferUsages::QUERY_RESOLVE),
            read: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("report"),
                size: COUNTS + BINNED + TIMES,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            state: Arc::new(AtomicU8::new(0)),
            there: AtomicU16::new(0),
            limits: None,
            period: f64::from(gpu.queue().get_timestamp_period()),
        }
    }

    /// Where a compute pass notes its times.
    pub(crate) fn of_compute(&self, pass: Pass) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        self.of_last_compute(pass, true)
    }

    /// Where the last of several that belong together does, which may be the first, too.
    pub(crate) fn of_last_compute(&self, pass: Pass, first: bool) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        self.set.as_ref().map(|query_set| wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: first.then_some(2 * pass as u32),
            end_of_pass_write_index: Some(2 * pass as u32 + 1),
        })
    }

    /// Where a render pass notes its times; of several that belong together the first begins and the last ends.
    pub(crate) fn of_render(&self, pass: Pass, first: bool, last: bool) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let query_set = self.set.as_ref().filter(|_| first || last)?;
        Some(wgpu::RenderPassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: first.then_some(2 * pass as u32),
            end_of_pass_write_index: last.then_some(2 * pass as u32 + 1),
        })
    }

    /// At the end of a frame, if the numbers of the one before are taken; some passes may have been left out. `limits` is what the
    /// frame had to keep to, unless a level was pinned.
    pub(crate) fn note(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        crowd: &Crowd,
        limits: Option<Limits>,
        without: &[Pass],
    ) {
        if self.state.load(Ordering::Acquire) != 0 {
            return;
        }
        let words = 4 * WORDS as u64;
        for (k, actors) in (0..).zip(&crowd.actors) {
            encoder.copy_buffer_to_buffer(&actors.starts, 0, &self.read, k * words, words);
        }
        encoder.copy_buffer_to_buffer(&crowd.bins, 0, &self.read, COUNTS, BINNED);
        if let Some(set) = &self.set {
            encoder.resolve_query_set(set, 0..MARKS, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, COUNTS + BINNED, TIMES);
        }
        let there = Pass::ALL.iter().filter(|p| !without.contains(p)).fold(0, |bits, &p| bits | 1 << p as u8);
        self.there.store(there, Ordering::Release);
        self.limits = limits;
        self.state.store(1, Ordering::Release);
    }

    /// What is known by now; with `wait` when the device has told it.
    pub(crate) fn take(&self, gpu: &Gpu, actors: &[Actors], wait: bool) -> Option<Report> {
        if self.state.load(Ordering::Acquire) == 1 {
            self.state.store(2, Ordering::Release);
            let state = Arc::clone(&self.state);
            // If it fails nothing is ever told: a device that has failed says so elsewhere.
            self.read.slice(..).map_async(wgpu::MapMode::Read, move |done| {
                if done.is_ok() {
                    state.store(3, Ordering::Release);
                }
            });
        }
        let how = if wait { wgpu::PollType::wait_indefinitely() } else { wgpu::PollType::Poll };
        gpu.device().poll(how).ok()?;
        if self.state.load(Ordering::Acquire) != 3 {
            return None;
        }
        let bytes = self.read.slice(..).get_mapped_range().ok()?.to_vec();
        self.read.unmap();
        self.state.store(0, Ordering::Release);
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[..COUNTS as usize]);
        let bins: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[COUNTS as usize..(COUNTS + BINNED) as usize]);
        let marks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes[(COUNTS + BINNED) as usize..]);
        let there = self.there.load(Ordering::Acquire);
        let took = |k: usize| match there >> k & 1 {
            0 => 0.0,
            _ => marks[2 * k + 1].saturating_sub(marks[2 * k]) as f64 * self.period * 1e-6,
        };
        let mut report = Report {
            passes_ms: self.set.is_some().then(|| std::array::from_fn(took)),
            cut: words[2 * LISTS],
            ..Report::default()
        };
        for (actors, words) in actors.iter().zip(words.chunks_exact(WORDS)) {
            let counts: [u32; LISTS] = std::array::from_fn(|list| words[LISTS + list]);
            for (sum, count) in report.levels.iter_mut().zip(counts) {
                *sum += count;
            }
            for (k, sum) in report.casters.iter_mut().enumerate() {
                *sum += counts[SKINNED_CASTERS + k] + counts[CASTERS + k] + counts[SMALL_CASTERS + k];
            }
            report.triangles += actors.drawn(&counts, report.cut);
            let mut casting = counts;
            casting[..LEVELS].fill(0);
            report.in_shadows += actors.drawn(&casting, report.cut);
        }
        if report.levels[CLOSE] == 0 {
            report.cut = 0;
        }
        let (bins, _) = bins.as_chunks::<BINS>();
        report.wanted = match (&self.limits, bins) {
            (Some(limits), [seen, casting @ ..]) => limits.wanted(seen, casting),
            _ => Wanted {
                levels: report.levels,
                cut: report.cut,
                triangles: report.triangles,
                in_shadows: report.in_shadows,
            },
        };
        Some(report)
    }
}
