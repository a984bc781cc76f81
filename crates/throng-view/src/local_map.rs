//! The map of one's own of somebody who steers by one (`steer = "bvp"`), over the floor where it is: values as colours, obstacles, goals, the three zones, and which
//! way it leads.

use crate::camera::Camera;
use crate::colour;
use crate::overlay::to_points;
use egui::{Align2, Color32, FontId, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, pos2};
use glam::Vec2;
use throng::stages::steer::bvp::LocalMap;
use throng::stages::steer::bvp::relax::STRIDE;

/// Cells that nothing is known of but that they are closed.
const CLOSED: Color32 = Color32::from_rgb(0x30, 0x34, 0x3B);
/// Walls and people.
const OBSTACLE: Color32 = Color32::from_rgb(0xB0, 0x30, 0x3A);
/// Where it is to go.
const GOAL: Color32 = Color32::from_rgb(0xFF, 0xFF, 0xFF);
/// Where the plan leads.
const WAY: Color32 = Color32::from_rgb(0xE6, 0x9F, 0x00);
/// Zones are named where a cell has at least so many points.
const LEGIBLE: f32 = 4.0;

/// Draws a map.
pub fn draw(painter: &Painter, view: Rect, camera: Camera, map: &LocalMap, opacity: f32) {
    let painter = painter.with_clip_rect(view);
    let ppp = painter.pixels_per_point();
    let layout = &map.layout;
    let half = Vec2::splat(0.5 * layout.cell);
    let square = |low: Vec2, high: Vec2| {
        Rect::from_two_pos(to_points(camera, low, view, ppp), to_points(camera, high, view, ppp))
    };
    let place = scale(map);
    let mut cells = Mesh::default();
    for y in 0..layout.side {
        for x in 0..layout.side {
            let u = map.grid.u[y * STRIDE + x];
            let colour = match (map.grid.is_given(x, y), u > 0.0) {
                (true, true) => GOAL,
                (true, false) if layout.seen().contains(&x) && layout.seen().contains(&y) => OBSTACLE,
                (true, false) => CLOSED,
                (false, _) => colour::egui(colour::field(place(u))),
            };
            let centre = layout.centre(x, y);
            cells.add_colored_rect(square(centre - half, centre + half), colour.gamma_multiply(opacity));
        }
    }
    painter.add(Shape::mesh(cells));
    let zone = |from: usize, width: f32| {
        let (low, high) =
            (layout.centre(from, from) - half, layout.centre(layout.side - 1 - from, layout.side - 1 - from) + half);
        let rect = square(low, high);
        painter.rect_stroke(rect, 0.0, Stroke::new(width, Color32::WHITE.gamma_multiply(opacity)), StrokeKind::Middle);
        rect
    };
    let side = layout.cell * camera.scale / ppp;
    for (name, from) in [("b", 0), ("f", layout.border), ("u", layout.border + layout.free)] {
        let rect = zone(from, 1.0);
        if side >= LEGIBLE {
            let font = FontId::proportional((1.4 * side).clamp(8.0, 14.0));
            painter.text(rect.left_top() + egui::vec2(2.0, 0.0), Align2::LEFT_TOP, name, font, Color32::WHITE);
        }
    }
    let from = to_points(camera, layout.at, view, ppp);
    let long = 0.42 * layout.side as f32 * side;
    let arrow = |direction: Vec2, colour: Color32, width: f32| {
        let by = egui::vec2(direction.x, -direction.y) * long;
        painter.arrow(from, by, Stroke::new(width + 2.0, Color32::from_black_alpha(200)));
        painter.arrow(from, by, Stroke::new(width, colour));
    };
    arrow(map.way, WAY, 1.5);
    match map.descent {
        Some(descent) => arrow(descent, Color32::WHITE, 2.5),
        // Shut in.
        None => {
            painter.circle_stroke(pos2(from.x, from.y), 0.3 * long, Stroke::new(2.0, OBSTACLE));
        }
    }
}

/// Where values are on the scale of colours, 0 to 1. They fall by the same factor from cell to cell, so it is their logarithms that are spread.
fn scale(map: &LocalMap) -> impl Fn(f32) -> f32 {
    let free = || {
        let all = (0..map.layout.side).flat_map(|y| (0..map.layout.side).map(move |x| (x, y)));
        all.filter(|&(x, y)| !map.grid.is_given(x, y)).map(|(x, y)| map.grid.u[y * STRIDE + x]).filter(|u| *u > 0.0)
    };
    let (least, most) = (free().fold(1.0f32, f32::min), free().fold(0.0f32, f32::max));
    let range = (most / least).max(1.0 + 1e-3).ln();
    move |u| if u > 0.0 { ((u / least).ln() / range).clamp(0.0, 1.0) } else { 0.0 }
}
