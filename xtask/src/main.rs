//! Development tasks, run as `cargo xtask <task>`. No dependencies, so that it builds in seconds on a new machine.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

mod bless;
mod cargo;
mod files;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test            everything continuous integration runs: formatting, lints, docs, tidy, tests, doc tests, wasm32
cargo xtask tidy            what a machine can check of the style: file lengths, headers, the order of modules and crates
cargo xtask fuzz [SECONDS]  random and mutated STL and OBJ files against the part readers (default 20 s)
cargo xtask bench [NAME]... the benches, or those named: times and counted work
cargo xtask peers [COUNT]   piles of boxes here and in rapier3d-f64, in one run; builds the latter first
cargo xtask strikes         the bowling experiments of thesis section 7.1 into docs/strikes.*; takes some minutes
cargo xtask bless [WHY]     renews the tables of trace hashes and notes in the changelog whose trajectories changed
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let result = match arguments.first().map(String::as_str) {
        Some("test") => cargo::test(),
        Some("tidy") => tidy::tidy(),
        Some("fuzz") => cargo::fuzz(rest),
        Some("bench") => cargo::bench(rest),
        Some("peers") => cargo::peers(rest),
        Some("strikes") => cargo::strikes(),
        Some("bless") => bless::bless(rest),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("unknown task {}\n\n{HELP}", other.unwrap_or("(none given)"))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
