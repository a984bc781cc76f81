//! What compute shaders draw of a frame: agents, sample by sample, and the picture.

use super::Space;
use super::actors::ARGUMENTS;
use super::clock::Pass;
use super::frame::begin;
use super::levels::{CLOSE, FULL, IMPOSTOR, REDUCED};
use super::light::Baker;
use super::settings::Settings;
use super::targets::Targets;
use crate::draw::layout::{bind, bind_buffers};
use crate::look::Look;
use wgpu::{BindingResource, Buffer, CommandEncoder, LoadOp};

/// Workgroups that draw large triangles, for hardware and for software: enough to keep it busy.
const LARGE_GROUPS: [u32; 2] = [4096, 16];

impl Space {
    /// What samples show before agents do, and the pyramid of that.
    pub(super) fn draw_pyramid(&self, encoder: &mut CommandEncoder) {
        let Some(targets) = &self.targets else { return };
        let device = self.gpu.device();
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("pyramid"),
            timestamp_writes: self.clock.of_compute(Pass::Pyramid),
        });
        let [depths, colours] = targets.samples.each_ref().map(Buffer::as_entire_binding);
        let all = [BindingResource::TextureView(&targets.depth), depths, colours];
        pass.set_bind_group(0, &bind(device, &self.layouts.solids, &all), &[]);
        pass.set_bind_group(1, &self.nothing, &[]);
        pass.set_bind_group(2, &self.spaces[0], &[]);
        pass.set_pipeline(&self.pipelines.solids);
        let [wide, high] = targets.size.map(|n| n.div_ceil(8));
        pass.dispatch_workgroups(wide, high, 1);
        self.build_pyramid(&mut pass, targets);
    }

    /// Of all depths that are there by now.
    fn build_pyramid(&self, pass: &mut wgpu::ComputePass<'_>, targets: &Targets) {
        let all =
            [targets.samples[0].as_entire_binding(), targets.pyramid(), targets.pyramid_levels.as_entire_binding()];
        pass.set_bind_group(0, &bind(self.gpu.device(), &self.layouts.pyramid, &all), &[]);
        pass.set_bind_group(1, &self.nothing, &[]);
        pass.set_bind_group(2, &self.spaces[0], &[]);
        let [first, rest] = &self.pipelines.pyramid;
        pass.set_pipeline(first);
        pass.dispatch_workgroups(targets.size[0].div_ceil(32), targets.size[1].div_ceil(32), 1);
        pass.set_pipeline(rest);
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Agents in the camera's picture, sample by sample: first how near they are, then their colours.
    pub(super) fn draw_agents(&self, encoder: &mut CommandEncoder, settings: &Settings, look: &Look, count: u32) {
        let Some(targets) = &self.targets else { return };
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("agents"),
            timestamp_writes: self.clock.of_compute(Pass::Agents),
        });
        if look.agents <= 0.0 {
            return;
        }
        let [depths, colours] = &targets.samples;
        let samples = [depths, colours, &targets.large, &targets.pyramid_levels];
        let samples = bind_buffers(self.gpu.device(), &self.layouts.samples, &samples);
        let shares = self.crowd.shares(count, settings);
        let everybody: Vec<_> = self
            .crowd
            .actors
            .iter()
            .map(|actors| {
                let skinned = self.crowd.bound_skinned(actors, &self.skinned);
                let pictures = self.impostors.bound(&self.crowd.listed(actors));
                (
                    actors,
                    skinned,
                    self.crowd.bound(actors),
                    pictures,
                    self.crowd.bound_large(actors, &self.layouts.large),
                )
            })
            .collect();
        let [reset, draw_large] = &self.pipelines.large;
        for (phase, aims) in self.aims.iter().enumerate() {
            // Whoever is behind those who are drawn already need not be: near ones come first, and all before colours do.
            if phase == 1 && settings.occlusion {
                self.build_pyramid(&mut pass, targets);
            }
            for (actors, skinned, posed, pictures, large) in &everybody {
                for (list, aim) in aims.iter().enumerate().take(IMPOSTOR + 1) {
                    if phase == 0 && settings.occlusion && (FULL..=REDUCED).contains(&list) {
                        self.build_pyramid(&mut pass, targets);
                    }
                    let (kernel, group) = match list {
                        CLOSE => (&self.skinned.close_ups, skinned),
                        FULL if shares => (&self.skinned.full, skinned),
                        FULL..IMPOSTOR => (&self.pipelines.posed, posed),
                        _ => (&self.impostors.pipeline, pictures),
                    };
                    pass.set_bind_group(1, &self.lights[Baker::last()], &[]);
                    pass.set_bind_group(2, aim, &[]);
                    pass.set_bind_group(3, &samples, &[]);
                    if list < IMPOSTOR {
                        pass.set_bind_group(0, large, &[]);
                        pass.set_pipeline(reset);
                        pass.dispatch_workgroups(1, 1, 1);
                    }
                    pass.set_pipeline(kernel);
                    pass.set_bind_group(0, group, &[]);
                    pass.dispatch_workgroups_indirect(&actors.arguments, list as u64 * ARGUMENTS);
                    if list < IMPOSTOR {
                        pass.set_bind_group(0, large, &[]);
                        pass.set_pipeline(draw_large);
                        pass.dispatch_workgroups(LARGE_GROUPS[usize::from(self.gpu.is_software())], 1, 1);
                    }
                }
            }
        }
    }

    /// Walls, and the picture from what all samples show.
    pub(super) fn draw_picture(&self, encoder: &mut CommandEncoder) {
        let Some(targets) = &self.targets else { return };
        let light = &self.lights[Baker::last()];
        if let Some(walls) = &targets.walls {
            let clear = if targets.walled == 1 { LoadOp::Clear(wgpu::Color::TRANSPARENT) } else { LoadOp::Load };
            let depth = Some((&targets.depth, LoadOp::Load));
            let mut pass =
                begin(encoder, "walls", Some((walls, clear)), depth, self.clock.of_render(Pass::Main, true, false));
            pass.set_bind_group(0, &self.nothing, &[]);
            pass.set_bind_group(1, light, &[]);
            pass.set_bind_group(2, &self.spaces[0], &[]);
            pass.set_pipeline(&self.pipelines.lit_props);
            self.draw_props(&mut pass);
        }
        let [depths, colours] = targets.samples.each_ref().map(Buffer::as_entire_binding);
        let [sums, nearest] = self.sums.sums.each_ref().map(Buffer::as_entire_binding);
        let all = [
            BindingResource::TextureView(&self.drape.all),
            BindingResource::Sampler(&self.over),
            BindingResource::TextureView(targets.walls.as_ref().unwrap_or(&self.no_walls)),
            BindingResource::TextureView(&targets.picture[0]),
            depths,
            colours,
            sums,
            nearest,
            self.mists.as_entire_binding(),
        ];
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("picture"),
            timestamp_writes: self.clock.of_last_compute(Pass::Main, targets.walls.is_none()),
        });
        pass.set_pipeline(&self.pipelines.resolve);
        pass.set_bind_group(0, &bind(self.gpu.device(), &self.layouts.resolve, &all), &[]);
        pass.set_bind_group(1, light, &[]);
        pass.set_bind_group(2, &self.spaces[0], &[]);
        let [wide, high] = targets.size.map(|n| n.div_ceil(8));
        pass.dispatch_workgroups(wide, high, 1);
    }
}
