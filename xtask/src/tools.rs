//! Tools that the tests need. A missing one is installed; one that cannot be installed fails the run, so that nothing is skipped.

use crate::cargo::{run, succeeds};
use std::process::Command;

/// The target for browsers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// A version that builds with the toolchain that `Cargo.toml` asks for.
const CARGO_DENY: &str = "=0.20.2";

/// `cargo deny`, built from source if it is missing.
pub(crate) fn cargo_deny() -> Result<(), String> {
    if succeeds("cargo", &["deny", "--version"]) {
        return Ok(());
    }
    println!("\ncargo-deny is missing and will be installed; that takes some minutes");
    run(command("cargo", &["install", "cargo-deny", "--locked", "--version", CARGO_DENY]))
}

/// The standard library for WebAssembly.
pub(crate) fn wasm_target() -> Result<(), String> {
    let add = ["target", "add", WASM];
    if succeeds("rustup", &add) {
        return Ok(());
    }
    // Once more, so that rustup says why.
    run(command("rustup", &add)).map_err(|e| format!("the target {WASM} cannot be installed: {e}"))
}

/// Node.js, which runs WebAssembly.
pub(crate) fn node() -> Result<(), String> {
    installed("node", "nodejs", "install Node.js 20 or newer (Debian: apt-get install nodejs)")
}

/// npm, which installs the page's packages.
pub(crate) fn npm() -> Result<(), String> {
    installed("npm", "npm", "install npm (Debian: apt-get install npm)")
}

/// A browser for the tests of the page; `None` where there is none and it is not to be installed.
pub(crate) fn chromium() -> Result<Option<String>, String> {
    let chosen = std::env::var("CHROMIUM").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let find = || chosen.iter().chain(&known).find(|name| succeeds(name, &["--version"])).cloned();
    if let Some(found) = find() {
        return Ok(Some(found));
    }
    if std::env::var("CI").is_err() {
        return Ok(None);
    }
    installed("chromium", "chromium", "install Chromium (Debian: apt-get install chromium)")?;
    Ok(find())
}

/// A program; installed from Debian's package if it is missing and we may.
fn installed(program: &str, package: &str, remedy: &str) -> Result<(), String> {
    if succeeds(program, &["--version"]) {
        return Ok(());
    }
    let by_hand = format!("{program} is missing; {remedy} and try again");
    if !is_root() || !succeeds("apt-get", &["--version"]) {
        return Err(by_hand);
    }
    println!("\n{program} is missing and will be installed");
    run(command("apt-get", &["update"]))?;
    run(command("apt-get", &["install", "-y", "--no-install-recommends", package]))?;
    if succeeds(program, &["--version"]) { Ok(()) } else { Err(by_hand) }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout == b"0\n")
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}
