//! A changed scene in the text that it came from: only what differs is written, comments and order stay.
//!
//! What differs is found between two texts that `to_files` writes, of the scene as it was read and as it is now, and put into
//! the text of its author. Whether the result reads as the same scene is tried out before anybody gets it.

use super::{Files, Group, Scene};
use std::collections::{BTreeMap, BTreeSet};
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Keys of a goal that say the same as a list of one shape.
const SINGLE_SHAPES: [&str; 4] = ["rect", "circle", "polygon", "line"];

/// How much of a list's entry is kept when something in it differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// Everything else.
    Keys,
    /// Nothing: the entry is written anew.
    Entries,
}

impl Scene {
    /// The scene as files, like [`Scene::to_files`], with the text of the scene that it was made from by changes: its comments, its
    /// order, and all that has not changed. `files` are those beside it. `None` where no such text reads as the same scene.
    #[must_use]
    pub fn to_files_like(&self, origin: &Self, stem: &str, files: &dyn Files) -> Option<Vec<(String, Vec<u8>)>> {
        let [before, after] = [origin, self].map(|scene| scene.to_files(stem));
        let text = |list: &[(String, Vec<u8>)]| String::from_utf8(list.first()?.1.clone()).ok();
        let parse = |text: &str| text.parse::<DocumentMut>().ok();
        let [old, new] = [parse(&text(&before)?)?, parse(&text(&after)?)?];
        // An image may differ though its name is the same.
        let changed = after.iter().skip(1).filter(|file| !before.contains(file));
        let changed: BTreeSet<&str> = changed.map(|(name, _)| name.as_str()).collect();
        // What is new is written without what goes without saying, if it reads the same.
        let lean = defaults(origin);
        let none = Defaults::new();
        let ways = [(Keep::Keys, &lean), (Keep::Keys, &none), (Keep::Entries, &lean), (Keep::Entries, &none)];
        ways.into_iter().find_map(|(keep, defaults)| {
            let mut document = parse(&origin.source.text)?;
            let merge = Merge { keep, changed: &changed, defaults };
            merge.tables(document.as_table_mut(), old.as_table(), new.as_table())?;
            // A scene without a name has that of its file, and keeps it in another.
            if !document.contains_key("name") && self.name != stem {
                document.insert("name", toml_edit::value(self.name.clone()));
            }
            let text = document.to_string();
            let beside = Beside { new: &after, files };
            let read = Self::parse(&format!("{stem}.toml"), &text, &beside).ok()?;
            if read.to_files(stem) != after {
                return None;
            }
            let named = |name: &str| text.contains(&format!("\"{name}\""));
            let images = after.iter().skip(1).filter(|(name, _)| named(name)).cloned();
            Some(std::iter::once((format!("{stem}.toml"), text.clone().into_bytes())).chain(images).collect())
        })
    }
}

/// Files that are about to be written, and those that are there.
struct Beside<'a> {
    new: &'a [(String, Vec<u8>)],
    files: &'a dyn Files,
}

impl Files for Beside<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        match self.new.iter().find(|(n, _)| n == name) {
            Some((_, bytes)) => Ok(bytes.clone()),
            None => self.files.read(name),
        }
    }
}

struct Merge<'a> {
    keep: Keep,
    changed: &'a BTreeSet<&'a str>,
    defaults: &'a Defaults,
}

/// For each kind of list, what its entries are where they say nothing.
type Defaults = BTreeMap<&'static str, BTreeMap<String, String>>;

fn defaults(scene: &Scene) -> Defaults {
    let mut text = String::new();
    let group = Group::new("", 1, Vec::new(), Vec::new());
    // Writing to a String cannot fail.
    let _ = scene.write_group(&mut text, &group);
    let document = text.parse::<DocumentMut>().unwrap_or_default();
    let group = document.get("agents").and_then(|list| entry(list, 0));
    let mut of_groups: BTreeMap<String, String> =
        group.into_iter().flat_map(|g| g.iter().map(|(key, item)| (key.to_owned(), plain(item)))).collect();
    // Whoever reads it wants to know these.
    ["name", "count", "start", "journey"].iter().for_each(|key| drop(of_groups.remove(*key)));
    let one = |key: &str, value: &str| BTreeMap::from([(key.to_owned(), value.to_owned())]);
    BTreeMap::from([("agents", of_groups), ("walls", one("open", "false")), ("goal", one("open", "true"))])
}

impl Merge<'_> {
    /// Puts what differs between two tables into a third.
    fn tables(&self, into: &mut dyn TableLike, old: &dyn TableLike, new: &dyn TableLike) -> Option<()> {
        let mut keys: Vec<String> = new.iter().map(|(key, _)| key.to_owned()).collect();
        keys.extend(old.iter().map(|(key, _)| key.to_owned()).filter(|key| !new.contains_key(key)));
        for key in keys {
            match (old.get(&key), new.get(&key)) {
                (Some(a), Some(b)) if plain(a) == plain(b) && !self.names_a_changed_file(b) => {}
                (Some(a), Some(b)) => self.item(into, &key, a, b)?,
                (None, Some(b)) => {
                    into.insert(&key, moved(b));
                }
                (Some(_), None) => {
                    into.remove(&key);
                }
                (None, None) => {}
            }
        }
        Some(())
    }

    /// Whether an item, or something in it, names a file that differs.
    fn names_a_changed_file(&self, item: &Item) -> bool {
        let mut entries = (0..length(item).unwrap_or(0)).filter_map(|i| entry(item, i));
        item.as_str().is_some_and(|name| self.changed.contains(name))
            || item.as_table_like().is_some_and(|table| self.has_a_changed_file(table))
            || entries.any(|table| self.has_a_changed_file(table))
    }

    fn has_a_changed_file(&self, table: &dyn TableLike) -> bool {
        !self.changed.is_empty() && table.iter().any(|(_, item)| self.names_a_changed_file(item))
    }

    fn item(&self, into: &mut dyn TableLike, key: &str, old: &Item, new: &Item) -> Option<()> {
        if let (Some(a), Some(b)) = (old.as_table_like(), new.as_table_like()) {
            if into.get(key).is_none() {
                into.insert(key, Item::Table(Table::new()));
            }
            if let Some(table) = into.get_mut(key)?.as_table_like_mut() {
                return self.tables(table, a, b);
            }
        }
        if key == "shapes" {
            return put_shapes(into, new);
        }
        if let (Some(n), Some(m), Some(have)) = (length(old), length(new), into.get_mut(key))
            && length(have) == Some(n)
            && m >= n
        {
            return self.lists((key, have), old, new, n..m);
        }
        put(into, key, new)
    }

    /// Entries that both lists have one by one; then those that only the new one has.
    fn lists(
        &self,
        (key, into): (&str, &mut Item),
        old: &Item,
        new: &Item,
        more: std::ops::Range<usize>,
    ) -> Option<()> {
        for i in 0..more.start {
            let (a, b) = (entry(old, i)?, entry(new, i)?);
            if plain_table(a) == plain_table(b) && !self.has_a_changed_file(b) {
                continue;
            }
            let have = entry_mut(into, i)?;
            if self.keep == Keep::Keys {
                self.tables(have, a, b)?;
            } else {
                let keys: Vec<String> = have.iter().map(|(k, _)| k.to_owned()).collect();
                keys.iter().for_each(|k| drop(have.remove(k)));
                for (k, item) in b.iter() {
                    have.insert(k, moved(item));
                }
            }
        }
        let defaults = self.defaults.get(key);
        let said = |key: &str, item: &Item| defaults.and_then(|d| d.get(key)) != Some(&plain(item));
        more.into_iter().try_for_each(|i| push(into, entry(new, i)?, said))
    }
}

/// A goal's shapes, in the form that its author has chosen if that can say them.
fn put_shapes(into: &mut dyn TableLike, new: &Item) -> Option<()> {
    let written = SINGLE_SHAPES.into_iter().find(|key| into.contains_key(key));
    let single = new.as_array().filter(|list| list.len() == 1).and_then(|list| list.get(0)?.as_inline_table());
    if let (Some(key), Some(shape)) = (written, single)
        && let (1, Some(value)) = (shape.len(), shape.get(key))
    {
        return put(into, key, &Item::Value(value.clone()));
    }
    SINGLE_SHAPES.into_iter().for_each(|key| drop(into.remove(key)));
    put(into, "shapes", new)
}

/// Sets a value; what stands around the old one, a comment perhaps, stays.
fn put(into: &mut dyn TableLike, key: &str, new: &Item) -> Option<()> {
    let around = into.get(key).and_then(Item::as_value).map(|v| v.decor().clone());
    let mut item = moved(new);
    if let (Some(around), Some(value)) = (around, item.as_value_mut()) {
        *value.decor_mut() = around;
    }
    match into.get_mut(key) {
        Some(have) => *have = item,
        None => drop(into.insert(key, item)),
    }
    Some(())
}

/// An item without the comments around it and without the place that it has in the text it comes from.
fn moved(item: &Item) -> Item {
    let mut item = item.clone();
    match &mut item {
        Item::Table(table) => table.set_position(None),
        Item::ArrayOfTables(list) => list.iter_mut().for_each(|table| table.set_position(None)),
        Item::Value(value) => value.decor_mut().clear(),
        Item::None => {}
    }
    item
}

fn undecorated(mut value: Value) -> Value {
    value.decor_mut().clear();
    value
}

/// How many tables a list has; `None` if it is no list of tables.
fn length(item: &Item) -> Option<usize> {
    match item {
        Item::ArrayOfTables(list) => Some(list.len()),
        Item::Value(Value::Array(list)) => list.iter().all(Value::is_inline_table).then_some(list.len()),
        _ => None,
    }
}

fn entry(item: &Item, i: usize) -> Option<&dyn TableLike> {
    match item {
        Item::ArrayOfTables(list) => list.get(i).map(|t| t as &dyn TableLike),
        Item::Value(Value::Array(list)) => list.get(i)?.as_inline_table().map(|t| t as &dyn TableLike),
        _ => None,
    }
}

fn entry_mut(item: &mut Item, i: usize) -> Option<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(list) => list.get_mut(i).map(|t| t as &mut dyn TableLike),
        Item::Value(Value::Array(list)) => list.get_mut(i)?.as_inline_table_mut().map(|t| t as &mut dyn TableLike),
        _ => None,
    }
}

/// Adds a table to a list, as the others in it are written: of its keys those that have to be said.
fn push(into: &mut Item, table: &dyn TableLike, said: impl Fn(&str, &Item) -> bool) -> Option<()> {
    let keys = table.iter().filter(|(key, item)| said(key, item));
    match into {
        Item::ArrayOfTables(list) => {
            let mut new = Table::new();
            new.decor_mut().set_prefix("\n");
            for (key, item) in keys {
                new.insert(key, moved(item));
            }
            list.push(new);
        }
        Item::Value(Value::Array(list)) => {
            let mut new = InlineTable::new();
            for (key, item) in keys {
                new.insert(key, undecorated(item.clone().into_value().ok()?));
            }
            list.push(new);
        }
        _ => return None,
    }
    Some(())
}

/// What an item says, without comments and spaces.
fn plain(item: &Item) -> String {
    match item {
        Item::None => String::new(),
        Item::Value(value) => plain_value(value),
        Item::Table(table) => plain_table(table),
        Item::ArrayOfTables(list) => list.iter().map(|t| format!("{},", plain_table(t))).collect(),
    }
}

fn plain_value(value: &Value) -> String {
    match value {
        Value::Array(list) => list.iter().map(|v| format!("{},", plain_value(v))).collect(),
        Value::InlineTable(table) => plain_table(table),
        other => undecorated(other.clone()).to_string(),
    }
}

fn plain_table(table: &dyn TableLike) -> String {
    let entries: String = table.iter().map(|(key, item)| format!("{key}={};", plain(item))).collect();
    format!("{{{entries}}}")
}
