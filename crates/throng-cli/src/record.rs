//! Trajectories of a run, written by a thread of their own.

use crate::Failure;
use crate::args::RunArgs;
use crate::out::{grouped, remark};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use throng::geometry::Shape;
use throng::world::agents::Agents;
use throng::world::points::POINT;
use throng::{Scene, Simulation};
use throng_io::{
    Frame, Outline, Person, RECORDING_ENDINGS, Recording, RecordingInfo, WriteError, recording_ending, walkable_wkt,
};

/// Frames that wait for the writer: beyond that the steps wait. Each is a copy of the crowd.
pub(crate) const WAITING: usize = 4;

/// Where a recording goes, and how often.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    file: PathBuf,
    /// Steps from frame to frame.
    every: u64,
    /// The time step as people write it: in 64 bits the stored one is a little less or more.
    dt: f64,
}

impl Plan {
    /// What the command line asks for, if it makes sense.
    pub(crate) fn of(args: &RunArgs, scene: &Scene) -> Result<Option<Self>, Failure> {
        let Some(file) = &args.record else { return Ok(None) };
        if recording_ending(file).is_none() {
            let endings: Vec<String> = RECORDING_ENDINGS.iter().map(|e| format!(".{e}")).collect();
            return Err(Failure::Usage(format!(
                "--record {}: what is written follows from the ending, one of {}",
                file.display(),
                endings.join(", ")
            )));
        }
        let dt = scene.dt.to_string().parse().unwrap_or(f64::from(scene.dt));
        let every = match (args.fps, args.every) {
            (Some(fps), _) => steps_between(fps, dt)?,
            (None, Some(every)) => every,
            (None, None) => ((0.04 / dt).round() as u64).max(1),
        };
        Ok(Some(Self { file: file.clone(), every, dt }))
    }

    fn fps(&self) -> f64 {
        // Whole where it should be: 1 / (1 · 0.04) is 25.
        let fps = 1.0 / (self.every as f64 * self.dt);
        if (fps - fps.round()).abs() < 1e-9 * fps { fps.round() } else { fps }
    }
}

/// Steps from frame to frame for so many frames a second.
fn steps_between(fps: f64, dt: f64) -> Result<u64, Failure> {
    let steps = 1.0 / (fps * dt);
    if fps > 0.0 && steps.is_finite() && steps > 0.999 && (steps - steps.round()).abs() < 1e-3 * steps {
        return Ok(steps.round() as u64);
    }
    let possible: Vec<String> = [1.0, 2.0, 4.0, 5.0, 10.0].map(|n| format!("{:.4}", 1.0 / (n * dt))).to_vec();
    let possible: Vec<&str> = possible.iter().map(|p| p.trim_end_matches('0').trim_end_matches('.')).collect();
    Err(Failure::Usage(format!(
        "--fps {fps:?}: frames are whole steps of {dt} s apart, so there can be {} … of them a second",
        possible.join(", ")
    )))
}

/// What a frame is made of.
struct Shot {
    step: u64,
    agents: Box<Agents>,
    /// Walls, if they are others than in the frame before.
    floor: Option<Box<Floor>>,
}

/// Walls, and where people want to be.
pub(crate) struct Floor {
    walls: Vec<Outline>,
    goals: Vec<[f64; 2]>,
}

/// What became of a recording.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    file: PathBuf,
    fps: f64,
    frames: u64,
    /// Why it ends before the run does.
    pub(crate) failed: Option<String>,
}

impl Recorded {
    pub(crate) fn json(&self) -> Value {
        json!({ "file": self.file.to_string_lossy(), "fps": self.fps, "frames": self.frames, "failed": self.failed })
    }

    pub(crate) fn text(&self) -> String {
        let words = if self.failed.is_some() { ", then it failed" } else { "" };
        let plural = if self.frames == 1 { "" } else { "s" };
        format!("{} frame{plural}, {} a second, in {}{words}", grouped(self.frames), self.fps, self.file.display())
    }
}

/// A recording under way.
pub(crate) struct Recorder {
    plan: Plan,
    /// Nobody once the writer has failed.
    writer: Option<(SyncSender<Shot>, JoinHandle<Written>)>,
    wants_floor: bool,
    /// Changes of the world that the last frame knew of.
    edits: Option<u64>,
    done: Recorded,
}

/// How many frames are in the file, and why it ended if it did.
type Written = (u64, Result<(), WriteError>);

impl Recorder {
    /// Begins the file.
    pub(crate) fn begin(plan: Plan, sim: &Simulation) -> Result<Self, Failure> {
        let (scene, fps) = (sim.scene(), plan.fps());
        let extent = scene.grid.extent();
        let info = RecordingInfo {
            scene: scene.name.clone(),
            fps,
            size: plain([extent.x, extent.y]),
            groups: scene.groups.iter().map(|g| g.name.clone()).collect(),
            goals: scene.goals.iter().map(|g| g.name.clone()).collect(),
        };
        let recording = Recording::begin(&plan.file, &info)?;
        let wants_floor = recording.wants_geometry();
        let (to, from) = sync_channel(WAITING);
        let (every, dt) = (plan.every, plan.dt);
        let thread = std::thread::Builder::new()
            .name("recording".into())
            .spawn(move || write(recording, &from, info.size, every, dt))?;
        let done = Recorded { file: plan.file.clone(), fps, frames: 0, failed: None };
        Ok(Self { plan, writer: Some((to, thread)), wants_floor, edits: None, done })
    }

    /// Whether there is a frame of a step.
    pub(crate) fn is_due(&self, step: u64) -> bool {
        self.writer.is_some() && step.is_multiple_of(self.plan.every)
    }

    /// The walls, if they are to be recorded and have changed since this was asked last.
    pub(crate) fn floor(&mut self, sim: &Simulation) -> Option<Box<Floor>> {
        let changed = self.wants_floor && self.edits.replace(sim.edits()) != Some(sim.edits());
        changed.then(|| Box::new(Floor::of(sim)))
    }

    /// Hands a frame to the writer; waits if it is behind.
    pub(crate) fn add(&mut self, step: u64, agents: Box<Agents>, floor: Option<Box<Floor>>) {
        let sent = self.writer.as_ref().is_none_or(|(to, _)| to.send(Shot { step, agents, floor }).is_ok());
        if !sent {
            self.end();
        }
    }

    /// Waits for the writer, and takes down what it has done.
    fn end(&mut self) {
        let Some((to, thread)) = self.writer.take() else { return };
        drop(to);
        let (frames, result) = match thread.join() {
            Ok((frames, result)) => (frames, result.map_err(|e| e.to_string())),
            Err(_) => (0, Err(format!("cannot write {}: its thread has failed", self.plan.file.display()))),
        };
        self.done.frames = frames;
        self.done.failed = result.err();
        if let Some(why) = &self.done.failed {
            let plural = if frames == 1 { "" } else { "s" };
            remark(&format!("error: {why}. It has {} frame{plural}; the run goes on without it", grouped(frames)));
        }
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> Recorded {
        self.end();
        self.done
    }
}

impl Floor {
    fn of(sim: &Simulation) -> Self {
        let (world, grid) = (sim.world(), sim.scene().grid);
        let mut walls: Vec<Outline> =
            world.walls.shapes().iter().filter(|w| w.standing).map(|w| outline(&w.shape)).collect();
        let cell = |x: usize, y: usize| plain([x as f32 * grid.cell, y as f32 * grid.cell]);
        for (row, painted) in world.walls.painted().chunks(grid.width).enumerate() {
            let mut x = 0;
            while let Some(first) = painted[x..].iter().position(|&p| p).map(|i| x + i) {
                let end = painted[first..].iter().position(|&p| !p).map_or(grid.width, |i| first + i);
                let ([west, south], [east, north]) = (cell(first, row), cell(end, row + 1));
                walls.push(Outline::Area(vec![[west, south], [east, south], [east, north], [west, north]]));
                x = end;
            }
        }
        let cells = (0..world.places.len()).flat_map(|goal| world.free_cells(goal));
        let goals = cells.map(|c| plain(grid.centre_of(c as usize).to_array())).collect();
        Self { walls, goals }
    }
}

/// Numbers as people write them: 0.1 is 0.1 in 64 bits too.
fn plain(place: [f32; 2]) -> [f64; 2] {
    place.map(|v| (f64::from(v) * 1e5).round() / 1e5)
}

fn outline(shape: &Shape) -> Outline {
    match shape {
        Shape::Line(points) => Outline::Line(points.iter().map(|p| plain(p.to_array())).collect()),
        solid => Outline::Area(solid.outline().iter().map(|side| plain(side.b.to_array())).collect()),
    }
}

/// The writer: takes frames until no more come.
fn write(mut recording: Recording, from: &Receiver<Shot>, size: [f64; 2], every: u64, dt: f64) -> Written {
    let mut people = Vec::new();
    let mut all = || {
        for shot in from {
            add(&mut recording, &shot, &mut people, size, every, dt)?;
        }
        recording.finish()
    };
    let done = all();
    (recording.frames(), done)
}

fn add(
    recording: &mut Recording,
    shot: &Shot,
    people: &mut Vec<Person>,
    size: [f64; 2],
    every: u64,
    dt: f64,
) -> Result<(), WriteError> {
    by_id(&shot.agents, people);
    if let Some(floor) = &shot.floor {
        let mut used: Vec<[f64; 2]> = people.iter().map(|p| p.position.map(f64::from)).collect();
        used.extend(&floor.goals);
        recording.geometry(&walkable_wkt(size, &floor.walls, &used))?;
    }
    recording.add(&Frame { number: shot.step / every, time: shot.step as f64 * dt, people })
}

/// Everybody on the floor, by id.
fn by_id(agents: &Agents, people: &mut Vec<Person>) {
    people.clear();
    people.extend((0..agents.len()).filter(|&i| agents.state[i].on_floor()).map(|i| Person {
        id: agents.id[i],
        position: agents.position[i].to_array(),
        heading: agents.heading[i].to_array(),
        speed: agents.velocity[i].length(),
        group: agents.group[i],
        goal: Some(agents.goal[i]).filter(|&g| g != POINT),
    }));
    people.sort_unstable_by_key(|p| p.id);
}
