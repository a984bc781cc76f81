// What colour somebody has: after shaders that bind motion, journey, waited and persons.

fn colour_of(i: u32) -> vec3<f32> {
    let m = journey[i];
    var value = 0.0;
    switch view.colouring {
        case 0u: { return palette[KINDS_AT + (m.y & 0xffffu) % KINDS].rgb; }
        case 1u: { return palette[KINDS_AT + (m.y >> 16u) % KINDS].rgb; }
        case 2u: { value = length(motion[i].zw); }
        case 3u: {
            let cell = min(vec2<u32>(max(motion[i].xy / view.cell, vec2<f32>(0.0))), view.cells - 1u);
            value = persons[cell.y * view.cells.x + cell.x].x;
        }
        case 4u: { if (m.x < view.known) { value = waited[m.x]; } }
        default: {
            // Who lives by states has its state where others have their leg.
            if (lives(m.y >> 16u)) { return palette[MACHINE_AT + min(m.z & 0xffffu, 63u)].rgb; }
            return palette[STATES_AT + select(WAITING, WALKING, ((m.z >> 16u) & 0xffu) == WALKING)].rgb;
        }
    }
    return along(AMOUNT_AT, (value - view.low) / max(view.high - view.low, 1e-20));
}
