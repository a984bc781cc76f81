// A character as shaders have it: what its table holds. The Rust side is figure.rs.

struct Shape {
    low: vec3<f32>,         // box that vertices are packed into, m
    bones: u32,
    high: vec3<f32>,
    clips_at: u32,          // in the table; as the next ones
    bones_low: vec3<f32>,   // box that translations of bones are packed into, m
    acts_at: u32,
    bones_high: vec3<f32>,
    growths_at: u32,
    paints_at: u32,
    parts: u32,             // paints of a palette
    palettes: u32,
    cloth: u32,             // the part that has the colour which agents are shown in
    skin_low: vec3<f32>,    // box that skinned vertices are packed into, m
    cage: u32,              // vertices of the full mesh
    skin_high: vec3<f32>,
    faces: u32,             // of the full mesh
    scale: f32,             // radii of an agent in a metre of the character
    figure: u32,            // its number: agents of other figures are none of its business
    ways_at: u32,
    bones_at: u32,
    // Of the full mesh two rows for each vertex: packed, at rest; then its skin. And a row for each face: its corners in the order of their places,
    // in which order they are on the face (2 bits for each of the three), which of them is the face's first (2 bits), and at which the surface bends
    // (a bit each).
    cage_at: u32,
    faces_at: u32,
    pad: vec2<u32>,
    // For each mesh: its first piece, how many it has, its vertices as those of the cage.
    meshes: array<vec4<u32>, 4>,
}

struct Clip {
    first: u32,             // of its matrices
    keys: u32,
    looped: bool,
    stride: f32,            // m of a character of its own size in a cycle; 0: it goes by time
    seconds: f32,
    role: u32,              // what it is good for; of a transition: what it leads to
    from_: u32,             // of a transition: what it comes from; else its role
}

fn clip_of(k: u32) -> Clip {
    let words = table[shape.clips_at + k];
    let y = words.y;
    return Clip(
        words.x, y & 0xffffu, (y >> 31u) == 1u, bitcast<f32>(words.z), bitcast<f32>(words.w), (y >> 16u) & 0x1fu, (y >> 21u) & 0x1fu);
}

// The transition that is first on the way from a role to another, or NOBODY: ways of acts.rs.
fn way_of(from_: u32, to: u32) -> u32 {
    let k = from_ * ROLES + to;
    return table[shape.ways_at + k / 4u][k % 4u];
}

const ROLES: u32 = 17u;
