//! Walls against what they promise: exact doors, nobody inside, and changes that equal building anew.

use super::*;
use crate::world::grid::{EAST, NORTH, SOUTH, WEST};
use proptest::prelude::*;

const GRID: Grid = Grid { width: 40, height: 30, cell: 0.5 };

fn wall(shape: Shape) -> Wall {
    Wall { name: None, shape, standing: true }
}

fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Shape {
    Shape::Rect(Rect::new(Vec2::new(x0, y0), Vec2::new(x1, y1)))
}

fn walls(list: Vec<Wall>) -> Walls {
    Walls::new(GRID, list, Vec::new(), 0.25, 0.3, 1.0)
}

#[test]
fn a_wall_thinner_than_a_cell_closes_the_way_between_cells() {
    let w = walls(vec![wall(rect(5.05, 0.0, 5.15, 15.0))]);
    for y in 0..30 {
        let (a, b) = (y * 40 + 9, y * 40 + 10);
        assert!(!w.is_solid(a) && !w.is_solid(b));
        assert_eq!(w.flags()[a] & LINK[EAST], LINK[EAST] * u8::from(false));
        assert_eq!(w.flags()[b] & LINK[WEST], 0);
    }
}

#[test]
fn a_door_is_as_wide_as_it_was_drawn() {
    // 0.70 m between two walls: a disc of 0.34 passes, one of 0.36 does not.
    let w = walls(vec![wall(rect(5.0, 0.0, 5.2, 7.4)), wall(rect(5.0, 8.1, 5.2, 15.0))]);
    let pass = |radius: f32| {
        let mut p = Vec2::new(4.0, 7.75);
        for _ in 0..400 {
            p = w.slide(p, p + Vec2::new(0.02, 0.0), radius);
        }
        p.x
    };
    assert!(pass(0.34) > 6.0);
    let w2 = Walls::new(GRID, w.shapes().to_vec(), Vec::new(), 0.36, 0.3, 1.0);
    let mut p = Vec2::new(4.0, 7.7);
    for _ in 0..50 {
        p = w2.slide(p, p + Vec2::new(0.02, 0.0), 0.36);
    }
    assert!(p.x < 5.0, "{p}");
}

#[test]
fn a_disc_that_runs_at_a_slant_slides_along_the_wall() {
    let w = walls(vec![wall(rect(0.0, 5.0, 20.0, 5.2))]);
    let mut p = Vec2::new(2.0, 4.0);
    for _ in 0..100 {
        p = w.slide(p, p + Vec2::new(0.05, 0.05), 0.25);
    }
    assert!(p.x > 6.9 && (p.y - 4.75).abs() < 1e-3, "{p}");
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let v = || (0.0f32..20.0, 0.0f32..15.0);
    prop_oneof![
        (v(), 0.05f32..4.0, 0.05f32..4.0).prop_map(|((x, y), a, b)| rect(x, y, x + a, y + b)),
        (v(), 0.05f32..2.0).prop_map(|((x, y), r)| Shape::Circle(Vec2::new(x, y), r)),
        (v(), v()).prop_map(|(a, b)| Shape::Line(vec![a.into(), b.into()])),
        (v(), v(), v()).prop_map(|(a, b, c)| Shape::Polygon(vec![a.into(), b.into(), c.into()])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_centre_ever_gets_into_or_through_a_wall(
        shapes in proptest::collection::vec(any_shape(), 1..8),
        start in (0.1f32..19.9, 0.1f32..14.9),
        turns in proptest::collection::vec(0.0f32..std::f32::consts::TAU, 60),
    ) {
        let w = walls(shapes.into_iter().map(wall).collect());
        let mut p = Vec2::from(start);
        prop_assume!(!w.contains(p) && w.depth(p, 0.01) <= 0.0);
        for turn in turns {
            for _ in 0..4 {
                let q = w.slide(p, p + Vec2::from_angle(turn) * 0.25, 0.2);
                prop_assert!(!w.contains(q), "{p} to {q} ends in a wall");
                prop_assert!(w.sees(p, q), "{p} to {q} passes a wall");
                p = q;
            }
        }
    }

    #[test]
    fn a_way_between_two_cells_is_open_both_ways_or_not_at_all(shapes in proptest::collection::vec(any_shape(), 1..8)) {
        let w = walls(shapes.into_iter().map(wall).collect());
        for c in 0..GRID.len() {
            let open = |cell: usize, d: usize| w.flags()[cell] & LINK[d] != 0;
            if c % GRID.width + 1 < GRID.width {
                prop_assert_eq!(open(c, EAST), open(c + 1, WEST));
            }
            if c + GRID.width < GRID.len() {
                prop_assert_eq!(open(c, NORTH), open(c + GRID.width, SOUTH));
            }
        }
    }

    #[test]
    fn changing_a_wall_gives_the_same_as_building_anew(
        shapes in proptest::collection::vec(any_shape(), 1..6), cell in 0usize..1200,
    ) {
        let list: Vec<Wall> = shapes.into_iter().map(wall).collect();
        let mut changed = walls(list.clone());
        changed.set_standing(0, false);
        changed.paint(cell, true);
        let mut fresh = list;
        fresh[0].standing = false;
        let mut painted = vec![false; GRID.len()];
        painted[cell] = true;
        let fresh = Walls::new(GRID, fresh, painted, 0.25, 0.3, 1.0);
        prop_assert_eq!(changed.flags(), fresh.flags());
        prop_assert_eq!(changed.distance(), fresh.distance());
        for c in 0..GRID.len() {
            prop_assert_eq!(changed.near(c), fresh.near(c));
        }
    }
    #[test]
    fn every_wall_around_a_place_is_found_and_straight_ones_once(
        shapes in proptest::collection::vec(any_shape(), 1..8), p in (0.0f32..20.0, 0.0f32..15.0), distance in 0.3f32..5.0,
    ) {
        let (p, w) = (Vec2::from(p), walls(shapes.into_iter().map(wall).collect()));
        let mut found = Vec::new();
        w.for_around(p, distance, |s| found.push(*s));
        let border = Shape::Rect(GRID.bounds()).outline();
        for s in w.shapes().iter().flat_map(|w| w.shape.outline()).chain(border) {
            let times = found.iter().filter(|f| **f == s).count();
            let inside = s.closest(p).distance(p) < distance && GRID.inside(s.closest(p));
            prop_assert!(times >= usize::from(inside), "{s:?} is missing around {p}");
            if s.a.x == s.b.x || s.a.y == s.b.y {
                prop_assert!(times <= 1, "{s:?} is there {times} times");
            }
        }
    }

    #[test]
    fn every_painted_wall_around_a_place_is_found(
        cells in proptest::collection::btree_set(0usize..1200, 1..60), p in (0.0f32..20.0, 0.0f32..15.0), distance in 0.3f32..5.0,
    ) {
        let p = Vec2::from(p);
        let painted = (0..GRID.len()).map(|c| cells.contains(&c)).collect();
        let w = Walls::new(GRID, Vec::new(), painted, 0.25, 0.3, 1.0);
        let mut found = Vec::new();
        w.for_around(p, distance, |s| found.push(*s));
        for &cell in cells.iter().filter(|c| *c % GRID.width > 0 && !cells.contains(&(*c - 1))) {
            // The middle of a western edge.
            let edge = GRID.centre(cell % GRID.width, cell / GRID.width) - Vec2::new(0.5 * GRID.cell, 0.0);
            let near = (edge - p).abs().max_element() < distance;
            prop_assert!(!near || found.iter().any(|s| s.closest(edge).distance(edge) < 1e-3), "{edge} around {p}");
        }
    }
}

proptest! {
    #[test]
    fn every_cell_lists_just_the_segments_near_it_however_long_and_slanted(
        ends in proptest::collection::vec(((-3f32..23.0, -3f32..18.0), (-3f32..23.0, -3f32..18.0)), 1..8),
    ) {
        let line = |&((ax, ay), (bx, by)): &((f32, f32), (f32, f32))| {
            wall(Shape::Line(vec![Vec2::new(ax, ay), Vec2::new(bx, by)]))
        };
        let w = walls(ends.iter().map(line).collect());
        let border = Shape::Rect(GRID.bounds()).outline();
        let all: Vec<Segment> = border.into_iter().chain(w.shapes().iter().flat_map(|w| w.shape.outline())).collect();
        let listed = w.reach + GRID.cell * std::f32::consts::FRAC_1_SQRT_2;
        for cell in 0..GRID.width * GRID.height {
            let centre = GRID.centre(cell % GRID.width, cell / GRID.width);
            let near: Vec<Segment> =
                all.iter().copied().filter(|s| s.closest(centre).distance(centre) <= listed).collect();
            prop_assert_eq!(w.near(cell), &near[..]);
        }
    }
}
