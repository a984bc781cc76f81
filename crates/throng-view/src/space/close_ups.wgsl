// Draws what close.wgsl makes of the faces of those who are near: a workgroup for a group of faces of somebody. Comes after workgroup.wgsl.

var<private> first_face: u32;

// The corner of a patch at a point, and the triangles that it is cut into, row by row: for each point of a row one that goes on to the next row, and
// between these one that comes back.
fn point_of(row: u32, column: u32) -> u32 { return row * (row + 1u) / 2u + column; }

fn cut_triangle(k: u32) -> vec3<u32> {
    var row = u32(sqrt(f32(k)));
    if (row * row > k) { row--; }
    if ((row + 1u) * (row + 1u) <= k) { row++; }
    let column = (k - row * row) / 2u;
    if ((k - row * row) % 2u == 0u) {
        return vec3<u32>(point_of(row, column), point_of(row + 1u, column), point_of(row + 1u, column + 1u));
    }
    return vec3<u32>(point_of(row, column), point_of(row + 1u, column + 1u), point_of(row, column + 1u));
}

fn corners_of(triangle: u32) -> u32 {
    let cut = starts[2u * LISTS];
    let corners = cut_triangle(triangle % (cut * cut)) + triangle / (cut * cut) * ((cut + 1u) * (cut + 2u) / 2u);
    return corners.x | (corners.y << 8u) | (corners.z << 16u);
}

fn tint_at(face: vec4<u32>, point: u32, cut: u32) -> f32 {
    let weights = weights_of(point, cut);
    var tint = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let look = table[shape.cage_at + 2u * face[k] + 1u].z;
        tint += weights[(face.w >> (2u * k)) & 3u] * f32((look >> 8u) & 0xffu) / 255.0;
    }
    return tint;
}

fn looks_of(triangle: u32) -> u32 {
    let cut = starts[2u * LISTS];
    let face = table[shape.faces_at + first_face + triangle / (cut * cut)];
    let corners = cut_triangle(triangle % (cut * cut));
    let part = table[shape.cage_at + 2u * face[(face.w >> 6u) & 3u] + 1u].z & 0xffu;
    return part | (pack4x8unorm(vec4<f32>(0.0, tint_at(face, corners.x, cut), tint_at(face, corners.y, cut), tint_at(face, corners.z, cut))));
}

@compute @workgroup_size(64)
fn close_ups(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = group.y * groups.x + group.x;
    let cut = starts[2u * LISTS];
    let per = FACES[countTrailingZeros(cut)];
    let each = (shape.faces + per - 1u) / per;
    let slot = number / each;
    let there = slot < starts[LISTS + draw_of.list];
    first_face = (number % each) * per;
    let faces = select(0u, min(per, shape.faces - first_face), there);
    let of_face = (cut + 1u) * (cut + 2u) / 2u;
    agent = agent_in(slot);
    level = draw_of.level;
    let who = characters[agent];
    let it = variation_of(who.id);
    for (var k = lane; k < faces * of_face; k += WIDE) {
        let p = displaced(Close(slot, first_face + k / of_face, weights_of(k % of_face, cut)));
        let at = placed(who, it.size, it.girth, p.position, p.normal);
        points[k] = projected(at.place, at.normal);
    }
    workgroupBarrier();
    rasterise(lane, faces * cut * cut);
}
