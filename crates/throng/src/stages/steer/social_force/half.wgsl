// People as others read them, in numbers of 16 bits: place and lean. See records.rs.

alias Record = vec2<u32>;

fn metres_per_step() -> f32 { return 4.0 * f32(params.block_side) * params.cell / 65536.0; }

fn record_of(p: vec2<f32>, lean: vec2<f32>) -> Record {
    let steps = vec2<u32>(vec2<i32>(round(p / metres_per_step()))) & vec2<u32>(0xffffu);
    return vec2<u32>(steps.x | (steps.y << 16u), pack2x16snorm(lean));
}

// From another to oneself, and the other's lean. Differences wrap around.
fn look(own: Record, other: Record) -> vec4<f32> {
    let x = bitcast<i32>((own.x - other.x) << 16u) >> 16u;
    let y = bitcast<i32>(((own.x >> 16u) - (other.x >> 16u)) << 16u) >> 16u;
    return vec4<f32>(vec2<f32>(f32(x), f32(y)) * metres_per_step(), unpack2x16snorm(other.y));
}
