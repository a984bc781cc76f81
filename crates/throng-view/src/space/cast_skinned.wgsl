// What agents that are skinned already add to a shadow map.

@vertex fn cast_skinned(@builtin(instance_index) instance: u32, @builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let slot = members[starts[draw_of.list] + instance];
    let who = who_in(slot);
    let it = variation_of(who.id);
    let v = skinned_vertex(slot, vertex);
    return draw_of.clip * vec4<f32>(placed(who, it.size, it.girth, v.position, v.normal).place, 1.0);
}
