//! Memory: one budget for everything that a scene makes somebody hold, its text, its images, and the run that it becomes.
//!
//! A small file can ask for a lot of it, so each large part asks here before it is made, and gives back what it took when it goes.
//! The library does not know how much there is: whoever opens files says so ([`crate::scene::Files::budget`]), and a scene hands its budget on
//! to the engines that run it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// So much memory and no more; copies draw from the same. The default one has no end.
#[derive(Clone, Debug, Default)]
pub struct Budget(Option<Arc<Purse>>);

/// How much there is, and how much of it has been taken.
#[derive(Debug)]
struct Purse {
    most: u64,
    /// Where that number comes from, if it is open to doubt.
    remark: Option<String>,
    taken: AtomicU64,
}

impl Budget {
    /// So many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self(Some(Arc::new(Purse { most: bytes, remark: None, taken: AtomicU64::new(0) })))
    }

    /// So many bytes that are only assumed, with a remark for those who are refused.
    #[must_use]
    pub fn assumed(bytes: u64, remark: &str) -> Self {
        Self(Some(Arc::new(Purse { most: bytes, remark: Some(remark.to_owned()), taken: AtomicU64::new(0) })))
    }

    /// Bytes that are left; `None` where there is no end to them.
    #[must_use]
    pub fn left(&self) -> Option<u64> {
        self.0.as_ref().map(|purse| purse.most.saturating_sub(purse.taken.load(Ordering::Relaxed)))
    }

    /// Takes so many bytes, until the grant goes.
    ///
    /// # Errors
    /// If fewer are left.
    pub fn take(&self, bytes: u64) -> Result<Grant, Shortage> {
        let Some(purse) = &self.0 else { return Ok(Grant { purse: None, bytes }) };
        let more = |taken: u64| taken.checked_add(bytes).filter(|sum| *sum <= purse.most);
        match purse.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => Ok(Grant { purse: Some(purse.clone()), bytes }),
            Err(taken) => {
                let left = purse.most.saturating_sub(taken);
                Err(Shortage { asked: bytes, left, remark: purse.remark.clone() })
            }
        }
    }
}

/// Bytes of a budget that somebody holds.
#[derive(Debug, Default)]
pub struct Grant {
    purse: Option<Arc<Purse>>,
    bytes: u64,
}

impl Grant {
    /// Gives back all but so many bytes.
    pub fn keep(&mut self, bytes: u64) {
        let kept = bytes.min(self.bytes);
        if let Some(purse) = &self.purse {
            purse.taken.fetch_sub(self.bytes - kept, Ordering::Relaxed);
        }
        self.bytes = kept;
    }

    /// Holds what another one held, of the same budget.
    pub fn join(&mut self, mut other: Self) {
        if self.purse.is_none() {
            self.purse = other.purse.take();
        }
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        self.keep(0);
    }
}

/// Somebody asked for more than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// Bytes asked for.
    pub asked: u64,
    /// Bytes that are left.
    pub left: u64,
    /// What there is to say about how much there is.
    pub remark: Option<String>,
}

impl Shortage {
    /// What somebody says who is told what for: how much is needed, and how much is left.
    pub(crate) fn words(&self, what_for: &str) -> String {
        let remark = self.remark.as_ref().map_or_else(String::new, |remark| format!(" ({remark})"));
        let (asked, left) = (amount(self.asked), amount(self.left));
        format!("needs about {asked} of memory{what_for}, and {left} are left{remark}")
    }
}

impl std::fmt::Display for Shortage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "it {}", self.words(""))
    }
}

impl std::error::Error for Shortage {}

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
    fn what_was_taken_is_not_there_until_it_is_given_back() {
        let budget = Budget::new(100_000_000);
        let mut first = budget.take(60_000_000).expect("there is enough");
        let short = budget.clone().take(50_000_000).expect_err("copies share");
        assert_eq!(short.to_string(), "it needs about 50 MB of memory, and 40 MB are left");
        let mut second = budget.take(40_000_000).expect("there is just enough");
        assert_eq!(budget.left(), Some(0));
        second.keep(10_000_000);
        assert_eq!(budget.left(), Some(30_000_000));
        first.join(second);
        assert_eq!(budget.left(), Some(30_000_000), "what is joined is held still");
        drop(first);
        assert_eq!(budget.left(), Some(100_000_000));
        assert!(budget.take(u64::MAX).is_err());
        let assumed = Budget::assumed(1, "a guess").take(2_000_000).expect_err("too much");
        assert_eq!(assumed.to_string(), "it needs about 2 MB of memory, and 1 MB are left (a guess)");
        assert!(Budget::default().take(u64::MAX).is_ok() && Budget::default().left().is_none());
    }
}
