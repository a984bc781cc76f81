//! Scenes and settings with slips of the pen, and texts that are none.

use super::*;

/// What numbers and words are replaced by.
const VALUES: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-3",
    "1e-9",
    "1e-40",
    "3.4e38",
    "1e39",
    "-1e39",
    "nan",
    "inf",
    "-inf",
    "100",
    "99999",
    "4294967295",
    "4294967296",
    "134217728",
    "9223372036854775807",
    "-9223372036854775808",
    "true",
    "\"\"",
    "\"door\"",
    "\"exit 0\"",
    "\"benches\"",
    "\"next\"",
    "\"respawn\"",
    "\"random\"",
    "\"static\"",
    "\"thesis\"",
    "\"gate\"",
    "\"stairs\"",
    "[]",
    "[[]]",
    "{}",
    "[0, 0, 0, 0]",
    "[1, 1, 2, 2]",
    "[1e7, 1e7]",
    "1979-05-27",
    "0x7f",
    "{ uniform = [0.1, 0.2] }",
    "{ normal = [1, 0] }",
    "{ normal = [1, 1e38] }",
    "{ goal = \"door\" }",
    "{ rect = [0, 0, 20, 10] }",
    "\"\"\"\nlong\n\"\"\"",
    "0.01",
    "20",
    "64",
];

#[derive(Clone, Debug)]
enum Slip {
    Delete(usize, usize),
    Insert(usize, Vec<u8>),
    Replace(usize, u8),
    DropLine(usize),
    RepeatLine(usize, usize),
    RepeatTable(usize),
    DropTable(usize),
    Value(usize, usize),
    Cut(usize),
}

fn slip() -> impl Strategy<Value = Slip> {
    let at = || any::<prop::sample::Index>().prop_map(|i| i.index(1 << 20));
    prop_oneof![
        1 => (at(), 1usize..12).prop_map(|(a, n)| Slip::Delete(a, n)),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(a, b)| Slip::Insert(a, b)),
        1 => (at(), prop::sample::select(b"[]{}=,.\"'#\n\r\t -+0123456789eE_xnai\\".to_vec())).prop_map(|(a, b)| Slip::Insert(a, vec![b])),
        1 => (at(), any::<u8>()).prop_map(|(a, b)| Slip::Replace(a, b)),
        2 => at().prop_map(Slip::DropLine),
        2 => (at(), at()).prop_map(|(a, b)| Slip::RepeatLine(a, b)),
        2 => at().prop_map(Slip::RepeatTable),
        2 => at().prop_map(Slip::DropTable),
        8 => (at(), at()).prop_map(|(a, v)| Slip::Value(a, v)),
        1 => at().prop_map(Slip::Cut),
    ]
}

/// The places of values in a text: numbers and words after `=`, in lists and in tables.
fn values(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let ends = |b: u8| b",]}#\n".contains(&b);
    let mut out = Vec::new();
    for i in 1..bytes.len() {
        let begins = b"=[, ".contains(&bytes[i - 1]) && (bytes[i].is_ascii_digit() || b"\"-{[".contains(&bytes[i]));
        if begins {
            let end = (i + 1..bytes.len()).find(|&k| ends(bytes[k])).unwrap_or(bytes.len());
            out.push(i..end);
        }
    }
    out
}

fn slipped(text: &str, slips: &[Slip]) -> String {
    let mut text = text.to_owned();
    for slip in slips {
        let lines = || text.split_inclusive('\n').map(str::to_owned).collect::<Vec<String>>();
        // Pieces that each begin with a header.
        let tables = || {
            let mut out: Vec<String> = vec![String::new()];
            for line in text.split_inclusive('\n') {
                if line.starts_with('[') {
                    out.push(String::new());
                }
                out.last_mut().expect("never empty").push_str(line);
            }
            out
        };
        let mut bytes = text.clone().into_bytes();
        let n = bytes.len();
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text = match slip {
            _ if n == 0 => return text,
            Slip::Delete(at, many) => {
                let at = at % n;
                bytes.drain(at..(at + many).min(n));
                lossy(&bytes)
            }
            Slip::Insert(at, what) => {
                let at = at % (n + 1);
                bytes.splice(at..at, what.iter().copied());
                lossy(&bytes)
            }
            Slip::Replace(at, what) => {
                bytes[at % n] = *what;
                lossy(&bytes)
            }
            Slip::Cut(at) => lossy(&bytes[..at % n]),
            Slip::DropLine(at) => {
                let mut lines = lines();
                lines.remove(at % lines.len());
                lines.concat()
            }
            Slip::RepeatLine(from, to) => {
                let mut lines = lines();
                let line = lines[from % lines.len()].clone();
                lines.insert(to % lines.len(), line);
                lines.concat()
            }
            Slip::RepeatTable(at) => {
                let mut tables = tables();
                let table = tables[at % tables.len()].clone();
                tables.push(table);
                tables.concat()
            }
            Slip::DropTable(at) => {
                let mut tables = tables();
                tables.remove(at % tables.len());
                tables.concat()
            }
            Slip::Value(at, which) => {
                let places = values(&text);
                if places.is_empty() {
                    return text;
                }
                let mut text = text.clone();
                text.replace_range(places[at % places.len()].clone(), VALUES[which % VALUES.len()]);
                text
            }
        };
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_slip_in_a_scene_brings_the_reader_down(
        which in 0usize..5, slips in prop::collection::vec(slip(), 1..7)
    ) {
        let (text, files) = &texts()[which];
        let text = slipped(text, &slips);
        match Scene::parse("slip.toml", &text, files.as_ref()) {
            Err(error) => {
                prop_assert!(error.line() <= text.lines().count() + 1, "line {} of {}", error.line(), text.lines().count());
                prop_assert!(!error.message().is_empty());
            }
            Ok(scene) => {
                survives(&scene, files.as_ref())?;
                try_out(&scene)?;
            }
        }
    }

    #[test]
    fn no_text_at_all_brings_the_reader_down(text in any::<String>(), lines in "([a-z.]{1,6} = [0-9\\[\\]{},.\"-]{0,12}\n|\\[\\[?[a-z.]{1,9}\\]\\]?\n){0,12}") {
        for text in [text, lines] {
            if let Ok(scene) = Scene::parse("any.toml", &text, &NoFiles) {
                try_out(&scene)?;
            }
        }
    }

    #[test]
    fn no_key_or_value_brings_the_editor_down(
        which in 0usize..5,
        key in prop_oneof![
            any::<String>(),
            prop::collection::vec(prop::sample::select(vec![
                "map", "walls", "agents", "goal", "zone", "event", "model", "0", "1", "2", "99", "18446744073709551616", "-1", "rect",
                "start", "count", "speed", "normal", "name", "size", "plan", "", " ", "a b", "\"q\"", "é", "journey", "shapes", "discomfort",
            ]), 1..6).prop_map(|v| v.join(".")),
        ],
        value in prop_oneof![any::<String>(), prop::sample::select(VALUES.to_vec()).prop_map(str::to_owned)],
    ) {
        let (text, files) = &texts()[which];
        if let Ok(changed) = with_value(text, &key, &value) {
            // Whatever came of it, it is TOML still; whether it is a scene is the reader's to say.
            if let Err(e) = Scene::parse("edited.toml", &changed, files.as_ref()) {
                prop_assert!(!e.message().contains("not TOML"), "{key} = {value}: {e}\n{changed}");
            }
        }
    }
}
