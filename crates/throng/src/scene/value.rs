//! TOML with places: every value knows where it stands, every table knows which of its keys were asked for.

use super::error::{SceneError, Source};
use std::cell::RefCell;
use std::ops::{Range, RangeBounds};
use toml_edit::{Document, Item, Value};

/// Tables in tables in tables: deeper than any scene needs.
const DEEPEST: usize = 16;

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
        Value::Array(list) => Kind::List(
            list.iter().map(|v| value_node(source, v, span.clone(), depth + 1)).collect::<Result<_, _>>()?,
        ),
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
            Kind::Number(x) => format!("the number {x}"),
            Kind::Truth(b) => format!("{b}"),
            Kind::List(items) => format!("a list of {}", items.len()),
            Kind::Table(_) => "a table".into(),
            Kind::Other(what) => (*what).into(),
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Whole(i) => Some(i as f64),
            Kind::Number(x) => Some(x),
            _ => None,
        }
    }
}

fn shorten(s: &str) -> String {
    if s.chars().count() > 40 { s.chars().take(40).chain(['…']).collect() } else { s.to_owned() }
}

/// A table that is being read.
pub(super) struct Table<'a> {
    pub(super) source: &'a Source,
    /// How messages call it: `[model]`, `[[agents]]`.
    pub(super) name: String,
    pub(super) span: Range<usize>,
    entries: &'a [Entry],
    known: RefCell<Vec<&'static str>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(source: &'a Source, node: &'a Node, name: impl Into<String>) -> Result<Self, SceneError> {
        let name = name.into();
        match &node.kind {
            Kind::Table(entries) => {
                Ok(Self { source, name, span: node.span.clone(), entries, known: RefCell::default() })
            }
            _ => Err(SceneError::at(source, node.span.clone(), format!("{name} must be a table, not {}", node.describe()))
                .help("write it as { key = value, … }, or as a [table]")),
        }
    }

    pub(super) fn get(&self, key: &'static str) -> Option<&'a Node> {
        self.known.borrow_mut().push(key);
        self.entries.iter().find(|e| e.key == key).map(|e| &e.value)
    }

    /// The place of a value, or of the table where the value is missing.
    pub(super) fn place(&self, key: &str) -> Range<usize> {
        self.entries.iter().find(|e| e.key == key).map_or(self.span.clone(), |e| e.value.span.clone())
    }

    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        SceneError::at(self.source, self.place(key), message)
    }

    /// An error if there is a key that nobody asked for.
    pub(super) fn finish(&self) -> Result<(), SceneError> {
        let known = self.known.borrow();
        let Some(stranger) = self.entries.iter().find(|e| !known.contains(&e.key.as_str())) else {
            return Ok(());
        };
        let nearest = known
            .iter()
            .map(|k| (strsim::damerau_levenshtein(k, &stranger.key), *k))
            .filter(|(distance, k)| *distance <= 2.max(k.len() / 3))
            .min();
        let mut list: Vec<&str> = known.clone();
        list.sort_unstable();
        list.dedup();
        let help = match nearest {
            Some((_, k)) => format!("did you mean `{k}`?"),
            None => format!("{} knows: {}", self.name, list.join(", ")),
        };
        Err(SceneError::at(
            self.source,
            stranger.key_span.clone(),
            format!("unknown key `{}` in {}", shorten(&stranger.key), self.name),
        )
        .label("not a key of this table")
        .help(help))
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
        let x = x as f32;
        if !x.is_finite() || !range.contains(&x) {
            return Err(SceneError::at(self.source, node.span.clone(), format!("`{key}` is {x}, which is out of range"))
                .help(format!("{key} is {right}")));
        }
        Ok(x)
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
            self.error(key, format!("`{key}` cannot be \"{}\"", shorten(word))).help(format!("{key} is one of {right}"))
        })
    }

    pub(super) fn wrong_type(&self, node: &Node, key: &str, right: &str) -> SceneError {
        SceneError::at(self.source, node.span.clone(), format!("`{key}` cannot be {}", node.describe()))
            .help(format!("{key} is {right}"))
    }
}
