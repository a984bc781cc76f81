//! What the tests run with.

use crate::draft::{Draft, People};
use crate::run::{Run, RunError};
use throng::engine::gpu::{Gpu, GpuEngine, StartError};
use throng::{Scene, Simulation};

/// Sides of cells that divide a metre, which every world of the tests is whole metres of, m.
pub const CELLS: [f32; 5] = [0.1, 0.125, 0.2, 0.25, 0.5];

/// What runs the scenes.
#[derive(Clone, Debug, Default)]
pub enum Place {
    /// The processor: independent runs side by side, each on one thread.
    #[default]
    Cpu,
    /// A GPU: one run after the other.
    Gpu(Box<Gpu>),
}

/// What all tests run with; what is not said here is the program's default, the same for all of them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seeds 1 to this.
    pub seeds: u32,
    /// With other rasters, steps and larger crowds where a test has them; else only what takes minutes.
    pub full: bool,
    /// Side of a cell, m: one of [`CELLS`].
    pub cell: f32,
    /// Step, s.
    pub dt: f32,
    /// The plan, by its word; the scene language's default if there is none.
    pub plan: Option<String>,
    /// The steering, by its word; the scene language's default if there is none.
    pub steer: Option<String>,
    /// Other values of the model, by key as in `model.walk.foresight`.
    pub set: Vec<(String, String)>,
    /// Where they run.
    pub place: Place,
}

impl Settings {
    /// One seed and the usual raster: minutes.
    #[must_use]
    pub fn quick() -> Self {
        Self {
            seeds: 1,
            full: false,
            cell: 0.25,
            dt: 0.04,
            plan: None,
            steer: None,
            set: Vec::new(),
            place: Place::Cpu,
        }
    }

    /// Five seeds, other rasters and steps.
    #[must_use]
    pub fn full() -> Self {
        Self { seeds: 5, full: true, ..Self::quick() }
    }

    /// Whether a scene can have all of this.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub fn check(&self) -> Result<(), RunError> {
        let draft = Draft::new("settings", [2.0, 2.0])
            .goal("out", [0.0, 0.0, 1.0, 1.0])
            .people(People::new(1, [1.0, 1.0, 2.0, 2.0]));
        Run::each(self, &draft, 0.0).first().map_or(Ok(()), |run| run.scene().map(drop))
    }

    /// What differs from the defaults of a built-in scene.
    pub(crate) fn changes(&self) -> Vec<(String, String)> {
        let words = [("plan", &self.plan), ("steer", &self.steer)].into_iter();
        let words = words.filter_map(|(key, word)| Some((format!("model.{key}"), format!("{:?}", word.as_ref()?))));
        let step = ("dt".to_owned(), self.dt.to_string());
        std::iter::once(step).chain(words).chain(self.set.iter().cloned()).collect()
    }

    /// How a scene is drawn with these settings, but for the seed.
    pub(crate) fn variant(&self) -> Variant {
        Variant { cell: self.cell, dt: self.dt, shifted: false }
    }

    /// All seeds.
    pub(crate) fn all_seeds(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.seeds.max(1)
    }

    /// `cpu` or `gpu`.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        match self.place {
            Place::Cpu => "cpu",
            Place::Gpu(_) => "gpu",
        }
    }

    /// A run of a scene, there.
    pub(crate) fn start(&self, scene: &Scene) -> Result<Simulation, RunError> {
        match &self.place {
            Place::Cpu => Ok(Simulation::with_threads(scene, 1)?),
            Place::Gpu(gpu) => match GpuEngine::new(scene, gpu) {
                Ok(engine) => Ok(Simulation::on(scene, Box::new(engine))),
                Err(StartError::Scene(e)) => Err(e.into()),
                Err(StartError::Gpu(e)) => Err(RunError::Other(e.to_string())),
            },
        }
    }
}

/// Raster and step of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variant {
    /// Side of a cell, m.
    pub(crate) cell: f32,
    /// Step, s.
    pub(crate) dt: f32,
    /// Everything moved by half a cell, in a world one cell larger.
    pub(crate) shifted: bool,
}

impl Variant {
    /// How far everything is moved, m.
    pub(crate) fn offset(&self) -> f32 {
        if self.shifted { self.cell / 2.0 } else { 0.0 }
    }

    /// Whether nobody of the measured crowds walks farther than a cell in a step.
    pub(crate) fn holds_a_stride(&self) -> bool {
        2.0 * self.dt < self.cell
    }

    /// What it adds to the name of a scene that usually has another one.
    pub(crate) fn suffix(&self, usual: &Self) -> String {
        let mut text = String::new();
        if self.cell.to_bits() != usual.cell.to_bits() || self.shifted {
            text += &format!("-cell{}", self.cell);
        }
        if self.shifted {
            text += "-shifted";
        }
        if self.dt.to_bits() != usual.dt.to_bits() {
            text += &format!("-dt{}", self.dt);
        }
        text
    }
}
