//! Calls that make doors, and that move the soft obstacle. The obstacle is an input of steps, not a change of the scene: [`Simulation::edits`] does not
//! count it, and a run that begins again has none.

use crate::engine::Edit;
use crate::scene::WallSpec;
use crate::simulation::Simulation;
use crate::world::obstacle::Obstacle;

impl Simulation {
    /// Puts the soft obstacle somewhere, from the next step on, or takes it away (`None`): there is one at most. Plans lead round it as round
    /// uncomfortable ground (`plan = "harmonic"` knows no discomfort), and where it was nothing is left of it. Only the cells under
    /// it are looked at, so it may move in every step. Returns whether a run may have it (a finite place, a
    /// radius from 0.05 to 10,000 m, an intensity from 0 to 100); if not, nothing changes.
    pub fn set_obstacle(&mut self, obstacle: Option<Obstacle>) -> bool {
        let sound = obstacle.is_none_or(|o| o.is_sound());
        if sound && obstacle != self.obstacle() {
            self.engine.edit(Edit::Obstacle(obstacle));
        }
        sound
    }

    /// The soft obstacle, if there is one.
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        self.world().obstacle
    }

    /// Gives an added wall a name, or takes it (`None`). A wall with a name is a door: it stays in the scene though it is open, events may
    /// close it, and [`Simulation::set_wall`] finds it. Returns whether it was added and no other wall has the name.
    pub fn name_wall(&mut self, number: usize, name: Option<&str>) -> bool {
        let walls = &self.scene().map.walls;
        let other = |(i, wall): (usize, &WallSpec)| i != number && name.is_some() && wall.name.as_deref() == name;
        let fine = walls.get(number).is_some_and(|w| w.added) && !walls.iter().enumerate().any(other);
        if fine {
            self.edit(Edit::NameWall(number, name.map(str::to_owned)));
        }
        fine
    }
}
