//! Crowds that were measured: the rows of `data/measured.csv`, which criteria and plots share.
//!
//! Quantities: `speed` (m/s over persons/m²), `flow` (persons/s over the width of an opening, m), `bands` and `shuffled` (band index
//! over persons/m²), `lane-speed` (m/s over persons/m²).

use std::sync::OnceLock;

const TABLE: &str = include_str!("../data/measured.csv");

/// One measured value.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was measured.
    pub quantity: &'static str,
    /// In which experiment and by which method.
    pub row: &'static str,
    /// At which density or width.
    pub x: f64,
    /// How much.
    pub y: f64,
    /// Its standard deviation, where it is known.
    pub deviation: Option<f64>,
    /// Where it comes from.
    pub source: &'static str,
}

/// All rows.
pub fn measured() -> &'static [Measured] {
    static ROWS: OnceLock<Vec<Measured>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.lines().skip(1).filter_map(parse).collect())
}

fn parse(line: &'static str) -> Option<Measured> {
    let mut columns = line.splitn(6, ',');
    let mut next = || columns.next();
    let (quantity, row) = (next()?, next()?);
    let (x, y) = (next()?.parse().ok()?, next()?.parse().ok()?);
    Some(Measured { quantity, row, x, y, deviation: next()?.parse().ok(), source: next()?.trim_matches('"') })
}

/// The values of a row, in its order.
pub fn row(quantity: &str, row: &str) -> Vec<&'static Measured> {
    measured().iter().filter(|m| m.quantity == quantity && m.row == row).collect()
}

/// Persons/s through an opening so wide, m: the line through 79 published points.
#[must_use]
pub fn line_of_openings(width: f64) -> f64 {
    2.26 * width - 0.17
}

/// Weidmann's speed at a density in persons/m², m/s.
#[must_use]
pub fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_row() {
        assert_eq!(measured().len(), TABLE.lines().count() - 1);
        assert!(measured().iter().all(|m| m.x > 0.0 && m.y > 0.0 && !m.source.is_empty()));
        let speeds: Vec<f64> = row("speed", "one-way 1.8 m voronoi").iter().map(|m| m.y).collect();
        assert_eq!(speeds, [1.38, 1.24, 1.04, 0.70, 0.42, 0.35]);
    }

    #[test]
    fn weidmanns_curve_has_the_values_of_its_table() {
        for (density, speed) in [(0.5, 1.30), (1.0, 1.06), (1.5, 0.81), (2.0, 0.61), (2.5, 0.45), (3.0, 0.33)] {
            assert!((weidmann(density) - speed).abs() < 0.006, "{density}: {}", weidmann(density));
        }
    }
}
