//! Bytes: the document, its buffers, and numbers from accessors, all within bounds.

use std::io::Read;
use std::path::Path;

use gltf::accessor::{DataType, Dimensions};

use super::{GltfError, brief, broken, unsupported};

/// A document with its buffers.
pub(super) struct Source {
    pub(super) document: gltf::Document,
    buffers: Vec<Vec<u8>>,
}

/// A file, if it is not too large.
pub(super) fn file(path: &Path, most: u64) -> Result<Vec<u8>, GltfError> {
    let failed = |error| GltfError::File { path: path.to_owned(), error };
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    // A pipe has no size beforehand: read one byte more than is allowed and look.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    let length = bytes.len() as u64;
    if length > most { Err(GltfError::TooLarge { bytes: length, most }) } else { Ok(bytes) }
}

impl Source {
    pub(super) fn new(bytes: &[u8], folder: Option<&Path>, most: u64) -> Result<Self, GltfError> {
        if bytes.len() as u64 > most {
            return Err(GltfError::TooLarge { bytes: bytes.len() as u64, most });
        }
        let (text, numbers) = chunks(bytes)?;
        if separators(text) > MOST_ENTRIES {
            return Err(unsupported("a text with more entries than a character needs"));
        }
        let json = gltf::json::deserialize::from_slice(text).map_err(|error| broken(brief(&error.to_string())))?;
        let document = gltf::Document::from_json_without_validation(json);
        let mut numbers = Some(numbers.to_vec());
        // Extensions first: the validation would only say that one is not supported, not which.
        if let Some(extension) = document.extensions_required().next() {
            let why = match extension {
                "EXT_meshopt_compression" | "KHR_draco_mesh_compression" => "compressed meshes",
                "KHR_mesh_quantization" => "quantised meshes",
                _ => "what it stands for",
            };
            let extension = brief(extension);
            return Err(unsupported(format!("the file requires {extension}: {why} cannot be read; export it without")));
        }
        if !sound_references(document.as_json()) {
            return Err(broken("something names what is not there"));
        }
        let document = gltf::Document::from_json(document.into_json()).map_err(|error| wrong(&error))?;
        let mut source = Self { document, buffers: Vec::new() };
        let mut left = most - bytes.len() as u64;
        for buffer in source.document.buffers() {
            let data = match buffer.source() {
                gltf::buffer::Source::Bin => numbers.take().unwrap_or_default(),
                gltf::buffer::Source::Uri(uri) => load(uri, folder, left, most)?,
            };
            left = left.saturating_sub(data.len() as u64);
            source.buffers.push(data);
        }
        Ok(source)
    }

    /// All numbers of an accessor, row after row, with so many columns. Integers that stand for shares are turned into them.
    pub(super) fn numbers(&self, accessor: &gltf::Accessor<'_>, columns: usize) -> Result<Vec<f32>, GltfError> {
        self.first_numbers(accessor, columns, usize::MAX)
    }

    /// The same, of the first so many rows.
    pub(super) fn first_numbers(
        &self,
        accessor: &gltf::Accessor<'_>,
        columns: usize,
        most: usize,
    ) -> Result<Vec<f32>, GltfError> {
        let (rows, kind) = (self.rows(accessor, columns)?.take(most), accessor.data_type());
        let share = accessor.normalized();
        let number = |bytes: &[u8]| match kind {
            DataType::F32 => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            DataType::U8 => f32::from(bytes[0]) / if share { 255.0 } else { 1.0 },
            DataType::U16 => f32::from(u16::from_le_bytes([bytes[0], bytes[1]])) / if share { 65535.0 } else { 1.0 },
            DataType::I8 => f32::from(bytes[0] as i8) / if share { 127.0 } else { 1.0 },
            DataType::I16 => f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) / if share { 32767.0 } else { 1.0 },
            DataType::U32 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as f32,
        };
        let numbers: Vec<f32> = rows.flat_map(|row| row.chunks_exact(kind.size())).map(number).collect();
        if numbers.iter().all(|number| number.is_finite()) { Ok(numbers) } else { Err(broken("a number that is none")) }
    }

    /// All integers of an accessor.
    pub(super) fn integers(&self, accessor: &gltf::Accessor<'_>, columns: usize) -> Result<Vec<u32>, GltfError> {
        let (rows, kind) = (self.rows(accessor, columns)?, accessor.data_type());
        let integer = |bytes: &[u8]| match kind {
            DataType::U8 => Some(u32::from(bytes[0])),
            DataType::U16 => Some(u32::from(u16::from_le_bytes([bytes[0], bytes[1]]))),
            DataType::U32 => Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            _ => None,
        };
        let found: Option<Vec<u32>> = rows.flat_map(|row| row.chunks_exact(kind.size())).map(integer).collect();
        found.ok_or_else(|| broken("indices that are not whole numbers"))
    }

    /// The bytes of every element, after looking whether all of them are there.
    fn rows<'a>(
        &'a self,
        accessor: &gltf::Accessor<'_>,
        columns: usize,
    ) -> Result<impl Iterator<Item = &'a [u8]>, GltfError> {
        let has = match accessor.dimensions() {
            Dimensions::Scalar => 1,
            Dimensions::Vec2 => 2,
            Dimensions::Vec3 => 3,
            Dimensions::Vec4 => 4,
            Dimensions::Mat4 => 16,
            Dimensions::Mat2 | Dimensions::Mat3 => 0,
        };
        if has != columns {
            return Err(broken(format!("accessor {} has {has} columns where {columns} are needed", accessor.index())));
        }
        if accessor.sparse().is_some() {
            return Err(unsupported("sparse accessors cannot be read; export the file without them"));
        }
        let outside = || broken(format!("accessor {} reaches beyond its buffer", accessor.index()));
        let view = accessor.view().ok_or_else(|| broken(format!("accessor {} has no data", accessor.index())))?;
        let (width, count) = (columns * accessor.data_type().size(), accessor.count());
        let stride = view.stride().unwrap_or(width);
        let buffer = self.buffers.get(view.buffer().index()).ok_or_else(outside)?;
        let end = view.offset().checked_add(view.length()).ok_or_else(outside)?;
        let bytes =
            buffer.get(view.offset()..end).and_then(|bytes| bytes.get(accessor.offset()..)).ok_or_else(outside)?;
        let needed = count.saturating_sub(1).checked_mul(stride).and_then(|before| before.checked_add(width));
        if stride < width || (count > 0 && needed.is_none_or(|needed| needed > bytes.len())) {
            return Err(outside());
        }
        Ok((0..count).map(move |row| &bytes[row * stride..][..width]))
    }
}

/// Entries in all lists and tables of a file's text. The parser takes up to half a kilobyte for one of three letters.
const MOST_ENTRIES: usize = 1_000_000;

/// The text of a file, and of a .glb what follows it. (The parser's own code for this reckons with lengths before it looks at them.)
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), GltfError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, &[]));
    }
    let word = |at: usize| bytes.get(at..at + 4).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]) as usize);
    let chunk = |at: usize, kind: &[u8]| {
        let end = word(at)?.checked_add(at + 8)?;
        bytes.get(at + 8..end).filter(|_| bytes[at + 4..].starts_with(kind))
    };
    match word(4) {
        Some(2) => {}
        version => return Err(unsupported(format!("version {} of glTF: only 2 is read", version.unwrap_or(0)))),
    }
    let text = chunk(12, b"JSON").filter(|_| word(8).is_some_and(|length| length <= bytes.len()));
    let text = text.ok_or_else(|| broken("it is cut short"))?;
    Ok((text, chunk(20 + text.len(), b"BIN\0").unwrap_or(&[])))
}

/// What begins entries in a text, or separates them.
fn separators(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (0, false, false);
    for letter in text {
        match letter {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' | b'[' | b'{' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

/// What the parser says, of many mistakes the first.
fn wrong(error: &gltf::Error) -> GltfError {
    match error {
        gltf::Error::Validation(list) if !list.is_empty() => broken(brief(&format!("{}: {}", list[0].0, list[0].1))),
        other => broken(brief(&other.to_string())),
    }
}

/// Whether everything that is named is there. The parser takes some of it for granted, in its validation too, and would panic.
fn sound_references(root: &gltf::json::Root) -> bool {
    use gltf::json::validation::Checked::Valid;
    let accessor = |index: usize| index < root.accessors.len();
    let node = |index: usize| index < root.nodes.len();
    let views = root.buffer_views.iter().all(|view| view.buffer.value() < root.buffers.len());
    let accessors =
        root.accessors.iter().all(|it| it.buffer_view.is_none_or(|view| view.value() < root.buffer_views.len()));
    let skins = root.skins.iter().all(|skin| {
        skin.joints.iter().all(|joint| node(joint.value()))
            && skin.inverse_bind_matrices.is_none_or(|it| accessor(it.value()))
    });
    let nodes = root.nodes.iter().all(|it| {
        it.children.iter().flatten().all(|child| node(child.value()))
            && it.mesh.is_none_or(|mesh| mesh.value() < root.meshes.len())
            && it.skin.is_none_or(|skin| skin.value() < root.skins.len())
    });
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives).all(|it| {
        it.attributes.values().all(|index| accessor(index.value()))
            && it.indices.is_none_or(|index| accessor(index.value()))
            && it.material.is_none_or(|material| material.value() < root.materials.len())
    });
    let animations = root.animations.iter().all(|it| {
        it.channels.iter().all(|channel| {
            let known = matches!(channel.target.path, Valid(_)) && channel.sampler.value() < it.samplers.len();
            known && node(channel.target.node.value())
        }) && it.samplers.iter().all(|sampler| {
            let known = matches!(sampler.interpolation, Valid(_));
            known && accessor(sampler.input.value()) && accessor(sampler.output.value())
        })
    });
    views && accessors && skins && nodes && primitives && animations
}

/// A buffer from its address: within it, or a file in the same folder.
fn load(uri: &str, folder: Option<&Path>, left: u64, most: u64) -> Result<Vec<u8>, GltfError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded =
            data.split_once(";base64,").ok_or_else(|| unsupported("a buffer within the file that is not base64"))?;
        return base64(encoded.1).ok_or_else(|| broken("a buffer that is not base64"));
    }
    let Some(folder) = folder else {
        let uri = brief(uri);
        return Err(unsupported(format!("a buffer in another file, {uri:?}: export it as .glb, which is one file")));
    };
    let plain =
        !uri.contains(':') && !uri.contains('\\') && !uri.starts_with('/') && !uri.split('/').any(|part| part == "..");
    if !plain {
        return Err(unsupported(format!("a buffer at {:?}: only files beside the character are read", brief(uri))));
    }
    file(&folder.join(uri.replace("%20", " ")), left).map_err(|error| match error {
        GltfError::TooLarge { bytes, .. } => GltfError::TooLarge { bytes: most - left + bytes, most },
        other => other,
    })
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0x00ff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_base64() {
        assert_eq!(super::base64("TWFu").unwrap(), b"Man");
        assert_eq!(super::base64("VGhyb25nIQ==").unwrap(), b"Throng!");
        assert!(super::base64("not base64!").is_none());
    }

    #[test]
    fn takes_a_container_apart() {
        let whole = b"glTF\x02\0\0\0\x29\0\0\0\x05\0\0\0JSON[1,2]\x08\0\0\0BIN\0numbers!";
        assert_eq!(super::chunks(whole).unwrap(), (&b"[1,2]"[..], &b"numbers!"[..]));
        for length in 4..whole.len() {
            assert!(super::chunks(&whole[..length]).is_err(), "{length}");
        }
        for at in 4..20 {
            for byte in [0, 1, 127, 255] {
                let mut other = *whole;
                other[at] = byte;
                // Whatever comes of it, it comes to an end.
                let _ = super::chunks(&other);
            }
        }
        assert_eq!(super::chunks(b"{}").unwrap(), (&b"{}"[..], &[][..]));
    }

    #[test]
    fn counts_entries_of_the_text_alone() {
        let text = br#"{"a":[1,2,"x,y\",{"],"b":{}}"#;
        assert_eq!(super::separators(text), 6);
    }
}
