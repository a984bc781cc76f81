//! The parameters of a model, each declared once.
//!
//! `parameters!` makes a plain struct of a list of parameters, and a table of them: key, default, unit, range, what it does.
//! Everything that has to do with all parameters goes through the table: reading a scene and what is said when it is wrong,
//! writing it, the check of ranges, snapshots, the sliders of the window, the table in `docs/scene.md`, and the numbers as a
//! shader gets them. `choices!` does the same for the words that a choice may be.
//!
//! A steering or planning model declares its own struct in its own folder; one line in [`super::Model`]'s list of parts
//! makes it a sub-table of `[model]`.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What a scene calls it.
    pub key: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// What it does, in a sentence or two.
    pub what: &'static str,
    /// What values it may have.
    pub kind: Kind,
    /// If it matters only while a choice of the same table is made: the key of that choice, and the word.
    pub only_with: Option<(&'static str, &'static str)>,
}

/// What values a parameter may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number.
    Number {
        /// If a scene does not say.
        default: f32,
        /// What a scene may say.
        range: RangeInclusive<f32>,
        /// What can be useful: the ends of a slider.
        slider: RangeInclusive<f32>,
    },
    /// A whole number.
    Whole {
        /// If a scene does not say.
        default: u32,
        /// What a scene may say.
        range: RangeInclusive<u32>,
        /// What can be useful: the ends of a slider.
        slider: RangeInclusive<u32>,
    },
    /// One of a few words; the first is the default.
    Choice {
        /// All of them.
        words: &'static [Word],
    },
}

/// A word that a choice may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// As a scene writes it.
    pub word: &'static str,
    /// What it means, in a sentence or two.
    pub what: &'static str,
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of a number.
    Number(f32),
    /// Of a whole number.
    Whole(u32),
    /// Of a choice: which of its words, from 0.
    Choice(usize),
}

impl Value {
    /// As 32 bits: those of an `f32`, or of a `u32`.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Self::Number(x) => x.to_bits(),
            Self::Whole(n) => n,
            Self::Choice(index) => index as u32,
        }
    }
}

impl Parameter {
    /// How a person calls it: the key with spaces.
    #[must_use]
    pub fn name(&self) -> String {
        self.key.replace('_', " ")
    }

    /// The value if a scene does not say.
    #[must_use]
    pub fn default(&self) -> Value {
        match self.kind {
            Kind::Number { default, .. } => Value::Number(default),
            Kind::Whole { default, .. } => Value::Whole(default),
            Kind::Choice { .. } => Value::Choice(0),
        }
    }

    /// Whether a scene may give it this value.
    #[must_use]
    pub fn allows(&self, value: Value) -> bool {
        match (&self.kind, value) {
            (Kind::Number { range, .. }, Value::Number(x)) => range.contains(&x),
            (Kind::Whole { range, .. }, Value::Whole(n)) => range.contains(&n),
            (Kind::Choice { words }, Value::Choice(index)) => index < words.len(),
            _ => false,
        }
    }

    /// What a scene may give it, in words that follow "is": `a number, 0 to 100 m`.
    #[must_use]
    pub fn allowed(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match &self.kind {
            Kind::Number { range, .. } => format!("a number, {} to {}{unit}", range.start(), range.end()),
            Kind::Whole { range, .. } => format!("a whole number, {} to {}{unit}", range.start(), range.end()),
            Kind::Choice { words } => {
                let list: Vec<String> = words.iter().map(|w| format!("\"{}\"", w.word)).collect();
                format!("one of {}", list.join(", "))
            }
        }
    }

    /// A value of it as TOML.
    #[must_use]
    pub fn toml(&self, value: Value) -> String {
        match (&self.kind, value) {
            (Kind::Choice { words }, Value::Choice(index)) => {
                format!("\"{}\"", words.get(index).map_or("", |w| w.word))
            }
            (_, Value::Number(x)) => x.to_string(),
            (_, Value::Whole(n)) => n.to_string(),
            (_, Value::Choice(index)) => index.to_string(),
        }
    }

    /// The value that [`Value::bits`] gave, if it is one of this kind.
    fn value_of(&self, bits: u32) -> Value {
        match self.kind {
            Kind::Number { .. } => Value::Number(f32::from_bits(bits)),
            Kind::Whole { .. } => Value::Whole(bits),
            Kind::Choice { .. } => Value::Choice(bits as usize),
        }
    }
}

/// Values that are each within range and yet cannot be together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The parameter to show.
    pub key: &'static str,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// Parameters with a table: what `parameters!` makes.
pub trait Parameters {
    /// What they are for, in a sentence.
    fn about(&self) -> &'static str;
    /// The table, in the order in which they are written.
    fn table(&self) -> &'static [Parameter];
    /// All keys: those of the table, then the names of parts.
    fn keys(&self) -> &'static [&'static str];
    /// The value of the parameter with this key, if there is one.
    fn get(&self, key: &str) -> Option<Value>;
    /// Gives the parameter with this key a value, within its range or not. Returns whether there is one of that kind.
    fn set(&mut self, key: &str, value: Value) -> bool;
    /// Parameters in tables of their own, with their names.
    fn parts(&self) -> Vec<(&'static str, &dyn Parameters)>;
    /// The same, to change.
    fn parts_mut(&mut self) -> Vec<(&'static str, &mut dyn Parameters)>;
    /// What cannot be together, if anything.
    fn contradiction(&self) -> Option<Contradiction>;

    /// The table with the values, in order.
    fn values(&self) -> Vec<(&'static Parameter, Value)> {
        let value = |p: &'static Parameter| self.get(p.key).expect("every key of the table has a value");
        self.table().iter().map(|p| (p, value(p))).collect()
    }

    /// Whether a scene could say all this: every value is within its range, and nothing contradicts.
    fn is_sound(&self) -> bool {
        self.values().iter().all(|(p, value)| p.allows(*value))
            && self.contradiction().is_none()
            && self.parts().iter().all(|(_, part)| part.is_sound())
    }

    /// Whether a parameter of the table matters, given the choices that are made now.
    fn matters(&self, parameter: &Parameter) -> bool {
        parameter.only_with.is_none_or(|(key, word)| self.chosen(key) == Some(word))
    }

    /// Whether a part matters. One that is named like a word of a choice matters while that choice is made, others always.
    fn part_matters(&self, name: &str) -> bool {
        let offers = |p: &Parameter| match p.kind {
            Kind::Choice { words } => words.iter().any(|w| w.word == name),
            _ => false,
        };
        let mut choices = self.table().iter().filter(|p| offers(p)).peekable();
        choices.peek().is_none() || choices.any(|p| self.chosen(p.key) == Some(name))
    }

    /// The word that a choice of the table is now, by its key.
    fn chosen(&self, key: &str) -> Option<&'static str> {
        self.values().into_iter().find_map(|(p, value)| match (&p.kind, value) {
            (Kind::Choice { words }, Value::Choice(index)) if p.key == key => Some(words.get(index)?.word),
            _ => None,
        })
    }

    /// Every value as 32 bits, in order; those of parts follow.
    fn bits(&self) -> Vec<u32> {
        let own = self.values().into_iter().map(|(_, value)| value.bits());
        own.chain(self.parts().iter().flat_map(|(_, part)| part.bits())).collect()
    }

    /// Takes the values that [`Parameters::bits`] gave off the front of a list. Returns whether there were enough, and all
    /// of them of their kind and within range.
    fn take_bits(&mut self, from: &mut &[u32]) -> bool {
        for parameter in self.table() {
            let Some((&first, rest)) = from.split_first() else { return false };
            *from = rest;
            let value = parameter.value_of(first);
            if !parameter.allows(value) || !self.set(parameter.key, value) {
                return false;
            }
        }
        self.parts_mut().into_iter().all(|(_, part)| part.take_bits(from))
    }

    /// The values of the table, without those of parts, as a shader's uniform: field by field the struct that
    /// [`Parameters::wgsl`] declares. Whole numbers and choices are the bits of a `u32`.
    fn words(&self) -> Vec<[f32; 4]> {
        let each: Vec<f32> = self.values().into_iter().map(|(_, value)| f32::from_bits(value.bits())).collect();
        each.chunks(4).map(|four| std::array::from_fn(|k| four.get(k).copied().unwrap_or(0.0))).collect()
    }

    /// The struct that a shader reads [`Parameters::words`] as: numbers are `f32`, whole numbers and choices (by the place
    /// of their word, from 0) `u32`; the end is filled up to a multiple of 16 bytes.
    fn wgsl(&self, name: &str) -> String {
        let mut text = format!("struct {name} {{\n{}", self.wgsl_fields());
        let used = self.table().len();
        for k in 0..used.next_multiple_of(4) - used {
            text += &format!("    padding_{k}: f32,\n");
        }
        text + "}\n"
    }

    /// The fields of that struct, a line each, without what fills it up.
    fn wgsl_fields(&self) -> String {
        let kind = |p: &Parameter| if matches!(p.kind, Kind::Number { .. }) { "f32" } else { "u32" };
        self.table().iter().map(|p| format!("    {}: {},\n", p.key, kind(p))).collect()
    }
}

/// A choice between a few words: what `choices!` makes.
pub trait Choice: Copy + PartialEq + 'static {
    /// All choices; the first is the default.
    const ALL: &'static [Self];
    /// Their words, in the same order.
    const WORDS: &'static [Word];
}

/// What a field of a struct of parameters can be.
pub(crate) trait Setting: Sized {
    fn value(self) -> Value;
    fn of(value: Value) -> Option<Self>;
}

impl Setting for f32 {
    fn value(self) -> Value {
        // A negative zero is a zero, as for the reader.
        Value::Number(self + 0.0)
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::Number(x) = value { Some(x) } else { None }
    }
}

impl Setting for u32 {
    fn value(self) -> Value {
        Value::Whole(self)
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::Whole(n) = value { Some(n) } else { None }
    }
}

impl<T: Choice> Setting for T {
    fn value(self) -> Value {
        Value::Choice(T::ALL.iter().position(|c| *c == self).expect("every choice is listed"))
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::Choice(index) = value { T::ALL.get(index).copied() } else { None }
    }
}

/// Makes an enum of choices. Comments are what a user reads about each; the first is the default.
///
/// ```text
/// choices! {
///     /// How a cell's value follows from its neighbours'.
///     pub enum Scheme {
///         /// The consistent, monotone scheme over four quadrants.
///         Upwind = "upwind",
///     }
/// }
/// ```
macro_rules! choices {
    (
        $(#[doc = $about:literal])+
        $vis:vis enum $name:ident {
            $(#[doc = $default_what:literal])+
            $default:ident = $default_word:literal,
            $($(#[doc = $what:literal])+ $choice:ident = $word:literal,)*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        $vis enum $name {
            $(#[doc = $default_what])+
            #[default]
            $default,
            $($(#[doc = $what])+ $choice,)*
        }

        impl $crate::scene::parameters::Choice for $name {
            const ALL: &'static [Self] = &[Self::$default, $(Self::$choice,)*];
            const WORDS: &'static [$crate::scene::parameters::Word] = &[
                $crate::scene::parameters::Word {
                    word: $default_word,
                    what: concat!($($default_what),+).trim_ascii(),
                },
                $($crate::scene::parameters::Word { word: $word, what: concat!($($what),+).trim_ascii() },)*
            ];
        }
    };
}

/// Makes a struct of parameters with its table. A line is
/// `name: f32 = DEFAULT, UNIT, LEAST..=MOST, slider FROM..=TO;` (or `u32`), or `name: CHOICE;`; both may end in
/// `, only with OTHER = WORD`. The comment above is what a user reads about it. `parts` are structs made the same
/// way, which become sub-tables; `flattens` takes the parts of another struct over; `refuses` names a function that finds contradictions.
///
/// ```text
/// parameters! {
///     /// People who keep a distance.
///     pub struct KeepDistance {
///         /// What is kept to whoever is ahead, beyond touching.
///         gap: f32 = 0.5, "m", 0.0..=10.0, slider 0.0..=3.0;
///     }
/// }
/// ```
macro_rules! parameters {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $what:literal])+
                $field:ident: $type:ident
                $(= $default:literal, $unit:literal, $least:literal..=$most:literal, slider $from:literal..=$to:literal)?
                $(, only with $other:ident = $word:literal)?;
            )*
        }
        $(parts { $($part:ident: $part_type:ident as $part_name:literal;)* })?
        $(flattens { $($flat:ident: $flat_type:ident;)* })?
        $(refuses $contradiction:path;)?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $name {
            $($(#[doc = $what])+ $vis $field: $type,)*
            $($(#[doc = concat!("What its sub-table `", $part_name, "` says.")] $vis $part: $part_type,)*)?
            $($(#[doc = "Parts from another table."] $vis $flat: $flat_type,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($field: parameters!(@default $type $(= $default)?),)*
                    $($($part: $part_type::default(),)*)?
                    $($($flat: $flat_type::default(),)*)?
                }
            }
        }

        impl $crate::scene::parameters::Parameters for $name {
            fn about(&self) -> &'static str {
                concat!($($about),+).trim_ascii()
            }

            fn table(&self) -> &'static [$crate::scene::parameters::Parameter] {
                static TABLE: &[$crate::scene::parameters::Parameter] = &[
                    $($crate::scene::parameters::Parameter {
                        key: stringify!($field),
                        unit: concat!($($unit)?),
                        what: concat!($($what),+).trim_ascii(),
                        kind: parameters!(@kind $type $($default, $least..=$most, $from..=$to)?),
                        only_with: parameters!(@only $($other = $word)?),
                    },)*
                ];
                TABLE
            }

            fn keys(&self) -> &'static [&'static str] {
                static KEYS: std::sync::LazyLock<Vec<&'static str>> = std::sync::LazyLock::new(|| {
                    let own = [$(stringify!($field),)* $($($part_name,)*)?].into_iter();
                    own$($(.chain($flat_type::default().keys().iter().copied()))*)?.collect()
                });
                &KEYS
            }

            fn get(&self, key: &str) -> Option<$crate::scene::parameters::Value> {
                match key {
                    $(stringify!($field) => Some($crate::scene::parameters::Setting::value(self.$field)),)*
                    _ => None,
                }
            }

            fn set(&mut self, key: &str, value: $crate::scene::parameters::Value) -> bool {
                // A table may have no parameters of its own, but parts.
                let _ = value;
                match key {
                    $(stringify!($field) => {
                        let new = $crate::scene::parameters::Setting::of(value);
                        new.map(|new| self.$field = new).is_some()
                    })*
                    _ => false,
                }
            }

            fn parts(&self) -> Vec<(&'static str, &dyn $crate::scene::parameters::Parameters)> {
                let own: Vec<(&'static str, &dyn $crate::scene::parameters::Parameters)> =
                    vec![$($(($part_name, &self.$part as _),)*)?];
                own.into_iter()$($(.chain(self.$flat.parts()))*)?.collect()
            }

            fn parts_mut(&mut self) -> Vec<(&'static str, &mut dyn $crate::scene::parameters::Parameters)> {
                let own: Vec<(&'static str, &mut dyn $crate::scene::parameters::Parameters)> =
                    vec![$($(($part_name, &mut self.$part as _),)*)?];
                own.into_iter()$($(.chain(self.$flat.parts_mut()))*)?.collect()
            }

            fn contradiction(&self) -> Option<$crate::scene::parameters::Contradiction> {
                parameters!(@contradiction self $($contradiction)?)
            }
        }
    };
    (@default $type:ident = $default:literal) => { $default };
    (@default $type:ident) => { $type::default() };
    (@kind f32 $default:literal, $least:literal..=$most:literal, $from:literal..=$to:literal) => {
        $crate::scene::parameters::Kind::Number { default: $default, range: $least..=$most, slider: $from..=$to }
    };
    (@kind u32 $default:literal, $least:literal..=$most:literal, $from:literal..=$to:literal) => {
        $crate::scene::parameters::Kind::Whole { default: $default, range: $least..=$most, slider: $from..=$to }
    };
    (@kind $type:ident) => {
        $crate::scene::parameters::Kind::Choice { words: <$type as $crate::scene::parameters::Choice>::WORDS }
    };
    (@only $other:ident = $word:literal) => { Some((stringify!($other), $word)) };
    (@only) => { None };
    (@contradiction $model:ident $contradiction:path) => { $contradiction($model) };
    (@contradiction $model:ident) => { None };
}

pub(crate) use {choices, parameters};
