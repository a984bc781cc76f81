// The generator of random.rs, word for word.

const TIE: u32 = 7u;
const ENTRY: u32 = 6u;
const TO_POINT: u32 = 9u;
const PATIENCE: u32 = 10u;
const STAY: u32 = 11u;
const AGGRESSIVENESS: u32 = 12u;
const CLIP: u32 = 13u;
const CHANCE: u32 = 14u;
const GOAL_DISTANCE: u32 = 15u;
const BEHAVIOUR: u32 = 16u;

fn draw(seed: u32, id: u32, purpose: u32, step: u32) -> vec4<u32> {
    var v = vec4<u32>(seed, id, purpose, step) * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> vec4<u32>(16u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

fn unit(word: u32) -> f32 { return f32(word >> 8u) * (1.0 / 16777216.0); }
