// Steer: what velocity each agent wants: see mod.rs and cpu.rs. The wanted velocity takes the place of the last one.

@group(0) @binding(1) var<storage, read_write> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> body: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> turn: array<f32>;
@group(0) @binding(5) var<storage, read> ground: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> shapes: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> directions: array<u32>;
@group(0) @binding(8) var<storage, read> speed: array<vec4<f32>>;

fn way(cell: u32, goal: u32) -> vec2<f32> { return unpack2x16snorm(directions[cell * params.goals + goal]); }

fn open_way(p: vec2<f32>, q: vec2<f32>) -> bool {
    if (!in_world(q)) { return false; }
    return (ground[cell_at(p)].x & NEAR) == 0u || sees(p, q);
}

// The direction field at a point: bilinear over the cells around it that can be seen from its own cell.
fn direction(goal: u32, p: vec2<f32>) -> vec2<f32> {
    let u = p * params.per_metre - 0.5;
    let corner = vec2<i32>(floor(max(u, vec2<f32>(-1.0))));
    let f = u - vec2<f32>(corner);
    let xy = cell_xy(p);
    let home = cell_index(xy);
    let flags = ground[home].x;
    let inner = all(corner >= vec2<i32>(0)) && corner.x + 1 < i32(params.width) && corner.y + 1 < i32(params.height);
    if (inner && (flags & NEAR) == 0u) {
        let c = cell_index(vec2<u32>(corner));
        let south = way(c, goal) * (1.0 - f.x) + way(c + 1u, goal) * f.x;
        let north = way(c + params.width, goal) * (1.0 - f.x) + way(c + params.width + 1u, goal) * f.x;
        return unit_or_zero(south * (1.0 - f.y) + north * f.y);
    }
    if ((flags & NEAR) != 0u) {
        let a = anchor(p);
        if (a != home) { return way(a, goal); }
    }
    // Near a wall: the own cell, and those that its links lead to.
    let west = corner.x < i32(xy.x);
    let south = corner.y < i32(xy.y);
    let ux = select(f.x, 1.0 - f.x, west);
    let uy = select(f.y, 1.0 - f.y, south);
    let link_x = select(2u, 8u, west);
    let link_y = select(1u, 4u, south);
    let beside = select(home + 1u, home - 1u, west);
    let above = select(home + params.width, home - params.width, south);
    var sum = way(home, goal) * ((1.0 - ux) * (1.0 - uy));
    let side = (flags & link_x) != 0u;
    let up = (flags & link_y) != 0u;
    if (side) { sum += way(beside, goal) * (ux * (1.0 - uy)); }
    if (up) { sum += way(above, goal) * ((1.0 - ux) * uy); }
    var across = false;
    if (side) { across = (ground[beside].x & link_y) != 0u; }
    if (up && !across) { across = (ground[above].x & link_x) != 0u; }
    if (across) { sum += way(select(above + 1u, above - 1u, west), goal) * (ux * uy); }
    return unit_or_zero(sum);
}

// For a body in a cell that planning gave up: towards the nearest middle around that has a direction and can be seen.
fn way_out(goal: u32, p: vec2<f32>) -> vec2<f32> {
    let xy = cell_xy(p);
    let low = max(xy, vec2<u32>(2u)) - 2u;
    let high = min(xy + 2u, vec2<u32>(params.width - 1u, params.height - 1u));
    var best = 3.4e38;
    var found = vec2<f32>(0.0);
    for (var y = low.y; y <= high.y; y++) {
        for (var x = low.x; x <= high.x; x++) {
            let away = cell_middle(vec2<u32>(x, y)) - p;
            let square = dot(away, away);
            if (square > 0.0 && square < best && directions[(y * params.width + x) * params.goals + goal] != 0u
                && sees(p, p + away)) {
                best = square;
                found = away;
            }
        }
    }
    return unit_or_zero(found);
}

fn turned(heading: vec2<f32>, wish: vec2<f32>, cosine: f32, most: f32) -> vec2<f32> {
    if (most >= 3.14159265) { return wish; }
    // Sine and cosine of `most` by their series at half of it, doubled: as in cpu.rs.
    let h = 0.5 * most;
    let q = h * h;
    let sh = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    let ch = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    let c = 1.0 - 2.0 * sh * sh;
    if (cosine >= c) { return wish; }
    var s = 2.0 * sh * ch;
    if (cross2(heading, wish) < 0.0) { s = -s; }
    return unit_or_zero(vec2<f32>(heading.x * c - heading.y * s, heading.x * s + heading.y * c));
}

@compute @workgroup_size(128)
fn follow(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= params.agents) { return; }
    let own = journey[i];
    if (state_of(own) > WAITING) { return; }
    let p = motion[i].xy;
    if (state_of(own) == WAITING) {
        motion[i] = vec4<f32>(p, 0.0, 0.0);
        return;
    }
    let goal = goal_of(own);
    let own_body = body[i];
    var heading = own_body.xy;
    let ahead = max(own_body.z, footprint(own_body.z) - 0.5 * params.cell);
    let look = p + heading * ahead;
    var at = look;
    var wish = vec2<f32>(0.0);
    if (open_way(p, look)) { wish = direction(goal, look); }
    let wall = wish.x == 0.0 && wish.y == 0.0;
    if (wall) {
        // A wall ahead, or the goal itself: then the own place tells the way, and the speed is that of the way.
        wish = direction(goal, p);
        if (wish.x == 0.0 && wish.y == 0.0) { wish = way_out(goal, p); }
        if (wish.x == 0.0 && wish.y == 0.0) {
            motion[i] = vec4<f32>(p, 0.0, 0.0);
            return;
        }
        let aside = p + wish * ahead;
        at = select(p, aside, open_way(p, aside));
    }
    let cosine = dot(heading, wish);
    let rate = select(turn[i], 4.0 * turn[i], wall || cosine < 0.6);
    heading = turned(heading, wish, cosine, rate * params.dt);
    let cell = cell_at(at);
    let s = speed[cell];
    let along_x = select(s.w, s.y, heading.x > 0.0);
    let along_y = select(s.z, s.x, heading.y > 0.0);
    let field = heading.x * heading.x * along_x + heading.y * heading.y * along_y;
    var own_speed = field * params.per_reference * own_body.w;
    if (params.law != 0u) { own_speed = min(field, own_body.w * bitcast<f32>(ground[cell].y)); }
    own_speed *= max(dot(heading, wish), 0.0);
    body[i] = vec4<f32>(heading, own_body.zw);
    motion[i] = vec4<f32>(p, heading * own_speed);
}
