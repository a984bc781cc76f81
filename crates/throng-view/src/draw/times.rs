//! How long a frame takes on the device.

use super::Painter;
use super::memory::buffer;
use throng::engine::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

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
                count: 2,
            }),
            resolved: buffer(gpu, "frame times", 16, BufferUsages::QUERY_RESOLVE),
            read: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame times"),
                size: 16,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        })
    }
}

impl Painter {
    /// The render pass's last timestamp: pass this on so that [`Painter::frame_ms`] knows when drawing ended.
    #[must_use]
    pub fn end_of_frame(&self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.queries.as_ref().map(|q| wgpu::RenderPassTimestampWrites {
            query_set: &q.set,
            beginning_of_pass_write_index: None,
            end_of_pass_write_index: Some(1),
        })
    }

    /// After the render pass, where times are wanted.
    pub fn note_times(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(q) = &self.queries {
            encoder.resolve_query_set(&q.set, 0..2, &q.resolved, 0);
            encoder.copy_buffer_to_buffer(&q.resolved, 0, &q.read, 0, 16);
        }
    }

    /// How long the GPU took for the frame that [`Painter::note_times`] noted, ms. Waits for it.
    #[must_use]
    pub fn frame_ms(&self) -> Option<f64> {
        let q = self.queries.as_ref()?;
        q.read.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        self.gpu.device().poll(wgpu::PollType::wait_indefinitely()).ok()?;
        let bytes = q.read.slice(..).get_mapped_range().ok()?.to_vec();
        q.read.unmap();
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        Some(ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.gpu.queue().get_timestamp_period()) * 1e-6)
    }
}
