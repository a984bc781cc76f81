// The colours of agents: a palette by id, but for what shows the colour that they have in the picture.

// What somebody's surface sends to the eye: `part` is what it is made of, `tint` how far it is from that part's first colour to the second.
fn skin(who: Character, level: u32, part_of: u32, tint: f32, n: vec3<f32>, place: vec3<f32>) -> vec3<f32> {
    let it = variation_of(who.id);
    let part = min(part_of, shape.parts - 1u);
    let paint = shape.paints_at + 2u * ((it.palette % shape.palettes) * shape.parts + part);
    let paints = mix(bitcast<vec3<f32>>(table[paint].xyz), bitcast<vec3<f32>>(table[paint + 1u].xyz), tint);
    let share = select(select(0.0, STAIN, part == 0u), 1.0, part == shape.cloth);
    var colour = mix(paints * it.shade, linear_of(unpack4x8unorm(who.colour).rgb), share);
    if (space.tint == 1u) { colour = level_tint(level); }
    let light = unpack_reaching(who.light);
    let direct = light.dominant * max(dot(n, light.way), 0.0) * shade_of(light.exposure, place, n);
    let sent = colour * max(vec3<f32>(0.0), rest_of(light, n) + direct);
    return through_air(tinted(sent, place), place);
}
