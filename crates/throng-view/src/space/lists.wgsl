// Lists of who is drawn as one figure: one for each level of detail of the camera's picture, then for each shadow map who is skinned
// already, who is not, and who is small. In the order of the columns, so that they are the same in every run, as draw/cull.wgsl does it.

struct Plan {
    lift: u32,
    least: u32,
    share: u32,
    most: u32,
    last: u32,
    fineness: u32,
    casts: u32,
    room: u32,      // triangles of shadow maps that are left for this figure and those after it,
    pictures: u32,  // and impostors
}

@group(0) @binding(0) var<storage, read> classes: array<u32>;
@group(0) @binding(1) var<storage, read_write> plan: Plan;
// For each workgroup how many there are for each list; then how many come before it.
@group(0) @binding(2) var<storage, read_write> blocks: array<u32>;
// Agents; those who are skinned already and cast a shadow by their slots: the places in the first two lists, which follow each
// other.
@group(0) @binding(3) var<storage, read_write> members: array<u32>;
// Where each list begins; how many it has; then into how many pieces edges of close-ups are cut.
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
// Of each list: of the picture how many workgroups draw it, across and along; of shadow maps indices, instances, first index, 0, 0. Then workgroups
// that skin.
@group(0) @binding(5) var<storage, read_write> arguments: array<u32>;
@group(0) @binding(6) var<uniform> meshes: Meshes;

struct Meshes {
    // Of each list: indices, first index, triangles, how many at most; of the picture instead of the first two workgroups that draw members, and how
    // many members these draw.
    of_list: array<vec4<u32>, 16>,
    // Of close-ups, for each fineness: workgroups that draw somebody, and nothing.
    patches: array<vec4<u32>, 5>,
    // The bins that levels begin at.
    begins: array<vec4<u32>, 2>,
    figure: u32,
    // How many may be skinned.
    slots: u32,
    // Whether full meshes are skinned before they are drawn, and their shadows share that.
    shares: u32,
    // Who is in a lower bin casts no shadow.
    least_caster: u32,
}

const LISTS: u32 = 16u;
const LEVELS: u32 = 7u;
const CASCADES: u32 = 3u;
const CLOSE: u32 = 0u;
const FULL: u32 = 1u;
const IMPOSTOR: u32 = 5u;
const FAR: u32 = 6u;
// Workgroups of a dispatch, across: 65,535 are allowed either way.
const ACROSS: u32 = 32768u;

// Counts of the lists, of ten bits each.
struct Counts {
    a: vec3<u32>,
    b: vec3<u32>,
}

var<workgroup> sums: array<Counts, 256>;
var<workgroup> totals: array<u32, 256>;

fn level_of(bin: u32) -> u32 {
    if (bin < meshes.begins[1].y) { return FAR; }
    let fine = vec4<u32>(bin) < meshes.begins[0] + plan.lift;
    let four = vec4<u32>(fine);
    return four.x + four.y + four.z + four.w + u32(bin < meshes.begins[1].x + plan.lift);
}

// The lists that somebody is in, a bit each.
fn lists_of(i: u32) -> u32 {
    if (i >= space.agents) { return 0u; }
    let word = classes[i];
    if (((word >> 11u) & 7u) != meshes.figure) { return 0u; }
    var maps = (word >> 8u) & 7u;
    let size = (word >> 24u) & 63u;
    // With pinned levels it does not depend on who else is seen.
    if (size < select(plan.casts, meshes.least_caster, space.pinned != NOBODY)) { maps = 0u; }
    // Whose shadow has the coarsest mesh.
    let small = size < meshes.begins[0].w;
    let cast_by = maps << (LEVELS + select(CASCADES, 2u * CASCADES, small));
    let seen = word & 0xffu;
    if (seen == 0u) { return cast_by; }
    let bin = seen - 1u;
    var level = level_of(bin);
    var drawn = level == FAR || bin >= plan.least || (bin + 1u == plan.least && ((word >> 14u) & 1023u) < plan.share);
    if (space.pinned != NOBODY) {
        // Whoever there is no room for is coarser or left out by its place in the columns, and not by who else is seen.
        level = space.pinned;
        if (level == CLOSE && i >= meshes.slots) { level = FULL; }
        drawn = i < meshes.of_list[level].w;
    }
    // Close-ups that are not cut are full meshes, whose vertices are shared by their faces.
    if (level == CLOSE && plan.fineness == 0u && space.pinned == NOBODY) { level = FULL; }
    // Pictures with pinned levels are to be the same with and without culling, so shadows do not depend on who is seen.
    if (drawn && level <= FULL && meshes.shares == 1u && space.pinned == NOBODY) { return (1u << level) | (maps << LEVELS); }
    return select(0u, 1u << level, drawn) | cast_by;
}

fn counted(lists: u32) -> Counts {
    var words = Counts(vec3<u32>(0u), vec3<u32>(0u));
    for (var k = 0u; k < LISTS; k++) {
        let bit = ((lists >> k) & 1u) << (10u * (k % 3u));
        if (k < 9u) { words.a[k / 3u] += bit; } else { words.b[k / 3u - 3u] += bit; }
    }
    return words;
}

fn count_of(words: Counts, k: u32) -> u32 {
    var word = 0u;
    if (k < 9u) { word = words.a[k / 3u]; } else { word = words.b[k / 3u - 3u]; }
    return (word >> (10u * (k % 3u))) & 1023u;
}

fn add_up(lane: u32) {
    for (var step = 1u; step < 256u; step <<= 1u) {
        workgroupBarrier();
        var before = Counts(vec3<u32>(0u), vec3<u32>(0u));
        if (lane >= step) { before = sums[lane - step]; }
        workgroupBarrier();
        sums[lane] = Counts(sums[lane].a + before.a, sums[lane].b + before.b);
    }
    workgroupBarrier();
}

@compute @workgroup_size(256)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.y * groups.x + group.x;
    sums[lane] = counted(lists_of(block * 256u + lane));
    add_up(lane);
    if (lane < LISTS && block * LISTS + lane < arrayLength(&blocks)) {
        blocks[block * LISTS + lane] = count_of(sums[255], lane);
    }
}

@compute @workgroup_size(256)
fn offsets(@builtin(local_invocation_index) lane: u32) {
    let n = (space.agents + 255u) / 256u;
    let each = (n + 255u) / 256u;
    let first = min(lane * each, n);
    let last = min(first + each, n);
    var start = 0u;
    var skinned = 0u;
    // What is left for this figure, triangles of shadow maps and pictures: figures take from it one after the other.
    var room = plan.room;
    let pictures = plan.pictures;
    for (var list = 0u; list < LISTS; list++) {
        var sum = 0u;
        for (var k = first; k < last; k++) { sum += blocks[k * LISTS + list]; }
        totals[lane] = sum;
        for (var step = 1u; step < 256u; step <<= 1u) {
            workgroupBarrier();
            var before = 0u;
            if (lane >= step) { before = totals[lane - step]; }
            workgroupBarrier();
            totals[lane] += before;
        }
        workgroupBarrier();
        let all = totals[255];
        var before = totals[lane] - sum;
        for (var k = first; k < last; k++) {
            let here = blocks[k * LISTS + list];
            blocks[k * LISTS + list] = before;
            before += here;
        }
        let mesh = meshes.of_list[list];
        var most = NOBODY;
        if (list >= LEVELS) { most = mesh.w; }
        if (list == IMPOSTOR && space.pinned == NOBODY) { most = min(most, pictures); }
        if (list == CLOSE || (list == FULL && meshes.shares == 1u)) {
            most = min(most, meshes.slots - skinned);
            skinned += min(all, most);
        }
        if (list >= LEVELS && space.pinned == NOBODY) {
            most = min(most, room / max(mesh.z, 1u));
            room -= min(all, most) * mesh.z;
        }
        let drawn = min(all, most);
        if (list == IMPOSTOR && lane == 0u) { plan.pictures = pictures - min(pictures, drawn); }
        if (lane == 0u) {
            var first = vec3<u32>(mesh.x, drawn, mesh.y);
            if (list < LEVELS) {
                let each = select(mesh.x, meshes.patches[plan.fineness].x, list == CLOSE);
                let groups = (drawn + mesh.y - 1u) / mesh.y * each;
                let across = clamp(groups, 1u, ACROSS);
                first = vec3<u32>(across, (groups + across - 1u) / across, 1u);
            }
            starts[list] = start;
            starts[LISTS + list] = drawn;
            arguments[list * 5u] = first.x;
            arguments[list * 5u + 1u] = first.y;
            arguments[list * 5u + 2u] = first.z;
            arguments[list * 5u + 3u] = 0u;
            arguments[list * 5u + 4u] = 0u;
        }
        start += all;
        workgroupBarrier();
    }
    if (lane == 0u) {
        plan.room = room;
        starts[2u * LISTS] = 1u << plan.fineness;
        arguments[5u * LISTS] = skinned;
        arguments[5u * LISTS + 1u] = 1u;
        arguments[5u * LISTS + 2u] = 1u;
    }
}

@compute @workgroup_size(256)
fn list(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let block = group.y * groups.x + group.x;
    let i = block * 256u + lane;
    let mine = lists_of(i);
    sums[lane] = counted(mine);
    add_up(lane);
    if (i >= space.agents) { return; }
    var slot = 0u;
    for (var k = 0u; k < LISTS; k++) {
        if (((mine >> k) & 1u) == 1u) {
            let place = starts[k] + blocks[block * LISTS + k] + count_of(sums[lane], k) - 1u;
            if (k <= FULL) { slot = min(place, meshes.slots - 1u); }
            members[place] = select(i, slot, k >= LEVELS && k < LEVELS + CASCADES);
        }
    }
}
