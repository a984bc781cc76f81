//! Changing one value of a scene's text, as `--set model.plan=static` does.

use toml_edit::{DocumentMut, Item, Value};

/// The text with one value changed. `key` is a path such as `dt`, `model.flow_weight` or `agents.0.count` (entry 0
/// of a list); `value` is TOML, or plain text where it is no TOML.
///
/// # Errors
/// A sentence that says which part of the path does not exist or does not fit.
pub fn with_value(text: &str, key: &str, value: &str) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let new: Value = value.parse().unwrap_or_else(|_| Value::from(value));
    let parts: Vec<&str> = key.split('.').map(str::trim).collect();
    if parts.iter().any(|p| p.is_empty()) {
        return Err(format!("\"{key}\" is not a key: write it as model.plan or agents.0.count"));
    }
    if parts.len() > DEEPEST {
        return Err(format!("a key of {} parts is none: nothing in a scene is so deep", parts.len()));
    }
    let mut item: &mut Item = document.as_item_mut();
    for (depth, part) in parts.iter().enumerate() {
        let so_far = parts[..depth].join(".");
        let last = depth + 1 == parts.len();
        if let Ok(index) = part.parse::<usize>() {
            if item.is_array_of_tables() {
                let tables = item.as_array_of_tables_mut().expect("it is one");
                let n = tables.len();
                let table =
                    tables.get_mut(index).ok_or(format!("`{so_far}` has {}: there is no {index}", numbered(n)))?;
                if last {
                    return Err(format!("`{key}` is a whole table: name one of its keys"));
                }
                let next = parts[depth + 1];
                if depth + 2 == parts.len() {
                    table.insert(next, Item::Value(new));
                    return Ok(document.to_string());
                }
                item = table.get_mut(next).ok_or(format!("`{so_far}.{index}` has no `{next}`"))?;
                return within(item, &parts[depth + 2..], key, new).map(|()| document.to_string());
            }
            if item.as_value().is_none() {
                return Err(format!("the scene has no list `{so_far}`: write its first entry into the file"));
            }
            return within(item, &parts[depth..], key, new).map(|()| document.to_string());
        }
        let list = item.is_array_of_tables();
        let table = item.as_table_like_mut().ok_or(if list {
            format!("`{so_far}` is a list: say which entry, as in {so_far}.0.{part}")
        } else {
            format!("`{so_far}` is not a table: there is no `{part}` in it")
        })?;
        if last {
            table.insert(part, Item::Value(new));
            return Ok(document.to_string());
        }
        if table.get(part).is_none() {
            table.insert(part, Item::Table(toml_edit::Table::new()));
        }
        item = table.get_mut(part).expect("it was inserted");
    }
    Err(format!("\"{key}\" is not a key"))
}

/// Parts of a key at most.
const DEEPEST: usize = 32;

/// Goes on inside a value: lists by number, inline tables by key.
fn within(item: &mut Item, parts: &[&str], key: &str, new: Value) -> Result<(), String> {
    let mut value = item.as_value_mut().ok_or(format!("`{key}` leads into a table of tables"))?;
    let whole: Vec<&str> = key.split('.').map(str::trim).collect();
    for (k, part) in parts.iter().enumerate() {
        let so_far = || whole[..whole.len() - parts.len() + k].join(".");
        value = match value {
            Value::Array(list) => {
                let n = list.len();
                let index: usize =
                    part.parse().map_err(|_| format!("`{part}` in `{key}` is not a number of an entry"))?;
                list.get_mut(index).ok_or(format!(
                    "the list `{}` has {}: there is no {index}",
                    so_far(),
                    numbered(n)
                ))?
            }
            Value::InlineTable(table) => {
                if table.get(part).is_none() {
                    table.insert(*part, Value::from(0));
                }
                table.get_mut(part).expect("it was inserted")
            }
            _ => return Err(format!("`{key}`: there is nothing inside a plain value")),
        };
    }
    *value = new;
    Ok(())
}

/// So many entries, in words.
fn numbered(n: usize) -> String {
    match n {
        0 => "no entries".to_owned(),
        1 => "one entry, 0".to_owned(),
        n => format!("{n} entries, 0 to {}", n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::with_value;

    const TEXT: &str =
        "dt = 0.04\n[map]\nwalls = [{ rect = [0, 0, 1, 1] }]\n[[agents]]\ncount = 3\n[[agents]]\ncount = 4\n";

    #[test]
    fn values_change_at_any_depth() {
        let set = |k, v| with_value(TEXT, k, v).unwrap();
        assert!(set("dt", "0.02").contains("dt = 0.02"));
        assert!(set("agents.1.count", "7").contains("count = 7"));
        assert!(
            set("map.walls.0.rect.2", "5").contains("[0, 0,5, 1]")
                || set("map.walls.0.rect.2", "5").contains("[0, 0, 5, 1]")
        );
        assert!(set("model.plan", "static").contains("plan = \"static\""));
        assert!(set("agents.0.journey", "[\"a\"]").contains("journey = [\"a\"]"));
    }

    #[test]
    fn a_path_that_leads_nowhere_says_where_it_ends() {
        assert!(with_value(TEXT, "agents.5.count", "1").unwrap_err().contains("no 5"));
        assert!(with_value(TEXT, "dt.x", "1").unwrap_err().contains("`dt`"));
        assert!(with_value(TEXT, "", "1").is_err());
        assert!(with_value(TEXT, "map.walls.9.rect", "1").unwrap_err().contains("no 9"));
        assert!(with_value(TEXT, "map.walls.0.rect.7", "1").unwrap_err().contains("`map.walls.0.rect` has 4 entries"));
        assert!(with_value(TEXT, "event.0.at", "5").unwrap_err().contains("no list `event`"));
        // Quickly: tables in tables in tables are slow to write and to read.
        assert!(with_value(TEXT, &"a.".repeat(50_000), "1").is_err());
        let deep = "a.".repeat(50_000) + "b";
        assert!(with_value(TEXT, &deep, "1").unwrap_err().contains("50001 parts"));
    }
}
