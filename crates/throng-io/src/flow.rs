//! Boxes side by side, going on in a new row where one is full.

pub(crate) struct Flow {
    /// Where each box starts, from the corner of the whole.
    pub(crate) places: Vec<(i32, i32)>,
    pub(crate) rows: i32,
}

/// Places boxes of the given widths into rows of at most `available` pixels,
/// `gap` apart, a new row each `row` pixels. A box wider than the whole gets
/// a row of its own.
pub(crate) fn flow(widths: &[i32], available: i32, row: i32, gap: i32) -> Flow {
    let (mut x, mut line) = (0, 0);
    let mut places = Vec::with_capacity(widths.len());
    for &width in widths {
        if x > 0 && x + width > available {
            (x, line) = (0, line + 1);
        }
        places.push((x, line * row));
        x += width + gap;
    }
    Flow { rows: if places.is_empty() { 0 } else { line + 1 }, places }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_on_in_a_new_row() {
        let flow = flow(&[40, 40, 40, 300, 10], 100, 20, 10);
        assert_eq!(flow.places, [(0, 0), (50, 0), (0, 20), (0, 40), (0, 60)]);
        assert_eq!(flow.rows, 4);
        assert_eq!(super::flow(&[], 100, 20, 10).rows, 0);
    }
}
