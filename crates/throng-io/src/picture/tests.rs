//! What can be checked of a picture without looking at it.

use super::*;
use crate::canvas::{Colour, PAPER};

fn picture<'a>(width: usize, height: usize, values: Values<'a>) -> FieldPicture<'a> {
    FieldPicture {
        title: "density",
        heading: Heading { longest_title: "density", key: &[] },
        unit: "persons/m²",
        width,
        height,
        cell_m: 0.5,
        values,
        walls: &[],
        unreached: &[],
        limits: None,
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
    let ends = Colours::new(Kind::Amount, Some(grid::Limits { low: 0.0, high: 5.0 }));
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
                3 => assert!(colour::UNREACHED.contains(&found)),
                5 | 6 => assert!(colour::NOT_FINITE.contains(&found)),
                _ => assert_eq!(found, usual),
            }
        }
    }
    assert!(colour::UNREACHED.into_iter().all(|c| sheet.map_has(c)));
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
    assert!(!below(&walled, colour::NOT_FINITE[0]) && below(&broken, colour::NOT_FINITE[0]));
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
                    (field.title, field.heading.longest_title) = (&long, &long);
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
    let ends = Colours::new(Kind::Amount, Some(grid::Limits { low: 1.0, high: 9.0 }));
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
fn directions_are_coloured_as_such() {
    let vectors = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, 0.0]];
    let grid = Grid::new(&picture(2, 2, Values::Direction(&vectors)));
    assert_eq!(grid.kind, Kind::Direction);
    assert_eq!(grid.cell(0, 0), Cell::Shown(0.0));
    assert_eq!(grid.cell(1, 0), Cell::Shown(0.25));
    assert_eq!(grid.cell(0, 1), Cell::Shown(0.5));
    assert_eq!(grid.cell(1, 1), Cell::NoDirection);
    let speeds = [[1.0, 0.0], [0.0, 1.0], [-1.3, 0.0], [0.0, 0.0]];
    let grid = Grid::new(&picture(2, 2, Values::Vector(&speeds)));
    assert_eq!(grid.kind, Kind::Amount);
    assert_eq!(grid.cell(0, 1), Cell::Shown(1.3));
    let same = Grid::new(&picture(2, 2, Values::Vector(&vectors)));
    assert_eq!(same.kind, Kind::Amount, "whatever the lengths are");
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

/// Whoever draws the map: title, legend and key are the same, at the same places.
#[test]
fn a_map_by_somebody_else_gets_the_same_page() {
    let values: Vec<f32> = (0..60 * 40).map(|cell| (cell % 60) as f32).collect();
    let vectors: Vec<[f32; 2]> = (0..60 * 40).map(|cell| [1.0, (cell / 60) as f32]).collect();
    for values in [Values::Scalar(&values), Values::Vector(&vectors)] {
        let field = picture(60, 40, values);
        let sheet = Sheet::of(&field);
        let Area { x, y, w, h } = sheet.map;
        let map = image::imageops::crop_imm(&sheet.image, x as u32, y as u32, w as u32, h as u32).to_image();
        let size = FieldPicture::natural_size(field.heading, field.width, field.height);
        assert_eq!(size, [sheet.image.width(), sheet.image.height()]);
        assert_eq!(FieldPicture::room_for_map(field.heading, size, 1.0), Some([w as u32, h as u32]));
        let metres_per_pixel = 0.5 * 60.0 / f64::from(w);
        let around = Around { size, text: 1.0, metres_per_pixel, arrows: false };
        assert!(field.around(map, &around).unwrap() == sheet.image);
    }
}

#[test]
fn a_page_of_any_size_has_its_map_inside_and_letters_of_any_size() {
    let values = [1.0; 12];
    let field = picture(4, 3, Values::Scalar(&values));
    assert_eq!(
        FieldPicture::room_for_map(Heading { longest_title: "density", key: &[] }, [200, 300], 1.0),
        None,
        "no room for a map"
    );
    for text in [0.5, 1.0, 1.7, 3.0] {
        for size in [[640, 360], [1280, 720], [1000, 2000], [2000, 600]] {
            let Some([width, height]) =
                FieldPicture::room_for_map(Heading { longest_title: "density", key: &[] }, size, text)
            else {
                continue;
            };
            for (w, h) in [(width, height), (width / 2, height), (width, height / 3)] {
                let map = RgbImage::from_pixel(w, h, image::Rgb([1, 2, 3]));
                let around = Around { size, text, metres_per_pixel: 0.1, arrows: true };
                let page = field.around(map, &around).unwrap();
                assert_eq!([page.width(), page.height()], size);
                let there = page.pixels().filter(|pixel| pixel.0 == [1, 2, 3]).count();
                assert_eq!(there, (w * h) as usize, "{size:?} {text}: all of the map is there");
            }
        }
    }
}
