//! Heights as files, without a folder.

use throng::scene::{Files, NoFiles};
use throng::{Scene, Vec2};

/// The files of a scene.
pub(crate) struct Folder(pub(crate) Vec<(String, Vec<u8>)>);

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let found = self.0.iter().find(|(n, _)| n == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| NoFiles.read(name).unwrap_err())
    }
}

/// A NumPy array of numbers of 4 or 8 bytes, by a header of our own.
pub(crate) fn npy(width: usize, height: usize, long: bool, value: impl Fn(usize, usize) -> f64) -> Vec<u8> {
    let kind = if long { "<f8" } else { "<f4" };
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({height}, {width}), }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        match long {
            true => out.extend(value(x, y).to_le_bytes()),
            false => out.extend((value(x, y) as f32).to_le_bytes()),
        }
    }
    out
}

/// A scene with `[terrain] heights = "land.npy"`, a height for the middle of every cell of so many.
pub(crate) fn with_heights(
    text: &str,
    (width, height, cell): (usize, usize, f32),
    land: impl Fn(Vec2) -> f32,
) -> Scene {
    let at = |x: usize, y: usize| f64::from(land((Vec2::new(x as f32, y as f32) + 0.5) * cell));
    let folder = Folder(vec![("land.npy".into(), npy(width, height, false, at))]);
    Scene::parse("land.toml", text, &folder).unwrap_or_else(|e| panic!("{e}\n{text}"))
}
