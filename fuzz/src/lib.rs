//! What the fuzzers do with their bytes: one function for each thing that Throng reads. Each either returns or has found a mistake.
//!
//! | fuzzer | bytes are | what is done with them |
//! |---|---|---|
//! | `scene` | a scene's text | read, written and read again, set up, run for some steps, saved and resumed |
//! | `set` | `KEY=VALUE`, and a text | `--set` |
//! | `merge` | two texts with a line between | what the window's Save does: the second in the words of the first |
//! | `images` | a PNG | as map, exits, background, sprite and heights |
//! | `arrays` | a NumPy array | as heights |
//! | `characters` | a glTF file | read as a group's character is |
//! | `snapshot` | a snapshot | resumed as it is, and with a header and a checksum that fit |

#[path = "../../crates/throng-creature/tests/block/mod.rs"]
mod block;
mod characters;
mod files;
mod memory;
pub mod mutate;
mod scenes;
pub mod seeds;
mod snapshots;

pub use characters::characters;
pub use files::{arrays, images};
pub use scenes::{merge, scene, set};
pub use snapshots::snapshot;
