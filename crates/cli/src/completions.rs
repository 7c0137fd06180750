//! `impulse completions`: scripts that complete our arguments in a shell.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use std::io::Write;

/// Print a completion script for a shell.
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
