//! `[[state]]`: the machine that groups live by.

use super::agents::distribution;
use super::*;
use crate::scene::machine::{MOST_STATES, MOST_TRANSITIONS};

const STATE_KEYS: &[&str] = &["name", "clip", "goal", "seconds", "at", "flee", "speed", "colour", "then"];
const THEN_KEYS: &[&str] = &["to", "when", "interrupt", "group"];
const WHEN_KEYS: &[&str] =
    &["goal_within", "hazard_within", "hazard_beyond", "agents_within", "group", "chance", "event", "after"];

const DOES: &str = "goal = \"gold\" (walks there), seconds = { uniform = [3, 6] } (stands; with at = \"gold\" at a place of its own \
                    there), or flee = true (walks away from hazards)";
const NEAR: &str = "agents_within is { radius = metres, count = at least so many, most = at most so many, state = \"only those in it\" }";

/// What states may name.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) goals: &'a [Goal],
    pub(super) groups: &'a [Group],
    /// Names of events, in order.
    pub(super) signals: &'a [&'a str],
    /// Names of states, in order of their numbers.
    pub(super) states: &'a [&'a str],
}

/// The names of all states, in the order of their numbers.
pub(super) fn names<'a>(root: &Table<'a>) -> Result<Vec<&'a str>, SceneError> {
    let (source, nodes) = (root.source, list(root, "state")?);
    if nodes.len() > MOST_STATES {
        return Err(SceneError::whole(source, format!("{} states are too many", nodes.len())).help("at most 64"));
    }
    let mut names: Vec<&str> = Vec::new();
    for node in nodes {
        let t = Table::new(source, node, "[[state]]", STATE_KEYS, "it as [[state]]")?;
        let Some(name) = t.text("name", "a text")? else {
            return Err(SceneError::at(source, node.span.clone(), "this state has no name")
                .help("write name = \"fetch gold\": transitions and groups call it by that"));
        };
        if names.contains(&name) {
            return Err(places::two_of(source, node, "state", name));
        }
        names.push(name);
    }
    Ok(names)
}

/// The number of a state that something calls by name.
pub(super) fn state_named(t: &Table<'_>, key: &'static str, states: &[&str]) -> Result<Option<u16>, SceneError> {
    let Some(name) = t.text(key, "the name of a state")? else { return Ok(None) };
    let found = states.iter().position(|s| *s == name);
    found.map(|number| Some(number as u16)).ok_or_else(|| {
        let none = "the scene has no states yet: add a [[state]]";
        t.error(key, format!("there is no state \"{}\"", shorten(name)))
            .help(known("states are", name, states.iter().copied()).unwrap_or(none.into()))
    })
}

/// All states of a scene; what they name is there, and everybody gets into and out of each.
pub(super) fn states(root: &Table<'_>, known: Known<'_>) -> Result<Vec<MachineState>, SceneError> {
    let (source, nodes) = (root.source, list(root, "state")?);
    let states = gather(nodes, |_, node| state(source, node, known))?;
    let transitions: usize = states.iter().map(|s| s.then.len()).sum();
    if transitions > MOST_TRANSITIONS {
        return Err(SceneError::whole(source, format!("{transitions} transitions of states are too many"))
            .help("at most 256 in all states"));
    }
    check_ways(source, nodes, &states, known.groups)?;
    Ok(states)
}

fn state(source: &Source, node: &Node, known: Known<'_>) -> Result<MachineState, SceneError> {
    let t = Table::new(source, node, "[[state]]", STATE_KEYS, "it as [[state]]")?;
    let name = t.text("name", "a text")?.unwrap_or_default().to_owned();
    let clip = t.text("clip", "the name of an animation")?.map_or_else(|| name.clone(), str::to_owned);
    let does = does(&t, node, known)?;
    let speed = t.f32("speed", 1.0, 0.01..=10.0, "a factor on everybody's speed, 0.01 to 10")?;
    let colour = colour(&t)?;
    let nodes = list(&t, "then")?;
    let then: Vec<Transition> =
        nodes.iter().map(|node| transition(&t, node, &does, known)).collect::<Result<_, SceneError>>()?;
    let always = then.iter().position(|t| t.always_holds());
    if let Some(first) = always
        && let Some(dead) = (first + 1..then.len()).find(|&k| !then[k].interrupt)
    {
        return Err(SceneError::at(source, nodes[dead].span.clone(), "this transition is never taken")
            .help("one before it has no `when`, so it always holds: put that one last"));
    }
    if then.is_empty() && !matches!(does, Does::Walk { .. }) {
        return Err(SceneError::at(source, node.span.clone(), format!("\"{}\" has no way out", shorten(&name)))
            .help("add [[state.then]] with to = \"the next state\""));
    }
    Ok(MachineState { name, clip, does, speed, colour, then })
}

/// What somebody does in a state.
fn does(t: &Table<'_>, node: &Node, known: Known<'_>) -> Result<Does, SceneError> {
    let (goal, flees) = (goal_named(t, "goal", known.goals)?, t.truth("flee", false)?);
    let given = [("goal", goal.is_some()), ("seconds", t.get("seconds").is_some()), ("flee", flees)];
    let seconds = duration(t, if flees { 1.0 } else { 0.0 })?;
    let at = goal_named(t, "at", known.goals)?;
    if at.is_some() && (goal.is_some() || flees) {
        return Err(t
            .error("at", "`at` is where somebody stands, and in this state nobody does")
            .help("leave it out, or write seconds instead of goal or flee"));
    }
    match given.map(|(_, is)| is) {
        [true, false, false] => Ok(Does::Walk { goal: goal.unwrap_or_default() }),
        [false, true, false] => Ok(Does::Stay { at, seconds }),
        [false, _, true] => Ok(Does::Flee { seconds }),
        [false, false, false] => Err(SceneError::at(t.source, node.span.clone(), "in this state nobody does anything")
            .help(format!("a state has one of: {DOES}"))),
        _ => {
            let both: Vec<&str> = given.iter().filter(|(_, is)| *is).map(|(key, _)| *key).collect();
            Err(t
                .error(both[1], format!("this state has both {} and {}", both[0], both[1]))
                .help(format!("a state has one of: {DOES}. To give up a way, write a transition that interrupts when = {{ after = 30 }}")))
        }
    }
}

fn goal_named(t: &Table<'_>, key: &'static str, goals: &[Goal]) -> Result<Option<u16>, SceneError> {
    let Some(name) = t.text(key, "the name of a goal")? else { return Ok(None) };
    goals.iter().position(|g| g.name == name).map(|number| Some(number as u16)).ok_or_else(|| {
        let none = "the scene has no goals yet: add a [[goal]]";
        t.error(key, format!("there is no goal \"{}\"", shorten(name)))
            .help(super::known("goals are", name, goals.iter().map(|g| g.name.as_str())).unwrap_or(none.into()))
    })
}

/// How long a clip lasts: drawn in whole steps when it begins, so it is a number or uniform.
fn duration(t: &Table<'_>, default: f32) -> Result<Distribution, SceneError> {
    let seconds = distribution(t, "seconds", Distribution::Constant(default), 0.0..=1e6, "s")?;
    no_normal(t, "seconds", seconds)
}

/// Refuses a normal distribution where draws are made on the device.
pub(super) fn no_normal(t: &Table<'_>, key: &str, value: Distribution) -> Result<Distribution, SceneError> {
    match value {
        Distribution::Normal { .. } => Err(t
            .error(key, format!("`{key}` cannot be normal here"))
            .help("write a number or { uniform = [low, high] }: these are drawn while the run goes on")),
        other => Ok(other),
    }
}

/// A colour as "#e0b040".
fn colour(t: &Table<'_>) -> Result<Option<[u8; 3]>, SceneError> {
    const RIGHT: &str = "red, green and blue as \"#e0b040\"";
    let Some(text) = t.text("colour", RIGHT)? else { return Ok(None) };
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
    let number = digits.and_then(|d| u32::from_str_radix(d, 16).ok()).ok_or_else(|| {
        t.error("colour", format!("`colour` cannot be \"{}\"", shorten(text))).help(format!("colour is {RIGHT}"))
    })?;
    let [_, r, g, b] = number.to_be_bytes();
    Ok(Some([r, g, b]))
}

fn transition(state: &Table<'_>, node: &Node, does: &Does, all: Known<'_>) -> Result<Transition, SceneError> {
    let t = Table::new(state.source, node, "[[state.then]]", THEN_KEYS, "it as [[state.then]]")?;
    let Some(to) = state_named(&t, "to", all.states)? else {
        return Err(SceneError::at(state.source, node.span.clone(), "this transition leads nowhere")
            .help("write to = \"the name of a state\""));
    };
    let interrupt = t.truth("interrupt", false)?;
    let group = group_named(&t, all.groups)?;
    let when = match t.get("when") {
        None => When::default(),
        Some(node) => when(&t, node, does, all)?,
    };
    if interrupt && when == When::default() {
        return Err(t
            .error("interrupt", "this transition interrupts in every step, as it asks for nothing")
            .help("say when = { … }, or leave `interrupt` out: then it waits until the clip ends"));
    }
    Ok(Transition { to, interrupt, group, when })
}

/// A group that lives by states.
fn group_named(t: &Table<'_>, groups: &[Group]) -> Result<Option<u16>, SceneError> {
    let Some(name) = t.text("group", "the name of a group")? else { return Ok(None) };
    let living = || groups.iter().filter(|g| g.lives()).map(|g| g.name.as_str());
    if let Some(number) = groups.iter().position(|g| g.lives() && g.name == name) {
        return Ok(Some(number as u16));
    }
    let error = if groups.iter().any(|g| g.name == name) {
        t.error("group", format!("\"{}\" has a journey: nobody in a state can belong to it", shorten(name)))
    } else {
        t.error("group", format!("there is no group \"{}\"", shorten(name)))
    };
    Err(error.help(known("groups with a state are", name, living()).unwrap_or("no group begins with a state".into())))
}

fn when(transition: &Table<'_>, node: &Node, does: &Does, all: Known<'_>) -> Result<When, SceneError> {
    let t = Table::new(transition.source, node, "`when`", WHEN_KEYS, "when = { chance = 0.5 }")?;
    let optional = |key: &'static str, range: std::ops::RangeInclusive<f32>, right: &str| {
        t.get(key).map(|_| t.f32(key, 0.0, range, right)).transpose()
    };
    let event = match t.text("event", "the name of an event")? {
        None => None,
        Some(name) if all.signals.binary_search(&name).is_ok() => Some(name.to_owned()),
        Some(name) => {
            let none = "no event has a name yet: write [[event]] with at = seconds and name = \"alarm\"";
            return Err(t
                .error("event", format!("there is no event named \"{}\"", shorten(name)))
                .help(known("named events are", name, all.signals.iter().copied()).unwrap_or(none.into())));
        }
    };
    Ok(When {
        goal_within: goal_within(&t, does, all.goals)?,
        hazard_within: optional("hazard_within", 0.0..=1e5, "metres to the rim of the nearest hazard, 0 to 100000")?,
        hazard_beyond: optional("hazard_beyond", 0.0..=1e5, "metres to the rim of the nearest hazard, 0 to 100000")?,
        agents_within: t.get("agents_within").map(|n| nearby(&t, n, all.states)).transpose()?,
        group: group_named(&t, all.groups)?,
        chance: optional("chance", 0.0..=1.0, "a chance, 0 to 1: at each test, or in each second if it interrupts")?,
        event,
        after: optional("after", 0.0..=1e6, "seconds since the state began, 0 to 1000000")?,
    })
}

/// Metres to the state's own goal, or a goal and metres.
fn goal_within(t: &Table<'_>, does: &Does, goals: &[Goal]) -> Result<Option<(u16, f32)>, SceneError> {
    const RIGHT: &str = "metres to the state's own goal, or { goal = \"gold\", metres = 5 }";
    const METRES: std::ops::RangeInclusive<f32> = 0.0..=1e5;
    let Some(node) = t.get("goal_within") else { return Ok(None) };
    if let Kind::Table(_) = node.kind {
        let pair = Table::new(t.source, node, "`goal_within`", &["goal", "metres"], RIGHT)?;
        let (Some(goal), true) = (goal_named(&pair, "goal", goals)?, pair.get("metres").is_some()) else {
            return Err(t
                .error("goal_within", "`goal_within` names no goal, or no metres")
                .help(format!("write {RIGHT}")));
        };
        return Ok(Some((goal, pair.f32("metres", 0.0, METRES, "metres, 0 to 100000")?)));
    }
    let metres = t.f32("goal_within", 0.0, METRES, RIGHT)?;
    match does.place() {
        Some(goal) => Ok(Some((goal, metres))),
        None => Err(t.error("goal_within", "this state has no goal of its own").help(format!("write {RIGHT}"))),
    }
}

fn nearby(when: &Table<'_>, node: &Node, states: &[&str]) -> Result<Nearby, SceneError> {
    let t = Table::new(when.source, node, "`agents_within`", &["radius", "count", "most", "state"], NEAR)?;
    let (count, most) = (t.get("count").is_some(), t.get("most").is_some());
    if t.get("radius").is_none() || !(count || most) {
        return Err(when.error("agents_within", "`agents_within` needs a radius, and a count or a most").help(NEAR));
    }
    let radius = t.f32("radius", 0.0, 0.01..=20.0, "metres, 0.01 to 20")?;
    let whole = |key: &'static str| t.whole(key, 0, 0..=100_000, "a whole number of people, up to 100000");
    let (least, most) = (whole("count")? as u32, if most { Some(whole("most")? as u32) } else { None });
    if most.is_some_and(|most| most < least) {
        return Err(t.error("most", "at most fewer than at least: this never holds").help(NEAR));
    }
    Ok(Nearby { radius, count: least, most, state: state_named(&t, "state", states)? })
}

/// That somebody gets into every state, and that who changes its group fits it.
fn check_ways(source: &Source, nodes: &[Node], states: &[MachineState], groups: &[Group]) -> Result<(), SceneError> {
    let mut reached = vec![false; states.len()];
    let mut front: Vec<usize> = groups.iter().filter_map(|g| g.state).map(usize::from).collect();
    while let Some(state) = front.pop() {
        if !std::mem::replace(&mut reached[state], true) {
            front.extend(states[state].then.iter().map(|t| usize::from(t.to)));
        }
    }
    if let Some(lost) = reached.iter().position(|r| !r) {
        let message = format!("nobody ever gets into the state \"{}\"", shorten(&states[lost].name));
        return Err(SceneError::at(source, nodes[lost].span.clone(), message)
            .help("a group begins with a state by state = \"…\", and [[state.then]] leads from one to another"));
    }
    let living = || groups.iter().filter(|g| g.lives());
    for (node, state) in nodes.iter().zip(states) {
        for group in state.then.iter().filter_map(|t| t.group).map(|g| &groups[usize::from(g)]) {
            if let Some(other) = living().find(|g| g.radius != group.radius) {
                let (a, b) = (shorten(&group.name), shorten(&other.name));
                return Err(SceneError::at(
                    source,
                    node.span.clone(),
                    format!("who goes over to \"{a}\" keeps its body, and \"{b}\" has others"),
                )
                .help("where a transition changes the group, give all groups with a state the same radius"));
            }
        }
    }
    Ok(())
}

/// Gives a scene of a single group that lives by states the machine of another: groups that transitions name are that one, and for every
/// state there is a group of nobody that begins with it.
pub(super) fn live_alone(scene: &Scene, alone: &mut Scene) {
    alone.states.clone_from(&scene.states);
    for t in alone.states.iter_mut().flat_map(|s| &mut s.then) {
        for group in [&mut t.group, &mut t.when.group].into_iter().flatten() {
            *group = 0;
        }
    }
    let nobody = Group { count: 0, rate: None, on: true, ..alone.groups[0].clone() };
    let begins =
        |state: usize| Group { name: format!("begins with {state}"), state: Some(state as u16), ..nobody.clone() };
    alone.groups.extend((0..scene.states.len()).map(begins));
}
