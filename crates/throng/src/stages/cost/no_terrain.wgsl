// Where all is level.
fn on_slopes(speed_of: vec4<f32>, cell: u32) -> vec4<f32> { return speed_of; }
fn open_links(links: u32, cell: u32) -> u32 { return links; }
fn mean_pace(cell: u32) -> f32 { return 1.0; }
