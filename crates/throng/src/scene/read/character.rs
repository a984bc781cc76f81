//! Whom a group is drawn as.

use super::*;

/// As much as `throng-creature` reads: what is larger is for films, not for crowds.
const MOST_BYTES: usize = 64 << 20;

/// The file of a rigged character, as it is: what is in it is for whoever draws.
pub(super) fn character(t: &Table<'_>, pictures: &Pictures<'_>) -> Result<Option<CharacterFile>, SceneError> {
    const KEY: &str = "character";
    let right = "the name of a glTF file with a rigged character, .glb or .gltf, all of it in that one file";
    let Some(name) = t.text(KEY, right)? else { return Ok(None) };
    let lower = name.to_ascii_lowercase();
    if !(lower.ends_with(".glb") || lower.ends_with(".gltf")) {
        let message = format!("\"{}\" is neither a .glb nor a .gltf file", shorten(name));
        return Err(t.error(KEY, message).help(format!("character is {right}")));
    }
    let look = |bytes: &[u8]| {
        if bytes.len() > MOST_BYTES {
            let message = format!("\"{}\" is {} MB large", shorten(name), bytes.len().div_ceil(1_000_000));
            return Err(t.error(KEY, message).help("a character has at most 64 MiB: leave its textures out"));
        }
        if pictures.characters() >= MOST_CHARACTERS {
            let message = format!("\"{}\" is one character too many", shorten(name));
            return Err(t.error(KEY, message).help(format!("a scene has at most {MOST_CHARACTERS} that differ")));
        }
        Ok(())
    };
    pictures.character(t, KEY, name, look).map(Some)
}
