//! What a frame is drawn into: depths and colours of four samples a pixel, the pyramid of depths, shadow maps, the drape.

use super::shadow::{CASCADES, TEXELS};
use crate::draw::memory::{buffer, filled};
use throng::engine::gpu::Gpu;
use wgpu::{BindingResource, Buffer, BufferUsages, TextureFormat, TextureUsages, TextureView};

/// Samples of a pixel.
pub(crate) const SAMPLES: u32 = 4;
/// Of light.
pub(crate) const LIGHT: TextureFormat = TextureFormat::Rgba16Float;
/// Of depth.
pub(crate) const DEPTH: TextureFormat = TextureFormat::Depth32Float;
/// Large triangles with their jobs, as many as raster.wgsl has room for: what comes after them begins at a multiple of 256.
const LARGE_BYTES: u64 = 4 * (64 + 20 * 131_072 + 2 * 262_144);
/// Frames until walls are cleared again.
const MOST_FRAMES: u32 = 2000;
/// Levels of the pyramid that there are numbers for.
const MOST_LEVELS: usize = 16;

/// Textures and buffers that follow from the size of the picture.
#[derive(Debug)]
pub(crate) struct Targets {
    pub(crate) size: [u32; 2],
    /// Of ground and walls.
    pub(crate) depth: TextureView,
    /// Light of walls, where there are some, and in which frame it was found: to clear four samples a pixel would take a millisecond on a card that
    /// draws little.
    pub(crate) walls: Option<TextureView>,
    /// The number of the frame, from 1 on: a 16-bit float has all of them. 0 before the first one.
    pub(crate) walled: u32,
    /// For each sample the greatest depth, and the light of who has it there: see raster.wgsl.
    pub(crate) samples: [Buffer; 2],
    /// What is shown, to be written to and to be shown.
    pub(crate) picture: [TextureView; 2],
    /// Large triangles with their jobs, then the pyramid: depths, level by level. See raster.wgsl.
    pub(crate) large: Buffer,
    /// Where each level of the pyramid is.
    pub(crate) pyramid_levels: Buffer,
    pub(crate) levels: u32,
}

fn texture(
    gpu: &Gpu,
    label: &str,
    [width, height, layers]: [u32; 3],
    samples: u32,
    levels: u32,
    format: TextureFormat,
) -> wgpu::Texture {
    gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: layers },
        mip_level_count: levels,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        // Tests look into them.
        usage: TextureUsages::RENDER_ATTACHMENT
            | TextureUsages::TEXTURE_BINDING
            | if cfg!(test) { TextureUsages::COPY_SRC } else { TextureUsages::empty() },
        view_formats: &[],
    })
}

/// In place of walls where there are none.
pub(crate) fn no_walls(gpu: &Gpu) -> TextureView {
    texture(gpu, "no walls", [1, 1, 1], SAMPLES, 1, LIGHT).create_view(&wgpu::TextureViewDescriptor::default())
}

/// Where each level of a pyramid begins, how wide and how high it is; the first is not kept. The last is of one texel.
fn levels(size: [u32; 2]) -> Vec<[u32; 4]> {
    let mut list = vec![[0; 4]];
    let mut start = 0;
    for k in 1..MOST_LEVELS as u32 {
        let [w, h] = size.map(|n| n.div_ceil(1 << k));
        list.push([start, w, h, 0]);
        start += w * h;
        if w == 1 && h == 1 && k > 5 {
            break;
        }
    }
    list
}

impl Targets {
    /// With walls or without.
    pub(crate) fn new(gpu: &Gpu, size: [u32; 2], walled: bool) -> Self {
        let whole = [size[0], size[1], 1];
        let view = wgpu::TextureViewDescriptor::default();
        let mut list = levels(size);
        let count = list.len() as u32 - 1;
        let [start, w, h, _] = list[count as usize];
        list.resize(MOST_LEVELS, [0; 4]);
        Self {
            size,
            walled: 0,
            walls: walled.then(|| texture(gpu, "walls", whole, SAMPLES, 1, LIGHT).create_view(&view)),
            samples: ["depths", "colours"].map(|label| {
                let pixels = u64::from(size[0]) * u64::from(size[1]);
                buffer(gpu, label, 4 * u64::from(SAMPLES) * pixels, BufferUsages::STORAGE)
            }),
            picture: {
                let picture = gpu.device().create_texture(&wgpu::TextureDescriptor {
                    label: Some("picture"),
                    size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format: LIGHT,
                    usage: TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING,
                    view_formats: &[],
                });
                [wgpu::TextureViewDimension::D2Array, wgpu::TextureViewDimension::D2].map(|dimension| {
                    picture.create_view(&wgpu::TextureViewDescriptor {
                        dimension: Some(dimension),
                        ..wgpu::TextureViewDescriptor::default()
                    })
                })
            },
            depth: texture(gpu, "depth", whole, SAMPLES, 1, DEPTH).create_view(&view),
            large: buffer(gpu, "large", LARGE_BYTES + 4 * u64::from(start + w * h), BufferUsages::STORAGE),
            pyramid_levels: filled(gpu, "pyramid levels", &list, BufferUsages::UNIFORM),
            levels: count,
        }
    }

    /// Another frame with walls or without. With walls they have a number that nothing in their texture has; where it is 1 all of it must be cleared.
    pub(crate) fn begin_frame(&mut self) {
        self.walled = if self.walls.is_some() { self.walled % MOST_FRAMES + 1 } else { 0 };
    }

    /// The pyramid, to be bound.
    pub(crate) fn pyramid(&self) -> BindingResource<'_> {
        BindingResource::Buffer(wgpu::BufferBinding { buffer: &self.large, offset: LARGE_BYTES, size: None })
    }
}

/// Shadow maps: all of them for shaders that look into them, and each to be drawn into.
#[derive(Debug)]
pub(crate) struct ShadowMaps {
    pub(crate) all: TextureView,
    pub(crate) each: [TextureView; CASCADES],
}

impl ShadowMaps {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let maps = texture(gpu, "shadow maps", [TEXELS, TEXELS, CASCADES as u32], 1, 1, DEPTH);
        let one = |k: u32| wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_array_layer: k,
            array_layer_count: Some(1),
            ..wgpu::TextureViewDescriptor::default()
        };
        Self {
            all: maps.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..wgpu::TextureViewDescriptor::default()
            }),
            each: std::array::from_fn(|k| maps.create_view(&one(k as u32))),
        }
    }
}

/// What is draped over the ground, with smaller copies.
#[derive(Debug)]
pub(crate) struct Drape {
    pub(crate) size: [u32; 2],
    pub(crate) all: TextureView,
    pub(crate) levels: Vec<TextureView>,
}

impl Drape {
    /// Of a world, with so many texels along its longer side, in a format.
    pub(crate) fn new(gpu: &Gpu, extent: glam::Vec2, texels: u32, format: TextureFormat) -> Self {
        let longest = extent.max_element();
        let size = (extent / longest * texels as f32).to_array().map(|n| (n.round() as u32).max(16));
        let count = 32 - size[0].max(size[1]).leading_zeros();
        let made = texture(gpu, "drape", [size[0], size[1], 1], 1, count, format);
        let level = |k: u32| wgpu::TextureViewDescriptor {
            base_mip_level: k,
            mip_level_count: Some(1),
            ..wgpu::TextureViewDescriptor::default()
        };
        Self {
            size,
            all: made.create_view(&wgpu::TextureViewDescriptor::default()),
            levels: (0..count).map(|k| made.create_view(&level(k))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_a_pyramid_do_not_overlap_and_end_in_one_texel() {
        for size in [[640, 360], [1920, 1080], [33, 17], [1, 1], [16384, 4]] {
            let list = levels(size);
            let mut next = 0;
            for (k, &[start, w, h, _]) in list.iter().enumerate().skip(1) {
                assert_eq!(start, next);
                assert_eq!([w, h], size.map(|n| n.div_ceil(1 << k)));
                next = start + w * h;
            }
            assert_eq!(list.last().map(|l| [l[1], l[2]]), Some([1, 1]), "{size:?}");
            assert!(list.len() > 6, "levels 1 to 5 are made by the first kernel");
        }
    }
}
