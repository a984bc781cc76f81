//! Seams: where a surface was taken apart, for hard edges, textures or materials, several vertices are at the same place, and close-ups
//! must not open there.
//!
//! A face is bent by the normals of its corners, so faces on both sides of an edge have to have the same ones at its ends. Where they differ,
//! the edge is meant to be hard: nothing bends there. Nor does it at the rim of an open surface, since other pieces may meet it at other vertices.

use std::collections::BTreeMap;

use crate::Mesh;

/// What close-ups need to know of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first vertex that is there. Corners of patches are taken in the order of these numbers.
    pub number: u32,
    /// Whether the surface is bent and displaced there.
    pub bends: bool,
}

impl Mesh {
    /// The places of all vertices.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let mut known = BTreeMap::new();
        // With 0 added −0 is 0.
        let first = |(vertex, at): (u32, &[f32; 3])| *known.entry(at.map(|c| (c + 0.0).to_bits())).or_insert(vertex);
        let numbers: Vec<u32> = (0..).zip(&self.positions).map(first).collect();
        let mut bends = vec![true; numbers.len()];
        for (vertex, &number) in numbers.iter().enumerate() {
            bends[number as usize] &= self.is_like(vertex, number as usize);
        }
        for [a, b] in self.rims(&numbers) {
            (bends[a as usize], bends[b as usize]) = (false, false);
        }
        numbers.iter().map(|&number| Place { number, bends: bends[number as usize] }).collect()
    }

    /// Whether two vertices at the same place move alike, and face the same way.
    fn is_like(&self, a: usize, b: usize) -> bool {
        let bits = |vertex: usize| (self.normals[vertex].map(f32::to_bits), self.displacement[vertex].to_bits());
        self.joints[a] == self.joints[b] && self.weights[a] == self.weights[b] && bits(a) == bits(b)
    }

    /// Edges between places that do not have just two faces.
    fn rims(&self, numbers: &[u32]) -> Vec<[u32; 2]> {
        let sides = self.indices.chunks_exact(3).flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]);
        let places = sides.map(|side| side.map(|vertex| numbers[vertex as usize]));
        let mut edges: Vec<[u32; 2]> = places.map(|[a, b]| [a.min(b), a.max(b)]).filter(|[a, b]| a != b).collect();
        edges.sort_unstable();
        edges.chunk_by(|a, b| a == b).filter(|faces| faces.len() != 2).map(|faces| faces[0]).collect()
    }
}
