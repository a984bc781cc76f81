// Avoid, of the steering `velocity-obstacle`: see mod.rs, cpu.rs and sweep.rs. Behind it comes patience.wgsl.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> world: array<vec4<u32>>;
// Velocity and heading.
@group(0) @binding(7) var<storage, read_write> wanted: array<vec4<f32>>;
// Four numbers an agent: the last choice with the sense of the last turn, then those of patience.wgsl.
@group(0) @binding(8) var<storage, read_write> temper: array<f32>;
@group(0) @binding(9) var<uniform> steering: Steering;

const ENOUGH: f32 = 20.0;
const FIRM: vec2<f32> = vec2<f32>(0.9995, 0.99);
const CORE: f32 = 0.985;
const STEEP: f32 = 0.5;
const CAN_PUSH: bool = true;
const NEVER: f32 = 3.4e38;

// The directions that are tried, four and four; and when walking along each touches anybody or a wall.
var<private> x: array<vec4<f32>, 2>;
var<private> y: array<vec4<f32>, 2>;
var<private> times: array<vec4<f32>, 2>;

// Where a candidate lies, in angles to the left of the plan's direction.
fn place(k: u32) -> f32 {
    if (steering.fan == 0u) { return -f32(k); }
    let far = f32((k + 1u) / 2u);
    return select(far, -far, (k & 1u) == 1u);
}

// The angle between candidates: cosine and sine, by the series of turn.rs.
fn turn_between() -> vec2<f32> {
    let h = 0.5 * steering.angle;
    let q = h * h;
    let s = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
    let c = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    return vec2<f32>(1.0 - 2.0 * s * s, 2.0 * s * c);
}

fn set_candidates(way: vec2<f32>) {
    let turn = turn_between();
    var last = way;
    var other = way;
    x[0].x = way.x;
    y[0].x = way.y;
    for (var k = 1u; k < 8u; k++) {
        var sine = -turn.y;
        var from_one = last;
        if (steering.fan != 0u) {
            sine = select(turn.y, -turn.y, (k & 1u) == 1u);
            from_one = other;
            other = last;
        }
        last = rotated(from_one, vec2<f32>(turn.x, sine));
        x[k / 4u][k & 3u] = last.x;
        y[k / 4u][k & 3u] = last.y;
    }
}

// How far to look for people: as far as the horizon needs, and less in a dense crowd.
fn reach_from(p: vec2<f32>, most: f32) -> f32 {
    let low = cell_xy(p - most);
    let high = cell_xy(p + most);
    var people = 0u;
    for (var row = low.y; row <= high.y; row++) {
        people += starts[row * params.width + high.x + 1u] - starts[row * params.width + low.x];
    }
    let size = vec2<f32>(high - low + 1u) * params.cell;
    let enough = ENOUGH * size.x * size.y / f32(max(people, 1u));
    return select(most, sqrt(enough), enough < most * most);
}

// When somebody who differs from another by four velocities touches it, at the distance whose square is `apart` less than the present one's.
fn touches(wx: vec4<f32>, wy: vec4<f32>, d: vec2<f32>, apart: f32) -> vec4<f32> {
    let closing = d.x * wx + d.y * wy;
    let square = wx * wx + wy * wy;
    let inside = closing * closing - square * apart;
    let time = (closing - sqrt(max(inside, vec4<f32>(0.0)))) / max(square, vec4<f32>(1e-12));
    return select(vec4<f32>(NEVER), time, (closing > vec4<f32>(0.0)) & (inside > vec4<f32>(0.0)));
}

fn apart_of(square: f32, touch: f32, solid: f32) -> f32 {
    return square - min(touch * touch, max(solid * solid * square, CORE * CORE * touch * touch));
}

// The same for one velocity.
fn touches_one(w: vec2<f32>, d: vec2<f32>, apart: f32) -> f32 {
    let closing = dot(d, w);
    let square = dot(w, w);
    let inside = closing * closing - square * apart;
    let time = (closing - sqrt(max(inside, 0.0))) / max(square, 1e-12);
    return select(NEVER, time, closing > 0.0 && inside > 0.0);
}

// Looks at everybody within reach.
fn look_at_people(i: u32, p: vec2<f32>, radius: f32, speed: f32, solid: f32) {
    let reach = reach_from(p, 2.0 * speed * steering.horizon + radius + params.widest);
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    // Most have five directions: the last three of eight cost as much as the others.
    let more = steering.candidates > 5u;
    let x_near = speed * x[0];
    let y_near = speed * y[0];
    let x_wide = speed * x[1];
    let y_wide = speed * y[1];
    let fifth = vec2<f32>(x_wide.x, y_wide.x);
    var near = times[0];
    var wide = times[1];
    for (var row = low.y; row <= high.y; row++) {
        let end = starts[row * params.width + high.x + 1u];
        for (var j = starts[row * params.width + low.x]; j < end; j++) {
            let other = motion[j];
            let d = other.xy - p;
            let square = dot(d, d);
            if (square >= reach * reach || j == i) { continue; }
            let apart = apart_of(square, radius + radius_of(body[j]), solid);
            near = min(near, touches(x_near - other.z, y_near - other.w, d, apart));
            if (more) {
                wide = min(wide, touches(x_wide - other.z, y_wide - other.w, d, apart));
            } else {
                wide.x = min(wide.x, touches_one(fifth - other.zw, d, apart));
            }
        }
    }
    times[0] = max(near, vec4<f32>(0.0));
    times[1] = max(wide, vec4<f32>(0.0));
}

// When a point that starts at the origin comes within `radius` of another, and how much of the speed leads to it then.
fn time_to_point(v: vec2<f32>, radius: f32, to: vec2<f32>) -> vec2<f32> {
    let closing = dot(to, v);
    let square = dot(v, v);
    let inside = closing * closing - square * (dot(to, to) - radius * radius);
    if (closing <= 0.0 || inside <= 0.0) { return vec2<f32>(NEVER, 0.0); }
    let root = sqrt(inside);
    return vec2<f32>((closing - root) / square, root / (sqrt(square) * max(radius, 1e-6)));
}

// The same of a segment, given from the origin.
fn time_to_wall(v: vec2<f32>, radius: f32, wall: vec4<f32>) -> vec2<f32> {
    let speed = length(v);
    if (speed <= 0.0) { return vec2<f32>(NEVER, 0.0); }
    let nearest = closest(wall, vec2<f32>(0.0));
    let square = dot(nearest, nearest);
    if (square <= radius * radius) {
        let into = dot(v, nearest) / (speed * max(sqrt(square), 1e-6));
        return select(vec2<f32>(NEVER, 0.0), vec2<f32>(0.0, into), into > 0.0);
    }
    var best = time_to_point(v, radius, wall.xy);
    let b = time_to_point(v, radius, wall.zw);
    if (b.x < best.x) { best = b; }
    let along = wall.zw - wall.xy;
    let size = length(along);
    if (size > 0.0) {
        var normal = vec2<f32>(-along.y, along.x) / size;
        if (dot(normal, wall.xy) < 0.0) { normal = -normal; }
        let closing = dot(normal, v);
        if (closing > 0.0) {
            let time = (dot(normal, wall.xy) - radius) / closing;
            let at = dot(v * time - wall.xy, along);
            if (time >= 0.0 && time < best.x && at >= 0.0 && at <= size * size) { best = vec2<f32>(time, closing / speed); }
        }
    }
    return best;
}

// Looks at walls: the time until one is met, as a share of how far ahead walls count, of the horizon.
fn look_at_walls(p: vec2<f32>, radius: f32, speed: f32) {
    let reach = speed * steering.wall_horizon + radius;
    if (!any_around(p, reach)) { return; }
    // Every place within reach is near one of these, and so are its segments in that cell's list.
    let count = u32(ceil(2.0 * reach / params.wall_reach)) + 1u;
    for (var row = 0u; row < count; row++) {
        for (var column = 0u; column < count; column++) {
            let list = near(cell_at(p - reach + vec2<f32>(f32(column), f32(row)) * params.wall_reach));
            for (var s = 0u; s < list.count; s++) {
                let wall = numbers(list.first + s) - vec4<f32>(p, p);
                for (var k = 0u; k < steering.candidates; k++) {
                    let v = speed * vec2<f32>(x[k / 4u][k & 3u], y[k / 4u][k & 3u]);
                    let met = time_to_wall(v, radius, wall);
                    if (met.y > STEEP && met.x < steering.wall_horizon) {
                        let time = met.x / steering.wall_horizon * steering.horizon;
                        times[k / 4u][k & 3u] = min(times[k / 4u][k & 3u], time);
                    }
                }
            }
        }
    }
}

// The fittest of the directions.
fn choose(i: u32, way: vec2<f32>, weight: f32) -> vec2<f32> {
    let last = temper[4u * i];
    let free = (params.step + journey[i].x) % steering.damping == 0u;
    let before = place(max(u32(abs(last)), 1u) - 1u);
    var best = -1.0;
    var chosen = 0u;
    for (var k = 0u; k < steering.candidates; k++) {
        let direction = vec2<f32>(x[k / 4u][k & 3u], y[k / 4u][k & 3u]);
        var fitness = weight * times[k / 4u][k & 3u] + 0.5 * dot(way, direction) + 0.5;
        if (!free && (place(k) - before) * last < 0.0) { fitness = 0.0; }
        if (fitness > best) {
            best = fitness;
            chosen = k;
        }
    }
    // An unchanged choice is no turn.
    let turn = place(chosen) - before;
    let sense = select(turn, last, turn == 0.0);
    if (sense != 0.0) { temper[4u * i] = f32(chosen + 1u) * sign(sense); }
    return vec2<f32>(x[chosen / 4u][chosen & 3u], y[chosen / 4u][chosen & 3u]);
}

// The share of a step until somebody is touched, all walking on as they do.
fn share_of_step(i: u32, p: vec2<f32>, v: vec2<f32>, radius: f32, solid: f32) -> f32 {
    // Nobody is carried farther than a stride.
    let reach = radius + params.widest + 2.0 * params.stride;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    var first = params.dt;
    for (var row = low.y; row <= high.y; row++) {
        let end = starts[row * params.width + high.x + 1u];
        for (var j = starts[row * params.width + low.x]; j < end; j++) {
            let other = motion[j];
            let d = other.xy - p;
            let w = v - other.zw;
            let closing = dot(d, w);
            if (j == i || closing <= 0.0) { continue; }
            let square = dot(w, w);
            let inside = closing * closing - square * apart_of(dot(d, d), radius + radius_of(body[j]), solid);
            if (inside > 0.0) { first = min(first, (closing - sqrt(inside)) / square); }
        }
    }
    return max(first, 0.0) / params.dt;
}

@compute @workgroup_size(128)
fn velocity_obstacle(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                     @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let told = guide[i];
    var heading = heading_of(body[i]);
    if (told.x == 0.0 && told.y == 0.0) {
        temper[4u * i] = 0.0;
        rest(i);
        wanted[i] = vec4<f32>(0.0, 0.0, heading);
        return;
    }
    let p = motion[i].xy;
    let radius = radius_of(body[i]);
    let dice = unit(draw(params.seed, journey[i].x, AGGRESSIVENESS, 0u).x);
    let aggressive = clamp(steering.aggressiveness + steering.spread * (2.0 * dice - 1.0), 0.0, 1.0);
    let intent = intent_of(i, told);
    var speed = intent.speed;
    let solid = select(FIRM.x, FIRM.y, intent.pushes);
    set_candidates(intent.way);
    times[0] = vec4<f32>(steering.horizon);
    times[1] = times[0];
    look_at_people(i, p, radius, speed, solid);
    look_at_walls(p, radius, speed);
    let chosen = choose(i, intent.way, steering.weight * (1.0 - aggressive));
    heading = turned(heading, chosen, dot(heading, chosen), told.w * params.dt);
    speed *= max(dot(heading, chosen), 0.0);
    wanted[i] = vec4<f32>(heading * (speed * share_of_step(i, p, heading * speed, radius, solid)), heading);
}
