//! The tables of a study, made from its trials in order: CSV and Parquet with the same columns, and the CPU times beside them.

use super::folder::{Done, Folder};
use super::parquet::{Cell, Column, Kind, ParquetWriter};
use super::plan::Plan;
use impulse_lab::sweep::Row;
use impulse_scenes::scene::ParamValue;
use std::io::{BufWriter, Write};

/// What is said of a study when it is done.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) trials: u64,
    pub(super) failed: u64,
    pub(super) first_error: String,
    pub(super) cpu_s: f64,
}

/// Writes all tables.
pub(super) fn write(folder: &Folder, plan: &Plan) -> anyhow::Result<Totals> {
    let mut totals = Totals::default();
    let mut kinds = vec![None; plan.vary.len() + plan.reports.len()];
    folder.read(|Done { row, cpu_s }| {
        totals.trials += 1;
        totals.cpu_s += cpu_s;
        if !row.error.is_empty() {
            totals.failed += 1;
            if totals.first_error.is_empty() {
                row.error.clone_into(&mut totals.first_error);
            }
        }
        for (kind, value) in kinds.iter_mut().zip(values(&row)) {
            *kind = common(*kind, value);
        }
        Ok(())
    })?;
    let columns = columns(plan, &kinds);
    folder.make("trials.csv", |file| write_csv(folder, &columns, &mut BufWriter::new(file)))?;
    folder.make("trials.parquet", |file| {
        let mut writer = ParquetWriter::new(BufWriter::new(file), columns.clone())?;
        folder.read(|done| writer.push(cells(&done.row, &columns)))?;
        writer.finish()
    })?;
    folder.make("timing.csv", |file| {
        let mut file = BufWriter::new(file);
        writeln!(file, "trial,cpu_s")?;
        folder.read(|done| Ok(writeln!(file, "{},{:?}", done.row.trial, done.cpu_s)?))?;
        Ok(file.flush()?)
    })?;
    Ok(totals)
}

fn write_csv(folder: &Folder, columns: &[Column], file: &mut impl Write) -> anyhow::Result<()> {
    let names: Vec<String> = columns.iter().map(|column| field(&column.name)).collect();
    writeln!(file, "{}", names.join(","))?;
    folder.read(|Done { row, .. }| {
        write!(file, "{},{}", row.trial, row.seed)?;
        for value in values(&row) {
            write!(file, ",{}", value.map_or_else(String::new, |value| field(&value.to_string())))?;
        }
        writeln!(file, ",{},{},{}", row.end, field(&row.error), row.trace_hash)?;
        Ok(())
    })?;
    Ok(file.flush()?)
}

/// What was varied and what was reported.
pub(super) fn values(row: &Row) -> impl Iterator<Item = Option<&ParamValue>> {
    row.values.iter().map(Some).chain(row.reports.iter().map(Option::as_ref))
}

fn columns(plan: &Plan, kinds: &[Option<Kind>]) -> Vec<Column> {
    let column = |name: &str, kind: Kind, optional: bool| Column { name: name.to_owned(), kind, optional };
    let names = plan.vary.keys().chain(&plan.reports);
    let mut all = vec![column("trial", Kind::Integer, false), column("seed", Kind::Integer, false)];
    all.extend(names.zip(kinds).map(|(name, kind)| column(name, kind.unwrap_or(Kind::Number), true)));
    all.extend(["end", "error", "trace_hash"].map(|name| column(name, Kind::Text, false)));
    all
}

/// The kind of a column that had `known` and now gets a value: whole numbers are numbers, and everything is a text.
fn common(known: Option<Kind>, value: Option<&ParamValue>) -> Option<Kind> {
    let Some(value) = value else { return known };
    let kind = match value {
        ParamValue::Integer(_) => Kind::Integer,
        ParamValue::Number(_) => Kind::Number,
        ParamValue::Flag(_) => Kind::Flag,
        ParamValue::Text(_) => Kind::Text,
    };
    Some(match (known, kind) {
        (None, kind) => kind,
        (Some(known), kind) if known == kind => kind,
        (Some(Kind::Integer | Kind::Number), Kind::Integer | Kind::Number) => Kind::Number,
        _ => Kind::Text,
    })
}

fn cells(row: &Row, columns: &[Column]) -> Vec<Option<Cell>> {
    let mut cells = vec![Some(Cell::Integer(row.trial as i64)), Some(Cell::Integer(row.seed as i64))];
    let typed = |(value, column): (Option<&ParamValue>, &Column)| {
        Some(match (value?, column.kind) {
            (value, Kind::Text) => Cell::Text(value.to_string()),
            (ParamValue::Integer(whole), Kind::Number) => Cell::Number(*whole as f64),
            (ParamValue::Integer(whole), _) => Cell::Integer(*whole),
            (ParamValue::Number(number), _) => Cell::Number(*number),
            (ParamValue::Flag(flag), _) => Cell::Flag(*flag),
            (ParamValue::Text(text), _) => Cell::Text(text.clone()),
        })
    };
    cells.extend(values(row).zip(&columns[2..]).map(typed));
    cells.extend([&row.end, &row.error, &row.trace_hash].map(|text| Some(Cell::Text(text.clone()))));
    cells
}

/// A field of CSV (RFC 4180).
fn field(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']);
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}
