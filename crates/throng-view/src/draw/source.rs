//! Where the crowd and the fields of a frame are on the device.

use throng::engine::Engine as _;
use throng::engine::gpu::{Buffer as EngineBuffer, Column, GpuEngine};
use throng::engine::{Direction, Field};
use throng::measure::crowd;
use throng::scene::Scene;
use throng::stages::steer::social_force::cells::Blocks;
use throng::world::agents::ModelColumn;
use throng::world::grid::Grid;
use wgpu::Buffer;

/// The columns of a crowd on the device.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(crate) columns: [Buffer; 3],
    /// Columns of the model in use.
    pub(super) own: Vec<(&'static ModelColumn, Buffer)>,
    pub(crate) count: u32,
    /// Ids are below this.
    pub(crate) ids: u32,
}

impl Crowd {
    /// The engine's own.
    #[must_use]
    pub fn of(engine: &GpuEngine) -> Self {
        let own = engine.own_columns().map(|(column, buffer)| (column, buffer.clone())).collect();
        Self {
            columns: Column::ALL.map(|c| engine.column(c).clone()),
            own,
            count: engine.capacity(),
            ids: engine.ids(),
        }
    }
}

/// How pick.wgsl finds a field in one of the engine's buffers.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Pick {
    layout: u32,
    stride: u32,
    at: u32,
    two: u32,
    first: u32,
    tiles_wide: u32,
    factor: f32,
    /// Nobody heads for the goal that is asked about: there is no field.
    missing: u32,
}

/// Where a field's values come from.
#[derive(Clone, Debug)]
pub struct FieldSource(pub(super) Option<(Buffer, Pick)>);

impl FieldSource {
    /// What was uploaded last.
    pub const UPLOADED: Self = Self(None);

    /// The engine's own buffer; what follows from the world alone comes with a shot.
    #[must_use]
    pub fn of(engine: &GpuEngine, scene: &Scene, field: Field) -> Self {
        if field.is_of_world() {
            return Self::UPLOADED;
        }
        let grid = scene.grid;
        let tiles_wide = grid.width.div_ceil(16) as u32;
        let tiled = tiles_wide * grid.height.div_ceil(16) as u32 * 256;
        let plain = Pick { stride: 4, factor: 1.0, tiles_wide, ..Pick::default() };
        let d = |direction: Direction| direction.index() as u32;
        let routes = &engine.world().routes;
        // Of a goal that nobody heads for nothing is planned.
        let route = |goal: usize| routes.to_goal(goal).map_or((0, 1), |r| (r as u32, 0));
        let (buffer, pick) = match field {
            Field::Discomfort => (EngineBuffer::World, Pick { at: 2, ..plain }),
            Field::Density => (EngineBuffer::Average, plain),
            Field::Velocity => (EngineBuffer::Average, Pick { at: 1, two: 1, ..plain }),
            Field::Speed(direction) => (EngineBuffer::Speed, Pick { at: d(direction), ..plain }),
            Field::Cost(direction) => {
                (EngineBuffer::Cost, Pick { layout: 1, at: d(direction), factor: 1.0 / grid.cell, ..plain })
            }
            Field::Potential(goal) => {
                let (route, missing) = route(goal);
                (EngineBuffer::Potential, Pick { layout: 1, stride: 1, first: route * tiled, missing, ..plain })
            }
            Field::Gradient(goal) => {
                let (route, missing) = route(goal);
                let stride = routes.len().max(1) as u32;
                (EngineBuffer::Directions, Pick { layout: 2, stride, first: route, missing, ..plain })
            }
            Field::Occupancy | Field::Refusals => bounded(engine, &grid, field, plain),
            Field::LocalDensity => {
                let n = crowd::window(&grid);
                let factor = 1.0 / (n as f32 * grid.cell).powi(2);
                (EngineBuffer::Starts, Pick { layout: 4, stride: n as u32, factor, ..plain })
            }
            Field::PeakDensity => (EngineBuffer::Maps, Pick { stride: 1, ..plain }),
            Field::Use => (EngineBuffer::Maps, Pick { stride: 1, first: grid.len() as u32, ..plain }),
            _ => {
                let per_area = 1.0 / (throng::stages::splat::QUANTA * grid.cell * grid.cell);
                (EngineBuffer::Average, Pick { at: 3, factor: per_area, ..plain })
            }
        };
        Self(Some((engine.buffer(buffer).clone(), pick)))
    }
}

/// How a field of cells that hold only so many is found; with a steering that has none, nothing is.
fn bounded(engine: &GpuEngine, grid: &Grid, field: Field, plain: Pick) -> (EngineBuffer, Pick) {
    let model = &engine.scene().model;
    let Some(bound) = model.steer.steering().bounded.map(|bounded| bounded(model)) else {
        return (EngineBuffer::Asks, Pick { layout: 2, missing: 1, ..plain });
    };
    let blocks = Blocks::new(grid, bound.side);
    let pick = Pick { layout: 3, stride: blocks.side as u32, tiles_wide: blocks.wide as u32, ..plain };
    match field {
        Field::Occupancy => (EngineBuffer::Cells, pick),
        _ => (EngineBuffer::Asks, Pick { at: 1, ..pick }),
    }
}
