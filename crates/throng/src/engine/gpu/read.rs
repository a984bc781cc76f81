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
                let size = size.min(buffer.size() - offset).next_multiple_of(4);
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
        loop {
            let poll = if wait {
                wgpu::PollType::Wait { submission_index: Some(self.submission.clone()), timeout: None }
            } else {
                wgpu::PollType::Poll
            };
            if gpu.device.poll(poll).is_err() && gpu.trouble().is_some() {
                return None;
            }
            if self.failed.load(Ordering::Acquire) != 0 {
                // Nothing that was asked for can be had any more.
                gpu.note("a result could not be read back".into());
                return None;
            }
            if self.arrived.load(Ordering::Acquire) as usize == self.parts.len() {
                break;
            }
            if !wait || gpu.trouble().is_some() {
                return None;
            }
            // The work is done, but somebody else who polls the same device is about to tell us so.
            std::thread::yield_now();
        }
        self.parts.iter().map(|p| p.slice(..).get_mapped_range().ok().map(|view| view.to_vec())).collect()
    }
}

/// Bytes read plus written per second by a plain copy kernel on the device, in GB/s: the best of several.
#[must_use]
pub fn copy_speed(gpu: &Gpu) -> f64 {
    const TIMES: u32 = 20;
    const TEXT: &str = "
        @group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
        @group(0) @binding(1) var<storage, read_write> target_: array<vec4<f32>>;
        @compute @workgroup_size(256)
        fn copy(@builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>,
                @builtin(local_invocation_index) lane: u32) {
            let i = (g.y * n.x + g.x) * 256u + lane;
            if (i < arrayLength(&source)) { target_[i] = source[i]; }
        }";
    // Far more than a cache holds.
    let most = if gpu.is_software() { 64 << 20 } else { 1 << 30 };
    let size = gpu.largest_binding().min(most).min(gpu.memory.unwrap_or(u64::MAX) / 8);
    let buffer = || {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy"),
            size,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(TEXT.into()),
    });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("copy"),
        layout: None,
        module: &module,
        entry_point: Some("copy"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let (from, to) = (buffer(), buffer());
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: from.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: to.as_entire_binding() },
        ],
    });
    let groups = (size / 16).div_ceil(256);
    let rows = groups.div_ceil(32_768);
    let mut best = 0.0f64;
    for _ in 0..4 {
        let start = std::time::Instant::now();
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        for _ in 0..TIMES {
            pass.dispatch_workgroups(groups.div_ceil(rows) as u32, rows as u32, 1);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        if gpu.device.poll(wgpu::PollType::wait_indefinitely()).is_err() {
            return 0.0;
        }
        best = best.max(2.0 * size as f64 * f64::from(TIMES) / start.elapsed().as_secs_f64() / 1e9);
    }
    best
}
