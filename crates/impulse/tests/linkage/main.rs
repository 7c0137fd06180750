//! Tests of linkages, one module per topic of the thesis' chapters 4 and 5.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]
#![expect(clippy::print_stdout, reason = "figures that are measured are told")]
#![expect(clippy::disallowed_methods, reason = "tests compare, they do not make trajectories")]

mod random;
mod vectors;
mod dense;
mod flight;
mod impacts;
mod locked;
mod planar;
mod scenes;
mod zoos;
mod shots;
mod ranges;
mod resting;
mod control;
