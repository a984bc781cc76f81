//! Routes: what is planned. A route is a goal together with the weights of those who go there, the class of their bodies'
//! widths, and what they know of walls that come and go; groups that are equal in all of these share one, and a goal that nobody heads for has none.

use crate::scene::{Group, Knows, Model, OwnWeights, Weights};
use crate::world::beliefs::View;
use crate::world::narrow::{class_of, classes};

/// A goal, and which field of costs leads there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The goal, by number.
    pub goal: u16,
    /// The field of costs, by number.
    pub costs: u16,
}

/// All routes of a scene, and which one each group takes to each goal.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Routes {
    list: Vec<Route>,
    /// Of each field of costs: its weights, and for which class of bodies it is.
    weights: Vec<Weights>,
    bodies: Vec<usize>,
    /// Of each field of costs: its view of gates, by number, or none where it sees them as they are.
    view_of: Vec<Option<usize>>,
    /// The views that differ from how things are.
    views: Vec<View>,
    /// The radii of these classes.
    radii: Vec<f32>,
    /// At group · goals + goal: the route, or [`Routes::NONE`]; where somebody may learn by sight, behind it the same for
    /// those who have.
    of_group: Vec<u16>,
    groups: usize,
    goals: usize,
}

/// Whom a field of costs is for: their weights, the class of their bodies, and what they know.
type Kind = (OwnWeights, usize, View);

impl Knows {
    /// How those of a group see gates, before and after they have seen that something has changed.
    fn views(self) -> [View; 2] {
        match self {
            Self::AtOnce => [View::Now; 2],
            Self::After(seconds) => [View::Late(seconds); 2],
            Self::OnSight => [View::First, View::Now],
        }
    }
}

impl Routes {
    /// Stands for a route that nobody takes.
    pub const NONE: u16 = u16::MAX;

    /// So many at most have numbers of their own.
    pub const MOST: usize = Self::NONE as usize;

    /// The routes that groups take to so many goals, in order of their costs' first user, then of goals.
    #[must_use]
    pub fn new(groups: &[Group], goals: usize, model: &Model) -> Self {
        let by_sight = groups.iter().any(|g| g.knows == Knows::OnSight);
        let tables = 1 + usize::from(by_sight);
        let of_group = vec![Self::NONE; tables * groups.len() * goals];
        let mut routes = Self { of_group, groups: groups.len(), goals, ..Self::default() };
        // Groups share a field if they say the same, whatever the model's weights are: those may change while a run goes on.
        routes.radii = classes(groups);
        let kind_of = |group: &Group, informed: usize| -> Kind {
            (group.weights, class_of(&routes.radii, group.radius.max()), group.knows.views()[informed])
        };
        // In the order of the tables: all groups, then all of them again as those who have seen.
        let of_group: Vec<Kind> = (0..tables).flat_map(|k| groups.iter().map(move |g| kind_of(g, k))).collect();
        let mut kinds: Vec<Kind> = Vec::new();
        for kind in &of_group {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        if kinds.is_empty() {
            kinds.push((OwnWeights::default(), 0, View::Now));
        }
        routes.weights = kinds.iter().map(|k| model.weights_with(k.0)).collect();
        routes.bodies = kinds.iter().map(|k| k.1).collect();
        for kind in &kinds {
            if kind.2 != View::Now && !routes.views.contains(&kind.2) {
                routes.views.push(kind.2);
            }
        }
        routes.view_of = kinds.iter().map(|k| routes.views.iter().position(|v| *v == k.2)).collect();
        // Where those of each kind go, and where the routes of a kind begin in the list.
        let kind_of_group: Vec<usize> =
            of_group.iter().map(|kind| kinds.iter().position(|k| k == kind).unwrap_or(0)).collect();
        let mut heads_for: Vec<Vec<u16>> = vec![Vec::new(); kinds.len()];
        for (g, &kind) in kind_of_group.iter().enumerate() {
            heads_for[kind].extend(groups[g % groups.len()].goals().filter(|&goal| usize::from(goal) < goals));
        }
        let mut begins = Vec::new();
        for (costs, to) in heads_for.iter_mut().enumerate() {
            to.sort_unstable();
            to.dedup();
            begins.push(routes.list.len());
            routes.list.extend(to.iter().map(|&goal| Route { goal, costs: costs as u16 }));
        }
        for (g, &kind) in kind_of_group.iter().enumerate() {
            for goal in groups[g % groups.len()].goals() {
                if let Ok(at) = heads_for[kind].binary_search(&goal) {
                    // More than there can be are refused by whoever asks for memory: see `Routes::MOST`.
                    routes.of_group[g * goals + usize::from(goal)] = (begins[kind] + at) as u16;
                }
            }
        }
        routes
    }

    /// The routes, by number.
    #[must_use]
    pub fn list(&self) -> &[Route] {
        &self.list
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nobody goes anywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The class of bodies of each field of costs.
    #[must_use]
    pub fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// The radii of the classes of bodies, the least first, m.
    #[must_use]
    pub fn radii(&self) -> &[f32] {
        &self.radii
    }

    /// The weights of each field of costs.
    #[must_use]
    pub fn weights(&self) -> &[Weights] {
        &self.weights
    }

    /// The view of gates of each field of costs, by its number among [`Routes::views`]; none if it sees them as they are.
    #[must_use]
    pub fn view_of(&self) -> &[Option<usize>] {
        &self.view_of
    }

    /// The views of gates that differ from how they are.
    #[must_use]
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// The route of a group to one of its goals, for those who have seen (1) that walls are not as they were or have not (0).
    #[must_use]
    #[inline]
    pub fn of(&self, group: u16, goal: u16, informed: u8) -> usize {
        let row = usize::from(group) + usize::from(informed) * self.groups;
        usize::from(self.of_group[row * self.goals + usize::from(goal)])
    }

    /// At group · goals + goal: the route, or [`Routes::NONE`]; then, where somebody may learn by sight, the same for who has.
    #[must_use]
    pub fn table(&self) -> &[u16] {
        &self.of_group
    }

    /// Whether every goal has one route, of the same number.
    #[must_use]
    pub fn are_goals(&self) -> bool {
        self.weights.len() == 1 && self.list.len() == self.goals
    }

    /// The first route to a goal, whoever takes it.
    #[must_use]
    pub fn to_goal(&self, goal: usize) -> Option<usize> {
        self.list.iter().position(|r| usize::from(r.goal) == goal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{NoFiles, Scene};

    #[test]
    fn groups_equal_in_weights_share_a_route_and_goals_nobody_heads_for_have_none() {
        let text = r#"
            size = [20, 20]
            goal = [{ name = "a", rect = [0, 0, 1, 1] }, { name = "b", rect = [5, 5, 6, 6] }, { name = "c", rect = [9, 9, 10, 10] }]
            [[agents]]
            count = 1
            journey = ["a", "c"]
            [[agents]]
            count = 1
            journey = ["c"]
            [[agents]]
            count = 1
            journey = ["c"]
            time_weight = 3
        "#;
        let scene = Scene::parse("routes.toml", text, &NoFiles).unwrap_or_else(|e| panic!("{e:?}"));
        let routes = Routes::new(&scene.groups, scene.goals.len(), &scene.model);
        let expected = [(0, 0), (2, 0), (2, 1)].map(|(goal, costs)| Route { goal, costs });
        assert_eq!(routes.list(), expected);
        assert_eq!((routes.of(0, 0, 0), routes.of(0, 2, 0), routes.of(1, 2, 0), routes.of(2, 2, 0)), (0, 1, 1, 2));
        assert_eq!(routes.weights().len(), 2);
        assert_eq!((routes.to_goal(1), routes.to_goal(2)), (None, Some(1)));
    }
}
