//! Shaders on a device: pipelines and bindings from their texts.
//!
//! A shader names the buffers that it wants (`@group(0) @binding(n) var<storage, …> NAME`), and gets the engine's buffer
//! of that name: the texts are the only list of bindings.

use super::device::Gpu;
use super::kernels::{Shader, text};
use super::variant::Variant;

/// A buffer that a shader asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    binding: u32,
    pub(super) name: String,
    kind: wgpu::BufferBindingType,
}

/// The buffers that a text asks for.
pub(super) fn wanted(text: &str) -> Vec<Wanted> {
    text.lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("@group(0) @binding(")?;
            let (binding, rest) = rest.split_once(')')?;
            let rest = rest.trim().strip_prefix("var<")?;
            let (space, rest) = rest.split_once('>')?;
            let name = rest.split_once(':')?.0.trim().to_owned();
            let kind = match space {
                "uniform" => wgpu::BufferBindingType::Uniform,
                "storage, read" => wgpu::BufferBindingType::Storage { read_only: true },
                _ => wgpu::BufferBindingType::Storage { read_only: false },
            };
            Some(Wanted { binding: binding.parse().ok()?, name, kind })
        })
        .collect()
}

/// One shader on a device.
#[derive(Debug)]
pub(crate) struct Program {
    name: &'static str,
    module: wgpu::ShaderModule,
    wanted: Vec<Wanted>,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
}

/// The layout of the second group of bindings: what differs between dispatches.
pub(crate) fn round_layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("round"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: wgpu::BufferSize::new(16),
            },
            count: None,
        }],
    })
}

impl Program {
    pub(crate) fn new(gpu: &Gpu, shader: Shader, variant: Variant, round: &wgpu::BindGroupLayout) -> Self {
        let (name, text) = (shader.name(), text(shader, variant));
        let wanted = wanted(&text);
        let with_round = text.contains("@group(1)");
        let descriptor =
            wgpu::ShaderModuleDescriptor { label: Some(name), source: wgpu::ShaderSource::Wgsl(text.into()) };
        let module = if cfg!(debug_assertions) {
            // Tests run with every check in place.
            gpu.device.create_shader_module(descriptor)
        } else {
            // SAFETY: every loop of these shaders ends (counted, or over a finite list), and every index is a cell, an item
            // or an agent within the buffers that were made for them; tests run the same shaders with checks.
            #[expect(
                unsafe_code,
                reason = "no checks in the solver's inner loop; what they cost alone was not measured"
            )]
            unsafe {
                gpu.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
            }
        };
        let entries: Vec<_> = wanted
            .iter()
            .map(|w| wgpu::BindGroupLayoutEntry {
                binding: w.binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer { ty: w.kind, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            })
            .collect();
        let layout = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries });
        let mut groups = vec![Some(&layout)];
        if with_round {
            groups.push(Some(round));
        }
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        Self { name, module, wanted, layout, pipeline_layout }
    }

    /// A kernel of the shader, with values for its constants.
    pub(crate) fn kernel(&self, gpu: &Gpu, entry: &str, constants: &[(&str, f64)]) -> wgpu::ComputePipeline {
        gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&self.pipeline_layout),
            module: &self.module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                // Every shader writes its workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    }

    /// The buffers that it asks for, by name.
    pub(crate) fn bind<'a>(&self, gpu: &Gpu, buffer: impl Fn(&str) -> &'a wgpu::Buffer) -> wgpu::BindGroup {
        let entries: Vec<_> = self
            .wanted
            .iter()
            .map(|w| wgpu::BindGroupEntry { binding: w.binding, resource: buffer(&w.name).as_entire_binding() })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.name),
            layout: &self.layout,
            entries: &entries,
        })
    }
}
