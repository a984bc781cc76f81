// On slopes: Terrain::walk in world/terrain.rs.
@group(0) @binding(7) var<storage, read> terrain: array<vec4<f32>>;

fn on_ground(p: vec2<f32>, wish: vec2<f32>) -> vec2<f32> {
    let cell = cell_at(p);
    let factors = terrain[cell];
    var way = wish;
    if (select(factors.w, factors.y, way.x > 0.0) == 0.0) { way.x = 0.0; }
    if (select(factors.z, factors.x, way.y > 0.0) == 0.0) { way.y = 0.0; }
    let far = length(way);
    if (far == 0.0 || params.slope_law != 0u) { return way; }
    let slope = dot(terrain[params.cells + cell].xy, way) / far;
    return way * exp(3.5 * (0.05 - abs(slope + 0.05)));
}
