// What agents are drawn into, twice: first the greatest depth of each sample is found, then whoever has it there is coloured. A depth and a colour do
// not fit into the 32 bits that an atomic has, and so no sample is coloured that another hides. Comes after light.wgsl.

// Four samples a pixel, row by row: depths, those of ground and walls at first, as bits of numbers that are never below 0; then light.
@group(3) @binding(0) var<storage, read_write> depths: array<atomic<u32>>;
@group(3) @binding(1) var<storage, read_write> colours: array<atomic<u32>>;

fn first_sample(pixel: vec2<u32>) -> u32 { return 4u * (pixel.y * u32(space.screen.x) + pixel.x); }

// Puts a depth to a sample. Whether it is to be coloured.
fn reaches(sample: u32, depth: f32) -> bool {
    let bits = bitcast<u32>(depth);
    let there = atomicLoad(&depths[sample]);
    if (draw_of.phase == 1u) { return bits == there; }
    if (bits > there) { atomicMax(&depths[sample], bits); }
    return false;
}

// Colours those of a pixel's samples that have a bit. If two have the same depth the greater word stays, in whatever order they come.
fn colour_samples(first: u32, mine: u32, light: vec3<f32>) {
    let colour = pack_colour(light);
    for (var s = 0u; s < 4u; s++) {
        if (((mine >> s) & 1u) == 1u) { atomicMax(&colours[first + s], colour); }
    }
}
