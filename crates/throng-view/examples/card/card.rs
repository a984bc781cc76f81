//! A device, and how long it takes for so much of something.

use crate::resources::Resources;
use anyhow::Context;
use std::time::{Duration, Instant};
use throng::engine::gpu::Gpu;
use wgpu::{BufferUsages, PrimitiveTopology};

/// Of what is drawn into.
pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// As much is done at once as takes about so long.
const WANTED: f64 = 0.02;
/// And so often: the fastest counts.
const REPEATS: u32 = 4;
/// No row goes on for longer.
const MOST: Duration = Duration::from_secs(2);

/// How vertices come.
#[derive(Clone, Copy)]
pub(crate) enum Mesh<'a> {
    /// So many vertices for each piece of work, all of one instance.
    Vertices(u32),
    /// So many of each instance, as a list or a strip; an instance is a piece.
    Instances(u32, PrimitiveTopology),
    /// Indices of each instance.
    Indexed(&'a wgpu::Buffer),
}

/// What is done.
#[derive(Clone, Copy)]
pub(crate) enum Work<'a> {
    Draw {
        vertex: &'a str,
        fragment: &'a str,
        samples: u32,
        cull: Option<wgpu::Face>,
        mesh: Mesh<'a>,
        constants: &'a [(&'a str, f64)],
    },
    /// A piece is a thread a pixel.
    Compute { kernel: &'a str },
}

enum Pipeline {
    Draw(wgpu::RenderPipeline),
    Compute(wgpu::ComputePipeline),
}

struct Clock {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

pub(crate) struct Card {
    pub(crate) gpu: Gpu,
    /// Side of the picture, px.
    pub(crate) side: u32,
    shader: wgpu::ShaderModule,
    resources: Resources,
    /// Of one sample and of four.
    targets: [wgpu::TextureView; 2],
    clock: Option<Clock>,
}

/// Pieces of work, and how long they took, s.
#[derive(Clone, Copy)]
pub(crate) struct Took {
    pub(crate) pieces: u32,
    pub(crate) seconds: f64,
}

impl Card {
    pub(crate) fn open(name: &str) -> anyhow::Result<Self> {
        let gpu = Gpu::open(Some(name))?;
        let device = gpu.device();
        let side = if gpu.is_software() { 256 } else { 1024 };
        let source = wgpu::ShaderSource::Wgsl(include_str!("card.wgsl").into());
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("card"), source });
        let targets = [1, 4].map(|sample_count| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        });
        // Software computes after it has noted the times of compute passes.
        let timed = device.features().contains(wgpu::Features::TIMESTAMP_QUERY) && !gpu.is_software();
        let clock = timed.then(|| Clock {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: small(device, BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC),
            read: small(device, BufferUsages::MAP_READ | BufferUsages::COPY_DST),
        });
        let resources = Resources::new(&gpu, &shader, side);
        Ok(Self { side, shader, resources, targets, clock, gpu })
    }

    /// What times are told by.
    pub(crate) fn told_by(&self) -> &'static str {
        if self.clock.is_some() { "GPU timestamps" } else { "wall time" }
    }

    /// Pixels of the picture.
    pub(crate) fn pixels(&self) -> f64 {
        f64::from(self.side) * f64::from(self.side)
    }

    /// How long as much takes as the device does in a moment; never more than so many pieces.
    pub(crate) fn measure(&self, work: &Work<'_>, most: u32) -> anyhow::Result<Took> {
        let pipeline = self.pipeline(work);
        let group = self.bound(&pipeline, work);
        let began = Instant::now();
        // Once for what a driver puts off until something is drawn.
        self.once(work, &pipeline, group.as_ref(), 1)?;
        let mut took = Took { pieces: 1, seconds: self.once(work, &pipeline, group.as_ref(), 1)? };
        while took.seconds < 0.5 * WANTED && took.pieces < most && began.elapsed() < MOST {
            let more = (WANTED / took.seconds.max(1e-6)).clamp(2.0, 16.0) as u32;
            took.pieces = took.pieces.saturating_mul(more).min(most);
            took.seconds = self.once(work, &pipeline, group.as_ref(), took.pieces)?;
        }
        for _ in 0..REPEATS {
            if began.elapsed() < MOST {
                took.seconds = took.seconds.min(self.once(work, &pipeline, group.as_ref(), took.pieces)?);
            }
        }
        Ok(took)
    }

    fn pipeline(&self, work: &Work<'_>) -> Pipeline {
        let device = self.gpu.device();
        let side = [("SIDE", f64::from(self.side))];
        match *work {
            Work::Draw { vertex, fragment, samples, cull, mesh, constants } => {
                let constants: Vec<(&str, f64)> = side.iter().chain(constants).copied().collect();
                let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
                let topology = match mesh {
                    Mesh::Instances(_, topology) => topology,
                    _ => PrimitiveTopology::TriangleList,
                };
                Pipeline::Draw(device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(vertex),
                    layout: None,
                    vertex: wgpu::VertexState {
                        module: &self.shader,
                        entry_point: Some(vertex),
                        compilation_options: options.clone(),
                        buffers: &[],
                    },
                    primitive: wgpu::PrimitiveState { topology, cull_mode: cull, ..Default::default() },
                    depth_stencil: None,
                    multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
                    fragment: Some(wgpu::FragmentState {
                        module: &self.shader,
                        entry_point: Some(fragment),
                        compilation_options: options,
                        targets: &[Some(FORMAT.into())],
                    }),
                    multiview_mask: None,
                    cache: None,
                }))
            }
            Work::Compute { kernel } => {
                let options = wgpu::PipelineCompilationOptions { constants: &side, ..Default::default() };
                Pipeline::Compute(device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some(kernel),
                    layout: None,
                    module: &self.shader,
                    entry_point: Some(kernel),
                    compilation_options: options,
                    cache: None,
                }))
            }
        }
    }

    /// What the shader reads, if it reads anything.
    fn bound(&self, pipeline: &Pipeline, work: &Work<'_>) -> Option<wgpu::BindGroup> {
        let entry = match *work {
            Work::Draw { fragment, .. } => fragment,
            Work::Compute { kernel } => kernel,
        };
        let entries = self.resources.of(entry)?;
        let layout = match pipeline {
            Pipeline::Draw(p) => p.get_bind_group_layout(0),
            Pipeline::Compute(p) => p.get_bind_group_layout(0),
        };
        let device = self.gpu.device();
        Some(device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries }))
    }

    /// Seconds for so many pieces.
    fn once(
        &self,
        work: &Work<'_>,
        pipeline: &Pipeline,
        group: Option<&wgpu::BindGroup>,
        pieces: u32,
    ) -> anyhow::Result<f64> {
        let device = self.gpu.device();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        match (pipeline, *work) {
            (Pipeline::Draw(pipeline), Work::Draw { samples, mesh, .. }) => {
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &self.targets[usize::from(samples > 1)],
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations {
                            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                            store: wgpu::StoreOp::Store,
                        },
                    })],
                    timestamp_writes: self.clock.as_ref().map(|clock| wgpu::RenderPassTimestampWrites {
                        query_set: &clock.set,
                        beginning_of_pass_write_index: Some(0),
                        end_of_pass_write_index: Some(1),
                    }),
                    ..wgpu::RenderPassDescriptor::default()
                });
                pass.set_pipeline(pipeline);
                if let Some(group) = group {
                    pass.set_bind_group(0, group, &[]);
                }
                match mesh {
                    Mesh::Vertices(each) => pass.draw(0..each.saturating_mul(pieces), 0..1),
                    Mesh::Instances(each, _) => pass.draw(0..each, 0..pieces),
                    Mesh::Indexed(indices) => {
                        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                        pass.draw_indexed(0..(indices.size() / 4) as u32, 0, 0..pieces);
                    }
                }
            }
            (Pipeline::Compute(pipeline), _) => {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: None,
                    timestamp_writes: self.clock.as_ref().map(|clock| wgpu::ComputePassTimestampWrites {
                        query_set: &clock.set,
                        beginning_of_pass_write_index: Some(0),
                        end_of_pass_write_index: Some(1),
                    }),
                });
                pass.set_pipeline(pipeline);
                if let Some(group) = group {
                    pass.set_bind_group(0, group, &[]);
                }
                pass.dispatch_workgroups(self.side * self.side / 64, pieces, 1);
            }
            (Pipeline::Draw(_), Work::Compute { .. }) => anyhow::bail!("a kernel is not drawn with"),
        }
        if let Some(clock) = &self.clock {
            encoder.resolve_query_set(&clock.set, 0..2, &clock.resolved, 0);
            encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.read, 0, 16);
        }
        let began = Instant::now();
        self.gpu.queue().submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let wall = began.elapsed().as_secs_f64();
        if let Some(why) = self.gpu.trouble() {
            anyhow::bail!("{} has failed: {why}", self.gpu.info().name);
        }
        let Some(clock) = &self.clock else { return Ok(wall) };
        clock.read.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let bytes = clock.read.slice(..).get_mapped_range().context("times do not come back")?.to_vec();
        clock.read.unmap();
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        Ok(ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.gpu.queue().get_timestamp_period()) * 1e-9)
    }
}

/// A buffer of two times.
fn small(device: &wgpu::Device, usage: BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some("times"), size: 16, usage, mapped_at_creation: false })
}
