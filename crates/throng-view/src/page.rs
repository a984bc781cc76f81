//! A field with its title, colour scale and key: one page for `throng field`, for `throng render` and for the maps of a run. The
//! map in it is drawn cell by cell, without a device, or by the renderer, with the crowd over it; everything else is the same.

use crate::camera::Camera;
use crate::fields::{Overlay, Shade};
use crate::legend::{Row, agent_rows};
use crate::letters::Words;
use crate::look::Look;
use crate::studio::{Aim, Shooting, Studio};
use anyhow::Result;
use egui::Color32;
use glam::Vec2;
use image::{DynamicImage, RgbImage, RgbaImage};
use throng::Simulation;
use throng::engine::Values;
use throng::scene::Scene;
use throng::stages::potential::UNREACHED;
use throng_io::{Around, FieldPicture, Heading, KeyEntry, PictureError};

/// A longer time has more digits than there is room kept for, s.
const LONG: f64 = 99_999.9;

/// A field as it is now, and what is said about it.
#[derive(Debug)]
pub struct FieldPage {
    overlay: Overlay,
    title: String,
    longest_title: String,
    key: Vec<KeyEntry>,
    cells: [usize; 2],
    cell: f32,
    values: Values,
    walls: Vec<bool>,
    unreached: Vec<bool>,
    limits: (f32, f32),
}

impl FieldPage {
    /// The field that a look shows of a run, with values that the engine gave; `None` if it shows none, or there are no values.
    #[must_use]
    pub fn new(sim: &Simulation, look: &Look, values: Values) -> Option<Self> {
        let (overlay, scene) = (look.overlay?, sim.scene());
        let unreached: Vec<bool> = match &values {
            Values::Scalar(list) if list.is_empty() => return None,
            Values::Scalar(list) => list.iter().map(|&v| v >= UNREACHED).collect(),
            Values::Vector(_) => Vec::new(),
        };
        let walls: Vec<bool> = (0..scene.grid.len()).map(|c| sim.world().walls.is_solid(c)).collect();
        let limits = look.limits.unwrap_or_else(|| overlay.limits_of(&values, &walls));
        let [title, longest_title] = [sim.time(), LONG].map(|time| title(scene, look, time));
        let cells = [scene.grid.width, scene.grid.height];
        Some(Self {
            overlay,
            title,
            longest_title,
            key: Vec::new(),
            cells,
            cell: scene.grid.cell,
            values,
            walls,
            unreached,
            limits,
        })
    }

    /// Ends of the colour scale.
    #[must_use]
    pub fn limits(&self) -> (f32, f32) {
        self.limits
    }

    fn field(&self) -> FieldPicture<'_> {
        FieldPicture {
            title: &self.title,
            heading: Heading { longest_title: &self.longest_title, key: &self.key },
            unit: self.overlay.unit(),
            width: self.cells[0],
            height: self.cells[1],
            cell_m: self.cell,
            values: match &self.values {
                Values::Scalar(list) => throng_io::Values::Scalar(list),
                Values::Vector(list) if self.overlay.shade() == Shade::Wheel => throng_io::Values::Direction(list),
                Values::Vector(list) => throng_io::Values::Vector(list),
            },
            walls: &self.walls,
            unreached: &self.unreached,
            limits: Some(self.limits),
        }
    }

    /// The page with the map drawn cell by cell.
    ///
    /// # Errors
    /// If the limits are not two numbers in order.
    pub fn picture(&self) -> Result<RgbImage, PictureError> {
        self.field().render()
    }
}

/// What is shown, of which scene, when.
fn title(scene: &Scene, look: &Look, time: f64) -> String {
    let what = format!("{}: {}", scene.name, look.field_title(scene));
    match look.overlay {
        Some(Overlay::Height | Overlay::Slope) => what,
        Some(overlay) if overlay.is_kept() => format!("{what} until {time:.1} s"),
        _ => format!("{what} at {time:.1} s"),
    }
}

/// The size of the page of a look's field, px: that of `throng field`. `None` without a field.
#[must_use]
pub fn natural_size(scene: &Scene, look: &Look) -> Option<[u32; 2]> {
    look.overlay?;
    let (title, key) = (title(scene, look, LONG), key(scene, look));
    let heading = Heading { longest_title: &title, key: &key };
    Some(FieldPicture::natural_size(heading, scene.grid.width, scene.grid.height))
}

/// Of a picture so large with a look's field the part that the map may fill, px; all of it where there is no page around it.
#[must_use]
pub fn map_room(scene: &Scene, shooting: &Shooting) -> [u32; 2] {
    paged_room(scene, shooting).unwrap_or(shooting.size)
}

/// The same where there is a page.
fn paged_room(scene: &Scene, shooting: &Shooting) -> Option<[u32; 2]> {
    // A page has a scale and an arrow to the north, which hold for pictures from above.
    shooting.look.overlay.filter(|_| shooting.caption && shooting.look.space.is_none())?;
    let (title, key) = (title(scene, &shooting.look, LONG), key(scene, &shooting.look));
    FieldPicture::room_for_map(Heading { longest_title: &title, key: &key }, shooting.size, shooting.text)
}

/// What the colours of people mean, if there are any to be seen.
fn key(scene: &Scene, look: &Look) -> Vec<KeyEntry> {
    let colour = |c: &Color32| Some([c.r(), c.g(), c.b()]);
    let entry = |colour: Option<[u8; 3]>, words: String| KeyEntry { colour, words };
    let mut key = Vec::new();
    for row in agent_rows(scene, look, look.colouring_limits.unwrap_or(look.colouring.limits(scene))) {
        match row {
            Row::Swatch(c, words) => key.push(entry(colour(&c), words)),
            Row::Scale(colours, [low, unit, high]) => {
                key.push(entry(colours.first().and_then(colour), format!("{low} {unit}")));
                key.push(entry(colours.last().and_then(colour), format!("{high} {unit}")));
            }
            other => key.push(entry(None, format!("{}:", other.words()))),
        }
    }
    key
}

impl Studio {
    /// Draws a run as it is now; a field that is shown with its caption gets a page around it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn picture(&mut self, sim: &mut Simulation, shooting: &Shooting) -> Result<RgbaImage> {
        let look = &shooting.look;
        if let Some(overlay) = look.overlay.filter(|_| shooting.caption) {
            if overlay.is_kept() {
                sim.engine_mut().keep_maps(true);
            }
            let room = paged_room(sim.scene(), shooting);
            let values = sim.field(overlay.field(look.direction, look.goal))?;
            if let (Some(room), Some(page)) = (room, FieldPage::new(sim, look, values)) {
                let page = FieldPage { key: key(sim.scene(), look), ..page };
                return self.in_page(sim, shooting, &page, room);
            }
        }
        self.draw_with(sim, shooting, if shooting.caption { Words::All } else { Words::None })?;
        self.read()
    }

    fn in_page(
        &mut self,
        sim: &mut Simulation,
        shooting: &Shooting,
        page: &FieldPage,
        room: [u32; 2],
    ) -> Result<RgbaImage> {
        let world = sim.scene().grid.bounds();
        let extent = world.max - world.min;
        let fits = shooting.aim == Aim::Fit;
        let (size, aim, scale) = match shooting.aim {
            Aim::Fit => {
                let scale = (Vec2::new(room[0] as f32, room[1] as f32) / extent).min_element();
                let size = (extent * scale).round().max(Vec2::ONE);
                let camera = Camera { centre: 0.5 * (world.min + world.max), scale };
                ([size.x as u32, size.y as u32], Aim::At(camera), scale)
            }
            Aim::At(camera) => (room, shooting.aim, camera.scale),
            Aim::Follow(_, scale) => (room, shooting.aim, scale),
        };
        // The page's arrows would lie over names.
        let arrows = shooting.look.arrows && page.overlay.shade() != Shade::Amount;
        let words = if arrows && fits { Words::None } else { Words::OnMap };
        let look = Look { limits: Some(page.limits), arrows: arrows && !fits, ..shooting.look.clone() };
        self.draw_with(sim, &Shooting { size, aim, look, ..shooting.clone() }, words)?;
        let map = DynamicImage::ImageRgba8(self.read()?).into_rgb8();
        let around = Around {
            size: shooting.size,
            text: shooting.text,
            metres_per_pixel: 1.0 / f64::from(scale),
            arrows: arrows && fits,
        };
        Ok(DynamicImage::ImageRgb8(page.field().around(map, &around)?).into_rgba8())
    }
}
