//! `impulse validate`: compares results with theory, published values and other engines.

mod trial;
mod measure;
mod linkages;
mod cases;
mod study;
mod report;
mod measured;

use crate::progress::Progress;
use anyhow::{Context, bail};
use cases::{CASES, Case};
use clap::Args;
use clap::builder::PossibleValuesParser;
use impulse::world::Settings;
use measured::{Measured, SETS};
use report::{Outcome, Report};
use std::io::Write;
use std::path::PathBuf;
use study::ENVELOPES;
use trial::Trial;

/// Compare results with theory, published values, measurements and other engines.
///
/// Every case runs a built-in scene; measured sets compare with impacts, rolls and tosses of real bodies. The exit status is 1 if an
/// error exceeds its tolerance.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse validate
  impulse validate platter rattleback_spin --study
  impulse validate --markdown > docs/accuracy.md")]
pub(crate) struct Arguments {
    /// Cases, or scenes whose cases to run [default: all]
    #[arg(value_name = "NAME", value_parser = names())]
    names: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print a page in Markdown, including the study
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Folder with measured data that are too large to come along: cube_tosses/tosses.csv
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder for predicted tosses, which the data's own script can score
    #[arg(long, value_name = "DIR", requires = "data")]
    predictions: Option<PathBuf>,
    /// Also run some cases with other envelopes: error against events per simulated second
    #[arg(long)]
    study: bool,
}

/// Valid names: cases, and scenes that have cases.
fn names() -> PossibleValuesParser {
    let mut names: Vec<&str> = CASES.iter().flat_map(|case| [case.name, case.scene]).chain(SETS).collect();
    names.sort_unstable();
    names.dedup();
    PossibleValuesParser::new(names)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let report = measure_all(arguments)?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else if arguments.markdown {
        write!(out, "{}", report.markdown()?)?;
    } else {
        write!(out, "{}", report.text()?)?;
    }
    judge(&report)
}

/// An error if a case exceeds its tolerance.
fn judge(report: &Report) -> anyhow::Result<()> {
    let cases = report.cases.iter().map(|case| (case.name, case.passed));
    let rows = report.measured.rows.iter().map(|row| (row.name, row.passed));
    let missed: Vec<&str> = cases.chain(rows).filter(|(_, passed)| !passed).map(|(name, _)| name).collect();
    if !missed.is_empty() {
        bail!("error above the tolerance: {}", missed.join(", "));
    }
    Ok(())
}

fn measure_all(arguments: &Arguments) -> anyhow::Result<Report> {
    let wanted = |case: &&Case| {
        arguments.names.is_empty() || arguments.names.iter().any(|name| name == case.name || name == case.scene)
    };
    let mut progress = Progress::new(false);
    let mut report = Report::default();
    let cases: Vec<&Case> = CASES.iter().filter(wanted).collect();
    for (i, case) in cases.iter().enumerate() {
        progress.now(|| format!("case {} of {}: {}", i + 1, cases.len(), case.name));
        let trial = Trial { case, settings: Settings::default() };
        let answer = (case.measure)(&trial).context(case.name)?;
        report.cases.push(Outcome::new(case, &answer));
    }
    let set = |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|wanted| wanted == name);
    progress.now(|| "measured data".to_owned());
    report.measured = Measured::new(set, [arguments.data.as_deref(), arguments.predictions.as_deref()])?;
    if arguments.study || arguments.markdown {
        for case in study::studied().filter(wanted) {
            for envelope in ENVELOPES {
                progress.now(|| format!("{} with the envelope {}", case.name, study::named(envelope)));
                report.study.push(study::point(case, envelope).context(case.name)?);
            }
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::cases::CASES;
    use super::judge;
    use super::report::{Outcome, Report};
    use super::trial::Answer;

    #[test]
    fn a_case_that_is_further_off_than_tolerated_fails() {
        let judged = |factor: f64| {
            let exact = Some(5.0);
            let answer = Answer { value: 5.0 * factor, exact, events: 1, simulated: 1.0 };
            judge(&Report { cases: vec![Outcome::new(&CASES[0], &answer)], ..Report::default() })
        };
        let tolerance = CASES[0].error.tolerance().unwrap();
        assert!(judged(1.0).is_ok() && judged(1.0 - 0.9 * tolerance).is_ok());
        for factor in [1.0 + 1.1 * tolerance, 1.0 - 1.1 * tolerance, f64::NAN] {
            assert!(judged(factor).unwrap_err().to_string().ends_with(CASES[0].name));
        }
    }

    #[test]
    fn names_differ() {
        for (i, case) in CASES.iter().enumerate() {
            assert!(CASES[..i].iter().all(|other| other.name != case.name), "{}", case.name);
        }
    }
}
