//! The laboratory from outside: closed forms, slow oracles, statistics of many studies.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod support;
mod landscape;
mod quasi_static;
mod perturbed;
mod drops;
mod belt;
mod sweep;
