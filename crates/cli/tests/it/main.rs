//! The command as a user meets it: arguments in, text and exit status out.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]

mod support;
mod mass;
mod impact;
mod run;
mod run_files;
mod run_acts;
mod run_state;
mod run_contacts;
mod gltf;
mod help;
mod bench;
mod strikes;
mod sweep;
mod sweep_rows;
mod sweep_stops;
mod validate;
mod poses;
mod robot;
mod view;
mod linkages;
