// From a character's own space into the world.

struct Posed {
    place: vec3<f32>,
    normal: vec3<f32>,
}

// As large and as broad as the individual is, where it stands, as it leans and faces.
fn placed(who: Character, size: f32, girth: f32, p: vec3<f32>, n: vec3<f32>) -> Posed {
    let broad = vec3<f32>(girth, girth, 1.0);
    let local = p * broad * (size * shape.scale * who.size);
    let normal = n / broad;
    let tip = unpack2x16snorm(who.up);
    let up = vec3<f32>(tip, sqrt(max(1.0 - dot(tip, tip), 0.0)));
    let heading = vec3<f32>(unpack2x16snorm(who.heading), 0.0);
    let side = normalize(cross(up, heading));
    let ahead = cross(side, up);
    return Posed(
        who.place + ahead * local.x + side * local.y + up * local.z,
        ahead * normal.x + side * normal.y + up * normal.z,
    );
}
