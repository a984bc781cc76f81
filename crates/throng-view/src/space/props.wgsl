// Walls: outlines drawn up from the ground, and a lid on each.

struct Prop {
    @builtin(position) @invariant at: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) colour: vec3<f32>,
}

@vertex fn prop(@location(0) point: vec3<f32>, @location(1) normal: vec4<f32>, @location(2) colour: vec4<f32>) -> Prop {
    var out: Prop;
    out.place = vec3<f32>(point.xy, height_at(point.xy) + point.z);
    out.normal = normal.xyz;
    out.colour = colour.rgb;
    out.at = draw_of.clip * vec4<f32>(out.place, 1.0);
    return out;
}

@fragment fn prop_colour(in: Prop) -> @location(0) vec4<f32> {
    // A thin wall has two faces and one normal.
    let towards = dot(in.normal, space.eye.xyz - in.place);
    let n = normalize(select(-in.normal, in.normal, towards >= 0.0));
    let colour = linear_of(in.colour) * lit(in.place, n);
    // Which frame it is of, so that nothing has to be cleared.
    return vec4<f32>(through_air(tinted(colour, in.place), in.place), f32(space.walled));
}
