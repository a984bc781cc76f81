// A random place of a list of areas (each a record and its bounds), the more likely the larger the bounds.
fn random_place(list: vec2<u32>, words: vec4<u32>) -> vec3<f32> {
    var total = 0.0;
    for (var k = 0u; k < list.y; k++) {
        let b = numbers(list.x + 2u * k + 1u);
        total += (b.z - b.x) * (b.w - b.y);
    }
    var left = unit(words.z) * total;
    var k = 0u;
    for (; k + 1u < list.y; k++) {
        let b = numbers(list.x + 2u * k + 1u);
        let size = (b.z - b.x) * (b.w - b.y);
        if (left < size) { break; }
        left -= size;
    }
    let b = numbers(list.x + 2u * k + 1u);
    let p = b.xy + (b.zw - b.xy) * vec2<f32>(unit(words.x), unit(words.y));
    let inside = shape_contains(world[list.x + 2u * k], p);
    return vec3<f32>(p, select(0.0, 1.0, inside));
}
