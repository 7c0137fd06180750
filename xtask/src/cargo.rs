//! Tasks that call cargo.

use crate::{files, tidy};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The engine's package, built for WebAssembly too.
const ENGINE: &str = "impulse-sim";
const WASM: &str = "wasm32-unknown-unknown";

/// Benches by name, with the package that holds each.
const BENCHES: [(&str, &str); 13] = [
    ("mass", ENGINE),
    ("closest", ENGINE),
    ("shapes", ENGINE),
    ("impact", ENGINE),
    ("checks", ENGINE),
    ("shots", ENGINE),
    ("motion", ENGINE),
    ("broad_phase", ENGINE),
    ("gas", ENGINE),
    ("rack", ENGINE),
    ("soft_blow", ENGINE),
    ("load_part", "impulse-scenes"),
    ("random_rest", ENGINE),
];

pub(crate) fn test() -> Result<(), String> {
    stage("formatting", &["fmt", "--all", "--check"])?;
    announce("tidy");
    tidy::tidy()?;
    stage("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    stage("documentation", &["doc", "--workspace", "--no-deps", "--quiet"])?;
    if succeeds("cargo", &["nextest", "--version"]) {
        stage("tests", &["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"])?;
    } else {
        stage("tests", &["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast", "--quiet"])?;
    }
    stage("documentation tests", &["test", "--workspace", "--doc", "--quiet"])?;
    webassembly()?;
    println!("\nxtask test: all good");
    Ok(())
}

/// Builds the engine for WebAssembly, where the target can be had.
fn webassembly() -> Result<(), String> {
    announce("engine for WebAssembly");
    if !succeeds("rustup", &["target", "add", WASM]) {
        println!("!!!! SKIPPED: rustup could not add the target {WASM}; the engine was NOT built for WebAssembly");
        return Ok(());
    }
    run(cargo(&["build", "--quiet", "--package", ENGINE, "--target", WASM]))
}

pub(crate) fn fuzz(arguments: &[String]) -> Result<(), String> {
    let seconds = arguments.first().map_or("20", String::as_str);
    run(cargo(&["bench", "--quiet", "--package", "impulse-scenes", "--bench", "fuzz_parts", "--", seconds]))
}

pub(crate) fn bench(names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|n| BENCHES.iter().all(|(name, _)| name != n)) {
        let known: Vec<_> = BENCHES.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no bench {unknown}; there are {}", known.join(", ")));
    }
    for (name, package) in BENCHES {
        if names.is_empty() || names.iter().any(|n| n == name) {
            stage(name, &["bench", "--quiet", "--package", package, "--bench", name])?;
        }
    }
    Ok(())
}

pub(crate) fn peers(arguments: &[String]) -> Result<(), String> {
    let mut command = cargo(&["run", "--release", "--quiet", "--manifest-path", "peers/Cargo.toml", "--"]);
    command.args(arguments);
    run(command)
}

pub(crate) fn strikes() -> Result<(), String> {
    run(cargo(&["run", "--release", "--quiet", "--package", "impulse-cli", "--", "strikes", "--out", "docs"]))
}

/// Lets the tests of trace hashes write their tables.
pub(crate) fn renew_traces(package: &str) -> Result<(), String> {
    announce(&format!("traces of {package}"));
    let mut command =
        cargo(&["test", "--quiet", "--package", package, "--test", "it", "--", "traces_have_not_changed"]);
    command.env("IMPULSE_BLESS", "1");
    run(command)
}

fn stage(title: &str, arguments: &[&str]) -> Result<(), String> {
    announce(title);
    run(cargo(arguments))
}

fn announce(title: &str) {
    println!("\n== {title}");
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(files::root()).env("RUSTDOCFLAGS", "-D warnings");
    // Property tests draw the same cases in every run of this command, so that red means changed; plain `cargo test` explores.
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        command.env("PROPTEST_RNG_SEED", "1996");
    }
    if let Some(directory) = build_directory() {
        command.env("CARGO_TARGET_DIR", directory);
    }
    command
}

/// Where builds go: outside the checkout, so that the next clean checkout on the same machine finds them again.
fn build_directory() -> Option<PathBuf> {
    if std::env::var_os("CARGO_TARGET_DIR").is_some() {
        return None;
    }
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    let directory = cache.join("impulse").join("target");
    // A home that cannot be written to is no reason to fail: cargo's own default serves too.
    std::fs::create_dir_all(&directory).is_ok().then_some(directory)
}

fn run(mut command: Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("cannot start {command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed ({status}): {}", words(&command))) }
}

fn words(command: &Command) -> String {
    let arguments = command.get_args().map(|a| a.to_string_lossy().into_owned());
    std::iter::once("cargo".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
