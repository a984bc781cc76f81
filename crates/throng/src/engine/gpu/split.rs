//! Two engines in one step: the CPU up to a stage, the GPU from there. To find where two runs part.

use super::buffers::Buffer;
use super::{Gpu, GpuEngine, StartError};
use crate::engine::cpu::CpuEngine;
use crate::engine::{Answer, Counters, CrowdChange, Edit, Engine, EngineError, Request, Ticket};
use crate::scene::{Change, Group, Scene};
use crate::stages::{COUNT, NAMES, Stage};
use crate::world::World;
use glam::Vec2;

/// Runs the stages before one on the CPU, and the others on a GPU, with everything copied in between: slow, for finding
/// differences. Fields that the GPU's stages make are the GPU's; those before are the CPU's.
#[derive(Debug)]
pub struct SplitEngine {
    cpu: CpuEngine,
    gpu: GpuEngine,
    from: Stage,
}

impl SplitEngine {
    /// Sets a scene up, with the stage of this name (see [`Stage::name`]) as the first on the GPU.
    ///
    /// # Errors
    /// If the scene or the device does not allow it. An unknown stage is an error of the device.
    pub fn new(scene: &Scene, gpu: &Gpu, from: &str) -> Result<Self, StartError> {
        let from = Stage::named(from).ok_or_else(|| super::GpuError::NoStage(from.to_owned(), NAMES.join(", ")))?;
        // The device reads its columns, which have everybody.
        let cpu = CpuEngine::with_reserve(scene, u32::MAX)?;
        Ok(Self { cpu, gpu: GpuEngine::new(scene, gpu)?, from })
    }

    fn agents(&mut self) -> Result<crate::world::agents::Agents, EngineError> {
        let pieces = self.gpu.pieces(Request::Agents);
        let bytes = self.gpu.read_now(&pieces)?;
        Ok(super::agents::unpack(&bytes, &self.gpu.scene, self.gpu.buffers.own()))
    }
}

impl Engine for SplitEngine {
    fn name(&self) -> &'static str {
        "split"
    }

    fn device(&self) -> String {
        format!("{} before {}, then {}", self.cpu.device(), self.from.name(), self.gpu.device())
    }

    fn step(&mut self) -> Result<(), EngineError> {
        self.cpu.begin_step();
        self.cpu.run(&Stage::ALL[..self.from.index()]);
        self.gpu.load(&self.cpu, self.from);
        self.gpu.finish_from(self.from)?;
        let agents = self.agents()?;
        let counters = self.gpu.counters();
        if self.gpu.gpu.trouble().is_some() {
            return Err(self.gpu.failure());
        }
        let groups = self.gpu.scene.groups.len();
        let tally = self.gpu.buffers.get(Buffer::Tally);
        let bytes = self.gpu.read_now(&[(tally, 4 * super::tally::WORDS as u64, u64::MAX)])?;
        let counts: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[0]);
        self.cpu.take_over(agents, &counts[..groups], counters);
        Ok(())
    }

    fn steps(&self) -> u64 {
        self.cpu.steps()
    }

    fn request(&mut self, what: Request) -> Ticket {
        self.gpu.request(what)
    }

    fn poll(&mut self, ticket: Ticket) -> Result<Option<Answer>, EngineError> {
        self.gpu.poll(ticket)
    }

    fn counters(&self) -> Counters {
        self.gpu.counters()
    }

    fn latest(&self) -> Counters {
        self.gpu.latest()
    }

    fn history(&mut self) -> Vec<Counters> {
        self.gpu.history()
    }

    fn history_so_far(&mut self) -> Vec<Counters> {
        self.gpu.history_so_far()
    }

    fn world(&self) -> &World {
        self.gpu.world()
    }

    fn scene(&self) -> &Scene {
        self.gpu.scene()
    }

    fn settle(&mut self) {
        self.cpu.settle();
        self.gpu.settle();
    }

    fn edit(&mut self, edit: Edit) {
        self.cpu.edit(edit.clone());
        self.gpu.edit(edit);
    }

    fn event(&mut self, change: Change) {
        self.cpu.event(change);
        self.gpu.event(change);
    }

    fn keep_maps(&mut self, keep: bool) {
        self.gpu.keep_maps(keep);
    }

    fn stage_ms(&self) -> [f64; COUNT] {
        let (cpu, gpu) = (self.cpu.stage_ms(), self.gpu.stage_ms());
        std::array::from_fn(|s| if s < self.from.index() { cpu[s] } else { gpu[s] })
    }

    fn stage_bytes(&self) -> [u64; COUNT] {
        self.gpu.stage_bytes()
    }

    fn memory(&self) -> Vec<(&'static str, u64)> {
        self.gpu.memory()
    }

    fn buffers(&self) -> Vec<(String, u64)> {
        self.gpu.buffers()
    }

    /// Every step ends there, and edits go to both.
    fn on_gpu(&self) -> Option<&GpuEngine> {
        Some(&self.gpu)
    }

    fn save(&mut self) -> Result<Vec<u8>, EngineError> {
        self.gpu.save()
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.cpu.restore(bytes)?;
        self.gpu.restore(bytes)
    }

    fn restore_with(&mut self, groups: &[Group], bytes: &[u8]) -> Result<(), EngineError> {
        self.cpu.restore_with(groups, bytes)?;
        self.gpu.restore_with(groups, bytes)
    }

    fn in_goals(&mut self) -> Result<Vec<u32>, EngineError> {
        self.gpu.in_goals()
    }

    fn set_states(&mut self, states: &[(u32, u16)]) -> Result<(), EngineError> {
        self.gpu.set_states(states)?;
        self.cpu.set_states(states)
    }

    fn set_points(&mut self, points: &[(u32, Vec2)]) -> Result<(), EngineError> {
        self.gpu.set_points(points)?;
        self.cpu.set_points(points)
    }

    fn change_crowd(&mut self, change: &CrowdChange) -> Result<(), EngineError> {
        // First where it may not fit.
        self.gpu.change_crowd(change)?;
        self.cpu.change_crowd(change)
    }
}
