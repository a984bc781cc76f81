//! Flow: from quanta to density and average velocity per cell (thesis 5.3).

pub mod cpu;
