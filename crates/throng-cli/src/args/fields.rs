//! Names of fields on the command line: those of the window's table.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use throng_view::look::Overlay;

const COUNT: usize = Overlay::ALL.len();

/// A field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OverlayName(pub(crate) Overlay);

impl ValueEnum for OverlayName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [OverlayName; COUNT] = {
            let mut all = [OverlayName(Overlay::Density); COUNT];
            let mut i = 0;
            while i < COUNT {
                all[i] = OverlayName(Overlay::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.meaning()))
    }
}

/// A field, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldName {
    One(Overlay),
    All,
}

impl ValueEnum for FieldName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FieldName; COUNT + 1] = {
            let mut all = [FieldName::All; COUNT + 1];
            let mut i = 0;
            while i < COUNT {
                all[i] = FieldName::One(Overlay::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::One(overlay) => OverlayName(*overlay).to_possible_value(),
            Self::All => Some(PossibleValue::new("all").help("All of them, as pictures in a folder.")),
        }
    }
}
