// What every shader begins with: the scene's numbers, the raster, and how work is numbered.
// The Rust side of Params is engine/gpu/params.rs, field by field.

struct Params {
    width: u32,
    height: u32,
    cells: u32,
    goals: u32,
    tiles_x: u32,
    tiles_y: u32,
    tiles: u32,
    agents: u32,
    cell: f32,
    per_metre: f32,
    dt: f32,
    widest: f32,
    stride: f32,
    wall_reach: f32,
    wall_tiles_x: u32,
    solids: u32,
    seed: u32,
    step: u32,
    groups: u32,
    law: u32,
    reference: f32,
    per_reference: f32,
    flow_weight: f32,
    min_speed: f32,
    density_min: f32,
    density_max: f32,
    persons_per_density: f32,
    entries_per_person: f32,
    length_cost: f32,
    time_cost: f32,
    discomfort_cost: f32,
    free_cost: f32,
    window: u32,
    keep_maps: u32,
    columns: u32,
    search: u32,
    sampled_tiles: u32,
    sample_every: u32,
    use_amount: f32,
    round_limit: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

const UNREACHED: f32 = 1e15;
const QUANTA: f32 = 65536.0;

const NORTH: u32 = 0u;
const EAST: u32 = 1u;
const SOUTH: u32 = 2u;
const WEST: u32 = 3u;

// Bits of a cell's flags, as in world/walls/mod.rs; WIDE: a wall may be within the widest body's footprint; PAINTED: the
// whole cell is wall.
const SOLID: u32 = 16u;
const NEAR: u32 = 32u;
const WIDE: u32 = 64u;
const PAINTED: u32 = 128u;

const WALKING: u32 = 0u;
const WAITING: u32 = 1u;
const OUTSIDE: u32 = 2u;
const PARKED: u32 = 3u;

// An agent is four columns: motion (position, velocity), body (heading, radius, preferred speed), journey (id,
// goal | group << 16, leg | state << 16, wake) and turn.
fn goal_of(journey: vec4<u32>) -> u32 { return journey.y & 0xffffu; }
fn group_of(journey: vec4<u32>) -> u32 { return journey.y >> 16u; }
fn leg_of(journey: vec4<u32>) -> u32 { return journey.z & 0xffffu; }
fn state_of(journey: vec4<u32>) -> u32 { return journey.z >> 16u; }
fn on_floor(journey: vec4<u32>) -> bool { return state_of(journey) <= WAITING; }

// Work in one row of threads may need two dimensions of workgroups.
fn item(group: vec3<u32>, groups: vec3<u32>, lane: u32, size: u32) -> u32 {
    return (group.y * groups.x + group.x) * size + lane;
}

fn cell_xy(p: vec2<f32>) -> vec2<u32> {
    let q = max(p * params.per_metre, vec2<f32>(0.0));
    return min(vec2<u32>(q), vec2<u32>(params.width - 1u, params.height - 1u));
}

fn cell_index(xy: vec2<u32>) -> u32 { return xy.y * params.width + xy.x; }

fn cell_at(p: vec2<f32>) -> u32 { return cell_index(cell_xy(p)); }

fn cell_middle(xy: vec2<u32>) -> vec2<f32> { return (vec2<f32>(xy) + 0.5) * params.cell; }

fn in_world(p: vec2<f32>) -> bool {
    let size = vec2<f32>(f32(params.width), f32(params.height)) * params.cell;
    return p.x >= 0.0 && p.y >= 0.0 && p.x < size.x && p.y < size.y;
}

// Costs and potentials lie tile by tile, 16 x 16 cells each.
fn tiled(xy: vec2<u32>) -> u32 {
    let tile = (xy.y >> 4u) * params.tiles_x + (xy.x >> 4u);
    return tile * 256u + ((xy.y & 15u) << 4u) + (xy.x & 15u);
}

fn per_goal(goal: u32, xy: vec2<u32>) -> u32 { return goal * params.tiles * 256u + tiled(xy); }

// The half-width of an agent's footprint: twice the radius, at least a cell.
fn footprint(radius: f32) -> f32 { return max(2.0 * radius, params.cell); }

fn unit_or_zero(v: vec2<f32>) -> vec2<f32> {
    let square = dot(v, v);
    if (square > 1e-30) { return v * (1.0 / sqrt(square)); }
    return vec2<f32>(0.0);
}

fn cross2(a: vec2<f32>, b: vec2<f32>) -> f32 { return a.x * b.y - a.y * b.x; }
