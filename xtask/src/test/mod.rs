//! `cargo xtask test`: everything that must hold, stage by stage.

mod temporary;
mod examples;
mod documents;
mod webassembly;
mod viewer;

use crate::cargo::{announce, cargo, run, succeeds};
use crate::tidy::tidy;
use crate::tools;

type Stage = fn() -> Result<(), String>;

/// Short stages first, so that a mistake shows early.
const STAGES: [(&str, Stage); 12] = [
    ("formatting", || run(cargo(&["fmt", "--all", "--check"]))),
    ("tidy", tidy),
    ("lints", lints),
    ("documentation", || run(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]))),
    ("dependencies", dependencies),
    ("tests", unit_and_integration_tests),
    ("documentation-tests", || run(cargo(&["test", "--workspace", "--doc", "--quiet"]))),
    ("examples", examples::run_all),
    ("documents", documents::run_commands),
    ("wasm-engine", webassembly::build_engine),
    ("wasm-scenes", webassembly::run_scenes),
    ("viewer", viewer::run_in_browser),
];

/// Runs all stages, or those named.
pub(crate) fn test(names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| STAGES.iter().all(|(stage, _)| stage != name)) {
        let known = STAGES.map(|(stage, _)| stage);
        return Err(format!("there is no stage {unknown}; the stages are {}", known.join(", ")));
    }
    for (name, stage) in STAGES {
        if names.is_empty() || names.iter().any(|n| n == name) {
            announce(name);
            stage()?;
        }
    }
    println!("\nxtask test: all good");
    Ok(())
}

fn lints() -> Result<(), String> {
    let denied = ["-D", "warnings", "-D", "missing_docs"];
    let clippy = ["clippy", "--workspace", "--all-targets", "--quiet", "--"];
    run(cargo(&[&clippy[..], &denied].concat()))
}

/// Licences, sources and banned crates. Advisories are left out: their database is on a host that cannot be reached from
/// everywhere, and a test must not fail because something was published elsewhere.
fn dependencies() -> Result<(), String> {
    tools::cargo_deny()?;
    run(cargo(&["deny", "--log-level", "error", "check", "bans", "licenses", "sources"]))
}

fn unit_and_integration_tests() -> Result<(), String> {
    if succeeds("cargo", &["nextest", "--version"]) {
        return run(cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"]));
    }
    run(cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast", "--quiet"]))
}

#[cfg(test)]
mod tests {
    use super::test;

    #[test]
    fn unknown_stages_are_refused() {
        assert!(test(&["tydi".to_owned()]).unwrap_err().contains("tidy, lints"));
    }
}
