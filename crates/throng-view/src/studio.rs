//! Pictures without a window: the same renderer, the same legend, into an image.

use crate::app::subject::turned;
use crate::camera::Camera;
use crate::draw::{CLEAR, Crowd, FieldSource, Frame, FrameTimes, Painter, Pen};
use crate::letters::{Chosen, Path, Words, letters};
use crate::look::{Colouring, Look};
use crate::overlay::{Caption, shortened};
use crate::shot::{Shot, Wish};
use crate::space::{self, Scenery, Space};
use anyhow::{Context, Result};
use glam::Vec2;
use image::RgbaImage;
use std::sync::Arc;
use throng::Simulation;
use throng::engine::gpu::Gpu;
use throng::geometry::Rect;
use throng::scene::{Picture, Scene, Sprite};

/// What colours are stored as: as they are shown, so that egui and the renderer agree.
pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Where a picture looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// At all of the world.
    Fit,
    /// At a place, m, with so many pixels per metre.
    At(Camera),
    /// At an agent, by its id, with so many pixels per metre.
    Follow(u32, f32),
}

/// What a picture is to be.
#[derive(Clone, Debug)]
pub struct Shooting {
    /// Width and height, px.
    pub size: [u32; 2],
    /// How it looks.
    pub look: Look,
    /// Where it looks.
    pub aim: Aim,
    /// Whether legend, scale, clock and names are written over it.
    pub caption: bool,
    /// Whose path and ring are drawn.
    pub chosen: Option<u32>,
    /// Times the size of letters.
    pub text: f32,
    /// How long before the end of the last step the picture is, s: people are drawn on their way between two steps.
    pub back: f32,
}

impl Shooting {
    /// Whose own map is drawn, if it has one.
    fn whose_map(&self) -> Option<u32> {
        let chosen = if let Aim::Follow(id, _) = self.aim { Some(id) } else { self.chosen };
        chosen.filter(|_| self.look.local_map > 0.0)
    }
}

/// Pictures of sprites that every device has room for.
const MOST_SPRITES: usize = 256;

/// Gives a painter the pictures that a scene brings along.
pub(crate) fn dress(painter: &mut Painter, scene: &Scene) {
    if let Some(picture) = &scene.map.background {
        painter.set_background(picture.width, picture.height, &picture.pixels);
    }
    let mut pictures: Vec<Vec<u8>> = Vec::new();
    let mut known: Vec<Picture> = Vec::new();
    let kinds: Vec<u32> = scene
        .groups
        .iter()
        .map(|group| match &group.sprite {
            Sprite::Person => 0,
            Sprite::Disc => 1,
            Sprite::Arrow => 2,
            // Equal pictures share a place, and there is room for so many.
            Sprite::Picture(p) if known.iter().any(|k| k == p) => {
                3 + known.iter().position(|k| k == p).unwrap_or(0) as u32
            }
            Sprite::Picture(_) if known.len() >= MOST_SPRITES => 0,
            Sprite::Picture(p) => {
                known.push(p.clone());
                let image = RgbaImage::from_raw(p.width, p.height, p.pixels.to_vec()).unwrap_or_default();
                let side = crate::draw::SPRITE;
                let filter = image::imageops::FilterType::Triangle;
                pictures.push(image::imageops::resize(&image, side, side, filter).into_raw());
                2 + pictures.len() as u32
            }
        })
        .collect();
    painter.set_sprites(&kinds, &pictures);
    painter.set_states(&scene.states, &scene.groups);
}

/// Rectangles of an image's goal that are looked at pair by pair.
const MOST_PIECES: usize = 2000;

/// Shapes of a goal that are one place, by number: each its own; of those that an image brings the rectangles of cells that
/// hang together.
pub(crate) fn parts(scene: &Scene, ground: &crate::draw::Ground, goal: usize) -> Vec<Vec<usize>> {
    let shapes = ground.goals.get(goal).map_or(&[][..], Vec::as_slice);
    let drawn = scene.goals.get(goal).map_or(0, |g| g.shapes.len()).min(shapes.len());
    let mut parts: Vec<Vec<usize>> = (0..drawn).map(|k| vec![k]).collect();
    // So many are no doors but a pattern: one part.
    if shapes.len() - drawn > MOST_PIECES {
        parts.push((drawn..shapes.len()).collect());
        return parts;
    }
    let near = 0.01 * scene.grid.cell;
    let touches = |a: usize, b: usize| shapes[a].bounds().grown(near).touches(shapes[b].bounds());
    for k in drawn..shapes.len() {
        let mut joined = vec![k];
        let mut i = drawn;
        while i < parts.len() {
            if parts[i].iter().any(|&other| touches(k, other)) {
                joined.extend(parts.remove(i));
            } else {
                i += 1;
            }
        }
        joined.sort_unstable();
        parts.push(joined);
    }
    parts
}

/// Where names of goals are written: in the middle of every part of each, with its number if there are several.
pub(crate) fn goal_places(scene: &Scene, ground: &crate::draw::Ground) -> Vec<(String, Vec2)> {
    let mut places = Vec::new();
    for (number, goal) in scene.goals.iter().enumerate().take(ground.goals.len()) {
        let parts = parts(scene, ground, number);
        for (k, part) in parts.iter().enumerate() {
            let shapes = &ground.goals[number];
            let bounds = part.iter().map(|&s| shapes[s].bounds());
            let Some(bounds) = bounds.reduce(|a, b| Rect::new(a.min.min(b.min), a.max.max(b.max))) else { continue };
            let middle = if let [only] = part[..] { shapes[only].middle() } else { 0.5 * (bounds.min + bounds.max) };
            let name = shortened(&goal.name);
            let name = if parts.len() > 1 { format!("{name} {}", k + 1) } else { name };
            places.push((name, middle));
        }
    }
    places
}

/// Makes pictures of a run.
pub struct Studio {
    gpu: Gpu,
    painter: Painter,
    /// Once a picture in three dimensions was asked for.
    space: Option<Space>,
    scene: Scene,
    letters: egui::Context,
    pen: Pen,
    target: Option<Target>,
    seen: Option<u64>,
    goals: Vec<(String, Vec2)>,
    /// Who was followed in the last picture, when that was, s, and which way the view looked.
    followed: Option<(u32, f64, Vec2)>,
}

impl std::fmt::Debug for Studio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Studio").field("scene", &self.scene.name).finish_non_exhaustive()
    }
}

struct Target {
    size: [u32; 2],
    texture: wgpu::Texture,
    copy: wgpu::Buffer,
}

impl Target {
    fn row(size: [u32; 2]) -> u32 {
        (4 * size[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }

    fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let copy = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(Self::row(size)) * u64::from(size[1]),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { size, texture, copy }
    }
}

impl Studio {
    /// On a device, for runs of a scene. With the GPU engine the device must be the engine's own.
    #[must_use]
    pub fn new(gpu: &Gpu, scene: &Scene) -> Self {
        let mut painter = Painter::new(gpu, FORMAT, scene);
        dress(&mut painter, scene);
        let letters = egui::Context::default();
        crate::style::apply(&letters);
        Self {
            painter,
            space: None,
            scene: scene.clone(),
            letters,
            pen: Pen::new(gpu, FORMAT),
            target: None,
            seen: None,
            goals: Vec::new(),
            followed: None,
            gpu: gpu.clone(),
        }
    }

    /// The largest side of a picture, px.
    #[must_use]
    pub fn most_pixels(&self) -> u32 {
        self.gpu.device().limits().max_texture_dimension_2d
    }

    /// How long the GPU takes to draw a run as it is now, ms: the last of several frames; `None` if it cannot tell.
    ///
    /// # Errors
    /// If the device fails.
    pub fn frame_ms(&mut self, sim: &mut Simulation, shooting: &Shooting) -> Result<Option<f64>> {
        self.draw(sim, shooting)?;
        Ok(self.painter.frame_ms())
    }

    /// How long the GPU took for the last frame, in parts; `None` if it cannot tell.
    #[must_use]
    pub fn frame_times(&self) -> Option<FrameTimes> {
        self.painter.frame_times()
    }

    #[cfg(test)]
    pub(crate) fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }

    #[cfg(test)]
    pub(crate) fn space_mut(&mut self) -> Option<&mut Space> {
        self.space.as_mut()
    }

    /// What the last picture in three dimensions drew, and how long each pass took.
    pub fn report(&mut self) -> Option<space::Report> {
        self.space.as_ref()?.report(true)
    }

    /// What pictures in three dimensions do not show as it is, in a sentence; once.
    pub fn take_note(&mut self) -> Option<String> {
        self.space.as_mut()?.take_note()
    }

    /// Draws and does not wait for it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn draw(&mut self, sim: &mut Simulation, shooting: &Shooting) -> Result<()> {
        self.draw_with(sim, shooting, if shooting.caption { Words::All } else { Words::None })
    }

    /// Draws with so much written over it.
    pub(crate) fn draw_with(&mut self, sim: &mut Simulation, shooting: &Shooting, words: Words) -> Result<()> {
        space::check_size(&self.gpu, shooting.size).map_err(anyhow::Error::msg)?;
        let look = &shooting.look;
        let tiles = (look.tiles > 0.0 && !self.scene.goals.is_empty()).then_some(look.goal);
        let persons = look.colouring == Colouring::Density;
        let wish = Wish { field: look.engine_field(), persons, tiles, local_map: shooting.whose_map() };
        if look.space.is_some() && self.space.is_none() {
            let cast = space::check(&self.gpu, &self.scene).map_err(anyhow::Error::msg)?;
            self.space = Some(Space::new(&self.gpu, FORMAT, &self.scene, &cast, &self.painter));
            // It has to be told of walls.
            self.seen = None;
        }
        let shot = self.take(sim, &wish)?;
        let mut frame = self.frame(sim, shooting, &shot, &wish)?;
        // What is not known before the shaders have looked at it: the field's extent, where the followed one is.
        let ahead = (look.overlay.is_some() && look.limits.is_none()) || frame.chosen.is_some();
        let path = if ahead { self.look_ahead(&mut frame, shooting) } else { Path::default() };
        let on_gpu = sim.engine().on_gpu().is_some();
        let counters = if on_gpu && shooting.caption { sim.counters() } else { shot.counters };
        let caption = Caption {
            scene: &self.scene,
            look,
            camera: frame.camera,
            limits: frame.limits,
            colouring_limits: frame.colouring_limits,
            goals: &self.goals,
            hazards: &shot.hazards,
            time: shot.time - f64::from(shooting.back),
            active: counters.active,
            between: counters.between,
            round: None,
            has_tiles: shot.tiles.as_ref().is_some_and(|t| !t.is_empty()),
        };
        let chosen = Chosen { path: frame.chosen.is_some().then_some(&path), map: shot.local_map.as_ref() };
        let output = letters(&self.letters, shooting, words, &caption, chosen);
        let eye = self.stand(shooting, frame.size, path.subject);
        let scenery =
            look.space.as_ref().zip(eye).map(|(settings, eye)| Scenery { settings, eye, hazards: &shot.hazards });
        self.submit(&frame, shooting.size, output, scenery.as_ref());
        // If there was a look ahead nobody waits for this one, and the next picture needs the room.
        self.painter.readout(ahead);
        if let Some(why) = self.gpu.trouble() {
            anyhow::bail!("the GPU {} has failed: {why}", self.gpu.info().name);
        }
        Ok(())
    }

    /// The run as it is, and whatever of it the painter has to be given.
    fn take(&mut self, sim: &mut Simulation, wish: &Wish) -> Result<Shot> {
        let shot = Shot::of(sim, wish, self.seen)?;
        self.seen = Some(shot.edits);
        if let Some(ground) = &shot.ground {
            self.painter.set_ground(ground);
            if let Some(space) = &mut self.space {
                space.set_ground(ground);
            }
            self.goals = goal_places(&self.scene, ground);
        }
        if let Some(tiles) = &shot.tiles {
            self.painter.set_tiles(tiles, None);
        }
        if let Some((_, values)) = &shot.field {
            self.painter.upload_field(values);
        }
        if let Some(values) = &shot.persons {
            self.painter.upload_persons(values);
        }
        Ok(shot)
    }

    /// What is to be painted, as far as it is known yet.
    fn frame<'a>(&mut self, sim: &Simulation, shooting: &'a Shooting, shot: &Shot, wish: &Wish) -> Result<Frame<'a>> {
        let look = &shooting.look;
        let (crowd, field, persons) = match sim.engine().on_gpu() {
            Some(engine) => (
                Crowd::of(engine),
                wish.field.map(|f| FieldSource::of(engine, &self.scene, f)),
                wish.persons.then(|| FieldSource::of(engine, &self.scene, throng::engine::Field::LocalDensity)),
            ),
            None => (
                self.painter.upload_crowd(shot.columns.as_ref().context("the CPU engine's crowd comes with a shot")?),
                wish.field.map(|_| FieldSource::UPLOADED),
                wish.persons.then_some(FieldSource::UPLOADED),
            ),
        };
        let size = Vec2::new(shooting.size[0] as f32, shooting.size[1] as f32);
        let everything = Camera::fit(self.scene.grid.bounds(), size, 8.0);
        Ok(Frame {
            look,
            camera: if let Aim::At(camera) = shooting.aim { camera } else { everything },
            origin: Vec2::ZERO,
            size,
            crowd,
            field,
            persons,
            limits: look.limits.unwrap_or((0.0, 1.0)),
            colouring_limits: look.colouring_limits.unwrap_or(look.colouring.limits(&self.scene)),
            time: shot.time,
            back: shooting.back,
            chosen: if let Aim::Follow(id, _) = shooting.aim { Some(id) } else { shooting.chosen },
            pointer: None,
            click: None,
            groups: 0,
        })
    }

    /// Where one stands for a picture in three dimensions.
    fn stand(
        &mut self,
        shooting: &Shooting,
        size: Vec2,
        subject: Option<(Vec2, Vec2)>,
    ) -> Option<space::viewpoint::Eye> {
        let settings = shooting.look.space.as_ref()?;
        let space = self.space.as_ref()?;
        Some(space::eye(shooting.aim, settings, space.relief(), size, subject))
    }

    /// Lets the shaders look at the frame first, and takes from them what it still lacks.
    fn look_ahead(&mut self, frame: &mut Frame<'_>, shooting: &Shooting) -> Path {
        let mut encoder = self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.painter.prepare(&mut encoder, frame);
        self.gpu.queue().submit([encoder.finish()]);
        self.painter.sent();
        let known = self.painter.readout(true).unwrap_or_default();
        let look = &shooting.look;
        if let (Some(overlay), Some((least, greatest)), None) = (look.overlay, known.extent, look.limits) {
            frame.limits = overlay.limits(least, greatest);
        }
        // People are drawn where they were so long before the step's end.
        let chosen = known.chosen.map(|(agent, _)| (agent.position - agent.velocity * shooting.back, agent));
        let (end, mut subject) = match &chosen {
            Some((place, agent)) => (Some((*place, agent.radius)), Some((*place, agent.heading))),
            None => (None, None),
        };
        if let (Aim::Follow(id, scale), Some((centre, heading))) = (shooting.aim, &mut subject) {
            frame.camera = Camera { centre: *centre, scale };
            *heading = self.look_after(id, frame.time - f64::from(frame.back), heading.normalize_or(Vec2::X));
        }
        Path { points: known.path, end, subject }
    }

    /// Which way a view looks at a moment that goes with somebody who faces there: it turns more slowly than a head.
    pub(crate) fn look_after(&mut self, id: u32, moment: f64, ahead: Vec2) -> Vec2 {
        let before = self.followed.filter(|&(other, then, _)| other == id && then <= moment);
        let heading = before.map_or(ahead, |(_, then, way)| turned(way, ahead, (moment - then) as f32));
        self.followed = Some((id, moment, heading));
        heading
    }

    /// Paints a frame and the letters over it.
    fn submit(
        &mut self,
        frame: &Frame<'_>,
        size: [u32; 2],
        mut output: egui::FullOutput,
        scenery: Option<&Scenery<'_>>,
    ) {
        let jobs = self.letters.tessellate(output.shapes, output.pixels_per_point);
        let device = self.gpu.device();
        if self.target.as_ref().is_none_or(|t| t.size != size) {
            self.target = Some(Target::new(&self.gpu, size));
        }
        let target = self.target.as_ref().expect("made above");
        self.pen.learn(std::mem::take(&mut output.textures_delta));
        self.pen.prepare(&jobs, size, output.pixels_per_point);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let deep = scenery.zip(self.space.as_mut());
        match deep {
            Some((scenery, space)) => space.prepare(&mut encoder, &mut self.painter, frame, scenery),
            None => self.painter.prepare(&mut encoder, frame),
        }
        {
            let view = target.texture.create_view(&wgpu::TextureViewDescriptor::default());
            let mut pass = encoder
                .begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("picture"),
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &view,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(CLEAR), store: wgpu::StoreOp::Store },
                    })],
                    timestamp_writes: self.painter.end_of_frame(),
                    ..wgpu::RenderPassDescriptor::default()
                })
                .forget_lifetime();
            match self.space.as_ref().filter(|_| scenery.is_some()) {
                Some(space) => space.paint(&mut pass),
                None => self.painter.paint(&mut pass),
            }
            self.pen.paint(&mut pass, size);
        }
        self.painter.note_times(&mut encoder);
        self.gpu.queue().submit([encoder.finish()]);
        self.painter.sent();
    }

    /// The picture that was drawn last.
    pub(crate) fn read(&mut self) -> Result<RgbaImage> {
        let target = self.target.as_ref().context("nothing was drawn yet")?;
        let [width, height] = target.size;
        let row = Target::row(target.size);
        let mut encoder = self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            target.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &target.copy,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            target.texture.size(),
        );
        self.gpu.queue().submit([encoder.finish()]);
        let failed = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let note = Arc::clone(&failed);
        target.copy.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            note.store(result.is_err(), std::sync::atomic::Ordering::Release);
        });
        self.gpu.device().poll(wgpu::PollType::wait_indefinitely()).context("the GPU does not answer")?;
        if failed.load(std::sync::atomic::Ordering::Acquire) {
            anyhow::bail!("the picture could not be read back from the GPU");
        }
        let mut pixels = Vec::with_capacity(4 * width as usize * height as usize);
        {
            let mapped = target.copy.slice(..).get_mapped_range().context("the picture could not be read back")?;
            for line in mapped.chunks_exact(row as usize) {
                pixels.extend_from_slice(&line[..4 * width as usize]);
            }
        }
        target.copy.unmap();
        // Opaque, whatever was blended.
        for pixel in pixels.chunks_exact_mut(4) {
            pixel[3] = 255;
        }
        RgbaImage::from_raw(width, height, pixels).context("a picture of another size came back")
    }
}
