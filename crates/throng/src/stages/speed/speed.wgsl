// Speed: how fast one can walk from each cell to its four neighbours. See mod.rs for the laws.

@group(0) @binding(1) var<storage, read> average: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> world: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> law_table: array<f32>;
@group(0) @binding(4) var<storage, read_write> speed: array<vec4<f32>>;

const TABLE: f32 = 1024.0;
const WEIDMANN: u32 = 0u;

fn least(zone: f32) -> f32 { return params.least_speed * min(zone, 1.0); }

fn towards(here: vec4<f32>, along: f32, zone: f32) -> f32 {
    let floor_speed = least(zone);
    if (params.speed_law == WEIDMANN) {
        let persons = max(here.x * params.persons_per_density, 0.0);
        let t = min(persons * params.entries_per_person, TABLE);
        let i = u32(t);
        let a = law_table[i];
        let share = a + (law_table[i + 1u] - a) * (t - f32(i));
        let weight = 0.5 * params.flow_weight * (persons / (persons + 1.0));
        let free = max(params.reference * zone * share, floor_speed);
        return max(free - weight * (free - clamp(along, -free, free)), floor_speed);
    }
    let top = params.reference * zone;
    let flow = min(max(along, floor_speed), top);
    let t = clamp((here.x - params.density_min) / (params.density_max - params.density_min), 0.0, 1.0);
    return max(top - t * (top - flow), floor_speed);
}

fn one(cell: u32, links: u32, bit: u32, step: i32, way: vec2<f32>) -> f32 {
    // Where the way is closed nobody walks, but a body sliding along the wall still asks.
    let ahead = select(cell, u32(i32(cell) + step), (links & bit) != 0u);
    var here = average[ahead];
    if (EMPTY) { here = vec4<f32>(0.0); }
    return towards(here, dot(here.yz, way), bitcast<f32>(world[ahead].y));
}

// For a plan that does not follow the crowd: the speeds of a floor without anybody.
override EMPTY: bool = false;

@compute @workgroup_size(256)
fn speeds(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
          @builtin(local_invocation_index) lane: u32) {
    let cell = item(group, groups, lane, 256u);
    if (cell >= params.cells) { return; }
    let links = world[cell].x;
    let row = i32(params.width);
    speed[cell] = vec4<f32>(
        one(cell, links, 1u, row, vec2<f32>(0.0, 1.0)),
        one(cell, links, 2u, 1, vec2<f32>(1.0, 0.0)),
        one(cell, links, 4u, -row, vec2<f32>(0.0, -1.0)),
        one(cell, links, 8u, -1, vec2<f32>(-1.0, 0.0)),
    );
}
