//! Pictures as PNG files.

use std::io;
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};

use super::PictureError;
use crate::atomic::write_atomically;

/// Stores a picture as a PNG file, which appears whole or not at all, see
/// [`write_atomically`].
///
/// # Errors
///
/// [`PictureError::Write`], which names the path and the cause.
pub fn write_png(path: &Path, image: &RgbImage) -> Result<(), PictureError> {
    write_atomically(path, |out| {
        PngEncoder::new_with_quality(out, CompressionType::Default, FilterType::Adaptive)
            .write_image(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgb8)
            .map_err(io::Error::other)
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_as_it_went() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let image = RgbImage::from_fn(7, 5, |x, y| image::Rgb([x as u8, y as u8, 200]));
        write_png(&path, &image).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let back = image::load_from_memory_with_format(&bytes, image::ImageFormat::Png).unwrap();
        assert_eq!(back.into_rgb8(), image);
    }

    #[test]
    fn a_failure_names_the_path() {
        let path = Path::new("/no such folder/a.png");
        let message = write_png(path, &RgbImage::new(1, 1)).unwrap_err().to_string();
        assert!(message.contains("/no such folder/a.png"), "{message}");
    }

    #[test]
    fn an_empty_image_is_refused_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        assert!(write_png(&path, &RgbImage::new(0, 0)).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
