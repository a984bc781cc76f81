//! Lanes: how well two opposite streams have sorted themselves.

use glam::Vec2;

/// The band index of two streams: the mean over strips along x, `strip` metres wide, of `|n₊ − n₋| / n`. `walkers` are
/// positions and whether they walk to the east. Strips without anybody do not count; 1 is perfect lanes.
#[must_use]
pub fn band_index(walkers: &[(Vec2, bool)], height: f32, strip: f32) -> f32 {
    let strips = (height / strip).round().max(1.0) as usize;
    let mut counts = vec![(0i32, 0i32); strips];
    for &(p, east) in walkers {
        let s = ((p.y / height * strips as f32) as usize).min(strips - 1);
        counts[s].0 += if east { 1 } else { -1 };
        counts[s].1 += 1;
    }
    let used: Vec<f32> = counts.iter().filter(|c| c.1 > 0).map(|c| c.0.abs() as f32 / c.1 as f32).collect();
    if used.is_empty() { 0.0 } else { used.iter().sum::<f32>() / used.len() as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_lanes_give_one_and_a_mixture_gives_little() {
        let lanes: Vec<(Vec2, bool)> = (0..400).map(|i| (Vec2::new(0.0, 4.0 * i as f32 / 400.0), i < 200)).collect();
        assert!(band_index(&lanes, 4.0, 0.4) > 0.99);
        let mixed: Vec<(Vec2, bool)> = (0..400).map(|i| (Vec2::new(0.0, 4.0 * i as f32 / 400.0), i % 2 == 0)).collect();
        assert!(band_index(&mixed, 4.0, 0.4) < 0.05);
    }
}
