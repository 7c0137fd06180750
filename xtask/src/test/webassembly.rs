//! The engine builds for WebAssembly, and scenes go the same way there to the last bit.

use crate::cargo::{ENGINE, WEB_PROFILE, build_directory, cargo, run};
use crate::files::root;
use crate::tools;
use std::process::Command;

/// The crate that runs the built-in scenes and hashes their traces, and where it is.
const PACKAGE: &str = "impulse-scenes-wasm";
const FOLDER: &str = "crates/scenes/wasm";

/// The script that loads it, in that folder: `node check.mjs MODULE TABLE`.
const SCRIPT: &str = "check.mjs";
const TABLE: &str = "tests/data/trace_hashes_scenes.txt";

pub(crate) fn build_engine() -> Result<(), String> {
    tools::wasm_target()?;
    run(cargo(&["build", "--quiet", "--package", ENGINE, "--target", tools::WASM]))
}

/// Runs the built-in scenes in WebAssembly and compares the hashes of their traces with those of this machine.
pub(crate) fn run_scenes() -> Result<(), String> {
    tools::wasm_target()?;
    tools::node()?;
    run(cargo(&["build", "--quiet", "--profile", WEB_PROFILE, "--target", tools::WASM, "--package", PACKAGE]))?;
    let module = format!("{}.wasm", PACKAGE.replace('-', "_"));
    let mut command = Command::new("node");
    command.arg(root().join(FOLDER).join(SCRIPT));
    command.arg(build_directory().join(tools::WASM).join(WEB_PROFILE).join(module));
    command.arg(root().join(TABLE)).current_dir(root());
    run(command)
}
