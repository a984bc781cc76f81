// Avoid, of the steering `walk`: see mod.rs, cpu.rs and look.rs.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> world: array<vec4<u32>>;
// Velocity and heading.
@group(0) @binding(7) var<storage, read_write> wanted: array<vec4<f32>>;
// Four numbers an agent: progress, patience used up, time left to step aside as even and as odd steps find it. Others read the
// one while the other is written. See cpu.rs for what they are below 0.
@group(0) @binding(8) var<storage, read_write> mind: array<f32>;
@group(0) @binding(9) var<uniform> steering: Steering;

// Cosine and sine of the directions that are tried; the eighth is the first once more.
const COSINES: array<vec4<f32>, 2> = array<vec4<f32>, 2>(
    vec4<f32>(1.0, 0.9553365, 0.9553365, 0.7648422), vec4<f32>(0.7648422, 0.2674988, 0.2674988, 1.0));
const SINES: array<vec4<f32>, 2> = array<vec4<f32>, 2>(
    vec4<f32>(0.0, 0.2955202, -0.2955202, 0.6442177), vec4<f32>(-0.6442177, 0.9635582, -0.9635582, 0.0));
const EIGHTH: vec2<f32> = vec2<f32>(0.70710678, 0.70710678);
const KERNEL: f32 = 1.0;
const ARMS_LENGTH: f32 = 0.6;
const MARGIN: f32 = 0.1;
const FREE_WAY: f32 = 1.34;
const ENOUGH: f32 = 10.0;
const ASIDE: vec2<f32> = vec2<f32>(-0.3583679, 0.9335804);
const ASIDE_SPEED: f32 = 0.35;
const PROGRESS_TIME: f32 = 1.0;
const HEADWAY: f32 = 0.25;
const RIGHT_AHEAD: f32 = 1.0;
const PASSING: f32 = 0.5;
const CORE: f32 = 0.98;
const AT_WALL: f32 = 0.05;
const ALONG_WALL: f32 = 0.1;
const SHUFFLE: f32 = 0.1;
const FORGETTING: f32 = 1.0;
const HOPEFUL: f32 = 7.0;
const NEVER: f32 = 3.4e38;

// The most people that are looked at. A crowd that is dense everywhere has a third of that within reach.
const MOST: u32 = 80u;
// What is noted of somebody beside the place in the columns: it comes the other way; it goes to the same goal.
const OPPONENT: u32 = 0x80000000u;
const SAME_WAY: u32 = 0x40000000u;

// Those who matter to an agent.
var<private> others: array<u32, 80>;
var<private> found: u32;

fn rotated(v: vec2<f32>, turn: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(v.x * turn.x - v.y * turn.y, v.x * turn.y + v.y * turn.x);
}

// How far it is from `p` along a direction to a wall, at most `most`.
fn clear_way(p: vec2<f32>, direction: vec2<f32>, most: f32) -> f32 {
    let stride = params.wall_reach;
    var done = 0.0;
    while (done < most) {
        let here = p + direction * done;
        let list = near(cell_at(here));
        var nearest = NEVER;
        for (var k = 0u; k < list.count; k++) {
            let s = numbers(list.first + k);
            let along = s.zw - s.xy;
            let to = s.xy - here;
            let across = cross2(direction, along);
            if (across != 0.0) {
                let t = cross2(to, along) / across;
                let u = cross2(to, direction) / across;
                if (t >= 0.0 && u >= 0.0 && u <= 1.0) { nearest = min(nearest, t); }
            }
        }
        if (nearest <= stride) { return min(done + nearest, most); }
        done += stride;
    }
    return most;
}

// The share of a kernel around `p` that is open floor.
fn open_share(p: vec2<f32>, heading: vec2<f32>) -> f32 {
    var ray = heading;
    var sum = 0.0;
    for (var k = 0u; k < 8u; k++) {
        let w = clear_way(p, ray, KERNEL) / KERNEL;
        sum += w * w * (3.0 - 2.0 * w);
        ray = rotated(ray, EIGHTH);
    }
    return max(0.125 * sum, 0.2);
}

// Where one can look from a place: the directions that are tried, and how far it is to a wall in each.
struct View {
    p: vec2<f32>,
    way: vec2<f32>,
    x_near: vec4<f32>,
    y_near: vec4<f32>,
    x_wide: vec4<f32>,
    y_wide: vec4<f32>,
    walls_near: vec4<f32>,
    walls_wide: vec4<f32>,
    walled: bool,
    reach: f32,
}

fn four_ways(p: vec2<f32>, x: vec4<f32>, y: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(
        clear_way(p, vec2<f32>(x.x, y.x), steering.foresight), clear_way(p, vec2<f32>(x.y, y.y), steering.foresight),
        clear_way(p, vec2<f32>(x.z, y.z), steering.foresight), clear_way(p, vec2<f32>(x.w, y.w), steering.foresight));
}

fn look(p: vec2<f32>, way: vec2<f32>) -> View {
    var view: View;
    view.p = p;
    view.way = way;
    view.x_near = way.x * COSINES[0] - way.y * SINES[0];
    view.y_near = way.x * SINES[0] + way.y * COSINES[0];
    view.x_wide = way.x * COSINES[1] - way.y * SINES[1];
    view.y_wide = way.x * SINES[1] + way.y * COSINES[1];
    let far = vec4<f32>(steering.foresight);
    view.walls_near = far;
    view.walls_wide = far;
    if (any_around(p, steering.foresight)) {
        view.walls_near = four_ways(p, view.x_near, view.y_near);
        view.walls_wide = four_ways(p, view.x_wide, view.y_wide);
    }
    view.walled = any(view.walls_near < far) || any(view.walls_wide < far);
    // In a dense crowd one looks less far.
    let low = cell_xy(p - steering.foresight);
    let high = cell_xy(p + steering.foresight);
    var people = 0u;
    for (var y = low.y; y <= high.y; y++) {
        people += starts[y * params.width + high.x + 1u] - starts[y * params.width + low.x];
    }
    let size = vec2<f32>(high - low + 1u) * params.cell;
    let enough = ENOUGH * size.x * size.y / f32(max(people, 1u));
    view.reach = select(steering.foresight, sqrt(enough), enough < steering.foresight * steering.foresight);
    return view;
}

// Whether no wall hides somebody: by the wall in the nearest of the directions.
fn shows(view: View, d: vec2<f32>, square: f32) -> bool {
    let a = d.x * view.x_near + d.y * view.y_near;
    let b = d.x * view.x_wide + d.y * view.y_wide;
    var best = a.x;
    var wall = view.walls_near.x;
    if (a.y > best) { best = a.y; wall = view.walls_near.y; }
    if (a.z > best) { best = a.z; wall = view.walls_near.z; }
    if (a.w > best) { best = a.w; wall = view.walls_near.w; }
    if (b.x > best) { best = b.x; wall = view.walls_wide.x; }
    if (b.y > best) { best = b.y; wall = view.walls_wide.y; }
    if (b.z > best) { best = b.z; wall = view.walls_wide.z; }
    if (square < (wall + MARGIN) * (wall + MARGIN)) { return true; }
    return square < ARMS_LENGTH * ARMS_LENGTH && sees(view.p, view.p + d);
}

// Lists those who matter: near, not far behind, and not hidden by a wall.
fn find(i: u32, view: View) {
    found = 0u;
    let low = cell_xy(view.p - view.reach);
    let high = cell_xy(view.p + view.reach);
    for (var y = low.y; y <= high.y; y++) {
        let end = starts[y * params.width + high.x + 1u];
        for (var j = starts[y * params.width + low.x]; j < end; j++) {
            let d = motion[j].xy - view.p;
            let square = dot(d, d);
            let along = dot(d, view.way);
            let behind = along < 0.0 && along * along > 0.0625 * square && square >= ARMS_LENGTH * ARMS_LENGTH;
            if (square >= view.reach * view.reach || behind || j == i || found == MOST) { continue; }
            if (view.walled && !shows(view, d, square)) { continue; }
            others[found] = j;
            found += 1u;
        }
    }
}

// When somebody who walks along four directions touches another first.
fn touches(wx: vec4<f32>, wy: vec4<f32>, d: vec2<f32>, apart: f32) -> vec4<f32> {
    let closing = d.x * wx + d.y * wy;
    let square = wx * wx + wy * wy;
    let inside = closing * closing - square * apart;
    let time = (closing - sqrt(max(inside, vec4<f32>(0.0)))) / max(square, vec4<f32>(1e-12));
    return select(vec4<f32>(NEVER), time, (closing > vec4<f32>(0.0)) & (inside > vec4<f32>(0.0)));
}

// What an agent makes of those around.
struct Sight {
    blocked: bool,
    against: f32,
    first_near: vec4<f32>,
    first_wide: vec4<f32>,
}

// Looks at everybody in the list, and notes there who comes the other way and who goes to the same goal.
fn judge(i: u32, view: View, speed: f32) -> Sight {
    let goal = goal_of(journey[i]);
    let radius = radius_of(body[i]);
    let now = 2u + (params.step & 1u);
    var sight = Sight(false, 0.0, vec4<f32>(NEVER), vec4<f32>(NEVER));
    for (var k = 0u; k < found; k++) {
        let j = others[k];
        let moves = motion[j];
        let d = moves.xy - view.p;
        let square = dot(d, d);
        let other = body[j];
        let heading = heading_of(other);
        let u = heading * max(dot(moves.zw, heading), 0.0);
        let touch = radius + radius_of(other);
        let apart = square - min(touch * touch, 0.8464 * square);
        let near = touches(speed * view.x_near - u.x, speed * view.y_near - u.y, d, apart);
        let wide = touches(speed * view.x_wide - u.x, speed * view.y_wide - u.y, d, apart);
        sight.first_near = min(sight.first_near, near);
        sight.first_wide = min(sight.first_wide, wide);
        var opponent = false;
        if (goal_of(journey[j]) != goal || goal == POINT) {
            let way = guide[j].xy;
            opponent = (way.x != 0.0 || way.y != 0.0) && dot(view.way, way) < 0.3;
            others[k] = j | select(0u, OPPONENT, opponent);
        } else {
            others[k] = j | SAME_WAY;
        }
        let along = dot(d, view.way);
        if (along > 0.0) {
            let far = sqrt(square);
            if (far < RIGHT_AHEAD && along > 0.3 * far && (opponent || mind[4u * j + now] > 0.0)) { sight.blocked = true; }
            if (opponent) { sight.against += max(1.0 - far / steering.foresight, 0.0); }
        }
    }
    sight.against = min(sight.against, 1.0);
    return sight;
}

// Changes progress and patience; returns the time left to step aside.
fn lose_patience(i: u32, way: vec2<f32>, speed: f32, blocked: bool) -> f32 {
    let was = mind[4u * i];
    let progress = was + (dot(motion[i].zw, way) - was) * min(params.dt / PROGRESS_TIME, 1.0);
    let headway = progress >= HEADWAY * speed;
    var used = mind[4u * i + 1u];
    let noted = mind[4u * i + 2u + (params.step & 1u)];
    var aside = max(noted, 0.0);
    var vain = -min(noted, 0.0);
    if (aside > 0.0) {
        vain = -used;
    } else {
        if (blocked && !headway) {
            used = min(used + params.dt, 2.0 * steering.patience);
        } else {
            used = max(used - 2.0 * params.dt, 0.0);
        }
        if (headway) { vain = max(vain - params.dt / FORGETTING, 0.0); }
        if (used > 0.5 * steering.patience) {
            let spell = u32(f32(params.step) * params.dt / steering.patience);
            let dice = draw(params.seed, journey[i].x, PATIENCE, spell);
            let hope = HOPEFUL / max(vain, HOPEFUL);
            if (used > steering.patience * (0.5 + unit(dice.x)) && unit(dice.y) < 0.5 * hope * hope) {
                aside = steering.aside * (0.5 + unit(dice.z));
                vain += 1.0;
            }
        }
    }
    let left = aside - params.dt;
    if (aside > 0.0) { used = select(0.0, -vain, left > 0.0); }
    mind[4u * i] = progress;
    mind[4u * i + 1u] = used;
    mind[4u * i + 3u - (params.step & 1u)] = select(0.0 - vain, left, left > 0.0);
    return aside;
}

// What each of four directions costs.
fn costs(touch: vec4<f32>, walls: vec4<f32>, cosines: vec4<f32>, sines: vec4<f32>, faces: vec4<f32>, steady: f32, against: f32,
        closed: f32) -> vec4<f32> {
    let far = FREE_WAY * steering.foresight;
    let open = select(vec4<f32>(far), walls, walls < vec4<f32>(steering.foresight));
    let wall = select(open, vec4<f32>(0.0), open <= vec4<f32>(closed));
    let q = min(min(touch, wall), vec4<f32>(far)) / far;
    return 1.0 + q * q - 2.0 * q * cosines + steady * (1.0 - faces) + steering.side * against * sines;
}

// The best direction to walk in.
fn choose(i: u32, view: View, heading: vec2<f32>, speed: f32, sight: Sight) -> vec2<f32> {
    var steady = steering.steadiness * clamp(mind[4u * i] / max(speed, 1e-3), 0.0, 1.0);
    // At a wall that the way leads into, there is no way where the body touches it; and one goes on along it.
    var closed = -1.0;
    let touching = radius_of(body[i]) + AT_WALL;
    if (view.walls_near.x <= touching) {
        closed = touching;
        steady = max(steady, ALONG_WALL);
    }
    let a = costs(sight.first_near * speed, view.walls_near, COSINES[0], SINES[0],
        view.x_near * heading.x + view.y_near * heading.y, steady, sight.against, closed);
    let b = costs(sight.first_wide * speed, view.walls_wide, COSINES[1], SINES[1],
        view.x_wide * heading.x + view.y_wide * heading.y, steady, sight.against, closed);
    var best = a.x;
    var wish = vec2<f32>(view.x_near.x, view.y_near.x);
    if (a.y < best) { best = a.y; wish = vec2<f32>(view.x_near.y, view.y_near.y); }
    if (a.z < best) { best = a.z; wish = vec2<f32>(view.x_near.z, view.y_near.z); }
    if (a.w < best) { best = a.w; wish = vec2<f32>(view.x_near.w, view.y_near.w); }
    if (b.x < best) { best = b.x; wish = vec2<f32>(view.x_wide.x, view.y_wide.x); }
    if (b.y < best) { best = b.y; wish = vec2<f32>(view.x_wide.y, view.y_wide.y); }
    if (b.z < best) { best = b.z; wish = vec2<f32>(view.x_wide.z, view.y_wide.z); }
    return wish;
}

// How fast to walk along a heading.
fn pace(i: u32, view: View, heading: vec2<f32>, free: f32) -> f32 {
    let radius = radius_of(body[i]);
    var ahead = heading * steering.ahead;
    var open = 1.0;
    if (view.walled) {
        if (clear_way(view.p, heading, steering.ahead) < steering.ahead) { ahead = vec2<f32>(0.0); }
        open = open_share(view.p + ahead, heading);
    }
    var sum = 0.0;
    var room = NEVER;
    for (var k = 0u; k < found; k++) {
        let noted = others[k];
        let j = noted & ~(OPPONENT | SAME_WAY);
        let d = motion[j].xy - view.p;
        let near = KERNEL - length(d - ahead);
        if (near <= 0.0) { continue; }
        sum += near * select(1.0, PASSING, (noted & OPPONENT) != 0u);
        if ((noted & SAME_WAY) != 0u) {
            let core = CORE * (radius + radius_of(body[j]));
            let along = dot(d, heading);
            let across = cross2(heading, d);
            if (along > 0.0 && abs(across) < core) { room = min(room, along - sqrt(core * core - across * across)); }
        }
    }
    let density = sum * (3.0 / (3.14159265 * KERNEL * KERNEL * KERNEL)) / open;
    var allowed = free;
    if (density > 0.0) { allowed = free / (1.0 + pow(density / steering.half_speed, steering.sharpness)); }
    return min(allowed, SHUFFLE + max(room, 0.0) / max(steering.time_gap, 1e-3));
}

@compute @workgroup_size(128)
fn walk(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let told = guide[i];
    var heading = heading_of(body[i]);
    if (told.x == 0.0 && told.y == 0.0) {
        mind[4u * i] = 0.0;
        mind[4u * i + 1u] = 0.0;
        mind[4u * i + 3u - (params.step & 1u)] = 0.0;
        wanted[i] = vec4<f32>(0.0, 0.0, heading);
        return;
    }
    let way = told.xy;
    let speed = told.z;
    let view = look(motion[i].xy, way);
    find(i, view);
    let sight = judge(i, view, speed);
    let aside = lose_patience(i, way, speed, sight.blocked);
    var wish: vec2<f32>;
    if (aside > 0.0) {
        wish = rotated(way, vec2<f32>(ASIDE.x, select(-ASIDE.y, ASIDE.y, steering.side < 0.0)));
    } else {
        wish = choose(i, view, heading, speed, sight);
    }
    let cosine = dot(heading, wish);
    heading = turned(heading, wish, cosine, told.w * select(0.6, 2.0, cosine < 0.0) * params.dt);
    var own_speed = min(speed, ASIDE_SPEED);
    if (aside <= 0.0) { own_speed = pace(i, view, heading, speed); }
    wanted[i] = vec4<f32>(heading * (own_speed * max(dot(heading, wish), 0.0)), heading);
}
