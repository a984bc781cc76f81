//! A run as bytes, and which runs may take it on.
//!
//! What a scene is to a snapshot are three hashes: of its crowd, of its floor (everything else), and of its model. The crowd has to
//! be the same. Floor and model may have changed since the run was made: those that it was made with and those that are in force both
//! count, of the saved run and of the one that takes it on.

use crate::engine::EngineError;
use crate::scene::{Parameters, Scene};
use crate::simulation::Simulation;

/// A snapshot that cannot be resumed, or an engine that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ResumeError {
    /// These bytes are no snapshot of Throng.
    #[error("this is not a snapshot of Throng, or it was cut short")]
    NotASnapshot,
    /// Written by another version.
    #[error("this snapshot has format {0}; this version reads format {FORMAT}")]
    Format(u32),
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
const FORMAT: u32 = 9;
const HEADER: usize = 32;
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

impl Simulation {
    /// The whole state of the run. Resumed, the rest of the run has the same bits. The scene in force is part of it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        let state = self.engine.save()?;
        let mut body = Vec::with_capacity(SCENES + state.len());
        for scene in [self.origin, Origin::of(self.scene())] {
            body.extend_from_slice(&scene.to_bytes());
        }
        body.extend(state);
        let mut out = Vec::with_capacity(HEADER + body.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&FORMAT.to_le_bytes());
        out.extend_from_slice(&(self.done as u32).to_le_bytes());
        out.extend_from_slice(&crowd_hash(self.scene()).to_le_bytes());
        out.extend_from_slice(&checksum(self.done as u32, &body).to_le_bytes());
        out.extend_from_slice(&body);
        Ok(out)
    }

    /// Takes on a state that [`Simulation::save`] gave for the same scene, with everything that calls had changed by then: the scene
    /// in force is the one of that moment. The scene of this run may be the one that the saved run was made with or the one that
    /// was in force ([`Simulation::scene`]); groups are those of that moment either way.
    ///
    /// # Errors
    /// If the bytes are not such a state; the run is then as it was.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), ResumeError> {
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(ResumeError::NotASnapshot);
        }
        let (header, body) = bytes.split_at(HEADER);
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
        let long = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
        if word(8) != FORMAT {
            return Err(ResumeError::Format(word(8)));
        }
        if long(16) != crowd_hash(self.scene()) {
            return Err(ResumeError::OtherScene);
        }
        if long(24) != checksum(word(12), body) || word(12) as usize > self.events.len() {
            return Err(ResumeError::Damaged);
        }
        let (scenes, state) = body.split_at_checked(SCENES).ok_or(ResumeError::NotASnapshot)?;
        let saved = [0, SCENES / 2].map(|at| Origin::from_bytes(&scenes[at..]));
        let own = [self.origin, Origin::of(self.scene())];
        let meets = |of: fn(&Origin) -> u64| saved.iter().any(|s| own.iter().any(|o| of(s) == of(o)));
        if !meets(|o| o.floor) || !meets(|o| o.model) {
            return Err(ResumeError::OtherScene);
        }
        self.engine.restore(state)?;
        self.origin = saved[0];
        self.done = word(12) as usize;
        self.edits += 1;
        Ok(())
    }
}

/// FNV-1a, 64 bits: to notice damage and mix-ups, not attacks.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// The same over more bytes, eight at a time: maps are large. How many they are counts too.
fn hash_on(before: u64, bytes: &[u8]) -> u64 {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b));
    let mix = |h: u64, word: u64| (h ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    mix(bytes.chunks(8).map(word).fold(before, mix), bytes.len() as u64)
}

/// Of what a snapshot holds: how many events have happened, and the engine's state.
fn checksum(done: u32, body: &[u8]) -> u64 {
    hash(body) ^ hash(&done.to_le_bytes())
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
