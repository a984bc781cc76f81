// Which route an agent takes: world/routes.rs. Needs `world`.
fn route_of(journey: vec4<u32>) -> u32 {
    let goal = goal_of(journey);
    // Where everybody weighs alike and every goal is headed for, routes are goals.
    if (params.routing == 0u) { return goal; }
    // Who has seen how walls are takes the second table.
    let k = (group_of(journey) + (journey.z >> 31u) * params.groups) * params.goals + goal;
    return world[params.routing + k / 4u][k & 3u];
}
