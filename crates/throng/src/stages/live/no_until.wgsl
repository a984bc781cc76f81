// How long somebody waits at the end of a leg, in steps, and whether at all.
fn wait_at(leg: vec4<u32>) -> vec2<u32> { return leg.yz; }
