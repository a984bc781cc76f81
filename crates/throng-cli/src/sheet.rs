//! A contact sheet: several moments of a run in one picture.

use image::{Rgba, RgbaImage};

/// Between the pictures of a sheet, px.
const GAP: u32 = 4;
const BETWEEN: Rgba<u8> = Rgba([0xE8, 0xEA, 0xED, 0xFF]);
/// More than a gigabyte of pixels is a mistake.
const MOST_PIXELS: u64 = 1 << 28;

/// Pictures of one size beside and below each other.
pub(crate) struct Sheet {
    image: RgbaImage,
    cell: [u32; 2],
    columns: u32,
}

impl Sheet {
    /// For so many pictures; without a number of columns there are about as many as rows.
    pub(crate) fn new(cell: [u32; 2], count: u32, columns: Option<u32>) -> Result<Self, String> {
        let columns = columns.unwrap_or(f64::from(count).sqrt().ceil() as u32).clamp(1, count.max(1));
        let rows = count.div_ceil(columns);
        let side = |cells: u32, px: u32| u64::from(cells) * (u64::from(px) + u64::from(GAP)) - u64::from(GAP);
        let (width, height) = (side(columns, cell[0]), side(rows, cell[1]));
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(w), Ok(h)) if width * height <= MOST_PIXELS => {
                Ok(Self { image: RgbaImage::from_pixel(w, h, BETWEEN), cell, columns })
            }
            _ => Err(format!("the sheet would have {width} × {height} pixels: use a smaller --size or fewer moments")),
        }
    }

    /// Width and height of the sheet, px.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.image.width(), self.image.height()]
    }

    /// Puts a picture where it belongs: they are counted from the upper left corner, row by row.
    pub(crate) fn put(&mut self, number: u32, picture: &RgbaImage) {
        let (column, row) = (number % self.columns, number / self.columns);
        let place = |cells: u32, px: u32| i64::from(cells) * i64::from(px + GAP);
        image::imageops::replace(&mut self.image, picture, place(column, self.cell[0]), place(row, self.cell[1]));
    }

    pub(crate) fn into_image(self) -> RgbaImage {
        self.image
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_row_by_row_with_gaps() {
        let mut sheet = Sheet::new([10, 6], 5, None).expect("it is small");
        assert_eq!(sheet.size(), [3 * 10 + 2 * GAP, 2 * 6 + GAP]);
        for k in 0..5u8 {
            sheet.put(k.into(), &RgbaImage::from_pixel(10, 6, Rgba([k, k, k, 255])));
        }
        let image = sheet.into_image();
        assert_eq!(image.get_pixel(0, 0).0[0], 0);
        assert_eq!(image.get_pixel(10 + GAP, 5).0[0], 1);
        assert_eq!(*image.get_pixel(10 + GAP - 1, 5), BETWEEN);
        assert_eq!(image.get_pixel(10 + GAP + 9, 6 + GAP).0[0], 4);
        assert_eq!(*image.get_pixel(2 * (10 + GAP), 6 + GAP), BETWEEN, "there is no sixth");
    }

    #[test]
    fn columns_are_as_asked_and_sheets_too_large_are_refused() {
        assert_eq!(Sheet::new([10, 6], 5, Some(1)).map(|s| s.size()), Ok([10, 5 * 6 + 4 * GAP]));
        assert_eq!(Sheet::new([10, 6], 2, Some(9)).map(|s| s.size()), Ok([20 + GAP, 6]));
        assert!(Sheet::new([8192, 8192], 9, None).is_err_and(|e| e.contains("--size")));
    }
}
