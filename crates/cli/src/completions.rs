//! `impulse completions`: what a shell needs to complete our arguments.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use std::io::Write;

/// Print a script with which a shell completes arguments.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse completions bash > ~/.local/share/bash-completion/completions/impulse
  impulse completions fish > ~/.config/fish/completions/impulse.fish
  impulse completions zsh > \"${fpath[1]}/_impulse\"")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut crate::Arguments::command(), "impulse", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
