//! Buffers and textures on the device.

use throng::engine::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

pub(crate) fn buffer(gpu: &Gpu, label: &str, bytes: u64, usage: BufferUsages) -> Buffer {
    gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes.next_multiple_of(16).max(64),
        usage: usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

pub(crate) fn filled<T: bytemuck::Pod>(gpu: &Gpu, label: &str, values: &[T], usage: BufferUsages) -> Buffer {
    let made = buffer(gpu, label, size_of_val(values) as u64, usage);
    gpu.queue().write_buffer(&made, 0, bytemuck::cast_slice(values));
    made
}

pub(super) fn halved(image: &image::RgbaImage) -> image::RgbaImage {
    let (w, h) = ((image.width() / 2).max(1), (image.height() / 2).max(1));
    image::imageops::thumbnail(image, w, h)
}

/// A texture with smaller copies of itself; all layers have the size of the first.
pub(super) fn images(gpu: &Gpu, label: &str, width: u32, layers: &[Vec<u8>], array: bool) -> wgpu::TextureView {
    let height = (layers[0].len() / 4) as u32 / width;
    let levels = 32 - width.max(height).leading_zeros();
    let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers.len() as u32 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (z, pixels) in (0u32..).zip(layers) {
        let mut image = image::RgbaImage::from_raw(width, height, pixels.clone()).expect("all layers are of one size");
        for mip_level in 0..levels {
            gpu.queue().write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level,
                    origin: wgpu::Origin3d { x: 0, y: 0, z },
                    aspect: wgpu::TextureAspect::All,
                },
                &image,
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * image.width()), rows_per_image: None },
                wgpu::Extent3d { width: image.width(), height: image.height(), depth_or_array_layers: 1 },
            );
            image = halved(&image);
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(if array { wgpu::TextureViewDimension::D2Array } else { wgpu::TextureViewDimension::D2 }),
        ..wgpu::TextureViewDescriptor::default()
    })
}
