// The factor on the speed of somebody who lives by states.
fn lives(own: vec4<u32>) -> bool { return lives_by_states(own); }
fn pace(own: vec4<u32>) -> f32 {
    if (!lives_by_states(own)) { return 1.0; }
    return bitcast<f32>(state_at(leg_of(own)).z);
}
