//! What a card can draw: vertices, triangles and shaded pixels a second, as plain as they can be. Budgets follow from it.
//!
//! `cargo run --release -p throng-view --example card -- [NAME]`

use std::time::Instant;
use throng::engine::gpu::{Gpu, devices};

const SIZE: u32 = 1024;
const SAMPLES: u32 = 4;

/// Vertices that make no triangle; triangles of about a pixel; triangles over the whole picture, with some arithmetic a pixel.
const SHADER: &str = "
@vertex fn nowhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v & 7u) + 2.0, 2.0, 0.5, 1.0);
}
@vertex fn tiny(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    let t = v / 3u;
    let at = vec2<f32>(f32((t * 7u) & 1023u), f32((t >> 7u) & 1023u)) + vec2<f32>(f32(v % 3u & 1u), f32(v % 3u >> 1u)) * 1.5;
    return vec4<f32>(at / 512.0 - 1.0, 0.5, 1.0);
}
@vertex fn whole(@builtin(vertex_index) v: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(v % 3u & 1u) * 4.0 - 1.0, f32(v % 3u >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}
@fragment fn plain() -> @location(0) vec4<f32> { return vec4<f32>(0.5); }
@fragment fn shaded(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    var sum = 0.0;
    for (var k = 0; k < 16; k++) { sum += sin(at.x * 0.01 + f32(k)) * cos(at.y * 0.01 - f32(k)); }
    return vec4<f32>(sum);
}
";

struct Card {
    gpu: Gpu,
    shader: wgpu::ShaderModule,
    target: wgpu::TextureView,
}

impl Card {
    fn open(name: &str) -> anyhow::Result<Self> {
        let gpu = Gpu::open(Some(name))?;
        let source = wgpu::ShaderSource::Wgsl(SHADER.into());
        let shader = gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: SAMPLES,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        Ok(Self { target: texture.create_view(&wgpu::TextureViewDescriptor::default()), gpu, shader })
    }

    /// Seconds that drawing so many vertices takes: the best of several.
    fn time(&self, vertex: &str, fragment: &str, vertices: u32) -> anyhow::Result<f64> {
        let device = self.gpu.device();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &self.shader,
                entry_point: Some(vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState { count: SAMPLES, ..wgpu::MultisampleState::default() },
            fragment: Some(wgpu::FragmentState {
                module: &self.shader,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::TextureFormat::Rgba16Float.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let mut best = f64::INFINITY;
        for _ in 0..6 {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            {
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &self.target,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations {
                            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                            store: wgpu::StoreOp::Store,
                        },
                    })],
                    ..wgpu::RenderPassDescriptor::default()
                });
                pass.set_pipeline(&pipeline);
                pass.draw(0..vertices, 0..1);
            }
            let began = Instant::now();
            self.gpu.queue().submit([encoder.finish()]);
            device.poll(wgpu::PollType::wait_indefinitely())?;
            best = best.min(began.elapsed().as_secs_f64());
        }
        Ok(best)
    }

    /// How much of something is drawn in a second: as much at once as takes a twentieth of one.
    fn rate(&self, vertex: &str, fragment: &str, per_vertex: f64) -> anyhow::Result<f64> {
        let mut vertices = 3 * 64;
        loop {
            let seconds = self.time(vertex, fragment, vertices)?;
            if seconds > 0.05 || vertices > 1 << 30 {
                return Ok(f64::from(vertices) * per_vertex / seconds);
            }
            vertices *= 2;
        }
    }
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> anyhow::Result<()> {
    let best = devices().into_iter().next().ok_or_else(|| anyhow::anyhow!("there is nothing to draw with"))?;
    let name = std::env::args().nth(1).unwrap_or(best.name);
    let card = Card::open(&name)?;
    let pixels = f64::from(SIZE) * f64::from(SIZE);
    let rates = [
        ("vertices that make no triangle", card.rate("nowhere", "plain", 1.0)?),
        ("triangles of about a pixel", card.rate("tiny", "plain", 1.0 / 3.0)?),
        ("pixels, plain", card.rate("whole", "plain", pixels / 3.0)?),
        ("pixels, with 32 sines", card.rate("whole", "shaded", pixels / 3.0)?),
    ];
    println!("{}, into {SIZE} × {SIZE} pixels of {SAMPLES} samples of Rgba16Float, a second:", card.gpu.info().name);
    for (what, rate) in rates {
        println!("  {what:<32} {:>9.1} million", rate * 1e-6);
    }
    Ok(())
}
