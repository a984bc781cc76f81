//! Density and speed by Voronoi cells: method D of Zhang and Seyfried, as pedpy computes it without a cut-off.
//!
//! Each person has the part of a convex floor that is nearer to it than to anybody else. The density of an area is the sum over
//! cells of the share that lies in the area, by its size; the speed is the mean of the persons' speeds over the area.

use throng::Vec2;

/// Somebody: where, and how fast.
pub type Walker = (Vec2, f64);

/// Density in persons/m² and mean speed in m/s of `area` on a `floor`, both rectangles (west, south, east, north); everybody of
/// `people` stands on the floor. `None` without anybody.
#[must_use]
pub fn method_d(people: &[Walker], floor: [f32; 4], area: [f32; 4]) -> Option<(f64, f64)> {
    let size = size(&rectangle(area));
    let (mut persons, mut speed) = (0.0, 0.0);
    for (i, &(at, v)) in people.iter().enumerate() {
        let cell = cell(people, i, floor);
        let whole = self::size(&cell);
        let part = self::size(&clip_to(cell, area));
        if whole > 0.0 {
            persons += part / whole;
            speed += v * part;
        } else if (area[0]..area[2]).contains(&at.x) && (area[1]..area[3]).contains(&at.y) {
            // Two in the very same place share no floor: each is a person all the same.
            persons += 1.0;
        }
    }
    (!people.is_empty()).then(|| (persons / size, speed / size))
}

/// The Voronoi cell of one of them, corners anticlockwise.
#[must_use]
pub fn cell(people: &[Walker], who: usize, floor: [f32; 4]) -> Vec<[f64; 2]> {
    let own = people[who].0;
    let mut corners = rectangle(floor);
    for (_, &(other, _)) in people.iter().enumerate().filter(|&(i, _)| i != who) {
        // Nearer to oneself: p·d ≤ m·d, with d from oneself to the other and m between them.
        let d = [f64::from(other.x) - f64::from(own.x), f64::from(other.y) - f64::from(own.y)];
        let m = [f64::from(own.x) + d[0] / 2.0, f64::from(own.y) + d[1] / 2.0];
        corners = clip(&corners, d, m[0] * d[0] + m[1] * d[1]);
    }
    corners
}

/// The part of a convex polygon with `p·normal ≤ limit`.
fn clip(corners: &[[f64; 2]], normal: [f64; 2], limit: f64) -> Vec<[f64; 2]> {
    let beyond = |p: [f64; 2]| p[0] * normal[0] + p[1] * normal[1] - limit;
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let (out_a, out_b) = (beyond(a), beyond(b));
        if out_a <= 0.0 {
            kept.push(a);
        }
        if (out_a < 0.0 && out_b > 0.0) || (out_a > 0.0 && out_b < 0.0) {
            let t = out_a / (out_a - out_b);
            kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
        }
    }
    kept
}

fn clip_to(corners: Vec<[f64; 2]>, [w, s, e, n]: [f32; 4]) -> Vec<[f64; 2]> {
    let sides = [([-1.0, 0.0], -w), ([0.0, -1.0], -s), ([1.0, 0.0], e), ([0.0, 1.0], n)];
    sides.into_iter().fold(corners, |corners, (normal, limit)| clip(&corners, normal, f64::from(limit)))
}

fn rectangle(sides: [f32; 4]) -> Vec<[f64; 2]> {
    let [w, s, e, n] = sides.map(f64::from);
    vec![[w, s], [e, s], [e, n], [w, n]]
}

/// The size of a polygon, m².
#[must_use]
pub fn size(corners: &[[f64; 2]]) -> f64 {
    let pairs = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    0.5 * pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32) -> Vec2 {
        Vec2::new(x, y)
    }

    #[test]
    fn somebody_alone_has_the_whole_floor() {
        let found = method_d(&[(at(5.0, 1.0), 1.3)], [0.0, 0.0, 10.0, 2.0], [4.0, 0.0, 6.0, 2.0]);
        let (density, speed) = found.expect("somebody is there");
        assert!((density - 1.0 / 20.0).abs() < 1e-9, "{density}");
        assert!((speed - 1.3).abs() < 1e-6, "{speed}");
        assert_eq!(method_d(&[], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]), None);
    }

    #[test]
    fn two_share_the_floor_in_the_middle_between_them_and_count_by_their_parts() {
        // Cells: x < 4 and x > 4. The area 3 to 6 has 1/4 of the first and 2/6 of the second.
        let people = [(at(3.0, 1.0), 1.0), (at(5.0, 1.0), 0.4)];
        let (density, speed) = method_d(&people, [0.0, 0.0, 10.0, 2.0], [3.0, 0.0, 6.0, 2.0]).expect("people");
        assert!((density - (0.25 + 1.0 / 3.0) / 6.0).abs() < 1e-9, "{density}");
        assert!((speed - (1.0 + 2.0 * 0.4) / 3.0).abs() < 1e-6, "{speed}");
    }

    #[test]
    fn a_square_lattice_has_the_density_of_its_spacing_wherever_the_area_is() {
        let lattice: Vec<Walker> = (0..20)
            .flat_map(|i| (0..4).map(move |j| (at(0.25 + 0.5 * i as f32, 0.25 + 0.5 * j as f32), 0.7)))
            .collect();
        for west in [3.0, 3.1, 3.37] {
            let (density, speed) =
                method_d(&lattice, [0.0, 0.0, 10.0, 2.0], [west, 0.0, west + 2.0, 2.0]).expect("people");
            assert!((density - 4.0).abs() < 1e-5, "{density} at {west}");
            assert!((speed - 0.7).abs() < 1e-6, "{speed}");
        }
    }

    #[test]
    fn cells_cover_the_floor_and_each_point_belongs_to_the_nearest() {
        let floor = [10.0, 3.1, 18.0, 4.9];
        let draw = |k: u32| f32::from((k.wrapping_mul(40_503) >> 4) as u16) / 65_536.0;
        let people: Vec<Walker> =
            (0..30).map(|k| (at(10.0 + 8.0 * draw(2 * k + 1), 3.1 + 1.8 * draw(2 * k + 2)), 1.0)).collect();
        let cells: Vec<_> = (0..people.len()).map(|i| cell(&people, i, floor)).collect();
        let covered: f64 = cells.iter().map(|c| size(c)).sum();
        assert!((covered - 8.0 * f64::from(4.9f32 - 3.1)).abs() < 1e-5, "{covered}");
        // A slow count over a fine raster.
        let mut counted = vec![0.0; people.len()];
        for k in 0..800 * 180 {
            let p = at(10.0 + 0.01 * ((k % 800) as f32 + 0.5), 3.1 + 0.01 * ((k / 800) as f32 + 0.5));
            let nearest =
                (0..people.len()).min_by(|&a, &b| p.distance(people[a].0).total_cmp(&p.distance(people[b].0)));
            counted[nearest.expect("somebody")] += 1e-4;
        }
        for (cell, counted) in cells.iter().zip(counted) {
            assert!((size(cell) - counted).abs() < 0.02, "{} and {counted}", size(cell));
        }
    }
}
