// How long somebody waits at the end of a leg, in steps, and whether at all. Some wait until an event: then the leg says where the
// steps of these are, after their number.
const UNTIL: u32 = 2u;
fn wait_at(leg: vec4<u32>) -> vec2<u32> {
    if (leg.z != UNTIL) { return leg.yz; }
    let count = world[leg.y].x;
    for (var k = 1u; k <= count; k++) {
        let at = world[leg.y + k / 4u][k & 3u];
        // The next one; if it is due at once there is nothing to wait for.
        if (at >= params.step + 1u) { return vec2<u32>(at - params.step - 1u, select(0u, 1u, at > params.step + 1u)); }
    }
    return vec2<u32>(0u);
}
