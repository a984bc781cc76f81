// On slopes: see world/terrain.rs. Per cell the factors of its links, then of all cells slope x, y, pace and height.
@group(0) @binding(7) var<storage, read> terrain: array<vec4<f32>>;

fn on_slopes(speed_of: vec4<f32>, cell: u32) -> vec4<f32> { return speed_of * terrain[cell]; }

fn open_links(links: u32, cell: u32) -> u32 {
    let bits = select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), terrain[cell] > vec4<f32>(0.0));
    return links & (bits.x | bits.y | bits.z | bits.w);
}

fn mean_pace(cell: u32) -> f32 { return terrain[params.cells + cell].z; }
