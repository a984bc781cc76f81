// Avoid, of the steering `social-force`: see mod.rs and cpu.rs. A thread has a place of the list of cells, so that neighbours of threads are
// neighbours of people, and read the same ones around.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> world: array<vec4<u32>>;
// Velocity and heading.
@group(0) @binding(5) var<storage, read_write> wanted: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> records: array<Record>;
@group(0) @binding(7) var<storage, read> cells: array<u32>;
// The force of people, then of walls and crowded cells.
@group(0) @binding(8) var<storage, read_write> forces: array<vec4<f32>>;
@group(0) @binding(9) var<uniform> steering: Steering;

const BACK: f32 = 0.03015369;
const SAME_PLACE: f32 = 1e-3;
const WALL_REACH: f32 = 3.0;
const STANDING: f32 = 0.02;
const TURN: f32 = 0.5;
// Choices by the place of their word.
const DISPERSION: u32 = 0u;
const STANDARD: u32 = 2u;
const WEIDMANN: u32 = 0u;

// The cells around one and itself: the first, and the last.
struct Around {
    low: vec2<u32>,
    high: vec2<u32>,
}

fn around(xy: vec2<u32>) -> Around {
    let most = vec2<u32>(params.blocks_wide, params.blocks / params.blocks_wide) - 1u;
    return Around(max(xy, vec2<u32>(1u)) - 1u, min(xy + 1u, most));
}

fn count_in(cell: u32) -> u32 { return cells[cell + 1u] - cells[cell]; }

// The force of everybody around.
fn force_of_people(place: u32, near: Around, heading: vec2<f32>) -> vec2<f32> {
    let own = records[place];
    let per_range = 1.0 / steering.range;
    var sum = vec2<f32>(0.0);
    for (var y = near.low.y; y <= near.high.y; y++) {
        let end = cells[y * params.blocks_wide + near.high.x + 1u];
        for (var j = cells[y * params.blocks_wide + near.low.x]; j < end; j++) {
            let seen = look(own, records[j]);
            let square = dot(seen.xy, seen.xy);
            let far = square * per_range * per_range;
            let taper = 1.0 - far * far;
            if (taper <= 0.0) { continue; }
            let ahead = max(dot(seen.xy, seen.zw), 0.0);
            let distance = sqrt(max(square - ahead * ahead, SAME_PLACE * SAME_PLACE));
            let back = dot(seen.xy, heading);
            let weight = select(1.0, steering.behind, back > 0.0 && back * back > BACK * square);
            sum += (seen.xy - seen.zw * ahead) * (weight * taper * exp(-distance * per_range) / distance);
        }
    }
    return sum * (steering.strength * per_range);
}

// Whether there is anything in a cell to stand on.
fn has_floor(xy: vec2<u32>) -> bool {
    let first = xy * params.block_side;
    let end = min(first + params.block_side, vec2<u32>(params.width, params.height));
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            if ((world[y * params.width + x].x & SOLID) == 0u) { return true; }
        }
    }
    return false;
}

// The force of the cells around one on somebody who goes some way.
fn force_of_cells(xy: vec2<u32>, near: Around, way: vec2<f32>) -> vec2<f32> {
    if (steering.congestion == STANDARD) { return vec2<f32>(0.0); }
    let own = count_in(xy.y * params.blocks_wide + xy.x);
    let leaves = steering.congestion == DISPERSION && own >= steering.dense;
    var force = vec2<f32>(0.0);
    for (var y = near.low.y; y <= near.high.y; y++) {
        for (var x = near.low.x; x <= near.high.x; x++) {
            let offset = vec2<f32>(vec2<u32>(x, y)) - vec2<f32>(xy);
            let count = count_in(y * params.blocks_wide + x);
            if (count > steering.crowded) { force -= offset * (steering.avoidance * f32(count - steering.crowded)); }
            if (leaves && count < steering.crowded && has_floor(vec2<u32>(x, y))) {
                let along = dot(offset, way);
                let is_ahead = along > 0.0 && along * along > BACK * dot(offset, offset);
                force += offset * (steering.dispersion * f32(steering.crowded - count) * select(steering.drawn_back, 1.0, is_ahead));
            }
        }
    }
    return force;
}

// The force of the nearest wall.
fn force_of_walls(p: vec2<f32>, radius: f32) -> vec2<f32> {
    let far = WALL_REACH * steering.wall_range;
    let reach = radius + far;
    if (!any_around(p, reach)) { return vec2<f32>(0.0); }
    var nearest = vec2<f32>(reach);
    var square = reach * reach;
    // Every place within reach is near one of these, and so are its segments in that cell's list.
    let count = u32(ceil(2.0 * reach / params.wall_reach)) + 1u;
    for (var row = 0u; row < count; row++) {
        for (var column = 0u; column < count; column++) {
            let list = near(cell_at(p - reach + vec2<f32>(f32(column), f32(row)) * params.wall_reach));
            for (var s = 0u; s < list.count; s++) {
                let away = p - closest(numbers(list.first + s), p);
                if (dot(away, away) < square) {
                    nearest = away;
                    square = dot(away, away);
                }
            }
        }
    }
    let distance = length(nearest);
    let gap = max(distance - radius, 0.0);
    if (gap >= far || distance < SAME_PLACE) { return vec2<f32>(0.0); }
    let strength = steering.wall_strength / steering.wall_range * exp(-gap / steering.wall_range) * (1.0 - gap / far);
    return nearest * (strength / distance);
}

// The share of the preferred speed that is left in a cell.
fn share_of_speed(xy: vec2<u32>) -> f32 {
    if (steering.cell_law != WEIDMANN) { return 1.0; }
    let first = xy * params.block_side;
    let size = vec2<f32>(min(first + params.block_side, vec2<u32>(params.width, params.height)) - first);
    let area = size.x * size.y * params.cell * params.cell;
    let density = f32(count_in(xy.y * params.blocks_wide + xy.x)) / area;
    return max(1.0 - exp(-1.913 * (1.0 / max(density, 1e-3) - 1.0 / 5.4)), 0.0);
}

@compute @workgroup_size(128)
fn social_force(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                @builtin(local_invocation_index) lane: u32) {
    let place = item(group, groups, lane, 128u);
    if (place >= cells[params.blocks]) { return; }
    let i = cells[params.blocks + 1u + place];
    let here = motion[i];
    let told = guide[i];
    let heading = heading_of(body[i]);
    let xy = cell_xy(here.xy) / params.block_side;
    let near = around(xy);
    let repelled = force_of_people(place, near, heading);
    let aside = force_of_cells(xy, near, told.xy) + force_of_walls(here.xy, radius_of(body[i]));
    forces[i] = vec4<f32>(repelled, aside);
    if (told.x == 0.0 && told.y == 0.0) {
        wanted[i] = vec4<f32>(0.0, 0.0, heading);
        return;
    }
    let pace = params.dt / steering.relaxation;
    var velocity = (here.zw + told.xy * (told.z * pace) + (repelled + aside) * params.dt) * (1.0 / (1.0 + pace));
    let most = told.z * share_of_speed(xy);
    var speed = length(velocity);
    if (speed > most) {
        velocity *= most / speed;
        speed = most;
    }
    var facing = heading;
    if (speed >= STANDING) {
        let way = velocity / speed;
        facing = turned(heading, way, dot(heading, way), TURN * told.w * params.dt);
    }
    wanted[i] = vec4<f32>(velocity, facing);
}
