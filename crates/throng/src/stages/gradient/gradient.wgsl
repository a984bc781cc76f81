// Gradient: which way to walk from each cell, for every route: see mod.rs. Directions are packed in 2 x 16 bits.

@group(0) @binding(1) var<storage, read> cost: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> potential: array<f32>;
@group(0) @binding(3) var<storage, read_write> directions: array<u32>;
// The cost field of each route comes first; links through portals are behind.
@group(0) @binding(4) var<storage, read> seeds: array<u32>;

override COST_FIELDS: u32 = 1u;

fn value(route: u32, xy: vec2<u32>, closed: bool) -> f32 {
    if (closed) { return UNREACHED; }
    return potential[per_route(route, xy)];
}

@compute @workgroup_size(256)
fn gradients(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
             @builtin(local_invocation_index) lane: u32) {
    let tile = item(group, groups, 0u, 1u);
    let xy = vec2<u32>(tile % params.tiles_x, tile / params.tiles_x) * 16u + vec2<u32>(lane & 15u, lane >> 4u);
    if (tile >= params.tiles || xy.x >= params.width || xy.y >= params.height) { return; }
    var c = cost[tile * 256u + lane];
    var shut = c >= vec4<f32>(UNREACHED);
    for (var route = 0u; route < params.routes; route++) {
        if (COST_FIELDS > 1u) {
            c = cost[(seeds[route] * params.tiles + tile) * 256u + lane];
            shut = c >= vec4<f32>(UNREACHED);
        }
        let p = potential[route * params.tiles * 256u + tile * 256u + lane];
        var packed = NO_WAY;
        if (p == 0.0) {
            packed = ARRIVED_HERE;
        } else if (p < UNREACHED) {
            let around = vec4<f32>(
                value(route, xy + vec2<u32>(0u, 1u), shut.x),
                value(route, xy + vec2<u32>(1u, 0u), shut.y),
                value(route, xy - vec2<u32>(0u, 1u), shut.z),
                value(route, xy - vec2<u32>(1u, 0u), shut.w),
            );
            // By the chosen rule: upwind.wgsl, central.wgsl.
            let way = way_from(p, around, c);
            let square = dot(way, way);
            if (square > 1e-24) { packed = pack2x16snorm(way * (1.0 / sqrt(square))); }
        }
        directions[cell_index(xy) * params.routes + route] = packed;
    }
}

// Before goals that are closed or full people wait: one thread a cell and route.
@compute @workgroup_size(64)
fn hold(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 64u);
    if (i < params.held) { directions[seeds[params.held_at + i]] = WAIT_HERE; }
}

// Where the cheapest way leads through a portal: one thread a link and route.
@compute @workgroup_size(64)
fn send_through(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 64u);
    if (i >= params.portal_links * params.routes) { return; }
    let route = i / params.portal_links;
    let link = portal_link(i % params.portal_links, seeds[route]);
    let first = route * params.tiles * 256u;
    let here = potential[first + link.begin];
    let there = potential[first + link.end];
    if (here > 0.0 && there < UNREACHED && here >= there + link.cost) {
        let tile = link.begin / 256u;
        let k = link.begin % 256u;
        let xy = vec2<u32>(tile % params.tiles_x, tile / params.tiles_x) * 16u + vec2<u32>(k & 15u, k >> 4u);
        directions[cell_index(xy) * params.routes + route] = THROUGH | link.passage;
    }
}
