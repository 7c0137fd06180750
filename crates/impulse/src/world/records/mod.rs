//! What a run leaves behind: events, impacts, counted work, contact forces, rest, and a hash of it all (section 1.3).

pub(super) mod event;
pub(super) mod counters;
pub(super) mod trace_hash;
pub(super) mod watch;
pub(super) mod energy;
pub(super) mod busiest;
pub(super) mod stopwatch;
mod timing;
pub(super) mod lasting_contacts;
mod carried;
mod rest;
pub(super) mod window;
mod watching;
mod record;
mod self_watch;
mod journal;

pub(super) use journal::Records;
