//! `impulse bench`: time and counted work of the built-in scenes, compared with the thesis' execution times (section 7.4).

mod thesis;
mod memory;
mod shares;
mod measure;
mod page;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use impulse_scenes::BUILTIN_SCENES;
use measure::{Measured, measure};
use serde::{Deserialize, Serialize};
use shares::Shares;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;

/// Measure time and counted work of built-in scenes.
///
/// Each scene runs several times for its own duration, and the smallest CPU time counts, without reading and building the scene.
/// Slowdown is CPU time divided by simulated time: below 1 is faster than real time. That of the thesis (table 7.1) was measured on a
/// 200 MHz R4400. The shares of detection, response, motion and control (table 7.2) come from an additional run with a clock.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse bench pool_break dominos
  impulse bench --json > bench.json
  impulse bench --markdown > docs/benchmarks.md")]
pub(crate) struct Arguments {
    /// Built-in scenes [default: all]
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(BUILTIN_SCENES.iter().map(|s| s.name)), hide_possible_values = true)]
    names: Vec<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print a page in Markdown
    #[arg(long)]
    markdown: bool,
    /// Number of runs of each scene
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The output of `--json`.
#[derive(Serialize, Deserialize)]
struct Document {
    runs: u32,
    /// Null if unknown.
    processor: Option<String>,
    scenes: Vec<Measured>,
    /// Shares of time in the thesis' examples.
    thesis_table_7_2: BTreeMap<String, Shares>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let talks = !arguments.json && !arguments.markdown;
    if talks {
        writeln!(out, "{}", row(&page::COLUMNS.map(str::to_owned)))?;
    }
    let wanted = |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|given| given == name);
    let chosen: Vec<_> = BUILTIN_SCENES.iter().filter(|scene| wanted(scene.name)).collect();
    let mut scenes: Vec<Measured> = Vec::new();
    for scene in &chosen {
        let measured = match chosen.len() {
            1 => measure(scene, arguments.runs)?,
            _ => measure_apart(scene.name, arguments.runs)?,
        };
        if talks {
            writeln!(out, "{}", row(&page::cells(&measured)))?;
        }
        scenes.push(measured);
    }
    if arguments.json {
        let thesis_table_7_2 = thesis::table_7_2();
        let document = Document { runs: arguments.runs, processor: page::processor(), scenes, thesis_table_7_2 };
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else if arguments.markdown {
        write!(out, "{}", page::page(&scenes, arguments.runs))?;
    } else {
        writeln!(out, "\nshares of time, %\n{}", row(&page::SHARES.map(str::to_owned)))?;
        for cells in page::share_rows(&scenes) {
            writeln!(out, "{}", row(&cells))?;
        }
    }
    Ok(())
}

/// Measures a scene in a process of its own, so that memory left over from other scenes does not count.
fn measure_apart(name: &str, runs: u32) -> anyhow::Result<Measured> {
    let program = std::env::current_exe().context("cannot find the path of this program")?;
    let output = Command::new(program).args(["bench", "--json", "--runs", &runs.to_string(), name]).output();
    let output = output.context("cannot start another process")?;
    if !output.status.success() {
        bail!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim_end().trim_start_matches("error: "));
    }
    let document: Document = serde_json::from_slice(&output.stdout)?;
    document.scenes.into_iter().next().context("the other process measured nothing")
}

/// A row of the table on the terminal: the name left-aligned, numbers right-aligned.
fn row(cells: &[String]) -> String {
    let Some((name, numbers)) = cells.split_first() else { return String::new() };
    numbers.iter().fold(format!("{name:<15}"), |line, cell| format!("{line} {cell:>10}"))
}
