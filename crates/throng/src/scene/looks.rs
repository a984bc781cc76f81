//! What a scene says about its looks. Nothing in a run depends on it: it is there for whoever draws.

use std::sync::Arc;

/// An image, as it was read.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file's name.
    pub name: String,
    /// Pixels from west to east.
    pub width: u32,
    /// Pixels from north to south.
    pub height: u32,
    /// RGBA, north row first.
    pub pixels: Arc<Vec<u8>>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({:?}, {} × {})", self.name, self.width, self.height)
    }
}

/// The most characters that the groups of a scene may have, besides the one that whoever draws has for everybody else.
pub const MOST_CHARACTERS: usize = 7;

/// A file with a rigged character (glTF: .glb or .gltf), as it was read. Whoever draws makes sense of it: this library only hands it on.
#[derive(Clone, PartialEq, Eq)]
pub struct CharacterFile {
    /// The file's name.
    pub name: String,
    /// All that is in it.
    pub bytes: Arc<Vec<u8>>,
}

impl std::fmt::Debug for CharacterFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CharacterFile({:?}, {} bytes)", self.name, self.bytes.len())
    }
}

/// How the people of a group are drawn from above.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Sprite {
    /// Head and shoulders from above.
    #[default]
    Person,
    /// A disc as wide as the body.
    Disc,
    /// An arrow that points where it faces.
    Arrow,
    /// An image that faces east, as wide as high.
    Picture(Picture),
}
