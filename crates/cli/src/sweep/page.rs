//! The page of a study: every report over everything that was varied, what matters, and the best and worst trials with the commands that
//! show them. One file without anything from elsewhere.

use super::folder::Folder;
use super::plan::{Plan, plain};
use super::tables::values;
use crate::mass::significant;
use crate::svg::{ClockTick, Picture, escape, file};
use glam::DVec2;
use impulse_lab::rank_correlation;
use impulse_lab::sweep::Row;
use impulse_scenes::scene::ParamValue;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Trials that the page is made from, evenly chosen: more would show no more.
const MOST: u64 = 20_000;

/// Points along an axis at which means and bands are drawn.
const STEPS: usize = 16;

/// Trials that are named at either end.
const NAMED: usize = 5;

const STYLE: &str = "body{font:14px/1.45 system-ui,Helvetica,Arial,sans-serif;color:#111;margin:24px auto;max-width:1240px;padding:0 16px}\
h1{font-size:22px}h2{font-size:18px}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right;border:1px solid #ddd;font-weight:normal}\
th{background:#f6f6f4;text-align:left}.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(440px,1fr));gap:16px}.plots svg{max-width:100%;height:auto}\
code{font-size:12px;white-space:pre-wrap}.small{color:#555;font-size:12px}";

/// Colours of the mean, of the middle half, and of the middle nine tenths.
const COLOURS: [&str; 3] = ["#1f6fb4", "#8fb8dc", "#c9dcee"];

/// Writes study.html.
pub(super) fn write(folder: &Folder, plan: &Plan, goal: Option<&str>, trials: u64) -> anyhow::Result<()> {
    let stride = trials.div_ceil(MOST).max(1);
    let mut rows: Vec<Row> = Vec::new();
    folder.read(|done| {
        if done.row.trial.is_multiple_of(stride) {
            rows.push(done.row);
        }
        Ok(())
    })?;
    let failed = rows.iter().filter(|row| !row.error.is_empty()).count();
    let title = format!("Study of {}", escape(&plan.scene));
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<p>{trials} trials, {failed} of those shown failed; \
         shown are {}. Seed {}, {} at every point.</p>\n<table><tr><th>varied</th><th>over</th></tr>",
        rows.len(),
        plan.seed,
        plan.trials,
    );
    for (name, value) in &plan.vary {
        let _ = write!(html, "<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(&plain(value)));
    }
    html += "</table>\n";
    html += &correlations(plan, &rows);
    html += &plots(plan, &rows);
    html += &extremes(plan, &rows, goal);
    let _ = writeln!(html, "<p class=\"small\">Impulse {}</p></body></html>", plan.impulse);
    folder.write("study.html", &html)
}

/// A value as a number: flags are 0 and 1.
fn number(value: Option<&ParamValue>) -> Option<f64> {
    match value? {
        ParamValue::Integer(whole) => Some(*whole as f64),
        ParamValue::Number(number) => Some(*number),
        ParamValue::Flag(flag) => Some(f64::from(u8::from(*flag))),
        ParamValue::Text(_) => None,
    }
}

/// A value for people.
fn shown(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(number) => significant(*number, 5),
        other => other.to_string(),
    }
}

/// Pairs of a parameter and a report.
fn pairs(rows: &[Row], parameter: usize, report: usize) -> Vec<(f64, f64)> {
    let pair = |row: &Row| Some((number(row.values.get(parameter))?, number(row.reports[report].as_ref())?));
    rows.iter().filter_map(pair).collect()
}

/// What matters: rank correlations of every report with everything that was varied.
fn correlations(plan: &Plan, rows: &[Row]) -> String {
    if plan.reports.is_empty() || plan.vary.is_empty() {
        return String::new();
    }
    let mut html = "<h2>What matters</h2>\n<p>Spearman's rank correlation: 1 or -1 where a report rises or falls with a parameter alone, 0 where they have \
        nothing to do with each other; chance alone gives up to about the last column.</p>\n<table><tr><th>report</th>"
        .to_owned();
    plan.vary.keys().for_each(|name| html += &format!("<th>{}</th>", escape(name)));
    html += "<th>chance</th></tr>";
    for (report, name) in plan.reports.iter().enumerate() {
        let _ = write!(html, "<tr><th>{}</th>", escape(name));
        let mut count = 0;
        for parameter in 0..plan.vary.len() {
            let pairs = pairs(rows, parameter, report);
            count = count.max(pairs.len());
            let found = rank_correlation(&pairs).map_or_else(|| "-".to_owned(), |r| format!("{r:+.3}"));
            let _ = write!(html, "<td>{found}</td>");
        }
        let _ = write!(html, "<td>{:.3}</td></tr>", 2.0 / (count.max(1) as f64).sqrt());
    }
    html + "</table>\n"
}

/// Every report over every parameter: mean, middle half and middle nine tenths.
fn plots(plan: &Plan, rows: &[Row]) -> String {
    let mut html = "<h2>Reports</h2>\n<p class=\"small\">Means (dark), the middle half and the middle nine tenths of trials (light).</p>\n<div class=\"plots\">\n".to_owned();
    for (report, name) in plan.reports.iter().enumerate() {
        for (parameter, varied) in plan.vary.keys().enumerate() {
            let pairs = pairs(rows, parameter, report);
            if let Some(picture) = plot(&pairs, varied, name) {
                html += &format!("<div>{}</div>\n", file(&[picture]));
            }
        }
    }
    html.push_str(&texts(plan, rows));
    html.push_str("</div>\n");
    html
}

fn plot(pairs: &[(f64, f64)], varied: &str, name: &str) -> Option<Picture> {
    let bins = bins(pairs);
    let all = || bins.iter().flat_map(|(_, ys)| [quantile(ys, 0.05), quantile(ys, 0.95), mean(ys)]);
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let (left, right) = (bins.first()?.0, bins.last()?.0);
    if bins.len() < 2 || right <= left {
        return None;
    }
    let margin = 0.05 * (high - low).max(1e-9 * high.abs().max(1e-300));
    let mut picture =
        Picture::new(DVec2::new(380.0, 240.0), DVec2::new(left, low - margin), DVec2::new(right, high + margin));
    for (colour, width, share) in
        [(COLOURS[2], 1.2, 0.05), (COLOURS[2], 1.2, 0.95), (COLOURS[1], 1.6, 0.25), (COLOURS[1], 1.6, 0.75)]
    {
        let line: Vec<DVec2> = bins.iter().map(|(x, ys)| DVec2::new(*x, quantile(ys, share))).collect();
        picture.line(&line, &ClockTick { colour, width, dashes: "" });
    }
    let line: Vec<DVec2> = bins.iter().map(|(x, ys)| DVec2::new(*x, mean(ys))).collect();
    picture.line(&line, &ClockTick { colour: COLOURS[0], width: 2.2, dashes: "" });
    picture.axes(varied, name);
    Some(picture)
}

/// Sorted values at each of a few places: the parameter's own values if they are few, equal shares of trials otherwise.
fn bins(pairs: &[(f64, f64)]) -> Vec<(f64, Vec<f64>)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let distinct = 1 + sorted.windows(2).filter(|pair| pair[0].0 < pair[1].0).count();
    let groups: Vec<&[(f64, f64)]> = if distinct <= 2 * STEPS {
        sorted.chunk_by(|a, b| a.0 == b.0).collect()
    } else {
        sorted.chunks(sorted.len().div_ceil(STEPS)).collect()
    };
    let bin = |group: &&[(f64, f64)]| {
        let mut ys: Vec<f64> = group.iter().map(|pair| pair.1).collect();
        ys.sort_by(f64::total_cmp);
        (group.iter().map(|pair| pair.0).sum::<f64>() / group.len() as f64, ys)
    };
    groups.iter().map(bin).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Reports that are texts: how often each was given.
fn texts(plan: &Plan, rows: &[Row]) -> String {
    let mut html = String::new();
    for (report, name) in plan.reports.iter().enumerate() {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for row in rows {
            if let Some(ParamValue::Text(text)) = &row.reports[report] {
                *counts.entry(text).or_insert(0) += 1;
            }
        }
        if !counts.is_empty() {
            let _ = write!(html, "<table><tr><th>{}</th><th>trials</th></tr>", escape(name));
            counts
                .iter()
                .take(50)
                .for_each(|(text, n)| html += &format!("<tr><th>{}</th><td>{n}</td></tr>", escape(text)));
            html += "</table>\n";
        }
    }
    html
}

/// The trials at both ends of a report.
fn extremes(plan: &Plan, rows: &[Row], goal: Option<&str>) -> String {
    let Some(report) = plan.reports.iter().position(|name| goal.is_none_or(|goal| goal == name)) else {
        return String::new();
    };
    let mut told: Vec<(&Row, f64)> =
        rows.iter().filter_map(|row| Some((row, number(row.reports[report].as_ref())?))).collect();
    told.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.trial.cmp(&b.0.trial)));
    let name = escape(&plan.reports[report]);
    let mut html = String::new();
    let ends =
        [("Highest", told.iter().take(NAMED).collect::<Vec<_>>()), ("Lowest", told.iter().rev().take(NAMED).collect())];
    for (which, trials) in ends {
        let _ = write!(
            html,
            "<h2>{which} {name}</h2>\n<table><tr><th>trial</th><th>{name}</th><th>values</th><th>command</th></tr>"
        );
        for (row, value) in trials {
            let given: Vec<String> = values(row).take(row.values.len()).flatten().map(shown).collect();
            let command = escape(&plan.repeat(row.seed, &row.values));
            let (value, given) = (significant(*value, 6), escape(&given.join(", ")));
            let _ = write!(
                html,
                "<tr><td>{}</td><td>{value}</td><td>{given}</td><th><code>{command}</code></th></tr>",
                row.trial
            );
        }
        html += "</table>\n";
    }
    html
}
