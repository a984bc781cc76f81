// In the wake of somebody who walks, stands on its goal and has found no room there in this step. See room.wgsl.
const REFUSED: u32 = 0xffffffffu;
fn is_refused(own: vec4<u32>) -> bool { return own.w == REFUSED; }
