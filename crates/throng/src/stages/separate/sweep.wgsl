// Sweep and prune (thesis 6.3.1.1): agents in the order of their column of cells. A thread walks its column from south to
// north, so the order follows from the bins.

@group(0) @binding(1) var<storage, read> cell_starts: array<u32>;
// Where each column begins, then the agents in order.
@group(0) @binding(2) var<storage, read_write> columns: array<u32>;

@compute @workgroup_size(64)
fn count_columns(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x;
    if (x >= params.width) { return; }
    var n = 0u;
    for (var y = 0u; y < params.height; y++) {
        let cell = y * params.width + x;
        n += cell_starts[cell + 1u] - cell_starts[cell];
    }
    columns[x] = n;
}

@compute @workgroup_size(1)
fn place_columns() {
    var sum = 0u;
    for (var x = 0u; x < params.width; x++) {
        let n = columns[x];
        columns[x] = sum;
        sum += n;
    }
    columns[params.width] = sum;
}

@compute @workgroup_size(64)
fn fill_columns(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x;
    if (x >= params.width) { return; }
    var at = params.columns + columns[x];
    for (var y = 0u; y < params.height; y++) {
        let cell = y * params.width + x;
        for (var i = cell_starts[cell]; i < cell_starts[cell + 1u]; i++) {
            columns[at] = i;
            at++;
        }
    }
}
