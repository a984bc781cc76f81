//! Files that scenes name.

use crate::scenes::{BUDGET, shows};
use throng::budget::Budget;
use throng::scene::Files;
use throng::{Scene, Simulation};

/// A folder that has an image, an array or a character for every name.
pub(crate) struct Beside;

/// Pixels of its images; a scene with cells of a metre is so large.
const SIDES: (u32, u32) = (12, 8);

impl Files for Beside {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        if name.ends_with(".npy") {
            return Ok(array(name.len() % 2 == 0));
        }
        if name.ends_with(".glb") || name.ends_with(".gltf") {
            // What is in it is for whoever draws.
            return Ok(name.into());
        }
        if !name.ends_with(".png") {
            return Err("there is no such file".into());
        }
        let (width, height) = SIDES;
        // By the first letter: walls at a border, exits in two channels, grey land, a square.
        Ok(match name.as_bytes().first() {
            Some(b'm') => colours(width, height, |x, y| [if x == 6 && y > 2 { 255 } else { 9 * y as u8 }, 0, 0, 255]),
            Some(b'e') => colours(width, height, |x, y| [u8::from(x > 0), u8::from(y > 0), 9, 255]),
            Some(b'l') => grey(width, height),
            _ => colours(4, 4, |x, y| [60 * x as u8, 60 * y as u8, 30, 200]),
        })
    }

    fn budget(&self) -> Budget {
        Budget::new(BUDGET)
    }
}

pub(crate) fn colours(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    png(&image::RgbaImage::from_fn(width, height, |x, y| image::Rgba(pixel(x, y))).into())
}

pub(crate) fn grey(width: u32, height: u32) -> Vec<u8> {
    png(&image::GrayImage::from_fn(width, height, |x, y| image::Luma([(90 + 2 * x + y % 3) as u8])).into())
}

pub(crate) fn png(image: &image::DynamicImage) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    image.write_to(&mut out, image::ImageFormat::Png).expect("memory takes everything");
    out.into_inner()
}

/// An array of heights, 32 or 64 bits a number.
pub(crate) fn array(double: bool) -> Vec<u8> {
    let (width, height) = SIDES;
    let kind = if double { "<f8" } else { "<f4" };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    header.extend(std::iter::repeat_n(' ', 117 - header.len()));
    let mut out = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    out.extend(header.bytes());
    out.push(b'\n');
    for i in 0..width * height {
        let metres = (i % 7) as f32 * 0.05;
        if double {
            out.extend(f64::from(metres).to_le_bytes());
        } else {
            out.extend(metres.to_le_bytes());
        }
    }
    out
}

/// A file under one name.
struct One<'a>(&'a [u8]);

impl Files for One<'_> {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.to_vec())
    }

    fn budget(&self) -> Budget {
        Budget::new(BUDGET)
    }
}

const WALKER: &str = "[[goal]]\nname = \"g\"\nrect = [11, 0, 12, 8]\n[[agents]]\ncount = 3\njourney = \"g\"\n";

/// A PNG in all its roles.
pub fn images(bytes: &[u8]) {
    let sized = "size = [12, 8]\ncell = 1\n";
    offer(bytes, "cell = 1\n[map]\nimage = \"f.png\"\n");
    offer(bytes, &format!("{sized}[map]\nimage = \"f.png\"\n{WALKER}"));
    offer(bytes, &format!("{sized}[map]\nexits = \"f.png\"\n[[agents]]\ncount = 2\njourney = \"exit 0\"\n"));
    offer(bytes, &format!("{sized}[map]\nbackground = \"f.png\"\n{WALKER}sprite = \"f.png\"\n"));
    offer(bytes, &format!("{sized}[terrain]\nheights = \"f.png\"\nhigh = 2.5\n{WALKER}"));
}

/// An array as the height of the floor.
pub fn arrays(bytes: &[u8]) {
    offer(bytes, &format!("size = [12, 8]\ncell = 1\n[terrain]\nheights = \"f.npy\"\n{WALKER}"));
}

/// Reads a scene with a file; what is taken can be written, read again and run.
fn offer(bytes: &[u8], text: &str) {
    let scene = match Scene::parse("fuzz.toml", text, &One(bytes)) {
        Ok(scene) => scene,
        Err(error) => return shows(&error),
    };
    if scene.memory_needs().total() > BUDGET || scene.grid.len() > 100_000 {
        return;
    }
    let files = scene.to_files("again");
    struct Written(Vec<(String, Vec<u8>)>);
    impl Files for Written {
        fn read(&self, name: &str) -> Result<Vec<u8>, String> {
            self.0
                .iter()
                .find(|(n, _)| n == name)
                .map(|(_, bytes)| bytes.clone())
                .ok_or_else(|| "it is not there".into())
        }
    }
    let written = std::str::from_utf8(&files[0].1).expect("a scene is text").to_owned();
    let again =
        Scene::parse("again.toml", &written, &Written(files.clone())).unwrap_or_else(|e| panic!("{e}\n{written}"));
    assert_eq!((&scene.map.painted, &scene.map.ground), (&again.map.painted, &again.map.ground));
    assert!(again.to_files("again") == files, "another scene when written and read again:\n{written}");
    match Simulation::with_threads(&scene, 1) {
        Ok(mut run) => {
            run.steps_by(2).expect("the CPU does not fail");
            assert_eq!((run.counters().in_wall, run.counters().not_finite), (0, 0), "in walls, not finite");
        }
        Err(error) => shows(&error),
    }
}
