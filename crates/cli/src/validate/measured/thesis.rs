//! Tables 7.3 to 7.6 of the thesis: errors (7.2) recomputed from the printed shares. The sizes of the parts are in no source, so that their
//! drops cannot be repeated.

use super::{Bound, Row};
use anyhow::Context;
use impulse_lab::weighted_error;

const DATA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tables_7_3_to_7_6.csv"));

const TABLES: [(&str, &str, &str); 4] = [
    (
        "7.3",
        "table_7.3",
        "insulator cap: error (7.2) of the thesis' dynamic simulation beside 1036 physical trials, recomputed; %",
    ),
    ("7.4", "table_7.4", "white stereo button, 545 trials; %"),
    ("7.5", "table_7.5", "rectangular black button, 1099 trials; %"),
    ("7.6", "table_7.6", "square black button, 915 trials; %"),
];

/// Half a unit of the last printed digit, and as much for the rounding of the shares.
const ROUNDING: f64 = 0.1;

pub(super) fn rows() -> anyhow::Result<Vec<Row>> {
    TABLES.iter().map(|&(number, name, quantity)| row(number, name, quantity)).collect()
}

fn row(number: &str, name: &'static str, quantity: &'static str) -> anyhow::Result<Row> {
    let (mut columns, mut printed) = ([const { Vec::new() }; 4], None);
    for line in DATA.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [table, pose, estimates @ .., physical] = cells.as_slice() else { anyhow::bail!("{line}") };
        if *table != number {
            continue;
        }
        let estimates: Vec<f64> = estimates.iter().map(|cell| cell.parse()).collect::<Result<_, _>>()?;
        if *pose == "error" {
            printed = Some(estimates);
            continue;
        }
        let shares = estimates.iter().copied().chain([physical.parse::<f64>()?]);
        columns.iter_mut().zip(shares).for_each(|(column, share)| column.push(share / 100.0));
    }
    let [still, shaken, dynamic, physical] = &columns;
    let printed = printed.context("the table has a row of errors")?;
    let found = [still, shaken, dynamic].map(|column| 100.0 * weighted_error(physical, column));
    let agree = found.iter().zip(&printed).all(|(found, printed)| (found - printed).abs() <= ROUNDING);
    // All three columns must agree with the print; the row shows the third.
    let bound = if agree { found[2] } else { f64::NEG_INFINITY };
    let row = Row::new(name, quantity, found[2], Some(Bound::AtMost(bound.max(printed[2] + ROUNDING))));
    Ok(Row { kind: "published", passed: agree, ..row }.beside("sizes of parts unknown: no replay"))
}
