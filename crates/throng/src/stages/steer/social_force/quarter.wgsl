// People as others read them, in numbers of 8 bits: place and lean. See records.rs.

alias Record = u32;

fn metres_per_step() -> f32 { return 4.0 * f32(params.block_side) * params.cell / 256.0; }

fn record_of(p: vec2<f32>, lean: vec2<f32>) -> Record {
    let steps = vec2<u32>(vec2<i32>(round(p / metres_per_step()))) & vec2<u32>(0xffu);
    return steps.x | (steps.y << 8u) | (pack4x8snorm(vec4<f32>(lean, 0.0, 0.0)) << 16u);
}

// From another to oneself, and the other's lean. Differences wrap around.
fn look(own: Record, other: Record) -> vec4<f32> {
    let x = bitcast<i32>((own - other) << 24u) >> 24u;
    let y = bitcast<i32>(((own >> 8u) - (other >> 8u)) << 24u) >> 24u;
    return vec4<f32>(vec2<f32>(f32(x), f32(y)) * metres_per_step(), unpack4x8snorm(other >> 16u).xy);
}
