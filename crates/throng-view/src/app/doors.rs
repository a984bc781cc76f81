//! Doors: a click opens or closes one, or makes one in a wall or an opening; a drag says how wide.

use super::cut::{Cut, InWall, cut, opening};
use super::draft::{LEAST, straight};
use super::floor::{FloorChange, FloorState, Stands};
use super::pointer::Touch;
use super::{App, Undo};
use crate::draw::Door;
use crate::host::{Done, Happened};
use crate::overlay::to_points;
use egui::{Align2, Color32, Painter, Stroke, Ui};
use glam::Vec2;
use throng::geometry::{Rect, Segment, Shape};

const AMBER: Color32 = Color32::from_rgb(0xF2, 0xB1, 0x34);
/// Of a door that is hung in an opening, m.
const THICKNESS: f32 = 0.2;
/// What a click may be off by, in points; a longer way is a drag.
const REACH: f32 = 6.0;
/// Between two looks along a drag, m.
const STRIDE: f32 = 0.02;

/// What makes a door: walls that are cut, cells that are floor then, the door and whether it is closed.
struct NewDoor {
    cut: Vec<(usize, Vec<Shape>)>,
    cells: Vec<u32>,
    doors: Vec<Shape>,
    closed: bool,
}

impl App {
    pub(super) fn use_door_tool(&mut self, ui: &Ui) {
        let reach = REACH * ui.ctx().pixels_per_point() / self.camera.scale;
        for touch in self.touches(ui) {
            match (touch, self.drawing.draft) {
                (Touch::Press(at), _) => self.drawing.draft = Some([at, at]),
                (Touch::Move(at), Some([from, _])) => self.drawing.draft = Some([from, at]),
                (Touch::Release, Some([from, to])) => {
                    self.drawing.draft = None;
                    if from.distance(to) <= reach {
                        self.click_door(from, reach);
                    } else {
                        self.drag_door(from, to);
                    }
                }
                _ => {}
            }
        }
    }

    /// Opens or closes the door at a place, m, or makes one in the wall or the opening there.
    pub fn click_door(&mut self, at: Vec2, reach: f32) {
        let Some(ground) = self.ground.clone() else { return };
        let away = |d: &Door| {
            let sides = d.shape.outline();
            let near = sides.iter().map(|s| s.closest(at).distance(at)).fold(f32::INFINITY, f32::min);
            if d.shape.contains(at) { 0.0 } else { near }
        };
        let hit = ground.doors.iter().min_by(|a, b| away(a).total_cmp(&away(b))).filter(|d| away(d) <= reach);
        if let Some(door) = hit {
            self.swing(door.number, &door.name, !door.standing);
        } else if self.is_wall(at, reach) {
            self.door_in_wall(at, None, reach);
        } else if let Some([a, b]) = opening(&ground, &self.scene.grid, at) {
            self.hang_door(a, b);
        } else {
            self.complain("there is no door, no wall, and no opening narrow enough for a door");
        }
    }

    /// Makes a door: along a wall as wide as the way, across a wall as wide as doors are, or from side to side of an opening.
    pub fn drag_door(&mut self, from: Vec2, to: Vec2) {
        let middle = (from + to) * 0.5;
        let pieces = (from.distance(to) / STRIDE).ceil().clamp(1.0, 2000.0) as u32;
        let place = |k: u32| from + (to - from) * (k as f32 / pieces as f32);
        let through = (0..=pieces).map(place).find(|p| self.is_wall(*p, 0.0)).or_else(|| self.line_on(from, to));
        match through {
            _ if self.is_wall(middle, 0.0) => self.door_in_wall(middle, Some(to - from), 0.0),
            Some(p) if !self.is_wall(from, 0.0) && !self.is_wall(to, 0.0) => {
                self.door_in_wall(p, Some(to - from), STRIDE);
            }
            _ if from.distance(to) >= 0.1 => self.hang_door(from, to),
            _ => self.complain("a door has to be at least 0.1 m wide"),
        }
    }

    fn is_wall(&self, p: Vec2, reach: f32) -> bool {
        let Some(ground) = &self.ground else { return false };
        let painted = InWall::of_cells(ground, &self.scene.grid, p).is_some();
        painted || ground.walls.iter().any(|(_, shape)| InWall::of_shape(shape, p, reach).is_some())
    }

    /// Where a way crosses a wall that is a line and has no inside.
    fn line_on(&self, from: Vec2, to: Vec2) -> Option<Vec2> {
        let lines = self.ground.as_ref()?.walls.iter().filter(|(_, s)| matches!(s, Shape::Line(_)));
        let side = lines.flat_map(|(_, s)| s.outline()).find(|s| s.crosses(from, to))?;
        let (along, way) = (side.b - side.a, to - from);
        let turn = way.perp_dot(along);
        (turn.abs() > 1e-9).then(|| from + way * ((side.a - from).perp_dot(along) / turn))
    }

    /// Opens or closes a door.
    fn swing(&mut self, number: usize, name: &str, close: bool) {
        let said = format!("\"{name}\" is {} now", if close { "closed" } else { "open" });
        self.count_shut_in(false);
        self.host.tell(Box::new(move |sim| {
            let state = |stands| FloorState { standing: vec![(number, stands)], ..FloorState::default() };
            let (before, after) = (state(Stands::of(sim, number)), state(Stands::always(close)));
            if !after.put(sim) {
                return Err("there is no such door any more".into());
            }
            let undo = Box::new(Undo::Floor(Box::new(FloorChange { before, after })));
            Ok(Done { happened: Some(Happened::Changed { undo, since: None }), ..Done::saying(said) })
        }));
        self.count_shut_in(true);
    }

    /// Makes an open door in the wall at a place. `drag`: how wide, if it goes along the wall.
    fn door_in_wall(&mut self, at: Vec2, drag: Option<Vec2>, reach: f32) {
        let Some(ground) = self.ground.clone() else { return };
        let half_width = |along: Vec2| {
            let by = drag.map_or(0.0, |way| way.dot(along).abs());
            let across = drag.map_or(f32::INFINITY, |way| way.perp_dot(along).abs());
            0.5 * if by > across { by } else { self.drawing.door }
        };
        let mut new = NewDoor { cut: Vec::new(), cells: Vec::new(), doors: Vec::new(), closed: false };
        for (number, shape) in &ground.walls {
            let Some(place) = InWall::of_shape(shape, at, reach) else { continue };
            let Some(Cut { rest, door }) = cut(shape, place, half_width(place.along)) else {
                self.complain("no door can be made there: the wall is round, or has corners that point inwards");
                return;
            };
            new.cut.push((*number, rest));
            new.doors.push(door);
        }
        if let Some((place, across)) = InWall::of_cells(&ground, &self.scene.grid, at) {
            let (cells, door) = self.cells_of_door(place, across, half_width(place.along));
            new.cells = cells.into_iter().filter(|&c| ground.painted.get(c as usize) == Some(&true)).collect();
            new.doors.push(door);
        }
        self.make_door(new);
    }

    /// The cells of a door in painted cells, and its shape: whole cells, as wide as it should be or wider.
    fn cells_of_door(&self, at: InWall, across: [usize; 2], half_width: f32) -> (Vec<u32>, Shape) {
        let grid = self.scene.grid;
        let axis = usize::from(at.along == Vec2::Y);
        let most = if axis == 0 { grid.width } else { grid.height };
        let wide = (2.0 * half_width / grid.cell).round().max(1.0);
        let first = (at.middle[axis] / grid.cell - 0.5 * wide).round().max(0.0) as usize;
        let last = (first + wide as usize).min(most);
        let cell = |k: usize, j: usize| if axis == 0 { (k, j) } else { (j, k) };
        let all = (first..last).flat_map(|k| (across[0]..=across[1]).map(move |j| (k, j)));
        let cells = all.map(|(k, j)| cell(k, j)).map(|(x, y)| (y * grid.width + x) as u32).collect();
        let corner = |k: usize, j: usize| {
            let (x, y) = cell(k, j);
            Vec2::new(x as f32, y as f32) * grid.cell
        };
        (cells, Shape::Rect(Rect::new(corner(first, across[0]), corner(last, across[1] + 1))))
    }

    /// Hangs a closed door from one place to another.
    fn hang_door(&mut self, from: Vec2, to: Vec2) {
        let doors = vec![straight(from, to, THICKNESS)];
        self.make_door(NewDoor { cut: Vec::new(), cells: Vec::new(), doors, closed: true });
    }

    fn make_door(&mut self, new: NewDoor) {
        self.count_shut_in(false);
        self.host.tell(Box::new(move |sim| {
            // Names that are free in the run itself: the window may not have heard of the door that was made just before.
            let taken = |name: &String| sim.scene().map.walls.iter().any(|w| w.name.as_ref() == Some(name));
            let free = (1..).map(|k| format!("door {k}")).filter(|name| !taken(name));
            let names: Vec<String> = free.take(new.doors.len()).collect();
            let (mut before, mut after) = (FloorState::default(), FloorState::default());
            let mut shapes = Vec::new();
            if !new.cut.iter().flat_map(|(_, rest)| rest).chain(&new.doors).all(Shape::is_sound) {
                return Err("no door can be made there: it would be too far away, or too small".into());
            }
            let stood: Vec<Stands> = new.cut.iter().map(|(number, _)| Stands::of(sim, *number)).collect();
            let mut add = |shape: Shape| {
                let number = sim.add_wall(shape.clone()).map_err(|e| format!("no door can be made there: {e}"))?;
                shapes.push((number, shape));
                Ok::<usize, String>(number)
            };
            let [stands, gone] = [true, false].map(Stands::always);
            for ((number, rest), stood) in new.cut.into_iter().zip(stood) {
                before.standing.push((number, stood));
                after.standing.push((number, gone));
                for shape in rest {
                    let piece = add(shape)?;
                    before.standing.push((piece, gone));
                    after.standing.push((piece, stands));
                }
            }
            for (shape, name) in new.doors.into_iter().zip(&names) {
                let door = add(shape)?;
                before.standing.push((door, gone));
                after.standing.push((door, Stands::always(new.closed)));
                before.names.push((door, None));
                after.names.push((door, Some(name.clone())));
            }
            after.shapes = shapes;
            before.walls = new.cells.iter().map(|&c| (c, true)).collect();
            after.walls = new.cells.iter().map(|&c| (c, false)).collect();
            if !after.put(sim) {
                before.put(sim);
                return Err("no door can be made there".into());
            }
            let how = if new.closed { "closed" } else { "open" };
            let said = format!("\"{}\" was made, {how}", names.join("\", \""));
            let undo = Box::new(Undo::Floor(Box::new(FloorChange { before, after })));
            Ok(Done { happened: Some(Happened::Changed { undo, since: None }), ..Done::saying(said) })
        }));
        self.count_shut_in(true);
    }

    /// Outlines of doors: thin where they are open. With the tool in hand, their names.
    pub(super) fn show_doors(&self, painter: &Painter, ppp: f32) {
        let Some(ground) = &self.ground else { return };
        let place = |p: Vec2| to_points(self.camera, p, self.view, ppp);
        let in_hand = self.tool == super::Tool::Door;
        for door in ground.doors.iter().filter(|d| in_hand || !d.standing) {
            let stroke = if door.standing { Stroke::new(2.0, AMBER) } else { Stroke::new(1.0, AMBER) };
            for Segment { a, b } in door.shape.outline() {
                if a.distance(b) >= LEAST {
                    let ends = [place(a), place(b)];
                    if door.standing {
                        painter.line_segment(ends, stroke);
                    } else {
                        painter.extend(egui::Shape::dashed_line(&ends, stroke, 4.0, 3.0));
                    }
                }
            }
            if in_hand {
                let at = place(door.shape.middle()) + egui::vec2(8.0, -8.0);
                let text = format!("{} ({})", door.name, if door.standing { "closed" } else { "open" });
                painter.text(at, Align2::LEFT_BOTTOM, text, crate::overlay::body(), AMBER);
            }
        }
    }
}
