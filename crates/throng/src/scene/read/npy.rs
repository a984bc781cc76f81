//! Arrays of two dimensions as NumPy writes them, 32 or 64 bits a number: heights.

use crate::world::grid::Grid;

const MAGIC: &[u8] = b"\x93NUMPY";
/// What an array may have on a side.
const MOST: usize = 16_384;

/// An array, its first row first.
pub(super) struct Array {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) values: Vec<f32>,
}

/// Reads one, or says why it cannot be.
pub(super) fn read(bytes: &[u8]) -> Result<Array, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is no NumPy array")?;
    let (version, rest) = rest.split_at_checked(2).ok_or("it ends too soon")?;
    let wide = if version[0] == 1 { 2 } else { 4 };
    let (length, rest) = rest.split_at_checked(wide).ok_or("it ends too soon")?;
    let length = length.iter().rev().fold(0usize, |n, &byte| n << 8 | usize::from(byte));
    let (header, data) = rest.split_at_checked(length).ok_or("it ends too soon")?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is no text")?;
    if !entry(header, "fortran_order")?.starts_with("False") {
        return Err("it is in Fortran order: save it with numpy.ascontiguousarray".into());
    }
    let bits = match entry(header, "descr")?.get(1..4) {
        Some("<f4") => 4,
        Some("<f8") => 8,
        _ => return Err("its numbers are not '<f4' or '<f8': save it with .astype('f4')".into()),
    };
    let shape = entry(header, "shape")?.strip_prefix('(').and_then(|s| s.split_once(')')).ok_or("it has no shape")?.0;
    let sides: Vec<usize> =
        shape.split(',').map(str::trim).filter(|s| !s.is_empty()).map_while(|s| s.parse().ok()).collect();
    let [height, width] = sides[..] else { return Err("it has not two dimensions, rows and columns".into()) };
    if !(1..=MOST).contains(&width) || !(1..=MOST).contains(&height) {
        return Err(format!("it is {width} × {height}: 1 to {MOST} a side"));
    }
    if data.len() != width * height * bits {
        return Err(format!(
            "it has {} bytes of numbers, and its shape asks for {}",
            data.len(),
            width * height * bits
        ));
    }
    let number = |b: &[u8]| match *b {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]) as f32,
        _ => f32::NAN,
    };
    Ok(Array { width, height, values: data.chunks_exact(bits).map(number).collect() })
}

/// What follows a key of the header.
fn entry<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let missing = || format!("its header has no {key}");
    let (_, rest) = header.split_once(&format!("'{key}'")).ok_or_else(missing)?;
    Ok(rest.trim_start().strip_prefix(':').ok_or_else(missing)?.trim_start())
}

/// A number per cell as such a file, the south row first.
pub(in crate::scene) fn write(grid: &Grid, values: &[f32]) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", grid.height, grid.width);
    // The numbers begin at a multiple of 64 bytes.
    let used = MAGIC.len() + 2 + 2 + header.len() + 1;
    header.extend(std::iter::repeat_n(' ', used.next_multiple_of(64) - used));
    header.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend_from_slice(bytemuck::cast_slice(values));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_survives_being_written_and_read() {
        let grid = Grid { width: 3, height: 2, cell: 0.5 };
        let bytes = write(&grid, &[1.0, -2.5, 3.0, 0.1, 5.0, 6.0]);
        let array = read(&bytes).expect("it is sound");
        assert_eq!((array.width, array.height, &array.values[..4]), (3, 2, &[1.0, -2.5, 3.0, 0.1][..]));
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err(), "cut at {end}");
        }
    }
}
