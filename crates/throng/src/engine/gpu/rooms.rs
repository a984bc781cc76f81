//! Goals that hold only so many, as the device has them: a table that follows from the world, and counts. Read by
//! stages/live/room.wgsl.

use super::GpuEngine;
use super::buffers::Buffer;
use crate::engine::EngineError;
use crate::world::World;
use crate::world::agents::Agents;
use crate::world::goals;

/// Stands for a limit that there is not.
const NO_LIMIT: u32 = u32::MAX;

/// Words before the counts: a bit for every agent.
fn counts_at(agents: u32) -> u64 {
    agents.div_ceil(u32::BITS).into()
}

/// How many counts there are.
fn counts(world: &World) -> usize {
    world.places.last().map_or(0, |place| place.counts_at().end)
}

/// Words of the buffer of counts; none where every goal holds any number.
pub(super) fn words(world: &World, agents: u32) -> u64 {
    if counts(world) == 0 { 0 } else { counts_at(agents) + counts(world) as u64 }
}

/// For each goal where its cells are, how many, where its counts are, and how many; then the limits of all; then the cells with their
/// shapes. Nothing where every goal holds any number.
pub(super) fn table(world: &World) -> Vec<u32> {
    if counts(world) == 0 {
        return Vec::new();
    }
    let places = &world.places;
    let mut table = vec![0; 4 * places.len()];
    table.extend(places.iter().flat_map(|p| p.limits()).map(|limit| limit.unwrap_or(NO_LIMIT)));
    for (g, place) in places.iter().enumerate().filter(|(_, place)| place.is_limited()) {
        let at = table.len() as u32;
        table.extend(place.cells().flat_map(|(cell, shape)| [cell, shape]));
        let cells = (table.len() as u32 - at) / 2;
        let counts = place.counts_at();
        table[4 * g..4 * g + 4].copy_from_slice(&[at, cells, counts.start as u32, counts.len() as u32]);
    }
    table
}

impl GpuEngine {
    /// Whether any goal holds only so many.
    pub(super) fn has_rooms(&self) -> bool {
        counts(&self.world) > 0
    }

    /// Goals may be somewhere else.
    pub(super) fn update_rooms(&mut self) {
        let table = table(&self.world);
        let bytes = 4 * table.len() as u64;
        if bytes > self.buffers.get(Buffer::RoomTable).size() {
            self.buffers.resize(&self.gpu, Buffer::RoomTable, bytes);
            self.rebind();
        }
        self.write(Buffer::RoomTable, 0, &table);
    }

    /// Where goals are, and who of a crowd is counted in them.
    pub(super) fn upload_rooms(&self, agents: &Agents) {
        self.write(Buffer::RoomTable, 0, &table(&self.world));
        self.write(Buffer::Rooms, 4 * counts_at(self.params.agents), &goals::counts(&self.world.places, agents));
    }

    /// As [`crate::engine::Engine::in_goals`].
    pub(super) fn count_in_goals(&mut self) -> Result<Vec<u32>, EngineError> {
        if !self.has_rooms() {
            return Ok(Vec::new());
        }
        self.finish_step();
        let (at, bytes) = (4 * counts_at(self.params.agents), 4 * counts(&self.world) as u64);
        let read = self.read_now(&[(self.buffers.get(Buffer::Rooms), at, bytes)])?;
        let mut counts: Vec<u32> = bytemuck::pod_collect_to_vec(&read[0]);
        counts.truncate(bytes as usize / 4);
        Ok(counts)
    }
}
