// Full meshes that are skinned already, piece by piece.

fn prepare(instance: u32, lane: u32) {
    slot = starts[1] + instance;
    agent = agent_in(slot);
    who = characters[agent];
    it = variation_of(who.id);
}

var<private> slot: u32;

fn corner_of(vertex: u32) -> Posed {
    let v = skinned_vertex(slot, vertex);
    return placed(who, it.size, it.girth, v.position, v.normal);
}
