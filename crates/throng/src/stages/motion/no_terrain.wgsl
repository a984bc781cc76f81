// Where all is level.
fn on_ground(p: vec2<f32>, wish: vec2<f32>) -> vec2<f32> { return wish; }
