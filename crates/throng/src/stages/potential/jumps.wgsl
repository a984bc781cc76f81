// Links through portals, as engine/gpu/rounds.rs writes them into `seeds`: three words each, then what each passage costs by each
// field of costs.
struct PortalLink {
    // Where in a route's potentials.
    begin: u32,
    end: u32,
    passage: u32,
    cost: f32,
}

fn portal_link(number: u32, field: u32) -> PortalLink {
    let at = params.portal_at + 3u * number;
    let way = seeds[at + 2u];
    let costs = params.portal_at + 3u * params.portal_links + field * params.passages;
    return PortalLink(seeds[at], seeds[at + 1u], way, bitcast<f32>(seeds[costs + way]));
}
