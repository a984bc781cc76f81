// Live, first half: who has arrived, who waits, who leaves. See mod.rs and cpu.rs.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> journey: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> directions: array<u32>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> tally: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> body: array<vec4<u32>>;

// Somebody goes into the portal that a direction leads through.
fn go_in(i: u32, before: vec4<u32>, code: u32) {
    var own = before;
    let way = passage(code & 0x7fffu);
    motion[i] = vec4<f32>(beyond_passage(way, motion[i].xy), 0.0, 0.0);
    own.z = leg_of(own) | (BETWEEN << 16u) | informed_of(own);
    own.w = params.step + 1u + min(steps_through(way, preferred_of(body[i])), 0xfffffffeu - params.step);
    journey[i] = own;
    atomicAdd(&tally[WENT_IN], 1u);
}

@compute @workgroup_size(256)
fn arrivals(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i >= starts[params.cells]) { return; }
    var own = journey[i];
    if (lives_by_states(own)) {
        arrive_in_state(i, own);
        return;
    }
    let rules = rules_of(group_of(own));
    var at = leg_of(own);
    if (state_of(own) == WAITING || stays(own)) {
        if (params.step + 1u < own.w) { return; }
        if (at != rules.leg_count) {
            if (stays(own)) {
                let next = leg(rules, at);
                begin_leg(i, own, next);
                journey[i].y = (own.y & 0xffff0000u) | next.x;
            }
            journey[i].z = at | (WALKING << 16u) | informed_of(own);
            return;
        }
        // Has waited at its last goal, and leaves.
    } else {
        if (state_of(own) != WALKING) { return; }
        if (heads_for_point(own)) {
            if (!is_at_point(i, own)) { return; }
        } else {
            let code = directions[cell_at(motion[i].xy) * params.routes + route_of(own)];
            if (is_passage(code)) {
                go_in(i, own, code);
                return;
            }
            if (code != ARRIVED_HERE || is_refused(own)) { return; }
        }
        let wait = wait_at(leg(rules, at));
        let last = at + 1u == rules.leg_count;
        atomicAdd(&tally[GOALS_REACHED], 1u);
        if (last) { atomicAdd(&tally[ARRIVED], 1u); }
        let leaves = last && rules.arrive != NEXT;
        at = select(at + 1u, 0u, last && !leaves);
        let staying = may_stay(own) && wait.y != 0u;
        if (staying) {
            // Its place, chosen in waiting.wgsl; the next leg begins when the wait is over.
            own.y |= POINT;
            forget_point(i);
        } else if (!leaves) {
            let next = leg(rules, at);
            begin_leg(i, own, next);
            own.y = (own.y & 0xffff0000u) | next.x;
        }
        let doing = select(select(WALKING, WAITING, wait.y != 0u), STAYING, staying);
        own.z = at | (doing << 16u) | informed_of(own);
        own.w = params.step + 1u + min(wait.x, 0xfffffffeu - params.step);
        if (!leaves || wait.y != 0u) {
            journey[i] = own;
            return;
        }
    }
    let parks = rules.arrive == PARK;
    own.y = (own.y & 0xffff0000u) | leg(rules, 0u).x;
    own.z = select(OUTSIDE, PARKED, parks) << 16u;
    journey[i] = own;
    motion[i] = vec4<f32>(-1.0, -1.0, 0.0, 0.0);
    forget_point(i);
    atomicAdd(&tally[LEFT], 1u);
    if (parks) { atomicAdd(&tally[GONE], 1u); } else { atomicAdd(&tally[count_at(JOINING, group_of(own))], 1u); }
}
