//! Numbers that are typed: fields show rounded ones, and a text that nobody has changed says nothing new.

/// What a field that shows a number with so many decimals at most takes from its text; `None` as long as that is what it shows by itself, since the
/// decimals that are not shown would be lost, and a number beyond the ends of the field would be another one.
pub(super) fn typed(now: f64, decimals: usize) -> impl Fn(&str) -> Option<f64> {
    move |text| {
        let text: String =
            text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '−' { '-' } else { c }).collect();
        let number: f64 = text.parse().ok()?;
        let rounded = format!("{now:.decimals$}").parse() == Ok(number);
        (!rounded && number as f32 != now as f32).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::typed;

    #[test]
    fn a_text_that_says_what_is_shown_changes_nothing() {
        assert_eq!(typed(0.12345, 3)("0.123"), None);
        assert_eq!(typed(f64::from(0.1f32), 3)("0.1"), None);
        assert_eq!(typed(50.0, 3)("50"), None);
        assert_eq!(typed(-2.0, 3)("−2.0"), None);
        assert_eq!(typed(0.5, 3)("half"), None);
    }

    #[test]
    fn another_number_counts() {
        assert_eq!(typed(1.2, 3)("1"), Some(1.0));
        assert_eq!(typed(0.12345, 3)("0.1234"), Some(0.1234));
        assert_eq!(typed(1234.5, 2)("1 234"), Some(1234.0));
    }
}
