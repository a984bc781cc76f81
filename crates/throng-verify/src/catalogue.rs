//! All tests, and how they are chosen.

use crate::family;
use crate::run::{Outcomes, Run};
use crate::settings::Settings;
use crate::shortfalls::SHORTFALLS;
use crate::verdict::{Status, Verdict};

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// RiMEA, NIST, ISO and Jülich: what evacuation programs are asked.
    Standard,
    /// Against crowds that were measured, and that nothing depends on the raster.
    Measured,
    /// What the thesis on continuum crowds saw.
    Thesis,
}

impl Family {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Measured, Self::Thesis];

    /// What the command line calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Measured => "measured",
            Self::Thesis => "thesis",
        }
    }

    /// What it is, for a heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Standard => "Standard evacuation tests",
            Self::Measured => "Measured crowds",
            Self::Thesis => "What the thesis saw",
        }
    }
}

/// A test.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// What it is called by.
    pub id: &'static str,
    /// What it belongs to.
    pub family: Family,
    /// What it looks at, in a line.
    pub title: &'static str,
    /// Where it comes from: which document or which measured row.
    pub source: &'static str,
    /// What has to hold, with numbers and units.
    pub criterion: &'static str,
    pub(crate) runs: fn(&Settings) -> Vec<Run>,
    pub(crate) judge: fn(&Settings, Outcomes<'_>) -> Verdict,
}

impl Test {
    /// Why it is known to fail, if it is.
    #[must_use]
    pub fn shortfall(&self) -> Option<&'static str> {
        SHORTFALLS.iter().find(|(id, _)| *id == self.id).map(|(_, why)| *why)
    }

    /// The runs that it needs.
    #[must_use]
    pub fn runs(&self, settings: &Settings) -> Vec<Run> {
        (self.runs)(settings)
    }

    /// How it ended.
    #[must_use]
    pub fn status(&self, verdict: &Verdict) -> Status {
        verdict.status(self.shortfall())
    }

    /// Whether a word of the command line means it: its id, its family, or what its id begins with (`rimea`).
    fn is_meant(&self, word: &str) -> bool {
        let source = self.id.split_once('-').map(|(source, _)| source);
        self.id == word || self.family.word() == word || source == Some(word)
    }
}

/// All tests, in the order of reports.
#[must_use]
pub fn all() -> Vec<&'static Test> {
    let lists: [&'static [Test]; 10] = [
        &family::alone::TESTS,
        &family::rooms::TESTS,
        &family::ways::TESTS,
        &family::necks::TESTS,
        &family::density::TESTS,
        &family::openings::TESTS,
        &family::two_ways::TESTS,
        &family::bodies::TESTS,
        &family::raster::TESTS,
        &family::thesis::TESTS,
    ];
    let all = lists.into_iter().flatten();
    Family::ALL.iter().flat_map(|family| all.clone().filter(move |t| t.family == *family)).collect()
}

/// A word that means no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no test \"{word}\"{} `throng verify --list` lists them all; standard, measured, thesis, rimea, nist, iso and \
         juelich mean several", suggestion.as_ref().map_or_else(|| ".".to_owned(), |s| format!(": did you mean \"{s}\"?")))]
pub struct UnknownTest {
    /// The word.
    pub word: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

/// The tests that words of the command line mean, in the order of reports; all without any.
///
/// # Errors
/// If a word means none.
pub fn chosen(words: &[String]) -> Result<Vec<&'static Test>, UnknownTest> {
    let tests = all();
    for word in words {
        if !tests.iter().any(|t| t.is_meant(word)) {
            let families = Family::ALL.iter().map(|f| f.word());
            let names = tests.iter().map(|t| t.id).chain(families).chain(["rimea", "nist", "iso", "juelich"]);
            let near = names
                .map(|name| (strsim::normalized_damerau_levenshtein(word, name), name))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let suggestion = near.filter(|(likeness, _)| *likeness > 0.5).map(|(_, name)| name.to_owned());
            return Err(UnknownTest { word: word.clone(), suggestion });
        }
    }
    let meant = |t: &&Test| words.is_empty() || words.iter().any(|word| t.is_meant(word));
    Ok(tests.into_iter().filter(meant).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn ids(words: &[&str]) -> Vec<&'static str> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        chosen(&words).expect("they are tests").into_iter().map(|t| t.id).collect()
    }

    #[test]
    fn words_mean_tests_families_and_sources() {
        assert_eq!(ids(&[]).len(), all().len());
        assert_eq!(ids(&["rimea-6", "rimea-1", "rimea-6"]), ["rimea-1", "rimea-6"]);
        assert!(ids(&["nist"]).len() >= 5 && ids(&["nist"]).iter().all(|id| id.starts_with("nist-")));
        let families: usize = Family::ALL.iter().map(|f| ids(&[f.word()]).len()).sum();
        assert_eq!(families, all().len());
    }

    #[test]
    fn a_word_that_means_no_test_gets_a_suggestion() {
        let wrong = |word: &str| chosen(&[word.to_owned()]).expect_err("it is none");
        assert_eq!(wrong("rimea_6").suggestion.as_deref(), Some("rimea-6"));
        assert_eq!(wrong("openngs").suggestion.as_deref(), Some("openings"));
        assert_eq!(wrong("standrad").suggestion.as_deref(), Some("standard"));
        assert_eq!(wrong("xyz").suggestion, None);
        assert!(wrong("rimea_6").to_string().contains("did you mean \"rimea-6\"?"));
        assert!(wrong("xyz").to_string().contains("--list"));
    }

    #[test]
    fn ids_are_unique_and_every_test_says_what_it_is() {
        let tests = all();
        let ids: HashSet<_> = tests.iter().map(|t| t.id).collect();
        assert_eq!(ids.len(), tests.len());
        for test in tests {
            assert!(!test.title.is_empty() && !test.source.is_empty() && !test.criterion.is_empty(), "{}", test.id);
        }
    }

    #[test]
    fn known_shortfalls_are_of_tests_that_exist() {
        for (id, why) in SHORTFALLS {
            assert!(all().iter().any(|t| t.id == *id), "{id}");
            assert!(why.len() > 20, "{id}: say why");
        }
    }
}
