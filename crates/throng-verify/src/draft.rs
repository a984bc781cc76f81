//! Scenes as the tests draw them: parts in metres, and out of them the TOML that anybody can run.

use crate::settings::{Settings, Variant};
use std::fmt::Write;

/// Speeds of the crowds that were measured: Weidmann's mean and deviation.
pub(crate) const WEIDMANN: &str = "{ normal = [1.34, 0.26], min = 0.5, max = 2.0 }";

/// A shape, in metres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// West, south, east, north.
    Rect([f32; 4]),
    /// Its middle and its radius.
    Circle([f32; 3]),
    /// Corners in order.
    Polygon(Vec<[f32; 2]>),
    /// A thin wall through points.
    Line(Vec<[f32; 2]>),
}

impl From<[f32; 4]> for Form {
    fn from(rect: [f32; 4]) -> Self {
        Self::Rect(rect)
    }
}

impl Form {
    /// As `key = value`, moved by `o` to the east and to the north.
    fn text(&self, o: f32) -> String {
        let points = |all: &[[f32; 2]]| {
            let each: Vec<String> = all.iter().map(|[x, y]| format!("[{}, {}]", x + o, y + o)).collect();
            each.join(", ")
        };
        match self {
            Self::Rect([w, s, e, n]) => format!("rect = [{}, {}, {}, {}]", w + o, s + o, e + o, n + o),
            Self::Circle([x, y, r]) => format!("circle = [{}, {}, {r}]", x + o, y + o),
            Self::Polygon(corners) => format!("polygon = [{}]", points(corners)),
            Self::Line(through) => format!("line = [{}]", points(through)),
        }
    }
}

/// A group of people.
#[derive(Clone, Debug)]
pub(crate) struct People {
    /// How many.
    pub(crate) count: u32,
    /// Where they start.
    pub(crate) start: Form,
    /// Radius, m.
    pub(crate) radius: f32,
    /// Preferred speed as the scene language has it; nothing: the default.
    pub(crate) speed: String,
    /// Goals in order; nothing: the only one.
    pub(crate) journey: Vec<&'static str>,
    /// A point of their own instead.
    pub(crate) point: Option<[f32; 2]>,
    /// When they set out, s.
    pub(crate) delay: f32,
    /// What they do after the last goal: `park`, `next`, or `respawn`.
    pub(crate) arrive: &'static str,
    /// Where they enter again.
    pub(crate) entry: Option<Form>,
}

impl People {
    /// So many with measured speeds, who leave when they arrive.
    pub(crate) fn new(count: u32, start: impl Into<Form>) -> Self {
        Self {
            count,
            start: start.into(),
            radius: 0.2,
            speed: WEIDMANN.into(),
            journey: Vec::new(),
            point: None,
            delay: 0.0,
            arrive: "park",
            entry: None,
        }
    }

    /// Heads for these goals.
    pub(crate) fn to(mut self, journey: &[&'static str]) -> Self {
        self.journey = journey.to_vec();
        self
    }

    /// All at one speed, m/s, or another distribution.
    pub(crate) fn speed(mut self, speed: impl ToString) -> Self {
        self.speed = speed.to_string();
        self
    }

    fn text(&self, o: f32) -> String {
        let mut t = format!("\n[[agents]]\ncount = {}\nstart = {{ {} }}\n", self.count, self.start.text(o));
        let _ = writeln!(t, "radius = {}", self.radius);
        if !self.speed.is_empty() {
            let _ = writeln!(t, "speed = {}", self.speed);
        }
        if !self.journey.is_empty() {
            let _ = writeln!(t, "journey = {:?}", self.journey);
        }
        if let Some([x, y]) = self.point {
            let _ = writeln!(t, "journey = [{{ to = [[{}, {}]] }}]\ngoal_distance = 0.5", x + o, y + o);
        }
        if self.delay > 0.0 {
            let _ = writeln!(t, "delay = {}", self.delay);
        }
        let _ = writeln!(t, "arrive = \"{}\"", self.arrive);
        if let Some(entry) = &self.entry {
            let _ = writeln!(t, "entry = {{ {} }}", entry.text(o));
        }
        t
    }
}

/// A scene in parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// What files call it.
    pub(crate) name: String,
    size: [f32; 2],
    walls: Vec<(Form, Option<&'static str>)>,
    discomfort: Vec<(Form, f32)>,
    goals: Vec<(&'static str, Vec<Form>)>,
    people: Vec<People>,
    zones: Vec<(Form, f32)>,
    measures: Vec<(&'static str, Form)>,
    closes: Vec<(f32, &'static str)>,
    model: Vec<(&'static str, f32)>,
}

impl Draft {
    /// An empty floor of whole metres.
    pub(crate) fn new(name: impl Into<String>, size: [f32; 2]) -> Self {
        Self { name: name.into(), size, ..Self::default() }
    }

    /// A wall.
    pub(crate) fn wall(mut self, form: impl Into<Form>) -> Self {
        self.walls.push((form.into(), None));
        self
    }

    /// Walls.
    pub(crate) fn walls(self, all: impl IntoIterator<Item = [f32; 4]>) -> Self {
        all.into_iter().fold(self, Self::wall)
    }

    /// A door that closes at a time, s.
    pub(crate) fn closes(mut self, at: f32, name: &'static str, form: impl Into<Form>) -> Self {
        self.walls.push((form.into(), Some(name)));
        self.closes.push((at, name));
        self
    }

    /// Uncomfortable ground.
    pub(crate) fn discomfort(mut self, form: impl Into<Form>, value: f32) -> Self {
        self.discomfort.push((form.into(), value));
        self
    }

    /// A goal.
    pub(crate) fn goal(self, name: &'static str, form: impl Into<Form>) -> Self {
        self.goals_of(name, [form.into()])
    }

    /// A goal of several shapes.
    pub(crate) fn goals_of(mut self, name: &'static str, forms: impl IntoIterator<Item = Form>) -> Self {
        self.goals.push((name, forms.into_iter().collect()));
        self
    }

    /// A group of people.
    pub(crate) fn people(mut self, people: People) -> Self {
        self.people.push(people);
        self
    }

    /// A place that changes speed by a factor.
    pub(crate) fn zone(mut self, form: impl Into<Form>, speed: f32) -> Self {
        self.zones.push((form.into(), speed));
        self
    }

    /// A line or an area that is measured.
    pub(crate) fn measure(mut self, name: &'static str, form: impl Into<Form>) -> Self {
        self.measures.push((name, form.into()));
        self
    }

    /// A line from south to north that is measured: who walks east crosses it forward.
    pub(crate) fn gate(self, name: &'static str, x: f32, from: f32, to: f32) -> Self {
        self.measure(name, Form::Line(vec![[x, from], [x, to]]))
    }

    /// A number of the model.
    pub(crate) fn model(mut self, key: &'static str, value: f32) -> Self {
        self.model.push((key, value));
        self
    }

    /// The TOML.
    pub(crate) fn text(&self, settings: &Settings, variant: &Variant, seed: u32) -> String {
        let o = variant.offset();
        let [width, height] = self.size.map(|side| side + 2.0 * o);
        let (cell, dt) = (variant.cell, variant.dt);
        let mut t =
            format!("name = {:?}\nsize = [{width}, {height}]\ncell = {cell}\ndt = {dt}\nseed = {seed}\n", self.name);
        let words = [("plan", &settings.plan), ("steer", &settings.steer)];
        if !self.model.is_empty() || words.iter().any(|(_, word)| word.is_some()) {
            t += "\n[model]\n";
        }
        for (key, word) in words {
            if let Some(word) = word {
                let _ = writeln!(t, "{key} = {word:?}");
            }
        }
        for (key, value) in &self.model {
            let _ = writeln!(t, "{key} = {value}");
        }
        t += &self.map(o, [width, height]);
        self.rest(&mut t, o);
        t
    }

    fn map(&self, o: f32, [width, height]: [f32; 2]) -> String {
        let mut walls: Vec<String> = self
            .walls
            .iter()
            .map(|(form, name)| match name {
                Some(name) => format!("  {{ {}, name = {name:?}, open = true }},\n", form.text(o)),
                None => format!("  {{ {} }},\n", form.text(o)),
            })
            .collect();
        if o > 0.0 {
            // What the world has more than usual is no floor.
            for [w, s, e, n] in [
                [0.0, 0.0, width, o],
                [0.0, height - o, width, height],
                [0.0, 0.0, o, height],
                [width - o, 0.0, width, height],
            ] {
                walls.push(format!("  {{ rect = [{w}, {s}, {e}, {n}] }},\n"));
            }
        }
        let mut t = String::new();
        if !walls.is_empty() || !self.discomfort.is_empty() {
            t += "\n[map]\n";
        }
        if !walls.is_empty() {
            let _ = writeln!(t, "walls = [\n{}]", walls.concat());
        }
        if !self.discomfort.is_empty() {
            let each =
                self.discomfort.iter().map(|(form, value)| format!("  {{ {}, value = {value} }},\n", form.text(o)));
            let _ = writeln!(t, "discomfort = [\n{}]", each.collect::<String>());
        }
        t
    }

    fn rest(&self, t: &mut String, o: f32) {
        for (name, forms) in &self.goals {
            let _ = write!(t, "\n[[goal]]\nname = {name:?}\n");
            if let [form] = forms.as_slice() {
                let _ = writeln!(t, "{}", form.text(o));
            } else {
                let each: Vec<String> = forms.iter().map(|form| format!("{{ {} }}", form.text(o))).collect();
                let _ = writeln!(t, "shapes = [{}]", each.join(", "));
            }
        }
        for people in &self.people {
            *t += &people.text(o);
        }
        for (number, (form, speed)) in self.zones.iter().enumerate() {
            let _ = write!(t, "\n[[zone]]\nname = \"zone {number}\"\n{}\nspeed = {speed}\n", form.text(o));
        }
        for (at, name) in &self.closes {
            let _ = write!(t, "\n[[event]]\nat = {at}\nclose = {name:?}\n");
        }
        for (name, form) in &self.measures {
            let _ = write!(t, "\n[[measure]]\nname = {name:?}\n{}\n", form.text(o));
        }
    }
}
