//! The scenes inside the program.

use super::Files;

/// A scene that comes with the library.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// What to call it by.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// The TOML.
    pub text: &'static str,
    files: &'static [(&'static str, &'static [u8])],
}

impl Files for BuiltIn {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let found = self.files.iter().find(|(n, _)| *n == name);
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| "no such file in the program".into())
    }
}

impl BuiltIn {
    /// Every file of the scene, the TOML first, by name.
    pub fn all_files(&self) -> impl Iterator<Item = (String, &'static [u8])> {
        let own = (format!("{}.toml", self.name), self.text.as_bytes());
        std::iter::once(own).chain(self.files.iter().map(|&(name, bytes)| (name.to_owned(), bytes)))
    }
}

macro_rules! scene {
    ($name:literal, $about:literal $(, $file:literal)*) => {
        BuiltIn {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../scenes/", $name, ".toml")),
            files: &[$(($file, include_bytes!(concat!("../../scenes/", $file)))),*],
        }
    };
}

/// All built-in scenes.
pub const BUILT_IN: [BuiltIn; 16] = [
    scene!("office", "4,096 people leave an office floor by six exits"),
    scene!("circle", "65,536 people walk round an obstacle, from quarter to quarter", "circle-exits.png"),
    scene!("hills", "16,384 people cross hills and a river with bridges, again and again", "hills-map.png"),
    scene!("exit-bar", "1,048,576 people on open ground, between goals on two borders"),
    scene!("corridor", "two streams meet in a corridor and form lanes"),
    scene!("crossing", "four streams cross on a plaza"),
    scene!("bottleneck", "a room empties through a narrow opening"),
    scene!("platform", "140 people get out of a train and in, by six doors"),
    scene!("froblins", "3,000 froblins mine, eat, carry, rest, and flee from a ghost and from gas"),
    scene!("froblins-65k", "the same life for 65,536 on 256 × 256 cells"),
    scene!("congestion", "3,000 people cross 64 × 64 m to points of their own, in cells that hold 32"),
    scene!("square", "1,000 people on a city square with streets, a fountain and kiosks"),
    scene!("paths", "three ways of walking from one place to another"),
    scene!("characters", "500 people of six temperaments in a house of rooms"),
    scene!("fan", "one plan for all, and everybody on a path of its own"),
    scene!("empty", "a blank page to start from"),
];

/// A built-in scene by name.
#[must_use]
pub fn built_in(name: &str) -> Option<BuiltIn> {
    BUILT_IN.iter().find(|s| s.name == name).copied()
}
