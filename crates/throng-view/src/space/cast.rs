//! Who is drawn as whom: the characters of a scene, read from the files that its groups name.

use super::figure::creature;
use std::sync::LazyLock;
use throng::scene::{CharacterFile, Group, MOST_CHARACTERS, Scene, SceneError};
use throng_creature::{Aabb, Character, FromGltf, GltfOptions, PackedBone, PackedClips};

/// The most characters that are drawn at a time, the project's own among them.
pub const MOST_FIGURES: usize = 1 + MOST_CHARACTERS;

/// How tall characters are before they are scaled to six radii of an agent, in metres: as the project's own.
const HEIGHT: f32 = 1.0;

/// The characters of a scene. Number 0 is the project's own creature, which everybody is drawn as whose group names none; the others
/// follow in the order of the groups, each file once.
#[derive(Clone, Debug)]
pub struct Cast {
    guests: Vec<Guest>,
}

/// Somebody's own character.
#[derive(Clone, Debug)]
pub struct Guest {
    /// The file that it came from, by the name that the first group has for it.
    pub file: CharacterFile,
    /// The character.
    pub character: Character,
    /// A sentence for everything in the file that is not used.
    pub notes: Vec<String>,
    clips: PackedClips,
}

impl Cast {
    /// Reads the characters of a scene.
    ///
    /// # Errors
    /// If a file holds none that can be drawn, with the place in the scene that names it.
    pub fn of(scene: &Scene) -> Result<Self, SceneError> {
        let mut guests: Vec<Guest> = Vec::new();
        for group in &scene.groups {
            let Some(file) = &group.character else { continue };
            if guests.iter().any(|guest| guest.file.bytes == file.bytes) {
                continue;
            }
            let wrong = |why: String| scene.wrong_character(group, why);
            // Who reads a scene says so, too; but scenes can be changed.
            if guests.len() == MOST_CHARACTERS {
                return Err(wrong(format!("there are {MOST_CHARACTERS} other characters already")));
            }
            guests.push(Guest::read(file).map_err(wrong)?);
        }
        Ok(Self { guests })
    }

    /// Those from files: numbers 1 and up.
    #[must_use]
    pub fn guests(&self) -> &[Guest] {
        &self.guests
    }

    /// All characters by number, with their clips packed.
    pub fn characters(&self) -> impl Iterator<Item = (&Character, &PackedClips)> {
        static CLIPS: LazyLock<PackedClips> = LazyLock::new(|| {
            PackedClips::pack(&creature().clips).expect("its bones turn, and grow on all sides alike")
        });
        let guests = self.guests.iter().map(|guest| (&guest.character, &guest.clips));
        std::iter::once_with(|| (creature(), &*CLIPS)).chain(guests)
    }
}

/// Which character of the [`Cast`] each of these groups has, by number.
#[must_use]
pub fn figures(groups: &[Group]) -> Vec<u32> {
    let mut files: Vec<&CharacterFile> = Vec::new();
    let mut list = Vec::new();
    for group in groups {
        let figure = group.character.as_ref().map(|file| {
            let known = files.iter().position(|known| known.bytes == file.bytes);
            known.unwrap_or_else(|| {
                files.push(file);
                files.len() - 1
            })
        });
        list.push(figure.map_or(0, |number| number as u32 + 1));
    }
    list
}

impl Guest {
    fn read(file: &CharacterFile) -> Result<Self, String> {
        let stem = file.name.rsplit_once('.').map_or(file.name.as_str(), |(stem, _)| stem);
        let options = GltfOptions { height: Some(HEIGHT), ..GltfOptions::default() };
        let FromGltf { character, notes } =
            Character::from_gltf_bytes(&file.bytes, None, stem, &options).map_err(|error| error.to_string())?;
        let clips = PackedClips::pack(&character.clips).ok_or_else(|| stretched(&character))?;
        Ok(Self { file: file.clone(), character, notes, clips })
    }
}

/// Which bone does not pack.
fn stretched(character: &Character) -> String {
    let bounds = Aabb::around(&character.bounds);
    let each = character.clips.iter().flat_map(|clip| {
        let bones = character.bones.iter().cycle();
        clip.matrices.iter().zip(bones).map(move |(rows, bone)| (&clip.name, rows, &bone.name))
    });
    let found = each.into_iter().find(|(_, rows, _)| PackedBone::pack(rows, &bounds).is_none());
    let which = found.map_or_else(String::new, |(clip, _, bone)| {
        let brief = |name: &str| name.chars().take(40).collect::<String>();
        format!(": \"{}\" in its clip \"{}\" does not", brief(bone), brief(clip))
    });
    format!("bones may turn, move, and grow to twice their size on all sides alike{which}")
}
