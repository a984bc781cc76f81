//! From the options of pictures, films and the window to what is drawn and where one looks.

use crate::Failure;
use crate::args::{CameraArgs, ColourName, LayerName, LookArgs};
use crate::field;
use clap::ValueEnum;
use throng::geometry::Rect;
use throng::{Scene, Vec2};
use throng_view::camera::Camera;
use throng_view::look::{Colouring, Look, Overlay};
use throng_view::studio::Aim;

/// The least side of a picture, px.
const LEAST_SIDE: u32 = 16;
/// How near one looks at somebody who is followed, px/m.
const FOLLOW_ZOOM: f32 = 40.0;

impl From<ColourName> for Colouring {
    fn from(name: ColourName) -> Self {
        match name {
            ColourName::Goal => Self::Goal,
            ColourName::Group => Self::Group,
            ColourName::Speed => Self::Speed,
            ColourName::Density => Self::Density,
            ColourName::Waiting => Self::Waiting,
            ColourName::State => Self::State,
        }
    }
}

impl LookArgs {
    /// What the options say about a scene's look.
    pub(crate) fn look(&self, scene: &Scene) -> Result<Look, Failure> {
        let goal = field::goal(scene, self.goal.as_deref())?;
        let overlay = self.field.map(|field| field.0);
        if let Some(field) = overlay.filter(|o| o.has_goal() && goal.is_none()) {
            return Err(Failure::Usage(format!("--field {}: {} has no goal", field.name(), scene.name)));
        }
        let mut look = Look {
            colouring: self.colour.into(),
            colouring_limits: limits("--colour-limits", self.colour_limits.as_deref())?,
            overlay,
            goal: goal.unwrap_or(0),
            limits: limits("--limits", self.limits.as_deref())?,
            smooth: self.smooth,
            arrows: !self.no_arrows,
            body: self.body,
            space: self.space.settings(),
            ..Look::default()
        };
        if let Some(direction) = self.direction {
            look.direction = direction.into();
        }
        for &(layer, opacity) in &self.opacity {
            *match layer {
                LayerName::Background => &mut look.background,
                LayerName::Field => &mut look.field,
                LayerName::Agents => &mut look.agents,
                LayerName::Walls => &mut look.walls,
                LayerName::Goals => &mut look.goals,
                LayerName::Splats => &mut look.splats,
                LayerName::Ribbons => &mut look.ribbons,
                LayerName::LocalMap => &mut look.local_map,
                LayerName::Tiles => &mut look.tiles,
            } = opacity;
        }
        Ok(look)
    }

    /// In a picture, whose look does not change any more, an option that changes nothing is a mistake.
    pub(crate) fn refuse_idle(&self, look: &Look) -> Result<(), Failure> {
        let refuse = |option: &str, why: &str| Err(Failure::Usage(format!("{option} changes nothing here: {why}")));
        let overlay = look.overlay;
        if self.colour_limits.is_some() && look.colouring.unit().is_none() {
            return refuse("--colour-limits", "only --colour speed, density and waiting have a scale");
        }
        if self.limits.is_some() && overlay.is_none_or(|o| o == Overlay::Gradient) {
            return refuse("--limits", "it is the scale of a --field, and gradient has none");
        }
        if self.direction.is_some() && overlay.is_none_or(|o| !o.has_direction()) {
            return refuse("--direction", "only --field speed and cost have a value per direction");
        }
        if self.goal.is_some() && overlay.is_none_or(|o| !o.has_goal()) && look.tiles <= 0.0 {
            return refuse(
                "--goal",
                "only --field potential and gradient, and --opacity tiles=1, have a value per goal",
            );
        }
        if (self.smooth || self.no_arrows) && overlay.is_none() {
            let option = if self.smooth { "--smooth" } else { "--no-arrows" };
            return refuse(option, "it is for a --field");
        }
        Ok(())
    }
}

impl CameraArgs {
    /// Where the options look in a picture of so many pixels.
    pub(crate) fn aim(&self, scene: &Scene, size: [u32; 2]) -> Result<Aim, Failure> {
        let world = scene.grid.bounds();
        let size = Vec2::new(size[0] as f32, size[1] as f32);
        for (option, id) in [("--follow", self.follow), ("--path", self.path)] {
            let people = scene.agent_count();
            if let Some(id) = id.filter(|&id| u64::from(id) >= people) {
                return Err(Failure::Usage(match people {
                    0 => format!("{option} {id}: {} has no people", scene.name),
                    1 => format!("{option} {id}: {} has 1 person, number 0", scene.name),
                    n => format!("{option} {id}: {} has {n} people, numbered 0 to {}", scene.name, n - 1),
                }));
            }
        }
        if let Some(id) = self.follow {
            return Ok(Aim::Follow(id, self.zoom.unwrap_or(FOLLOW_ZOOM)));
        }
        let (option, camera) = match (self.view, self.centre, self.zoom) {
            (Some(rect), ..) => ("--view", Camera::fit(rect, size, 0.0)),
            (None, None, None) => return Ok(Aim::Fit),
            (None, centre, zoom) => {
                let whole = Camera::fit(world, size, 8.0);
                let camera = Camera { centre: centre.unwrap_or(whole.centre), scale: zoom.unwrap_or(whole.scale) };
                ("--centre", camera)
            }
        };
        if !camera.shown(size).touches(world) {
            return Err(Failure::Usage(format!(
                "{option}: nothing of {} is there. It goes from {},{} to {},{} m",
                scene.name, world.min.x, world.min.y, world.max.x, world.max.y
            )));
        }
        Ok(Aim::At(camera))
    }

    /// Whose path and ring are drawn.
    pub(crate) fn chosen(&self) -> Option<u32> {
        self.follow.or(self.path)
    }
}

fn limits(option: &str, given: Option<&[f32]>) -> Result<Option<(f32, f32)>, Failure> {
    match given {
        None => Ok(None),
        Some(&[low, high]) if low < high && low.is_finite() && high.is_finite() => Ok(Some((low, high))),
        Some(_) => Err(Failure::Usage(format!("{option} LOW HIGH: LOW must be below HIGH"))),
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("\"{}\" is not a number", text.trim()))
}

fn number_within(text: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let value = number(text)?;
    if range.contains(&value) { Ok(value) } else { Err(format!("a number from {} to {}", range.start(), range.end())) }
}

fn numbers<const N: usize>(text: &str, form: &str) -> Result<[f32; N], String> {
    let list: Vec<f32> = text.split(',').map(|t| number(t).map(|v| v as f32)).collect::<Result<_, _>>()?;
    if list.iter().any(|v| !v.is_finite()) {
        return Err(format!("finite numbers are needed, as in {form}"));
    }
    list.try_into().map_err(|list: Vec<f32>| format!("{} numbers are needed, not {}, as in {form}", N, list.len()))
}

/// A time, s.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    number_within(text, 0.0..=1e9)
}

/// Simulated seconds per second of film.
pub(crate) fn speed(text: &str) -> Result<f64, String> {
    number_within(text, 1e-3..=1e4)
}

/// Pixels per metre.
pub(crate) fn zoom(text: &str) -> Result<f32, String> {
    number_within(text, 1e-3..=5e3).map(|v| v as f32)
}

/// Times the size of letters.
pub(crate) fn text_factor(text: &str) -> Result<f32, String> {
    number_within(text, 0.25..=10.0).map(|v| v as f32)
}

/// Times the size of bodies.
pub(crate) fn body_factor(text: &str) -> Result<f32, String> {
    number_within(text, 0.1..=100.0).map(|v| v as f32)
}

/// Which way one looks, degrees from north to the east.
pub(crate) fn turn(text: &str) -> Result<f32, String> {
    number_within(text, -360.0..=360.0).map(|v| v as f32)
}

/// How far down one looks, degrees.
pub(crate) fn tilt(text: &str) -> Result<f32, String> {
    number_within(text, 2.0..=88.0).map(|v| v as f32)
}

/// A place in the world, m.
pub(crate) fn place(text: &str) -> Result<Vec2, String> {
    numbers::<2>(text, "12.5,30").map(Vec2::from)
}

/// A part of the world, m, by two opposite corners.
pub(crate) fn rectangle(text: &str) -> Result<Rect, String> {
    let [x0, y0, x1, y1] = numbers::<4>(text, "0,0,20,12.5")?;
    let (a, b) = (Vec2::new(x0, y0), Vec2::new(x1, y1));
    let rect = Rect::new(a.min(b), a.max(b));
    if (rect.max - rect.min).min_element() > 0.0 {
        Ok(rect)
    } else {
        Err("the corners must differ in x and in y, as in 0,0,20,12.5".into())
    }
}

/// Width and height of a picture, px.
pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "write it as WIDTHxHEIGHT, as in 1280x720".to_owned();
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let size = [side(width)?, side(height)?];
    if size.iter().any(|&s| s < LEAST_SIDE) {
        return Err(format!("each side needs {LEAST_SIDE} pixels at least"));
    }
    Ok(size)
}

/// A layer and its opacity.
pub(crate) fn layer_opacity(text: &str) -> Result<(LayerName, f32), String> {
    let (name, value) = text.split_once('=').ok_or("write it as LAYER=NUMBER, as in agents=0.5")?;
    let layer = LayerName::from_str(name.trim(), true).map_err(|_| {
        let names: Vec<String> = LayerName::value_variants()
            .iter()
            .filter_map(|l| Some(l.to_possible_value()?.get_name().to_owned()))
            .collect();
        format!("there is no layer \"{}\"; there are: {}", name.trim(), names.join(", "))
    })?;
    number_within(value, 0.0..=1.0).map(|v| (layer, v as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_places_and_layers_are_read_and_wrong_ones_explained() {
        assert_eq!(size("1280x720"), Ok([1280, 720]));
        assert_eq!(size("16×17"), Ok([16, 17]));
        for wrong in ["1280", "x", "1280x", "-3x5", "15x100", "99999999999x9"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(place("-1.5, 2"), Ok(Vec2::new(-1.5, 2.0)));
        assert!(place("1").is_err_and(|e| e.contains("2 numbers")));
        assert!(place("1,inf").is_err_and(|e| e.contains("finite")));
        assert_eq!(rectangle("5,6,1,2"), Ok(Rect::new(Vec2::new(1.0, 2.0), Vec2::new(5.0, 6.0))));
        assert!(rectangle("1,2,1,5").is_err());
        assert_eq!(layer_opacity("agents=0.25"), Ok((LayerName::Agents, 0.25)));
        assert!(layer_opacity("ghosts=1").is_err_and(|e| e.contains("background, field, agents")));
        assert!(layer_opacity("agents=2").is_err_and(|e| e.contains("0 to 1")));
    }
}
