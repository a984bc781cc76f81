//! How long a frame takes on the device.

use super::Painter;
use super::memory::buffer;
use throng::engine::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

/// When preparing began; when the picture ended; when preparing ended; when the picture began.
const MARKS: u32 = 4;
const BYTES: u64 = 8 * MARKS as u64;

/// What a frame took, ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTimes {
    /// Preparing alone.
    pub preparing: f64,
    /// The pass into the picture alone.
    pub picture: f64,
    /// From the beginning of the one to the end of the other, with what others did in between.
    pub all: f64,
}

/// Where a device notes when a frame began and ended.
#[derive(Debug)]
pub(super) struct Queries {
    pub(super) set: wgpu::QuerySet,
    resolved: Buffer,
    read: Buffer,
}

impl Queries {
    /// If the device can tell times.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        let device = gpu.device();
        let timed = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        timed.then(|| Self {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame"),
                ty: wgpu::QueryType::Timestamp,
                count: MARKS,
            }),
            resolved: buffer(gpu, "frame times", BYTES, BufferUsages::QUERY_RESOLVE),
            read: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame times"),
                size: BYTES,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        })
    }
}

impl Painter {
    /// When preparing begins and ends.
    pub(super) fn of_preparing(&self) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        self.queries.as_ref().map(|q| wgpu::ComputePassTimestampWrites {
            query_set: &q.set,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(2),
        })
    }

    /// The render pass's timestamps: pass this on so that [`Painter::frame_ms`] knows when drawing ended.
    #[must_use]
    pub fn end_of_frame(&self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.queries.as_ref().map(|q| wgpu::RenderPassTimestampWrites {
            query_set: &q.set,
            beginning_of_pass_write_index: Some(3),
            end_of_pass_write_index: Some(1),
        })
    }

    /// After the render pass, where times are wanted.
    pub fn note_times(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(q) = &self.queries {
            encoder.resolve_query_set(&q.set, 0..MARKS, &q.resolved, 0);
            encoder.copy_buffer_to_buffer(&q.resolved, 0, &q.read, 0, BYTES);
        }
    }

    /// How long the GPU took for the frame that [`Painter::note_times`] noted, ms. Waits for it.
    #[must_use]
    pub fn frame_ms(&self) -> Option<f64> {
        self.frame_times().map(|times| times.all)
    }

    /// The same, with what of it preparing and the picture took.
    #[must_use]
    pub fn frame_times(&self) -> Option<FrameTimes> {
        let q = self.queries.as_ref()?;
        q.read.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.gpu.device().poll(wgpu::PollType::wait_indefinitely()).ok()?;
        let bytes = q.read.slice(..).get_mapped_range().ok()?.to_vec();
        q.read.unmap();
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        let period = f64::from(self.gpu.queue().get_timestamp_period()) * 1e-6;
        let ms = |from: usize, to: usize| ticks[to].saturating_sub(ticks[from]) as f64 * period;
        Some(FrameTimes { preparing: ms(0, 2), picture: ms(3, 1), all: ms(0, 1) })
    }
}
