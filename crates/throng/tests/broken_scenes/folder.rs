//! Files that broken scenes name.

use throng::scene::Files;

/// A folder with a few files in it.
pub(crate) struct Folder;

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        match name {
            "floor.png" => Ok(png(20, 10, [0, 0, 0, 255])),
            "solid.png" => Ok(png(20, 10, [255, 255, 255, 255])),
            "paper.png" => {
                let paper = |x, _| image::Rgba(if x < 14 { [255, 255, 255, 255] } else { [0, 0, 0, 255] });
                Ok(bytes_of(&image::RgbaImage::from_fn(20, 10, paper)))
            }
            "no exits.png" => Ok(png(20, 10, [255, 255, 255, 255])),
            "narrow exits.png" => Ok(png(8, 10, [0, 255, 255, 255])),
            "notes.png" => Ok(b"these are only notes".to_vec()),
            "notes.npy" => Ok(b"these are only notes".to_vec()),
            "whole.npy" => Ok(npy("<i4", "(2, 2)", 16)),
            "cut.npy" => Ok(npy("<f4", "(2, 2)", 15)),
            "flat.npy" => Ok(npy("<f4", "(4,)", 16)),
            "nan.npy" => Ok(npy("<f4", "(2, 2)", 16)),
            "film.glb" => Ok(vec![0; (64 << 20) + 1]),
            hero if hero.starts_with("hero ") => Ok(hero.into()),
            "cut.png" => Ok(png(20, 10, [0, 0, 0, 255])[..40].to_vec()),
            _ => Err("No such file or directory (os error 2)".into()),
        }
    }
}

fn png(width: u32, height: u32, pixel: [u8; 4]) -> Vec<u8> {
    bytes_of(&image::RgbaImage::from_pixel(width, height, image::Rgba(pixel)))
}

fn bytes_of(image: &image::RgbaImage) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    image.write_to(&mut out, image::ImageFormat::Png).expect("memory takes everything");
    out.into_inner()
}

/// An array of numbers that are none: all their bits are set.
fn npy(kind: &str, shape: &str, bytes: usize) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend(vec![0xFF; bytes]);
    out
}
