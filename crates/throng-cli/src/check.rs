//! `throng check SCENE`

use crate::Failure;
use crate::args::{CheckArgs, SceneArgs};
use crate::load;
use crate::out::{claim, grouped, say, several};
use crate::progress::Waiting;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use throng::Scene;
use throng::scene::{Distribution, Does, MachineState, printable};
use throng_creature::Mesh;
use throng_io::{StateBox, StateDiagram, StateWay, write_png};
use throng_view::space::{Cast, Guest};

pub(crate) fn check(args: &CheckArgs) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.picture {
        claim(path)?;
    }
    let (scene, cast) = within_patience(args)?;
    let states = if scene.has_states() { format!(", {}", several(scene.states.len(), "state")) } else { String::new() };
    let agents = if scene.agent_count() == 1 { "agent" } else { "agents" };
    let summary = format!(
        "{} is fine: {} × {} cells, {}, {} {agents} in {}{states}",
        printable(&scene.name),
        scene.grid.width,
        scene.grid.height,
        several(scene.goals.len(), "goal"),
        grouped(scene.agent_count()),
        several(scene.groups.len(), "group")
    );
    if let Some(path) = &args.picture {
        if !scene.has_states() {
            return Err(Failure::Usage("this scene has no [[state]] to draw; `throng render` draws its floor".into()));
        }
        write_png(path, &diagram(&scene).render())?;
    }
    let guests: Vec<String> = cast.guests().iter().flat_map(guest).collect();
    if args.quiet {
        say(&format!("{summary}\n{}", guests.concat()))?;
    } else {
        let guests: String = guests.iter().map(|line| format!("# {line}")).collect();
        say(&format!("# {summary}\n{guests}{}", scene.to_toml()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a scene, notes that it is read, and sets it up.
fn read_and_set_up(of: &SceneArgs, is_read: &AtomicBool) -> Result<(Scene, Cast), Failure> {
    let (scene, cast) = load::scene_and_cast(of)?;
    is_read.store(true, Ordering::Relaxed);
    // Whether the crowd fits and can reach its goals shows only when it is placed.
    scene.check()?;
    Ok((scene, cast))
}

/// The same for as long as somebody waits for an answer: what a scene of a few lines asks for may take hours.
fn within_patience(args: &CheckArgs) -> Result<(Scene, Cast), Failure> {
    let _waiting = Waiting::for_("checking the scene");
    let (tell, told) = mpsc::channel();
    let is_read = Arc::new(AtomicBool::new(false));
    let (of, noted) = (args.scene.clone(), Arc::clone(&is_read));
    let work = move || {
        // Nobody hears it if time is up.
        let _ = tell.send(read_and_set_up(&of, &noted));
    };
    // Where time is up it goes with the process. Its stack is as large as a main thread's.
    let thread = std::thread::Builder::new().name("check".into()).stack_size(8 << 20);
    if thread.spawn(work).is_err() {
        // Where the system starts no thread one waits for as long as it takes.
        return read_and_set_up(&args.scene, &is_read);
    }
    let answer = match args.patience {
        0.0 => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
        seconds => told.recv_timeout(Duration::from_secs_f64(seconds)),
    };
    answer.unwrap_or_else(|why| {
        let (name, seconds) = (printable(&args.scene.scene), args.patience);
        let part = if is_read.load(Ordering::Relaxed) {
            "it is read without a mistake, but finding ways and placing everybody takes"
        } else {
            "reading it takes"
        };
        Err(Failure::Other(match why {
            RecvTimeoutError::Timeout => anyhow::anyhow!(
                "{name} is not checked to its end: {part} more than {seconds} s. `--patience 0` waits until it is done"
            ),
            RecvTimeoutError::Disconnected => {
                anyhow::anyhow!("checking {name} has failed: the program has a bug, please report it")
            }
        }))
    })
}

/// What there is to say of somebody's own character, in lines: what was read, and what was left out.
fn guest(guest: &Guest) -> Vec<String> {
    let name = printable(&guest.file.name);
    let character = &guest.character;
    let triangles = character.lods.first().map_or(0, Mesh::faces);
    let clips: Vec<String> = character.clips.iter().map(|clip| printable(&clip.name)).collect();
    let about = format!(
        "{name}: {}, {} triangles; clips: {}\n",
        several(character.bones.len(), "bone"),
        grouped(triangles as u64),
        clips.join(", ")
    );
    let notes = guest.notes.iter().map(|note| format!("{name}: {}\n", printable(note)));
    std::iter::once(about).chain(notes).collect()
}

/// The states of a scene as a picture shows them.
fn diagram(scene: &Scene) -> StateDiagram {
    let mut number = 0;
    let states = scene.states.iter().enumerate().map(|(k, state)| {
        let ways = state.then.iter().map(|t| {
            number += 1;
            let group = t.group.and_then(|g| scene.groups.get(usize::from(g)));
            let joins = group.map_or_else(String::new, |g| format!("; joins {}", g.name));
            StateWay {
                to: usize::from(t.to),
                cause: format!("{}{joins}", scene.cause(number - 1)),
                interrupts: t.interrupt,
            }
        });
        let ways = ways.collect();
        let colour = throng_view::colour::state(&scene.states, k).map(|c| (c * 255.0).round() as u8);
        StateBox { name: state.name.clone(), about: about(scene, k, state), colour, ways }
    });
    let states = states.collect();
    StateDiagram { title: format!("{}: what people do, and what makes them do something else", scene.name), states }
}

/// What there is to say of a state, in lines.
fn about(scene: &Scene, number: usize, state: &MachineState) -> Vec<String> {
    let goal = |number: u16| scene.goals.get(usize::from(number)).map_or("", |g| g.name.as_str());
    let mut lines = vec![match state.does {
        Does::Walk { goal: to } => format!("walks to {}", goal(to)),
        Does::Stay { at: Some(at), seconds } => format!("stays at {} for {}", goal(at), span(seconds)),
        Does::Stay { at: None, seconds } => format!("stands for {}", span(seconds)),
        Does::Flee { seconds } => format!("flees for {}", span(seconds)),
    }];
    if (state.speed - 1.0).abs() > f32::EPSILON {
        lines.push(format!("{} times the speed", state.speed));
    }
    if state.clip != state.name {
        lines.push(format!("clip: {}", state.clip));
    }
    let begin = scene.groups.iter().filter(|g| g.state == Some(number as u16));
    let names: Vec<&str> = begin.map(|g| g.name.as_str()).collect();
    if !names.is_empty() {
        lines.push(format!("begins with this: {}", names.join(", ")));
    }
    lines
}

/// A time for people.
fn span(seconds: Distribution) -> String {
    if seconds.min() < seconds.max() {
        format!("{} to {} s", seconds.min(), seconds.max())
    } else {
        format!("{} s", seconds.min())
    }
}
