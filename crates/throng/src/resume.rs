//! A run as bytes, and which runs may take it on.
//!
//! What a scene is to a snapshot are three hashes: of its crowd, of its floor (everything else), and of its model. The crowd has to
//! be the same. Floor and model may have changed since the run was made: those that it was made with and those that are in force both
//! count, of the saved run and of the one that takes it on.

use crate::budget::Shortage;
use crate::engine::EngineError;
use crate::scene::{Group, Parameters, Scene};
use crate::simulation::Simulation;
use crate::world::agents::Agents;
use std::io::{self, Read};

/// A state that could not be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SaveError {
    /// There is no room for it: the run itself is well.
    #[error("the state of the run {}", .0.words(""))]
    Memory(Shortage),
    /// The device has failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A snapshot that cannot be resumed, or an engine that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ResumeError {
    /// These bytes are no snapshot of Throng.
    #[error("this is not a snapshot of Throng, or it was cut short")]
    NotASnapshot,
    /// Written by another version.
    #[error("this snapshot has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    /// More bytes than any of the scene has.
    #[error("this snapshot is larger than any of this scene, which has at most {0} bytes")]
    TooLarge(u64),
    /// Made from a scene that differs.
    #[error("this snapshot was made from another scene, or the scene has changed since")]
    OtherScene,
    /// The contents are damaged.
    #[error("this snapshot is damaged: its checksum does not match")]
    Damaged,
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

const MAGIC: &[u8; 8] = b"THRONG\r\n";
const FORMAT: u32 = 10;
const HEADER: usize = 32;
/// Bytes of a snapshot from which [`Simulation::snapshot_limit`] tells what it is.
pub const SNAPSHOT_HEADER: usize = HEADER;
/// Bytes that people take in a snapshot: some 60, and the columns of the model in use.
const MOST_PER_AGENT: u64 = 512;
/// Bytes that cells take: painted, ground, two plans, maps; and as a part of each goal.
const MOST_PER_CELL: u64 = 64;
const MOST_PER_GOAL_CELL: u64 = 4;
/// Bytes for walls, goals and hazards as calls leave them: a million walls.
const MOST_CHANGES: u64 = 256 << 20;
/// Bytes that a wall takes on its way into a snapshot.
const MEMORY_PER_WALL: u64 = 100;
/// Bytes after the header: the floor and the model that the run was made with, and those in force.
const SCENES: usize = 32;

/// Floor and model of a scene, as hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    floor: u64,
    model: u64,
}

impl Origin {
    pub(crate) fn of(scene: &Scene) -> Self {
        Self { floor: floor_hash(scene), model: hash(bytemuck::cast_slice(&scene.model.bits())) }
    }

    fn to_bytes(self) -> [u8; SCENES / 2] {
        let mut bytes = [0; SCENES / 2];
        bytes[..8].copy_from_slice(&self.floor.to_le_bytes());
        bytes[8..].copy_from_slice(&self.model.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        Self { floor: long(0), model: long(8) }
    }
}

/// Whether a file holds a snapshot of this version and of the crowd of this scene, with nothing missing or changed. No more is read than
/// a snapshot of the scene can have, and little of it is held at a time.
///
/// # Errors
/// If it cannot be read.
pub fn is_whole_snapshot(scene: &Scene, mut file: impl Read) -> io::Result<bool> {
    let mut header = Vec::with_capacity(HEADER);
    file.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    let Ok(most) = limit(scene, &header) else { return Ok(false) };
    let mut file = file.take(most + 1 - HEADER as u64);
    let (mut sum, mut piece) = (HASH_OF_NOTHING, vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => sum = hash_bytes(sum, &piece[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(file.limit() > 0 && long(&header, 24) == with_done(sum, word(&header, 12)))
}

/// How many bytes a snapshot of a scene can have at most, if these are the first of one.
fn limit(scene: &Scene, header: &[u8]) -> Result<u64, ResumeError> {
    if header.len() < HEADER || &header[..8] != MAGIC {
        return Err(ResumeError::NotASnapshot);
    }
    if word(header, 8) != FORMAT {
        return Err(ResumeError::Format(word(header, 8)));
    }
    if long(header, 16) != crowd_hash(scene) {
        return Err(ResumeError::OtherScene);
    }
    let per_cell = MOST_PER_CELL + MOST_PER_GOAL_CELL * scene.goals.len() as u64;
    Ok(MOST_CHANGES + scene.agent_count() * MOST_PER_AGENT + scene.grid.len() as u64 * per_cell)
}

impl Simulation {
    /// The whole state of the run. Resumed, the rest of the run has the same bits. The scene in force is part of it.
    ///
    /// # Errors
    /// If the budget of the scene has no room for it ([`Simulation::memory_to_save`]), or the device fails.
    pub fn save(&mut self) -> Result<Vec<u8>, SaveError> {
        let _memory = self.scene().take_bytes(self.memory_to_save()).map_err(SaveError::Memory)?;
        let mut bytes = self.engine.save()?;
        let mut before = Vec::with_capacity(HEADER + SCENES);
        before.extend_from_slice(MAGIC);
        before.extend_from_slice(&FORMAT.to_le_bytes());
        before.extend_from_slice(&(self.done as u32).to_le_bytes());
        before.extend_from_slice(&crowd_hash(self.scene()).to_le_bytes());
        before.extend_from_slice(&[0; 8]);
        for scene in [self.origin, Origin::of(self.scene())] {
            before.extend_from_slice(&scene.to_bytes());
        }
        // In place: a state may be most of the memory that there is.
        bytes.splice(..0, before);
        let sum = checksum(self.done as u32, &bytes[HEADER..]);
        bytes[24..HEADER].copy_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// About how many bytes [`Simulation::save`] needs while it goes on, beside those of the run: a copy of everybody and of the maps that
    /// are kept, and the bytes that come of it.
    #[must_use]
    pub fn memory_to_save(&self) -> u64 {
        let scene = self.scene();
        let own: usize = scene.columns(&scene.model, true).iter().map(|column| 4 * column.width).sum();
        let person = (Agents::BYTES + own) as u64;
        // Those who have yet to come are put among the others, and that makes a third copy.
        let everybody = scene.agent_count() * person * if self.engine.has_everybody() { 2 } else { 3 };
        let maps = if self.engine.keeps_maps() { 2 * 8 } else { 0 };
        let plans = if scene.model.plan_every > 1 { 2 * 2 * 12 } else { 0 };
        let cells = scene.grid.len() as u64 * (maps + plans);
        let map = (scene.map.painted.len() + 4 * scene.map.ground.len()) as u64;
        let goals: usize = scene.goals.iter().map(|goal| 4 * goal.cells.len()).sum();
        everybody + cells + map + goals as u64 + MEMORY_PER_WALL * scene.map.walls.len() as u64
    }

    /// From the first [`SNAPSHOT_HEADER`] bytes of a snapshot: how many bytes one of this run's scene can have at most, so that no
    /// more of a file has to be read.
    ///
    /// # Errors
    /// If they are not the first bytes of a snapshot of this version and this scene.
    pub fn snapshot_limit(&self, header: &[u8]) -> Result<u64, ResumeError> {
        limit(self.scene(), header)
    }

    /// Takes on a state that [`Simulation::save`] gave for the same scene, with everything that calls had changed by then: the scene
    /// in force is the one of that moment. The scene of this run may be the one that the saved run was made with or the one that
    /// was in force ([`Simulation::scene`]); groups are those of that moment either way.
    ///
    /// # Errors
    /// If the bytes are not such a state; the run is then as it was.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), ResumeError> {
        self.check_snapshot(self.scene(), bytes)?;
        self.engine.restore(&bytes[HEADER + SCENES..])?;
        self.have_resumed(bytes);
        Ok(())
    }

    /// The same with the groups that the run had when it was saved, whoever was dropped or taken back since: nobody is placed anew, so that nothing
    /// that was built meanwhile is in the way.
    ///
    /// # Errors
    /// If the bytes are not a state of this scene with these groups; the run is then as it was.
    pub fn resume_with(&mut self, groups: &[Group], bytes: &[u8]) -> Result<(), ResumeError> {
        if groups == self.scene().groups {
            return self.resume(bytes);
        }
        let scene = self.scene().with_groups(groups);
        let unsound = groups.iter().find_map(|group| scene.check_group(group).err());
        if let Some(why) = unsound {
            return Err(EngineError(why.message().to_owned()).into());
        }
        self.check_snapshot(&scene, bytes)?;
        self.engine.restore_with(groups, &bytes[HEADER + SCENES..])?;
        self.have_resumed(bytes);
        Ok(())
    }

    /// That these bytes are a whole snapshot of a scene, which this run's is but for groups.
    fn check_snapshot(&self, scene: &Scene, bytes: &[u8]) -> Result<(), ResumeError> {
        let most = limit(scene, bytes)?;
        if bytes.len() as u64 > most {
            return Err(ResumeError::TooLarge(most));
        }
        let (header, body) = bytes.split_at(HEADER);
        let (word, long) = (|at| word(header, at), |at| long(header, at));
        if long(24) != checksum(word(12), body) || word(12) as usize > self.events.len() {
            return Err(ResumeError::Damaged);
        }
        let (scenes, _) = body.split_at_checked(SCENES).ok_or(ResumeError::NotASnapshot)?;
        let saved = [0, SCENES / 2].map(|at| Origin::from_bytes(&scenes[at..]));
        let own = [self.origin, Origin::of(self.scene())];
        let meets = |of: fn(&Origin) -> u64| saved.iter().any(|s| own.iter().any(|o| of(s) == of(o)));
        if !meets(|o| o.floor) || !meets(|o| o.model) {
            return Err(ResumeError::OtherScene);
        }
        Ok(())
    }

    fn have_resumed(&mut self, bytes: &[u8]) {
        self.origin = Origin::from_bytes(&bytes[HEADER..]);
        self.done = word(bytes, 12) as usize;
        self.edits += 1;
    }
}

/// Four bytes of a header as a number.
fn word(header: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"))
}

/// Eight of them.
fn long(header: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"))
}

/// FNV-1a, 64 bits: to notice damage and mix-ups, not attacks.
fn hash(bytes: &[u8]) -> u64 {
    hash_bytes(HASH_OF_NOTHING, bytes)
}

const HASH_OF_NOTHING: u64 = 0xCBF2_9CE4_8422_2325;

/// The same piece by piece.
fn hash_bytes(before: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(before, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// The same over more bytes, eight at a time: maps are large. How many they are counts too.
fn hash_on(before: u64, bytes: &[u8]) -> u64 {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
    let mix = |h: u64, word: u64| (h ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    mix(bytes.chunks(8).map(word).fold(before, mix), bytes.len() as u64)
}

/// Of what a snapshot holds: how many events have happened, and the engine's state.
fn checksum(done: u32, body: &[u8]) -> u64 {
    with_done(hash(body), done)
}

fn with_done(of_body: u64, done: u32) -> u64 {
    of_body ^ hash(&done.to_le_bytes())
}

/// Of who walks.
fn crowd_hash(scene: &Scene) -> u64 {
    hash(scene.crowd_to_toml().as_bytes())
}

/// Of everything else in a scene that a run depends on, but for the model.
fn floor_hash(scene: &Scene) -> u64 {
    let text = hash(scene.floor_to_toml().as_bytes());
    let map = hash_on(hash_on(text, bytemuck::cast_slice(&scene.map.painted)), bytemuck::cast_slice(&scene.map.ground));
    let heights = scene.terrain.heights.as_ref().map_or(&[][..], |heights| &heights.cells);
    let map = if heights.is_empty() { map } else { hash_on(map, bytemuck::cast_slice(heights)) };
    scene.goals.iter().fold(map, |h, goal| hash_on(h, bytemuck::cast_slice(&goal.cells)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::CrowdChange;
    use crate::geometry::{Rect, Shape};
    use crate::scene::{NoFiles, WallSpec};
    use glam::Vec2;

    const SCENE: &str = "size = [200, 100]\n[[goal]]\nrect = [190, 0, 200, 100]\n[[agents]]\ncount = 3\n\
                         start = { rect = [1, 1, 5, 5] }\n";

    #[test]
    fn a_forged_snapshot_with_a_hundred_thousand_walls_is_read_at_once() {
        let scene = Scene::parse("forged.toml", SCENE, &NoFiles).expect("it is sound");
        let mut crowded = scene.clone();
        crowded.map.walls = (0..100_000)
            .map(|i| {
                let at = Vec2::new(10.0 + (i % 400) as f32 * 0.4, 10.0 + (i / 400) as f32 * 0.3);
                let shape = Shape::Rect(Rect::new(at, at + 0.1));
                WallSpec { name: None, shape, open: i % 2 == 0, added: true }
            })
            .collect();
        let mut forged = Simulation::with_threads(&crowded, 1).expect("there is room");
        forged.origin = Origin::of(&scene);
        let bytes = forged.save().expect("the CPU does not fail");
        let begun = std::time::Instant::now();
        let mut run = Simulation::with_threads(&scene, 1).expect("there is room");
        run.resume(&bytes).expect("it is a snapshot");
        assert_eq!(run.scene().map.walls.len(), 100_000);
        // One by one it took minutes.
        assert!(begun.elapsed().as_secs() < 20, "it took {:?}", begun.elapsed());
    }

    #[test]
    fn a_group_that_was_taken_back_is_taken_on_again_whatever_stands_in_its_place() {
        let scene = Scene::parse("three.toml", SCENE, &NoFiles).expect("it is sound");
        let mut run = Simulation::with_threads(&scene, 1).expect("there is room");
        let area = Rect::new(Vec2::splat(20.0), Vec2::splat(24.0));
        let dropped = Group { start: vec![Shape::Rect(area)], name: "dropped".into(), ..scene.groups[0].clone() };
        run.change_crowd(&CrowdChange::Drop(Box::new(dropped))).expect("there is room");
        run.steps_by(5).expect("the CPU does not fail");
        let (groups, bytes, hash) =
            (run.scene().groups.clone(), run.save().expect("it is saved"), run.state_hash().expect("a hash"));
        run.change_crowd(&CrowdChange::TakeBack).expect("they were dropped");
        run.add_wall(Shape::Rect(area.grown(5.0))).expect("it is sound");
        run.steps_by(5).expect("the CPU does not fail");
        assert_eq!(run.resume(&bytes), Err(ResumeError::OtherScene));
        assert_eq!(run.resume_with(&groups[..1], &bytes), Err(ResumeError::OtherScene));
        run.resume_with(&groups, &bytes).expect("nobody is placed anew");
        assert_eq!((run.steps(), run.state_hash()), (5, Ok(hash)));
        assert_eq!((run.scene().groups.clone(), run.scene().map.walls.len()), (groups, 0));
        run.change_crowd(&CrowdChange::TakeBack).expect("they were dropped");
        assert_eq!(run.counters().active, 3);
    }

    #[test]
    fn what_is_no_snapshot_is_told_from_its_first_bytes() {
        let scene = Scene::parse("three.toml", SCENE, &NoFiles).expect("it is sound");
        let mut run = Simulation::with_threads(&scene, 1).expect("there is room");
        let good = run.save().expect("the CPU does not fail");
        let header = &good[..SNAPSHOT_HEADER];
        assert!(run.snapshot_limit(header).is_ok_and(|most| most >= good.len() as u64));
        assert_eq!(run.snapshot_limit(&[0; SNAPSHOT_HEADER]), Err(ResumeError::NotASnapshot));
        assert_eq!(run.snapshot_limit(&header[..31]), Err(ResumeError::NotASnapshot));
        let mut endless = good.clone();
        endless.resize(run.snapshot_limit(header).expect("a limit") as usize + 1, 0);
        assert!(matches!(run.resume(&endless), Err(ResumeError::TooLarge(_))));
    }

    #[test]
    fn whether_a_snapshot_is_whole_is_told_without_reading_more_than_it_can_have() {
        let scene = Scene::parse("three.toml", SCENE, &NoFiles).expect("it is sound");
        let mut run = Simulation::with_threads(&scene, 1).expect("there is room");
        let good = run.save().expect("the CPU does not fail");
        let is_whole = |bytes: &[u8]| is_whole_snapshot(&scene, bytes).expect("a slice can be read");
        assert!(is_whole(&good));
        for spoilt in [0, 9, 13, 17, 25, 40, good.len() - 1] {
            let mut bad = good.clone();
            bad[spoilt] ^= 4;
            assert!(!is_whole(&bad), "byte {spoilt}");
        }
        assert!(!is_whole(&good[..good.len() - 1]) && !is_whole(&good[..20]) && !is_whole(&[]));
        // As good as a file without end.
        assert!(!is_whole_snapshot(&scene, good.chain(io::repeat(0))).expect("it can be read"));
    }

    #[test]
    fn a_state_that_there_is_no_room_for_is_no_failure_of_the_engine() {
        struct Small(crate::budget::Budget);
        impl crate::scene::Files for Small {
            fn read(&self, _: &str) -> Result<Vec<u8>, String> {
                Err("there are none".into())
            }
            fn budget(&self) -> crate::budget::Budget {
                self.0.clone()
            }
        }
        let budget = crate::budget::Budget::new(100_000_000);
        let text = SCENE.replace("count = 3", "source = { rate = 1, total = 300000 }");
        let scene = Scene::parse("source.toml", &text, &Small(budget.clone())).expect("it is sound");
        let mut run = Simulation::with_threads(&scene, 1).expect("there is room");
        let need = run.memory_to_save();
        let left = budget.left().expect("a budget with an end");
        let held = budget.take(left - need + 1).expect("less than is left");
        let short = run.save().expect_err("a byte too few");
        assert!(matches!(&short, SaveError::Memory(_)), "{short}");
        assert!(short.to_string().starts_with("the state of the run needs about"), "{short}");
        drop(held);
        let bytes = run.save().expect("now there is room").len() as u64;
        assert!(need > 2 * bytes && need < 5 * bytes, "{need} for {bytes}");
        assert_eq!(budget.left(), Some(left), "all is given back");
    }
}
