//! `cargo xtask web`: the engine as a WebAssembly module, and the page around it.

use crate::cargo::{WEB_PROFILE, announce, build_directory, cargo, run};
use crate::files::root;
use crate::tools;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The package of the module.
const PACKAGE: &str = "impulse-viewer";

/// Builds the page into its folder `dist`.
pub(crate) fn build() -> Result<(), String> {
    announce("web");
    tools::wasm_target()?;
    tools::node()?;
    run(cargo(&["build", "--quiet", "--profile", WEB_PROFILE, "--target", tools::WASM, "--package", PACKAGE]))?;
    packages()?;
    run(in_web("npm", &["run", "--silent", "check"]))?;
    let module =
        build_directory().join(tools::WASM).join(WEB_PROFILE).join(PACKAGE.replace('-', "_")).with_extension("wasm");
    let mut command = in_web("node", &["scripts/build.mjs"]);
    command.arg(module);
    run(command)
}

/// The folder of the page.
pub(crate) fn folder() -> PathBuf {
    root().join("crates/viewer/web")
}

/// A command in the folder of the page.
pub(crate) fn in_web(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder());
    command
}

/// Installs the page's packages as the lock file says, unless that is done.
fn packages() -> Result<(), String> {
    let time = |name: &str| fs::metadata(folder().join(name)).and_then(|file| file.modified()).ok();
    let (wanted, installed) = (time("package-lock.json"), time("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= wanted {
        return Ok(());
    }
    tools::npm()?;
    run(in_web("npm", &["ci", "--no-audit", "--no-fund", "--loglevel", "error"]))
}
