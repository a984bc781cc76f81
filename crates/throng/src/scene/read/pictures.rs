//! Images by name: each is read once, whoever names it.

use super::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) struct Pictures<'a> {
    files: &'a dyn Files,
    budget: Budget,
    read: RefCell<BTreeMap<String, Picture>>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(files: &'a dyn Files, budget: Budget) -> Self {
        Self { files, budget, read: RefCell::default() }
    }

    /// The image that a key names, of at most so many pixels a side.
    pub(super) fn decode(
        &self,
        table: &Table<'_>,
        key: &'static str,
        name: &str,
        most: u32,
        right: &str,
    ) -> Result<image::RgbaImage, SceneError> {
        Ok(self.decode_as_it_is(table, key, name, most, right)?.into_rgba8())
    }

    /// The bytes of the file that a key names.
    pub(super) fn bytes(&self, table: &Table<'_>, key: &'static str, name: &str) -> Result<Vec<u8>, SceneError> {
        self.files.read(name).map_err(|why| {
            table
                .error(key, format!("cannot read \"{name}\": {why}"))
                .help("the name is relative to the scene's own folder")
        })
    }

    /// The image with the channels and bits that it has.
    pub(super) fn decode_as_it_is(
        &self,
        table: &Table<'_>,
        key: &'static str,
        name: &str,
        most: u32,
        right: &str,
    ) -> Result<image::DynamicImage, SceneError> {
        let bytes = self.bytes(table, key, name)?;
        let bad = |why: String| table.error(key, format!("\"{name}\" is not a usable PNG: {why}")).help(right);
        // As it is in the file, at most 8 bytes a pixel, and as it is used.
        let reader = image::ImageReader::with_format(std::io::Cursor::new(&bytes), image::ImageFormat::Png);
        if let Ok((width, height)) = reader.into_dimensions() {
            self.budget.ask(u64::from(width.min(most)) * u64::from(height.min(most)) * 12).map_err(bad)?;
        }
        let mut reader = image::ImageReader::with_format(std::io::Cursor::new(&bytes), image::ImageFormat::Png);
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(most);
        limits.max_image_height = Some(most);
        limits.max_alloc = Some(4 << 30);
        reader.limits(limits);
        reader.decode().map_err(|e| bad(why(&e, most)))
    }

    /// The same, to be drawn as it is.
    pub(super) fn picture(
        &self,
        table: &Table<'_>,
        key: &'static str,
        name: &str,
        most: u32,
        right: &str,
    ) -> Result<Picture, SceneError> {
        let known = self.read.borrow().get(name).filter(|p| p.width.max(p.height) <= most).cloned();
        if let Some(picture) = known {
            return Ok(picture);
        }
        let decoded = self.decode(table, key, name, most, right)?;
        let (width, height) = (decoded.width(), decoded.height());
        let picture = Picture { name: name.to_owned(), width, height, pixels: Arc::new(decoded.into_raw()) };
        self.read.borrow_mut().insert(name.to_owned(), picture.clone());
        Ok(picture)
    }
}

/// Why an image cannot be read, in words: a decoder speaks of its own parts.
fn why(error: &image::ImageError, most: u32) -> String {
    use image::ImageError::{Decoding, IoError, Limits, Unsupported};
    match error {
        Limits(_) => format!("it has more than {most} pixels a side, or needs too much memory"),
        Unsupported(_) => "it is of a kind that is not read".into(),
        IoError(_) => "it ends too soon".into(),
        Decoding(inner) => {
            let words = std::error::Error::source(inner).map_or_else(|| inner.to_string(), ToString::to_string);
            // Of what goes on inside, a plain sentence is kept.
            let plain = words.len() < 100 && !words.contains(['{', '}']) && !words.contains("::");
            if plain { words } else { "it is damaged".into() }
        }
        _ => "it is damaged".into(),
    }
}
