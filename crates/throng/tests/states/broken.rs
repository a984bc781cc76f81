//! Machines that cannot be used, and what the user is told about each.

use throng::scene::NoFiles;
use throng::{Scene, Simulation};

/// A sound machine of two states, in which something is replaced.
const SOUND: &str = r#"
size = [10, 5]
[[goal]]
name = "gold"
rect = [9, 0, 10, 5]
[[event]]
at = 5
name = "alarm"
[[agents]]
name = "miners"
count = 5
start = { rect = [1, 1, 4, 4] }
state = "walk"
[[agents]]
name = "walkers"
count = 1
journey = ["gold"]
[[state]]
name = "walk"
goal = "gold"
[[state.then]]
to = "mine"
when = { chance = 0.5 }
[[state]]
name = "mine"
seconds = { uniform = [3, 6] }
at = "gold"
[[state.then]]
to = "walk"
"#;

fn fault(text: &str) -> Option<throng::scene::SceneError> {
    match Scene::parse("rooms.toml", text, &NoFiles) {
        Err(error) => Some(error),
        Ok(scene) => Simulation::new(&scene).err(),
    }
}

#[test]
fn the_machine_that_all_are_made_from_is_sound() {
    assert!(fault(SOUND).is_none(), "{:?}", fault(SOUND));
}

#[rustfmt::skip]
const BROKEN: &[(&str, &str, &str, &str)] = &[
    ("state = \"walk\"", "state = \"wlak\"", "there is no state \"wlak\"", "did you mean \"walk\"?"),
    ("state = \"walk\"", "state = \"walk\"\njourney = [\"gold\"]", "a group that begins with a state cannot have `journey`", "not both"),
    ("state = \"walk\"", "state = \"walk\"\ndelay = 5", "a group that begins with a state cannot have `delay`", "first state with seconds"),
    ("state = \"walk\"", "state = \"walk\"\narrive = \"park\"", "a group that begins with a state cannot have `arrive`", "comes to no end"),
    ("state = \"walk\"", "state = \"walk\"\ngoal_distance = { normal = [1, 0.2] }", "`goal_distance` cannot be normal here", "uniform"),
    ("state = \"walk\"", "state = \"walk\"\ngoal_distance = -1", "`goal_distance` is -1, which is out of range", "0.01 to 1000"),
    ("count = 5\nstart = { rect = [1, 1, 4, 4] }\nstate = \"walk\"", "source = { rate = 1, total = 5 }\nstate = \"mine\"", "those of \"miners\" come from a source and do not walk", "begin with a state that has a goal"),
    ("state = \"walk\"\n[[agents]]", "journey = [\"gold\"]\n[[agents]]", "nobody ever gets into the state \"walk\"", "state = "),
    ("name = \"walk\"\n", "", "this state has no name", "transitions and groups"),
    ("name = \"mine\"\nseconds", "name = \"walk\"\nseconds", "there are two states named \"walk\"", "name of its own"),
    ("name = \"mine\"\nseconds", "name = \"mine\"\ncolor = 3\nseconds", "unknown key `color` in [[state]]", "did you mean `colour`?"),
    ("at = \"gold\"", "at = \"glod\"", "there is no goal \"glod\"", "did you mean \"gold\"?"),
    ("at = \"gold\"", "goal = \"gold\"", "this state has both goal and seconds", "a state has one of"),
    ("at = \"gold\"", "flee = true\nat = \"gold\"", "`at` is where somebody stands, and in this state nobody does", "leave it out"),
    ("seconds = { uniform = [3, 6] }\nat = \"gold\"", "", "in this state nobody does anything", "a state has one of"),
    ("seconds = { uniform = [3, 6] }", "seconds = -1", "`seconds` is -1, which is out of range", "0 to 1000000"),
    ("seconds = { uniform = [3, 6] }", "seconds = { normal = [3, 1] }", "`seconds` cannot be normal here", "drawn while the run goes on"),
    ("seconds = { uniform = [3, 6] }", "seconds = { uniform = [6, 3] }", "`seconds` runs from 6 down to 3: the lower one comes first", "uniform"),
    ("[[state.then]]\nto = \"walk\"\n", "", "\"mine\" has no way out", "[[state.then]]"),
    ("to = \"walk\"\n", "to = \"wlak\"\n", "there is no state \"wlak\"", "did you mean \"walk\"?"),
    ("to = \"walk\"\n", "", "this transition leads nowhere", "to = "),
    ("to = \"walk\"\n", "to = \"walk\"\ninterrupt = true\n", "this transition interrupts in every step, as it asks for nothing", "when = "),
    ("to = \"walk\"\n", "to = \"walk\"\n[[state.then]]\nto = \"mine\"\n", "this transition is never taken", "put that one last"),
    ("to = \"walk\"\n", "to = \"walk\"\ngroup = \"walkers\"\n", "\"walkers\" has a journey: nobody in a state can belong to it", "miners"),
    ("to = \"walk\"\n", "to = \"walk\"\ngroup = \"minors\"\n", "there is no group \"minors\"", "did you mean \"miners\"?"),
    ("chance = 0.5", "chance = 1.5", "`chance` is 1.5, which is out of range", "0 to 1"),
    ("chance = 0.5", "chance = \"often\"", "`chance` cannot be the text \"often\"", "0 to 1"),
    ("chance = 0.5", "luck = 0.5", "unknown key `luck` in `when`", "chance"),
    ("chance = 0.5", "event = \"alrm\"", "there is no event named \"alrm\"", "did you mean \"alarm\"?"),
    ("chance = 0.5", "after = -2", "`after` is -2, which is out of range", "seconds"),
    ("chance = 0.5", "hazard_within = -2", "`hazard_within` is -2, which is out of range", "metres"),
    ("chance = 0.5", "goal_within = { goal = \"gold\" }", "`goal_within` names no goal, or no metres", "metres = 5"),
    ("chance = 0.5", "agents_within = { count = 3 }", "`agents_within` needs a radius, and a count or a most", "radius = metres"),
    ("chance = 0.5", "agents_within = { radius = 2, count = 3, most = 2 }", "at most fewer than at least: this never holds", "radius = metres"),
    ("chance = 0.5", "agents_within = { radius = 200, count = 3 }", "`radius` is 200, which is out of range", "0.01 to 20"),
    ("chance = 0.5", "agents_within = { radius = 2, count = 3, state = \"min\" }", "there is no state \"min\"", "did you mean \"mine\"?"),
    ("goal = \"gold\"\n[[state.then]]", "goal = \"gold\"\ncolour = \"yellow\"\n[[state.then]]", "`colour` cannot be \"yellow\"", "#e0b040"),
    ("goal = \"gold\"\n[[state.then]]", "goal = \"gold\"\nspeed = 0\n[[state.then]]", "`speed` is 0, which is out of range", "0.01 to 10"),
    ("goal = \"gold\"\n[[state.then]]", "goal = \"gold\"\nspeed = 10\n[[state.then]]", "past a whole cell of 0.5 m", "write dt = "),
];

#[test]
fn every_broken_machine_is_refused_with_a_message_that_helps() {
    for (sound, broken, message, help) in BROKEN {
        let text = SOUND.replacen(sound, broken, 1);
        assert_ne!(text, SOUND, "{sound} is not there");
        let error = fault(&text).unwrap_or_else(|| panic!("{broken} was taken for sound"));
        assert!(error.message().contains(message), "{broken}: {error}");
        let said = miette::Diagnostic::help(&error).map(|h| h.to_string()).unwrap_or_default();
        assert!(said.contains(help), "{broken}: {said}");
    }
}

#[test]
fn machines_that_are_too_large_are_refused() {
    let many = |n: usize, ways: usize| {
        let then = "[[state.then]]\nto = \"s 0\"\nwhen = { chance = 0.1 }\n".repeat(ways);
        (0..n).map(|k| format!("[[state]]\nname = \"s {k}\"\ngoal = \"gold\"\n{then}")).collect::<String>()
    };
    let head = &SOUND[..SOUND.find("[[state]]").expect("states")];
    for (states, message) in
        [(many(65, 1), "65 states are too many"), (many(2, 129), "258 transitions of states are too many")]
    {
        let text = format!("{}{states}", head.replace("state = \"walk\"", "state = \"s 0\""));
        let error = fault(&text).expect("too many");
        assert!(error.message().contains(message), "{error}");
    }
}

#[test]
fn who_changes_its_group_keeps_its_body() {
    let text = SOUND
        .replace(
            "name = \"walkers\"\ncount = 1\njourney = [\"gold\"]",
            "name = \"big\"\ncount = 1\nradius = 0.3\nstate = \"walk\"",
        )
        .replace("when = { chance = 0.5 }", "group = \"big\"");
    let error = fault(&text).expect("bodies differ");
    assert!(error.message().contains("keeps its body"), "{error}");
}
