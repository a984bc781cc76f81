//! Draws one picture of each kind into a folder, to be looked at:
//! `cargo run -p throng-io --example gallery -- /tmp/pictures`

use std::error::Error;
use std::path::{Path, PathBuf};

use throng_io::{FieldPicture, Heading, LineChart, Series, Values, write_npy_scalar, write_npy_vector, write_png};

/// A room with a few walls, a closed-off corner, and a crowd before a door.
struct Room {
    width: usize,
    height: usize,
    walls: Vec<bool>,
    unreached: Vec<bool>,
    density: Vec<f32>,
    velocity: Vec<[f32; 2]>,
    direction: Vec<[f32; 2]>,
}

impl Room {
    fn new(width: usize, height: usize) -> Self {
        let mut room = Self {
            width,
            height,
            walls: Vec::new(),
            unreached: Vec::new(),
            density: Vec::new(),
            velocity: Vec::new(),
            direction: Vec::new(),
        };
        for y in 0..height {
            for x in 0..width {
                let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
                let edge = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
                let divider = x == width * 7 / 10 && !(0.42..0.55).contains(&v);
                let shelf = y == height * 8 / 10 && u < 0.25;
                let corner = x == width / 4 && v > 0.8;
                room.walls.push(edge || divider || shelf || corner);
                room.unreached.push(u < 0.25 && v > 0.8);
                let (du, dv) = (0.7 - u, 0.485 - v);
                let from_door = du.hypot(dv).max(1e-4);
                let before = if du > 0.0 { 1.0 } else { 0.12 };
                room.density.push(6.2 * before * (-from_door * 7.0).exp());
                let (mut east, mut north) = (du / from_door, dv / from_door);
                if du <= 0.0 {
                    (east, north) = (1.0, 0.0);
                }
                room.direction.push([east, north]);
                let speed = 1.34 * (1.0 - before * (-from_door * 5.0).exp());
                room.velocity.push([east * speed, north * speed]);
            }
        }
        room
    }

    fn picture<'a>(&'a self, title: &'a str, unit: &'a str, values: Values<'a>) -> FieldPicture<'a> {
        FieldPicture {
            title,
            heading: Heading { longest_title: title, key: &[] },
            unit,
            width: self.width,
            height: self.height,
            cell_m: 0.25,
            values,
            walls: &self.walls,
            unreached: &self.unreached,
            limits: None,
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder")?);
    std::fs::create_dir_all(&folder)?;
    let save = |name: &str, picture: FieldPicture<'_>| -> Result<(), Box<dyn Error>> {
        write_png(&folder.join(name), &picture.render()?)?;
        Ok(())
    };

    let room = Room::new(120, 80);
    let (density, velocity) = (Values::Scalar(&room.density), Values::Vector(&room.velocity));
    save("scalar.png", room.picture("density at 40 s", "persons/m²", density))?;
    let mut heat = room.picture("density at 40 s, up to 4 persons/m²", "persons/m²", density);
    heat.limits = Some((0.0, 4.0));
    save("heat.png", heat)?;
    let mut broken = room.density.clone();
    broken[40 * 120 + 30..40 * 120 + 36].fill(f32::NAN);
    let with_gaps = Values::Scalar(&broken);
    save("not_finite.png", room.picture("broken density", "persons/m²", with_gaps))?;
    save("vector.png", room.picture("velocity", "m/s", velocity))?;
    save("directions.png", room.picture("way to the exit", "", Values::Direction(&room.direction)))?;

    let small = Room::new(24, 36);
    let directions = Values::Direction(&small.direction);
    save("directions_small.png", small.picture("way to the exit", "", directions))?;

    let mut one = room.picture("a single cell under a title that has to be wrapped", "s", density);
    (one.width, one.height, one.walls, one.unreached) = (1, 1, &[], &[]);
    one.values = Values::Scalar(&[4.25]);
    save("one.png", one)?;

    let narrow: Vec<[f32; 2]> = (0..1500_u16).map(|cell| [0.3, f32::from(cell / 5) / 300.0]).collect();
    let masked: Vec<bool> = (0..1500).map(|cell| (200..260).contains(&cell)).collect();
    let mut corridor = one;
    (corridor.title, corridor.unit) = ("a corridor of 5 x 300 cells", "m/s");
    (corridor.width, corridor.height) = (5, 300);
    (corridor.values, corridor.unreached) = (Values::Vector(&narrow), &masked);
    save("corridor.png", corridor)?;
    let lengths: Vec<f32> = narrow.iter().map(|[_, north]| *north).collect();
    corridor.title = "lying: 300 x 5 cells";
    (corridor.width, corridor.height) = (300, 5);
    corridor.values = Values::Scalar(&lengths);
    save("lying.png", corridor)?;

    let large = Room::new(3000, 1500);
    let density = Values::Scalar(&large.density);
    save("large.png", large.picture("density of a large hall", "persons/m²", density))?;
    let velocity = Values::Vector(&large.velocity);
    save("large_vector.png", large.picture("velocity in a large hall", "m/s", velocity))?;

    write_png(&folder.join("chart.png"), &arrivals(1).render(900, 520))?;
    write_png(&folder.join("chart_several.png"), &arrivals(3).render(640, 400))?;
    write_png(&folder.join("chart_empty.png"), &arrivals(0).render(480, 300))?;
    arrays(&folder, &room)
}

fn arrivals(count: u32) -> LineChart {
    let curve = |late: u32| {
        let start = f64::from(late) * 12.0;
        (0..=180)
            .map(|second| {
                let t = f64::from(second);
                (t, (840.0 / (1.0 + (-(t - 70.0 - start) / 14.0).exp())).floor())
            })
            .collect()
    };
    LineChart {
        title: "Arrivals at the exits".to_owned(),
        x_label: "time in s".to_owned(),
        y_label: "persons".to_owned(),
        series: (0..count)
            .map(|late| Series {
                name: format!("exit {}", ["north", "south", "west"][late as usize % 3]),
                points: curve(late),
            })
            .collect(),
        ..LineChart::default()
    }
}

fn arrays(folder: &Path, room: &Room) -> Result<(), Box<dyn Error>> {
    let (width, height) = (room.width, room.height);
    write_npy_scalar(&folder.join("density.npy"), width, height, &room.density)?;
    let flat = room.velocity.as_flattened();
    write_npy_vector(&folder.join("velocity.npy"), width, height, 2, flat)?;
    Ok(())
}
