// Passages through portals, as engine/gpu/world.rs writes them into `world`: see portals.rs.
struct Passage {
    // Where one comes out, m: first and last corner.
    exit: vec4<f32>,
    // From where one goes in to there, m.
    shift: vec2<f32>,
    // How far it is for somebody at full speed, m.
    length: f32,
}

fn passage(number: u32) -> Passage {
    let cells = vec4<f32>(world[params.portals + 2u * number]);
    let way = world[params.portals + 2u * number + 1u];
    let offset = vec2<f32>(bitcast<vec2<i32>>(way.xy));
    return Passage((cells + offset.xyxy) * params.cell, offset * params.cell, bitcast<f32>(way.z));
}

// Where somebody comes out who goes in at `p`: surely in the cell beyond.
fn beyond_passage(way: Passage, p: vec2<f32>) -> vec2<f32> {
    let rim = 0.01 * params.cell;
    return clamp(p + way.shift, way.exit.xy + rim, way.exit.zw - rim);
}

// Steps on the way at a preferred speed.
fn steps_through(way: Passage, preferred: f32) -> u32 { return u32(ceil(way.length / (preferred * params.dt))); }

// The exit that somebody on the way comes out of, who is at `p`.
fn exit_at(p: vec2<f32>) -> vec4<f32> {
    for (var k = 0u; k < params.passages; k++) {
        let exit = passage(k).exit;
        if (all(p >= exit.xy) && all(p < exit.zw)) { return exit; }
    }
    return vec4<f32>(p, p);
}
