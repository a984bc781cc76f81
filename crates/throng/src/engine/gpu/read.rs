//! Reading back without waiting: copies into buffers of the host, mapped when they have arrived.

use super::device::Gpu;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Something on its way back.
#[derive(Debug)]
pub(crate) struct Reading {
    parts: Vec<wgpu::Buffer>,
    /// Parts that have arrived; a failed one counts as arrived, and the device's trouble tells.
    arrived: Arc<AtomicU32>,
    failed: Arc<AtomicU32>,
    submission: wgpu::SubmissionIndex,
}

impl Reading {
    /// Asks for pieces of buffers, as they are after everything submitted so far.
    pub(crate) fn of(gpu: &Gpu, pieces: &[(&wgpu::Buffer, u64, u64)]) -> Self {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let parts: Vec<wgpu::Buffer> = pieces
            .iter()
            .map(|&(buffer, offset, size)| {
                let size = size.next_multiple_of(4).min(buffer.size() - offset);
                let part = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("reading"),
                    size: size.max(4),
                    usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                });
                if size > 0 {
                    encoder.copy_buffer_to_buffer(buffer, offset, &part, 0, size);
                }
                part
            })
            .collect();
        let submission = gpu.queue.submit([encoder.finish()]);
        let (arrived, failed) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        for part in &parts {
            let (arrived, failed) = (Arc::clone(&arrived), Arc::clone(&failed));
            part.slice(..).map_async(wgpu::MapMode::Read, move |result| {
                if result.is_err() {
                    failed.store(1, Ordering::Release);
                }
                arrived.fetch_add(1, Ordering::Release);
            });
        }
        Self { parts, arrived, failed, submission }
    }

    /// The bytes, if they are there; or after waiting. `None` also when the device has failed.
    pub(crate) fn bytes(&self, gpu: &Gpu, wait: bool) -> Option<Vec<Vec<u8>>> {
        let poll = if wait {
            wgpu::PollType::Wait { submission_index: Some(self.submission.clone()), timeout: None }
        } else {
            wgpu::PollType::Poll
        };
        if gpu.device.poll(poll).is_err() && gpu.trouble().is_some() {
            return None;
        }
        if (self.arrived.load(Ordering::Acquire) as usize) < self.parts.len()
            || self.failed.load(Ordering::Acquire) != 0
        {
            return None;
        }
        self.parts.iter().map(|p| p.slice(..).get_mapped_range().ok().map(|view| view.to_vec())).collect()
    }
}
