//! Text on a canvas: two sizes of one monospaced face, measured before drawn.

use embedded_graphics::mono_font::iso_8859_1::{FONT_9X15, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use embedded_graphics::text::{Baseline, Text};

use crate::canvas::{Canvas, Colour};

/// The size of the letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Face {
    Title,
    Body,
}

impl Face {
    fn font(self) -> &'static MonoFont<'static> {
        match self {
            Self::Title => &FONT_10X20,
            Self::Body => &FONT_9X15,
        }
    }

    /// The height of a letter with its ascender and descender.
    pub(crate) fn height(self) -> i32 {
        self.font().character_size.height as i32
    }

    /// The distance from one line to the next.
    pub(crate) fn line(self) -> i32 {
        self.height() + 4
    }

    pub(crate) fn width(self, text: &str) -> i32 {
        let letter = self.font().character_size.width + self.font().character_spacing;
        i32::try_from(text.chars().count()).map_or(i32::MAX, |n| n.saturating_mul(letter as i32))
    }

    /// How many letters fit into a width, at least one.
    fn fitting(self, width: i32) -> usize {
        (width / self.width("x")).max(1).unsigned_abs() as usize
    }
}

/// Puts common characters that the fonts lack (they hold ISO 8859-1) into
/// ones they have, and makes every white space a plain one.
pub(crate) fn printable(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            '\u{2018}' | '\u{2019}' => plain.push('\''),
            '\u{201c}' | '\u{201d}' => plain.push('"'),
            '\u{2026}' => plain.push_str("..."),
            '\u{2192}' => plain.push_str("->"),
            '\u{2264}' => plain.push_str("<="),
            '\u{2265}' => plain.push_str(">="),
            '\u{22c5}' => plain.push('·'),
            '\u{3bc}' => plain.push('µ'),
            '\u{207b}' => plain.push('¯'),
            white if white.is_whitespace() => plain.push(' '),
            other => plain.push(other),
        }
    }
    plain
}

/// Shortens a text that is wider than `width`, ending it in dots.
pub(crate) fn shorten(face: Face, text: &str, width: i32) -> String {
    let (length, fitting) = (text.chars().count(), face.fitting(width));
    if length <= fitting {
        return text.to_owned();
    }
    let dots = fitting.min(3);
    let mut short: String = text.chars().take(fitting - dots).collect();
    short.truncate(short.trim_end().len());
    short.extend(std::iter::repeat_n('.', dots));
    short
}

/// Breaks a text into lines no wider than `width`, between words where it
/// can. What does not go into `most` lines is replaced by dots.
pub(crate) fn wrap(face: Face, text: &str, width: i32, most: usize) -> Vec<String> {
    let fitting = face.fitting(width);
    let plain = printable(text);
    let mut lines: Vec<String> = Vec::new();
    for word in plain.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        // A word longer than the line is cut where the line ends.
        for (part, piece) in letters.chunks(fitting).enumerate() {
            let begun = lines.len();
            match lines.last_mut() {
                Some(line) if part == 0 && line.chars().count() + 1 + piece.len() <= fitting => {
                    line.push(' ');
                    line.extend(piece);
                }
                _ if begun > most => return cut(face, lines, width, most),
                _ => lines.push(piece.iter().collect()),
            }
        }
    }
    cut(face, lines, width, most)
}

fn cut(face: Face, mut lines: Vec<String>, width: i32, most: usize) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let room = width - face.width("...");
            let kept: String = last.chars().take(face.fitting(room)).collect();
            *last = shorten(face, &format!("{kept}..."), width);
        }
    }
    lines
}

/// Draws one line with its left upper corner at a point.
pub(crate) fn draw(canvas: &mut Canvas, face: Face, (x, y): (i32, i32), text: &str, colour: Colour) {
    let [red, green, blue] = colour;
    let style = MonoTextStyle::new(face.font(), Rgb888::new(red, green, blue));
    let Ok(_) = Text::with_baseline(text, Point::new(x, y), style, Baseline::Top).draw(canvas);
}

/// Draws lines below each other, the first with its corner at a point.
pub(crate) fn draw_lines(canvas: &mut Canvas, face: Face, (x, mut y): (i32, i32), lines: &[String], colour: Colour) {
    for line in lines {
        draw(canvas, face, (x, y), line, colour);
        y += face.line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_between_words() {
        let lines = wrap(Face::Body, "one  two\nthree", 8 * 9, 9);
        assert_eq!(lines, ["one two", "three"]);
        assert!(wrap(Face::Body, " ", 100, 9).is_empty());
    }

    #[test]
    fn no_line_is_wider_than_it_may_be() {
        let text = "a bb ccc dddd eeeee ffffffffffffffffffffffff g hhhhhhhhhhhh";
        for width in 1..200 {
            for most in 1..5 {
                let lines = wrap(Face::Body, text, width, most);
                assert!(lines.len() <= most);
                for line in &lines {
                    assert!(Face::Body.width(line) <= width.max(9), "{line:?} in {width}");
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_is_marked() {
        let lines = wrap(Face::Body, "one two three four", 5 * 9, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with("..."), "{lines:?}");
        assert_eq!(shorten(Face::Body, "a long name", 7 * 9), "a lo...");
        assert_eq!(shorten(Face::Body, "a name", 7 * 9), "a name");
    }

    #[test]
    fn the_fonts_hold_what_units_need() {
        // The replacement for a missing letter is '?': none of these is it.
        for face in [Face::Title, Face::Body] {
            let index = |letter| face.font().glyph_mapping.index(letter);
            for letter in "²³µ·×°±¯".chars() {
                assert_ne!(index(letter), index('?'), "{letter}");
            }
        }
        assert_eq!(printable("a\u{2212}b\tc\u{2026}"), "a-b c...");
    }
}
