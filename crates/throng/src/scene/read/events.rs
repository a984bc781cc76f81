//! `[[event]]`: what happens when, and the names by which people wait for it.

use super::places::ZONE_SPEED;
use super::*;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// What events may name.
pub(super) struct Named<'a> {
    walls: ByName<'a>,
    zones: ByName<'a>,
    goals: ByName<'a>,
    groups: &'a [Group],
    /// Groups by name that are sources; several may share one.
    sources: HashMap<&'a str, Vec<usize>>,
    /// How many changes all events together may still have.
    left: Cell<usize>,
}

/// Changes of all events together: a name that thousands of sources share makes thousands of one.
const MOST_CHANGES: usize = 1 << 20;

/// The numbers of things by their names: thousands of events may name thousands of walls.
struct ByName<'a> {
    /// In the order of the text.
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> ByName<'a> {
    fn new(things: impl Iterator<Item = (usize, &'a str)>) -> Self {
        let (mut names, mut numbers) = (Vec::new(), HashMap::new());
        for (number, name) in things {
            names.push(name);
            // Of several with one name the first counts.
            numbers.entry(name).or_insert(number);
        }
        Self { names, numbers }
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// What to write instead of a name that nothing has.
    fn instead(&self, what: &str, wrong: &str, none: &str) -> String {
        known(what, wrong, self.names.iter().copied()).unwrap_or_else(|| none.into())
    }
}

impl<'a> Named<'a> {
    pub(super) fn new(walls: &'a [WallSpec], zones: &'a [Zone], goals: &'a [Goal], groups: &'a [Group]) -> Self {
        let mut sources: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, group) in groups.iter().enumerate().filter(|(_, g)| g.rate.is_some()) {
            sources.entry(&group.name).or_default().push(number);
        }
        Self {
            walls: ByName::new(walls.iter().enumerate().filter_map(|(i, w)| Some((i, w.name.as_deref()?)))),
            zones: ByName::new(zones.iter().enumerate().map(|(i, z)| (i, z.name.as_str()))),
            goals: ByName::new(goals.iter().enumerate().map(|(i, g)| (i, g.name.as_str()))),
            groups,
            sources,
            left: Cell::new(MOST_CHANGES),
        }
    }
}

const KEYS: &[&str] = &[
    "at",
    "name",
    "close",
    "open",
    "zone",
    "speed",
    "zones",
    "open_goals",
    "close_goals",
    "start_sources",
    "stop_sources",
];

const DOES: &str = "an event does any of: close = WALL, open = WALL, zone = ZONE with speed = FACTOR, zones = { ZONE = FACTOR }, \
                    open_goals, close_goals = GOAL, start_sources, stop_sources = GROUP (each a name or a list); \
                    or it has a name = \"alarm\" that people wait for";

const NAMES: &str = "a name, or a list of names";

/// The names that events have, in order: what a wait may last until.
pub(super) fn names<'a>(root: &Table<'a>) -> Result<Vec<&'a str>, SceneError> {
    let mut names = Vec::new();
    for node in list(root, "event")? {
        let t = Table::new(root.source, node, "[[event]]", KEYS, "it as [[event]]")?;
        names.extend(t.text("name", "a text")?);
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// What `{ until = NAME }` says, where it stands as a wait or a delay.
pub(super) fn until(t: &Table<'_>, signals: &[&str]) -> Result<Option<String>, SceneError> {
    let Some(name) = t.text("until", "the name of an event")? else { return Ok(None) };
    if signals.binary_search(&name).is_ok() {
        return Ok(Some(name.to_owned()));
    }
    let none = "no event has a name yet: write [[event]] with at = seconds and name = \"alarm\"";
    Err(t
        .error("until", format!("there is no event named \"{}\"", shorten(name)))
        .help(known("named events are", name, signals.iter().copied()).unwrap_or(none.into())))
}

/// All events of a scene.
pub(super) fn events(root: &Table<'_>, named: &Named<'_>) -> Result<Vec<Event>, SceneError> {
    gather(list(root, "event")?, |_, node| event(root.source, node, named))
}

fn event(source: &Source, node: &Node, named: &Named<'_>) -> Result<Event, SceneError> {
    let t = Table::new(source, node, "[[event]]", KEYS, "it as [[event]]")?;
    if t.get("at").is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this event has no time").help("write at = seconds"));
    }
    let at = t.f32("at", 0.0, 0.0..=1e7, "seconds, 0 to 10000000")?;
    let name = t.text("name", "a text")?.map(str::to_owned);
    let mut changes = Vec::new();
    let walls = both(&t, ["close", "open"], |key, name| named.wall(&t, key, name))?;
    changes.extend(walls.into_iter().map(|(wall, opens)| if opens { Change::Open(wall) } else { Change::Close(wall) }));
    changes.extend(zones(&t, named)?);
    let goals = both(&t, ["close_goals", "open_goals"], |key, name| named.goal(&t, key, name))?;
    changes.extend(goals.into_iter().map(|(goal, open)| Change::Goal(goal, open)));
    let sources = both(&t, ["stop_sources", "start_sources"], |key, name| named.sources(&t, key, name))?;
    changes.extend(sources.into_iter().map(|(group, on)| Change::Source(group, on)));
    if changes.is_empty() && name.is_none() {
        return Err(SceneError::at(source, node.span.clone(), "this event does nothing").help(DOES));
    }
    let Some(left) = named.left.get().checked_sub(changes.len()) else {
        let message = format!("with this event all of them together change more than {MOST_CHANGES} things");
        return Err(
            SceneError::at(source, node.span.clone(), message).help("use fewer events, or fewer sources of one name")
        );
    };
    named.left.set(left);
    Ok(Event { at, name, changes })
}

/// The names under a key: one, or a list of them, each once.
fn named_under<'a>(t: &Table<'a>, key: &'static str) -> Result<Vec<&'a str>, SceneError> {
    let text = |n: &'a Node| match &n.kind {
        Kind::Text(name) => Ok(name.as_str()),
        _ => Err(t.wrong_type(n, key, NAMES)),
    };
    let names: Vec<&str> = match t.get(key) {
        None => return Ok(Vec::new()),
        Some(Node { kind: Kind::List(items), .. }) if !items.is_empty() => {
            items.iter().map(text).collect::<Result<_, _>>()?
        }
        Some(node) => vec![text(node)?],
    };
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(**name)) {
        None => Ok(names),
        Some(name) => Err(t.error(key, format!("`{key}` has \"{}\" twice", shorten(name))).help("name each once")),
    }
}

/// What two keys that contradict each other name, by number, with whether it is under the second of them.
fn both(
    t: &Table<'_>,
    keys: [&'static str; 2],
    find: impl Fn(&'static str, &str) -> Result<Vec<usize>, SceneError>,
) -> Result<Vec<(usize, bool)>, SceneError> {
    let lists = [named_under(t, keys[0])?, named_under(t, keys[1])?];
    let first: HashSet<&str> = lists[0].iter().copied().collect();
    if let Some(name) = lists[1].iter().find(|name| first.contains(*name)) {
        let [a, b] = keys;
        return Err(t
            .error(b, format!("\"{}\" is in both `{a}` and `{b}`", shorten(name)))
            .help("an event happens at one time: leave it in one of them"));
    }
    let mut found = Vec::new();
    for (list, second) in lists.iter().zip([false, true]) {
        for name in list {
            found.extend(find(keys[usize::from(second)], name)?.into_iter().map(|number| (number, second)));
        }
    }
    Ok(found)
}

/// The zones whose speed changes.
fn zones(t: &Table<'_>, named: &Named<'_>) -> Result<Vec<Change>, SceneError> {
    let wrong = |key: &'static str, message: &str| {
        t.error(key, message).help("write zone = ZONE with speed = FACTOR, or zones = { ZONE = FACTOR, … }")
    };
    let mut found: Vec<Change> = Vec::new();
    match (t.text("zone", "the name of a zone")?, t.get("speed").is_some()) {
        (None, false) => {}
        (Some(_), false) => return Err(wrong("zone", "this event changes a zone but gives no speed")),
        (None, true) => return Err(wrong("speed", "this event has a speed but names no zone")),
        (Some(name), true) => {
            let place = t.place("zone");
            found.push(Change::ZoneSpeed(named.zone(t, place, name)?, t.f32("speed", 1.0, 0.01..=2.0, ZONE_SPEED)?));
        }
    }
    let entries = match t.get("zones") {
        None => return Ok(found),
        Some(Node { kind: Kind::Table(entries), .. }) if !entries.is_empty() => entries,
        Some(node) => return Err(t.wrong_type(node, "zones", "names of zones with their speeds: { stairs = 0.5 }")),
    };
    for entry in entries {
        let zone = named.zone(t, entry.key_span.clone(), &entry.key)?;
        let speed = t.number_in(&entry.value, &shorten(&entry.key), 0.01..=2.0, ZONE_SPEED)?;
        if found.iter().any(|c| matches!(c, Change::ZoneSpeed(other, _) if *other == zone)) {
            return Err(wrong("zones", "this event gives a zone two speeds"));
        }
        found.push(Change::ZoneSpeed(zone, speed));
    }
    Ok(found)
}

impl Named<'_> {
    fn wall(&self, t: &Table<'_>, key: &'static str, name: &str) -> Result<Vec<usize>, SceneError> {
        let none = "no wall has a name yet: write { rect = […], name = \"door\" } in map.walls";
        self.walls.number(name).map(|wall| vec![wall]).ok_or_else(|| {
            t.error(key, format!("there is no wall named \"{}\"", shorten(name))).help(self.walls.instead(
                "named walls are",
                name,
                none,
            ))
        })
    }

    fn zone(&self, t: &Table<'_>, place: Range<usize>, name: &str) -> Result<usize, SceneError> {
        self.zones.number(name).ok_or_else(|| {
            SceneError::at(t.source, place, format!("there is no zone named \"{}\"", shorten(name)))
                .help(self.zones.instead("zones are", name, "the scene has no zones yet: add a [[zone]]"))
        })
    }

    fn goal(&self, t: &Table<'_>, key: &'static str, name: &str) -> Result<Vec<usize>, SceneError> {
        self.goals.number(name).map(|goal| vec![goal]).ok_or_else(|| {
            t.error(key, format!("there is no goal \"{}\"", shorten(name))).help(self.goals.instead(
                "goals are",
                name,
                "the scene has no goals yet: add a [[goal]]",
            ))
        })
    }

    /// Groups may share a name: then all of them that are sources are meant.
    fn sources(&self, t: &Table<'_>, key: &'static str, name: &str) -> Result<Vec<usize>, SceneError> {
        if let Some(found) = self.sources.get(name) {
            return Ok(found.clone());
        }
        let sources = self.groups.iter().filter(|g| g.rate.is_some()).map(|g| g.name.as_str());
        if self.groups.iter().any(|g| g.name == name) {
            return Err(t
                .error(key, format!("\"{}\" is no source: its people are there from the beginning", shorten(name)))
                .help("give the group source = { rate = 2.0, total = 100 } instead of a count"));
        }
        let none = "no group is a source yet: write source = { rate = 2.0, total = 100 } in [[agents]]";
        Err(t
            .error(key, format!("there is no group named \"{}\"", shorten(name)))
            .help(known("sources are", name, sources).unwrap_or(none.into())))
    }
}
