// Sums over a workgroup of 256.

var<workgroup> scan: array<u32, 256>;

// Exclusive running sum over the workgroup; the last thread's inclusive sum, which is the total, is left in scan[255].
fn running_sum(lane: u32, value: u32) -> u32 {
    scan[lane] = value;
    workgroupBarrier();
    var sum = value;
    for (var step = 1u; step < 256u; step <<= 1u) {
        var add = 0u;
        if (lane >= step) { add = scan[lane - step]; }
        workgroupBarrier();
        sum += add;
        scan[lane] = sum;
        workgroupBarrier();
    }
    return sum - value;
}
