//! Somebody's own character, from glTF 2.0 (.glb, or .gltf with buffers beside it or within).
//!
//! A file is looked at with suspicion: its size is bounded, every offset and count is checked before anything is read, and lists are
//! never larger than what the file itself holds. What is not supported is said by name.

mod clips;
mod mesh;
mod skeleton;
mod source;
mod write;

use std::path::{Path, PathBuf};

use crate::{Character, Clip, Mesh, bounds};

/// How to read a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GltfOptions {
    /// How tall the character shall stand, in metres; none: as tall as the file says.
    pub height: Option<f32>,
    /// How large the file and its buffers may be together, in bytes.
    pub most_bytes: u64,
}

impl Default for GltfOptions {
    fn default() -> Self {
        Self { height: None, most_bytes: 64 << 20 }
    }
}

/// A character that was read, and what was left out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct FromGltf {
    /// The character.
    pub character: Character,
    /// A sentence for everything in the file that is not used.
    pub notes: Vec<String>,
}

/// Why a file gave no character.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is larger than allowed.
    #[error("the character has {bytes} bytes, more than the {most} that are allowed")]
    TooLarge {
        /// How large it is.
        bytes: u64,
        /// How large it may be.
        most: u64,
    },
    /// It is not glTF, or contradicts itself.
    #[error("not a sound glTF file: {0}")]
    Broken(String),
    /// It is sound, but needs something that is not supported.
    #[error("{0}")]
    Unsupported(String),
}

/// The most bones a character may have.
pub(crate) const MOST_BONES: usize = 64;

impl Character {
    /// Reads a rigged character: at most 64 joints, 4 weights a vertex, triangles. Clips get their roles by name (`walk`, `run`, `idle`, …).
    /// The file has y up and looks along z, as glTF says; the character has z up and looks along x.
    ///
    /// # Errors
    /// If the file cannot be read, is too large, is not sound glTF, or needs what is not supported.
    pub fn from_gltf(path: &Path, options: &GltfOptions) -> Result<FromGltf, GltfError> {
        let bytes = source::file(path, options.most_bytes)?;
        let name = path.file_stem().map_or_else(|| "character".to_owned(), |name| name.to_string_lossy().into_owned());
        Self::from_gltf_bytes(&bytes, path.parent(), &name, options)
    }

    /// The same, from bytes; buffers in files of their own are looked for in a folder. Without one the bytes have to be the whole character.
    ///
    /// # Errors
    /// As [`Character::from_gltf`].
    pub fn from_gltf_bytes(
        bytes: &[u8],
        folder: Option<&Path>,
        name: &str,
        options: &GltfOptions,
    ) -> Result<FromGltf, GltfError> {
        let source = source::Source::new(bytes, folder, options.most_bytes)?;
        let mut notes = Vec::new();
        let rig = skeleton::Rig::new(&source)?;
        let raw = mesh::Raw::new(&source, &rig, &mut notes)?;
        let space = skeleton::Space::new(&rig, &raw, options.height)?;
        let (mut lods, palette) = raw.finish(&space, &source)?;
        lods.iter_mut().for_each(Mesh::order_for_reuse);
        let clips = clips::clips(&source, &rig, &space, &mut notes)?;
        let bones = rig.bones(&space);
        let bounds = bounds::ball(&bones, &lods, &clips);
        let sensible = sensible(&lods, &clips) && bounds.radius < MOST_METRES;
        if !sensible {
            return Err(broken("the character, or a clip of it, is out of all bounds"));
        }
        let character =
            Self { name: name.to_owned(), height: space.height, bones, lods, clips, bounds, palettes: vec![palette] };
        Ok(FromGltf { character, notes })
    }
}

/// Farther than anything of a character can be.
const MOST_METRES: f32 = 1e6;

/// Whether all numbers are such as a shader can work with: matrices of the file may send vertices anywhere.
fn sensible(lods: &[Mesh], clips: &[Clip]) -> bool {
    let positions = lods.iter().flat_map(|mesh| mesh.positions.iter().flatten());
    let matrices = clips.iter().flat_map(|clip| clip.matrices.iter().flatten().flatten());
    // What is not a number is not below anything.
    positions.chain(matrices).all(|number| number.abs() < MOST_METRES)
}

/// Words of a file, as many as fit into a message.
fn brief(words: &str) -> String {
    const MOST: usize = 160;
    if words.chars().count() > MOST { words.chars().take(MOST).chain(['…']).collect() } else { words.to_owned() }
}

/// An error in a few words.
fn broken(words: impl Into<String>) -> GltfError {
    GltfError::Broken(words.into())
}

fn unsupported(words: impl Into<String>) -> GltfError {
    GltfError::Unsupported(words.into())
}
