//! TOML with places: every value knows where it stands, every table knows which keys it may have.

use super::error::{SceneError, Source};
use std::ops::{Range, RangeBounds};
use toml_edit::{Document, Item, Value};

/// Tables in tables in tables: deeper than any scene needs.
const DEEPEST: usize = 16;

/// So many unknown keys of a table are told.
const MOST_STRANGERS: usize = 20;

/// A value and its place in the text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Text(String),
    Whole(i64),
    Number(f64),
    Truth(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    Other(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_span: Range<usize>,
    pub(super) value: Node,
}

/// Parses the text into a tree.
pub(super) fn parse(source: &Source) -> Result<Node, SceneError> {
    let document = Document::parse(source.text.as_str()).map_err(|e| {
        let span = e.span().unwrap_or(0..0);
        SceneError::at(source, span, format!("this is not TOML: {}", e.message().replace('\n', "; ")))
            .help("see docs/scene.md for the scene language, toml.io for TOML")
    })?;
    node(source, document.as_item(), 0..0, 0)
}

fn node(source: &Source, item: &Item, around: Range<usize>, depth: usize) -> Result<Node, SceneError> {
    let span = item.span().unwrap_or(around);
    if depth > DEEPEST {
        return Err(SceneError::at(source, span, "values are nested too deeply").help("no scene key needs this"));
    }
    let kind = match item {
        Item::None => Kind::Other("nothing"),
        Item::Value(value) => return value_node(source, value, span, depth),
        Item::Table(table) => Kind::Table(entries(source, table, &span, depth)?),
        Item::ArrayOfTables(tables) => Kind::List(
            tables
                .iter()
                .map(|t| {
                    let at = t.span().unwrap_or(span.clone());
                    Ok(Node { kind: Kind::Table(entries(source, t, &at, depth + 1)?), span: at })
                })
                .collect::<Result<_, SceneError>>()?,
        ),
    };
    Ok(Node { kind, span })
}

fn value_node(source: &Source, value: &Value, around: Range<usize>, depth: usize) -> Result<Node, SceneError> {
    let span = value.span().unwrap_or(around);
    if depth > DEEPEST {
        return Err(SceneError::at(source, span, "values are nested too deeply").help("no scene key needs this"));
    }
    let kind = match value {
        Value::String(s) => Kind::Text(s.value().clone()),
        Value::Integer(i) => Kind::Whole(*i.value()),
        Value::Float(f) => Kind::Number(*f.value()),
        Value::Boolean(b) => Kind::Truth(*b.value()),
        Value::Datetime(_) => Kind::Other("a date"),
        Value::Array(list) => {
            Kind::List(list.iter().map(|v| value_node(source, v, span.clone(), depth + 1)).collect::<Result<_, _>>()?)
        }
        Value::InlineTable(table) => Kind::Table(entries(source, table, &span, depth)?),
    };
    Ok(Node { kind, span })
}

fn entries(
    source: &Source,
    table: &dyn toml_edit::TableLike,
    around: &Range<usize>,
    depth: usize,
) -> Result<Vec<Entry>, SceneError> {
    let mut out = Vec::new();
    for (name, item) in table.iter() {
        let key_span = table.key(name).and_then(toml_edit::Key::span).unwrap_or(around.clone());
        let value = node(source, item, key_span.clone(), depth + 1)?;
        out.push(Entry { key: name.to_owned(), key_span, value });
    }
    Ok(out)
}

impl Node {
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Text(s) => format!("the text \"{}\"", shorten(s)),
            Kind::Whole(i) => format!("the number {i}"),
            // With its point: 200.0 is not the whole number 200.
            Kind::Number(x) => format!("the number {x:?}"),
            Kind::Truth(b) => format!("{b}"),
            Kind::List(items) if items.is_empty() => "an empty list".into(),
            Kind::List(items) => format!("a list of {}", items.len()),
            Kind::Table(_) => "a table".into(),
            Kind::Other(what) => (*what).into(),
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Whole(i) => Some(i as f64),
            // A negative zero is a zero: it would not survive being written as -0 and read again.
            Kind::Number(x) => Some(x + 0.0),
            _ => None,
        }
    }
}

/// The word that somebody who wrote `word` most likely meant: one letter may differ, of a long word a third.
#[must_use]
pub fn nearest<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    // No name is so long; and the distance to a hostile one would take for ever.
    if length > 100 {
        return None;
    }
    words
        .filter(|w| w.len() <= 400)
        .map(|w| (strsim::damerau_levenshtein(w, word), w))
        .filter(|(distance, w)| *distance <= (length.max(w.chars().count()) / 3).max(1) && *distance < length)
        .min()
        .map(|(_, w)| w)
}

/// A number for a message: with its digits where they can be read, else by its power of ten.
pub(super) fn plain(x: f64) -> String {
    if x.is_finite() && x != 0.0 && !(1e-4..1e10).contains(&x.abs()) { format!("{x:e}") } else { format!("{x}") }
}

pub(super) fn shorten(s: &str) -> String {
    if s.chars().count() > 40 { s.chars().take(40).chain(['…']).collect() } else { s.to_owned() }
}

/// A table that is being read.
pub(super) struct Table<'a> {
    pub(super) source: &'a Source,
    /// How messages call it: `[model]`, `[[agents]]`.
    pub(super) name: String,
    pub(super) span: Range<usize>,
    entries: &'a [Entry],
    keys: &'static [&'static str],
}

impl<'a> Table<'a> {
    /// Keys that are not among `keys` are refused at once: a misspelt key is told as such, not as a missing one.
    /// `right` says how it is written.
    pub(super) fn new(
        source: &'a Source,
        node: &'a Node,
        name: impl Into<String>,
        keys: &'static [&'static str],
        right: &str,
    ) -> Result<Self, SceneError> {
        let table = Self::with_any_keys(source, node, name, keys, right)?;
        table.strangers().map_or(Ok(table), Err)
    }

    /// The same with whatever keys it has: [`Table::strangers`] tells of those that are not among `keys`.
    pub(super) fn with_any_keys(
        source: &'a Source,
        node: &'a Node,
        name: impl Into<String>,
        keys: &'static [&'static str],
        right: &str,
    ) -> Result<Self, SceneError> {
        let name = name.into();
        let Kind::Table(entries) = &node.kind else {
            return Err(SceneError::at(
                source,
                node.span.clone(),
                format!("{name} must be a table, not {}", node.describe()),
            )
            .help(format!("write {right}")));
        };
        Ok(Self { source, name, span: node.span.clone(), entries, keys })
    }

    /// Keys that the table does not have, if there are any.
    pub(super) fn strangers(&self) -> Option<SceneError> {
        let strangers = self.entries.iter().filter(|e| !self.keys.contains(&e.key.as_str())).take(MOST_STRANGERS);
        strangers.map(|stranger| self.unknown(stranger)).reduce(SceneError::and)
    }

    /// Whether somebody who wrote an unknown key most likely meant this one.
    pub(super) fn misspells(&self, key: &str) -> bool {
        let mut strangers = self.entries.iter().filter(|e| !self.keys.contains(&e.key.as_str())).take(MOST_STRANGERS);
        strangers.any(|e| nearest(&e.key, self.keys.iter().copied()) == Some(key))
    }

    fn unknown(&self, stranger: &Entry) -> SceneError {
        if stranger.key == "line" && self.keys.contains(&"circle") {
            return SceneError::at(
                self.source,
                stranger.key_span.clone(),
                "a line has no area: only walls can be lines",
            )
            .help("write a thin rect = [west, south, east, north], or a polygon");
        }
        let help = match nearest(&stranger.key, self.keys.iter().copied()) {
            Some(key) => format!("did you mean `{key}`?"),
            None => format!("{} knows: {}", self.name, self.keys.join(", ")),
        };
        SceneError::at(
            self.source,
            stranger.key_span.clone(),
            format!("unknown key `{}` in {}", shorten(&stranger.key), self.name),
        )
        .label("not a key of this table")
        .help(help)
    }

    pub(super) fn get(&self, key: &'static str) -> Option<&'a Node> {
        debug_assert!(self.keys.contains(&key), "{key} is not among the keys of {}", self.name);
        self.entries.iter().find(|e| e.key == key).map(|e| &e.value)
    }

    /// The place of a value, or of the table where the value is missing.
    pub(super) fn place(&self, key: &str) -> Range<usize> {
        self.entries.iter().find(|e| e.key == key).map_or(self.span.clone(), |e| e.value.span.clone())
    }

    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        SceneError::at(self.source, self.place(key), message)
    }

    pub(super) fn f32(
        &self,
        key: &'static str,
        default: f32,
        range: impl RangeBounds<f32>,
        right: &str,
    ) -> Result<f32, SceneError> {
        match self.get(key) {
            None => Ok(default),
            Some(node) => self.number_in(node, key, range, right),
        }
    }

    pub(super) fn number_in(
        &self,
        node: &Node,
        key: &str,
        range: impl RangeBounds<f32>,
        right: &str,
    ) -> Result<f32, SceneError> {
        let Some(x) = node.number() else {
            return Err(self.wrong_type(node, key, right));
        };
        let value = x as f32;
        if !value.is_finite() || !range.contains(&value) {
            return Err(SceneError::at(
                self.source,
                node.span.clone(),
                format!("`{key}` is {}, which is out of range", plain(x)),
            )
            .help(format!("{key} is {right}")));
        }
        Ok(value)
    }

    pub(super) fn whole(
        &self,
        key: &'static str,
        default: u64,
        range: impl RangeBounds<u64>,
        right: &str,
    ) -> Result<u64, SceneError> {
        let Some(node) = self.get(key) else { return Ok(default) };
        let Kind::Whole(i) = node.kind else { return Err(self.wrong_type(node, key, right)) };
        match u64::try_from(i) {
            Ok(v) if range.contains(&v) => Ok(v),
            _ => Err(SceneError::at(self.source, node.span.clone(), format!("`{key}` is {i}, which is out of range"))
                .help(format!("{key} is {right}"))),
        }
    }

    pub(super) fn truth(&self, key: &'static str, default: bool) -> Result<bool, SceneError> {
        match self.get(key) {
            None => Ok(default),
            Some(Node { kind: Kind::Truth(b), .. }) => Ok(*b),
            Some(node) => Err(self.wrong_type(node, key, "true or false")),
        }
    }

    pub(super) fn text(&self, key: &'static str, right: &str) -> Result<Option<&'a str>, SceneError> {
        match self.get(key) {
            None => Ok(None),
            Some(Node { kind: Kind::Text(s), .. }) => Ok(Some(s)),
            Some(node) => Err(self.wrong_type(node, key, right)),
        }
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &'static str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, SceneError> {
        let right = choices.iter().map(|(w, _)| format!("\"{w}\"")).collect::<Vec<_>>().join(", ");
        let Some(word) = self.text(key, &format!("one of {right}"))? else { return Ok(default) };
        choices.iter().find(|(w, _)| *w == word).map(|(_, v)| *v).ok_or_else(|| {
            let help = match nearest(word, choices.iter().map(|(w, _)| *w)) {
                Some(meant) => format!("did you mean \"{meant}\"? {key} is one of {right}"),
                None => format!("{key} is one of {right}"),
            };
            self.error(key, format!("`{key}` cannot be \"{}\"", shorten(word))).help(help)
        })
    }

    pub(super) fn wrong_type(&self, node: &Node, key: &str, right: &str) -> SceneError {
        SceneError::at(self.source, node.span.clone(), format!("`{key}` cannot be {}", node.describe()))
            .help(format!("{key} is {right}"))
    }
}
