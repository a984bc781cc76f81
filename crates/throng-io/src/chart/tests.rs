//! What a chart must show, and that nothing can make it panic.

use super::*;

fn chart(series: &[&[(f64, f64)]]) -> LineChart {
    LineChart {
        title: "arrivals".to_owned(),
        x_label: "time in s".to_owned(),
        y_label: "persons".to_owned(),
        series: series
            .iter()
            .enumerate()
            .map(|(index, points)| Series { name: format!("series {index}"), points: points.to_vec() })
            .collect(),
        ..LineChart::default()
    }
}

fn count(image: &RgbImage, colour: Colour) -> usize {
    image.pixels().filter(|pixel| pixel.0 == colour).count()
}

#[test]
fn a_curve_goes_where_its_points_are() {
    let image = chart(&[&[(0.0, 0.0), (100.0, 10.0)]]).render(800, 500);
    let found: Vec<_> =
        image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0 == CURVES[0]).map(|(x, y, _)| (x, y)).collect();
    let first = found.iter().min_by_key(|(x, _)| x).unwrap();
    let last = found.iter().max_by_key(|(x, _)| x).unwrap();
    assert!(last.0 - first.0 > 600, "{first:?} {last:?}");
    assert!(first.1 > last.1 + 300, "it rises: {first:?} {last:?}");
}

#[test]
fn odd_series_are_drawn_without_panic() {
    let nan = f64::NAN;
    let cases: [&[&[(f64, f64)]]; 9] = [
        &[],
        &[&[]],
        &[&[], &[(1.0, 1.0)]],
        &[&[(5.0, 7.0)]],
        &[&[(0.0, 0.0), (nan, 1.0), (2.0, f64::INFINITY)]],
        &[&[(0.0, 3.0), (1.0, 3.0)]],
        &[&[(0.0, f64::MAX), (1.0, -f64::MAX)]],
        &[&[(-9e99, -9e99), (9e99, 9e99)]],
        &[&[(1e-320, 1e-300), (1e-310, 1e-305)]],
    ];
    for case in cases {
        for (width, height) in [(0, 0), (1, 9000), (320, 240), (640, 400)] {
            for (x_scale, y_scale) in [(Scale::Linear, Scale::Linear), (Scale::Log, Scale::Log)] {
                let image = LineChart { x_scale, y_scale, ..chart(case) }.render(width, height);
                assert!(image.width() >= 320 && image.height() >= 240);
                assert!(image.width() <= 8192 && image.height() <= 8192);
            }
        }
    }
}

#[test]
fn a_single_point_is_a_dot_and_a_gap_a_gap() {
    let image = chart(&[&[(5.0, 7.0)]]).render(640, 400);
    assert!((9..60).contains(&count(&image, CURVES[0])));
    let whole = chart(&[&[(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]]);
    let mut broken = whole.clone();
    broken.series[0].points.insert(2, (1.5, f64::NAN));
    let pixels = |chart: &LineChart| count(&chart.render(640, 400), CURVES[0]);
    let (whole, broken) = (pixels(&whole), pixels(&broken));
    assert!(broken > whole / 2 && broken < whole * 3 / 4, "{broken} of {whole}");
}

#[test]
fn a_crowded_legend_leaves_room_for_the_plot() {
    let points: &[(f64, f64)] = &[(0.0, 0.0), (1.0, 1.0)];
    let image = chart(&[points; 200]).render(320, 240);
    assert_eq!(image.dimensions(), (320, 240));
    assert!(count(&image, CURVES[0]) > 100);
}

#[test]
fn a_gap_at_either_end_is_on_the_axis() {
    let late = chart(&[&[(0.0, f64::NAN), (24.0, 1.0), (70.0, 2.0), (99.0, f64::NAN)]]);
    assert_eq!(late.ranges().0, (0.0, 99.0));
}

#[test]
fn the_axis_starts_at_zero_unless_that_hides_the_curve() {
    assert!(chart(&[&[(0.0, 1.0), (1.0, 9.0)]]).ranges().1.0 == 0.0);
    assert!(chart(&[&[(0.0, 8.0), (1.0, 9.0)]]).ranges().1.0 == 8.0);
}

#[test]
fn nothing_reaches_the_edge() {
    let long = "a rather long text that goes on ".repeat(20);
    let mut full = chart(&[&[(0.0, 0.0), (1.234e7, 9.9e9)], &[(3.0, -4.0)]]);
    full.title.clone_from(&long);
    full.x_label.clone_from(&long);
    full.y_label.clone_from(&long);
    full.series[0].name = long;
    for (width, height) in [(320, 240), (500, 300), (1200, 700)] {
        let image = full.render(width, height);
        for (x, y, pixel) in image.enumerate_pixels() {
            if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
                assert_eq!(pixel.0, crate::canvas::PAPER, "at {x} {y}");
            }
        }
    }
}

/// Where the middles of the dots of a series are: a curve alone is nowhere three full pixels thick both ways.
fn dots(image: &RgbImage, colour: Colour) -> Vec<(f64, f64)> {
    let is = |x: u32, y: u32| image.get_pixel_checked(x, y).is_some_and(|p| p.0 == colour);
    let inside = |x: u32, y: u32| (x - 1..=x + 1).all(|x| (y - 1..=y + 1).all(|y| is(x, y)));
    let (w, h) = image.dimensions();
    let all = (1..h - 1).flat_map(|y| (1..w - 1).map(move |x| (x, y))).filter(|&(x, y)| inside(x, y));
    let mut found: Vec<Vec<(u32, u32)>> = Vec::new();
    for at in all {
        match found.iter_mut().find(|dot| dot[0].0.abs_diff(at.0) < 8 && dot[0].1.abs_diff(at.1) < 8) {
            Some(dot) => dot.push(at),
            None => found.push(vec![at]),
        }
    }
    let mean = |dot: &[(u32, u32)], pick: fn(&(u32, u32)) -> u32| {
        dot.iter().map(|p| f64::from(pick(p))).sum::<f64>() / dot.len() as f64
    };
    let mut middles: Vec<(f64, f64)> = found.iter().map(|dot| (mean(dot, |p| p.0), mean(dot, |p| p.1))).collect();
    middles.sort_by(|a, b| a.0.total_cmp(&b.0));
    middles
}

#[test]
fn on_logarithmic_axes_equal_ratios_are_equally_far_apart() {
    let powers: Vec<(f64, f64)> = (4..=10).map(|k| (f64::from(1 << k), 0.003 * f64::from(1 << k).powi(2))).collect();
    let log = LineChart { x_scale: Scale::Log, y_scale: Scale::Log, dots: true, ..chart(&[&powers]) };
    let places = dots(&log.render(900, 600), CURVES[0]);
    assert_eq!(places.len(), powers.len(), "{places:?}");
    let steps: Vec<(f64, f64)> = places.windows(2).map(|p| (p[1].0 - p[0].0, p[0].1 - p[1].1)).collect();
    for step in &steps {
        // To a pixel either way.
        assert!((step.0 - steps[0].0).abs() <= 1.0 && (step.1 - steps[0].1).abs() <= 1.0, "{steps:?}");
    }
    assert!(steps[0].0 > 100.0 && steps[0].1 > 30.0, "they fill the plot: {steps:?}");
}

#[test]
fn what_is_not_above_zero_has_no_place_on_a_logarithmic_axis() {
    let log = |points: &[(f64, f64)]| LineChart { y_scale: Scale::Log, dots: true, ..chart(&[points]) };
    let image = log(&[(0.0, 1.0), (1.0, 0.0), (2.0, -5.0), (3.0, f64::NAN), (4.0, 100.0)]).render(640, 400);
    assert_eq!(dots(&image, CURVES[0]).len(), 2);
    // Nothing but such values is no data, and the same picture as none.
    let nothing = log(&[(0.0, 0.0), (1.0, -1.0)]).render(640, 400);
    assert_eq!(nothing, log(&[]).render(640, 400));
}

#[test]
fn given_marks_are_shown_as_far_as_they_fit_without_touching() {
    let powers: Vec<(f64, f64)> = (8..=20).map(|k| (f64::from(1 << k), 1.0)).collect();
    let marks: Vec<(f64, String)> = powers.iter().map(|&(x, _)| (x, format!("{x} people"))).collect();
    let log = LineChart { x_scale: Scale::Log, x_marks: marks.clone(), ..chart(&[&powers]) };
    let shown = |length: i32| log.x_axis(log.ranges().0, length).marks;
    assert_eq!(shown(4000), marks);
    let few = shown(700);
    assert!((2..13).contains(&few.len()), "{few:?}");
    let width = few.iter().map(|(_, label)| Face::Body.width(label)).max().unwrap();
    assert!(700 / few.len() as i32 > width, "{few:?}");
}

#[test]
fn points_have_bars_and_bands_lie_below_everything() {
    let mut full = chart(&[&[(0.0, 1.0), (4.0, 1.0)]]);
    let plain = full.render(800, 500);
    full.points = vec![Points { name: "measured".into(), points: vec![(1.0, 5.0, 2.0), (3.0, 4.0, 0.0)] }];
    full.bands = vec![Band { name: "bound".into(), edges: vec![(0.0, 0.5, 3.0), (4.0, 2.0, 6.0)] }];
    assert_eq!(full.ranges().1, (0.0, 7.0), "the ends of bars and bands have room");
    let image = full.render(800, 500);
    // Points get the first colour: two discs, and of the first a bar with two caps.
    let found: Vec<_> = image.enumerate_pixels().filter(|(_, _, p)| p.0 == CURVES[0]).map(|(x, y, _)| (x, y)).collect();
    let middle = found.iter().map(|p| p.0).sum::<u32>() / found.len() as u32;
    let height = |side: &dyn Fn(u32) -> bool| {
        let rows = found.iter().filter(|p| side(p.0) && p.1 < 400).map(|p| p.1);
        rows.clone().max().unwrap() - rows.min().unwrap()
    };
    assert!(height(&|x| x < middle) > 60 && height(&|x| x > middle) < 14, "{found:?}");
    // The curve is the second colour now, and a band hides nothing of it.
    assert!(count(&image, CURVES[1]) > count(&plain, CURVES[0]) / 2);
    let pale = CURVES[2].map(|c| (255.0 - marks::BAND_COVER * (255.0 - f32::from(c))).round() as u8);
    assert!(count(&image, pale) > 5000, "{} pixels of the band", count(&image, pale));
}

#[test]
fn odd_points_and_bands_are_drawn_without_panic() {
    let nan = f64::NAN;
    for odd in [nan, f64::INFINITY, f64::MAX, -1e99, 0.0, 1e-320] {
        for (x_scale, y_scale) in [(Scale::Linear, Scale::Linear), (Scale::Log, Scale::Log)] {
            let places = vec![(1.0, 2.0, odd), (odd, 1.0, 0.5), (2.0, odd, 0.1), (3.0, 1.0, -0.5)];
            let odd = LineChart {
                x_scale,
                y_scale,
                points: vec![Points { name: "odd".into(), points: places.clone() }; 6],
                bands: vec![Band { name: "odd".into(), edges: places }],
                ..chart(&[])
            };
            assert_eq!(odd.render(640, 400).dimensions(), (640, 400));
        }
    }
}
