//! Motion (`move` is a reserved word in Rust and WGSL): agents go where they want, and slide along walls that are
//! in the way (thesis 6.2). On slopes they get as far as the law of slopes lets them ([`crate::world::terrain`]).

pub mod cpu;
