//! Memory that reading a scene may take: asked before each large part is made, since a small file can name a lot of it.

use std::cell::Cell;

/// How much there is, and how much of it has been given away.
#[derive(Debug, Default)]
pub(super) struct Budget {
    most: Option<u64>,
    given: Cell<u64>,
}

impl Budget {
    /// So many bytes; without a number as many as anybody asks for.
    pub(super) fn new(most: Option<u64>) -> Self {
        Self { most, given: Cell::new(0) }
    }

    /// Gives away so many bytes for good, or says in words that there are not enough.
    pub(super) fn ask(&self, bytes: u64) -> Result<(), String> {
        let left = self.most.map(|most| most.saturating_sub(self.given.get()));
        if let Some(left) = left.filter(|left| *left < bytes) {
            return Err(format!("it needs about {} of memory, and {} are left", amount(bytes), amount(left)));
        }
        self.given.set(self.given.get().saturating_add(bytes));
        Ok(())
    }
}

/// Bytes in words.
fn amount(bytes: u64) -> String {
    if bytes < 10_000_000_000 {
        format!("{} MB", bytes.div_ceil(1_000_000))
    } else {
        format!("{} GB", bytes / 1_000_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_away_is_not_there_any_more() {
        let budget = Budget::new(Some(100_000_000));
        assert_eq!(budget.ask(60_000_000), Ok(()));
        assert_eq!(budget.ask(50_000_000), Err("it needs about 50 MB of memory, and 40 MB are left".into()));
        assert_eq!(budget.ask(40_000_000), Ok(()));
        assert_eq!(Budget::new(None).ask(u64::MAX), Ok(()));
    }
}
