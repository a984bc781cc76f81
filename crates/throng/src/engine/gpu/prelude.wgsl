// What every shader begins with: the scene's numbers, the raster, and how work is numbered.
// `Params` comes from engine/gpu/params.rs.

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
const BETWEEN: u32 = 4u;
const STAYING: u32 = 5u;

// Instead of a goal: somebody heads for a point of its own.
const POINT: u32 = 0xffffu;

// An agent is three columns: motion (position, velocity), body (heading in 2 x 16 bits, then the bits of radius, preferred
// speed and turn rate) and journey (id, goal | group << 16, leg | state << 16 | informed << 31,
// wake). See engine/layout.rs.
fn heading_of(body: vec4<u32>) -> vec2<f32> { return unpack2x16snorm(body.x); }
fn radius_of(body: vec4<u32>) -> f32 { return bitcast<f32>(body.y); }
fn preferred_of(body: vec4<u32>) -> f32 { return bitcast<f32>(body.z); }
fn turn_of(body: vec4<u32>) -> f32 { return bitcast<f32>(body.w); }
fn goal_of(journey: vec4<u32>) -> u32 { return journey.y & 0xffffu; }
fn group_of(journey: vec4<u32>) -> u32 { return journey.y >> 16u; }
fn leg_of(journey: vec4<u32>) -> u32 { return journey.z & 0xffffu; }
fn state_of(journey: vec4<u32>) -> u32 { return (journey.z >> 16u) & 0xffu; }
// Whether it has seen that walls are not as they were; and the bit that says so.
const INFORMED: u32 = 0x80000000u;
fn informed_of(journey: vec4<u32>) -> u32 { return journey.z & INFORMED; }
fn on_floor(journey: vec4<u32>) -> bool {
    let state = state_of(journey);
    return state == WALKING || state == WAITING || state == STAYING;
}

// What a direction field holds: nothing, that this is the goal, that people wait here before it, that the way leads through a portal (0x80000000 and the
// number of the passage), or a direction in 2 x 16 bits (which is none of these: its halves are never -32768).
const NO_WAY: u32 = 0u;
const ARRIVED_HERE: u32 = 0x80008000u;
const WAIT_HERE: u32 = 0x80008001u;
const THROUGH: u32 = 0x80000000u;
fn is_way(code: u32) -> bool { return code != NO_WAY && (code >> 16u) != 0x8000u; }
fn is_passage(code: u32) -> bool { return (code >> 15u) == 0x10000u; }
fn way_of(code: u32) -> vec2<f32> { return select(vec2<f32>(0.0), unpack2x16snorm(code), is_way(code)); }

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

fn per_route(route: u32, xy: vec2<u32>) -> u32 { return route * params.tiles * 256u + tiled(xy); }

// The half-width of an agent's footprint: twice the radius, at least a cell.
fn footprint(radius: f32) -> f32 { return max(2.0 * radius, params.cell); }

fn unit_or_zero(v: vec2<f32>) -> vec2<f32> {
    let square = dot(v, v);
    if (square > 1e-30) { return v * (1.0 / sqrt(square)); }
    return vec2<f32>(0.0);
}

fn cross2(a: vec2<f32>, b: vec2<f32>) -> f32 { return a.x * b.y - a.y * b.x; }
