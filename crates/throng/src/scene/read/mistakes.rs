//! Everything that is wrong with a scene, as far as one mistake does not hide another.

use super::SceneError;
use super::value::{Entry, Kind, Node};

/// So many are told: who has made more looks again anyway, and each takes a look through the text for its line.
const MOST: usize = SceneError::MOST;

/// What was wrong so far.
#[derive(Default)]
pub(super) struct Mistakes {
    found: Vec<SceneError>,
}

impl Mistakes {
    /// A part of the scene, if it is sound.
    pub(super) fn take<T>(&mut self, part: Result<T, SceneError>) -> Option<T> {
        part.map_err(|error| self.note(error)).ok()
    }

    pub(super) fn note(&mut self, error: SceneError) {
        self.found.extend(error.each());
    }

    /// Whether it makes no sense to go on.
    fn are_enough(&self) -> bool {
        self.found.len() >= MOST
    }

    /// What was read, if nothing was wrong.
    pub(super) fn or<T>(self, read: T) -> Result<T, SceneError> {
        if self.found.is_empty() { Ok(read) } else { Err(self.all(None)) }
    }

    /// All that was wrong, in the order of the text, and what there is no going on after.
    pub(super) fn all(mut self, last: Option<SceneError>) -> SceneError {
        last.into_iter().for_each(|error| self.note(error));
        self.found.sort_by_key(|error| error.starts().next());
        let all = self.found.into_iter().take(MOST).reduce(SceneError::and);
        all.expect("something was wrong")
    }
}

/// All of some entries, or what is wrong with them. `read` is given an entry and its number.
pub(super) fn gather<T>(
    entries: &[Node],
    mut read: impl FnMut(usize, &Node) -> Result<T, SceneError>,
) -> Result<Vec<T>, SceneError> {
    let mut wrong = Mistakes::default();
    let mut all = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        all.extend(wrong.entry(entry, |entry| read(number, entry)));
        if wrong.are_enough() {
            break;
        }
    }
    wrong.or(all)
}

impl Mistakes {
    /// An entry, if it is sound. If it is not, it is read again without the values that were wrong, to find out what else is.
    pub(super) fn entry<T>(&mut self, entry: &Node, mut read: impl FnMut(&Node) -> Result<T, SceneError>) -> Option<T> {
        let mut error = match read(entry) {
            Ok(read) => return Some(read),
            Err(error) => error,
        };
        let mut rest = entry.clone();
        loop {
            let removed = remove_wrong(&mut rest, &error);
            self.note(error);
            if !removed || self.are_enough() {
                return None;
            }
            error = match read(&rest) {
                // Of what is missing now nobody knows whether it was there.
                Err(next) if next.starts().all(|at| values(&rest).iter().any(|e| has(e, at))) => next,
                _ => return None,
            };
        }
    }
}

fn values(table: &Node) -> &[Entry] {
    if let Kind::Table(entries) = &table.kind { entries } else { &[] }
}

/// Whether a place in the text is in a key or its value.
fn has(entry: &Entry, at: usize) -> bool {
    (entry.key_span.start..entry.value.span.end).contains(&at)
}

/// Takes the values out of a table that errors are about. Returns whether there were any.
fn remove_wrong(table: &mut Node, error: &SceneError) -> bool {
    let Kind::Table(entries) = &mut table.kind else { return false };
    let before = entries.len();
    entries.retain(|entry| !error.starts().any(|at| has(entry, at)));
    entries.len() < before
}
