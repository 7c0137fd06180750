//! Development tasks, run as `cargo xtask <task>`. No dependencies, so that it builds in seconds on a new machine.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its user")]

mod files;
mod cargo;
mod tidy;
mod tools;
mod web;
mod test;
mod pgo;
mod bless;
mod tasks;

use std::process::ExitCode;
use tasks::{TASKS, help};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(format!("which task?\n\n{}", help()));
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        print!("{}", help());
        return Ok(());
    }
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(rest),
        None => Err(format!("there is no task {name}\n\n{}", help())),
    }
}
