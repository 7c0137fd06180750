//! Measured impacts, rolls and tosses, and published tables, as judges: how far answers are from what was measured.

mod ellipse;
mod dice;
mod thesis;
mod tosses;
mod score;
mod cube;
mod bootstrap;

use super::report::aligned;
use serde::Serialize;
use std::fmt::{self, Write};
use std::path::Path;

/// Sets of measurements by name.
pub(super) const SETS: [&str; 4] = ["cube_tosses", "ellipse_impacts", "dice", "tables_7.3_to_7.6"];

/// A figure beside measurements.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// `measured` or `published`.
    pub(super) kind: &'static str,
    pub(super) quantity: &'static str,
    pub(super) value: f64,
    /// 95 % of the means of as many cases drawn anew from those measured (bootstrap).
    pub(super) interval: Option<[f64; 2]>,
    /// What it must not be worse than.
    pub(super) bound: Option<Bound>,
    /// What others reach on the same data.
    pub(super) peers: &'static str,
    pub(super) passed: bool,
}

/// What a figure must not be worse than.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// All rows, and what was left out.
#[derive(Default, Serialize)]
pub(super) struct Measured {
    pub(super) rows: Vec<Row>,
    pub(super) skipped: Vec<String>,
}

impl Row {
    fn new(name: &'static str, quantity: &'static str, value: f64, bound: Option<Bound>) -> Self {
        // NaN does not pass.
        let passed = bound.is_none_or(|bound| match bound {
            Bound::AtMost(most) => value <= most,
            Bound::AtLeast(least) => value >= least,
        });
        Self { name, kind: "measured", quantity, value, interval: None, bound, peers: "", passed }
    }

    fn between(mut self, interval: [f64; 2]) -> Self {
        self.interval = Some(interval);
        self
    }

    fn beside(mut self, peers: &'static str) -> Self {
        self.peers = peers;
        self
    }

    fn cells(&self) -> [String; 6] {
        let interval =
            self.interval.map_or_else(String::new, |[low, high]| format!("{} .. {}", short(low), short(high)));
        let bound = match self.bound {
            None => "-".to_owned(),
            Some(Bound::AtMost(most)) => format!("<= {}", short(most)),
            Some(Bound::AtLeast(least)) => format!(">= {}", short(least)),
        };
        [self.name.to_owned(), self.quantity.to_owned(), short(self.value), interval, bound, self.peers.to_owned()]
    }
}

const HEADER: [&str; 6] = ["case", "what", "here", "95 % interval", "tolerated", "others"];

impl Measured {
    /// Compares with the sets that are wanted; tosses are read from a folder, and predicted ones written to another.
    pub(super) fn new(wanted: impl Fn(&str) -> bool, [data, predictions]: [Option<&Path>; 2]) -> anyhow::Result<Self> {
        let mut all = Self::default();
        if wanted("ellipse_impacts") {
            all.rows.push(ellipse::row()?);
        }
        if wanted("dice") {
            all.rows.extend(dice::rows()?);
        }
        if wanted("tables_7.3_to_7.6") {
            all.rows.extend(thesis::rows()?);
        }
        if wanted("cube_tosses") {
            match data {
                Some(folder) => all.rows.extend(cube::rows(&tosses::read(folder)?, predictions)?),
                None => all.skipped.push(
                    "cube_tosses: skipped; give the folder with tosses.csv (ContactNets, converted) by --data DIR"
                        .to_owned(),
                ),
            }
        }
        Ok(all)
    }

    pub(super) fn text(&self) -> Result<String, fmt::Error> {
        let mut rows = vec![HEADER.map(str::to_owned)];
        rows.extend(self.rows.iter().map(Row::cells));
        let mut text = if self.rows.is_empty() { String::new() } else { format!("\n{}", aligned(&rows)?) };
        for skipped in &self.skipped {
            writeln!(text, "{skipped}")?;
        }
        Ok(text)
    }

    pub(super) fn markdown(&self) -> Result<String, fmt::Error> {
        let mut text = PAGE.to_owned();
        writeln!(text, "| {} |\n|{}", HEADER.join(" | "), "---|".repeat(HEADER.len()))?;
        for row in &self.rows {
            let [name, rest @ ..] = row.cells();
            writeln!(text, "| `{name}` | {} |", rest.join(" | "))?;
        }
        Ok(text)
    }
}

fn short(x: f64) -> String {
    crate::mass::significant(x, 3)
}

/// The part of the page about measurements.
pub(super) const PAGE: &str = "
## Measured

What was measured judges harder than closed forms: bodies are not as their data sheets say, and no model is right. Rows of kind
`measured` compare with measurements, those of `published` recompute printed figures. Intervals hold 95 % of the means of as many cases
drawn anew from those measured; differences are paired, case by case. Tosses of a cube on wood (ContactNets, Pfrommer, Halm and Posa
2020) are read from `--data DIR`; `score.py` beside them is the oracle of the scores. The calibrated cube is the one that the data
themselves tell of: lengths read 2 % short, so that the half side is 51.3 mm and gravity 9.62 m/s^2; the centre of mass is 6.4 mm (rounded
corners: 5.8) off the middle; inertia over mass is 2.94e-3 m^2 (2.49e-3). Other engines were scored on part of the same tosses, each with
its fitted parameters: where one is better it is printed so.

";
