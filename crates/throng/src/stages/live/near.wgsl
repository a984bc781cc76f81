// Who lives by states has arrived within a distance of its own: states.rs. Needs machine.wgsl, nearest.wgsl, walls, sight and random.

// How near to its goal somebody has arrived.
fn own_goal_distance(own: vec4<u32>) -> f32 {
    let range = bitcast<vec4<f32>>(world[params.cells + group_of(own) * 3u + 2u]).yz;
    return range.x + (range.y - range.x) * unit(draw(params.seed, own.x, GOAL_DISTANCE, 0u).x);
}

// A place of the goal where somebody in a state belongs, and 1 if it is so near that it has arrived.
fn near_place(own: vec4<u32>, p: vec2<f32>) -> vec3<f32> {
    if (!lives_by_states(own)) { return vec3<f32>(0.0); }
    let near = nearest_within(state_at(leg_of(own)).y, p, own_goal_distance(own), true);
    if (near.z == 0.0 || !in_sight(p, near.xy)) { return vec3<f32>(0.0); }
    return near;
}

// The goal where somebody who lives by states belongs.
fn place_of(own: vec4<u32>) -> u32 { return state_at(leg_of(own)).y; }
