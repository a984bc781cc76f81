//! Shaders and what they are bound to.

use wgpu::{
    BindGroup, BindGroupEntry, BindGroupLayout, BindGroupLayoutEntry, BindingResource, BindingType, BlendState, Buffer,
    BufferBindingType, ComputePipeline, Device, RenderPipeline, SamplerBindingType, ShaderModule, ShaderStages,
    TextureFormat, TextureSampleType, TextureViewDimension,
};

/// What a binding holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// A number that nothing is bound to.
    Nothing,
    Uniform,
    Read,
    /// For vertices alone: compute shaders have no room for it.
    VertexRead,
    Write,
    Image,
    Images,
    Sampler,
    /// Depths that are only compared with.
    DepthImages,
    Compare,
    /// Four samples a pixel, as they are.
    Samples,
    DepthSamples,
    /// Layers of `Rgba16Float` that are written to.
    WriteImages,
    /// Layers of `Rgba8Unorm` that are written to.
    WriteColours,
}

pub(crate) fn group_layout(device: &Device, label: &str, stages: ShaderStages, slots: &[Slot]) -> BindGroupLayout {
    let entries: Vec<BindGroupLayoutEntry> = (0u32..)
        .zip(slots)
        .filter(|(_, slot)| !matches!(slot, Slot::Nothing))
        .map(|(binding, slot)| BindGroupLayoutEntry {
            binding,
            visibility: if matches!(slot, Slot::VertexRead) { ShaderStages::VERTEX } else { stages },
            ty: match slot {
                Slot::Nothing | Slot::Uniform => buffer(BufferBindingType::Uniform),
                Slot::Read | Slot::VertexRead => buffer(BufferBindingType::Storage { read_only: true }),
                Slot::Write => buffer(BufferBindingType::Storage { read_only: false }),
                Slot::Image => texture(TextureViewDimension::D2),
                Slot::Images => texture(TextureViewDimension::D2Array),
                Slot::Sampler => BindingType::Sampler(SamplerBindingType::Filtering),
                Slot::DepthImages => sampled(TextureSampleType::Depth, TextureViewDimension::D2Array, false),
                Slot::Compare => BindingType::Sampler(SamplerBindingType::Comparison),
                Slot::Samples => {
                    sampled(TextureSampleType::Float { filterable: false }, TextureViewDimension::D2, true)
                }
                Slot::DepthSamples => sampled(TextureSampleType::Depth, TextureViewDimension::D2, true),
                Slot::WriteImages => written(TextureFormat::Rgba16Float),
                Slot::WriteColours => written(TextureFormat::Rgba8Unorm),
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

fn buffer(ty: BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn texture(view_dimension: TextureViewDimension) -> BindingType {
    sampled(TextureSampleType::Float { filterable: true }, view_dimension, false)
}

fn sampled(sample_type: TextureSampleType, view_dimension: TextureViewDimension, multisampled: bool) -> BindingType {
    BindingType::Texture { sample_type, view_dimension, multisampled }
}

fn written(format: TextureFormat) -> BindingType {
    let access = wgpu::StorageTextureAccess::WriteOnly;
    BindingType::StorageTexture { access, format, view_dimension: TextureViewDimension::D2Array }
}

/// Binds things in the order of a layout.
pub(crate) fn bind(device: &Device, layout: &BindGroupLayout, resources: &[BindingResource<'_>]) -> BindGroup {
    let entries: Vec<BindGroupEntry<'_>> = (0u32..)
        .zip(resources)
        .map(|(binding, resource)| BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// Binds whole buffers.
pub(crate) fn bind_buffers(device: &Device, layout: &BindGroupLayout, buffers: &[&Buffer]) -> BindGroup {
    let resources: Vec<BindingResource<'_>> = buffers.iter().map(|b| b.as_entire_binding()).collect();
    bind(device, layout, &resources)
}

pub(crate) fn module(device: &Device, label: &str, parts: &[&str]) -> ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(parts.concat().into());
    device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
}

pub(crate) fn kernel(
    device: &Device,
    shader: &ShaderModule,
    entry: &str,
    groups: &[&BindGroupLayout],
) -> ComputePipeline {
    let groups: Vec<Option<&BindGroupLayout>> = groups.iter().map(|g| Some(*g)).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(entry),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry),
        layout: Some(&layout),
        module: shader,
        entry_point: Some(entry),
        // Every kernel here writes what it reads of its workgroup's memory.
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}

/// A pipeline that draws triangles over what is there, with colours that are multiplied by their opacity already.
pub(crate) fn painter(
    device: &Device,
    format: TextureFormat,
    shader: &ShaderModule,
    (vertex, fragment): (&str, &str),
    constants: &[(&str, f64)],
    groups: &[&BindGroupLayout],
    buffers: &[wgpu::VertexBufferLayout<'_>],
) -> RenderPipeline {
    let groups: Vec<Option<&BindGroupLayout>> = groups.iter().map(|g| Some(*g)).collect();
    let buffers: Vec<Option<wgpu::VertexBufferLayout<'_>>> = buffers.iter().cloned().map(Some).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(fragment),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(fragment),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some(vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some(fragment),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            targets: &[Some(wgpu::ColorTargetState {
                format,
                blend: Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
