//! `throng view`: the real window, on a screen that nobody sees (Xvfb), drawn by software Vulkan, with keys and a mouse
//! that nobody holds (XTEST). What is asserted is what a person would see: the picture on the screen.
//!
//! Screenshots of a failure are kept below the target folder; the message says where.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod seen;

use common::{complaint_of, path, program};
use image::{Rgba, RgbaImage};
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use throng_view::colour;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, ImageFormat, InputFocus, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// Software draws a frame in a fraction of a second, but two cores may have other things to do.
const PATIENCE: Duration = Duration::from_secs(25);
/// Between two looks at the screen.
const LOOK: Duration = Duration::from_millis(60);

/// A screen that nobody sees.
struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    fn new() -> Self {
        // The server picks a number that is free, and prints it.
        let mut server = std::process::Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("these tests need Xvfb (Debian: xvfb); test.sh installs it");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("piped"))
            .read_line(&mut number)
            .expect("the server prints its number");
        assert!(!number.trim().is_empty(), "Xvfb does not start");
        Self { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The program in its window.
struct Show {
    program: Child,
    connection: RustConnection,
    root: Window,
    window: Window,
    /// Top left corner and size of the window on the screen.
    place: [i16; 4],
    codes: Vec<(u32, u8)>,
    _screen: Screen,
}

impl Drop for Show {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Keysyms: letters and digits are their ASCII codes.
const SPACE: u32 = 0x20;
const ESCAPE: u32 = 0xff1b;
const CONTROL: u32 = 0xffe3;

// Event types of XTEST.
const KEY_DOWN: u8 = 2;
const KEY_UP: u8 = 3;
const BUTTON_DOWN: u8 = 4;
const BUTTON_UP: u8 = 5;
const MOTION: u8 = 6;

const LEFT: u8 = 1;
const RIGHT: u8 = 3;
const WHEEL_UP: u8 = 4;
const WHEEL_DOWN: u8 = 5;

impl Show {
    /// Opens a window and waits until something is in it.
    fn open(args: &[&str]) -> Self {
        let screen = Screen::new();
        let (connection, number) = x11rb::connect(Some(&screen.name)).expect("the server answers");
        let mut command = program(&[&["view"], args].concat());
        command.env("DISPLAY", &screen.name).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let program = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let setup = connection.setup();
        let root = setup.roots[number].root;
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = connection.get_keyboard_mapping(first, last - first + 1).expect("sent").reply().expect("keys");
        let per = usize::from(mapping.keysyms_per_keycode);
        let codes = (first..=last).zip(mapping.keysyms.chunks(per)).map(|(code, syms)| (syms[0], code)).collect();
        let mut show = Self { program, connection, root, window: 0, place: [0; 4], codes, _screen: screen };
        show.window = show.find("Throng: ");
        let c = &show.connection;
        c.set_input_focus(InputFocus::PARENT, show.window, x11rb::CURRENT_TIME).expect("sent").check().expect("focus");
        let size = c.get_geometry(show.window).expect("sent").reply().expect("a size");
        let at = c.translate_coordinates(show.window, show.root, 0, 0).expect("sent").reply().expect("a place");
        show.place = [at.dst_x, at.dst_y, size.width as i16, size.height as i16];
        show.until("something is drawn", |picture| colours(picture) > 8);
        show
    }

    /// The window whose title begins so, when it is shown.
    fn find(&mut self, title: &str) -> Window {
        let began = Instant::now();
        loop {
            self.assert_alive();
            let c = &self.connection;
            let all = c.query_tree(self.root).expect("sent").reply().expect("windows").children;
            let named = |&w: &Window| {
                let name = c.get_property(false, w, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 256).expect("sent").reply();
                name.is_ok_and(|n| n.value.starts_with(title.as_bytes()))
            };
            let shown = |&w: &Window| {
                let attributes = c.get_window_attributes(w).expect("sent").reply();
                attributes.is_ok_and(|a| a.map_state == x11rb::protocol::xproto::MapState::VIEWABLE)
            };
            if let Some(window) = all.into_iter().find(|w| named(w) && shown(w)) {
                return window;
            }
            assert!(began.elapsed() < PATIENCE, "no window called \"{title}…\" opens");
            std::thread::sleep(LOOK);
        }
    }

    fn assert_alive(&mut self) {
        if let Some(status) = self.program.try_wait().expect("a program of ours") {
            panic!("the program ended with {status}: {}", self.said());
        }
    }

    fn said(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut pipe) = self.program.stderr.take() {
            // What can be read is enough.
            let _ = pipe.read_to_string(&mut text);
        }
        text
    }

    /// What is in the window.
    fn picture(&self) -> RgbaImage {
        let [x, y, w, h] = self.place;
        let (width, height) = (w as u16, h as u16);
        let c = &self.connection;
        let image = c.get_image(ImageFormat::Z_PIXMAP, self.root, x, y, width, height, !0).expect("sent");
        let data = image.reply().expect("the window is on the screen").data;
        let pixels = data.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], 255]).collect();
        RgbaImage::from_raw(width.into(), height.into(), pixels).expect("32 bits a pixel")
    }

    /// Looks at the screen until it is as it should be.
    fn until(&mut self, what: &str, mut is_so: impl FnMut(&RgbaImage) -> bool) -> RgbaImage {
        let began = Instant::now();
        loop {
            self.assert_alive();
            let picture = self.picture();
            if is_so(&picture) {
                return picture;
            }
            if began.elapsed() > PATIENCE {
                panic!("it is not so that {what}: see {}", kept(what, &picture));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Does something again and again until it has worked.
    fn until_after(&mut self, what: &str, mut works: impl FnMut(&Self) -> bool) {
        let began = Instant::now();
        while !works(self) {
            self.assert_alive();
            assert!(began.elapsed() < PATIENCE, "it is not so that {what}: see {}", kept(what, &self.picture()));
        }
    }

    /// Waits until nothing changes any more in the map, and returns it.
    fn still(&mut self) -> RgbaImage {
        let mut same = 0;
        let mut before = self.picture();
        self.until("the picture rests", |picture| {
            same = if middle(picture) == middle(&before) { same + 1 } else { 0 };
            before = picture.clone();
            // Longer than a frame of software.
            same >= 8
        })
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        let c = &self.connection;
        c.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).expect("sent").check().expect("the server takes it");
    }

    fn code(&self, key: u32) -> u8 {
        self.codes.iter().find(|(sym, _)| *sym == key).expect("every keyboard has this key").1
    }

    fn press(&self, key: u32) {
        let code = self.code(key);
        self.fake(KEY_DOWN, code, 0, 0);
        self.fake(KEY_UP, code, 0, 0);
        // A frame may be long: two presses in one frame are not two presses for everybody.
        std::thread::sleep(LOOK);
    }

    fn press_with_control(&self, key: u32) {
        let control = self.code(CONTROL);
        self.fake(KEY_DOWN, control, 0, 0);
        self.press(key);
        self.fake(KEY_UP, control, 0, 0);
    }

    /// Moves the mouse to a place in the window.
    fn point(&self, [x, y]: [i16; 2]) {
        self.fake(MOTION, 0, self.place[0] + x, self.place[1] + y);
        std::thread::sleep(LOOK);
    }

    fn button(&self, button: u8, down: bool) {
        self.fake(if down { BUTTON_DOWN } else { BUTTON_UP }, button, 0, 0);
        std::thread::sleep(LOOK);
    }

    /// A place in the window, in hundredths of its width and height.
    fn at(&self, x: i16, y: i16) -> [i16; 2] {
        [(2, x), (3, y)].map(|(side, share)| (i32::from(self.place[side]) * i32::from(share) / 100) as i16)
    }

    /// Closes the window as its frame's button would.
    fn close(mut self) -> ExitStatus {
        let c = &self.connection;
        let atom = |name: &[u8]| c.intern_atom(false, name).expect("sent").reply().expect("an atom").atom;
        let data = [atom(b"WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let event = ClientMessageEvent::new(32, self.window, atom(b"WM_PROTOCOLS"), data);
        c.send_event(false, self.window, EventMask::NO_EVENT, event).expect("sent").check().expect("taken");
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(status) = self.program.try_wait().expect("a program of ours") {
                assert_eq!(self.said(), "", "and nothing to complain about");
                return status;
            }
            std::thread::sleep(LOOK);
        }
        panic!("the window does not close");
    }
}

fn kept(what: &str, picture: &RgbaImage) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("window");
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    let file = folder.join(format!("{}.png", what.replace(|c: char| !c.is_alphanumeric(), "-")));
    picture.save(&file).expect("a PNG is written");
    file.display().to_string()
}

fn colours(picture: &RgbaImage) -> usize {
    picture.pixels().map(|p| p.0).collect::<std::collections::BTreeSet<_>>().len()
}

/// The part of the picture where nothing but the map is, with panels and without: no legend, no clock, no notice.
fn middle(picture: &RgbaImage) -> RgbaImage {
    let (w, h) = picture.dimensions();
    image::imageops::crop_imm(picture, w * 30 / 100, h * 42 / 100, w * 40 / 100, h * 26 / 100).to_image()
}

fn near(p: &Rgba<u8>, colour: colour::Colour) -> bool {
    // Eight bits round, and so does blending.
    (0..3).all(|i| (f32::from(p[i]) - colour[i] * 255.0).abs() <= 4.0)
}

fn walls(picture: &RgbaImage) -> usize {
    middle(picture).pixels().filter(|p| near(p, colour::WALL)).count()
}

/// Share of the map that has colours of a field, which hides the floor.
fn of_a_field(picture: &RgbaImage) -> f32 {
    let scale: Vec<colour::Colour> = (0..=64).map(|k| colour::field(k as f32 / 64.0)).collect();
    let map = middle(picture);
    map.pixels().filter(|p| scale.iter().any(|&c| near(p, c))).count() as f32 / map.pixels().len() as f32
}

/// Share of the map that two pictures do not have in common.
fn changed(a: &RgbaImage, b: &RgbaImage) -> f32 {
    let (a, b) = (middle(a), middle(b));
    a.pixels().zip(b.pixels()).filter(|(p, q)| p != q).count() as f32 / a.pixels().len() as f32
}

/// Where the world begins and ends, px, in a row of pixels below its middle.
fn world(picture: &RgbaImage) -> [i32; 2] {
    let y = picture.height() * 60 / 100;
    let inside: Vec<u32> = (0..picture.width()).filter(|&x| !near(picture.get_pixel(x, y), colour::OUTSIDE)).collect();
    [inside.first(), inside.last()].map(|x| x.map_or(0, |&x| x as i32))
}

/// The right end of the selected tool's button and the middle of its height. Tools are at the top; other things that can
/// be selected are at the left and at the bottom.
fn selected_tool(picture: &RgbaImage) -> Option<[i16; 2]> {
    let blue = egui_selection();
    let (w, h) = picture.dimensions();
    let at = |(x, y): &(u32, u32)| near(picture.get_pixel(*x, *y), blue);
    let places: Vec<(u32, u32)> = (0..h / 8).flat_map(|y| (0..w).map(move |x| (x, y))).filter(at).collect();
    let right = places.iter().map(|p| p.0).max()?;
    let (top, bottom) = (places.iter().map(|p| p.1).min()?, places.iter().map(|p| p.1).max()?);
    Some([right as i16, (top + bottom) as i16 / 2])
}

/// What egui fills selected buttons with, in its dark theme.
fn egui_selection() -> colour::Colour {
    [0.0, 92.0 / 255.0, 128.0 / 255.0]
}

fn office(more: &[&str]) -> Show {
    Show::open(&[&["office", "--scale", "0.2", "--size", "1000x640"], more].concat())
}

const H: u32 = b'h' as u32;
const Z: u32 = b'z' as u32;
const PERIOD: u32 = b'.' as u32;
