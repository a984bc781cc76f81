//! A frame, pass by pass.

use super::actors::{ARGUMENTS, Actors};
use super::clock::Pass;
use super::crowd::FIGURES;
use super::figure::tall;
use super::hazards::Mist;
use super::levels::{CASTERS, FAR, LEVELS, LISTS, SKINNED_CASTERS, SMALL_CASTERS};
use super::light::{Baker, SUN, sun};
use super::numbers::{Draw, Numbers};
use super::settings::{Settings, Tint};
use super::shadow::{CASCADES, cascades};
use super::skinned::Skinned;
use super::targets::Targets;
use super::viewpoint::{Eye, FIELD_OF_VIEW, NEAR};
use super::{DrapeKey, Kind, Space, most_agents};
use crate::camera::Camera;
use crate::draw::layout::bind;
use crate::draw::memory::{buffer, filled};
use crate::draw::{Frame, Painter};
use crate::look::Look;
use crate::shot::ShownHazard;
use glam::{Vec2, Vec3, Vec4};
use wgpu::{BindingResource, BufferUsages, CommandEncoder, LoadOp, Operations, RenderPass, StoreOp, TextureView};

/// Air between here and as far as the world is long: so much of the light is lost on the way.
const AIR: f32 = 0.05;
/// Strips of the ground around the world, from ring to ring: see terrain.wgsl.
const APRON_STRIPS: u32 = 4;
/// No level is pinned.
const NOBODY: u32 = u32::MAX;

/// What a picture in three dimensions shows besides the frame.
#[derive(Clone, Copy, Debug)]
pub struct Scenery<'a> {
    /// How it is made.
    pub settings: &'a Settings,
    /// From where it is seen.
    pub eye: Eye,
    /// What people flee from.
    pub hazards: &'a [ShownHazard],
}

impl Space {
    /// Draws a frame, up to what [`Space::paint`] shows. The painter prepares what lies on the ground, and answers what
    /// the frame asks.
    pub fn prepare(
        &mut self,
        encoder: &mut CommandEncoder,
        painter: &mut Painter,
        frame: &Frame<'_>,
        scenery: &Scenery<'_>,
    ) {
        let size = frame.size.floor().max(Vec2::ONE);
        self.view = [frame.origin.x, frame.origin.y, size.x, size.y];
        let settings = scenery.settings;
        self.build(settings.walls);
        let walled = self.props.2 > 0 && frame.look.walls > 0.0;
        self.aim_at(size, frame, walled);
        let key = self.prepare_drape(encoder, painter, frame);
        let Some(shared) = painter.shared() else { return };
        if let Some(targets) = &mut self.targets {
            targets.begin_frame();
        }
        let count = u64::from(frame.crowd.count).min(most_agents(&self.gpu)) as u32;
        self.say_who_is_left_out(frame.crowd.count, count, settings);
        if self.skinned.vertices != settings.vertices {
            self.skinned = Skinned::new(self.gpu.device(), &self.layouts, settings.vertices);
        }
        self.crowd.prepare(encoder, (count, shared.known), settings);
        self.tell(frame, scenery, size, (count, shared.known));
        if !self.baked {
            let lights = [&self.lights[0], &self.lights[1]];
            self.baker.bake(&self.gpu, lights, &self.spaces[0]);
            self.baked = true;
        }
        if let Some(sittings) = self.sittings.take() {
            for actors in &self.crowd.actors {
                sittings.fill(&self.gpu, &actors.figure);
            }
        }
        self.put_hazards(scenery.hazards);
        self.crowd.clear(encoder);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("gather"),
                timestamp_writes: self.clock.of_compute(Pass::Gather),
            });
            if count > 0 {
                self.crowd.gather(&mut pass, (&frame.crowd, count), &shared, &self.spaces[0]);
            }
        }
        let drapes = key.is_some();
        self.draw_drape(encoder, painter, key);
        self.draw_depth(encoder, frame.look);
        self.draw_pyramid(encoder);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("decide"),
                timestamp_writes: self.clock.of_compute(Pass::Decide),
            });
            if let Some(targets) = &self.targets {
                let groups = [&self.nothing, &self.lights[Baker::last()], &self.spaces[0]];
                let pyramid = [targets.pyramid(), targets.pyramid_levels.as_entire_binding()];
                self.crowd.decide(&mut pass, count, pyramid, groups);
            }
        }
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("skin"),
                timestamp_writes: self.clock.of_compute(Pass::Skin),
            });
            self.crowd.skin(&mut pass, &self.skinned);
        }
        self.draw_shadows(encoder, settings, frame.look);
        self.sum_up(encoder, frame.look, count);
        self.draw_agents(encoder, settings, frame.look, count);
        self.draw_picture(encoder);
        let mut without = Vec::new();
        if !settings.shadows {
            without.push(Pass::Shadows);
        }
        if !drapes {
            without.push(Pass::Drape);
        }
        let limits = settings.pinned.is_none().then(|| self.crowd.limits(count, settings));
        self.clock.note(encoder, &self.crowd, limits, &without);
        self.drawn_at = Some(moment(frame));
    }

    /// Notes, once, if not all of so many are drawn.
    fn say_who_is_left_out(&mut self, all: u32, count: u32, settings: &Settings) {
        let device = &self.gpu.info().name;
        let drawn = self.crowd.drawn_pinned(count, settings);
        let (kind, note) = if count < all {
            let more = all - count;
            (Kind::Room, format!("{device} can draw {count} agents in three dimensions: {more} more are not shown"))
        } else if drawn < count {
            (
                Kind::Pinned,
                format!(
                    "at this level of detail {drawn} of {count} agents are drawn: {device} would be at more for too long"
                ),
            )
        } else {
            return;
        };
        self.note_once(kind, note);
    }

    /// What is drawn into, for a picture of this size.
    fn aim_at(&mut self, size: Vec2, frame: &Frame<'_>, walled: bool) {
        let size = [size.x as u32, size.y as u32];
        if self.targets.as_ref().is_none_or(|t| t.size != size || t.walls.is_some() != walled) {
            let targets = Targets::new(&self.gpu, size, walled);
            let all = [BindingResource::TextureView(&targets.picture[1]), self.origin.as_entire_binding()];
            self.tone = Some(bind(self.gpu.device(), &self.layouts.tone, &all));
            self.targets = Some(targets);
        }
        let origin = [frame.origin.x, frame.origin.y, 0.0, 0.0];
        self.gpu.queue().write_buffer(&self.origin, 0, bytemuck::cast_slice(&origin));
    }

    /// Lets the painter prepare what lies on the ground; what it follows from, if it has to be drawn anew.
    fn prepare_drape(
        &self,
        encoder: &mut CommandEncoder,
        painter: &mut Painter,
        frame: &Frame<'_>,
    ) -> Option<DrapeKey> {
        let size = self.drape_size();
        let look = Look { agents: 0.0, walls: 0.0, space: None, ..frame.look.clone() };
        let camera = Camera { centre: 0.5 * self.relief.extent, scale: self.drape_scale() };
        let laid = Frame {
            look: &look,
            camera,
            origin: Vec2::ZERO,
            size,
            crowd: frame.crowd.clone(),
            field: frame.field.clone(),
            persons: frame.persons.clone(),
            ..*frame
        };
        painter.prepare(encoder, &laid);
        let moving = look.overlay.is_some() || look.splats > 0.0 || look.ribbons > 0.0 || look.tiles > 0.0;
        let key = DrapeKey {
            // What agents' colours mean changes nothing of the ground, unless cells that they touch are shown.
            limits: frame.limits,
            time: moving.then_some(frame.time),
            ground: self.ground.as_ref().map_or(0, |g| g.1),
            laid_on: (frame.field.is_some(), painter.changes()),
            look,
        };
        (self.drape_key.as_ref() != Some(&key)).then_some(key)
    }

    /// Pixels of the drape.
    fn drape_size(&self) -> Vec2 {
        Vec2::new(self.drape.size[0] as f32, self.drape.size[1] as f32)
    }

    /// Pixels of the drape in a metre.
    fn drape_scale(&self) -> f32 {
        (self.drape_size() / self.relief.extent).min_element()
    }

    /// Tells shaders where one looks.
    fn tell(&mut self, frame: &Frame<'_>, scenery: &Scenery<'_>, size: Vec2, (count, known): (u32, u32)) {
        let (relief, settings, eye) = (&self.relief, scenery.settings, &scenery.eye);
        let mut figures = [Vec4::ZERO; FIGURES];
        for (to, Actors { figure, .. }) in figures.iter_mut().zip(&self.crowd.actors) {
            *to = Vec4::new(figure.ball.middle, figure.ball.radius, figure.ball.aside, 0.0);
        }
        let aspect = size.x / size.y;
        let clip = Eye::projection(aspect) * eye.view();
        let low = Vec3::new(0.0, 0.0, relief.range.0 - 1.0);
        let high = relief.extent.extend(relief.range.1 + settings.walls.max(self.tallest * frame.look.body.max(1.0)));
        let maps = cascades(eye, aspect, sun(), (low, high));
        let half = (0.5 * FIELD_OF_VIEW).tan();
        let ends = Vec4::new(maps[0].end, maps[1].end, maps[2].end, maps[0].begin);
        let texels = Vec4::new(maps[0].texel, maps[1].texel, maps[2].texel, 0.0);
        let numbers = Numbers {
            clip,
            view: eye.view(),
            cascades: maps.map(|m| m.clip),
            eye: eye.position.extend(NEAR),
            sun: sun().extend(f32::from(u8::from(settings.shadows))),
            sun_colour: SUN.extend(AIR / relief.extent.length()),
            ends,
            texels,
            extent: relief.extent.to_array(),
            quad: relief.quad().to_array(),
            corners: relief.corners.map(|n| n as u32),
            base: relief.base,
            top: relief.range.1,
            screen: size.to_array(),
            half: [half * aspect, half],
            agents: count,
            pinned: settings.pinned.map_or(NOBODY, |level| level.min(LEVELS as u32 - 1)),
            frustum: u32::from(settings.frustum),
            occlusion: u32::from(settings.occlusion),
            tint: match settings.tint {
                Tint::None => 0,
                Tint::Detail => 1,
                Tint::Cascade => 2,
            },
            flat_floor: u32::from(relief.is_flat()),
            tall: tall(),
            elapsed: self.drawn_at.map_or(0.0, |before| (moment(frame) - before).clamp(0.0, 10.0) as f32),
            levels: self.targets.as_ref().map_or(1, |t| t.levels),
            known,
            time: moment(frame) as f32,
            step: self.step,
            cast: self.crowd.actors.len() as u32,
            mists: scenery.hazards.len() as u32,
            laid: (self.drape_size() / self.drape_scale()).to_array(),
            walled: self.targets.as_ref().map_or(0, |t| t.walled),
            pad: [0; 3],
            figures,
        };
        let queue = self.gpu.queue();
        queue.write_buffer(&self.numbers, 0, bytemuck::bytes_of(&numbers));
        for (list, to) in self.draws.iter().enumerate() {
            let (into, list, level, phase) = match list {
                0..LEVELS => (clip, list, list, 0),
                LEVELS..LISTS => (maps[(list - LEVELS) % CASCADES].clip, list, 0, 0),
                _ => (clip, list - LISTS, list - LISTS, 1),
            };
            let edges = u32::from(settings.wireframe);
            let draw = Draw { clip: into, list: list as u32, level: level as u32, phase, edges };
            queue.write_buffer(to, 0, bytemuck::bytes_of(&draw));
        }
        let shown = relief.in_view(&clip);
        self.chunks = (filled(&self.gpu, "chunks", &shown, BufferUsages::VERTEX), shown.len() as u32);
    }

    fn put_hazards(&mut self, hazards: &[ShownHazard]) {
        let mists: Vec<Mist> = hazards.iter().map(Mist::of).collect();
        let bytes = Mist::BYTES * mists.len() as u64;
        if self.mists.size() < bytes {
            self.mists = buffer(&self.gpu, "hazards", bytes, BufferUsages::STORAGE);
        }
        self.gpu.queue().write_buffer(&self.mists, 0, bytemuck::cast_slice(&mists));
    }

    fn draw_drape(&mut self, encoder: &mut CommandEncoder, painter: &Painter, key: Option<DrapeKey>) {
        let Some(key) = key else { return };
        self.drape_key = Some(key);
        let last = self.drape.levels.len() - 1;
        for (k, level) in self.drape.levels.iter().enumerate() {
            let clear = LoadOp::Clear(wgpu::Color::TRANSPARENT);
            let times = self.clock.of_render(Pass::Drape, k == 0, k == last);
            let mut pass = begin(encoder, "drape", Some((level, clear)), None, times);
            if k == 0 {
                painter.paint_drape(&mut pass);
            } else {
                pass.set_pipeline(&self.pipelines.halve);
                pass.set_bind_group(0, &self.halves[k - 1], &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    /// Ground and walls.
    fn draw_solids(&self, pass: &mut RenderPass<'_>, look: &Look) {
        pass.set_bind_group(2, &self.spaces[0], &[]);
        pass.set_pipeline(&self.pipelines.ground);
        pass.set_vertex_buffer(0, self.chunks.0.slice(..));
        pass.set_index_buffer(self.chunk.0.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.chunk.1, 0, 0..self.chunks.1);
        pass.set_pipeline(&self.pipelines.apron);
        let around = 2 * (self.relief.corners[0] + self.relief.corners[1] - 2) as u32;
        pass.draw(0..6 * APRON_STRIPS * around, 0..1);
        if self.props.2 > 0 && look.walls > 0.0 {
            pass.set_pipeline(&self.pipelines.props);
            self.draw_props(pass);
        }
    }

    pub(super) fn draw_props(&self, pass: &mut RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.props.0.slice(..));
        pass.set_index_buffer(self.props.1.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.props.2, 0, 0..1);
    }

    pub(super) fn draw_depth(&self, encoder: &mut CommandEncoder, look: &Look) {
        let Some(targets) = &self.targets else { return };
        let times = self.clock.of_render(Pass::Depth, true, true);
        // Far away is 0.
        let mut pass = begin(encoder, "depth", None, Some((&targets.depth, LoadOp::Clear(0.0))), times);
        pass.set_bind_group(0, &self.nothing, &[]);
        pass.set_bind_group(1, &self.nothing, &[]);
        self.draw_solids(&mut pass, look);
    }

    /// Sums of those who are far away.
    fn sum_up(&mut self, encoder: &mut CommandEncoder, look: &Look, count: u32) {
        let Some(targets) = &self.targets else { return };
        self.sums.clear(encoder, targets.size);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("far"),
            timestamp_writes: self.clock.of_compute(Pass::Far),
        });
        if look.agents > 0.0 {
            self.add_far(&mut pass, targets, count);
        }
    }

    /// Adds all of them, who are at most so many.
    pub(super) fn add_far(&self, pass: &mut wgpu::ComputePass<'_>, targets: &Targets, most: u32) {
        for actors in &self.crowd.actors {
            let groups = [&self.lights[Baker::last()], &self.spaces[FAR]];
            self.sums.add(pass, &self.crowd.listed(actors), targets, (groups, most));
        }
    }

    /// Everybody on a list, with indices of the figure's.
    fn draw_list(&self, pass: &mut RenderPass<'_>, actors: &Actors, list: usize) {
        pass.set_bind_group(2, &self.spaces[list], &[]);
        pass.draw_indexed_indirect(&actors.arguments, list as u64 * ARGUMENTS);
    }

    /// Everybody on some lists who is skinned while it is drawn.
    fn draw_lists(&self, pass: &mut RenderPass<'_>, actors: &Actors, lists: impl IntoIterator<Item = usize>) {
        pass.set_bind_group(0, &self.crowd.bound(actors), &[]);
        for (slot, vertices) in (0..).zip(&actors.figure.vertices) {
            pass.set_vertex_buffer(slot, vertices.slice(..));
        }
        pass.set_index_buffer(actors.figure.indices.slice(..), wgpu::IndexFormat::Uint32);
        for list in lists {
            self.draw_list(pass, actors, list);
        }
    }

    /// What agents add to a shadow map.
    fn draw_casters(&self, pass: &mut RenderPass<'_>, map: usize) {
        for actors in &self.crowd.actors {
            pass.set_pipeline(&self.skinned.shadows);
            pass.set_bind_group(0, &self.crowd.bound_skinned(actors, &self.skinned), &[]);
            pass.set_index_buffer(actors.figure.indices.slice(..), wgpu::IndexFormat::Uint32);
            self.draw_list(pass, actors, SKINNED_CASTERS + map);
            pass.set_pipeline(&self.pipelines.character_shadows);
            self.draw_lists(pass, actors, [CASTERS + map, SMALL_CASTERS + map]);
        }
    }

    fn draw_shadows(&self, encoder: &mut CommandEncoder, settings: &Settings, look: &Look) {
        if !settings.shadows {
            return;
        }
        for (k, view) in self.shadows.each.iter().enumerate() {
            let times = self.clock.of_render(Pass::Shadows, k == 0, k + 1 == CASCADES);
            let mut pass = begin(encoder, "shadows", None, Some((view, LoadOp::Clear(1.0))), times);
            pass.set_bind_group(1, &self.nothing, &[]);
            if look.agents > 0.0 {
                self.draw_casters(&mut pass, k);
            }
            if self.props.2 > 0 && look.walls > 0.0 {
                pass.set_pipeline(&self.pipelines.prop_shadows);
                pass.set_bind_group(0, &self.nothing, &[]);
                pass.set_bind_group(2, &self.spaces[CASTERS + k], &[]);
                self.draw_props(&mut pass);
            }
        }
    }
}

/// The moment that a frame shows, s.
fn moment(frame: &Frame<'_>) -> f64 {
    frame.time - f64::from(frame.back)
}

/// Begins a pass that draws colours, depths or both.
pub(super) fn begin<'a>(
    encoder: &'a mut CommandEncoder,
    label: &str,
    colour: Option<(&TextureView, LoadOp<wgpu::Color>)>,
    depth: Option<(&TextureView, LoadOp<f32>)>,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) -> RenderPass<'a> {
    let attachment = colour.map(|(view, load)| wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: Operations { load, store: StoreOp::Store },
    });
    let list = [attachment];
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: if list[0].is_some() { &list } else { &[] },
        depth_stencil_attachment: depth.map(|(view, load)| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(Operations { load, store: StoreOp::Store }),
            stencil_ops: None,
        }),
        timestamp_writes,
        ..wgpu::RenderPassDescriptor::default()
    })
}
