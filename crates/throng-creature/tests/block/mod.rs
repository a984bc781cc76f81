//! A small rigged character, made by code: a block on two legs. Tests of other crates and the fuzzers use it, too.

/// A file put together from pieces that a test may change.
struct File {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl File {
    fn new() -> Self {
        Self { bytes: Vec::new(), views: Vec::new(), accessors: Vec::new() }
    }

    /// Adds numbers as an accessor and gives its index.
    fn add(&mut self, data: &[u8], component: u32, kind: &str, count: usize) -> usize {
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, self.bytes.len(), data.len()));
        self.bytes.extend_from_slice(data);
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let bounds = if kind == "VEC3" { r#","min":[-9,-9,-9],"max":[9,9,9]"# } else { "" };
        let (view, last) = (self.views.len() - 1, self.accessors.len());
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":{component},"count":{count},"type":"{kind}"{bounds}}}"#
        ));
        last
    }

    fn floats(&mut self, numbers: &[f32], kind: &str, columns: usize) -> usize {
        let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(&data, 5126, kind, numbers.len() / columns)
    }
}

/// What a test changes about the small character.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) joints: usize,
    pub(crate) skinned: bool,
    pub(crate) required: &'static str,
    pub(crate) second_joints: bool,
    pub(crate) morph: bool,
    pub(crate) clip: &'static str,
    /// The clip makes a leg longer, but not wider.
    pub(crate) stretched: bool,
    /// Where its numbers are: "" in the same file, a .glb; "data:" within a .gltf; else in the file of that name beside it.
    pub(crate) numbers: &'static str,
}

pub(crate) const PLAIN: Plan = Plan {
    joints: 5,
    skinned: true,
    required: "",
    second_joints: false,
    morph: false,
    clip: "Armature|Walk",
    stretched: false,
    numbers: "",
};

/// Corners of a box.
fn corners(low: [f32; 3], high: [f32; 3]) -> Vec<f32> {
    (0..8).flat_map(|n| (0..3).map(move |axis| if n >> axis & 1 == 0 { low[axis] } else { high[axis] })).collect()
}

const BOX: [u16; 36] =
    [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];

/// A block on two legs, 1 m tall, with y up, that looks along z: joints hips, left and right leg, left and right foot. Its nose is ahead.
pub(crate) fn glb(plan: &Plan) -> Vec<u8> {
    let mut file = File::new();
    let boxes = [
        ([-0.2, 0.5, -0.1], [0.2, 1.0, 0.1], 0_u8),
        ([0.05, 0.0, -0.05], [0.15, 0.5, 0.05], 1),
        ([-0.15, 0.0, -0.05], [-0.05, 0.5, 0.05], 2),
        ([-0.02, 0.8, 0.1], [0.02, 0.84, 0.2], 0),
    ];
    let (mut positions, mut joints, mut weights, mut indices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, (low, high, joint)) in boxes.into_iter().enumerate() {
        positions.extend(corners(low, high));
        for _ in 0..8 {
            joints.extend([joint, 0, 0, 0]);
            weights.extend([1.0_f32, 0.0, 0.0, 0.0]);
        }
        indices.extend(BOX.iter().map(|index| index + 8 * number as u16));
    }
    let at = file.floats(&positions, "VEC3", 3);
    let joints = file.add(&joints, 5121, "VEC4", 32);
    let weights = file.floats(&weights, "VEC4", 4);
    let faces: Vec<u8> = indices.iter().flat_map(|index: &u16| index.to_le_bytes()).collect();
    let faces = file.add(&faces, 5123, "SCALAR", indices.len());
    // Inverse bind matrices: where joints are, taken back.
    let places = [[0.0, 0.5, 0.0], [0.1, 0.5, 0.0], [-0.1, 0.5, 0.0], [0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]];
    let mut binds = Vec::new();
    for joint in 0..plan.joints {
        let [x, y, z] = places.get(joint).copied().unwrap_or_default();
        binds.extend([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0_f32]);
    }
    let binds = file.floats(&binds, "MAT4", 16);
    let times = file.floats(&[0.0, 0.25, 0.5, 0.75, 1.0], "SCALAR", 1);
    let swing = |sign: f32| -> Vec<f32> {
        let angles = [0.0, sign, 0.0, -sign, 0.0].map(|share: f32| (share * 30.0).to_radians() / 2.0);
        angles.iter().flat_map(|half| [half.sin(), 0.0, 0.0, half.cos()]).collect()
    };
    let (left, right) = (file.floats(&swing(1.0), "VEC4", 4), file.floats(&swing(-1.0), "VEC4", 4));
    let longer: Vec<f32> = [1.0, 1.5, 1.0, 1.5, 1.0].iter().flat_map(|&long| [1.0, long, 1.0]).collect();
    let longer = file.floats(&longer, "VEC3", 3);
    let (channel, sampler) = if plan.stretched {
        (
            r#",{"sampler":2,"target":{"node":2,"path":"scale"}}"#.to_owned(),
            format!(r#",{{"input":{times},"output":{longer}}}"#),
        )
    } else {
        Default::default()
    };
    let mut nodes = vec![
        r#"{"name":"body","mesh":0,"skin":0}"#.to_owned(),
        r#"{"name":"hips","translation":[0,0.5,0],"children":[2,3]}"#.to_owned(),
        r#"{"name":"leg.L","translation":[0.1,0,0],"children":[4]}"#.to_owned(),
        r#"{"name":"leg.R","translation":[-0.1,0,0],"children":[5]}"#.to_owned(),
        r#"{"name":"foot.L","translation":[0,-0.5,0]}"#.to_owned(),
        r#"{"name":"foot.R","translation":[0,-0.5,0]}"#.to_owned(),
    ];
    if !plan.skinned {
        nodes[0] = r#"{"mesh":0}"#.to_owned();
    }
    nodes.extend((5..plan.joints).map(|joint| format!(r#"{{"name":"more {joint}"}}"#)));
    let list = |numbers: std::ops::RangeInclusive<usize>| numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let more =
        if plan.second_joints { format!(r#","JOINTS_1":{joints},"WEIGHTS_1":{weights}"#) } else { String::new() };
    let morph = if plan.morph { format!(r#","targets":[{{"POSITION":{at}}}]"#) } else { String::new() };
    let required = if plan.required.is_empty() {
        String::new()
    } else {
        format!(r#","extensionsUsed":["{0}"],"extensionsRequired":["{0}"]"#, plan.required)
    };
    let uri = match plan.numbers {
        "" => String::new(),
        "data:" => format!(r#","uri":"data:application/octet-stream;base64,{}""#, base64(&file.bytes)),
        name => format!(r#","uri":"{name}""#),
    };
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],"nodes":[{nodes}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":{at},"JOINTS_0":{joints},"WEIGHTS_0":{weights}{more}}},"indices":{faces},"material":0{morph}}}]}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[0.9,0.2,0.1,1],"metallicFactor":0}}}}],
"skins":[{{"joints":[{joint_list}],"inverseBindMatrices":{binds}}}],
"animations":[{{"name":"{clip}","channels":[{{"sampler":0,"target":{{"node":2,"path":"rotation"}}}},{{"sampler":1,"target":{{"node":3,"path":"rotation"}}}}{channel}],
"samplers":[{{"input":{times},"output":{left}}},{{"input":{times},"output":{right}}}{sampler}]}}],
"accessors":[{accessors}],"bufferViews":[{views}],"buffers":[{{"byteLength":{length}{uri}}}]{required}}}"#,
        nodes = nodes.join(","),
        joint_list = list(1..=plan.joints),
        clip = plan.clip,
        accessors = file.accessors.join(","),
        views = file.views.join(","),
        length = file.bytes.len(),
    );
    if plan.numbers.is_empty() { container(json.into_bytes(), &file.bytes) } else { json.into_bytes() }
}

fn container(mut json: Vec<u8>, data: &[u8]) -> Vec<u8> {
    while !json.len().is_multiple_of(4) {
        json.push(b' ');
    }
    let mut bytes = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + data.len();
    for word in [2, total as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(data);
    bytes
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let four = |three: &[u8]| {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        let letter = |k: usize| char::from(LETTERS[bits as usize >> (18 - 6 * k) & 63]);
        [0, 1, 2, 3].map(|k| if k <= three.len() { letter(k) } else { '=' })
    };
    bytes.chunks(3).flat_map(four).collect()
}
