// Avoid, of the steering `keep-distance`: see mod.rs.

@group(0) @binding(1) var<storage, read> motion: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> body: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> guide: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
// Velocity and heading.
@group(0) @binding(5) var<storage, read_write> wanted: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> room_ahead: array<f32>;
@group(0) @binding(7) var<uniform> steering: Steering;

@compute @workgroup_size(128)
fn keep_distance(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
                 @builtin(local_invocation_index) lane: u32) {
    let i = item(group, groups, lane, 128u);
    if (i >= starts[params.cells]) { return; }
    let wish = obey(heading_of(body[i]), guide[i]);
    let heading = wish.zw;
    let speed = length(wish.xy);
    let p = motion[i].xy;
    let radius = radius_of(body[i]);
    let far = steering.gap + steering.time_gap * speed;
    var room = far;
    let reach = far + radius + params.widest;
    let low = cell_xy(p - reach);
    let high = cell_xy(p + reach);
    for (var y = low.y; y <= high.y; y++) {
        for (var j = starts[y * params.width + low.x]; j < starts[y * params.width + high.x + 1u]; j++) {
            let away = motion[j].xy - p;
            let along = dot(away, heading);
            let aside = cross2(heading, away);
            let touch = radius + radius_of(body[j]);
            if (j != i && along > 0.0 && abs(aside) < touch) {
                room = min(room, max(along - sqrt(max(touch * touch - aside * aside, 0.0)), 0.0));
            }
        }
    }
    room_ahead[i] = room;
    var factor = 1.0;
    if (room < far) {
        let most = max(room - steering.gap, 0.0) / max(steering.time_gap, 1e-3);
        if (most < speed) { factor = most / speed; }
    }
    wanted[i] = vec4<f32>(wish.xy * factor, heading);
}
