//! What `throng bench SCENE --draw WxH --3d` draws: views by how they look, and changes of how each is drawn.

use crate::args::BenchView;
use crate::standpoint;
use throng::{Scene, Vec2};
use throng_view::camera::Camera;
use throng_view::space::viewpoint::FIELD_OF_VIEW;
use throng_view::space::{Relief, Settings, Skinning, Vertices};
use throng_view::studio::Aim;

/// How many times nearer the second view is.
const NEARER: f32 = 4.0;
/// How tall people are, in radii.
const TALL: f32 = 6.0;
/// How far the eye is from who is alone, in heights: as near as close-ups are cut most finely.
const AWAY: f32 = 0.5;
/// Of a larger crowd full meshes of all are drawn in no row: they would not fit.
const FULL_AT_MOST: u64 = 5000;

/// A change of how it is drawn.
type Change = fn(&mut Settings);

/// What is drawn in a row.
pub(crate) struct Drawn {
    pub(crate) view: &'static str,
    /// What is changed to see what it is worth; empty for what it is compared with.
    pub(crate) variant: &'static str,
    pub(crate) aim: Aim,
    pub(crate) settings: Settings,
}

/// Nothing changed.
const PLAIN: (&str, Change) = ("", |_| ());

const OF_ALL: [(&str, Change); 5] = [
    // The paper's 65,536 cylinders of some 150 triangles: 9.8 million.
    ("152 triangles each, without shadows", |s| (s.pinned, s.shadows) = (Some(3), false)),
    ("152 triangles each", |s| s.pinned = Some(3)),
    ("934 triangles each", |s| s.pinned = Some(2)),
    ("without shadows", |s| s.shadows = false),
    ("without culling", |s| (s.frustum, s.occlusion) = (false, false)),
];

const FULL: (&str, Change) = ("full meshes each", |s| s.pinned = Some(1));

const OF_NEAR: [(&str, Change); 2] =
    [("without culling", |s| (s.frustum, s.occlusion) = (false, false)), ("without shadows", |s| s.shadows = false)];

const OF_CLOSE: [(&str, Change); 8] = [
    ("40 million triangles at most", |s| s.budget = 40_000_000),
    ("skinned wherever drawn", |s| s.skinning = Skinning::Each),
    ("vertices of 48 bytes", |s| s.vertices = Vertices::Plain),
    ("the paper's vertices", |s| s.vertices = Vertices::Paper),
    ("without shadows", |s| s.shadows = false),
    ("without culling", |s| (s.frustum, s.occlusion) = (false, false)),
    ("without close-ups (T 1)", |s| s.finest = 1),
    ("T 2 at most", |s| s.finest = 2),
];

// As it is T is 16.
const OF_ALONE: [(&str, Change); 5] = [
    ("T 8 at most", |s| s.finest = 8),
    ("T 4 at most", |s| s.finest = 4),
    ("T 2 at most", |s| s.finest = 2),
    ("without close-ups (T 1)", |s| s.finest = 1),
    ("without shadows", |s| s.shadows = false),
];

/// What is drawn of a scene with people at these places: first every view as it is, then what is changed in each.
pub(crate) fn rows(
    scene: &Scene,
    people: &[(u32, Vec2)],
    size: [u32; 2],
    views: &[BenchView],
    plain: bool,
) -> Vec<Drawn> {
    let pixels = Vec2::new(size[0] as f32, size[1] as f32);
    let whole = Camera::fit(scene.grid.bounds(), pixels, 8.0);
    let tall = TALL * scene.widest_radius();
    let places: Vec<Vec2> = people.iter().map(|&(_, p)| p).collect();
    let low = standpoint::low(&places, tall, &Relief::new(scene), pixels.y);
    // A follower is half as far from whom it follows as one who looks at a place with so many pixels a metre.
    let near = pixels.y / (4.0 * (0.5 * FIELD_OF_VIEW).tan() * AWAY * tall);
    let alone = standpoint::alone(people).map(|id| Aim::Follow(id, near));
    let usual = Settings::default();
    let mut rows = Vec::new();
    let mut add = |view: BenchView, (variant, change): (&'static str, Change)| {
        let (word, aim, towards) = match (view, low.zip(alone)) {
            (BenchView::All, _) => ("all of it", Aim::Fit, usual.towards),
            (BenchView::Near, _) => {
                ("4 times nearer", Aim::At(Camera { scale: NEARER * whole.scale, ..whole }), usual.towards)
            }
            (BenchView::Close, Some((low, _))) => ("close", Aim::At(low.camera), low.towards),
            (BenchView::Alone, Some((_, aim))) => ("alone", aim, usual.towards),
            // Nobody is there to be close to.
            (BenchView::Close | BenchView::Alone, None) => return,
        };
        let mut settings = Settings { towards, ..usual };
        change(&mut settings);
        rows.push(Drawn { view: word, variant, aim, settings });
    };
    for &view in views {
        add(view, PLAIN);
    }
    if plain {
        return rows;
    }
    for &view in views {
        let variants: &[(&str, Change)] = match view {
            BenchView::All => &OF_ALL,
            BenchView::Near => &OF_NEAR,
            BenchView::Close => &OF_CLOSE,
            BenchView::Alone => &OF_ALONE,
        };
        for &variant in variants {
            add(view, variant);
        }
        if view == BenchView::All && scene.agent_count() <= FULL_AT_MOST {
            add(view, FULL);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_comes_first_as_it_is() {
        let scene = Scene::built_in("froblins").expect("it is built in");
        let people = [(7, Vec2::new(60.0, 60.0))];
        let all = rows(&scene, &people, [1920, 1080], &[BenchView::Close, BenchView::All], false);
        let words: Vec<_> = all.iter().take(3).map(|r| (r.view, r.variant.is_empty())).collect();
        assert_eq!(words, [("close", true), ("all of it", true), ("close", false)]);
        assert!(all.iter().any(|r| r.variant == FULL.0 && r.settings.pinned == Some(1)));
        assert_eq!(rows(&scene, &people, [1920, 1080], &[BenchView::Near], true).len(), 1);
        // Nobody to be close to.
        assert!(rows(&scene, &[], [1920, 1080], &[BenchView::Close, BenchView::Alone], false).is_empty());
    }
}
