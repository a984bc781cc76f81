//! Fewer triangles: edges are collapsed, those first that change the surface least (Garland and Heckbert, "Surface simplification
//! using quadric error metrics", 1997).
//!
//! A closed surface stays closed and keeps its topology (the link condition), triangles do not turn over, and what vertices carry
//! is mixed where two become one. The order follows from costs, then from indices: the same bits everywhere.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use glam::{DMat3, DVec3};

/// Vertices with what they carry, and triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carrier {
    pub(crate) positions: Vec<DVec3>,
    /// `width` numbers for each vertex.
    pub(crate) carried: Vec<f32>,
    pub(crate) width: usize,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// A number for each triangle that it keeps.
    pub(crate) labels: Vec<u8>,
}

/// How much edges are spared whose ends carry different things, which is where the surface will bend; and how much longer
/// edges are, so that flat parts get triangles of similar size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Care {
    pub(crate) evenness: f64,
    pub(crate) bends: f64,
}

/// The surface with at most so many triangles, for each of the numbers in turn (largest first). It may be left with more where
/// no edge can be collapsed any further.
pub(crate) fn simplified(mesh: Carrier, targets: &[usize], care: Care) -> Vec<Carrier> {
    let mut work = Work::new(mesh, care);
    let of = |work: &mut Work, &target: &usize| {
        work.reduce(target);
        work.compact()
    };
    targets.iter().map(|target| of(&mut work, target)).collect()
}

/// The sum of squared distances to planes, as a function of a point.
#[derive(Clone, Copy)]
struct Quadric {
    matrix: DMat3,
    vector: DVec3,
    number: f64,
}

impl Quadric {
    const ZERO: Self = Self { matrix: DMat3::ZERO, vector: DVec3::ZERO, number: 0.0 };

    fn plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let offset = -normal.dot(point);
        let outer = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        Self { matrix: outer * weight, vector: normal * (offset * weight), number: offset * offset * weight }
    }

    fn add(&mut self, other: &Self) {
        self.matrix += other.matrix;
        self.vector += other.vector;
        self.number += other.number;
    }

    fn at(&self, p: DVec3) -> f64 {
        (p.dot(self.matrix * p) + 2.0 * self.vector.dot(p) + self.number).max(0.0)
    }

    /// The best point, drawn to a given one where the planes leave it open.
    fn best(&self, near: DVec3) -> DVec3 {
        let m = &self.matrix;
        let pull = 1e-3 * (m.x_axis.x + m.y_axis.y + m.z_axis.z) + 1e-30;
        let matrix = *m + DMat3::from_diagonal(DVec3::splat(pull));
        let best = matrix.inverse() * (near * pull - self.vector);
        if best.is_finite() { best } else { near }
    }
}

/// An edge to collapse: cost, ends, and their versions when it was looked at.
struct Candidate {
    cost: f64,
    ends: [u32; 2],
    versions: [u32; 2],
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.ends.cmp(&other.ends)).then(self.versions.cmp(&other.versions))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

struct Work {
    mesh: Carrier,
    care: Care,
    quadrics: Vec<Quadric>,
    /// The triangles at each vertex.
    fans: Vec<Vec<u32>>,
    versions: Vec<u32>,
    /// Whether each triangle is still there.
    alive: Vec<bool>,
    left: usize,
    queue: BinaryHeap<Reverse<Candidate>>,
}

impl Work {
    fn new(mesh: Carrier, care: Care) -> Self {
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        let mut work = Self {
            care,
            quadrics: vec![Quadric::ZERO; vertices],
            fans: vec![Vec::new(); vertices],
            versions: vec![0; vertices],
            alive: vec![true; triangles],
            left: triangles,
            queue: BinaryHeap::new(),
            mesh,
        };
        for index in 0..triangles {
            let corners = work.mesh.triangles[index];
            for vertex in corners {
                work.fans[vertex as usize].push(index as u32);
            }
            let [a, b, c] = corners.map(|vertex| work.mesh.positions[vertex as usize]);
            let cross = (b - a).cross(c - a);
            let plane = Quadric::plane(cross.normalize_or_zero(), a, cross.length() / 6.0);
            for vertex in corners {
                work.quadrics[vertex as usize].add(&plane);
            }
        }
        work.guard_borders();
        for vertex in 0..vertices as u32 {
            for other in work.neighbours(vertex) {
                if other > vertex {
                    work.consider(vertex, other);
                }
            }
        }
        work
    }

    /// The border of an open surface, and the line between two labels, keep their place: planes at right angles to the triangle.
    fn guard_borders(&mut self) {
        for index in 0..self.mesh.triangles.len() {
            let corners = self.mesh.triangles[index];
            let [a, b, c] = corners.map(|vertex| self.mesh.positions[vertex as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            for side in 0..3 {
                let (u, v) = (corners[side], corners[(side + 1) % 3]);
                let shared = self.shared(u, v);
                let label = |face: &u32| self.mesh.labels[*face as usize];
                if shared.len() == 2 && label(&shared[0]) == label(&shared[1]) {
                    continue;
                }
                let along = self.mesh.positions[v as usize] - self.mesh.positions[u as usize];
                let across = along.cross(normal).normalize_or_zero();
                let wall = Quadric::plane(across, self.mesh.positions[u as usize], along.length_squared());
                self.quadrics[u as usize].add(&wall);
                self.quadrics[v as usize].add(&wall);
            }
        }
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let fan = &self.fans[vertex as usize];
        let mut found: Vec<u32> =
            fan.iter().flat_map(|&face| self.mesh.triangles[face as usize]).filter(|&other| other != vertex).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The triangles that have both vertices.
    fn shared(&self, u: u32, v: u32) -> Vec<u32> {
        let has = |face: &&u32| self.mesh.triangles[**face as usize].contains(&v);
        self.fans[u as usize].iter().filter(has).copied().collect()
    }

    /// Where an edge's ends would meet, and what that costs.
    fn outcome(&self, u: u32, v: u32) -> (DVec3, f64) {
        let [a, b] = [u, v].map(|end| self.mesh.positions[end as usize]);
        let mut sum = self.quadrics[u as usize];
        sum.add(&self.quadrics[v as usize]);
        let mut place = sum.best(a.midpoint(b));
        let length = a.distance_squared(b);
        // A point far off the edge is the crossing of nearly parallel planes.
        if place.distance_squared(a.midpoint(b)) > 4.0 * length {
            place = [a.midpoint(b), a, b].into_iter().min_by(|p, q| sum.at(*p).total_cmp(&sum.at(*q))).unwrap_or(a);
        }
        let weight = sum.matrix.x_axis.x + sum.matrix.y_axis.y + sum.matrix.z_axis.z;
        let evenness = self.care.evenness * (1.0 + self.care.bends * f64::from(self.unlike(u, v)));
        (place, sum.at(place) + evenness * weight * length)
    }

    /// How much two vertices differ in what they carry.
    fn unlike(&self, u: u32, v: u32) -> f32 {
        let row = |vertex: u32| &self.mesh.carried[vertex as usize * self.mesh.width..][..self.mesh.width];
        row(u).iter().zip(row(v)).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    fn consider(&mut self, u: u32, v: u32) {
        let cost = self.outcome(u, v).1;
        let versions = [u, v].map(|end| self.versions[end as usize]);
        self.queue.push(Reverse(Candidate { cost, ends: [u, v], versions }));
    }

    fn reduce(&mut self, target: usize) {
        while self.left > target {
            let Some(Reverse(next)) = self.queue.pop() else { return };
            let [u, v] = next.ends;
            let current = [u, v].map(|end| self.versions[end as usize]) == next.versions;
            if current && self.allowed(u, v) {
                let place = self.outcome(u, v).0;
                if self.keeps_facing(u, v, place) && self.keeps_facing(v, u, place) {
                    self.collapse(u, v, place);
                }
            }
        }
    }

    /// The link condition: the surface has the same topology afterwards.
    fn allowed(&self, u: u32, v: u32) -> bool {
        let shared = self.shared(u, v);
        let around = self.neighbours(v);
        let common: Vec<u32> = self.neighbours(u).into_iter().filter(|n| around.binary_search(n).is_ok()).collect();
        // A third vertex with three triangles would be left with two that are the same.
        let thin = |n: &u32| self.fans[*n as usize].len() <= 3;
        let border = |n: u32| self.fans[n as usize].len() != self.neighbours(n).len();
        let pinches = shared.len() == 2 && border(u) && border(v);
        (1..=2).contains(&shared.len()) && common.len() == shared.len() && !common.iter().any(thin) && !pinches
    }

    /// Whether the triangles that stay at a vertex keep facing where they faced, and keep an area, with it moved.
    fn keeps_facing(&self, vertex: u32, merged: u32, place: DVec3) -> bool {
        self.fans[vertex as usize].iter().all(|&face| {
            let corners = self.mesh.triangles[face as usize];
            if corners.contains(&merged) {
                return true;
            }
            let normal = |p: [DVec3; 3]| (p[1] - p[0]).cross(p[2] - p[0]);
            let before = corners.map(|corner| self.mesh.positions[corner as usize]);
            let after =
                corners.map(|corner| if corner == vertex { place } else { self.mesh.positions[corner as usize] });
            let (old, new) = (normal(before), normal(after));
            let sides = after[0].distance_squared(after[1])
                + after[1].distance_squared(after[2])
                + after[2].distance_squared(after[0]);
            new.dot(old) > 0.2 * new.length() * old.length() && new.length() > 0.02 * sides
        })
    }

    fn collapse(&mut self, u: u32, v: u32, place: DVec3) {
        let [a, b] = [u, v].map(|end| self.mesh.positions[end as usize]);
        let share = ((place - a).dot(b - a) / a.distance_squared(b).max(1e-30)).clamp(0.0, 1.0) as f32;
        let (first, second) = (u as usize * self.mesh.width, v as usize * self.mesh.width);
        for k in 0..self.mesh.width {
            let other = self.mesh.carried[second + k];
            let mine = &mut self.mesh.carried[first + k];
            *mine += (other - *mine) * share;
        }
        let gone = self.quadrics[v as usize];
        self.quadrics[u as usize].add(&gone);
        self.mesh.positions[u as usize] = place;
        for face in std::mem::take(&mut self.fans[v as usize]) {
            let corners = self.mesh.triangles[face as usize];
            if corners.contains(&u) {
                self.alive[face as usize] = false;
                self.left -= 1;
                for corner in corners {
                    self.fans[corner as usize].retain(|&other| other != face);
                }
            } else {
                self.mesh.triangles[face as usize] = corners.map(|corner| if corner == v { u } else { corner });
                self.fans[u as usize].push(face);
            }
        }
        self.versions[u as usize] += 1;
        self.versions[v as usize] += 1;
        for other in self.neighbours(u) {
            self.consider(u.min(other), u.max(other));
        }
    }

    /// What is left, with vertices numbered anew.
    fn compact(&self) -> Carrier {
        let mut number = vec![u32::MAX; self.mesh.positions.len()];
        let mut result = Carrier { width: self.mesh.width, ..Carrier::default() };
        for (index, corners) in self.mesh.triangles.iter().enumerate().filter(|(index, _)| self.alive[*index]) {
            let corners = corners.map(|vertex| {
                if number[vertex as usize] == u32::MAX {
                    number[vertex as usize] = result.positions.len() as u32;
                    result.positions.push(self.mesh.positions[vertex as usize]);
                    let row = &self.mesh.carried[vertex as usize * self.mesh.width..][..self.mesh.width];
                    result.carried.extend_from_slice(row);
                }
                number[vertex as usize]
            });
            result.triangles.push(corners);
            result.labels.push(self.mesh.labels[index]);
        }
        result
    }
}
