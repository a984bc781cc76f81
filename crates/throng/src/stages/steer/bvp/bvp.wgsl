// bvp: each walks by a map of its own: see mod.rs. A workgroup for every agent; the map is in its memory, relaxed red and black.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> journey: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> directions: array<u32>;
@group(0) @binding(8) var<storage, read_write> wanted: array<vec4<f32>>;
@group(0) @binding(9) var<uniform> manners: array<Manner, 64>;

// What a manner is in this step: as Step in cpu.rs.
struct Manner {
    rules: Steering,
    vector: vec2<f32>,
    cosine: f32,
    kept: f32,
}

const THREADS: u32 = 64u;
const STRIDE: u32 = 32u;
const MOST_SIDE: u32 = 31u;
const IN_WAY_FRAME: u32 = 1u;
// As in map.rs and cpu.rs.
const WALL_GAP: f32 = 0.6;
const SIDE: f32 = 0.35;
const FELT: f32 = 3.0;
const NOTHING: f32 = 1e-30;
const HEADWAY: f32 = 0.25;
const BEFORE: vec2<f32> = vec2<f32>(1.0, 2.5);
const ALONG: f32 = 0.3;
const TURN: f32 = 2.0;
const SQUEEZE: f32 = 0.6;
const PUSH_SPEED: f32 = 0.6;
const ASIDE: vec2<f32> = vec2<f32>(-0.8568888, -0.5155014);
const ASIDE_SPEED: f32 = 0.6;
const CALM: u32 = 0u;
const INSISTS: u32 = 1u;
const GIVES_WAY: u32 = 2u;
const IN_SIGHT: f32 = 6.0;
const BEHIND: f32 = 1.8;
const WAIT_SPEED: f32 = 0.35;
const BESIDE_SPEED: f32 = 0.8;

// Values, and in each row a bit for every obstacle, and for every cell whose value is given.
var<workgroup> u: array<f32, 1024>;
var<workgroup> blocked_cells: array<atomic<u32>, 32>;
var<workgroup> given: array<u32, 32>;
// Where the leader of a company is, if anywhere; and whether somebody straggles.
var<workgroup> leader_at: vec2<f32>;
var<workgroup> leader_seen: atomic<u32>;
var<workgroup> straggling: atomic<u32>;
// Whether somebody who goes elsewhere is before one: a bit for each reach of BEFORE.
var<workgroup> opposed: atomic<u32>;

struct Map {
    side: u32,
    border: u32,
    // Columns and rows of the zone where obstacles are seen: from, and until.
    seen: vec2<u32>,
    middle: u32,
    cell: f32,
    at: vec2<f32>,
    heading: vec2<f32>,
    cosine: f32,
    // What is nearer than this is felt, in the view cone or not, m.
    near: f32,
}

fn map_of(rules: Steering, at: vec2<f32>, heading: vec2<f32>, cosine: f32, near: f32) -> Map {
    let zones = rules.border + rules.free;
    let seen = vec2<u32>(zones, rules.side - zones);
    return Map(rules.side, rules.border, seen, (rules.side + 1u) / 2u - 1u, rules.cell, at, heading, cosine, near);
}

fn reach_of(map: Map) -> f32 { return f32(map.side - map.middle) * map.cell; }

fn centre(map: Map, xy: vec2<u32>) -> vec2<f32> { return map.at + (vec2<f32>(xy) - f32(map.middle)) * map.cell; }

fn shows(map: Map, away: vec2<f32>) -> bool {
    let far = length(away);
    return far < map.near || dot(away, map.heading) >= map.cosine * far;
}

fn is_middle(map: Map, xy: vec2<u32>) -> bool { return all(xy == vec2<u32>(map.middle)); }

fn set_disc(map: Map, at: vec2<f32>, radius: f32) {
    let place = (at - map.at) / map.cell + f32(map.middle);
    let size = radius / map.cell;
    let low = max(ceil(place - size), vec2<f32>(f32(map.seen.x)));
    let high = min(floor(place + size), vec2<f32>(f32(map.seen.y) - 1.0));
    if (any(high < vec2<f32>(0.0)) || any(high < low)) { return; }
    for (var y = u32(low.y); y <= u32(high.y); y++) {
        var bits = 0u;
        for (var x = u32(low.x); x <= u32(high.x); x++) {
            let q = centre(map, vec2<u32>(x, y));
            let away = q - at;
            if (!is_middle(map, vec2<u32>(x, y)) && dot(away, away) < radius * radius && shows(map, q - map.at)) { bits |= 1u << x; }
        }
        if (bits != 0u) { atomicOr(&blocked_cells[y], bits); }
    }
}

fn is_wall(q: vec2<f32>, gap: f32) -> bool {
    if (!in_world(q)) { return true; }
    if ((world[cell_at(q)].x & (NEAR | SOLID)) == 0u) { return false; }
    return in_wall(q) || wall_depth(q, gap) > 0.0;
}

// The cell of the border where a direction leads.
fn leads_to(map: Map, direction: vec2<f32>) -> vec2<u32> {
    let low = map.border - 1u;
    let high = map.side - map.border;
    let room = select(vec2<f32>(f32(high - map.middle)), vec2<f32>(f32(map.middle - low)), direction < vec2<f32>(0.0));
    let far = select(vec2<f32>(3.4e38), room / max(abs(direction), vec2<f32>(1e-6)), abs(direction) > vec2<f32>(1e-6));
    let k = max(f32(map.middle) + direction * min(far.x, far.y) + 0.5, vec2<f32>(0.0));
    return clamp(vec2<u32>(k), vec2<u32>(low), vec2<u32>(high));
}

// What somebody sees of its company: writes where the leader is, and whether anybody straggles.
fn find_company(i: u32, p: vec2<f32>, leader: u32, rules: Steering, lane: u32) {
    let reach = IN_SIGHT * rules.gap;
    let far = BEHIND * rules.gap;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    for (var row = low.y; row <= high.y; row++) {
        let end = starts[row * params.width + high.x + 1u];
        for (var j = starts[row * params.width + low.x] + lane; j < end; j += THREADS) {
            let id = journey[j].x;
            if (j == i || group_of(journey[j]) != group_of(journey[i]) || id < leader || id >= leader + rules.company) { continue; }
            let d = motion[j].xy - p;
            let square = dot(d, d);
            if (square >= reach * reach) { continue; }
            if (id == leader) {
                leader_at = motion[j].xy;
                atomicStore(&leader_seen, 1u);
            }
            if (square > far * far) { atomicStore(&straggling, 1u); }
        }
    }
}

// The best factor of over-relaxation: as in relax.rs.
fn best_factor(inner: u32, w: vec4<f32>) -> f32 {
    var q = 3.14159265 / f32(inner + 1u);
    q = q * q;
    let cosine = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
    let radius = 2.0 * cosine * (sqrt(w.x * w.z) + sqrt(w.y * w.w));
    return 2.0 / (1.0 + sqrt(1.0 - radius * radius));
}

// The behaviour vector of somebody.
fn behaviour(i: u32, manner: Manner, way: vec2<f32>) -> vec2<f32> {
    var v = manner.vector;
    if (manner.rules.spread > 0.0) {
        let by = manner.rules.spread * (2.0 * unit(draw(params.seed, journey[i].x, BEHAVIOUR, 0u).x) - 1.0);
        let h = 0.5 * abs(by);
        let q = h * h;
        let s = h * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0)));
        let c = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0));
        let turn = vec2<f32>(1.0 - 2.0 * s * s, select(2.0 * s * c, -2.0 * s * c, by < 0.0));
        v = vec2<f32>(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y);
    }
    if (manner.rules.frame == IN_WAY_FRAME) { v = vec2<f32>(v.x * way.x - v.y * way.y, v.y * way.x + v.x * way.y); }
    return v;
}

// Walls, and the goal where it is in sight; a thread for every 64th cell.
fn look_at_floor(map: Map, radius: f32, walls: bool, route: u32, lane: u32) {
    let gap = max(WALL_GAP * radius, 0.5 * map.cell);
    let wide = map.seen.y - map.seen.x;
    for (var k = lane; k < wide * wide; k += THREADS) {
        let xy = map.seen.x + vec2<u32>(k % wide, k / wide);
        let q = centre(map, xy);
        if (is_middle(map, xy) || !shows(map, q - map.at)) { continue; }
        if (walls && is_wall(q, gap)) { atomicOr(&blocked_cells[xy.y], 1u << xy.x); }
        if (route != POINT && in_world(q) && directions[cell_at(q) * params.routes + route] == ARRIVED_HERE) { u[xy.y * STRIDE + xy.x] = 1.0; }
    }
}

// Who goes elsewhere and is before one; a thread for every 64th of those around.
fn look_ahead(i: u32, p: vec2<f32>, way: vec2<f32>, lane: u32) {
    let low = cell_xy(p - BEFORE.y);
    let high = cell_xy(p + BEFORE.y);
    for (var row = low.y; row <= high.y; row++) {
        let end = starts[row * params.width + high.x + 1u];
        for (var j = starts[row * params.width + low.x] + lane; j < end; j += THREADS) {
            let away = motion[j].xy - p;
            let far = length(away);
            if (j == i || far >= BEFORE.y || dot(away, way) <= ALONG * far || dot(guide[j].xy, way) >= ALONG) { continue; }
            atomicOr(&opposed, select(2u, 3u, far < BEFORE.x));
        }
    }
}

// What somebody does about those who hold it up.
fn mood_of(i: u32, told: vec4<f32>, narrow: bool) -> u32 {
    let bit = select(1u, 2u, narrow);
    if (dot(motion[i].zw, told.xy) >= HEADWAY * told.z || (atomicLoad(&opposed) & bit) == 0u) { return CALM; }
    let turn = u32(f32(params.step) * params.dt / TURN);
    let dice = draw(params.seed, 0xffffffffu, PATIENCE, turn / 2u);
    let ahead = vec2<f32>(unit(dice.x) - 0.5, unit(dice.y) - 0.5);
    // Every other turn is that of those who had to wait.
    if ((dot(told.xy, ahead) > 0.0) == (turn % 2u == 0u)) { return INSISTS; }
    return select(CALM, GIVES_WAY, narrow);
}

// People, this share of their width; a thread for every 64th of them.
fn look_at_people(i: u32, map: Map, width: f32, lane: u32) {
    let reach = reach_of(map) + params.widest;
    let low = cell_xy(map.at - reach);
    let high = cell_xy(map.at + reach);
    for (var row = low.y; row <= high.y; row++) {
        let end = starts[row * params.width + high.x + 1u];
        for (var j = starts[row * params.width + low.x] + lane; j < end; j += THREADS) {
            let away = motion[j].xy - map.at;
            if (j == i || !shows(map, away)) { continue; }
            let radius = radius_of(body[j]);
            let along = unit_or_zero(away);
            set_disc(map, motion[j].xy + vec2<f32>(-along.y, along.x) * (SIDE * radius), width * radius);
        }
    }
}

// Given cells: the border, obstacles and goals; and the values of goals. Goals come after obstacles. A thread a row.
fn set_given(map: Map, way: vec2<f32>, y: u32) {
    if (y >= map.side) { return; }
    let all = 0xffffffffu >> (32u - map.side);
    var bits = all;
    if (y >= map.border && y < map.side - map.border) {
        let inside = (all >> (2u * map.border)) << map.border;
        bits = (all & ~inside) | atomicLoad(&blocked_cells[y]);
    }
    for (var x = map.seen.x; x < map.seen.y; x++) {
        if (u[y * STRIDE + x] == 1.0) { bits |= 1u << x; }
    }
    let low = map.border - 1u;
    let high = map.side - map.border;
    let goal = leads_to(map, way);
    if (y + 1u >= goal.y && y <= goal.y + 1u && y >= low && y <= high) {
        for (var x = max(max(goal.x, 1u) - 1u, low); x <= min(goal.x + 1u, high); x++) {
            if (x == low || x == high || y == low || y == high) {
                u[y * STRIDE + x] = 1.0;
                bits |= 1u << x;
            }
        }
    }
    given[y] = bits;
}

// Red and black cells by turns: 16 threads to a row, four rows at a time.
fn relax(map: Map, w: vec4<f32>, lane: u32) {
    let inner = map.side - 2u * map.border;
    let factor = best_factor(inner, w);
    let sweeps = (5u * inner + 3u) / 4u + 1u;
    for (var sweep = 0u; sweep < 2u * sweeps; sweep++) {
        for (var y = map.border + (lane >> 4u); y < map.side - map.border; y += 4u) {
            let x = 2u * (lane & 15u) + ((y + sweep) & 1u);
            // Beyond the map and on its border everything is given.
            if (x < map.side && ((given[y] >> x) & 1u) == 0u) {
                let at = y * STRIDE + x;
                let value = w.x * u[at + STRIDE] + w.y * u[at + 1u] + w.z * u[at - STRIDE] + w.w * u[at - 1u];
                u[at] += factor * (value - u[at]);
            }
        }
        workgroupBarrier();
    }
}

// Who is shut in on all sides waits, or pushes on.
fn shut_in(heading: vec2<f32>, told: vec4<f32>, pushes: bool) -> vec4<f32> {
    let next = turned(heading, told.xy, dot(heading, told.xy), told.w * params.dt);
    let speed = select(0.0, PUSH_SPEED * told.z * max(dot(next, told.xy), 0.0), pushes);
    return vec4<f32>(next * speed, next);
}

// From the middle of the relaxed map: which way, and how fast.
fn walk(i: u32, map: Map, heading: vec2<f32>, told: vec4<f32>, pace: f32, kept: f32, pushes: bool) -> vec4<f32> {
    let at = map.middle * STRIDE + map.middle;
    var descent = vec2<f32>(u[at + 1u] - u[at - 1u], u[at + STRIDE] - u[at - STRIDE]);
    let largest = max(abs(descent.x), abs(descent.y));
    if (largest < NOTHING) { return shut_in(heading, told, pushes); }
    descent = unit_or_zero(descent / largest);
    let cosine = dot(heading, descent);
    let angle = angle_between(cosine, abs(cross2(heading, descent)));
    let next = turned(heading, descent, cosine, min((1.0 - kept) * angle, turn_of(body[i]) * params.dt));
    return vec4<f32>(next * (told.z * pace * max(cosine, 0.0)), next);
}

@compute @workgroup_size(64)
fn bvp(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
       @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, 0u, 1u);
    if (i >= starts[params.cells]) { return; }
    let told = guide[i];
    let heading = heading_of(body[i]);
    if (told.x == 0.0 && told.y == 0.0) {
        if (lane == 0u) { wanted[i] = vec4<f32>(0.0, 0.0, heading); }
        return;
    }
    let p = motion[i].xy;
    let own = journey[i];
    let radius = radius_of(body[i]);
    let number = world[params.cells + group_of(own) * 3u].w >> 8u;
    let rules = manners[number].rules;
    let map = map_of(rules, p, heading, manners[number].cosine, FELT * radius);
    for (var k = lane; k < 1024u; k += THREADS) { u[k] = 0.0; }
    if (lane < 32u) { atomicStore(&blocked_cells[lane], 0u); }
    if (lane == 0u) {
        atomicStore(&leader_seen, 0u);
        atomicStore(&straggling, 0u);
        atomicStore(&opposed, 0u);
    }
    workgroupBarrier();
    let leader = own.x - own.x % rules.company;
    if (rules.company > 1u) { find_company(i, p, leader, rules, lane); }
    let reach = reach_of(map);
    let walls = any_around(p, reach) || !in_world(p - reach) || !in_world(p + reach);
    var route = POINT;
    if (goal_of(own) != POINT) { route = route_of(own); }
    look_at_floor(map, radius, walls, route, lane);
    look_ahead(i, p, told.xy, lane);
    workgroupBarrier();
    // Walls alone are there yet.
    var narrow = false;
    for (var y = map.seen.x; y < map.seen.y; y++) { narrow = narrow || atomicLoad(&blocked_cells[y]) != 0u; }
    let mood = mood_of(i, told, narrow);
    workgroupBarrier();
    look_at_people(i, map, select(1.0, SQUEEZE, mood == INSISTS), lane);
    workgroupBarrier();
    // Who follows heads for the leader; the leader waits for those who straggle.
    var way = told.xy;
    var pace = 1.0;
    if (rules.company > 1u) {
        if (own.x == leader) {
            if (atomicLoad(&straggling) != 0u) { pace = WAIT_SPEED; }
        } else if (atomicLoad(&leader_seen) != 0u) {
            let away = leader_at - p;
            if (length(away) > rules.gap) { way = unit_or_zero(away); } else { pace = BESIDE_SPEED; }
        }
    }
    if (mood == INSISTS) { pace = PUSH_SPEED; }
    if (mood == GIVES_WAY) {
        way = vec2<f32>(ASIDE.x * told.x - ASIDE.y * told.y, ASIDE.y * told.x + ASIDE.x * told.y);
        pace = min(ASIDE_SPEED / told.z, 1.0);
    }
    set_given(map, way, lane);
    workgroupBarrier();
    let v = 0.125 * rules.epsilon * behaviour(i, manners[number], told.xy);
    relax(map, vec4<f32>(0.25 + v.y, 0.25 + v.x, 0.25 - v.y, 0.25 - v.x), lane);
    if (lane == 0u) { wanted[i] = walk(i, map, heading, told, pace, manners[number].kept, mood == INSISTS); }
}
