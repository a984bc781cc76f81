// Potential: the fixed point of the scheme of mod.rs, tile by tile. See docs/models/solver.md.
//
// An item is one tile of one goal. A round takes the items of its list, loads each with the rim of its neighbours as the
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
// Goal cells (where in `potential`), then the items that contain any.
@group(0) @binding(7) var<storage, read> seeds: array<u32>;

override SCHEME: u32 = 0u;
override ORDER: u32 = 0u;
// Bucket width in cells' typical cost.
override BUCKET: f32 = 6.0;
override PATIENCE: u32 = 12u;
// Changes below this share of a typical link are not passed on.
override TOLERANCE: f32 = 0.0001;

const BUCKETS: u32 = 0u;
const SELECTIVE: u32 = 1u;
const ALL: u32 = 2u;
const THESIS: u32 = 1u;
const RING: u32 = 16u;
const NONE: u32 = 0xffffffffu;
const WIDTH: u32 = 18u;

var<workgroup> cells: array<f32, 648>;
var<workgroup> now: u32;
var<workgroup> unit_cost: f32;
var<workgroup> busy: array<u32, 2>;
var<workgroup> lowest: array<atomic<u32>, 4>;

fn items() -> u32 { return params.tiles * params.goals; }

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
    if (i < round.seed_cells) { potential[seeds[i]] = 0.0; }
    if (i < round.seed_items) {
        let n = seeds[round.seed_cells + i];
        lists[i] = n;
        atomicStore(&status[n * 4u], 0u);
        atomicStore(&status[n * 4u + 1u], NONE);
    }
    if (i == 0u) {
        atomicStore(&control[RING_COUNTS], round.seed_items);
        atomicStore(&control[ITEMS_WAITING], round.seed_items);
    }
}

fn schedule(n: u32, due_round: u32) {
    let r = round.number;
    loop {
        let old = atomicLoad(&status[n * 4u]);
        let due = old & 0xffffu;
        if (due > r && due <= due_round) { return; }
        // Who is taken in this very round must still find out that it was due.
        let before = select(old >> 16u, due, due <= r);
        let swap = atomicCompareExchangeWeak(&status[n * 4u], old, due_round | (before << 16u));
        if (swap.exchanged) { break; }
    }
    atomicAdd(&control[ITEMS_WAITING], 1u);
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
    let due = word & 0xffffu;
    let is_due = due == r || (due > r && (word >> 16u) == r);
    let mine = is_due && atomicExchange(&status[n * 4u + 1u], r) != r;
    if (mine && ORDER == SELECTIVE) { atomicSub(&control[ITEMS_WAITING], 1u); }
    return mine;
}

fn quadrant(px: f32, cx: f32, py: f32, cy: f32, inverse: f32) -> f32 {
    let delta = py - px;
    let a = cx * cx;
    let root = px + (a * delta + cx * cy * sqrt(max(a + cy * cy - delta * delta, 0.0))) * inverse;
    return select(min(px + cx, py + cy), root, delta < cx && -delta < cy);
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

struct Cell {
    // Links N, E, S, W: what they cost, and UNREACHED where they are closed (else 0).
    cost: vec4<f32>,
    closed: vec4<f32>,
    // 1 / (Cx² + Cy²) of the quadrants NE, SE, SW, NW.
    inverse: vec4<f32>,
}

fn prepare(c: vec4<f32>) -> Cell {
    let shut = c >= vec4<f32>(UNREACHED);
    let open = select(c, vec4<f32>(1.0), shut);
    let square = open * open;
    return Cell(open, select(vec4<f32>(0.0), vec4<f32>(UNREACHED), shut),
                1.0 / vec4<f32>(square.x + square.y, square.z + square.y, square.z + square.w, square.x + square.w));
}

fn improve(old: f32, cell: Cell, north: f32, east: f32, south: f32, west: f32) -> f32 {
    let p = max(vec4<f32>(north, east, south, west), cell.closed);
    let c = cell.cost;
    if (SCHEME == THESIS) { return min(old, thesis(p.w, p.y, p.z, p.x, c)); }
    let ne = quadrant(p.y, c.y, p.x, c.x, cell.inverse.x);
    let se = quadrant(p.y, c.y, p.z, c.z, cell.inverse.y);
    let sw = quadrant(p.w, c.w, p.z, c.z, cell.inverse.z);
    let nw = quadrant(p.w, c.w, p.x, c.x, cell.inverse.w);
    return min(old, min(min(ne, se), min(sw, nw)));
}

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

fn visit(n: u32, lane: u32) {
    let r = round.number;
    let tile = n % params.tiles;
    // Each thread has 2 x 2 cells: a is south-west, b south-east, c north-west, d north-east.
    let bx = (lane & 7u) * 2u;
    let by = (lane >> 3u) * 2u;
    let first = by * 16u + bx;
    let at = (by + 1u) * WIDTH + bx + 1u;
    let costs = tile * 256u + first;
    let values = n * 256u + first;
    let ca = prepare(cost[costs]);
    let cb = prepare(cost[costs + 1u]);
    let cc = prepare(cost[costs + 16u]);
    let cd = prepare(cost[costs + 17u]);
    var a = potential[values];
    var b = potential[values + 1u];
    var c = potential[values + 16u];
    var d = potential[values + 17u];
    cells[at] = a;
    cells[at + 1u] = b;
    cells[at + WIDTH] = c;
    cells[at + WIDTH + 1u] = d;
    // The rim around: one value a thread. A neighbour that writes in this round writes its other copy.
    let side = lane >> 4u;
    let k = lane & 15u;
    let other = beyond(n, side);
    var outer = UNREACHED;
    if (other != NONE) {
        let stamp = atomicLoad(&status[other * 4u + 2u]);
        let slot = (stamp & 1u) ^ select(0u, 1u, (stamp >> 1u) == r + 1u);
        outer = rims[rim(other, slot, side ^ 2u) + k];
    }
    let beside = along(side, k, 17u, 0u);
    cells[beside] = outer;
    cells[beside + 324u] = outer;
    if (lane < 4u) { atomicStore(&lowest[lane], NONE); }
    if (lane < 2u) { busy[lane] = 0u; }
    workgroupBarrier();

    let least = TOLERANCE * unit_cost;
    var read_at = at;
    var write_at = at + 324u;
    var unfinished = 1u;
    for (var chunk = 0u; chunk < PATIENCE; chunk++) {
        var change = 0.0;
        for (var k = 0u; k < 4u; k++) {
            let w0 = cells[read_at - 1u];
            let w1 = cells[read_at + WIDTH - 1u];
            let e0 = cells[read_at + 2u];
            let e1 = cells[read_at + WIDTH + 2u];
            let s0 = cells[read_at - WIDTH];
            let s1 = cells[read_at - WIDTH + 1u];
            let n0 = cells[read_at + 2u * WIDTH];
            let n1 = cells[read_at + 2u * WIDTH + 1u];
            let old = vec4<f32>(a, b, c, d);
            if ((k & 1u) == 0u) {
                a = improve(a, ca, c, b, s0, w0);
                b = improve(b, cb, d, e0, s1, a);
                c = improve(c, cc, n0, d, a, w1);
                d = improve(d, cd, n1, e1, b, c);
            } else {
                d = improve(d, cd, n1, e1, b, c);
                c = improve(c, cc, n0, d, a, w1);
                b = improve(b, cb, d, e0, s1, a);
                a = improve(a, ca, c, b, s0, w0);
            }
            let drop = old - vec4<f32>(a, b, c, d);
            change = max(change, max(max(drop.x, drop.y), max(drop.z, drop.w)));
            cells[write_at] = a;
            cells[write_at + 1u] = b;
            cells[write_at + WIDTH] = c;
            cells[write_at + WIDTH + 1u] = d;
            let swap = read_at;
            read_at = write_at;
            write_at = swap;
            workgroupBarrier();
        }
        if (change > least) { busy[chunk & 1u] = 1u; }
        unfinished = workgroupUniformLoad(&busy[chunk & 1u]);
        if (unfinished == 0u) { break; }
        if (lane == 0u) { busy[(chunk + 1u) & 1u] = 0u; }
        workgroupBarrier();
    }
    potential[values] = a;
    potential[values + 1u] = b;
    potential[values + 16u] = c;
    potential[values + 17u] = d;
    // The own rim, one value a thread: what is lower than before, and than what lies beyond, is passed on.
    let stamp = atomicLoad(&status[n * 4u + 2u]);
    let slot = stamp & 1u;
    let inner = along(side, k, 16u, 1u);
    let value = cells[read_at - at + inner];
    let known = rims[rim(n, slot, side) + k];
    rims[rim(n, slot ^ 1u, side) + k] = value;
    if (value < known - least && value < outer && other != NONE) { atomicMin(&lowest[side], bitcast<u32>(value)); }
    workgroupBarrier();
    if (lane < 4u) {
        let value = atomicLoad(&lowest[lane]);
        if (value != NONE) {
            var due = r + 1u;
            if (ORDER == BUCKETS) {
                let bucket = u32(min(bitcast<f32>(value) / (BUCKET * unit_cost), 60000.0));
                due = clamp(bucket, r + 1u, r + RING - 2u);
            }
            if (ORDER == ALL) {
                atomicMax(&control[ROUNDS], r + 1u);
            } else {
                schedule(beyond(n, lane), due);
            }
        }
    } else if (lane == 4u) {
        atomicStore(&status[n * 4u + 2u], ((r + 1u) << 1u) | (slot ^ 1u));
        atomicAdd(&status[n * 4u + 3u], 1u);
        if (unfinished != 0u && ORDER != ALL) { schedule(n, r + 1u); }
        if (unfinished != 0u || ORDER != ALL) { atomicMax(&control[ROUNDS], r + 1u); }
        atomicAdd(&control[VISITS], 1u);
    }
}

@compute @workgroup_size(64)
fn relax(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let r = round.number;
    if (lane == 0u) {
        unit_cost = typical();
        if (ORDER == BUCKETS) {
            now = min(atomicLoad(&control[RING_COUNTS + r % RING]), round.capacity);
        } else {
            // Without lists every round looks at all items, until a round had nothing to do.
            now = select(items(), 0u, r > atomicLoad(&control[ROUNDS]));
        }
    }
    let count = workgroupUniformLoad(&now);
    for (var entry = group.x; entry < count; entry += groups.x) {
        workgroupBarrier();
        if (lane == 0u) {
            var n = entry;
            if (ORDER == BUCKETS) {
                n = lists[(r % RING) * round.capacity + entry];
                atomicSub(&control[ITEMS_WAITING], 1u);
            }
            now = select(NONE, n, take(n));
        }
        let n = workgroupUniformLoad(&now);
        if (n != NONE) { visit(n, lane); }
    }
    if (ORDER == BUCKETS && lane == 0u && group.x == 0u) {
        // The last round's list is used up; nobody writes it before 15 rounds are over.
        atomicStore(&control[RING_COUNTS + (r + RING - 1u) % RING], 0u);
    }
}
