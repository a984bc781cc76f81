//! Tests that are known to fail, and why.

/// By id. A test of this list that fails is an `expected-fail`; one that passes is a pass, and leaves the list.
pub(crate) const SHORTFALLS: &[(&str, &str)] = &[];
