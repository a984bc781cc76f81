//! Shaders are valid WGSL, and keep to WebGPU's default limits: 8 storage buffers, 256 threads, 16 KiB of workgroup memory.
#![cfg(feature = "gpu")]

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ShaderStage};

fn parse(name: &str, text: &str) -> (Module, naga::valid::ModuleInfo) {
    let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(text)));
    // No capability beyond plain WebGPU.
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(text)));
    (module, info)
}

#[test]
fn every_shader_is_valid_without_any_extension() {
    let mut count = 0;
    for (name, text) in throng::engine::gpu::shaders() {
        let (module, _) = parse(name, &text);
        assert!(!module.entry_points.is_empty(), "{name} has no kernel");
        count += 1;
    }
    assert!(count >= 20, "only {count} shaders are listed");
}

#[test]
fn every_shader_keeps_to_the_default_limits() {
    for (name, text) in throng::engine::gpu::shaders() {
        let (module, info) = parse(name, &text);
        let mut layouter = naga::proc::Layouter::default();
        layouter.update(module.to_ctx()).unwrap();
        // Layouts are made from a shader's declarations, used or not.
        let storage =
            module.global_variables.iter().filter(|(_, v)| matches!(v.space, AddressSpace::Storage { .. })).count();
        assert!(storage <= 8, "{name} declares {storage} storage buffers");
        for (index, entry) in module.entry_points.iter().enumerate() {
            assert_eq!(entry.stage, ShaderStage::Compute);
            let threads: u32 = entry.workgroup_size.iter().product();
            assert!(threads <= 256, "{name}::{} has {threads} threads", entry.name);
            let used = info.get_entry_point(index);
            let shared: u32 = module
                .global_variables
                .iter()
                .filter(|(h, v)| v.space == AddressSpace::WorkGroup && !used[*h].is_empty())
                .map(|(_, v)| layouter[v.ty].size)
                .sum();
            assert!(shared <= 16 * 1024, "{name}::{} uses {shared} bytes of workgroup memory", entry.name);
        }
    }
}

#[test]
fn every_binding_has_a_number_of_its_own() {
    for (name, text) in throng::engine::gpu::shaders() {
        let (module, _) = parse(name, &text);
        let mut seen = std::collections::BTreeSet::new();
        for (_, variable) in module.global_variables.iter() {
            if let Some(binding) = &variable.binding {
                assert!(seen.insert((binding.group, binding.binding)), "{name}: {:?} twice", variable.name);
            }
        }
    }
}
