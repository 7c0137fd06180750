//! `impulse bench`: time and counted work of the built-in scenes beside the thesis' execution times (section 7.4).

mod thesis;
mod memory;
mod measure;
mod page;

use clap::Args;
use clap::builder::PossibleValuesParser;
use impulse_scenes::BUILTIN_SCENES;
use measure::{Measured, measure};
use serde_json::json;
use std::io::Write;

/// Measure time and counted work of built-in scenes.
///
/// Each scene runs for its own duration, several times; the least CPU time counts. Reading the scene and building the world are not
/// measured. Slowdown is CPU time by simulated time: below 1 is faster than real time. The thesis' (table 7.1) is that of a 200 MHz
/// R4400.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse bench pool_break dominos
  impulse bench --json > bench.json
  impulse bench --markdown > docs/benchmarks.md")]
pub(crate) struct Arguments {
    /// Built-in scenes; all where none is given
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(BUILTIN_SCENES.iter().map(|s| s.name)), hide_possible_values = true)]
    names: Vec<String>,
    /// Prints JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Prints a page in Markdown
    #[arg(long)]
    markdown: bool,
    /// How often each scene runs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let talks = !arguments.json && !arguments.markdown;
    if talks {
        writeln!(out, "{}", row(&page::COLUMNS.map(str::to_owned)))?;
    }
    let wanted = |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|given| given == name);
    let mut scenes: Vec<Measured> = Vec::new();
    for scene in BUILTIN_SCENES.iter().filter(|scene| wanted(scene.name)) {
        let measured = measure(scene, arguments.runs)?;
        if talks {
            writeln!(out, "{}", row(&page::cells(&measured)))?;
        }
        scenes.push(measured);
    }
    if arguments.json {
        let document = json!({ "runs": arguments.runs, "processor": page::processor(), "scenes": scenes });
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    }
    if arguments.markdown {
        write!(out, "{}", page::page(&scenes, arguments.runs))?;
    }
    Ok(())
}

/// A line of the table on the terminal: names to the left, numbers to the right.
fn row(cells: &[String; page::COLUMNS.len()]) -> String {
    let [name, numbers @ ..] = cells;
    numbers.iter().fold(format!("{name:<15}"), |line, cell| format!("{line} {cell:>10}"))
}
