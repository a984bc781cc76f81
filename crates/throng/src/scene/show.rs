//! Every value in force, in the language that scenes are written in.

use super::*;
use std::fmt::Write;

impl Scene {
    /// The scene as TOML, with every default spelled out and units as comments. Reading it gives the same scene.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        self.write_floor(&mut out)
            .and_then(|()| self.groups.iter().try_for_each(|g| self.write_group(&mut out, g)))
            .and_then(|()| self.write_states(&mut out))
            .and_then(|()| self.write_rest(&mut out))
            .and_then(|()| self.write_measures(&mut out))
            .and_then(|()| write_parameters(&mut out, "model", &self.model))
            .expect("a String takes everything");
        out
    }

    /// The groups and the states that they live by alone, whether or not their sources let anybody in.
    pub(crate) fn crowd_to_toml(&self) -> String {
        let mut out = String::new();
        let mut groups = self.groups.iter().map(|g| Group { on: true, ..g.clone() });
        // Writing to a String cannot fail.
        groups
            .try_for_each(|g| self.write_group(&mut out, &g))
            .and_then(|()| self.write_states(&mut out))
            .expect("a String takes everything");
        out
    }

    /// Everything but the groups and `[model]`; and which sources are off, since calls change that as they change goals.
    pub(crate) fn floor_to_toml(&self) -> String {
        let mut out = String::new();
        self.write_floor(&mut out).and_then(|()| self.write_rest(&mut out)).expect("a String takes everything");
        let off = self.groups.iter().enumerate().filter(|(_, g)| !g.on);
        off.for_each(|(number, _)| out += &format!("# source {number} is off\n"));
        out
    }

    fn write_floor(&self, o: &mut String) -> std::fmt::Result {
        let e = self.grid.extent();
        writeln!(o, "name = {}", quoted(&self.name))?;
        writeln!(o, "cell = {}  # m", self.grid.cell)?;
        writeln!(o, "dt = {}  # s", self.dt)?;
        writeln!(o, "seed = {}", self.seed)?;
        writeln!(o, "size = [{}, {}]  # m: {} × {} cells", e.x, e.y, self.grid.width, self.grid.height)?;
        writeln!(o, "\n[map]")?;
        if let Some(name) = &self.map.image {
            writeln!(o, "image = {}", quoted(name))?;
        }
        if let Some(name) = &self.map.exits {
            writeln!(o, "exits = {}", quoted(name))?;
        }
        if let Some(picture) = &self.map.background {
            writeln!(o, "background = {}", quoted(&picture.name))?;
        }
        writeln!(o, "walls = [")?;
        for w in &self.map.walls {
            let name = w.name.as_ref().map(|n| format!(", name = {}", quoted(n))).unwrap_or_default();
            writeln!(o, "  {{ {}{name}, open = {} }},", shape(&w.shape), w.open)?;
        }
        writeln!(o, "]\ndiscomfort = [")?;
        for (s, value) in &self.map.discomfort {
            writeln!(o, "  {{ {}, value = {value} }},", shape(s))?;
        }
        writeln!(o, "]")?;
        self.write_terrain(o)?;
        for goal in self.goals.iter().filter(|g| !(g.shapes.is_empty() && g.cells.is_empty())) {
            writeln!(o, "\n[[goal]]\nname = {}", quoted(&goal.name))?;
            // The cells of an image's goals are in the image.
            if !goal.shapes.is_empty() {
                writeln!(o, "shapes = {}", shapes_with(&goal.shapes, &goal.capacities))?;
            }
            writeln!(o, "open = {}", goal.open)?;
            if let Some(capacity) = goal.capacity {
                writeln!(o, "capacity = {capacity}  # persons")?;
            }
        }
        Ok(())
    }

    /// Heights, and where weights differ.
    fn write_terrain(&self, o: &mut String) -> std::fmt::Result {
        let terrain = &self.terrain;
        if *terrain != Terrain::default() {
            writeln!(o, "\n[terrain]")?;
            if let Some(map) = &terrain.heights {
                writeln!(o, "heights = {}", quoted(&map.name))?;
                if let Some([low, high]) = map.range {
                    writeln!(o, "low = {low}  # m\nhigh = {high}  # m")?;
                }
            }
            writeln!(o, "hills = [")?;
            for Hill { at, radius, height } in &terrain.hills {
                writeln!(o, "  {{ at = [{}, {}], radius = {radius}, height = {height} }},", at.x, at.y)?;
            }
            writeln!(o, "]\nlaw = \"{}\"", if terrain.law == SlopeLaw::Tobler { "tobler" } else { "none" })?;
            writeln!(o, "steepest = {}  # m up for a metre on", terrain.steepest)?;
        }
        self.local_weights.iter().try_for_each(|w| {
            let [terrain, density, hazard] = w.factors;
            writeln!(
                o,
                "\n[[weights]]\n{}\nterrain = {terrain}\ndensity = {density}\nhazard = {hazard}",
                shape(&w.shape)
            )
        })
    }

    /// Zones, portals, doors and events.
    fn write_rest(&self, o: &mut String) -> std::fmt::Result {
        for zone in &self.zones {
            writeln!(o, "\n[[zone]]\nname = {}\n{}", quoted(&zone.name), shape(&zone.shape))?;
            writeln!(o, "speed = {}  # factor", zone.speed)?;
        }
        for portal in &self.portals {
            writeln!(o, "\n[[portal]]\nname = {}", quoted(&portal.name))?;
            let [a, b] = portal.between.map(|r| format!("[{}, {}, {}, {}]", r.min.x, r.min.y, r.max.x, r.max.y));
            writeln!(o, "between = [{a}, {b}]  # m")?;
            writeln!(o, "length = {}  # m\nspeed = {}  # factor", portal.length, portal.speed)?;
        }
        for door in &self.doors {
            writeln!(o, "\n[[door]]\nname = {}\nline = {}  # m", quoted(&door.name), points(&door.line))?;
            writeln!(o, "first = \"{}\"", if door.first == First::Forward { "forward" } else { "backward" })?;
            writeln!(o, "reach = {}  # m\npatience = {}  # s", door.reach, door.patience)?;
        }
        self.hazards.iter().filter(|h| !h.gone).try_for_each(|hazard| self.write_hazard(o, hazard))?;
        self.events.iter().try_for_each(|event| self.write_event(o, event))
    }

    fn write_hazard(&self, o: &mut String, hazard: &Hazard) -> std::fmt::Result {
        let kind = if hazard.kind == HazardKind::Gas { "gas" } else { "ghost" };
        writeln!(o, "\n[[hazard]]\nname = {}\nkind = \"{kind}\"", quoted(&hazard.name))?;
        if !self.model.plan.follows_crowd() {
            writeln!(o, "# plans that do not follow the crowd do not know of it: people only flee")?;
        }
        match &hazard.path[..] {
            [at] => writeln!(o, "at = [{}, {}]  # m", at.x, at.y)?,
            path => {
                writeln!(o, "path = {}  # m", points(path))?;
                writeln!(o, "speed = {}  # m/s\nloop = {}", hazard.speed, hazard.again)?;
            }
        }
        writeln!(o, "radius = {}  # m", hazard.radius)?;
        if hazard.kind == HazardKind::Gas {
            if hazard.path.len() == 1 {
                writeln!(o, "drift = [{}, {}]  # m/s", hazard.drift.x, hazard.drift.y)?;
            }
            writeln!(o, "growth = {}  # m/s\nradius_max = {}  # m", hazard.growth, hazard.radius_max)?;
            writeln!(o, "fade = {}  # s", hazard.fade)?;
        }
        writeln!(o, "strength = {}\nfear = {}  # m from its rim", hazard.strength, hazard.fear)?;
        let moment = |m: &Moment| match m {
            Moment::At(seconds) => format!("{seconds}  # s"),
            Moment::Event(name) => quoted(name),
        };
        writeln!(o, "from = {}", moment(&hazard.from))?;
        if hazard.every > 0.0 {
            writeln!(o, "every = {}  # s", hazard.every)?;
        }
        hazard.until.as_ref().map_or(Ok(()), |until| writeln!(o, "until = {}", moment(until)))
    }

    fn write_event(&self, o: &mut String, event: &Event) -> std::fmt::Result {
        writeln!(o, "\n[[event]]\nat = {}  # s", event.at)?;
        if let Some(name) = &event.name {
            writeln!(o, "name = {}", quoted(name))?;
        }
        let mut lists: [(&str, Vec<&str>); 6] =
            ["close", "open", "close_goals", "open_goals", "stop_sources", "start_sources"]
                .map(|key| (key, Vec::new()));
        let mut zones = Vec::new();
        for change in &event.changes {
            let (list, name) = match *change {
                Change::Close(i) => (0, self.map.walls[i].name.as_deref().unwrap_or("")),
                Change::Open(i) => (1, self.map.walls[i].name.as_deref().unwrap_or("")),
                Change::Goal(i, open) => (2 + usize::from(open), self.goals[i].name.as_str()),
                Change::Source(i, on) => (4 + usize::from(on), self.groups[i].name.as_str()),
                Change::ZoneSpeed(i, speed) => {
                    zones.push((quoted(&self.zones[i].name), speed));
                    continue;
                }
            };
            // Groups that share a name are meant together.
            if !matches!(change, Change::Source(..)) || !lists[list].1.contains(&name) {
                lists[list].1.push(name);
            }
        }
        for (key, names) in lists {
            match &names[..] {
                [] => {}
                [name] => writeln!(o, "{key} = {}", quoted(name))?,
                _ => writeln!(o, "{key} = [{}]", names.iter().map(|n| quoted(n)).collect::<Vec<_>>().join(", "))?,
            }
        }
        match &zones[..] {
            [] => Ok(()),
            [(zone, speed)] => writeln!(o, "zone = {zone}\nspeed = {speed}"),
            _ => {
                let each: Vec<String> = zones.iter().map(|(zone, speed)| format!("{zone} = {speed}")).collect();
                writeln!(o, "zones = {{ {} }}", each.join(", "))
            }
        }
    }

    fn write_measures(&self, o: &mut String) -> std::fmt::Result {
        let line = |m: &Measure| format!("\n[[measure]]\nname = {}\n{}  # m", quoted(&m.name), shape(&m.shape));
        self.measures.iter().try_for_each(|m| writeln!(o, "{}", line(m)))
    }

    pub(super) fn write_group(&self, o: &mut String, g: &Group) -> std::fmt::Result {
        writeln!(o, "\n[[agents]]\nname = {}", quoted(&g.name))?;
        match (g.rate, g.density) {
            (Some(rate), _) => {
                writeln!(o, "source = {{ rate = {rate}, total = {}, on = {} }}  # persons/s", g.count, g.on)?;
            }
            (None, Some(density)) => writeln!(o, "density = {density}  # persons/m²: {} agents", g.count)?,
            (None, None) => writeln!(o, "count = {}", g.count)?,
        }
        if g.start.is_empty() {
            writeln!(o, "# start: anywhere")?;
        } else {
            writeln!(o, "start = {}", shapes(&g.start))?;
        }
        writeln!(o, "place = \"{}\"", if g.place == Place::Lattice { "lattice" } else { "random" })?;
        writeln!(o, "radius = {}  # m", distribution(&g.radius))?;
        writeln!(o, "speed = {}  # m/s", distribution(&g.speed))?;
        writeln!(o, "turn = {}  # rad/s", distribution(&g.turn))?;
        match &g.delay_until {
            // Who lives by states has none.
            None if g.lives() => {}
            None => writeln!(o, "delay = {}  # s", distribution(&g.delay))?,
            Some(name) => {
                writeln!(o, "delay = {{ until = {}, after = {} }}  # s", quoted(name), distribution(&g.delay))?;
            }
        }
        let legs: Vec<String> = g.journey.iter().map(|l| self.leg(l)).collect();
        match g.state.and_then(|number| self.states.get(usize::from(number))) {
            Some(state) => writeln!(o, "state = {}", quoted(&state.name))?,
            None => writeln!(o, "journey = [{}]", legs.join(", "))?,
        }
        writeln!(o, "goal_distance = {}  # m", distribution(&g.goal_distance))?;
        let word = match g.arrive {
            Arrive::Park => "park",
            Arrive::Next => "next",
            Arrive::Respawn => "respawn",
        };
        if !g.lives() {
            writeln!(o, "arrive = \"{word}\"")?;
        }
        // Who no longer respawns has no use for an entry, and a scene may not have it then.
        if !g.entry.is_empty() && g.arrive == Arrive::Respawn {
            writeln!(o, "entry = {}", shapes(&g.entry))?;
        }
        let own = g.weights;
        let weights = [("length", "m", own.length), ("time", "s", own.time), ("discomfort", "s", own.discomfort)];
        for (name, unit, weight) in weights {
            if let Some(weight) = weight {
                writeln!(o, "{name}_weight = {weight}  # per {unit}")?;
            }
        }
        match g.knows {
            Knows::AtOnce => {}
            Knows::After(seconds) => writeln!(o, "knows = {{ after = {seconds} }}  # s")?,
            Knows::OnSight => writeln!(o, "knows = \"on sight\"")?,
        }
        if let Some(manner) = &g.manner {
            writeln!(o, "bvp = {}", inline_manner(manner))?;
        }
        match &g.sprite {
            Sprite::Person => {}
            Sprite::Disc => writeln!(o, "sprite = \"disc\"")?,
            Sprite::Arrow => writeln!(o, "sprite = \"arrow\"")?,
            Sprite::Picture(picture) => writeln!(o, "sprite = {}", quoted(&picture.name))?,
        }
        g.character.as_ref().map_or(Ok(()), |file| writeln!(o, "character = {}", quoted(&file.name)))
    }
}

impl Scene {
    fn leg(&self, leg: &Leg) -> String {
        let to = match &leg.to {
            Target::Goal(number) => {
                let name = quoted(&self.goals[usize::from(*number)].name);
                if leg.wait == Wait::NONE {
                    return name;
                }
                format!("goal = {name}")
            }
            Target::Opposite => "to = \"opposite\"".to_owned(),
            Target::Random(area) => format!("to = {{ random = {} }}", shapes(area)),
            Target::Points(list) => format!("to = {}", points(list)),
            Target::Here => return String::new(),
        };
        match &leg.wait {
            Wait::For(seconds) if *seconds <= 0.0 => format!("{{ {to} }}"),
            Wait::For(seconds) => format!("{{ {to}, wait = {seconds} }}"),
            Wait::Until(name) => format!("{{ {to}, wait = {{ until = {} }} }}", quoted(name)),
        }
    }
}

/// The table at a path, such as `model`, and its sub-tables.
fn write_parameters(o: &mut String, path: &str, parameters: &dyn Parameters) -> std::fmt::Result {
    writeln!(o, "\n[{path}]")?;
    for (parameter, value) in parameters.values() {
        let unit = if parameter.unit.is_empty() { String::new() } else { format!("  # {}", parameter.unit) };
        writeln!(o, "{} = {}{unit}", parameter.key, parameter.toml(value))?;
    }
    parameters.parts().into_iter().try_for_each(|(name, part)| write_parameters(o, &format!("{path}.{name}"), part))
}

/// A group's own manner, on one line.
fn inline_manner(manner: &Manner) -> String {
    let values = manner.rules.values().into_iter().map(|(p, value)| format!("{} = {}", p.key, p.toml(value)));
    let rows: Vec<String> = manner.table.iter().map(|[time, angle]| format!("[{time}, {angle}]")).collect();
    let table = (!rows.is_empty()).then(|| format!("table = [{}]", rows.join(", ")));
    format!("{{ {} }}", values.chain(table).collect::<Vec<_>>().join(", "))
}

pub(super) fn quoted(text: &str) -> String {
    if text.chars().all(super::is_printable) {
        return toml_edit::Value::from(text).to_string();
    }
    // What does not show is written by its number: a text may be printed on a terminal.
    let each = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        c if super::is_printable(c) => c.to_string(),
        c => format!("\\u{:04X}", c as u32),
    });
    format!("\"{}\"", each.collect::<String>())
}

fn shapes(list: &[Shape]) -> String {
    let each: Vec<String> = list.iter().map(|s| format!("{{ {} }}", shape(s))).collect();
    format!("[{}]", each.join(", "))
}

/// Shapes, with how many each holds.
fn shapes_with(list: &[Shape], capacities: &[Option<u32>]) -> String {
    let capacity = |k: usize| capacities.get(k).copied().flatten();
    let holds = |k: usize| capacity(k).map_or_else(String::new, |n| format!(", capacity = {n}"));
    let each: Vec<String> = list.iter().enumerate().map(|(k, s)| format!("{{ {}{} }}", shape(s), holds(k))).collect();
    format!("[{}]", each.join(", "))
}

fn points(list: &[glam::Vec2]) -> String {
    let each: Vec<String> = list.iter().map(|p| format!("[{}, {}]", p.x, p.y)).collect();
    format!("[{}]", each.join(", "))
}

fn shape(s: &Shape) -> String {
    match s {
        Shape::Rect(r) => format!("rect = [{}, {}, {}, {}]", r.min.x, r.min.y, r.max.x, r.max.y),
        Shape::Circle(c, radius) => format!("circle = [{}, {}, {radius}]", c.x, c.y),
        Shape::Polygon(list) => format!("polygon = {}", points(list)),
        Shape::Line(list) => format!("line = {}", points(list)),
    }
}

pub(super) fn distribution(d: &Distribution) -> String {
    match *d {
        Distribution::Constant(v) => format!("{v}"),
        Distribution::Uniform(a, b) => format!("{{ uniform = [{a}, {b}] }}"),
        Distribution::Normal { mean, deviation, min, max } => {
            format!("{{ normal = [{mean}, {deviation}], min = {min}, max = {max} }}")
        }
    }
}
