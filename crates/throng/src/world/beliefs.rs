//! What people believe about walls that may come and go: those with a name, or added by a call ("gates").
//!
//! A plan is made for a [`View`] of them: as they are, as they were some seconds ago, or as they were at the beginning. Where a belief differs
//! from what is so, links are believed open that are closed, and the other way round; lists of both, by class of bodies, are taken into the costs of those fields
//! that are for that view, as narrow ways are (`narrow.rs`). Bodies meet walls as they are.

use super::grid::Grid;
use super::narrow::{self, Closed};
use super::walls::{LINK, Walls};
use crate::geometry::Segment;
use crate::stages::live::cpu::steps;

/// Which walls a plan knows of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// All as they are.
    Now,
    /// As they were so many seconds ago.
    Late(f32),
    /// As they were at the beginning.
    First,
}

/// A wall that comes or goes, and when that will be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    /// From this step on.
    pub due: u32,
    /// The wall, by number.
    pub wall: u32,
    /// Whether it stands.
    pub standing: bool,
}

/// What those believe who have one view.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// The view.
    pub view: View,
    /// Which walls stand, by number; who does not know of a wall believes that it does not.
    pub standing: Vec<bool>,
    /// What is so already and will be known later, in order of time.
    pub news: Vec<News>,
    /// For each class of bodies: links that are believed open and are not.
    pub imagined: Vec<Vec<Closed>>,
    /// For each class of bodies: links that are believed closed by nothing but gates.
    pub gated: Vec<Vec<Closed>>,
}

/// All beliefs of a crowd, and what they follow from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beliefs {
    /// In the order of [`super::routes::Routes::views`].
    pub list: Vec<Belief>,
    /// Which walls stood when news were last looked for.
    pub seen: Vec<bool>,
    /// Outlines of gates that are not as they were at the beginning: who sees one of them knows all walls from then on.
    pub signs: Vec<Segment>,
}

fn standing(walls: &Walls) -> Vec<bool> {
    walls.shapes().iter().map(|w| w.standing).collect()
}

impl Belief {
    /// Whether a wall is believed to stand.
    fn believes(&self, wall: usize) -> bool {
        self.standing.get(wall).copied().unwrap_or(false)
    }
}

impl Beliefs {
    /// For these views: those that there were stay as they are, others begin with what is so.
    pub(crate) fn fit(&mut self, views: &[View], walls: &Walls) {
        let old = std::mem::take(&mut self.list);
        let fresh = |view: View| Belief {
            view,
            standing: standing(walls),
            news: Vec::new(),
            imagined: Vec::new(),
            gated: Vec::new(),
        };
        let same = |view: View| old.iter().find(|b| b.view == view).cloned();
        self.list = views.iter().map(|&view| same(view).unwrap_or_else(|| fresh(view))).collect();
        if old.is_empty() {
            self.seen = standing(walls);
        }
    }

    /// When a step begins: what has changed since the last is news, and news that are due are believed. Returns whether anybody
    /// believes something else now.
    pub(crate) fn learn(&mut self, walls: &Walls, step: u32, dt: f32) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let now = standing(walls);
        self.seen.resize(now.len(), false);
        let changed: Vec<usize> = (0..now.len()).filter(|&wall| now[wall] != self.seen[wall]).collect();
        let mut learnt = false;
        for belief in &mut self.list {
            let View::Late(seconds) = belief.view else { continue };
            let due = step.saturating_add(steps(seconds, dt));
            belief.news.extend(changed.iter().map(|&wall| News { due, wall: wall as u32, standing: now[wall] }));
            belief.standing.resize(now.len(), false);
            let (known, later): (Vec<News>, Vec<News>) = belief.news.iter().partition(|news| news.due <= step);
            for news in &known {
                belief.standing[news.wall as usize] = news.standing;
            }
            learnt |= !known.is_empty();
            belief.news = later;
        }
        self.seen = now;
        learnt
    }

    /// Finds anew where beliefs differ from what is so. `gates` says which walls are gates; `open` are the links of each class without any gate,
    /// `now` those that are open now; both without what is too narrow.
    pub(crate) fn find(
        &mut self,
        grid: &Grid,
        walls: &Walls,
        gates: &[bool],
        radii: &[f32],
        open: &[Vec<u8>],
        now: &[Vec<u8>],
    ) {
        self.signs.clear();
        for belief in &mut self.list {
            let differs = |wall: &usize| gates[*wall] && belief.believes(*wall) != walls.shapes()[*wall].standing;
            let wrong: Vec<usize> = (0..gates.len()).filter(differs).collect();
            if belief.view == View::First {
                self.signs.extend(wrong.iter().flat_map(|&wall| walls.shapes()[wall].shape.outline()));
            }
            let mut believed = walls.clone();
            believed.set_all_standing(wrong.into_iter().map(|wall| (wall, belief.believes(wall))));
            (belief.imagined, belief.gated) = (Vec::new(), Vec::new());
            for (class, &radius) in radii.iter().enumerate() {
                let flags = wide_links(&believed, grid, radius);
                belief.imagined.push(differences(&flags, &now[class], &open[class]));
                belief.gated.push(differences(&open[class], &flags, &open[class]));
            }
        }
    }
}

/// The links of each cell that a body fits through.
pub(crate) fn wide_links(walls: &Walls, grid: &Grid, radius: f32) -> Vec<u8> {
    let mut flags = walls.flags().to_vec();
    for (cell, bits) in narrow::closed_links(walls, grid, radius) {
        flags[cell as usize] &= !bits;
    }
    flags
}

/// Links that are open in the first and not in the second, of those that are in the third.
fn differences(open: &[u8], closed: &[u8], of: &[u8]) -> Vec<Closed> {
    let links = LINK.iter().sum::<u8>();
    let each = open.iter().zip(closed).zip(of).enumerate();
    let bits = each.map(|(cell, ((open, closed), of))| (cell as u32, open & !closed & of & links));
    bits.filter(|(_, bits)| *bits != 0).collect()
}
