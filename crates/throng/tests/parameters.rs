//! The table of parameters: what is said in it holds for the reader, for scenes as they are written, for snapshots, for
//! shaders and for the page that describes scenes.

use std::fmt::Write;
use throng::scene::parameters::{Kind, Parameter, Parameters, Value};
use throng::scene::{Model, NoFiles};
use throng::{Scene, Simulation};

/// `[model]` and each table in it, by its path.
fn tables(model: &Model) -> Vec<(String, &dyn Parameters)> {
    let parts = model.parts().into_iter().map(|(name, part)| (format!("model.{name}"), part));
    std::iter::once(("model".to_owned(), model as &dyn Parameters)).chain(parts).collect()
}

/// The model with one value of the table at a path changed.
fn with(path: &str, key: &str, value: Value) -> Model {
    let mut model = Model::default();
    let found = match path.strip_prefix("model.") {
        None => model.set(key, value),
        Some(name) => model.parts_mut().into_iter().any(|(part, list)| part == name && list.set(key, value)),
    };
    assert!(found, "{path} has no {key} of that kind");
    model
}

/// Values that a scene may give: both ends of the range, or every word.
fn allowed(parameter: &Parameter) -> Vec<Value> {
    match &parameter.kind {
        Kind::Number { range, .. } => vec![Value::Number(*range.start()), Value::Number(*range.end())],
        Kind::Whole { range, .. } => vec![Value::Whole(*range.start()), Value::Whole(*range.end())],
        Kind::Choice { words } => (0..words.len()).map(Value::Choice).collect(),
    }
}

/// The nearest values that it may not.
fn refused(parameter: &Parameter) -> Vec<Value> {
    match &parameter.kind {
        Kind::Number { range, .. } => {
            let beyond = [range.start().next_down(), range.end().next_up(), f32::NAN, f32::INFINITY];
            beyond.map(Value::Number).into()
        }
        Kind::Whole { range, .. } => vec![Value::Whole(range.end() + 1)],
        // A word that is not there cannot be set at all.
        Kind::Choice { .. } => Vec::new(),
    }
}

const WORLD: &str =
    "size = [4, 4]\ngoal = [{ rect = [3, 0, 4, 4] }]\nagents = [{ count = 3, start = { rect = [0, 0, 2, 4] } }]\n";

fn read(model: &str) -> Result<Scene, String> {
    Scene::parse("model.toml", &format!("{WORLD}{model}"), &NoFiles).map_err(|e| e.to_string())
}

#[test]
fn a_table_says_everything_about_its_parameters() {
    let model = Model::default();
    for (path, list) in tables(&model) {
        let sentence =
            |text: &str| text.ends_with('.') && text.len() > 15 && text == text.trim() && !text.contains('`');
        assert!(sentence(list.about()), "{path}: \"{}\"", list.about());
        assert_eq!(list.keys().len(), list.table().len() + list.parts().len());
        for (i, parameter) in list.table().iter().enumerate() {
            let key = parameter.key;
            assert_eq!(list.keys()[i], key);
            assert!(!list.keys()[i + 1..].contains(&key), "{path}.{key} is there twice");
            assert!(sentence(parameter.what), "{path}.{key}: \"{}\"", parameter.what);
            assert!(parameter.allows(parameter.default()), "{path}.{key}: the default is out of range");
            assert_eq!(list.get(key), Some(parameter.default()), "{path}.{key}");
            match &parameter.kind {
                Kind::Number { range, slider, .. } => {
                    assert!(range.contains(slider.start()) && range.contains(slider.end()), "{path}.{key}");
                    assert!(slider.start() < slider.end(), "{path}.{key}");
                }
                Kind::Whole { range, slider, .. } => {
                    assert!(range.contains(slider.start()) && range.contains(slider.end()), "{path}.{key}");
                    assert!(slider.start() < slider.end(), "{path}.{key}");
                }
                Kind::Choice { words } => {
                    assert!(words.iter().all(|w| sentence(w.what)), "{path}.{key}: {words:?}");
                }
            }
            if let Some((other, word)) = parameter.only_with {
                let choice = list.table().iter().find(|p| p.key == other).map(|p| p.kind.clone());
                let offers = matches!(choice, Some(Kind::Choice { words }) if words.iter().any(|w| w.word == word));
                assert!(offers, "{path}.{key}: no {other} is \"{word}\"");
            }
        }
    }
}

#[test]
fn whatever_a_table_allows_is_written_read_and_kept() {
    let model = Model::default();
    for (path, list) in tables(&model) {
        for parameter in list.table() {
            for value in allowed(parameter) {
                let changed = with(&path, parameter.key, value);
                if !changed.is_sound() {
                    // Not by itself, but not with the defaults of others.
                    assert!(changed.contradiction().is_some(), "{path}.{}: {value:?}", parameter.key);
                    continue;
                }
                let mut scene = read("").unwrap();
                scene.model = changed;
                let again = Scene::parse("again.toml", &scene.to_toml(), &NoFiles).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(again.model, changed, "{path}.{}: {value:?}", parameter.key);
                let text = format!("[{path}]\n{} = {}\n", parameter.key, parameter.toml(value));
                assert_eq!(read(&text).unwrap().model, changed, "{text}");
                let mut bits = changed.bits();
                let mut back = Model::default();
                assert!(back.take_bits(&mut bits.as_slice()) && back == changed, "{text}");
                bits.pop();
                assert!(!back.take_bits(&mut bits.as_slice()), "a list that ends too soon");
            }
        }
    }
}

#[test]
fn whatever_a_table_refuses_is_refused_by_the_reader_the_check_and_snapshots() {
    let model = Model::default();
    let mut count = 0;
    for (path, list) in tables(&model) {
        for parameter in list.table() {
            for value in refused(parameter) {
                let changed = with(&path, parameter.key, value);
                assert!(!changed.is_sound(), "{path}.{}: {value:?}", parameter.key);
                let text = format!("[{path}]\n{} = {}\n", parameter.key, parameter.toml(value).replace("NaN", "nan"));
                let error = read(&text).expect_err(&text);
                assert!(error.contains(parameter.key), "{error}");
                assert!(!Model::default().take_bits(&mut changed.bits().as_slice()), "{text}");
                count += 1;
            }
            if let Kind::Choice { words } = &parameter.kind {
                let mut changed = model;
                assert!(!changed.set(parameter.key, Value::Choice(words.len())) && changed == model);
                assert!(read(&format!("[{path}]\n{} = \"nothing\"\n", parameter.key)).is_err());
            }
            let other_kind = if let Kind::Whole { .. } = parameter.kind { Value::Number(1.0) } else { Value::Whole(1) };
            assert!(!Model::default().set(parameter.key, other_kind), "{path}.{}", parameter.key);
        }
    }
    assert!(count > 40, "only {count} values were tried");
    assert!(!Model::default().set("mood", Value::Number(1.0)));
    assert_eq!(model.get("mood"), None);
}

#[test]
fn everything_that_a_run_was_set_to_is_in_its_snapshot() {
    let scene = read("").unwrap();
    let mut model = scene.model;
    let change = |list: &mut dyn Parameters| {
        for (parameter, value) in list.values() {
            let new = match (value, &parameter.kind) {
                (Value::Number(x), _) => Value::Number(0.9 * x + 0.01),
                (Value::Whole(n), _) => Value::Whole(n + 1),
                (Value::Choice(i), Kind::Choice { words }) => Value::Choice((i + 1) % words.len()),
                (choice, _) => choice,
            };
            assert!(list.set(parameter.key, new));
        }
    };
    change(&mut model);
    model.parts_mut().into_iter().for_each(|(_, part)| change(part));
    // Only how to steer has a single word.
    let same = model.bits().iter().zip(scene.model.bits()).filter(|(a, b)| **a == *b).count();
    assert!(same <= 1, "{same} parameters are as they were");
    let mut run = Simulation::new(&scene).unwrap();
    assert!(run.set_model(&model));
    let mut rest = Simulation::new(&scene).unwrap();
    rest.resume(&run.save().unwrap()).unwrap();
    assert_eq!(rest.scene().model, model);
    assert_eq!(rest.engine().scene().model, model);
}

#[test]
fn a_shader_can_read_the_values_by_their_names() {
    let model = Model { separation_rounds: 7, scheme: throng::stages::potential::Scheme::Thesis, ..Model::default() };
    for (path, list) in tables(&model) {
        let text = format!(
            "{}@group(0) @binding(0) var<uniform> all: Parameters;\n\
             @group(0) @binding(1) var<uniform> many: array<Parameters, 2>;\n",
            list.wgsl("Parameters")
        );
        let module =
            naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{path}: {}", e.emit_to_string(&text)));
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|e| panic!("{path}: {}", e.emit_to_string(&text)));
        let (_, declared) =
            module.types.iter().find(|(_, t)| t.name.as_deref() == Some("Parameters")).expect("as named");
        let naga::TypeInner::Struct { members, span } = &declared.inner else { panic!("{path}: no struct") };
        let bytes: Vec<u8> = list.words().iter().flatten().flat_map(|x| x.to_bits().to_le_bytes()).collect();
        assert_eq!(*span as usize, bytes.len(), "{path}: the sizes differ");
        for ((parameter, value), member) in list.values().into_iter().zip(members) {
            assert_eq!(member.name.as_deref(), Some(parameter.key));
            let kind = match module.types[member.ty].inner {
                naga::TypeInner::Scalar(scalar) => scalar.kind,
                ref other => panic!("{path}.{}: {other:?}", parameter.key),
            };
            let at = member.offset as usize;
            let bits = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
            let (expected, scalar) = match value {
                Value::Number(x) => (x.to_bits(), naga::ScalarKind::Float),
                Value::Whole(n) => (n, naga::ScalarKind::Uint),
                Value::Choice(index) => (index as u32, naga::ScalarKind::Uint),
            };
            assert_eq!((bits, kind), (expected, scalar), "{path}.{}", parameter.key);
        }
    }
}

/// The tables as Markdown.
fn markdown() -> String {
    let mut out = String::new();
    let model = Model::default();
    for (path, list) in tables(&model) {
        writeln!(out, "`[{path}]`: {}\n", list.about()).unwrap();
        writeln!(out, "| key | default | unit | range | meaning |\n|---|---|---|---|---|").unwrap();
        for parameter in list.table() {
            let default = parameter.toml(parameter.default());
            let mut meaning = match parameter.only_with {
                Some((key, word)) => format!("With `{key} = \"{word}\"`: {}", parameter.what),
                None => parameter.what.to_owned(),
            };
            let range = match &parameter.kind {
                Kind::Number { range, .. } => format!("{} to {}", range.start(), range.end()),
                Kind::Whole { range, .. } => format!("{} to {}, whole", range.start(), range.end()),
                Kind::Choice { words } => {
                    for word in *words {
                        write!(meaning, " `{}`: {}", word.word, word.what).unwrap();
                    }
                    String::new()
                }
            };
            let default = if default.starts_with('"') { format!("`{default}`") } else { default };
            writeln!(out, "| `{}` | {default} | {} | {range} | {meaning} |", parameter.key, parameter.unit).unwrap();
        }
        out.push('\n');
    }
    out
}

const BEGIN: &str = "<!-- parameters: made by `THRONG_UPDATE_DOCS=1 cargo test -p throng --test parameters` -->\n";
const END: &str = "<!-- end of parameters -->";

#[test]
fn the_page_about_scenes_has_the_tables() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scene.md");
    let text = std::fs::read_to_string(page).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the page says where the tables begin");
    let (tables, after) = rest.split_once(END).expect("and where they end");
    let right = format!("\n{}", markdown());
    if std::env::var_os("THRONG_UPDATE_DOCS").is_some() {
        std::fs::write(page, format!("{before}{BEGIN}{right}{END}{after}")).unwrap();
    } else {
        assert!(
            tables == right,
            "docs/scene.md is out of date: set THRONG_UPDATE_DOCS=1 and run this test; it should say\n{right}"
        );
    }
}
