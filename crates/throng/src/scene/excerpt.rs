//! The lines around an error, as a terminal can show them: no line is longer than a screen is wide, and nothing in them is an order
//! to the terminal.

use super::error::Source;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Letters of a line that are shown before and after the place of an error.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// A text in which every character shows: control characters, and those that turn the direction of writing, as signs that stand for them.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(sign).collect()
}

/// Whether a character shows as it is: it is none of those that [`printable`] replaces.
#[must_use]
pub fn is_printable(c: char) -> bool {
    sign(c) == c
}

fn sign(c: char) -> char {
    match c {
        '\0'..='\x1F' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\x7F' => '\u{2421}',
        '\u{80}'..='\u{9F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        other => other,
    }
}

/// Up to three lines of a text, with the place of an error in the middle one.
#[derive(Clone, Debug)]
pub(super) struct Excerpt {
    name: String,
    shown: String,
    /// The number of the first line that is shown, from 0.
    first_line: usize,
    /// The line and column of the place in the whole text, from 0.
    at: (usize, usize),
    /// The place in `shown`.
    pub(super) span: SourceSpan,
}

impl Excerpt {
    /// `line` is the number of the line in which the place begins, from 0.
    pub(super) fn new(source: &Source, place: Range<usize>, line: usize) -> Self {
        let text = source.text.as_str();
        let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[place.start..].find('\n').map_or(text.len(), |at| place.start + at);
        let mut shown = String::new();
        if start > 0 {
            let before = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
            shown += &cut(&text[before..start - 1], 0).0;
            shown.push('\n');
        }
        let column = text[start..place.start].chars().count();
        let (middle, skipped) = cut(&text[start..end], column);
        // A sign for what was left out stands before the rest.
        let before = column - skipped + usize::from(skipped > 0);
        let offset = |chars: usize| middle.char_indices().nth(chars).map_or(middle.len(), |(at, _)| at);
        let length = text[place.start..place.end.min(end)].chars().count();
        let (from, to) = (offset(before), offset(before + length));
        let span = SourceSpan::from((shown.len() + from, to - from));
        shown += &middle;
        if end < text.len() {
            let after = text[end + 1..].find('\n').map_or(text.len(), |at| end + 1 + at);
            shown.push('\n');
            shown += &cut(&text[end + 1..after], 0).0;
            if after < text.len() {
                shown.push('\n');
            }
        }
        let first_line = line - usize::from(start > 0);
        Self { name: printable(&source.name), shown, first_line, at: (line, place.start - start), span }
    }
}

/// The part of a line around a column, and how many letters are left out before it.
fn cut(line: &str, column: usize) -> (String, usize) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let letters = line.chars().count();
    if letters <= BEFORE + AFTER {
        return (visible(line), 0);
    }
    let skipped = column.saturating_sub(BEFORE);
    let part: String = line.chars().skip(skipped).take(BEFORE + AFTER).collect();
    let [left, right] = [skipped > 0, skipped + BEFORE + AFTER < letters].map(|more| if more { "…" } else { "" });
    (format!("{left}{}{right}", visible(&part)), skipped)
}

/// As [`printable`]; tabs stay, which whoever draws the lines makes spaces.
fn visible(line: &str) -> String {
    line.split('\t').map(printable).collect::<Vec<_>>().join("\t")
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (from, line, column) =
            if lines_before == 0 { (span.offset(), self.at.0, self.at.1) } else { (0, self.first_line, 0) };
        let data = self.shown.as_bytes().get(from..).ok_or(MietteError::OutOfBounds)?;
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            data,
            SourceSpan::from((from, data.len())),
            line,
            column,
            data.split(|b| *b == b'\n').count(),
        );
        Ok(Box::new(contents.with_language("toml")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneError;

    fn drawn(text: &str, place: Range<usize>) -> String {
        let source = Source { name: "a\u{1B}b.toml".into(), text: text.into() };
        let error = SceneError::at(&source, place, "this is \u{1B}[2J wrong").help("write \u{9B}it").label("he\u{7}re");
        let mut out = String::new();
        let theme = miette::GraphicalTheme::unicode_nocolor();
        miette::GraphicalReportHandler::new_themed(theme).render_report(&mut out, &error).expect("it can be drawn");
        out
    }

    #[test]
    fn an_error_far_along_a_line_is_shown_with_what_is_around_it() {
        let text = format!("first = 1\n{}wrong{}\nlast = 2\n", "é".repeat(70_000), "x".repeat(200));
        let at = text.find("wrong").expect("it is there");
        let shown = drawn(&text, at..at + 5);
        assert!(shown.contains("…éé") && shown.contains("wrongxx") && shown.contains("xx…"), "{shown}");
        assert!(shown.contains("first = 1") && shown.contains("last = 2") && shown.contains(":2:"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 200), "{shown}");
        let mark = shown.lines().find(|line| line.contains('┬')).expect("a mark");
        let line = shown.lines().find(|line| line.contains("wrong") && line.contains('…')).expect("the line");
        let place = |line: &str, letter: char| line.chars().position(|c| c == letter);
        assert_eq!(place(mark, '┬'), place(line, 'w').map(|at| at + 2), "under the middle of the word: {shown}");
    }

    #[test]
    fn nothing_in_a_message_is_an_order_to_a_terminal() {
        let shown = drawn("a = 1\n# \u{1B}[31m\u{9B}\u{202E} hidden\r\nb = 2", 10..12);
        assert!(shown.chars().all(|c| c == '\n' || is_printable(c)), "{shown:?}");
        assert!(shown.contains("␛[31m") && shown.contains("a␛b.toml"), "{shown}");
    }

    #[test]
    fn places_at_the_ends_of_a_text_are_shown() {
        for (text, place) in [("", 0..0), ("a", 1..1), ("a\n", 2..2), ("\n\n", 1..1), ("é", 0..2), ("a = é\n", 4..6)]
        {
            drawn(text, place);
        }
    }
}
