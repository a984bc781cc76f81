//! Nodes and joints: where bones are, and how the file's space becomes character space.

use glam::{DAffine3, DMat4, DQuat, DVec3};
use gltf::accessor::DataType;

use super::mesh::Raw;
use super::source::Source;
use super::{GltfError, MOST_BONES, broken, unsupported};
use crate::{Bone, Growth, Rows};

/// A node's place against its parent.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl Local {
    fn affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// The nodes of a file, and the joints of its skin, parents before children.
pub(super) struct Rig {
    pub(super) nodes: Vec<Local>,
    /// The nodes in an order in which parents come first, with their parents.
    order: Vec<(usize, Option<usize>)>,
    /// The node of each bone.
    pub(super) joints: Vec<usize>,
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    /// For each joint of the file's list its bone.
    pub(super) bone_of: Vec<u8>,
    binds: Vec<DAffine3>,
    /// Which skins are this one.
    pub(super) skins: Vec<usize>,
}

impl Rig {
    pub(super) fn new(source: &Source) -> Result<Self, GltfError> {
        let document = &source.document;
        let used = |node: &gltf::Node<'_>| node.mesh().and(node.skin()).map(|skin| skin.index());
        let mut skins: Vec<usize> = document.nodes().filter_map(|node| used(&node)).collect();
        skins.sort_unstable();
        skins.dedup();
        let Some(skin) = skins.first().and_then(|&first| document.skins().nth(first)) else {
            return Err(unsupported("no mesh of the file has a skin: a character needs bones that move it"));
        };
        let listed: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        // Counts first: the work below goes with their product.
        if listed.is_empty() || listed.len() > MOST_BONES {
            return Err(unsupported(format!("{} joints: a character may have 1 to {MOST_BONES}", listed.len())));
        }
        let order = ordered(document)?;
        let same = |&other: &usize| {
            document
                .skins()
                .nth(other)
                .is_some_and(|skin| skin.joints().map(|joint| joint.index()).eq(listed.iter().copied()))
        };
        if !skins.iter().all(same) {
            return Err(unsupported(format!(
                "{} skins with different joints: join the meshes on one skeleton",
                skins.len()
            )));
        }
        // Bones in the order of nodes, so that parents come first.
        let mut joints = Vec::new();
        let mut bone_of = vec![0; listed.len()];
        for (node, _) in &order {
            for (index, _) in listed.iter().enumerate().filter(|(_, joint)| *joint == node) {
                bone_of[index] = joints.len() as u8;
                joints.push(*node);
            }
        }
        if joints.len() != listed.len() {
            return Err(broken("a joint that is no node"));
        }
        let mut parent_of = vec![None; order.len()];
        order.iter().for_each(|&(node, parent)| parent_of[node] = parent);
        let above = |node: usize| {
            let mut at = parent_of[node];
            while let Some(parent) = at {
                if let Some(bone) = joints.iter().position(|&joint| joint == parent) {
                    return Some(bone);
                }
                at = parent_of[parent];
            }
            None
        };
        let given = match skin.inverse_bind_matrices() {
            Some(accessor) => inverse_binds(source, &accessor, listed.len())?,
            None => vec![DAffine3::IDENTITY; listed.len()],
        };
        let mut binds = vec![DAffine3::IDENTITY; listed.len()];
        for (index, bone) in bone_of.iter().enumerate() {
            binds[usize::from(*bone)] = given[index];
        }
        let name = |&node: &usize| {
            let named = document.nodes().nth(node).and_then(|node| node.name().map(str::to_owned));
            named.unwrap_or_else(|| format!("node {node}"))
        };
        Ok(Self {
            nodes: document.nodes().map(|node| local(&node)).collect(),
            names: joints.iter().map(name).collect(),
            parents: joints.iter().map(|&joint| above(joint)).collect(),
            order,
            joints,
            bone_of,
            binds,
            skins,
        })
    }

    /// Where every bone takes the vertices of the file, with nodes in these places.
    pub(super) fn skinning(&self, nodes: &[Local]) -> Vec<DAffine3> {
        self.bound(&self.globals(nodes))
    }

    /// The same, with joints in these places.
    pub(super) fn bound(&self, joints: &[DAffine3]) -> Vec<DAffine3> {
        joints.iter().zip(&self.binds).map(|(global, bind)| *global * *bind).collect()
    }

    /// Where the joints themselves are.
    pub(super) fn globals(&self, nodes: &[Local]) -> Vec<DAffine3> {
        let mut globals = vec![DAffine3::IDENTITY; nodes.len()];
        for &(node, parent) in &self.order {
            globals[node] = parent.map_or(DAffine3::IDENTITY, |parent| globals[parent]) * nodes[node].affine();
        }
        self.joints.iter().map(|&joint| globals[joint]).collect()
    }

    pub(super) fn bones(&self, space: &Space) -> Vec<Bone> {
        let globals = self.globals(&self.nodes);
        let bone = |bone: usize| Bone {
            name: self.names[bone].clone(),
            parent: self.parents[bone].map(|parent| parent as u8),
            rest: rows(&(space.to_character * globals[bone])),
            growth: [Growth::default(); 2],
        };
        (0..self.joints.len()).map(bone).collect()
    }
}

/// More than any character has, so that nobody waits for a file of nothing but nodes.
const MOST_NODES: usize = 1024;

/// Nodes with parents first. A file in which somebody is its own ancestor has none.
fn ordered(document: &gltf::Document) -> Result<Vec<(usize, Option<usize>)>, GltfError> {
    let count = document.nodes().count();
    if count > MOST_NODES {
        return Err(unsupported(format!("{count} nodes: a character may have {MOST_NODES}")));
    }
    let mut parent = vec![None; count];
    for node in document.nodes() {
        for child in node.children() {
            if parent[child.index()].replace(node.index()).is_some() {
                return Err(broken(format!("node {} hangs on two others", child.index())));
            }
        }
    }
    let nodes: Vec<Vec<usize>> =
        document.nodes().map(|node| node.children().map(|child| child.index()).collect()).collect();
    let mut order: Vec<(usize, Option<usize>)> =
        (0..count).filter(|&node| parent[node].is_none()).map(|node| (node, None)).collect();
    let mut next = 0;
    while let Some(&(node, _)) = order.get(next) {
        order.extend(nodes[node].iter().map(|&child| (child, Some(node))));
        next += 1;
    }
    if order.len() == count { Ok(order) } else { Err(broken("nodes that hang on themselves")) }
}

fn local(node: &gltf::Node<'_>) -> Local {
    match node.transform() {
        gltf::scene::Transform::Matrix { matrix } => {
            let (scale, rotation, translation) =
                DMat4::from_cols_array_2d(&matrix.map(|column| column.map(f64::from))).to_scale_rotation_translation();
            Local { translation, rotation, scale }
        }
        gltf::scene::Transform::Decomposed { translation, rotation, scale } => Local {
            translation: DVec3::from(translation.map(f64::from)),
            rotation: unit(DQuat::from_array(rotation.map(f64::from))),
            scale: DVec3::from(scale.map(f64::from)),
        },
    }
}

/// A turn of length 1; no turn where there is none.
pub(super) fn unit(turn: DQuat) -> DQuat {
    let length = turn.length();
    if length.is_finite() && length > 1e-9 { turn * (1.0 / length) } else { DQuat::IDENTITY }
}

/// The inverse bind matrices of so many joints. There may be more, which nobody asks for: they are not read.
fn inverse_binds(source: &Source, accessor: &gltf::Accessor<'_>, joints: usize) -> Result<Vec<DAffine3>, GltfError> {
    let count = accessor.count();
    if count < joints {
        return Err(broken(format!("{count} inverse bind matrices for {joints} joints")));
    }
    if accessor.data_type() != DataType::F32 {
        return Err(broken("inverse bind matrices that are not of 32-bit floats"));
    }
    Ok(source.first_numbers(accessor, 16, joints)?.chunks_exact(16).map(bind).collect())
}

fn bind(numbers: &[f32]) -> DAffine3 {
    let column = |c: usize| DVec3::new(numbers[4 * c].into(), numbers[4 * c + 1].into(), numbers[4 * c + 2].into());
    DAffine3 { matrix3: glam::DMat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
}

/// How the file's space becomes character space.
pub(super) struct Space {
    /// From the scene of the file.
    pub(super) to_character: DAffine3,
    /// From the file's vertices to the pose that meshes are kept in: that of the nodes as they are, where all bones agree on it.
    pub(super) rest: DAffine3,
    from_rest: DAffine3,
    pub(super) height: f32,
}

impl Space {
    pub(super) fn new(rig: &Rig, raw: &Raw, wanted: Option<f32>) -> Result<Self, GltfError> {
        // x forward, y left, z up from z forward, x left, y up.
        let axes = glam::DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
        let pose = rig.skinning(&rig.nodes);
        let standing: Vec<DVec3> = (0..raw.positions.len()).map(|vertex| axes * raw.skinned(vertex, &pose)).collect();
        let low = standing.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let tall = standing.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max).z - low.z;
        let sound = low.is_finite() && tall.is_finite() && tall > 1e-6 && tall < 1e9;
        if !sound {
            return Err(broken("a character without height"));
        }
        let height = wanted.map_or(tall, f64::from).clamp(0.01, 1000.0);
        // It stands where its feet are: the mean of what is lowest.
        let feet: Vec<DVec3> = standing.into_iter().filter(|p| p.z < low.z + 0.05 * tall).collect();
        let middle = feet.iter().copied().sum::<DVec3>() / feet.len() as f64;
        let scale = height / tall;
        let to_character =
            DAffine3 { matrix3: axes * scale, translation: DVec3::new(-middle.x, -middle.y, -low.z) * scale };
        let rest = to_character * pose[0];
        let turned = rest.matrix3.determinant();
        let rest = if turned.is_finite() && turned.abs() > 1e-12 { rest } else { to_character };
        Ok(Self { to_character, from_rest: rest.inverse(), rest, height: height as f32 })
    }

    /// A skinning matrix of the file as one of the character.
    pub(super) fn matrix(&self, skinning: &DAffine3, shift: DVec3) -> DAffine3 {
        DAffine3::from_translation(shift) * self.to_character * *skinning * self.from_rest
    }
}

pub(super) fn rows(affine: &DAffine3) -> Rows {
    let place = affine.translation.as_vec3().to_array();
    std::array::from_fn(|i| {
        let row = affine.matrix3.row(i).as_vec3();
        [row.x, row.y, row.z, place[i]]
    })
}
