//! Everything that is wrong with a scene, as far as one mistake does not hide another.

use super::SceneError;

/// So many are told: who has made more looks again anyway, and each takes a look through the text for its line.
const MOST: usize = 20;

/// What was wrong so far.
#[derive(Default)]
pub(super) struct Mistakes {
    found: Option<SceneError>,
    count: usize,
}

impl Mistakes {
    /// A part of the scene, if it is sound.
    pub(super) fn take<T>(&mut self, part: Result<T, SceneError>) -> Option<T> {
        part.map_err(|error| self.note(error)).ok()
    }

    pub(super) fn note(&mut self, error: SceneError) {
        self.count += 1 + error.others().len();
        self.found = Some(match self.found.take() {
            Some(first) => first.and(error),
            None => error,
        });
    }

    /// Whether it makes no sense to go on.
    fn are_enough(&self) -> bool {
        self.count >= MOST
    }

    /// What was read, if nothing was wrong.
    pub(super) fn or<T>(self, read: T) -> Result<T, SceneError> {
        self.found.map_or(Ok(read), Err)
    }
}

/// All of some parts, or what is wrong with them.
pub(super) fn gather<T>(parts: impl Iterator<Item = Result<T, SceneError>>) -> Result<Vec<T>, SceneError> {
    let mut wrong = Mistakes::default();
    let mut read = Vec::new();
    for part in parts {
        read.extend(wrong.take(part));
        if wrong.are_enough() {
            break;
        }
    }
    wrong.or(read)
}
