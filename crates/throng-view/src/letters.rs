//! What is written over a picture that no window shows.

use crate::local_map;
use crate::overlay::{self, Caption};
use crate::studio::Shooting;
use glam::Vec2;
use throng::stages::steer::bvp::LocalMap;

/// What is written over a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    None,
    /// What belongs to the map: a page around it has the rest.
    OnMap,
    All,
}

/// Where the chosen agent has been, and where it is now, with its radius.
#[derive(Default)]
pub(crate) struct Path {
    pub(crate) points: Vec<Vec2>,
    pub(crate) end: Option<(Vec2, f32)>,
    /// Where it is and where it faces.
    pub(crate) subject: Option<(Vec2, Vec2)>,
}

/// What is shown of the chosen agent.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    pub(crate) path: Option<&'a Path>,
    pub(crate) map: Option<&'a LocalMap>,
}

/// Writes it.
pub(crate) fn letters(
    context: &egui::Context,
    shooting: &Shooting,
    words: Words,
    caption: &Caption<'_>,
    chosen: Chosen<'_>,
) -> egui::FullOutput {
    let ppp = shooting.text;
    let size = egui::vec2(shooting.size[0] as f32, shooting.size[1] as f32) / ppp;
    let input = egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
        viewports: std::iter::once((
            egui::ViewportId::ROOT,
            egui::ViewportInfo { native_pixels_per_point: Some(ppp), ..egui::ViewportInfo::default() },
        ))
        .collect(),
        ..egui::RawInput::default()
    };
    context.run_ui(input, |ui| {
        let view = ui.ctx().content_rect();
        let painter = ui.ctx().layer_painter(egui::LayerId::background());
        // What is written over places is written over those of a picture from above.
        let flat = shooting.look.space.is_none();
        if let Some(map) = chosen.map.filter(|_| flat) {
            local_map::draw(&painter, view, caption.camera, map, shooting.look.local_map);
        }
        if let Some(path) = chosen.path.filter(|_| flat) {
            overlay::path(&painter, view, caption.camera, &path.points, path.end);
        }
        if flat {
            caption.hazards(&painter, view);
        }
        if words != Words::None {
            if flat {
                caption.names(&painter, view);
            }
            caption.legend(&painter, view, words);
        }
        if words == Words::All {
            if flat {
                caption.scale(&painter, view);
            }
            caption.title(&painter, view);
        }
    })
}
