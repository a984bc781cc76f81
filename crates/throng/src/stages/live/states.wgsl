// Arrivals of those who live by states. See states.rs, whose rules these are.
fn arrive_in_state(i: u32, before: vec4<u32>) {
    var own = before;
    if (state_of(own) != WALKING) { return; }
    let state = state_at(leg_of(own));
    if (heads_for_point(own)) {
        // To a point that a call gave it; who flees comes nowhere.
        if (state.x != FLEES && is_at_point(i, own)) { journey[i].y = (own.y & 0xffff0000u) | state.y; }
        return;
    }
    let code = directions[cell_at(motion[i].xy) * params.routes + route_of(own)];
    if (code == ARRIVED_HERE || near_place(own, motion[i].xy).z != 0.0) {
        if (is_refused(own)) { return; }
        // Stands there, at a place that is chosen in waiting.wgsl, unless it goes on at once.
        atomicAdd(&tally[GOALS_REACHED], 1u);
        own.y |= POINT;
        forget_point(i);
        own.z = leg_of(own) | (STAYING << 16u) | informed_of(own);
        own.w = params.step + 1u;
        journey[i] = own;
    } else if (is_passage(code)) {
        go_in(i, own, code);
    }
}
