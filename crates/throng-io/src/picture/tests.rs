//! What can be checked of a picture without looking at it.

use super::*;
use crate::canvas::{Colour, PAPER};

fn picture<'a>(width: usize, height: usize, values: Values<'a>) -> FieldPicture<'a> {
    FieldPicture {
        title: "density",
        unit: "persons/m²",
        width,
        height,
        cell_m: 0.5,
        values,
        walls: &[],
        unreached: &[],
        limits: None,
        palette: Palette::Sequential,
    }
}

/// A picture and where in it the map is.
struct Sheet {
    image: RgbImage,
    map: Area,
}

impl Sheet {
    fn of(field: &FieldPicture<'_>) -> Self {
        let (image, map) = field.compose().unwrap();
        Self { image, map }
    }

    /// The pixel in the middle of a cell, its row counted from the south.
    fn cell(&self, columns: i32, column: i32, row: i32) -> Colour {
        let pixels = self.map.w / columns;
        let x = self.map.x + column * pixels + pixels / 2;
        let y = self.map.bottom() - 1 - (row * pixels + pixels / 2);
        self.image.get_pixel(x as u32, y as u32).0
    }

    fn map_has(&self, wanted: Colour) -> bool {
        let Area { x, y, .. } = self.map;
        (y..self.map.bottom())
            .any(|y| (x..self.map.right()).any(|x| self.image.get_pixel(x as u32, y as u32).0 == wanted))
    }
}

#[test]
fn north_is_up() {
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let sheet = Sheet::of(&picture(2, 3, Values::Scalar(&values)));
    let ends = Colours::new(Palette::Sequential, Kind::Amount, Some(grid::Limits { low: 0.0, high: 5.0 }));
    assert_eq!((sheet.map.w, sheet.map.h), (2 * 64, 3 * 64));
    for row in 0..3 {
        for column in 0..2 {
            let value = (row * 2 + column) as f32;
            assert_eq!(sheet.cell(2, column, row), ends.of(value));
        }
    }
    // And said without the helper: the left upper pixel is the north west.
    let corner = sheet.image.get_pixel(sheet.map.x as u32, sheet.map.y as u32);
    assert_eq!(corner.0, ends.of(4.0));
}

#[test]
fn walls_unreached_and_not_finite_are_where_they_should_be() {
    let mut values = [1.0; 12];
    values[5] = f32::NAN;
    values[6] = f32::NEG_INFINITY;
    values[0] = f32::NAN; // a wall: its value does not matter
    values[3] = 1e30; // unreached: neither
    let mut walls = [false; 12];
    let mut unreached = [false; 12];
    (walls[0], unreached[3], unreached[0]) = (true, true, true);
    let mut field = picture(4, 3, Values::Scalar(&values));
    (field.walls, field.unreached) = (&walls, &unreached);
    let sheet = Sheet::of(&field);
    let usual = sheet.cell(4, 0, 2);
    for row in 0..3 {
        for column in 0..4 {
            let found = sheet.cell(4, column, row);
            match row * 4 + column {
                0 => assert_eq!(found, colour::WALL),
                3 => assert!([colour::HATCH_DARK, colour::HATCH_LIGHT].contains(&found)),
                5 | 6 => assert_eq!(found, colour::NOT_FINITE),
                _ => assert_eq!(found, usual),
            }
        }
    }
    assert!(sheet.map_has(colour::HATCH_DARK) && sheet.map_has(colour::HATCH_LIGHT));
}

#[test]
fn the_key_names_only_what_occurs() {
    let values = [1.0, 2.0];
    let below = |field: &FieldPicture<'_>, wanted: Colour| {
        let sheet = Sheet::of(field);
        let bottom = sheet.map.bottom() as u32 + 1;
        sheet.image.enumerate_pixels().any(|(_, y, pixel)| y > bottom && pixel.0 == wanted)
    };
    let plain = picture(2, 1, Values::Scalar(&values));
    let mut walled = plain;
    walled.walls = &[true, false];
    let broken = picture(2, 1, Values::Scalar(&[1.0, f32::NAN]));
    assert!(!below(&plain, colour::WALL) && below(&walled, colour::WALL));
    assert!(!below(&walled, colour::NOT_FINITE) && below(&broken, colour::NOT_FINITE));
}

/// Every shape and content must give a picture with nothing at its edges,
/// where something cut off would show.
#[test]
fn any_shape_and_content_is_drawn_within_the_paper() {
    let shapes = [(1, 1), (1, 500), (500, 1), (2, 3), (5, 300), (33, 70), (640, 2), (2049, 1), (3, 5000)];
    let long = "A title that is far too long for such a small picture ".repeat(4);
    let contents = [0.0, 1.0, -3.5, 1e-42, f32::MAX, f32::NAN, f32::INFINITY];
    for (width, height) in shapes {
        let cells = width * height;
        let yes = vec![true; cells];
        let some: Vec<_> = (0..cells).map(|cell| cell % 3 == 0).collect();
        let others: Vec<_> = (0..cells).map(|cell| cell % 5 == 0).collect();
        for content in contents {
            let flat = vec![content; cells];
            let slope: Vec<_> = (0..cells).map(|cell| content * cell as f32).collect();
            let vectors: Vec<_> = flat.iter().map(|&v| [v, -v]).collect();
            for values in [Values::Scalar(&flat), Values::Scalar(&slope), Values::Vector(&vectors)] {
                for (walls, unreached) in [(&[][..], &[][..]), (&some, &others), (&yes, &yes)] {
                    let mut field = picture(width, height, values);
                    (field.walls, field.unreached) = (walls, unreached);
                    field.title = &long;
                    let image = field.render().unwrap();
                    let (right, bottom) = (image.width() - 1, image.height() - 1);
                    assert!(right < 2300 && bottom < 2300, "{width} x {height}");
                    for (x, y, pixel) in image.enumerate_pixels() {
                        if x == 0 || y == 0 || x == right || y == bottom {
                            assert_eq!(pixel.0, PAPER, "{width} x {height} at {x} {y}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn cells_get_a_fitting_number_of_pixels() {
    assert_eq!(pixels_per_cell(1), 64);
    assert_eq!(pixels_per_cell(2048), 1);
    for longer in 13..=2048 {
        let side = longer * pixels_per_cell(longer);
        assert!((630..=1270).contains(&side) || longer == side, "{longer}: {side}");
    }
}

#[test]
fn downsampling_keeps_the_maximum() {
    let (width, height) = (5000, 40);
    let mut values = vec![1.0_f32; width * height];
    // Beside a wall of one cell, the hardest place.
    let mut walls = vec![false; width * height];
    for row in 0..height {
        walls[row * width + 2400] = true;
    }
    values[7 * width + 2401] = 9.0;
    let mut field = picture(width, height, Values::Scalar(&values));
    field.walls = &walls;
    let sheet = Sheet::of(&field);
    let ends = Colours::new(Palette::Sequential, Kind::Amount, Some(grid::Limits { low: 1.0, high: 9.0 }));
    let block = 3;
    assert_eq!(sheet.map.w, 1667);
    let columns = sheet.map.w;
    assert_eq!(sheet.cell(columns, 2401 / block, 7 / block), ends.of(9.0));
    assert_eq!(sheet.cell(columns, 0, 0), ends.of(1.0));
    // The thin wall is still there, and where it was.
    assert_eq!(sheet.cell(columns, 2400 / block, 0), colour::WALL);
    assert_eq!(sheet.cell(columns, 2400 / block + 1, 0), ends.of(1.0));
}

#[test]
fn unit_vectors_are_coloured_by_direction() {
    let vectors = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0]];
    let grid = Grid::new(&picture(2, 2, Values::Vector(&vectors)));
    assert_eq!(grid.kind, Kind::Direction);
    assert_eq!(grid.cell(0, 0), Cell::Shown(0.0));
    assert_eq!(grid.cell(1, 0), Cell::Shown(0.25));
    assert_eq!(grid.cell(0, 1), Cell::Shown(0.5));
    assert_eq!(grid.cell(1, 1), Cell::NoDirection);
    let speeds = [[1.0, 0.0], [0.0, 1.0], [-1.3, 0.0], [0.0, 0.0]];
    let grid = Grid::new(&picture(2, 2, Values::Vector(&speeds)));
    assert_eq!(grid.kind, Kind::Amount);
    assert_eq!(grid.cell(0, 1), Cell::Shown(1.3));
    // Nothing but rest is a speed of zero, not a direction.
    let still = Grid::new(&picture(2, 2, Values::Vector(&[[0.0; 2]; 4])));
    assert_eq!(still.kind, Kind::Amount);
}

#[test]
fn arrows_appear_over_open_cells_only() {
    let vectors = [[0.4, 0.2]; 64];
    let white = [255, 255, 255];
    let open = picture(8, 8, Values::Vector(&vectors));
    assert!(Sheet::of(&open).map_has(white));
    let mut walled = open;
    walled.walls = &[true; 64];
    assert!(!Sheet::of(&walled).map_has(white));
}

#[test]
fn values_beyond_the_limits_are_told() {
    let values = [0.0, 5.0, 10.0];
    let mut field = picture(3, 1, Values::Scalar(&values));
    let beyond = |field: &FieldPicture<'_>| {
        let beyond = Grid::new(field).beyond;
        (beyond.low, beyond.high)
    };
    assert_eq!(beyond(&field), (false, false));
    field.limits = Some((1.0, 10.0));
    assert_eq!(beyond(&field), (true, false));
    field.limits = Some((0.0, 9.0));
    assert_eq!(beyond(&field), (false, true));
}

#[test]
fn mistakes_are_named() {
    let values = [0.0; 6];
    let fine = picture(3, 2, Values::Scalar(&values));
    let message = |field: FieldPicture<'_>| field.render().unwrap_err().to_string();

    let mut field = fine;
    field.height = 3;
    let said = message(field);
    assert!(said.contains("field") && said.contains('6') && said.contains("3 x 3"), "{said}");
    let mut field = fine;
    field.walls = &[true; 5];
    assert!(message(field).contains("walls has 5"));
    let mut field = fine;
    field.unreached = &[true; 7];
    assert!(message(field).contains("unreached cells has 7"));
    let mut field = fine;
    (field.width, field.height) = (usize::MAX, 2);
    assert!(field.render().is_err());
    assert!(message(picture(0, 9, Values::Scalar(&[]))).contains("no cells"));
    assert!(message(picture(2, 2, Values::Vector(&[]))).contains("has 0 cells"));
    for cell_m in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut field = fine;
        field.cell_m = cell_m;
        assert!(message(field).contains("metres"));
    }
    for limits in [(2.0, 1.0), (f32::NAN, 1.0), (0.0, f32::INFINITY)] {
        let mut field = fine;
        field.limits = Some(limits);
        assert!(message(field).contains("limits"));
    }
}

#[test]
fn extreme_limits_and_cell_sizes_are_drawn() {
    let values = [0.0, 1.0];
    for limits in [(0.0, 0.0), (1.0, 1.000_000_1), (-f32::MAX, f32::MAX), (0.0, 1e-45), (1e30, 1e31)] {
        for cell_m in [1e-30, 0.5, 700.0, 1e30] {
            let mut field = picture(2, 1, Values::Scalar(&values));
            (field.limits, field.cell_m) = (Some(limits), cell_m);
            assert!(field.render().unwrap().width() < 1000);
        }
    }
}
