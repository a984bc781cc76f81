//! The project's own creature, made by code.

mod acts;
mod clips;
mod flesh;
mod gait;
mod palette;
mod pose;
mod skeleton;
mod skin;
mod stance;

use crate::{Character, bounds};

impl Character {
    /// The creature: stout, big-eared, with large hands and feet, one metre tall.
    #[must_use]
    pub fn creature() -> Self {
        let (lods, clips) = rayon::join(|| skin::meshes(&flesh::pieces()), clips::clips);
        let bones = skeleton::bones();
        let bounds = bounds::ball(&bones, &lods, &clips);
        Self { name: "creature".to_owned(), height: 1.0, bones, lods, clips, bounds, palettes: palette::palettes() }
    }
}
