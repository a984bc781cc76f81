//! What is wrong with a scene, where, and what would be right.

use super::excerpt::{Excerpt, printable};
use miette::{Diagnostic, LabeledSpan, SourceCode};
use std::ops::Range;

/// A scene that cannot be used. As a [`miette::Diagnostic`] it shows the line; [`std::fmt::Display`] gives
/// file, line and message in one line.
#[derive(Debug, Clone)]
pub struct SceneError(Box<Details>);

/// Boxed, since errors travel through every function that reads a scene.
#[derive(Debug, Clone)]
struct Details {
    message: String,
    file: String,
    /// Where it begins in the text.
    start: usize,
    line: usize,
    help: Option<String>,
    excerpt: Option<Excerpt>,
    label: String,
    others: Vec<SceneError>,
}

impl SceneError {
    /// An error at a place in the text.
    #[must_use]
    pub fn at(source: &Source, span: Range<usize>, message: impl Into<String>) -> Self {
        let mut start = span.start.min(source.text.len());
        while !source.text.is_char_boundary(start) {
            start -= 1;
        }
        let line = source.text.as_bytes()[..start].iter().filter(|&&b| b == b'\n').count() + 1;
        // The label marks the first line only: a whole table would drown the message.
        let end = span.end.clamp(start, source.text.len());
        let shown = source.text.get(start..end).unwrap_or("");
        let first_line = shown.lines().next().unwrap_or("").trim_end().len();
        Self(Box::new(Details {
            message: printable(&message.into()),
            file: printable(&source.name),
            start,
            line,
            help: None,
            excerpt: Some(Excerpt::new(source, start..start + first_line, line - 1)),
            label: "here".into(),
            others: Vec::new(),
        }))
    }

    /// An error of the file as a whole.
    #[must_use]
    pub fn whole(source: &Source, message: impl Into<String>) -> Self {
        let mut error = Self::at(source, 0..0, message);
        error.0.excerpt = None;
        error
    }

    /// Says what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(printable(&help.into()));
        self
    }

    /// Replaces the word at the marked place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.0.label = printable(&label.into());
        self
    }

    /// Tells of another mistake too.
    #[must_use]
    pub(crate) fn and(mut self, mut other: Self) -> Self {
        let more = std::mem::take(&mut other.0.others);
        self.0.others.push(other);
        self.0.others.extend(more);
        self
    }

    /// This one and what else is told with it, each alone.
    pub(super) fn each(mut self) -> impl Iterator<Item = Self> {
        let others = std::mem::take(&mut self.0.others);
        std::iter::once(self).chain(others)
    }

    /// So many mistakes are told together at most: there may be more.
    pub const MOST: usize = 20;

    /// What else is wrong with the scene, as far as it was found.
    #[must_use]
    pub fn others(&self) -> &[Self] {
        &self.0.others
    }

    /// Where in the text each of them begins: this one, and what else is told with it.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self).chain(self.others()).map(|error| error.0.start)
    }

    /// The file that the scene was read from.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The line of the error, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl std::fmt::Display for SceneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.0.file, self.0.line, self.0.message)
    }
}

impl std::error::Error for SceneError {}

impl Diagnostic for SceneError {
    fn help(&self) -> Option<Box<dyn std::fmt::Display + '_>> {
        self.0.help.as_ref().map(|h| Box::new(h) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.0.excerpt.as_ref()?.span;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(self.0.label.clone()), span))))
    }
}

/// A scene's text and the name it goes by.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Source {
    /// The file's name, for messages.
    pub name: String,
    /// The text.
    pub text: String,
}
