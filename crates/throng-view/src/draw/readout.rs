//! What the shaders find out for the window comes back a frame or two later, without waiting.

use super::view::NONE;
use crate::shot::InGroup;
use std::sync::{Arc, Mutex};
use throng::engine::gpu::Gpu;
use throng::engine::layout;
use throng::world::agents::{Agent, ModelColumn, OwnColumn};

/// Words of `out` in readout.wgsl.
pub(crate) const WORDS: usize = 64;
/// Where in `out` the chosen one's numbers of the model's own columns begin; there is room for as many as follow.
pub(crate) const OWN: usize = 24;
/// Points of a path that can be asked for.
pub(crate) const PATH: usize = 1024;
/// Groups that are counted: census.wgsl has as many.
pub(crate) const GROUPS: usize = 256;
const CENSUS: u64 = 12 * GROUPS as u64;
const PLACES: u64 = 8 * PATH as u64;
const BYTES: u64 = 4 * WORDS as u64 + PLACES + CENSUS;

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Readout {
    /// The least and greatest finite, reached value of the field that is shown.
    pub extent: Option<(f32, f32)>,
    /// The field's value under the pointer.
    pub probe: Option<[f32; 2]>,
    /// Who is nearest to the last click; `None` inside if nobody is near.
    pub clicked: Option<Option<u32>>,
    /// The time of the run that all this is of, s.
    pub time: f64,
    /// The chosen agent, and how long it has been standing, s.
    pub chosen: Option<(Agent, f32)>,
    /// What the columns of the model in use hold of it.
    pub own: Vec<OwnColumn>,
    /// Where the chosen agent has been, from the beginning.
    pub path: Vec<glam::Vec2>,
    /// How many of each group are where, if that was asked.
    pub groups: Vec<InGroup>,
}

/// What was asked with a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) field: bool,
    pub(crate) probe: bool,
    pub(crate) click: bool,
    pub(crate) chosen: bool,
    pub(crate) slots: usize,
    /// Groups that are counted.
    pub(crate) groups: usize,
    /// Of the run, s.
    pub(crate) time: f64,
    /// The model's own columns, in the order of their numbers in `out`.
    pub(crate) own: Vec<&'static ModelColumn>,
}

/// Whether a copy has arrived, and whether it can be read.
type Arrival = Arc<Mutex<Option<bool>>>;

/// A question on its way.
#[derive(Debug)]
struct UnderWay {
    buffer: wgpu::Buffer,
    asked: Asked,
    arrival: Arrival,
    /// Whether its answer was sent for.
    sent: bool,
}

#[derive(Debug)]
pub(crate) struct Readouts {
    pub(crate) out: wgpu::Buffer,
    pub(crate) path: wgpu::Buffer,
    pub(crate) census: wgpu::Buffer,
    free: Vec<wgpu::Buffer>,
    under_way: Vec<UnderWay>,
}

fn unordered(bits: u32) -> f32 {
    f32::from_bits(if bits >> 31 == 1 { bits & 0x7fff_ffff } else { !bits })
}

impl Readouts {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let make = |size, usage| {
            gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("readout"),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let staging = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self {
            out: make(4 * WORDS as u64, usage),
            path: make(PLACES, usage),
            census: make(CENSUS, usage),
            free: (0..3).map(|_| make(BYTES, staging)).collect(),
            under_way: Vec::new(),
        }
    }

    /// What `out` begins with: no value yet, nobody near.
    pub(crate) fn reset(&self, gpu: &Gpu) {
        let mut words = [0u32; WORDS];
        words[0] = NONE;
        words[2] = NONE;
        words[3] = NONE;
        words[4] = f32::NAN.to_bits();
        gpu.queue().write_buffer(&self.out, 0, bytemuck::cast_slice(&words));
    }

    /// Whether there is room for another question.
    pub(crate) fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    /// After the shaders: copies what they found to where it can be read. [`Readouts::sent`] comes after the submission.
    pub(crate) fn copy(&mut self, encoder: &mut wgpu::CommandEncoder, asked: Asked) {
        let Some(buffer) = self.free.pop() else { return };
        encoder.copy_buffer_to_buffer(&self.out, 0, &buffer, 0, 4 * WORDS as u64);
        encoder.copy_buffer_to_buffer(&self.path, 0, &buffer, 4 * WORDS as u64, PLACES);
        encoder.copy_buffer_to_buffer(&self.census, 0, &buffer, 4 * WORDS as u64 + PLACES, CENSUS);
        self.under_way.push(UnderWay { buffer, asked, arrival: Arrival::default(), sent: false });
    }

    /// After the frame was submitted.
    pub(crate) fn sent(&mut self) {
        for question in self.under_way.iter_mut().filter(|q| !q.sent) {
            question.sent = true;
            let arrival = Arc::clone(&question.arrival);
            question.buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
                *arrival.lock().expect("nobody panics while noting") = Some(result.is_ok());
            });
        }
    }

    /// The oldest answer that is there.
    pub(crate) fn take(&mut self, gpu: &Gpu, wait: bool) -> Option<Readout> {
        if self.under_way.is_empty() {
            return None;
        }
        let arrived = |q: &UnderWay| *q.arrival.lock().expect("nobody panics while noting");
        let _ = gpu.device().poll(if wait { wgpu::PollType::wait_indefinitely() } else { wgpu::PollType::Poll });
        // Another thread that polls the device may be about to say so.
        let mut patience = if wait { 10_000 } else { 0 };
        while patience > 0 && arrived(&self.under_way[0]).is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
            patience -= 1;
        }
        let ready = arrived(&self.under_way[0])?;
        let UnderWay { buffer, asked, .. } = self.under_way.remove(0);
        let bytes = if ready {
            buffer.slice(..).get_mapped_range().map(|range| range.to_vec()).unwrap_or_default()
        } else {
            Vec::new()
        };
        if ready {
            buffer.unmap();
        }
        self.free.push(buffer);
        (bytes.len() as u64 == BYTES).then(|| read(&bytes, &asked))
    }
}

fn read(bytes: &[u8], asked: &Asked) -> Readout {
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes[..4 * WORDS]);
    let float = |i: usize| f32::from_bits(words[i]);
    let mut readout = Readout { time: asked.time, ..Readout::default() };
    if asked.field && words[0] <= words[1] {
        readout.extent = Some((unordered(words[0]), unordered(words[1])));
    }
    if asked.probe {
        readout.probe = Some([float(4), float(5)]);
    }
    if asked.click {
        readout.clicked = Some((words[3] != NONE).then_some(words[3]));
    }
    if asked.chosen && words[6] == 1 {
        let record = |at: usize| [words[at], words[at + 1], words[at + 2], words[at + 3]];
        let agent = layout::agent(record(8).map(f32::from_bits), record(12), record(16));
        readout.chosen = Some((agent, float(20)));
        let mut at = OWN;
        for &column in &asked.own {
            readout.own.push(OwnColumn { column, values: (at..at + column.width).map(float).collect() });
            at += column.width;
        }
    }
    if asked.chosen {
        let points: Vec<[f32; 2]> = bytemuck::pod_collect_to_vec(&bytes[4 * WORDS..][..PLACES as usize]);
        let there = |p: &&[f32; 2]| p[0] > -1e8;
        readout.path = points.iter().take(asked.slots).filter(there).map(|&p| p.into()).collect();
    }
    let counts: Vec<[u32; 3]> = bytemuck::pod_collect_to_vec(&bytes[4 * WORDS + PLACES as usize..]);
    let in_group = |&[floor, outside, gone]: &[u32; 3]| {
        let [floor, outside, gone] = [floor, outside, gone].map(u64::from);
        InGroup { floor, outside, gone }
    };
    readout.groups = counts.iter().take(asked.groups).map(in_group).collect();
    readout
}
