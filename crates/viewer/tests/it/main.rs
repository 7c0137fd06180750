//! Going to any instant of a run, in any direction, with the bits of a run that went straight there.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod acting;
mod going;
mod opening;
