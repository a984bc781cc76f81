// Agents whom characters.wgsl poses, in the colours of skin.wgsl.

@vertex fn stand(
    @builtin(instance_index) instance: u32,
    @location(0) vertex: vec4<u32>,
    @location(1) skin: vec3<u32>,
) -> Skin {
    let agent = who_of(instance);
    return dressed(characters[agent], posed(agent, vertex, skin), skin.z & 0xffu, f32((skin.z >> 8u) & 0xffu) / 255.0);
}
