// Guide: what the plan tells each agent: direction, speed, turn. See mod.rs and cpu.rs.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> directions: array<u32>;
@group(0) @binding(6) var<storage, read> speed: array<vec4<f32>>;
// Direction (of length 1, or zero), speed in m/s, turn in rad/s.
@group(0) @binding(7) var<storage, read_write> guide: array<vec4<f32>>;

fn way(cell: u32, route: u32) -> vec2<f32> { return way_of(directions[cell * params.routes + route]); }

fn open_way(p: vec2<f32>, q: vec2<f32>) -> bool {
    if (!in_world(q)) { return false; }
    return (world[cell_at(p)].x & NEAR) == 0u || sees(p, q);
}

// The direction field at a point: bilinear over the cells around it that can be seen from its own cell.
fn direction(route: u32, p: vec2<f32>) -> vec2<f32> {
    let u = p * params.per_metre - 0.5;
    let corner = vec2<i32>(floor(max(u, vec2<f32>(-1.0))));
    let f = u - vec2<f32>(corner);
    let xy = cell_xy(p);
    let home = cell_index(xy);
    let flags = world[home].x;
    let inner = all(corner >= vec2<i32>(0)) && corner.x + 1 < i32(params.width) && corner.y + 1 < i32(params.height);
    if (inner && (flags & NEAR) == 0u) {
        let c = cell_index(vec2<u32>(corner));
        let south = way(c, route) * (1.0 - f.x) + way(c + 1u, route) * f.x;
        let north = way(c + params.width, route) * (1.0 - f.x) + way(c + params.width + 1u, route) * f.x;
        return unit_or_zero(south * (1.0 - f.y) + north * f.y);
    }
    if ((flags & NEAR) != 0u) {
        let a = anchor(p);
        if (a != home) { return way(a, route); }
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
    var sum = way(home, route) * ((1.0 - ux) * (1.0 - uy));
    let side = (flags & link_x) != 0u;
    let up = (flags & link_y) != 0u;
    if (side) { sum += way(beside, route) * (ux * (1.0 - uy)); }
    if (up) { sum += way(above, route) * ((1.0 - ux) * uy); }
    var across = false;
    if (side) { across = (world[beside].x & link_y) != 0u; }
    if (up && !across) { across = (world[above].x & link_x) != 0u; }
    if (across) { sum += way(select(above + 1u, above - 1u, west), route) * (ux * uy); }
    return unit_or_zero(sum);
}

// For a body in a cell that planning gave up: towards the nearest middle around that has a direction and can be seen.
fn way_out(route: u32, p: vec2<f32>) -> vec2<f32> {
    let xy = cell_xy(p);
    let low = max(xy, vec2<u32>(2u)) - 2u;
    let high = min(xy + 2u, vec2<u32>(params.width - 1u, params.height - 1u));
    var best = 3.4e38;
    var found = vec2<f32>(0.0);
    for (var y = low.y; y <= high.y; y++) {
        for (var x = low.x; x <= high.x; x++) {
            let away = cell_middle(vec2<u32>(x, y)) - p;
            let square = dot(away, away);
            if (square > 0.0 && square < best && is_way(directions[(y * params.width + x) * params.routes + route])
                && sees(p, p + away)) {
                best = square;
                found = away;
            }
        }
    }
    return unit_or_zero(found);
}

@compute @workgroup_size(128)
fn follow_field(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= params.agents) { return; }
    let own = journey[i];
    if (!on_floor(own)) { return; }
    let p = motion[i].xy;
    let own_body = body[i];
    guide[i] = vec4<f32>(0.0, 0.0, 0.0, turn_of(own_body));
    if (!walks(i, own, p)) { return; }
    let heading = heading_of(own_body);
    let radius = radius_of(own_body);
    let ahead = max(radius, footprint(radius) - 0.5 * params.cell);
    let look = p + heading * ahead;
    var at = look;
    var wish = vec2<f32>(0.0);
    var wall = false;
    let to_point = heads_for_point(own);
    if (to_point) {
        wish = way_to_point(i, own, p, heading);
        if (wish.x == 0.0 && wish.y == 0.0) { return; }
        wall = !open_way(p, look);
    } else {
        let route = route_of(own);
        if (waits(cell_at(p) * params.routes + route)) { return; }
        if (open_way(p, look)) { wish = direction(route, look); }
        wall = wish.x == 0.0 && wish.y == 0.0;
        if (wall) {
            // A wall ahead, or the goal itself: then the own place tells the way, and the speed is that of the way.
            wish = direction(route, p);
            if (wish.x == 0.0 && wish.y == 0.0) { wish = way_out(route, p); }
            if (wish.x == 0.0 && wish.y == 0.0) { return; }
        } else if (!open_way(p, p + wish * ahead)) {
            // Round a corner that is still ahead, and a wall here: the own place tells the way along it.
            let here = direction(route, p);
            if (here.x != 0.0 || here.y != 0.0) { wish = here; }
        }
    }
    if (wall) {
        let aside = p + wish * ahead;
        at = select(p, aside, open_way(p, aside));
    }
    let cosine = dot(heading, wish);
    let turn = select(turn_of(own_body), 4.0 * turn_of(own_body), wall || cosine < 0.6);
    // The speed that the field allows along the heading that it can turn to in this step.
    let next = turned(heading, wish, cosine, turn * params.dt);
    let cell = cell_at(at);
    let s = speed[cell];
    let along_x = select(s.w, s.y, next.x > 0.0);
    let along_y = select(s.z, s.x, next.y > 0.0);
    let field = next.x * next.x * along_x + next.y * next.y * along_y;
    let preferred = preferred_of(own_body) * pace(own);
    var own_speed = field * params.per_reference * preferred;
    if (params.speed_law != 0u) { own_speed = min(field, preferred * bitcast<f32>(world[cell].y)); }
    if (params.free_pace != 0u) { own_speed = preferred * bitcast<f32>(world[cell].y); }
    // Never past a point.
    if (to_point) { own_speed = min(own_speed, distance(point_of(i), p) / params.dt); }
    guide[i] = vec4<f32>(wish, own_speed, turn);
}
