//! Files by name, most of them images: each is read once, whoever names it and by whatever name, and counted against the scene's budget
//! before it is decoded.

use super::*;
use crate::budget::{Budget, Grant};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of a pixel: as it is in the file, at most 8, and as it is used.
const PER_PIXEL: u64 = 12;

pub(super) struct Pictures<'a> {
    files: &'a dyn Files,
    budget: &'a Budget,
    read: RefCell<BTreeMap<String, Picture>>,
    /// Files that pictures came from: one that is known by two names is decoded once.
    sources: RefCell<Vec<(Vec<u8>, Picture)>>,
    /// Characters, each file once by every name that it has.
    characters: RefCell<Vec<CharacterFile>>,
    /// What has been taken for as long as the scene is being read, and what the scene holds beyond that.
    reading: RefCell<Vec<Grant>>,
    kept: RefCell<Vec<Grant>>,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(files: &'a dyn Files, budget: &'a Budget) -> Self {
        let (read, sources, characters) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { files, budget, read, sources, characters, reading: RefCell::default(), kept: RefCell::default() }
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

    /// Takes what the scene holds of a file in another form, for as long as it is there.
    pub(super) fn keep(&self, table: &Table<'_>, key: &'static str, name: &str, bytes: u64) -> Result<(), SceneError> {
        let grant = self.budget.take(bytes).map_err(|short| {
            let message = format!("there is no memory for \"{name}\" on the cells of this world: {short}");
            table.error(key, message).help("use larger cells or a smaller world")
        })?;
        self.kept.borrow_mut().push(grant);
        Ok(())
    }

    /// The bytes of the file that a key names.
    pub(super) fn bytes(&self, table: &Table<'_>, key: &'static str, name: &str) -> Result<Vec<u8>, SceneError> {
        let (bytes, grant) = self.granted(table, key, name)?;
        self.reading.borrow_mut().push(grant);
        Ok(bytes)
    }

    /// The same, with what they take.
    fn granted(&self, table: &Table<'_>, key: &'static str, name: &str) -> Result<(Vec<u8>, Grant), SceneError> {
        let wrong = |why: String| table.error(key, format!("cannot read \"{name}\": {why}"));
        let bytes =
            self.files.read(name).map_err(|why| wrong(why).help("the name is relative to the scene's own folder"))?;
        let grant = self.budget.take(bytes.len() as u64);
        let grant = grant.map_err(|short| wrong(short.to_string()).help("use a smaller file, or fewer of them"))?;
        Ok((bytes, grant))
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
        let (image, grant) = self.decode_bytes(table, key, name, most, right, &bytes)?;
        self.reading.borrow_mut().push(grant);
        Ok(image)
    }

    /// The same of bytes that are there already, with what it takes.
    fn decode_bytes(
        &self,
        table: &Table<'_>,
        key: &'static str,
        name: &str,
        most: u32,
        right: &str,
        bytes: &[u8],
    ) -> Result<(image::DynamicImage, Grant), SceneError> {
        let bad = |why: String| table.error(key, format!("\"{name}\" is not a usable PNG: {why}")).help(right);
        let reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), image::ImageFormat::Png);
        let grant = match reader.into_dimensions() {
            Ok((width, height)) => {
                let pixels = u64::from(width.min(most)) * u64::from(height.min(most));
                let smaller = "use a smaller image, or fewer of them: what names the same file shares it";
                let short = |short: crate::budget::Shortage| {
                    table.error(key, format!("there is no memory for \"{name}\": {short}")).help(smaller)
                };
                self.budget.take(PER_PIXEL * pixels).map_err(short)?
            }
            Err(_) => Grant::default(),
        };
        let mut reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), image::ImageFormat::Png);
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(most);
        limits.max_image_height = Some(most);
        limits.max_alloc = Some(4 << 30);
        reader.limits(limits);
        Ok((reader.decode().map_err(|e| bad(why(&e, most)))?, grant))
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
        let fits = |p: &&Picture| p.width.max(p.height) <= most;
        if let Some(picture) = self.read.borrow().get(name).filter(fits) {
            return Ok(picture.clone());
        }
        let bytes = self.bytes(table, key, name)?;
        let same = |(source, picture): &&(Vec<u8>, Picture)| *source == bytes && fits(&picture);
        let known = self.sources.borrow().iter().find(same).map(|(_, picture)| picture.clone());
        let picture = match known {
            Some(picture) => Picture { name: name.to_owned(), ..picture },
            None => {
                let (decoded, mut grant) = self.decode_bytes(table, key, name, most, right, &bytes)?;
                let decoded = decoded.into_rgba8();
                let (width, height) = (decoded.width(), decoded.height());
                let picture = Picture { name: name.to_owned(), width, height, pixels: Arc::new(decoded.into_raw()) };
                grant.keep(picture.pixels.len() as u64);
                self.kept.borrow_mut().push(grant);
                self.sources.borrow_mut().push((bytes, picture.clone()));
                picture
            }
        };
        self.read.borrow_mut().insert(name.to_owned(), picture.clone());
        Ok(picture)
    }

    /// A file with a character, to be handed on as it is. One that is not known yet is looked at first.
    pub(super) fn character(
        &self,
        table: &Table<'_>,
        key: &'static str,
        name: &str,
        look: impl FnOnce(&[u8]) -> Result<(), SceneError>,
    ) -> Result<CharacterFile, SceneError> {
        let known = |file: &&CharacterFile| file.name == name;
        if let Some(file) = self.characters.borrow().iter().find(known) {
            return Ok(file.clone());
        }
        let (bytes, grant) = self.granted(table, key, name)?;
        let same = self.characters.borrow().iter().find(|file| *file.bytes == bytes).map(|file| file.bytes.clone());
        let bytes = match same {
            Some(bytes) => bytes,
            None => {
                look(&bytes)?;
                self.kept.borrow_mut().push(grant);
                Arc::new(bytes)
            }
        };
        let file = CharacterFile { name: name.to_owned(), bytes };
        self.characters.borrow_mut().push(file.clone());
        Ok(file)
    }

    /// How many files with characters there are that differ.
    pub(super) fn characters(&self) -> usize {
        let files = self.characters.borrow();
        let first = |k: usize| !files[..k].iter().any(|file| Arc::ptr_eq(&file.bytes, &files[k].bytes));
        (0..files.len()).filter(|&k| first(k)).count()
    }

    /// What the scene goes on to hold when it has been read.
    pub(super) fn kept(self) -> Vec<Grant> {
        self.kept.into_inner()
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
