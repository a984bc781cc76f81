//! A scene as files: its TOML, and the images and characters that it names.

use super::*;
use glam::Vec2;
use std::collections::BTreeMap;

/// What an image may have on a side.
const MOST_PIXELS: usize = 16_384;
/// Red from here on is a wall: see the reader.
const FIRST_WALL: u8 = 253;

impl Scene {
    /// The scene as files that read as the same scene: `{stem}.toml`, then the files that it names. Goals that came
    /// from an image are rectangles of cells then.
    #[must_use]
    pub fn to_files(&self, stem: &str) -> Vec<(String, Vec<u8>)> {
        let mut written = self.clone();
        let mut images = Vec::new();
        written.map.exits = None;
        for goal in written.goals.iter_mut().filter(|g| g.shapes.is_empty()) {
            let mut marked = vec![0u32; self.grid.len()];
            goal.cells.iter().for_each(|&c| marked[c as usize] = 1);
            goal.shapes = merged(&self.grid, &marked).into_iter().map(|(r, _)| Shape::Rect(r)).collect();
        }
        written.map.image = None;
        if !(self.map.painted.is_empty() && self.map.ground.is_empty()) {
            let name = format!("{stem}-map.png");
            let fits = self.grid.width.max(self.grid.height) <= MOST_PIXELS;
            let reds: Vec<u8> = (0..self.grid.len()).map(|c| if fits { self.red(c) } else { 0 }).collect();
            if fits {
                images.push((name.clone(), grey_png(&self.grid, &reds)));
                written.map.image = Some(name);
            } else {
                // Too large for an image: cells are walls like any other.
                let painted: Vec<u32> = self.map.painted.iter().map(|&p| u32::from(p)).collect();
                let walls = merged(&self.grid, &painted).into_iter();
                written.map.walls.extend(walls.map(|(r, _)| WallSpec {
                    name: None,
                    shape: Shape::Rect(r),
                    open: false,
                    added: false,
                }));
            }
            let mut discomfort = self.rest_of_ground(&reds);
            discomfort.append(&mut written.map.discomfort);
            written.map.discomfort = discomfort;
        }
        if let Some(heights) = &mut written.terrain.heights {
            // As metres: an image would round them.
            (heights.name, heights.range) = (format!("{stem}-heights.npy"), None);
            images.push((heights.name.clone(), super::read::npy::write(&self.grid, &heights.cells)));
        }
        if let Some(picture) = &mut written.map.background {
            picture.name = format!("{stem}-background.png");
            images.push((picture.name.clone(), colour_png(picture)));
        }
        let mut sprites: Vec<Picture> = Vec::new();
        for group in &mut written.groups {
            let Sprite::Picture(picture) = &mut group.sprite else { continue };
            let number = sprites.iter().position(|p| p == picture).unwrap_or_else(|| {
                sprites.push(picture.clone());
                sprites.len() - 1
            });
            picture.name = format!("{stem}-sprite-{number}.png");
        }
        let numbered = sprites.iter().enumerate();
        images.extend(numbered.map(|(number, p)| (format!("{stem}-sprite-{number}.png"), colour_png(p))));
        images.extend(name_characters(&mut written.groups, stem));
        let mut files = vec![(format!("{stem}.toml"), written.to_toml().into_bytes())];
        files.append(&mut images);
        files
    }

    /// The red of a cell in the image: 255 for a wall, or its discomfort where that can be said exactly.
    fn red(&self, cell: usize) -> u8 {
        if self.map.painted.get(cell).copied().unwrap_or(false) {
            return 255;
        }
        let ground = self.map.ground.get(cell).copied().unwrap_or(0.0);
        let red = (ground * 255.0).round().clamp(0.0, 255.0) as u8;
        if red < FIRST_WALL && (f32::from(red) / 255.0).to_bits() == ground.to_bits() { red } else { 0 }
    }

    /// What an image does not say about the ground, as rectangles of cells whose values add up to it exactly.
    fn rest_of_ground(&self, reds: &[u8]) -> Vec<(Shape, f32)> {
        const PART: f32 = 0.5;
        let mut rest: Vec<f32> = (0..self.map.ground.len())
            .map(|c| if matches!(reds[c], 0 | FIRST_WALL..) { self.map.ground[c] } else { 0.0 })
            .collect();
        let mut out = Vec::new();
        // More than a single shape may give comes in halves, which add up without rounding, and what is left of it.
        loop {
            let much: Vec<u32> = rest.iter().map(|&g| u32::from(g > crate::world::MOST_DISCOMFORT)).collect();
            if !much.contains(&1) {
                break;
            }
            out.extend(merged(&self.grid, &much).into_iter().map(|(r, _)| (Shape::Rect(r), PART)));
            rest.iter_mut().zip(&much).for_each(|(g, &m)| *g -= PART * m as f32);
        }
        let bits: Vec<u32> = rest.iter().map(|g| g.to_bits()).collect();
        out.extend(merged(&self.grid, &bits).into_iter().map(|(r, bits)| (Shape::Rect(r), f32::from_bits(bits))));
        out
    }
}

/// Gives the files of characters names of their own, and gives those files.
fn name_characters(groups: &mut [Group], stem: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<CharacterFile> = Vec::new();
    for file in groups.iter_mut().filter_map(|group| group.character.as_mut()) {
        let text = file.name.to_ascii_lowercase().ends_with(".gltf");
        let same = |known: &CharacterFile| known.bytes == file.bytes && known.name.ends_with(".gltf") == text;
        file.name = match files.iter().find(|known| same(known)) {
            Some(known) => known.name.clone(),
            None => format!("{stem}-character-{}.{}", files.len(), if text { "gltf" } else { "glb" }),
        };
        if !files.contains(file) {
            files.push(file.clone());
        }
    }
    files.into_iter().map(|file| (file.name, file.bytes.to_vec())).collect()
}

/// Rectangles that cover all cells with a value, each of cells of the same; cells with 0 are left out. From the
/// south-west, row by row; runs of the same columns and value in rows above each other are one.
fn merged(grid: &Grid, values: &[u32]) -> Vec<(Rect, u32)> {
    let mut done = Vec::new();
    // By columns and value: the row in which it began.
    let mut open: BTreeMap<(usize, usize, u32), usize> = BTreeMap::new();
    let close = |(x0, x1, value): (usize, usize, u32), from: usize, until: usize| {
        let corner = |x: usize, y: usize| Vec2::new(x as f32, y as f32) * grid.cell;
        (from, x0, (Rect::new(corner(x0, from), corner(x1, until)), value))
    };
    for (y, row) in values.chunks(grid.width).enumerate() {
        let mut now = BTreeMap::new();
        let mut x = 0;
        while x < row.len() {
            let first = x;
            while x < row.len() && row[x] == row[first] {
                x += 1;
            }
            if row[first] != 0 {
                let key = (first, x, row[first]);
                now.insert(key, open.remove(&key).unwrap_or(y));
            }
        }
        done.extend(open.into_iter().map(|(key, from)| close(key, from, y)));
        open = now;
    }
    done.extend(open.into_iter().map(|(key, from)| close(key, from, grid.height)));
    done.sort_by_key(|&(row, column, _)| (row, column));
    done.into_iter().map(|(_, _, rect)| rect).collect()
}

/// One grey pixel a cell, the north row first.
fn grey_png(grid: &Grid, values: &[u8]) -> Vec<u8> {
    let pixels: Vec<u8> = values.chunks(grid.width).rev().flatten().copied().collect();
    let image = image::GrayImage::from_raw(grid.width as u32, grid.height as u32, pixels).expect("a pixel a cell");
    png(&image.into())
}

fn colour_png(picture: &Picture) -> Vec<u8> {
    // A picture that somebody made by hand may have too few bytes, or none.
    let (width, height) = (picture.width.max(1), picture.height.max(1));
    let mut pixels = picture.pixels.to_vec();
    pixels.resize(width as usize * height as usize * 4, 0);
    png(&image::RgbaImage::from_raw(width, height, pixels).expect("four bytes a pixel").into())
}

fn png(image: &image::DynamicImage) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    image.write_to(&mut out, image::ImageFormat::Png).expect("memory takes everything");
    out.into_inner()
}
