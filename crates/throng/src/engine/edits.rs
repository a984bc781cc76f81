//! Changes between two steps, the same on every engine: what a call changes is said by the scene in force and done to the world;
//! what an event of the scene changes is done to the world alone, since the scene has the event.

use super::Edit;
use crate::geometry::Rect;
use crate::scene::{Change, Model, Scene, WallSpec};
use crate::world::World;

/// What an engine has to make anew after a change of its world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Touched {
    /// Walls: somebody may stand in one.
    Walls,
    /// What is known about these cells, by plain index.
    Cells(Vec<u32>),
    /// What is known about the cells in a rectangle.
    Area(Rect),
    /// Where goals are.
    Goals,
    /// What people flee from.
    Hazards,
    /// How comfortable the floor is in these rectangles; the world has it already.
    Comfort(Vec<Rect>),
    /// The model; this was the one before.
    Model(Box<Model>),
    /// Nothing: all was so already.
    Nothing,
}

/// A change by a call before the step of this number. From here on the scene in force says it; the world does after the next
/// [`World::refresh`].
pub(crate) fn apply(scene: &mut Scene, world: &mut World, edit: Edit, step: u32) -> Touched {
    match edit {
        Edit::Standing(wall, standing) => {
            scene.map.walls[wall].open = !standing;
            stand(world, wall, standing)
        }
        Edit::AddWall(shape) => {
            scene.map.walls.push(WallSpec { name: None, shape: shape.clone(), open: false, added: true });
            world.add_wall(shape);
            Touched::Walls
        }
        Edit::NameWall(wall, name) => {
            world.walls.rename(wall, name.clone());
            scene.map.walls[wall].name = name;
            Touched::Nothing
        }
        Edit::Paint(cell, wall) => {
            scene.paint(&[(cell as u32, wall)]);
            world.walls.paint(cell, wall);
            Touched::Walls
        }
        Edit::PaintAll(cells) => {
            scene.paint(&cells);
            world.walls.paint_all(cells.into_iter().map(|(cell, wall)| (cell as usize, wall)));
            Touched::Walls
        }
        Edit::Ground(cells) => {
            scene.paint_ground(&cells);
            world.paint_ground(&cells);
            Touched::Cells(cells.into_iter().map(|(cell, _)| cell).collect())
        }
        Edit::ZoneSpeed(zone, speed) => {
            let area = set_zone(world, zone, speed);
            scene.zones[zone].speed = world.zones[zone].speed;
            area
        }
        Edit::MoveGoal(goal, shapes) => {
            world.move_goal(goal, &shapes);
            (scene.goals[goal].shapes, scene.goals[goal].cells) = (shapes, Vec::new());
            Touched::Goals
        }
        Edit::OpenGoal(goal, open) => {
            scene.goals[goal].open = open;
            open_goal(world, goal, open)
        }
        Edit::Source(group, on) => {
            scene.groups[group].on = on;
            switch(scene, world, group, on, step)
        }
        Edit::Full(goal, full) => if_so(world.places[goal].set_full(full), Touched::Goals),
        Edit::Hazard(number, hazard) => {
            world.hazards.set(number, &hazard, &world.signals, scene.dt);
            match scene.hazards.get_mut(number) {
                Some(old) => *old = *hazard,
                None => scene.hazards.push(*hazard),
            }
            Touched::Hazards
        }
        Edit::Obstacle(obstacle) => Touched::Comfort(world.set_obstacle(obstacle)),
        Edit::Model(model) => {
            let before = std::mem::replace(&mut scene.model, *model);
            world.set_routes(&scene.groups, &scene.model);
            world.set_clearance(model.clearance, model.clearance_discomfort);
            Touched::Model(Box::new(before))
        }
    }
}

/// What an event of the scene changes before the step of this number.
pub(crate) fn happen(scene: &Scene, world: &mut World, change: Change, step: u32) -> Touched {
    match change {
        Change::Close(wall) => stand(world, wall, true),
        Change::Open(wall) => stand(world, wall, false),
        Change::ZoneSpeed(zone, speed) => set_zone(world, zone, speed),
        Change::Goal(goal, open) => open_goal(world, goal, open),
        Change::Source(group, on) => switch(scene, world, group, on, step),
    }
}

/// What was touched if anything has changed.
fn if_so(changed: bool, touched: Touched) -> Touched {
    if changed { touched } else { Touched::Nothing }
}

fn stand(world: &mut World, wall: usize, standing: bool) -> Touched {
    if_so(world.walls.set_standing(wall, standing), Touched::Walls)
}

fn open_goal(world: &mut World, goal: usize, open: bool) -> Touched {
    if_so(std::mem::replace(&mut world.places[goal].open, open) != open, Touched::Goals)
}

/// Nothing follows from it but who comes in.
fn switch(scene: &Scene, world: &mut World, group: usize, on: bool, step: u32) -> Touched {
    if let Some(rate) = scene.groups[group].rate {
        world.sources[group].switch(on, rate, scene.dt, step);
    }
    Touched::Nothing
}

/// No faster than the scene itself foresees: walls and lists are made for that stride.
fn set_zone(world: &mut World, zone: usize, speed: f32) -> Touched {
    let most = world.zone_limits[zone];
    let zone = &mut world.zones[zone];
    zone.speed = speed.clamp(0.01, most);
    Touched::Area(zone.shape.bounds())
}
