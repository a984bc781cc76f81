//! Colours. Kinds (goals, groups, states) take those of Okabe and Ito, which people with any common kind of colour
//! blindness can tell apart; amounts take scales whose lightness rises evenly: viridis for fields, plasma for agents, so
//! that both can be told apart where they lie on each other.

use throng::scene::{Group, MachineState};

/// Red, green, blue, 0 to 1, as shown on a screen (not linear).
pub type Colour = [f32; 3];

/// Entries of a scale.
pub const STEPS: usize = 256;
/// Where things begin in the table that shaders read.
pub const FIELD_AT: usize = 0;
/// Directions, from east over north.
pub const WHEEL_AT: usize = STEPS;
/// Amounts of agents.
pub const AMOUNT_AT: usize = 2 * STEPS;
/// Goals and groups.
pub const KINDS_AT: usize = 3 * STEPS;
/// So many kinds differ; then they begin again.
pub const KINDS: usize = 32;
/// Walking and waiting.
pub const STATES_AT: usize = KINDS_AT + KINDS;
/// States that people live by.
pub const MACHINE_AT: usize = STATES_AT + STATES.len();
/// As many as there can be.
pub const MACHINE: usize = 64;
/// Of each group whether it lives by states: in place of red, 1 or 0.
pub const GROUPS_AT: usize = MACHINE_AT + MACHINE;

const fn rgb(hex: u32) -> Colour {
    [((hex >> 16) & 255) as f32 / 255.0, ((hex >> 8) & 255) as f32 / 255.0, (hex & 255) as f32 / 255.0]
}

/// Okabe and Ito, their black left out (the floor is dark), the blue a little lighter, white added.
const OKABE_ITO: [Colour; 8] = [
    rgb(0xE69F00),
    rgb(0x56B4E9),
    rgb(0x00A87A),
    rgb(0xF0E442),
    rgb(0xCC79A7),
    rgb(0xE5652A),
    rgb(0x3C8FD0),
    rgb(0xDDDDDD),
];

/// Around the world.
pub const OUTSIDE: Colour = rgb(0x0C0E11);
/// Of the floor.
pub const FLOOR: Colour = rgb(0x1A1E24);
/// Of walls, and of their outline.
pub const WALL: Colour = rgb(0x5A626D);
/// Outline of walls.
pub const WALL_EDGE: Colour = rgb(0xA9B1BC);
/// Discomfort of the ground, where no field is shown.
pub const DISCOMFORT: Colour = rgb(0x7A4A3A);
/// Values that are not finite.
pub const NOT_FINITE: Colour = rgb(0xFF00FF);
/// Cells that no way leads from: stripes of these two.
pub const UNREACHED: [Colour; 2] = [rgb(0x2B2F36), rgb(0xC9CDD3)];
/// A vector of no length.
pub const NO_DIRECTION: Colour = rgb(0x3A3F47);
/// What is chosen.
pub const CHOSEN: Colour = rgb(0xFFFFFF);

/// The colour of a kind.
#[must_use]
pub fn kind(number: usize) -> Colour {
    let base = OKABE_ITO[number % OKABE_ITO.len()];
    match number / OKABE_ITO.len() % 4 {
        0 => base,
        // Later ones: lighter, darker, paler.
        1 => base.map(|c| 0.55 * c + 0.45),
        2 => base.map(|c| 0.6 * c),
        _ => base.map(|c| 0.35 * c + 0.3),
    }
}

/// Colours of walking and of waiting.
pub const STATES: [Colour; 2] = [rgb(0x56B4E9), rgb(0xE69F00)];

/// The colour of a state that people live by: its own, or that of a kind.
#[must_use]
pub fn state(states: &[MachineState], number: usize) -> Colour {
    let own = states.get(number).and_then(|state| state.colour);
    own.map_or_else(|| kind(number), |rgb| rgb.map(|c| f32::from(c) / 255.0))
}

fn scale(gradient: &colorous::Gradient, place: f32) -> Colour {
    gradient.eval_continuous(f64::from(place.clamp(0.0, 1.0))).into_array().map(|c| f32::from(c) / 255.0)
}

/// The colour of an amount of a field, from 0 to 1 along its scale.
#[must_use]
pub fn field(place: f32) -> Colour {
    scale(&colorous::VIRIDIS, place)
}

/// The colour of an amount of an agent, from 0 to 1 along its scale. The darkest end is left out: the floor is dark.
#[must_use]
pub fn amount(place: f32) -> Colour {
    scale(&colorous::PLASMA, 0.18 + 0.82 * place.clamp(0.0, 1.0))
}

/// The colour of a direction in turns: 0 is east, a quarter north. A circle in the OKLab space: all directions equally light
/// and vivid.
#[must_use]
pub fn direction(turns: f32) -> Colour {
    throng_io::direction_colour(f64::from(turns)).map(|c| f32::from(c) / 255.0)
}

/// The table that shaders read, for a scene with these states and groups.
#[must_use]
pub fn table(states: &[MachineState], groups: &[Group]) -> Vec<[f32; 4]> {
    let place = |i: usize| i as f32 / (STEPS - 1) as f32;
    let mut all: Vec<Colour> = (0..STEPS).map(|i| field(place(i))).collect();
    all.extend((0..STEPS).map(|i| direction(i as f32 / STEPS as f32)));
    all.extend((0..STEPS).map(|i| amount(place(i))));
    all.extend((0..KINDS).map(kind));
    all.extend(STATES);
    all.extend((0..MACHINE).map(|number| state(states, number)));
    let figures = crate::space::figures(groups);
    let group = |(group, figure): (&Group, u32)| [f32::from(u8::from(group.lives())), figure as f32, 0.0];
    all.extend(groups.iter().zip(figures).map(group));
    all.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
}

/// For egui.
#[must_use]
pub fn egui([r, g, b]: Colour) -> egui::Color32 {
    let byte = |c: f32| (c * 255.0).round() as u8;
    egui::Color32::from_rgb(byte(r), byte(g), byte(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What people see who lack one kind of cone: Viénot, Brettel and Mollon (1999), on linear light.
    fn seen(colour: Colour, matrix: [[f32; 3]; 3]) -> Colour {
        let linear = colour.map(|c| c.powf(2.2));
        let dot = |row: [f32; 3]| (0..3).map(|i| row[i] * linear[i]).sum::<f32>().clamp(0.0, 1.0).powf(1.0 / 2.2);
        matrix.map(dot)
    }

    fn apart(a: Colour, b: Colour) -> f32 {
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
    }

    #[test]
    fn kinds_differ_for_every_common_kind_of_colour_vision() {
        let protan = [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]];
        let deutan = [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]];
        let normal = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for matrix in [normal, protan, deutan] {
            for a in 0..8 {
                // A tenth of the way from black to white: clearly another colour side by side.
                for other in (0..a).map(kind).chain([FLOOR]) {
                    let distance = apart(seen(kind(a), matrix), seen(other, matrix));
                    assert!(distance > 0.1, "{a}: {distance}");
                }
            }
        }
    }

    #[test]
    fn the_table_has_everything_where_shaders_look() {
        let table = table(&[], &[]);
        assert_eq!(table.len(), GROUPS_AT);
        assert_eq!(table[MACHINE_AT + 5][..3], kind(5));
        assert_eq!(table[KINDS_AT + 3][..3], kind(3));
        assert_eq!(table[FIELD_AT][..3], field(0.0));
        assert_eq!(table[WHEEL_AT][..3], direction(0.0));
    }
}
