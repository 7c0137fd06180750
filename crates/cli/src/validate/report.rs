//! The results as a table, a page, or JSON.

use super::cases::{Case, Error};
use super::measured::Measured;
use super::study::{self, ENVELOPES, Point};
use super::trial::Answer;
use crate::mass::digits;
use serde::Serialize;
use std::fmt::{self, Write};

/// All results.
#[derive(Default, Serialize)]
pub(super) struct Report {
    pub(super) cases: Vec<Outcome>,
    /// Beside measured and published data.
    pub(super) measured: Measured,
    /// Errors under other envelopes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) study: Vec<Point>,
}

/// A case and its result.
#[derive(Serialize)]
pub(super) struct Outcome {
    pub(super) name: &'static str,
    scene: &'static str,
    params: Vec<String>,
    quantity: &'static str,
    source: &'static str,
    value: f64,
    exact: Option<f64>,
    /// Whether error and tolerance are relative to the exact value.
    relative: bool,
    error: Option<f64>,
    tolerance: Option<f64>,
    peer: Option<&'static str>,
    peer_error: Option<f64>,
    /// Whether the peer's error is only an upper bound.
    peer_at_most: bool,
    pub(super) passed: bool,
    events: u64,
    simulated_s: f64,
}

impl Outcome {
    pub(super) fn new(case: &Case, answer: &Answer) -> Self {
        let (error, tolerance) = (case.error.of(answer), case.error.tolerance());
        Self {
            name: case.name,
            scene: case.scene,
            params: case.set.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            quantity: case.quantity,
            source: case.source,
            value: answer.value,
            exact: answer.exact,
            relative: matches!(case.error, Error::Relative(_)),
            error,
            tolerance,
            peer: case.peer.as_ref().map(|peer| peer.engine),
            peer_error: case.peer.as_ref().map(|peer| peer.error),
            peer_at_most: case.peer.as_ref().is_some_and(|peer| peer.at_most),
            // NaN does not pass.
            passed: tolerance.is_none_or(|tolerance| error.is_some_and(|error| error <= tolerance)),
            events: answer.events,
            simulated_s: answer.simulated,
        }
    }

    /// The cells of a row, as in [`HEADER`].
    fn row(&self) -> [String; COLUMNS] {
        let size = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), short);
        let peer = self.peer.zip(self.peer_error).map_or_else(
            || "not measured".to_owned(),
            |(engine, error)| format!("{}{} {engine}", if self.peer_at_most { "<= " } else { "" }, short(error)),
        );
        let verdict = match (self.tolerance, self.passed) {
            (None, _) => "-",
            (Some(_), true) => "pass",
            (Some(_), false) => "MISS",
        };
        [
            self.name.to_owned(),
            self.quantity.to_owned(),
            digits(self.value),
            self.exact.map_or_else(|| "-".to_owned(), digits),
            size(self.error),
            size(self.tolerance),
            peer,
            verdict.to_owned(),
        ]
    }
}

const COLUMNS: usize = 8;
const HEADER: [&str; COLUMNS] = ["case", "what", "here", "exact", "error", "tolerated", "best other engine", ""];

impl Report {
    /// A table for a terminal.
    pub(super) fn text(&self) -> Result<String, fmt::Error> {
        let mut rows = vec![HEADER.map(str::to_owned)];
        rows.extend(self.cases.iter().map(Outcome::row));
        let mut text = if self.cases.is_empty() { String::new() } else { aligned(&rows)? };
        if !self.study.is_empty() {
            let mut rows = vec![["case", "envelope", "error", "events/s"].map(str::to_owned)];
            rows.extend(self.study.iter().map(|point| {
                let error = point.error.map_or_else(|| "-".to_owned(), short);
                [point.case.to_owned(), study::named(point.envelope), error, format!("{:.0}", point.events_per_s)]
            }));
            write!(text, "\n{}", aligned(&rows)?)?;
        }
        text += &self.measured.text()?;
        Ok(text)
    }

    /// A page.
    pub(super) fn markdown(&self) -> Result<String, fmt::Error> {
        let mut text = PAGE.to_owned();
        let [case, what, here, exact, error, tolerated, peer, _] = HEADER;
        writeln!(text, "| {case} | {what} | exact, from | {exact} | {here} | {error} | {tolerated} | {peer} |")?;
        writeln!(text, "|---|---|---|---|---|---|---|---|")?;
        for outcome in self.cases.iter().filter(|outcome| outcome.exact.is_some()) {
            let [case, what, here, exact, error, tolerated, peer, _] = outcome.row();
            let source = outcome.source;
            writeln!(text, "| `{case}` | {what} | {source} | {exact} | {here} | {error} | {tolerated} | {peer} |")?;
        }
        if !self.study.is_empty() {
            self.write_study(&mut text)?;
        }
        if !self.measured.rows.is_empty() {
            text += &self.measured.markdown()?;
        }
        Ok(text)
    }

    fn write_study(&self, text: &mut String) -> fmt::Result {
        write!(text, "{STUDY}| case |")?;
        for envelope in ENVELOPES {
            write!(text, " {} |", study::named(envelope))?;
        }
        writeln!(text, "\n|---|{}", "---|".repeat(ENVELOPES.len()))?;
        for points in self.study.chunks(ENVELOPES.len()) {
            write!(text, "| `{}` |", points[0].case)?;
            for point in points {
                write!(text, " {} at {:.0} |", point.error.map_or_else(|| "-".to_owned(), short), point.events_per_s)?;
            }
            writeln!(text)?;
        }
        Ok(())
    }
}

/// The first part of the page.
const PAGE: &str = "\
# Accuracy

The results of `impulse validate`: answers of the engine, compared with closed forms and published values. Settings are the defaults
unless the row names another.
Every case is a built-in scene, takes a moment and gives the same digits on every machine. `impulse validate --markdown` writes this
page, and a test compares it.

Errors are relative to the exact value, or in the unit of the quantity if that is zero. The last column is the smallest error that
any of MuJoCo 4.0.0, PyBullet 3.2.7, Drake 1.51.1 and rapier3d-f64 0.36.1 reached on the same kind of case with the best of many
settings; `<=` marks an upper bound, where its answer was rounded. `box_drop` is left out, because it measures time on the machine it
runs on.

";

/// The second part of the page.
const STUDY: &str = "
## The envelope

Lasting contact is a sequence of hops. By default those of a body alone lift 1e-5 of its bounding radius, and those of two to eight bodies up to
1e-3, and those of more up to 1e-4, as long as nothing turns by more than `Settings::hop_turn` in a flight. `--envelope` gives all hops one height: the lower it is, the more
events it takes. Errors as above, at events per simulated second:

";

/// A table with aligned columns.
pub(super) fn aligned<const N: usize>(rows: &[[String; N]]) -> Result<String, fmt::Error> {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            write!(line, "{cell:<width$}  ")?;
        }
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(text)
}

/// A magnitude with two digits.
fn short(x: f64) -> String {
    if x == 0.0 || (0.1..1e4).contains(&x.abs()) { digits((100.0 * x).round() / 100.0) } else { format!("{x:.1e}") }
}

#[cfg(test)]
mod tests {
    use super::{PAGE, STUDY};
    use crate::validate::cases::{CASES, Error};

    #[test]
    fn the_page_has_this_text_and_a_row_for_every_case() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/accuracy.md")).unwrap();
        assert!(page.starts_with(PAGE) && page.contains(STUDY), "write docs/accuracy.md with --markdown");
        for case in CASES.iter().filter(|case| !matches!(case.error, Error::Informative)) {
            assert!(page.contains(&format!("| `{}` | {} |", case.name, case.quantity)), "{}", case.name);
        }
    }
}
