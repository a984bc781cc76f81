// Everybody as pictures in three dimensions need them, once a frame: where they stand, how they lean, their colour.

@group(1) @binding(0) var<storage, read> motion: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> body: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read> journey: array<vec4<u32>>;
@group(1) @binding(3) var<storage, read> waited: array<f32>;
@group(1) @binding(4) var<storage, read> persons: array<vec2<f32>>;
@group(1) @binding(5) var<storage, read_write> characters: array<Character>;

// How far one leans with the ground: people on a slope stand steeper than it.
const LEAN: f32 = 0.6;

@compute @workgroup_size(256)
fn gather(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= space.agents) { return; }
    var who: Character;
    let m = motion[i];
    let finite = !(not_finite(m.x) || not_finite(m.y) || not_finite(m.z) || not_finite(m.w));
    if (is_on_floor(journey[i]) && finite) {
        let p = m.xy - m.zw * view.back;
        who.place = vec3<f32>(p, height_at(p));
        who.size = radius_of(body[i]) * view.body;
        who.heading = body[i].x;
        let up = normalize(mix(vec3<f32>(0.0, 0.0, 1.0), normal_at(p), LEAN));
        who.up = pack2x16snorm(up.xy);
        let figure = figure_of(journey[i].y >> 16u);
        // A group that came with a character of its own while the run went on has the creature.
        who.colour = pack4x8unorm(vec4<f32>(colour_of(i), 0.0)) | (select(0u, figure, figure < space.figure_count) << 24u);
        who.id = journey[i].x;
    }
    characters[i] = who;
}
