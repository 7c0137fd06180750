//! Commands that xtask runs: cargo above all, in the workspace's folder and with one build directory.

use crate::files;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The package of the engine.
pub(crate) const ENGINE: &str = "impulse-sim";

/// The profile of modules for the page.
pub(crate) const WEB_PROFILE: &str = "web";

/// What documentation must hold besides compiling: a sentence for every public item, and links that lead somewhere.
const DOCUMENTATION: &str = "-D warnings -D missing_docs -D rustdoc::broken_intra_doc_links \
    -D rustdoc::private_intra_doc_links -D rustdoc::missing_crate_level_docs -D rustdoc::bare_urls \
    -D rustdoc::invalid_html_tags -D rustdoc::invalid_codeblock_attributes -D rustdoc::unescaped_backticks";

/// Runs a cargo command under a title.
pub(crate) fn stage(title: &str, arguments: &[&str]) -> Result<(), String> {
    announce(title);
    run(cargo(arguments))
}

pub(crate) fn announce(title: &str) {
    println!("\n== {title}");
}

pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(files::root()).env("RUSTDOCFLAGS", DOCUMENTATION);
    // Property tests draw the same cases in every run of this command, so that red means changed; plain `cargo test` explores.
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        command.env("PROPTEST_RNG_SEED", "1996");
    }
    command.env("CARGO_TARGET_DIR", build_directory());
    command
}

/// Where builds go: by default outside the checkout, so that the next clean checkout on the same machine finds them again.
pub(crate) fn build_directory() -> PathBuf {
    if let Some(chosen) = std::env::var_os("CARGO_TARGET_DIR") {
        return files::root().join(chosen);
    }
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    let directory = cache.map(|cache| cache.join("impulse").join("target"));
    // If the home cannot be written to, cargo's own default serves too.
    directory.filter(|path| std::fs::create_dir_all(path).is_ok()).unwrap_or_else(|| files::root().join("target"))
}

/// Runs a command that talks to the user itself.
pub(crate) fn run(mut command: Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("cannot start {}: {e}", words(&command)))?;
    if status.success() { Ok(()) } else { Err(format!("failed ({status}): {}", words(&command))) }
}

/// Runs a command silently and returns what it prints; what it printed is part of the error if it fails.
pub(crate) fn output(mut command: Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot start {}: {e}", words(&command)))?;
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() {
        return Ok(out);
    }
    Err(format!("failed ({}): {}\n{out}{err}", output.status, words(&command)))
}

/// Whether a command can be started and succeeds; it prints nothing.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
