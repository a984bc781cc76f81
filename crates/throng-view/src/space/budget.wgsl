// Which level of detail each height on the screen gets, so that no more triangles are drawn than there may be. In integers;
// budget.rs is the same on the CPU.

struct Plan {
    lift: u32,      // bins that thresholds are raised by
    least: u32,     // who is in a lower bin is not drawn, unless it is among the farthest,
    share: u32,     // and of the bin below that those whose chance is less than this, of 1024
    most: u32,      // impostors
    last: u32,      // lift of the frame before
    fineness: u32,  // edges of close-ups are cut into two to the power of this
    casts: u32,     // who is in a lower bin casts no shadow
    // What is left for figures, one after the other: lists.wgsl takes from it.
    room: u32,      // triangles in shadow maps
    pictures: u32,  // impostors
    held: u32,      // fineness of the frame before and 1; 0 if it had no close-ups
}

struct Costs {
    triangles: array<vec4<u32>, 2>, // of each level
    begins: array<vec4<u32>, 2>,    // the bins that levels begin at
    budget: u32,
    slots: u32,                     // how many close-ups and full meshes there may be
    finest: u32,                    // fineness at most
    for_shadows: u32,               // triangles in shadow maps
    // Triangles of who casts a shadow: of full meshes in any map, of others in each, of small ones.
    casters: array<vec4<u32>, 2>,
    least_caster: u32,              // who is in a lower bin casts no shadow whatever is left
    pinned: u32,                    // fineness of pinned close-ups, whoever is seen; MOST if levels are not pinned
}

@group(0) @binding(0) var<storage, read> bins: array<u32>;
@group(0) @binding(1) var<storage, read_write> plan: Plan;
@group(0) @binding(2) var<uniform> costs: Costs;

const BINS: u32 = 64u;
const MOST: u32 = 0x7fffffffu;
const CLOSE: u32 = 0u;
const FULL: u32 = 1u;
const SMALLEST_MESH: u32 = 3u;
const IMPOSTOR: u32 = 5u;
const FAR: u32 = 6u;
// Of the finest close-ups there may be so many triangles' worth.
const FINEST: u32 = 2u;
const ALL: u32 = 256u;
const ALL_OF_THEM: u32 = 1024u;

var<workgroup> counts: array<u32, 64>;
var<workgroup> of_lift: array<u32, 64>;
var<workgroup> of_least: array<u32, 64>;
var<workgroup> of_shadows: array<u32, 64>;

fn times(a: u32, b: u32) -> u32 { return select(a * b, MOST, b > 0u && a > MOST / max(b, 1u)); }
fn plus(a: u32, b: u32) -> u32 { return min(min(a, MOST) + min(b, MOST), MOST); }

fn begin_of(k: u32) -> u32 { return costs.begins[k / 4u][k % 4u]; }
fn triangles_of(k: u32) -> u32 { return costs.triangles[k / 4u][k % 4u]; }

fn level_of(bin: u32, lift: u32) -> u32 {
    if (bin < begin_of(IMPOSTOR)) { return FAR; }
    var level = 0u;
    for (var k = 0u; k < IMPOSTOR; k++) { level += u32(bin < begin_of(k) + lift); }
    return level;
}

// Triangles of the shadows of those in a bin.
fn shadows_of(bin: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < 3u; k++) {
        var each = costs.casters[0][k + 1u];
        if (bin >= begin_of(FULL)) { each = costs.casters[0].x; }
        if (bin < begin_of(SMALLEST_MESH)) { each = costs.casters[1].x; }
        sum = plus(sum, times(bins[(k + 1u) * BINS + bin], each));
    }
    return sum;
}

fn close_of(lift: u32) -> u32 {
    var close = 0u;
    for (var b = 0u; b < BINS; b++) {
        if (level_of(b, lift) == CLOSE) { close = plus(close, counts[b]); }
    }
    return close;
}

// How finely so many close-ups are cut if so many triangles are left.
fn fineness_of(close: u32, left: u32) -> u32 {
    var tallest = 0u;
    for (var b = 0u; b < BINS; b++) {
        if (counts[b] > 0u) { tallest = b; }
    }
    let worth = 2u + (max(tallest, begin_of(CLOSE)) - begin_of(CLOSE)) / 4u;
    for (var k = min(worth, costs.finest); k > 0u; k--) {
        let cut = 1u << (2u * k);
        if (times(close, cut) <= FINEST * ALL && times(times(close, triangles_of(CLOSE)), cut - 1u) <= left) { return k; }
    }
    return 0u;
}

// The lowest bin whose shadows, with those of all higher ones, are no more triangles than this.
fn casters_within(limit: u32) -> u32 {
    var casts = BINS;
    var cast_by = 0u;
    while (casts > 0u && plus(cast_by, of_shadows[casts - 1u]) <= limit) {
        casts--;
        cast_by = plus(cast_by, of_shadows[casts]);
    }
    return casts;
}

@compute @workgroup_size(64)
fn budget(@builtin(local_invocation_index) lane: u32) {
    counts[lane] = bins[lane];
    workgroupBarrier();
    var cost = 0u;
    var full = 0u;
    var coarsest = 0u;
    for (var b = 0u; b < BINS; b++) {
        let level = level_of(b, lane);
        cost = plus(cost, times(counts[b], triangles_of(level)));
        if (level <= FULL) { full = plus(full, counts[b]); }
        if (b >= max(lane, begin_of(IMPOSTOR))) { coarsest = plus(coarsest, times(counts[b], triangles_of(IMPOSTOR))); }
    }
    of_lift[lane] = select(cost, MOST, full > costs.slots);
    of_least[lane] = coarsest;
    of_shadows[lane] = shadows_of(lane);
    workgroupBarrier();
    if (lane != 0u) { return; }
    let limit = costs.budget;
    var lift = 0u;
    while (lift < BINS - 1u && of_lift[lift] > limit) { lift++; }
    if (lift < plan.last) {
        // Finer again only when there is a tenth to spare.
        var easy = 0u;
        while (easy < BINS - 1u && of_lift[easy] > limit - limit / 10u) { easy++; }
        lift = min(plan.last, max(easy, lift));
    }
    var least = 0u;
    var share = ALL_OF_THEM;
    var most = 0xffffffffu;
    var fineness = 0u;
    var held = 0u;
    if (of_lift[lift] > limit) {
        let near = begin_of(IMPOSTOR);
        least = near;
        while (least < BINS && of_least[min(least, BINS - 1u)] > limit) { least++; }
        var above = 0u;
        for (var b = least; b < BINS; b++) { above += counts[b]; }
        let each = triangles_of(IMPOSTOR);
        let room = (limit - times(above, each)) / max(each, 1u);
        var below = 0u;
        if (least > near) { below = counts[least - 1u]; }
        // Of so many that 1024 times them would overflow a part is counted in 1024ths of them.
        let large = room > 0x200000u || below > 0x200000u;
        share = min(select(ALL_OF_THEM * room / max(below, 1u), room / max(below / ALL_OF_THEM, 1u), large), ALL_OF_THEM);
        most = above + room;
    } else {
        let close = close_of(lift);
        let left = limit - of_lift[lift];
        fineness = fineness_of(close, left);
        if (plan.held > 0u && close > 0u && fineness >= plan.held) {
            // Finer again only with a tenth and one character to spare.
            let spare = left - left / 10u;
            let one = triangles_of(CLOSE);
            fineness = max(plan.held - 1u, select(0u, fineness_of(plus(close, 1u), spare - min(one, spare)), spare >= one));
        }
        held = select(0u, fineness + 1u, close > 0u);
    }
    plan.lift = lift;
    plan.least = least;
    plan.share = share;
    plan.most = most;
    plan.last = lift;
    plan.held = held;
    plan.fineness = select(fineness, costs.pinned, costs.pinned != MOST);
    var casts = casters_within(costs.for_shadows);
    // As with thresholds: a ring of shadows does not come and go.
    if (casts < plan.casts) {
        casts = min(plan.casts, casters_within(costs.for_shadows - costs.for_shadows / 10u));
    }
    plan.casts = max(casts, costs.least_caster);
    plan.room = costs.for_shadows;
    plan.pictures = most;
}
