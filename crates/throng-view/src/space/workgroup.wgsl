// Triangles of a workgroup: whoever includes it puts their corners on the screen and says which are a triangle's, a byte each:
//   fn corners_of(triangle: u32) -> u32
// Comes after raster.wgsl.

// Pixels around a triangle at most that its workgroup draws.
const ALONE: u32 = 128u;

// So few are drawn sooner than one knows that they are hidden.
const FEW: u32 = 4u;

// On the screen: see corners_at.
var<workgroup> points: array<vec4<u32>, 256>;
// Of each triangle: its corners; the first pixel around it, 16 bits each, and how many are beside each other; how many rows of pixels it and those before
// it have.
var<workgroup> triangles: array<u32, 256>;
var<workgroup> boxes: array<vec2<u32>, 256>;
var<workgroup> ends: array<u32, 256>;
var<workgroup> totals: array<u32, 64>;

fn projected(place: vec3<f32>, normal: vec3<f32>) -> vec4<u32> {
    let clip = draw_of.clip * vec4<f32>(place, 1.0);
    let at = (clip.xy / clip.w * vec2<f32>(0.5, -0.5) + 0.5) * space.screen;
    let depth = select(-1.0, clip.z / clip.w, clip.w > space.eye.w);
    return vec4<u32>(bitcast<vec2<u32>>(at), bitcast<u32>(depth), pack_way(normal / max(length(normal), 1e-6)));
}

fn triangle_of(word: u32) -> Corners {
    return corners_at(points[word & 0xffu], points[(word >> 8u) & 0xffu], points[(word >> 16u) & 0xffu]);
}

// Puts a triangle on the list of the large ones, if there is room.
fn handed_on(triangle: u32, word: u32, low: u32, wide: u32, pixels: u32) -> bool {
    // Counters that are beyond the end stay about there.
    if (atomicLoad(&large[0]) >= LARGE || atomicLoad(&large[1]) >= JOBS) { return false; }
    let number = atomicAdd(&large[0], 1u);
    if (number >= LARGE) { return false; }
    let many = (pixels + JOB - 1u) / JOB;
    let first = atomicAdd(&large[1], many);
    let fits = first <= JOBS && many <= JOBS - first;
    for (var k = 0u; k < many && first + k < JOBS; k++) {
        atomicStore(&large[JOBS_AT + 2u * (first + k)], select(NOBODY, number, fits));
        atomicStore(&large[JOBS_AT + 2u * (first + k) + 1u], k * JOB);
    }
    if (!fits) { return false; }
    let at = LARGE_AT + WORDS * number;
    for (var k = 0u; k < 3u; k++) {
        let point = points[(word >> (8u * k)) & 0xffu];
        for (var j = 0u; j < 4u; j++) { atomicStore(&large[at + 4u * k + j], point[j]); }
    }
    atomicStore(&large[at + 12u], agent | (level << 29u));
    atomicStore(&large[at + 13u], looks_of(triangle));
    atomicStore(&large[at + 14u], low);
    atomicStore(&large[at + 15u], wide | ((pixels / wide) << 16u));
    // Depths have the same bits whoever draws it, and whoever does may change from depths to colours.
    atomicStore(&large[at + 16u], bitcast<u32>(ready(triangle_of(word)).over));
    return true;
}

// Whether all samples of some pixels are nearer than anything of a triangle. What is there is at least as near as the pyramid says.
fn hidden(low: vec2<u32>, size: vec2<u32>, nearest: f32) -> bool {
    let high = low + size - 1u;
    let level = clamp(32u - countLeadingZeros(max(size.x, size.y)), 1u, space.levels);
    let l = levels[level];
    let last = min(high >> vec2<u32>(level), l.yz - 1u);
    for (var y = low.y >> level; y <= last.y; y++) {
        for (var x = low.x >> level; x <= last.x; x++) {
            if (bitcast<f32>(atomicLoad(&large[PYRAMID_AT + l.x + y * l.y + x])) <= nearest) { return false; }
        }
    }
    return true;
}

// How many rows of pixels a triangle is in, none if it is not to be seen.
fn measure(triangle: u32) -> u32 {
    let word = corners_of(triangle);
    triangles[triangle] = word;
    let t = triangle_of(word);
    if (any(t.depths < vec3<f32>(0.0)) || t.twice == 0.0 || (t.twice < 0.0 && draw_of.edges == 0u)) { return 0u; }
    // Samples are an eighth of a pixel or more from its sides.
    let low = clamp(ceil(min(min(t.a, t.b), t.c) - 0.875), vec2<f32>(0.0), space.screen);
    let high = clamp(floor(max(max(t.a, t.b), t.c) - 0.125), vec2<f32>(-1.0), space.screen - 1.0);
    let size = vec2<u32>(max(high - low + 1.0, vec2<f32>(0.0)));
    boxes[triangle] = vec2<u32>(u32(low.x) | (u32(low.y) << 16u), size.x);
    let pixels = size.x * size.y;
    if (pixels == 0u || (pixels > FEW && space.occlusion == 1u && hidden(vec2<u32>(low), size, max(max(t.depths.x, t.depths.y), t.depths.z)))) { return 0u; }
    if (pixels <= ALONE || !handed_on(triangle, word, boxes[triangle].x, size.x, pixels)) { return size.y; }
    return 0u;
}

// So many triangles of the workgroup's, whose points are there. After a barrier; all threads come here.
fn rasterise(lane: u32, many: u32) {
    var own: array<u32, 4>;
    var sum = 0u;
    for (var k = 0u; k < 4u; k++) {
        if (4u * lane + k < many) { sum += measure(4u * lane + k); }
        own[k] = sum;
    }
    totals[lane] = sum;
    for (var step = 1u; step < WIDE; step <<= 1u) {
        workgroupBarrier();
        var before = 0u;
        if (lane >= step) { before = totals[lane - step]; }
        workgroupBarrier();
        totals[lane] += before;
    }
    let before = totals[lane] - sum;
    for (var k = 0u; k < 4u; k++) { ends[4u * lane + k] = before + own[k]; }
    workgroupBarrier();
    let all_ = ends[255];
    for (var item = lane; item < all_; item += WIDE) {
        // The triangle that it is around.
        var number = 0u;
        for (var step = 128u; step > 0u; step >>= 1u) {
            if (ends[number + step - 1u] <= item) { number += step; }
        }
        let box = boxes[number];
        var row = (box.x >> 16u) + item;
        if (number > 0u) { row -= ends[number - 1u]; }
        let t = ready(triangle_of(triangles[number]));
        // From where to where it reaches between the first and the last samples of the row, a little more for what is rounded.
        var reach = vec2<f32>(1e9, -1e9);
        reach = reached(reach, t.corners.a, t.corners.b, f32(row));
        reach = reached(reach, t.corners.b, t.corners.c, f32(row));
        reach = reached(reach, t.corners.c, t.corners.a, f32(row));
        let left = box.x & 0xffffu;
        let first = max(i32(ceil(max(reach.x, -1e6) - 0.9)), i32(left));
        let last = min(i32(floor(min(reach.y, 1e6) - 0.1)), i32(left + box.y) - 1);
        for (var x = first; x <= last; x++) { plot(t, number, vec2<u32>(u32(x), row)); }
    }
}

// From where to where a line from a to b reaches at most within a row of samples.
fn reached(reach: vec2<f32>, a: vec2<f32>, b: vec2<f32>, row: f32) -> vec2<f32> {
    let low = select(b, a, a.y <= b.y);
    let high = select(a, b, a.y <= b.y);
    let top = row + 0.1;
    let bottom = row + 0.9;
    if (high.y < top || low.y > bottom) { return reach; }
    let slope = (high.x - low.x) / max(high.y - low.y, 1e-9);
    let from_ = select(low.x, low.x + slope * (top - low.y), low.y < top);
    let to = select(high.x, low.x + slope * (bottom - low.y), high.y > bottom);
    return vec2<f32>(min(reach.x, min(from_, to)), max(reach.y, max(from_, to)));
}
