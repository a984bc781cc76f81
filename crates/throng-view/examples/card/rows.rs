//! What is measured.

use crate::card::{Card, Mesh, Took, Work};
use wgpu::util::DeviceExt;
use wgpu::{BufferUsages, Face, PrimitiveTopology};

/// So much of something a second.
pub(crate) struct Rate {
    pub(crate) what: String,
    pub(crate) unit: &'static str,
    pub(crate) per_second: f64,
    /// How long it took for how many pieces of work.
    pub(crate) took: Took,
}

/// Sides of small things, px: a square of it is two triangles of a pixel each.
const STEP: f64 = std::f64::consts::SQRT_2;
/// Squares from side to side of the small grids, and of their vertices some 200.
const SMALL: u32 = 13;

/// Two triangles for each square of a grid, in blocks of 8 × 8 so that vertices are still at hand when they are used again; from the
/// beginning once more if there are to be more.
fn grid_indices(across: u32, down: u32, triangles: usize) -> Vec<u32> {
    const BLOCK: u32 = 8;
    let mut indices = Vec::new();
    for top in (0..down).step_by(BLOCK as usize) {
        for left in (0..across).step_by(BLOCK as usize) {
            for y in top..(top + BLOCK).min(down) {
                for x in left..(left + BLOCK).min(across) {
                    let (a, wide) = (y * (across + 1) + x, across + 1);
                    indices.extend([a, a + 1, a + wide + 1, a, a + wide + 1, a + wide]);
                }
            }
        }
    }
    indices.iter().copied().cycle().take(3 * triangles).collect()
}

/// All of it, each said as it is measured.
pub(crate) fn measure(card: &Card, mut say: impl FnMut(&Rate) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let side = f64::from(card.side);
    let indices = |list: &[u32]| {
        card.gpu.device().create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("indices"),
            contents: bytemuck::cast_slice(list),
            usage: BufferUsages::INDEX,
        })
    };
    let mut row = |what: &str, work: &Work<'_>, most: u32, units: &[(&'static str, f64)]| {
        let took = card.measure(work, most)?;
        for &(unit, each) in units {
            let per_second = each * f64::from(took.pieces) / took.seconds.max(1e-9);
            say(&Rate { what: what.to_owned(), unit, per_second, took })?;
        }
        anyhow::Ok(())
    };
    let draw = |vertex: &'static str, mesh| Work::Draw {
        vertex,
        fragment: "plain",
        samples: 4,
        cull: None,
        mesh,
        constants: &[("STEP", STEP)],
    };
    // Vertices and triangles. Pieces are small where they are drawn by the million, so that there are some on software, too.
    let many = 1 << 22;
    row("vertices that make no triangle", &draw("nowhere", Mesh::Vertices(192)), many, &[("vertices", 192.0)])?;
    let sines = draw("nowhere_with_sines", Mesh::Vertices(192));
    row("vertices with 32 sines that make no triangle", &sines, many, &[("vertices", 192.0)])?;
    let units = [("triangles", 64.0), ("vertices", 192.0)];
    row("triangles of a pixel, three vertices each, strewn", &draw("strewn", Mesh::Vertices(192)), many, &units)?;
    for (step, what) in [(STEP, "1 pixel"), (4.0 * STEP, "16 pixels")] {
        let across = (side / step) as u32;
        let list = grid_indices(across, across, 2 * (across * across) as usize);
        let buffer = indices(&list);
        let constants = [("STEP", step), ("ACROSS", f64::from(across))];
        let units =
            [("triangles", list.len() as f64 / 3.0), ("vertices, each counted once", f64::from(across + 1).powi(2))];
        let mesh = Mesh::Indexed(&buffer);
        let of_grid = |vertex: &'static str, cull| Work::Draw {
            vertex,
            fragment: "plain",
            samples: 4,
            cull,
            mesh,
            constants: &constants,
        };
        row(&format!("triangles of {what}, a grid with indices"), &of_grid("grid", None), 1 << 12, &units)?;
        row(&format!("the same of {what}, behind the eye"), &of_grid("grid_behind", None), 1 << 12, &units)?;
        row(&format!("the same of {what}, facing away"), &of_grid("grid", Some(Face::Front)), 1 << 12, &units)?;
    }
    let strip = Mesh::Instances(4, PrimitiveTopology::TriangleStrip);
    row("quads of 2 pixels, an instance each, strip", &draw("quad_of_instance", strip), 1 << 26, &[("quads", 1.0)])?;
    row("quads of 2 pixels, six vertices each", &draw("quad_of_six", Mesh::Vertices(6)), 1 << 26, &[("quads", 1.0)])?;
    for triangles in [64, 128, 256, 512, 1000] {
        let buffer = indices(&grid_indices(SMALL, SMALL, triangles));
        let vertices = f64::from((SMALL + 1) * (SMALL + 1)).min(0.5 * triangles as f64 + 20.0);
        let work = Work::Draw {
            vertex: "grid",
            fragment: "plain",
            samples: 4,
            cull: None,
            mesh: Mesh::Indexed(&buffer),
            constants: &[("STEP", STEP), ("ACROSS", f64::from(SMALL)), ("STREWN", 1.0)],
        };
        let units = [("triangles", triangles as f64), ("instances", 1.0)];
        let what = format!("instances of {triangles} triangles of a pixel, some {vertices:.0} vertices");
        row(&what, &work, many, &units)?;
    }
    // Pixels.
    let whole = |fragment: &'static str, samples| Work::Draw {
        vertex: "whole",
        fragment,
        samples,
        cull: None,
        mesh: Mesh::Instances(3, PrimitiveTopology::TriangleList),
        constants: &[],
    };
    let pixels = card.pixels();
    let layers = 1 << 12;
    row("pixels, plain, one sample", &whole("plain", 1), layers, &[("pixels", pixels)])?;
    row("pixels, plain, four samples", &whole("plain", 4), layers, &[("pixels", pixels)])?;
    row("pixels with 32 sines, one sample", &whole("with_sines", 1), layers, &[("pixels", pixels)])?;
    row("pixels with 32 sines, four samples", &whole("with_sines", 4), layers, &[("pixels", pixels)])?;
    row(
        "pixels with 32 sines, for each of four samples",
        &whole("with_sines_by_sample", 4),
        layers,
        &[("pixels", pixels)],
    )?;
    let sines = Work::Compute { kernel: "compute_sines" };
    row("the same 32 sines in compute, a thread a pixel", &sines, layers, &[("threads", pixels)])?;
    let units = |looks: f64| [("pixels", pixels), ("lookups", looks * pixels)];
    row("7 layers of Rgba16Float, bilinear", &whole("looked_up", 4), layers, &units(7.0))?;
    row("the same 7 from a buffer, nearest", &whole("loaded", 4), layers, &units(7.0))?;
    row("the same 7 from a buffer, of four texels", &whole("loaded_smoothly", 4), layers, &units(28.0))?;
    row("9 comparisons of depth", &whole("compared", 4), layers, &units(9.0))?;
    let points = Work::Compute { kernel: "compute_points" };
    row("points by atomicMax in compute, strewn", &points, layers, &[("points", pixels)])
}
