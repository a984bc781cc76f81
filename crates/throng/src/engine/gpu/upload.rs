//! Uploads of any size: all threads write straight into the memory that the device copies from.

use super::device::Gpu;
use bytemuck::Pod;
use rayon::prelude::*;
use std::num::NonZero;

/// Bytes that a thread writes at a time: they fit into its cache.
const CHUNK: usize = 1 << 16;
/// Chunks that are handed over at a time. The device copies one piece while the next is being written, and the memory of
/// those that it has copied is used again: a crowd is never there three times.
const CHUNKS_IN_PIECE: usize = 256;

/// Writes `count` records into a buffer from its beginning on.
pub(super) fn upload<T: Pod>(gpu: &Gpu, buffer: &wgpu::Buffer, count: usize, record: impl Fn(usize) -> T + Sync) {
    let in_chunk = CHUNK / size_of::<T>();
    let in_piece = CHUNKS_IN_PIECE * in_chunk;
    for first in (0..count).step_by(in_piece) {
        let end = count.min(first + in_piece);
        let bytes = |records: usize| (records * size_of::<T>()) as u64;
        let Some(size) = NonZero::new(bytes(end - first)) else { return };
        // Without a view the device has failed, which it says by itself.
        let Some(mut view) = gpu.queue.write_buffer_with(buffer, bytes(first), size) else { return };
        let write = |records: std::ops::Range<usize>, mut out: wgpu::WriteOnly<'_, [u8]>| {
            let records: Vec<T> = records.map(&record).collect();
            out.copy_from_slice(bytemuck::cast_slice(&records));
        };
        let (chunks, rest) = view.slice(..).into_chunks::<CHUNK>();
        let chunks: Vec<_> = chunks.into_iter().collect();
        let rest_from = first + chunks.len() * in_chunk;
        chunks.into_par_iter().enumerate().for_each(|(k, chunk)| {
            let from = first + k * in_chunk;
            write(from..from + in_chunk, chunk.into());
        });
        write(rest_from..end, rest);
        drop(view);
        if end < count {
            gpu.queue.submit([]);
        }
    }
}
