// What differs from one dispatch of a kernel to the next: the number of the round, and sizes of the solver's lists.
struct Round {
    number: u32,
    seed_cells: u32,
    seed_items: u32,
    capacity: u32,
}
@group(1) @binding(0) var<uniform> round: Round;
