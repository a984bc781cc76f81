//! Changes to inputs that keep what they are: a scene stays TOML, a snapshot a list of words. Half of all changes are libFuzzer's own.

use crate::scenes::BETWEEN;
use std::sync::LazyLock;
use toml_edit::{DocumentMut, InlineTable, Value};

/// Numbers that have a meaning somewhere, or that nobody means.
const NUMBERS: [f64; 34] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    0.1,
    0.25,
    0.01,
    0.001,
    0.05,
    1e-7,
    1e-20,
    1e-45,
    7.5,
    12.0,
    63.0,
    64.0,
    100.0,
    255.0,
    1e4,
    65_536.0,
    1e5,
    16_777_217.0,
    134_217_728.0,
    4_294_967_295.0,
    4_294_967_296.0,
    1e10,
    3.5e38,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Words that a field of 32 bits of a snapshot may hold.
const WORDS: [u32; 16] = [
    0,
    1,
    2,
    3,
    7,
    255,
    65_536,
    0x7FFF_FFFF,
    0x8000_0000,
    0x7FC0_0000,
    0x7F80_0000,
    0xFF80_0000,
    0x7F7F_FFFF,
    0x3F80_0000,
    0x4B18_9680,
    u32::MAX,
];

/// Random numbers without a state of their own beyond 64 bits (xorshift).
struct Dice(u64);

impl Dice {
    fn new(seed: u32) -> Self {
        Self((u64::from(seed) << 20) ^ 0x9E37_79B9_7F4A_7C15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())) }
    }
}

/// A key and what it may hold, by the path to the table that it stands in.
struct Donor {
    table: Vec<String>,
    key: String,
    value: Value,
}

/// All keys of the scenes here, and of what is written of them: every value in force.
static DONORS: LazyLock<Vec<Donor>> = LazyLock::new(|| {
    let mut donors = Vec::new();
    for text in crate::seeds::SCENES {
        let written = crate::seeds::scene(text).to_toml();
        for text in [text, &written] {
            if let Some(mut whole) = parse(text) {
                visit(&mut whole, &mut Vec::new(), &mut |value, path| {
                    if let Value::InlineTable(table) = value {
                        for (key, value) in table.iter() {
                            donors.push(Donor { table: path.to_vec(), key: key.to_owned(), value: value.clone() });
                        }
                    }
                });
            }
        }
    }
    donors
});

/// A text as one value, however its tables are written.
fn parse(text: &str) -> Option<Value> {
    let document: DocumentMut = text.parse().ok()?;
    Some(Value::InlineTable(document.as_table().clone().into_inline_table()))
}

/// The text of such a value: a line for each of its keys.
fn text_of(whole: &Value) -> String {
    let Some(table) = whole.as_inline_table() else { return String::new() };
    let mut document = DocumentMut::new();
    for (key, value) in table.iter() {
        document.insert(key, toml_edit::Item::Value(value.clone().decorated(" ", "")));
    }
    document.to_string()
}

/// Calls a function with every value, the outer before the inner, and the keys that lead to it.
fn visit(value: &mut Value, path: &mut Vec<String>, with: &mut impl FnMut(&mut Value, &[String])) {
    with(value, path);
    match value {
        Value::Array(list) => list.iter_mut().for_each(|entry| visit(entry, path, with)),
        Value::InlineTable(table) => {
            for (key, inner) in table.iter_mut() {
                path.push(key.to_string());
                visit(inner, path, with);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Changes a scene's text, or one of the two that a line parts.
pub fn text(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut dice = Dice::new(seed);
    let input = std::str::from_utf8(&data[..size]).unwrap_or("");
    let changed = if dice.below(3) == 0 {
        None
    } else if let Some((first, second)) = input.split_once(BETWEEN) {
        match dice.below(3) {
            0 => change(first, &mut dice).map(|first| format!("{first}{BETWEEN}{second}")),
            1 => change(first, &mut dice).map(|second| format!("{first}{BETWEEN}{second}")),
            _ => change(second, &mut dice).map(|second| format!("{first}{BETWEEN}{second}")),
        }
    } else {
        // `--set`'s line is no TOML by itself, and stays as it is.
        let (head, rest) = match input.split_once('\n') {
            Some((head, rest)) if input.parse::<DocumentMut>().is_err() => (format!("{head}\n"), rest),
            _ => (String::new(), input),
        };
        change(rest, &mut dice).map(|rest| head + &rest)
    };
    match changed.filter(|text| text.len() <= max_size && !text.is_empty()) {
        Some(text) => {
            data[..text.len()].copy_from_slice(text.as_bytes());
            text.len()
        }
        None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
}

/// The text with one to three values changed; `None` if it is no TOML.
fn change(text: &str, dice: &mut Dice) -> Option<String> {
    let mut whole = parse(text)?;
    for _ in 0..=dice.below(3) {
        let mut count = 0;
        visit(&mut whole, &mut Vec::new(), &mut |_, _| count += 1);
        let (chosen, mut at) = (dice.below(count), 0);
        visit(&mut whole, &mut Vec::new(), &mut |value, path| {
            if at == chosen {
                alter(value, path, dice);
            }
            at += 1;
        });
    }
    Some(text_of(&whole))
}

fn alter(value: &mut Value, path: &[String], dice: &mut Dice) {
    match value {
        Value::InlineTable(table) => alter_table(table, path, dice),
        Value::Array(list) if !list.is_empty() && dice.below(4) > 0 => {
            let (i, j) = (dice.below(list.len()), dice.below(list.len()));
            match (dice.below(3), list.get(i).cloned()) {
                (0, _) => drop(list.remove(i)),
                (1, Some(entry)) => list.insert(j, entry),
                (_, Some(entry)) => drop(list.replace(j, entry)),
                _ => {}
            }
        }
        _ => *value = other(value, path, dice),
    }
}

fn alter_table(table: &mut InlineTable, path: &[String], dice: &mut Dice) {
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    if let (0, Some(key)) = (dice.below(4), dice.of(&keys)) {
        table.remove(key);
        return;
    }
    let fitting: Vec<&Donor> = DONORS.iter().filter(|donor| donor.table == path).collect();
    if let Some(donor) = dice.of(&fitting) {
        // Lists of tables grow.
        match (table.get_mut(&donor.key), &donor.value) {
            (Some(Value::Array(have)), Value::Array(more)) if dice.below(2) == 0 && !more.is_empty() => {
                have.extend(more.get(dice.below(more.len())).cloned());
            }
            _ => drop(table.insert(&donor.key, donor.value.clone())),
        }
    }
}

/// Something else in the place of a value.
fn other(value: &Value, path: &[String], dice: &mut Dice) -> Value {
    let number = value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    match (dice.below(8), number) {
        (0..=1, Some(n)) => from_number(n * [0.5, 2.0, 0.99, 1.01, -1.0, 10.0][dice.below(6)]),
        (2, Some(n)) => from_number(n + [1.0, -1.0, 0.25, 1e-3][dice.below(4)]),
        (3..=4, _) => {
            let same: Vec<&Donor> = DONORS.iter().filter(|d| path.last() == Some(&d.key)).collect();
            dice.of(&same).map_or_else(|| value.clone(), |donor| donor.value.clone())
        }
        (5, _) => dice.of(&DONORS).map_or_else(|| value.clone(), |donor| donor.value.clone()),
        _ => from_number(NUMBERS[dice.below(NUMBERS.len())]),
    }
}

/// A whole number as such, as authors write it.
fn from_number(n: f64) -> Value {
    if n.fract() == 0.0 && n.abs() < 1e15 { Value::from(n as i64) } else { Value::from(n) }
}

/// Changes words of 32 bits.
pub fn words(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut dice = Dice::new(seed);
    if size < 8 || dice.below(3) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    for _ in 0..=dice.below(3) {
        let (at, from) = (dice.below(size / 4) * 4, dice.below(size / 4) * 4);
        let old = u32::from_le_bytes(data[at..at + 4].try_into().expect("four bytes"));
        let there = u32::from_le_bytes(data[from..from + 4].try_into().expect("four bytes"));
        let new = match dice.below(5) {
            0 => old.wrapping_add(1),
            1 => old.wrapping_sub(1),
            2 => old ^ 1 << dice.below(32),
            3 => there,
            _ => WORDS[dice.below(WORDS.len())],
        };
        data[at..at + 4].copy_from_slice(&new.to_le_bytes());
    }
    size
}
