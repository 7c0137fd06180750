//! The command `impulse`: parses arguments, calls the libraries, prints.
//!
//! Exit status: 0 success, 1 failure, 2 wrong usage.
#![expect(clippy::print_stderr, reason = "a command reports errors on standard error")]

mod style;
mod progress;
mod interrupt;
mod svg;
mod gltf;
mod mass;
mod impact;
mod run;
mod list;
mod bench;
mod scene;
mod completions;
mod validate;
mod strikes;
mod sweep;
mod poses;
mod robot;
mod view;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Rigid bodies in which every contact is a collision.
#[derive(Parser)]
#[command(name = "impulse", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(Box<run::Arguments>),
    List(list::Arguments),
    Scene(scene::Arguments),
    Mass(mass::Arguments),
    Poses(Box<poses::Arguments>),
    Robot(robot::Arguments),
    Impact(impact::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
    Validate(validate::Arguments),
    Strikes(strikes::Arguments),
    Sweep(Box<sweep::Arguments>),
    View(Box<view::Arguments>),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Scene(arguments) => scene::run(&arguments),
        Command::Mass(arguments) => mass::run(&arguments),
        Command::Poses(arguments) => poses::run(&arguments),
        Command::Robot(arguments) => robot::run(&arguments),
        Command::Impact(arguments) => impact::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Strikes(arguments) => strikes::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::View(arguments) => view::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{} {error:#}", style::styled("error:", style::FAILURE, &std::io::stderr()));
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of our output has closed the pipe (`impulse ... | head`), which is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
