//! A character as a .glb: a template for somebody's own, which every program that knows glTF opens.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::{Character, Clip, Mesh, Rows};

/// From character space (x forward, y left, z up) to a file's (z forward, x left, y up).
const AXES: DMat3 = DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y);

impl Character {
    /// The character as a .glb: the mesh of a level (or the coarsest one), all bones, the first palette, and the clips that are wanted. What
    /// makes individuals differ has no place in it. [`Character::from_gltf_bytes`] reads it.
    #[must_use]
    pub fn to_glb(&self, level: usize, wanted: impl Fn(&Clip) -> bool) -> Vec<u8> {
        let mut file = File::default();
        let rest: Vec<DAffine3> = self.bones.iter().map(|bone| in_file(&bone.rest)).collect();
        let paints = self.palettes.first().map_or(&[][..], |palette| &palette.paints);
        let mesh = self.lods.get(level).or(self.lods.last());
        let pieces = mesh.map_or_else(Vec::new, |mesh| file.pieces(mesh));
        let binds: Vec<[f32; 16]> = rest.iter().map(|bone| matrix(&bone.inverse())).collect();
        let binds = file.floats(&binds, "MAT4");
        let clips: Vec<String> =
            self.clips.iter().filter(|c| wanted(c)).map(|c| self.clip(&mut file, c, &rest)).collect();
        let mut nodes = vec![r#"{"name":"body","mesh":0,"skin":0}"#.to_owned()];
        for (number, bone) in self.bones.iter().enumerate() {
            let [at, turn, scale] = self.local(number, &rest).map(|numbers| list(&numbers));
            let hangs = |&child: &usize| self.bones[child].parent.map(usize::from) == Some(number);
            let children: Vec<usize> = (0..self.bones.len()).filter(hangs).map(|child| child + 1).collect();
            let children =
                if children.is_empty() { String::new() } else { format!(r#","children":{}"#, list(&children)) };
            nodes.push(format!(
                r#"{{"name":{},"translation":{at},"rotation":{turn},"scale":{scale}{children}}}"#,
                text(&bone.name)
            ));
        }
        let roots = (0..self.bones.len()).filter(|&bone| self.bones[bone].parent.is_none()).map(|bone| bone + 1);
        let roots: Vec<usize> = std::iter::once(0).chain(roots).collect();
        let joints: Vec<usize> = (1..=self.bones.len()).collect();
        let materials = paints.iter().enumerate().map(|(part, paint)| {
            let [r, g, b] = paint.colour;
            let (colour, metal, rough) = (list(&[r, g, b, 1.0]), paint.metal, paint.roughness);
            let look = format!(r#""baseColorFactor":{colour},"metallicFactor":{metal:?},"roughnessFactor":{rough:?}"#);
            format!(r#"{{"name":"part {part}","pbrMetallicRoughness":{{{look}}}}}"#)
        });
        let materials: Vec<String> = materials.collect();
        let json = format!(
            r#"{{"asset":{{"version":"2.0","generator":"Throng"}},"scene":0,"scenes":[{{"nodes":{roots}}}],"nodes":[{nodes}],"meshes":[{{"primitives":[{pieces}]}}],"materials":[{materials}],"skins":[{{"joints":{joints},"inverseBindMatrices":{binds}}}],"animations":[{clips}],"accessors":[{accessors}],"bufferViews":[{views}],"buffers":[{{"byteLength":{length}}}]}}"#,
            roots = list(&roots),
            nodes = nodes.join(","),
            pieces = pieces.join(","),
            materials = materials.join(","),
            joints = list(&joints),
            clips = clips.join(","),
            accessors = file.accessors.join(","),
            views = file.views.join(","),
            length = file.data.len(),
        );
        container(json, &file.data)
    }

    /// Where a bone is against its parent: place, turn, scale.
    fn local(&self, bone: usize, joints: &[DAffine3]) -> [Vec<f32>; 3] {
        /// What is scaled to less is not there.
        const LEAST: f64 = 1e-4;
        let parent = self.bones[bone].parent.map_or(DAffine3::IDENTITY, |parent| joints[usize::from(parent)]);
        let size = |joint: &DAffine3| joint.matrix3.determinant().abs().cbrt();
        let local = if size(&parent) < LEAST { DAffine3::IDENTITY } else { parent.inverse() * joints[bone] };
        let scale = size(&local);
        let turn = if scale < LEAST { DQuat::IDENTITY } else { DQuat::from_mat3(&(local.matrix3 * (1.0 / scale))) };
        let turn = turn.normalize();
        let single = |numbers: &[f64]| numbers.iter().map(|&number| number as f32).collect();
        [single(&local.translation.to_array()), single(&turn.to_array()), single(&[scale; 3])]
    }

    /// An animation: all bones at all keys.
    fn clip(&self, file: &mut File, clip: &Clip, rest: &[DAffine3]) -> String {
        let span = clip.seconds / (clip.keys.max(2) - 1) as f32;
        let times: Vec<[f32; 1]> = (0..clip.keys).map(|key| [key as f32 * span]).collect();
        let times = file.floats(&times, "SCALAR");
        let poses = clip.matrices.chunks_exact(self.bones.len().max(1));
        let poses: Vec<Vec<DAffine3>> = poses
            .map(|pose| pose.iter().zip(rest).map(|(skinning, rest)| in_file(skinning) * *rest).collect())
            .collect();
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for bone in 0..self.bones.len() {
            let [places, turns, scales] = poses.iter().map(|pose| self.local(bone, pose)).fold(
                [const { Vec::new() }; 3],
                |mut all: [Vec<f32>; 3], local| {
                    all.iter_mut().zip(local).for_each(|(all, numbers)| all.extend(numbers));
                    all
                },
            );
            let outputs = [
                ("translation", file.floats(places.as_chunks::<3>().0, "VEC3")),
                ("rotation", file.floats(turns.as_chunks::<4>().0, "VEC4")),
                ("scale", file.floats(scales.as_chunks::<3>().0, "VEC3")),
            ];
            for (path, output) in outputs {
                let (sampler, node) = (samplers.len(), bone + 1);
                channels.push(format!(r#"{{"sampler":{sampler},"target":{{"node":{node},"path":"{path}"}}}}"#));
                samplers.push(format!(r#"{{"input":{times},"output":{output}}}"#));
            }
        }
        let (channels, samplers) = (channels.join(","), samplers.join(","));
        format!(r#"{{"name":{},"channels":[{channels}],"samplers":[{samplers}]}}"#, text(&clip.name))
    }
}

/// A file in the making.
#[derive(Default)]
struct File {
    data: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl File {
    /// Adds numbers as an accessor, of which some things are known already, and gives its index.
    fn add(&mut self, bytes: &[u8], about: &str) -> usize {
        let (view, at) = (self.views.len(), self.data.len());
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{at},"byteLength":{}}}"#, bytes.len()));
        self.data.extend_from_slice(bytes);
        self.accessors.push(format!(r#"{{"bufferView":{view},{about}}}"#));
        view
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], kind: &str) -> usize {
        let end = |start: f32, pick: fn(f32, f32) -> f32| {
            list(&rows.iter().fold([start; N], |end, row| std::array::from_fn(|i| pick(end[i], row[i]))))
        };
        let (low, high) = (end(f32::MAX, f32::min), end(f32::MIN, f32::max));
        let about = format!(r#""componentType":5126,"count":{},"type":"{kind}","min":{low},"max":{high}"#, rows.len());
        self.add(bytemuck::cast_slice(rows.as_flattened()), &about)
    }

    /// The triangles of each part, with vertices of its own.
    fn pieces(&mut self, mesh: &Mesh) -> Vec<String> {
        let last = mesh.parts.iter().copied().max().unwrap_or(0);
        (0..=last).filter_map(|part| self.piece(mesh, part)).collect()
    }

    fn piece(&mut self, mesh: &Mesh, part: u8) -> Option<String> {
        let mut number = vec![u32::MAX; mesh.positions.len()];
        let (mut vertices, mut indices) = (Vec::new(), Vec::new());
        for face in mesh.indices.chunks_exact(3).filter(|face| mesh.parts[face[0] as usize] == part) {
            for &corner in face {
                let known = &mut number[corner as usize];
                if *known == u32::MAX {
                    *known = vertices.len() as u32;
                    vertices.push(corner as usize);
                }
                indices.push(*known);
            }
        }
        let turned = |[x, y, z]: [f32; 3]| [y, z, x];
        let positions: Vec<[f32; 3]> = vertices.iter().map(|&vertex| turned(mesh.positions[vertex])).collect();
        let normals: Vec<[f32; 3]> = vertices.iter().map(|&vertex| turned(mesh.normals[vertex])).collect();
        let joints: Vec<[u8; 4]> = vertices.iter().map(|&vertex| mesh.joints[vertex]).collect();
        let weights: Vec<[u8; 4]> = vertices.iter().map(|&vertex| mesh.weights[vertex]).collect();
        if indices.is_empty() {
            return None;
        }
        let four = |more: &str| format!(r#""componentType":5121,"count":{},"type":"VEC4"{more}"#, vertices.len());
        let (at, normal) = (self.floats(&positions, "VEC3"), self.floats(&normals, "VEC3"));
        let joints = self.add(bytemuck::cast_slice(&joints), &four(""));
        let weights = self.add(bytemuck::cast_slice(&weights), &four(r#","normalized":true"#));
        let whole = format!(r#""componentType":5125,"count":{},"type":"SCALAR""#, indices.len());
        let faces = self.add(bytemuck::cast_slice(&indices), &whole);
        let attributes = format!(r#""POSITION":{at},"NORMAL":{normal},"JOINTS_0":{joints},"WEIGHTS_0":{weights}"#);
        Some(format!(r#"{{"attributes":{{{attributes}}},"indices":{faces},"material":{part}}}"#))
    }
}

fn list<T: std::fmt::Debug>(numbers: &[T]) -> String {
    format!("{numbers:?}")
}

/// A text in quotes.
fn text(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() || matches!(c, '"' | '\\') { ' ' } else { c }).collect();
    format!("\"{plain}\"")
}

/// A matrix of character space as one of the file's.
fn in_file(rows: &Rows) -> DAffine3 {
    let row = |i: usize| DVec3::new(rows[i][0].into(), rows[i][1].into(), rows[i][2].into());
    let linear = DMat3::from_cols(row(0), row(1), row(2)).transpose();
    let place = DVec3::new(rows[0][3].into(), rows[1][3].into(), rows[2][3].into());
    DAffine3 { matrix3: AXES * linear * AXES.transpose(), translation: AXES * place }
}

/// Column after column.
fn matrix(affine: &DAffine3) -> [f32; 16] {
    glam::DMat4::from(*affine).as_mat4().to_cols_array()
}

/// Text and numbers in one file.
fn container(mut json: String, data: &[u8]) -> Vec<u8> {
    json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
    let mut bytes = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + data.len();
    for word in [2, total as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json.bytes());
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(data);
    bytes
}
