//! `impulse scene help` and `impulse scene show`: the functions of scene scripts (a language that thesis section 8.3 wishes for).

use crate::style::{HEADING, styled};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use impulse_scenes::scene::{Function, functions, functions_beside};
use impulse_scenes::{BUILTIN_CREATURES, BUILTIN_SCENES};
use std::io::Write;

/// Explain the language of scene scripts.
#[derive(Args)]
#[command(
    disable_help_subcommand = true,
    // clap does not show a subcommand of this name by itself.
    override_usage = "impulse scene help [NAME]\n       impulse scene show NAME",
    after_help = "`impulse scene help` describes every function of scene scripts, each with a complete example;
`impulse scene help NAME` describes only that function and related ones."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    topic: Topic,
}

#[derive(Subcommand)]
enum Topic {
    /// Describe the functions of scene scripts, each with a complete example
    Help {
        /// A function [default: all]
        name: Option<String>,
    },
    /// Print the script of a built-in scene or creature: a start for one of your own
    Show {
        /// A built-in scene, or the file of a built-in creature, such as builtin/bug.rhai
        #[arg(value_parser = PossibleValuesParser::new(scripts().map(|(name, _)| name)), hide_possible_values = true)]
        name: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let wanted = match &arguments.topic {
        Topic::Show { name } => {
            let text = scripts().find(|(known, _)| known == name).map_or("", |(_, text)| text);
            return Ok(write!(out, "{text}")?);
        }
        Topic::Help { name: Some(name) } => functions_beside(name)?,
        Topic::Help { name: None } => functions(),
    };
    // Functions under one heading share description and example.
    for (i, together) in wanted.chunk_by(|a, b| a.text == b.text).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        write_entry(&mut out, together)?;
    }
    Ok(())
}

/// All built-in scripts, by name.
fn scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let creatures = BUILTIN_CREATURES.iter().map(|creature| (creature.file, creature.text));
    BUILTIN_SCENES.iter().map(|scene| (scene.name, scene.text)).chain(creatures)
}

fn write_entry(out: &mut std::io::StdoutLock<'_>, together: &[Function]) -> std::io::Result<()> {
    for function in together {
        let usage = styled(function.usage, HEADING, out);
        writeln!(out, "{usage}")?;
    }
    for block in together.first().map(|first| [first.text, first.example]).into_iter().flatten() {
        writeln!(out)?;
        for line in block.lines() {
            writeln!(out, "{}", format!("    {line}").trim_end())?;
        }
    }
    Ok(())
}
