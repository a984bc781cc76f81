// The colours of agents: a palette by id, but for what shows the colour that they have in the picture.

struct Skin {
    @builtin(position) @invariant at: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Linear; a triangle has those of its first vertex.
    @location(2) @interpolate(flat) colour: vec3<f32>,
    @location(3) @interpolate(flat) tinted: vec3<f32>,
    @location(4) tint: f32,
    // The light that reaches it: all but the dominant one, as this vertex faces; that one, and how much of it shadow maps take away.
    @location(5) rest: vec3<f32>,
    @location(6) @interpolate(flat) dominant: vec4<f32>,
    @location(7) @interpolate(flat) way: vec3<f32>,
}

// Somebody's surface at a vertex: `part` is what the triangle is made of, `tint` how far it is from the first to the second colour.
fn dressed(who: Character, body: Posed, part_of: u32, tint: f32) -> Skin {
    let it = variation_of(who.id);
    let part = min(part_of, shape.parts - 1u);
    let paint = shape.paints_at + 2u * ((it.palette % shape.palettes) * shape.parts + part);
    let shown = linear_of(unpack4x8unorm(who.colour).rgb);
    let share = select(select(0.0, STAIN, part == 0u), 1.0, part == shape.cloth);
    var out: Skin;
    out.place = body.place;
    out.normal = body.normal;
    out.colour = mix(bitcast<vec3<f32>>(table[paint].xyz) * it.shade, shown, share);
    out.tinted = mix(bitcast<vec3<f32>>(table[paint + 1u].xyz) * it.shade, shown, share);
    out.tint = tint;
    let light = unpack_reaching(who.light);
    out.rest = rest_of(light, body.normal);
    out.dominant = vec4<f32>(light.dominant, light.exposure);
    out.way = light.way;
    if (space.tint == 1u) {
        out.colour = level_tint(draw_of.level);
        out.tinted = out.colour;
    }
    out.at = draw_of.clip * vec4<f32>(out.place, 1.0);
    return out;
}

@fragment fn skin(in: Skin) -> @location(0) vec4<f32> {
    let n = normalize(in.normal);
    let direct = in.dominant.rgb * max(dot(n, in.way), 0.0) * shade_of(in.dominant.w, in.place, n);
    let colour = mix(in.colour, in.tinted, in.tint) * max(vec3<f32>(0.0), in.rest + direct);
    return vec4<f32>(through_air(tinted(colour, in.place), in.place), 1.0);
}
