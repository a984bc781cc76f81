// Hazards in this step: see hazards.rs. Needs nothing but the prelude.

struct Disc {
    centre: vec2<f32>,
    radius: f32,
    reach: f32,
    strength: f32,
    number: u32,
    padding: vec2<u32>,
}

struct Hazards {
    count: vec4<u32>,
    discs: array<Disc, 64>,
}

@group(0) @binding(20) var<uniform> hazards: Hazards;

// How bad it is somewhere.
fn hazard_amount(p: vec2<f32>) -> f32 {
    var sum = 0.0;
    for (var k = 0u; k < hazards.count.x; k++) {
        let disc = hazards.discs[k];
        sum += disc.strength * max(1.0 - distance(p, disc.centre) / disc.reach, 0.0);
    }
    return sum;
}

// How far somebody is from the rim of the nearest hazard, m: below 0 inside, 1e9 if there is none.
fn hazard_distance(p: vec2<f32>) -> f32 {
    var least = 1e9;
    for (var k = 0u; k < hazards.count.x; k++) {
        least = min(least, distance(p, hazards.discs[k].centre) - hazards.discs[k].radius);
    }
    return least;
}
