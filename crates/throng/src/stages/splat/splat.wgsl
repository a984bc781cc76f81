// Splat: see mod.rs. A workgroup collects the agents of 16 x 16 cells in its own memory, so that a dense cell costs
// no storm of atomics on the device's, and then adds what it has to the world's cells.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> quanta: array<atomic<i32>>;

// The tile and four cells around it; what reaches farther goes straight to the world.
const SIDE: i32 = 24;
const HALO: i32 = 4;
// No cell of a workgroup holds more, so that the sum of the workgroups that reach a cell cannot overflow.
const MOST: i32 = 0x1fffffff;

var<workgroup> sums: array<atomic<i32>, 2304>;
var<workgroup> runs: array<u32, 17>;
var<workgroup> total: u32;

fn deposit(origin: vec2<i32>, xy: vec2<u32>, amounts: vec4<f32>, weight: f32) {
    let q = vec4<i32>(round(amounts * weight));
    let local = vec2<i32>(xy) - origin;
    if (local.x >= 0 && local.y >= 0 && local.x < SIDE && local.y < SIDE) {
        let at = (local.y * SIDE + local.x) * 4;
        atomicAdd(&sums[at], q.x);
        atomicAdd(&sums[at + 1], q.y);
        atomicAdd(&sums[at + 2], q.z);
        atomicAdd(&sums[at + 3], q.w);
    } else {
        let at = cell_index(xy) * 4u;
        atomicAdd(&quanta[at], q.x);
        atomicAdd(&quanta[at + 1u], q.y);
        atomicAdd(&quanta[at + 2u], q.z);
        atomicAdd(&quanta[at + 3u], q.w);
    }
}

// Grows the reached cells of a window, rows of bits, through open links.
fn flood(reached: ptr<function, array<u32, 32>>, low: vec2<u32>, wide: u32, tall: u32) {
    var growing = true;
    while (growing) {
        growing = false;
        for (var y = 0u; y < tall; y++) {
            for (var x = 0u; x < wide; x++) {
                if (((*reached)[y] & (1u << x)) == 0u) { continue; }
                let links = world[cell_index(low + vec2<u32>(x, y))].x;
                var east = 0u;
                if ((links & 2u) != 0u && x + 1u < wide) { east |= 2u << x; }
                if ((links & 8u) != 0u && x > 0u) { east |= 1u << (x - 1u); }
                if (((*reached)[y] & east) != east) {
                    (*reached)[y] |= east;
                    growing = true;
                }
                if ((links & 1u) != 0u && y + 1u < tall && ((*reached)[y + 1u] & (1u << x)) == 0u) {
                    (*reached)[y + 1u] |= 1u << x;
                    growing = true;
                }
                if ((links & 4u) != 0u && y > 0u && ((*reached)[y - 1u] & (1u << x)) == 0u) {
                    (*reached)[y - 1u] |= 1u << x;
                    growing = true;
                }
            }
        }
    }
}

fn cone_weight(xy: vec2<u32>, p: vec2<f32>, half_width: f32, cone: bool) -> f32 {
    let away = abs(cell_middle(xy) - p) / half_width;
    if (cone) { return max(1.0 - length(away), 0.0); }
    return max(1.0 - away.x, 0.0) * max(1.0 - away.y, 0.0);
}

fn add(origin: vec2<i32>, i: u32) {
    let here = motion[i];
    let p = here.xy;
    let radius = radius_of(body[i]);
    let density = 4.1887902 * radius * radius / (params.cell * params.cell);
    let amounts = vec4<f32>(density, density * here.z, density * here.w, 1.0) * QUANTA;
    let own = cell_xy(p);
    let flags = world[cell_index(own)].x;
    let half_width = footprint(radius);
    let cone = 2.0 * radius > params.cell;
    let u = p * params.per_metre - 0.5;
    let corner = vec2<i32>(floor(max(u, vec2<f32>(-1.0))));
    let inner = all(corner >= vec2<i32>(0)) && corner.x + 1 < i32(params.width) && corner.y + 1 < i32(params.height);
    if (inner && !cone && (flags & NEAR) == 0u) {
        let f = u - vec2<f32>(corner);
        let c = vec2<u32>(corner);
        deposit(origin, c, amounts, (1.0 - f.x) * (1.0 - f.y));
        deposit(origin, c + vec2<u32>(1u, 0u), amounts, f.x * (1.0 - f.y));
        deposit(origin, c + vec2<u32>(0u, 1u), amounts, (1.0 - f.x) * f.y);
        deposit(origin, c + vec2<u32>(1u, 1u), amounts, f.x * f.y);
        return;
    }
    let walled = (flags & WIDE) != 0u;
    var home = own;
    if (walled) {
        let a = anchor(p);
        home = vec2<u32>(a % params.width, a / params.width);
    }
    let low = min(vec2<u32>(max(floor((p - half_width) / params.cell), vec2<f32>(0.0))), home);
    let top = vec2<u32>(params.width - 1u, params.height - 1u);
    let high = clamp(vec2<u32>(max(floor((p + half_width) / params.cell), vec2<f32>(0.0))), home, top);
    // Rows of at most 32 cells as bits: flooded from the agent's own cell through open links.
    var reached: array<u32, 32>;
    let wide = high.x - low.x + 1u;
    let tall = high.y - low.y + 1u;
    let row_mask = select((1u << (wide & 31u)) - 1u, 0xffffffffu, wide >= 32u);
    for (var y = 0u; y < tall; y++) { reached[y] = select(row_mask, 0u, walled); }
    if (walled) {
        reached[home.y - low.y] = 1u << (home.x - low.x);
        flood(&reached, low, wide, tall);
    }
    var sum = 0.0;
    for (var y = 0u; y < tall; y++) {
        for (var x = 0u; x < wide; x++) {
            if ((reached[y] & (1u << x)) != 0u) { sum += cone_weight(low + vec2<u32>(x, y), p, half_width, cone); }
        }
    }
    if (sum <= 0.0) {
        deposit(origin, home, amounts, 1.0);
        return;
    }
    for (var y = 0u; y < tall; y++) {
        for (var x = 0u; x < wide; x++) {
            if ((reached[y] & (1u << x)) == 0u) { continue; }
            let xy = low + vec2<u32>(x, y);
            let weight = cone_weight(xy, p, half_width, cone);
            if (weight > 0.0) { deposit(origin, xy, amounts, weight / sum); }
        }
    }
}

@compute @workgroup_size(256)
fn tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) lane: u32) {
    let tile = item(group, groups, 0u, 1u);
    if (tile >= params.tiles) { return; }
    let first = vec2<u32>(tile % params.tiles_x, tile / params.tiles_x) * 16u;
    let last = min(first + 16u, vec2<u32>(params.width, params.height));
    let origin = vec2<i32>(first) - HALO;
    for (var k = lane; k < 2304u; k += 256u) { atomicStore(&sums[k], 0); }
    if (lane == 0u) {
        var n = 0u;
        for (var y = 0u; y < 16u; y++) {
            runs[y] = n;
            if (first.y + y < last.y) {
                let row = (first.y + y) * params.width;
                n += starts[row + last.x] - starts[row + first.x];
            }
        }
        runs[16] = n;
        total = n;
    }
    let n = workgroupUniformLoad(&total);
    if (n == 0u) { return; }
    for (var base = 0u; base < n; base += 256u) {
        let k = base + lane;
        if (k < n) {
            var y = 0u;
            while (runs[y + 1u] <= k) { y++; }
            add(origin, starts[(first.y + y) * params.width + first.x] + k - runs[y]);
        }
        if (n > 1024u) {
            workgroupBarrier();
            for (var c = lane; c < 2304u; c += 256u) {
                atomicStore(&sums[c], clamp(atomicLoad(&sums[c]), -MOST, MOST));
            }
            workgroupBarrier();
        }
    }
    workgroupBarrier();
    for (var c = lane; c < 2304u; c += 256u) {
        let value = atomicLoad(&sums[c]);
        if (value == 0) { continue; }
        let cell = i32(c / 4u);
        let xy = vec2<u32>(origin + vec2<i32>(cell % SIDE, cell / SIDE));
        atomicAdd(&quanta[cell_index(xy) * 4u + (c & 3u)], value);
    }
}
