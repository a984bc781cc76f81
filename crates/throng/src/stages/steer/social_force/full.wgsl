// People as others read them, in numbers of 32 bits: place and lean. See records.rs.

alias Record = vec4<f32>;

fn record_of(p: vec2<f32>, lean: vec2<f32>) -> Record { return vec4<f32>(p, lean); }

// From another to oneself, and the other's lean.
fn look(own: Record, other: Record) -> vec4<f32> { return vec4<f32>(own.xy - other.xy, other.zw); }
