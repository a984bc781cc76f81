// Potential: the fixed point of the scheme of mod.rs, tile by tile. See docs/models/solver.md.
//
// An item is one tile of one route (a goal, with the weights that lead there). A round takes the items of its list, loads each with the rim of its neighbours as the
// last round left it, improves its cells until nothing changes, and puts neighbours whose rim it lowered into the list
// of a later round: the next, or the one whose bucket their value falls into. Rims are kept twice per item and written
// alternately, so that nothing a workgroup reads is written in the same round, and the result does not depend on timing.

@group(0) @binding(1) var<storage, read> cost: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> potential: array<f32>;
@group(0) @binding(3) var<storage, read_write> rims: array<f32>;
// Per item: when it is due (and when it was due before), who took it, when its rim was written, visits.
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> lists: array<u32>;
@group(0) @binding(6) var<storage, read_write> control: array<atomic<u32>>;
// The cost field of each route, then goal cells (where in `potential`), then the items that contain any, then links through
// portals.
@group(0) @binding(7) var<storage, read> seeds: array<u32>;

override SCHEME: u32 = 0u;
override ORDER: u32 = 0u;
// Bucket width in cells' typical cost.
override BUCKET: f32 = 8.0;
override PATIENCE: u32 = 8u;
override COST_FIELDS: u32 = 1u;
// Changes below this share of a typical link are not passed on.
override TOLERANCE: f32 = 0.0001;

const BUCKETS: u32 = 0u;
const SELECTIVE: u32 = 1u;
const ALL: u32 = 2u;
const THESIS: u32 = 1u;
const RING: u32 = 16u;
const NONE: u32 = 0xffffffffu;
const WIDTH: u32 = 18u;
const COPY: u32 = 324u;

var<workgroup> cells: array<f32, 648>;
var<workgroup> work: vec2<u32>;
var<workgroup> now: u32;
var<workgroup> unit_cost: f32;
var<workgroup> busy: array<u32, 2>;
var<workgroup> lowest: array<atomic<u32>, 4>;

fn items() -> u32 { return params.tiles * params.routes; }

// Where the costs of an item's tile are. Most scenes have one field of costs, and no need to look it up.
fn costs_of(n: u32) -> u32 {
    let tile = n % params.tiles;
    if (COST_FIELDS == 1u) { return tile * 256u; }
    return (seeds[n / params.tiles] * params.tiles + tile) * 256u;
}

// What a link typically costs, from the sample that the cost stage took.
fn typical() -> f32 {
    let count = atomicLoad(&control[TYPICAL_COUNT]);
    if (count == 0u) { return params.free_cost; }
    return params.free_cost * 4080.0 * f32(count) / f32(max(atomicLoad(&control[TYPICAL_SUM]), 1u));
}

@compute @workgroup_size(256)
fn reset(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    let n = items();
    if (i < n * 256u) { potential[i] = UNREACHED; }
    if (i < n * 128u) { rims[i] = UNREACHED; }
    // Never due, by nobody's hand.
    if (i < n * 4u) { atomicStore(&status[i], select(0u, NONE, (i & 3u) == 0u)); }
}

@compute @workgroup_size(256)
fn seed(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 256u);
    if (i < round.seed_cells) { potential[seeds[params.routes + i]] = 0.0; }
    if (i < round.seed_items) {
        let n = seeds[params.routes + round.seed_cells + i];
        lists[i] = n;
        atomicStore(&status[n * 4u], 0u);
        atomicStore(&status[n * 4u + 1u], NONE);
    }
    if (i == 0u) {
        atomicStore(&control[RING_COUNTS], round.seed_items);
    }
}

// The round that a value should wait for. Beyond closed gates all of them are far: these come as they are found.
fn bucket_of(value: f32, unit: f32) -> u32 {
    if (value >= params.beyond_gates) { return 0u; }
    return u32(min(value / (BUCKET * unit), 60000.0));
}

// `guess` is what the status was a moment ago.
fn schedule(n: u32, due_round: u32, guess: u32) {
    let r = round.number;
    var old = guess;
    loop {
        let due = old & 0xffffu;
        if (due > r && due <= due_round) { return; }
        // Who is taken in this very round must still find out that it was due.
        let before = select(old >> 16u, due, due <= r);
        let swap = atomicCompareExchangeWeak(&status[n * 4u], old, due_round | (before << 16u));
        if (swap.exchanged) { break; }
        old = swap.old_value;
    }
    if (ORDER != BUCKETS) { return; }
    let slot = due_round % RING;
    let place_in_list = atomicAdd(&control[RING_COUNTS + slot], 1u);
    if (place_in_list < round.capacity) {
        lists[slot * round.capacity + place_in_list] = n;
    } else {
        atomicAdd(&control[LIST_OVERFLOWS], 1u);
    }
}

// Whether the item is due in this round and nobody has taken it yet.
fn take(n: u32) -> bool {
    let r = round.number;
    if (ORDER == ALL) { return true; }
    let word = atomicLoad(&status[n * 4u]);
    let taken = atomicExchange(&status[n * 4u + 1u], r);
    let due = word & 0xffffu;
    return (due == r || (due > r && (word >> 16u) == r)) && taken != r;
}

fn thesis(pw: f32, pe: f32, ps: f32, pn: f32, c: vec4<f32>) -> f32 {
    var px = pw;
    var cx = c.w;
    if (pe + c.y < pw + c.w) { px = pe; cx = c.y; }
    var py = ps;
    var cy = c.z;
    if (pn + c.x < ps + c.z) { py = pn; cy = c.x; }
    if (px >= UNREACHED && py >= UNREACHED) { return UNREACHED; }
    if (px >= UNREACHED) { return py + 2.0 * cy; }
    if (py >= UNREACHED) { return px + 2.0 * cx; }
    let sum = cx + cy;
    let delta = px - py;
    if (sum > abs(delta)) { return 0.5 * (px + py + sqrt(2.0 * sum * sum - delta * delta)); }
    return min(px, py) + sum;
}

// A cell's links N, E, S, W: what they cost, and UNREACHED where they are closed (else 0). And 1 / (Cx² + Cy²) of the
// quadrants NE, SE, SW, NW.
struct Cell {
    cost: vec4<f32>,
    closed: vec4<f32>,
    inverse: vec4<f32>,
}

fn prepare(c: vec4<f32>) -> Cell {
    let shut = c >= vec4<f32>(UNREACHED);
    let open = select(c, vec4<f32>(1.0), shut);
    let square = open * open;
    return Cell(open, select(vec4<f32>(0.0), vec4<f32>(UNREACHED), shut), 1.0 / (square.yyww + square.xzzx));
}

// The least of the old value and the four quadrants'. `p` are the neighbours N, E, S, W.
fn improve(old: f32, cell: Cell, neighbours: vec4<f32>) -> f32 {
    let p = max(neighbours, cell.closed);
    let c = cell.cost;
    if (SCHEME == THESIS) { return min(old, thesis(p.w, p.y, p.z, p.x, c)); }
    let straight = p + c;
    let px = p.yyww;
    let cx = c.yyww;
    let cy = c.xzzx;
    let a = cx * cx;
    let delta = p.xzzx - px;
    // The root by its reciprocal, which is an instruction of its own on most devices; its argument is never 0.
    let rest = max(a + cy * cy - delta * delta, vec4<f32>(1e-20));
    let value = px + (a * delta + cx * cy * (rest * inverseSqrt(rest))) * cell.inverse;
    // Only where each neighbour is below the other's way.
    let root = select(vec4<f32>(UNREACHED), value, (delta < cx) & (-delta < cy));
    let best = min(straight, root);
    return min(old, min(min(best.x, best.y), min(best.z, best.w)));
}

// The quadrant of the lower neighbours alone: quick, and never below the right value.
fn approach(old: f32, cell: Cell, neighbours: vec4<f32>) -> f32 {
    let p = max(neighbours, cell.closed);
    let c = cell.cost;
    if (SCHEME == THESIS) { return min(old, thesis(p.w, p.y, p.z, p.x, c)); }
    let to_east = p.y < p.w;
    let to_north = p.x < p.z;
    let px = min(p.y, p.w);
    let py = min(p.x, p.z);
    let cx = select(c.w, c.y, to_east);
    let cy = select(c.z, c.x, to_north);
    let inverse = select(select(cell.inverse.z, cell.inverse.w, to_north),
                         select(cell.inverse.y, cell.inverse.x, to_north), to_east);
    let delta = py - px;
    let a = cx * cx;
    let rest = max(a + cy * cy - delta * delta, 1e-20);
    let value = px + (a * delta + cx * cy * (rest * inverseSqrt(rest))) * inverse;
    return min(old, select(min(px + cx, py + cy), value, delta < cx && -delta < cy));
}

// The neighbours N, E, S, W of a place in one of the two copies of the cells.
fn around(at: u32) -> vec4<f32> { return vec4<f32>(cells[at + WIDTH], cells[at + 1u], cells[at - WIDTH], cells[at - 1u]); }

// One side of an item's rim; side 0 is its northern row, then eastern column, southern row, western column.
fn rim(n: u32, slot: u32, side: u32) -> u32 { return (n * 2u + slot) * 64u + side * 16u; }

// The neighbour beyond a side, or NONE.
fn beyond(n: u32, side: u32) -> u32 {
    let tile = n % params.tiles;
    let x = tile % params.tiles_x;
    if (side == NORTH) { return select(NONE, n + params.tiles_x, tile + params.tiles_x < params.tiles); }
    if (side == EAST) { return select(NONE, n + 1u, x + 1u < params.tiles_x); }
    if (side == SOUTH) { return select(NONE, n - params.tiles_x, tile >= params.tiles_x); }
    return select(NONE, n - 1u, x > 0u);
}

// Where the k-th value along a side is in `cells`: in row or column `far` for north and east, `close` for south and west.
fn along(side: u32, k: u32, far: u32, close: u32) -> u32 {
    let line = select(far, close, side >= SOUTH);
    return select((k + 1u) * WIDTH + line, line * WIDTH + k + 1u, (side & 1u) == 0u);
}

// Update All: something has changed, so there is another round; after the last one that is left undone.
fn more() {
    atomicMax(&control[ROUNDS], round.number + 1u);
    if (round.number + 1u == params.round_limit) { atomicAdd(&control[ITEMS_WAITING], 1u); }
}

// After a visit: neighbours whose rim is lower now are put into a list, and so is the item itself if it is not finished.
fn pass_on(n: u32, lane: u32, guess: u32, own_slot: u32, unfinished: u32) {
    let r = round.number;
    if (lane >= 64u && lane < 68u) {
        let edge = atomicLoad(&lowest[lane - 64u]);
        if (edge != NONE) {
            var due = r + 1u;
            if (ORDER == BUCKETS) {
                let bucket = bucket_of(bitcast<f32>(edge), unit_cost);
                due = clamp(bucket, r + 1u, r + RING - 2u);
            }
            if (ORDER == ALL) {
                more();
            } else {
                schedule(beyond(n, lane - 64u), due, guess);
            }
        }
    } else if (lane == 96u && unfinished != 0u) {
        if (ORDER == ALL) {
            more();
        } else {
            schedule(n, r + 1u, atomicLoad(&status[n * 4u]));
        }
    } else if (lane == 128u) {
        atomicStore(&status[n * 4u + 2u], ((r + 1u) << 1u) | (own_slot ^ 1u));
        atomicAdd(&status[n * 4u + 3u], 1u);
        if (ORDER == SELECTIVE) { atomicMax(&control[ROUNDS], r + 1u); }
    }
}

fn visit(n: u32, lane: u32) {
    let r = round.number;
    let at = ((lane >> 4u) + 1u) * WIDTH + (lane & 15u) + 1u;
    // Everything that is read is asked for at once: taking the item, its cells, its rim and the one around it.
    var guess = 0u;
    if (lane == 255u) { now = select(0u, 1u, take(n)); }
    if (lane >= 64u && lane < 68u) { guess = atomicLoad(&status[min(beyond(n, lane - 64u), items() - 1u) * 4u]); }
    let own_slot = atomicLoad(&status[n * 4u + 2u]) & 1u;
    let own = prepare(cost[costs_of(n) + lane]);
    var value = potential[n * 256u + lane];
    let side = (lane >> 4u) & 3u;
    let k = lane & 15u;
    var outer = UNREACHED;
    var known = UNREACHED;
    let on_rim = lane < 64u;
    let other = beyond(n, side);
    if (on_rim) {
        if (other != NONE) {
            // A neighbour that writes in this round writes its other copy.
            let even = rims[rim(other, 0u, side ^ 2u) + k];
            let odd = rims[rim(other, 1u, side ^ 2u) + k];
            let stamp = atomicLoad(&status[other * 4u + 2u]);
            let slot = (stamp & 1u) ^ select(0u, 1u, (stamp >> 1u) == r + 1u);
            outer = select(even, odd, slot == 1u);
        }
        known = select(rims[rim(n, 0u, side) + k], rims[rim(n, 1u, side) + k], own_slot == 1u);
        let beside = along(side, k, 17u, 0u);
        cells[beside] = outer;
        cells[beside + COPY] = outer;
        if (lane < 4u) { atomicStore(&lowest[lane], NONE); }
        if (lane < 2u) { busy[lane] = 0u; }
    }
    cells[at] = value;
    // Listed twice, or put forward to an earlier round?
    if (workgroupUniformLoad(&now) == 0u) { return; }

    let least = TOLERANCE * unit_cost;
    let other_copy = at + COPY;
    var unfinished = 1u;
    for (var chunk = 0u; chunk < PATIENCE; chunk++) {
        // Three quick rounds, which may leave a value too high, then one with all quadrants; back and forth between the copies.
        value = approach(value, own, around(at));
        cells[other_copy] = value;
        workgroupBarrier();
        value = approach(value, own, around(other_copy));
        cells[at] = value;
        workgroupBarrier();
        value = approach(value, own, around(at));
        cells[other_copy] = value;
        workgroupBarrier();
        let before = value;
        value = improve(value, own, around(other_copy));
        cells[at] = value;
        // What did not change in the last one will not in the next. (The load waits for all threads.)
        if (before - value > least) { busy[chunk & 1u] = 1u; }
        unfinished = workgroupUniformLoad(&busy[chunk & 1u]);
        if (unfinished == 0u) { break; }
        if (lane == 0u) { busy[(chunk + 1u) & 1u] = 0u; }
    }
    potential[n * 256u + lane] = value;
    // The own rim, one value a thread: what is lower than before, and than what lies beyond, is passed on.
    if (on_rim) {
        let edge = cells[along(side, k, 16u, 1u)];
        if (edge < known - least && edge < outer && other != NONE) { atomicMin(&lowest[side], bitcast<u32>(edge)); }
        rims[rim(n, own_slot ^ 1u, side) + k] = edge;
    }
    workgroupBarrier();
    pass_on(n, lane, guess, own_slot, unfinished);
}

@compute @workgroup_size(256)
fn relax(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let r = round.number;
    if (lane == 0u) {
        if (ORDER == BUCKETS) {
            // The first entry is asked for before it is known whether there is one.
            let entry = lists[(r % RING) * round.capacity + min(group.x, round.capacity - 1u)];
            let count = min(atomicLoad(&control[RING_COUNTS + r % RING]), round.capacity);
            unit_cost = typical();
            work = vec2<u32>(count, entry);
        } else {
            unit_cost = typical();
            // Without lists every round looks at all items, until a round had nothing to do.
            work = vec2<u32>(select(items(), 0u, r > atomicLoad(&control[ROUNDS])), group.x);
        }
    }
    let found = workgroupUniformLoad(&work);
    let count = found.x;
    if (group.x < count) { visit(found.y, lane); }
    for (var entry = group.x + groups.x; entry < count; entry += groups.x) {
        workgroupBarrier();
        if (lane == 0u) {
            var n = entry;
            if (ORDER == BUCKETS) { n = lists[(r % RING) * round.capacity + entry]; }
            work = vec2<u32>(count, n);
        }
        visit(workgroupUniformLoad(&work).y, lane);
    }
    if (ORDER == BUCKETS && lane == 0u && group.x == 0u) {
        // The last round's list is used up; nobody writes it before 15 rounds are over.
        atomicStore(&control[RING_COUNTS + (r + RING - 1u) % RING], 0u);
    }
}

// Between two rounds: what cells gain by links through portals, one thread a link and route. A cell has one link at most, so
// nobody reads what another writes.
@compute @workgroup_size(64)
fn jump(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 64u);
    if (i >= params.portal_links * params.routes) { return; }
    let route = i / params.portal_links;
    let link = portal_link(i % params.portal_links, seeds[route]);
    let first = route * params.tiles * 256u;
    let value = potential[first + link.end] + link.cost;
    let unit = typical();
    if (!(value < potential[first + link.begin] - TOLERANCE * unit)) { return; }
    potential[first + link.begin] = value;
    if (ORDER == ALL) {
        more();
        return;
    }
    let n = route * params.tiles + link.begin / 256u;
    let r = round.number;
    var due = r + 1u;
    if (ORDER == BUCKETS) { due = clamp(bucket_of(value, unit), r + 1u, r + RING - 2u); }
    if (ORDER == SELECTIVE) { atomicMax(&control[ROUNDS], r + 1u); }
    schedule(n, due, atomicLoad(&status[n * 4u]));
}

// After the last round: how many visits there were, in which round the last one, and how many items still wait for one.
@compute @workgroup_size(256)
fn sum_up(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    if (lane < 3u) { atomicStore(&lowest[lane], 0u); }
    workgroupBarrier();
    let n = item(group, groups, lane, 256u);
    if (n < items()) {
        let word = atomicLoad(&status[n * 4u]);
        atomicMax(&lowest[0], atomicLoad(&status[n * 4u + 2u]) >> 1u);
        atomicAdd(&lowest[1], atomicLoad(&status[n * 4u + 3u]));
        // Due in a round that never came.
        if (ORDER != ALL && word != NONE && (word & 0xffffu) >= params.round_limit) { atomicAdd(&lowest[2], 1u); }
    }
    workgroupBarrier();
    if (lane == 0u) {
        if (ORDER != ALL) { atomicMax(&control[ROUNDS], atomicLoad(&lowest[0])); }
        atomicAdd(&control[VISITS], atomicLoad(&lowest[1]));
        atomicAdd(&control[ITEMS_WAITING], atomicLoad(&lowest[2]));
    }
}
