// Live, for those who wait at a goal at a place of their own. See waiting.rs, whose rules these are, and world/stays.rs for the list.

const STAY_TRIES: u32 = 8u;
const COMPANY: f32 = 1.5;
const JITTER: f32 = 0.8;
const HEADWAY: f32 = 0.1;
const GIVES_UP: f32 = 0.25;

fn stay_word(at: u32) -> u32 { return world[params.stays + at / 4u][at & 3u]; }

// Where in a list in rising order of `count` records of `size` words the one is that begins with `wanted`; or `count`.
fn find_record(at: u32, count: u32, size: u32, wanted: u32) -> u32 {
    var low = 0u;
    var high = count;
    while (low < high) {
        let middle = (low + high) / 2u;
        if (stay_word(at + size * middle) < wanted) { low = middle + 1u; } else { high = middle; }
    }
    if (low < count) {
        if (stay_word(at + size * low) == wanted) { return low; }
    }
    return count;
}

// The places of the part of a goal that a cell is in: where they begin, how many there are, and whether there is such a part.
fn part_of(goal: u32, cell: u32) -> vec3<u32> {
    if (goal >= params.goals) { return vec3<u32>(0u); }
    let entries = stay_word(2u * goal);
    let count = stay_word(2u * goal + 1u);
    let found = find_record(entries, count, 2u, cell);
    if (found == count) { return vec3<u32>(0u); }
    let part = stay_word(entries + 2u * found + 1u);
    return vec3<u32>(stay_word(part), stay_word(part + 1u), 1u);
}

// The square of how far it is from a place to the nearest other person.
fn room_at(i: u32, place: vec2<f32>) -> f32 {
    let reach = COMPANY + params.moved;
    let low = cell_xy(place - reach);
    let high = cell_xy(place + reach);
    var room = COMPANY * COMPANY;
    for (var y = low.y; y <= high.y; y++) {
        for (var j = starts[y * params.width + low.x]; j < starts[y * params.width + high.x + 1u]; j++) {
            if (j == i || !on_floor(journey[j])) { continue; }
            let away = motion[j].xy - place;
            room = min(room, dot(away, away));
        }
    }
    return room;
}

// One of the places that somebody draws, and how much room there is.
fn draw_place(i: u32, part: vec2<u32>, attempt: u32) -> vec3<f32> {
    let p = motion[i].xy;
    let words = draw(params.seed, journey[i].x, STAY, params.step * (STAY_TRIES + 1u) + attempt);
    let cell = stay_word(part.x + words.x % part.y);
    let middle = cell_middle(vec2<u32>(cell % params.width, cell / params.width));
    let wish = middle + (vec2<f32>(unit(words.y), unit(words.z)) - 0.5) * (JITTER * params.cell);
    let place = select(middle, wish, !in_wall(wish) && wall_depth(wish, radius_of(body[i])) <= 0.0);
    var room = 0.0;
    if (in_sight(p, place)) { room = room_at(i, place); }
    return vec3<f32>(place, room);
}

// The part of its goal in which somebody draws a place, if it needs one: where its places begin, and how many there are.
fn needs_place(i: u32) -> vec2<u32> {
    let own = journey[i];
    if (state_of(own) != STAYING) { return vec2<u32>(0u); }
    let p = motion[i].xy;
    let is_new = point[i].x < 0.0;
    if (!is_new) {
        let away = point[i] - p;
        if ((params.step + own.x) % params.per_second != 0u || length(away) <= STANDS) { return vec2<u32>(0u); }
        let dice = draw(params.seed, own.x, STAY, params.step * (STAY_TRIES + 1u) + STAY_TRIES);
        let headway = dot(motion[i].zw, unit_or_zero(away));
        if (headway >= HEADWAY * preferred_of(body[i]) || unit(dice.x) >= GIVES_UP) { return vec2<u32>(0u); }
    }
    let rules = rules_of(group_of(own));
    let living = lives_by_states(own);
    let before = select(select(leg_of(own) - 1u, rules.leg_count - 1u, leg_of(own) == 0u), leg_of(own), living);
    let goal = leg(rules, before).x;
    let cell = cell_at(p);
    var part = part_of(goal, cell);
    if (part.z == 0u && is_new && living) {
        // Who has arrived near its goal goes in.
        let near = near_place(own, p);
        if (near.z != 0.0) { part = part_of(goal, cell_at(near.xy)); }
    }
    if (part.z == 0u) {
        if (is_new) { point[i] = p; }
        return vec2<u32>(0u);
    }
    var stays_here = part.y == 0u;
    if (!is_new && !stays_here) { stays_here = find_record(part.x, part.y, 1u, cell) < part.y; }
    if (stays_here) {
        point[i] = p;
        return vec2<u32>(0u);
    }
    return part.xy;
}

// Those of a workgroup who draw a place, in any order, and what they draw.
var<workgroup> draws: atomic<u32>;
var<workgroup> drawing: array<vec3<u32>, 256>;
var<workgroup> drawn: array<vec3<f32>, 256>;
var<workgroup> all_draws: u32;

// After the arrivals: places for those who have begun to wait, and others for those who do not get to theirs. They are few, and a place takes
// long to judge: every thread of the workgroup judges one.
@compute @workgroup_size(256)
fn take_places(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
               @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (lane == 0u) { atomicStore(&draws, 0u); }
    workgroupBarrier();
    if (i < starts[params.cells]) {
        let part = needs_place(i);
        if (part.y != 0u) { drawing[atomicAdd(&draws, 1u)] = vec3<u32>(i, part); }
    }
    workgroupBarrier();
    if (lane == 0u) { all_draws = atomicLoad(&draws); }
    let count = workgroupUniformLoad(&all_draws);
    let per_round = 256u / STAY_TRIES;
    for (var first = 0u; first < count; first += per_round) {
        let mine = first + lane / STAY_TRIES;
        if (mine < count) { drawn[lane] = draw_place(drawing[mine].x, drawing[mine].yz, lane % STAY_TRIES); }
        workgroupBarrier();
        if (lane < per_round && first + lane < count) {
            var best = drawn[lane * STAY_TRIES];
            for (var k = 1u; k < STAY_TRIES; k++) {
                let other = drawn[lane * STAY_TRIES + k];
                if (other.z > best.z) { best = other; }
            }
            point[drawing[first + lane].x] = best.xy;
        }
        workgroupBarrier();
    }
}
