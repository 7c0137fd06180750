//! The page of a study: every report over everything that was varied, what matters, and the best and worst trials with the commands that
//! show them. One file without anything from elsewhere.

use super::folder::Folder;
use super::plan::{Plan, plain};
use super::quantity::{Quantity, mean, number, quantile, quantities};
use super::tables::values;
use crate::mass::significant;
use crate::svg::{Picture, Stroke, escape, file};
use glam::DVec2;
use impulse_lab::sweep::Row;
use impulse_lab::{normal_quantile, rank_correlation, wilson};
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
    let title = format!("Study of {}", escape(&plan.scene));
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<p>{}</p>\n<table><tr><th>varied</th><th>over</th></tr>",
        account(plan, &rows, trials)
    );
    for (name, value) in &plan.vary {
        let _ = write!(html, "<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(&plain(value)));
    }
    html += "</table>\n";
    let quantities = quantities(plan, &rows);
    html += &correlations(plan, &rows, &quantities);
    html += &summary(&rows, &quantities);
    html += &plots(plan, &rows, &quantities);
    html += &extremes(plan, &rows, (&quantities, goal));
    let _ = writeln!(html, "<p class=\"small\">Impulse {}</p></body></html>", plan.impulse);
    folder.write("study.html", &html)
}

/// How many trials there are, in words.
fn account(plan: &Plan, rows: &[Row], trials: u64) -> String {
    let failed = rows.iter().filter(|row| !row.error.is_empty()).count();
    let failed = if failed == 0 { "none".to_owned() } else { failed.to_string() };
    let shown = match rows.len() as u64 {
        n if n == trials => String::new(),
        n => format!(" {n} of them, evenly chosen, are shown here, and of these"),
    };
    let each = if plan.trials == 1 { "1 trial".to_owned() } else { format!("{} trials", plan.trials) };
    format!("{trials} trials;{shown} {failed} failed. Seed {}, {each} at every point.", plan.seed)
}

/// A value for people.
fn shown(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(number) => significant(*number, 5),
        other => other.to_string(),
    }
}

/// Pairs of a parameter and a quantity.
fn pairs(rows: &[Row], parameter: usize, quantity: &Quantity) -> Vec<(f64, f64)> {
    let pair = |row: &Row| Some((number(row.values.get(parameter))?, quantity.of(row)?));
    rows.iter().filter_map(pair).collect()
}

/// What matters: rank correlations of every report with everything that was varied.
fn correlations(plan: &Plan, rows: &[Row], quantities: &[Quantity]) -> String {
    if quantities.is_empty() || plan.vary.is_empty() {
        return String::new();
    }
    let mut html = "<h2>What matters</h2>\n<p>Spearman's rank correlation: 1 or -1 where a report rises or falls with a parameter alone, 0 where they have \
        nothing to do with each other; chance alone gives up to about the last column.</p>\n<table><tr><th>report</th>"
        .to_owned();
    plan.vary.keys().for_each(|name| html += &format!("<th>{}</th>", escape(name)));
    html += "<th>chance</th></tr>";
    for quantity in quantities {
        let _ = write!(html, "<tr><th>{}</th>", escape(&quantity.name));
        for parameter in 0..plan.vary.len() {
            let found = rank_correlation(&pairs(rows, parameter, quantity));
            let _ = write!(html, "<td>{}</td>", found.map_or_else(|| "-".to_owned(), |r| format!("{r:+.3}")));
        }
        let chance = 2.0 / (quantity.sorted(rows).len() as f64).sqrt();
        let chance = if chance <= 1.0 { format!("{chance:.3}") } else { "any".to_owned() };
        let _ = write!(html, "<td>{chance}</td></tr>");
    }
    html + "</table>\n"
}

/// All values of every report.
fn summary(rows: &[Row], quantities: &[Quantity]) -> String {
    let heads = ["report", "trials", "mean", "lowest", "5 %", "median", "95 %", "highest"];
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let mut html = format!("<h2>Reports</h2>\n<table><tr>{heads}</tr>");
    for quantity in quantities {
        let _ = write!(html, "<tr><th>{}</th>{}</tr>", escape(&quantity.name), cells(&quantity.sorted(rows)));
    }
    html + "</table>\n"
}

/// How many values there are, their mean and quantiles, as cells of a table.
fn cells(sorted: &[f64]) -> String {
    if sorted.is_empty() {
        return format!("<td>0</td>{}", "<td>-</td>".repeat(6));
    }
    let told = [mean(sorted)].into_iter().chain([0.0, 0.05, 0.5, 0.95, 1.0].map(|share| quantile(sorted, share)));
    let told: String = told.map(|x| format!("<td>{}</td>", significant(x, 5))).collect();
    format!("<td>{}</td>{told}", sorted.len())
}

/// Every report over every parameter.
fn plots(plan: &Plan, rows: &[Row], quantities: &[Quantity]) -> String {
    let (mut pictures, mut tables) = (String::new(), String::new());
    for quantity in quantities {
        for (parameter, varied) in plan.vary.keys().enumerate() {
            if let Some(picture) = plot(&pairs(rows, parameter, quantity), varied, quantity) {
                let _ = writeln!(pictures, "<div>{}</div>", file(&[picture]));
            }
            tables += &by_text(rows, parameter, (varied, quantity));
        }
    }
    if !pictures.is_empty() {
        pictures = format!(
            "<p class=\"small\">Means of trials (line) with the middle half and the middle nine tenths (bands); shares with their 95 % \
             intervals.</p>\n<div class=\"plots\">\n{pictures}</div>\n"
        );
    }
    pictures.push_str(&tables);
    pictures
}

/// A table of a quantity at each text that a parameter was.
fn by_text(rows: &[Row], parameter: usize, (varied, quantity): (&str, &Quantity)) -> String {
    let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        if let (Some(ParamValue::Text(text)), Some(value)) = (row.values.get(parameter), quantity.of(row)) {
            groups.entry(text).or_default().push(value);
        }
    }
    if groups.is_empty() {
        return String::new();
    }
    let heads = ["trials", "mean", "lowest", "5 %", "median", "95 %", "highest"].map(|head| format!("<th>{head}</th>"));
    let mut html = format!(
        "<h2>{} by {}</h2>\n<table><tr><th></th>{}</tr>",
        escape(&quantity.name),
        escape(varied),
        heads.concat()
    );
    for (text, mut values) in groups {
        values.sort_by(f64::total_cmp);
        let _ = write!(html, "<tr><th>{}</th>{}</tr>", escape(text), cells(&values));
    }
    html + "</table>\n"
}

/// Bands and the mean of a quantity over a parameter.
fn plot(pairs: &[(f64, f64)], varied: &str, quantity: &Quantity) -> Option<Picture> {
    let bins = bins(pairs);
    let (left, right) = (bins.first()?.0, bins.last()?.0);
    if bins.len() < 2 || right <= left {
        return None;
    }
    let bands: Vec<[Vec<DVec2>; 2]> = if quantity.is_share {
        vec![edges(&bins, |ys| wilson(mean(ys), ys.len() as f64, normal_quantile(0.025)))]
    } else {
        [0.05, 0.25].map(|share| edges(&bins, |ys| [share, 1.0 - share].map(|share| quantile(ys, share)))).to_vec()
    };
    let line: Vec<DVec2> = bins.iter().map(|(x, ys)| DVec2::new(*x, mean(ys))).collect();
    let all = || bands.iter().flatten().chain([&line]).flatten().map(|p| p.y);
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    // A quantity that is always the same is a line in the middle.
    let same = high - low <= 1e-9 * high.abs();
    let margin = if same { 0.5 * high.abs().max(f64::from(u8::from(high == 0.0))) } else { 0.05 * (high - low) };
    let mut picture =
        Picture::new(DVec2::new(380.0, 240.0), DVec2::new(left, low - margin), DVec2::new(right, high + margin));
    for ([low, high], colour) in bands.iter().zip(COLOURS[1..].iter().rev()) {
        picture.band(low, high, colour);
    }
    picture.line(&line, &Stroke { colour: COLOURS[0], width: 2.2, dashes: "" });
    picture.axes(varied, &quantity.name);
    Some(picture)
}

/// The lower and the upper edge of a band.
fn edges(bins: &[(f64, Vec<f64>)], band: impl Fn(&[f64]) -> [f64; 2]) -> [Vec<DVec2>; 2] {
    [0, 1].map(|edge| bins.iter().map(|(x, ys)| DVec2::new(*x, band(ys)[edge])).collect())
}

/// Sorted values at each of a few places: the parameter's own values if they are few, equal shares of trials otherwise.
fn bins(pairs: &[(f64, f64)]) -> Vec<(f64, Vec<f64>)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let distinct = 1 + sorted.windows(2).filter(|pair| pair[0].0 < pair[1].0).count();
    let groups: Vec<&[(f64, f64)]> = if distinct <= 2 * STEPS && distinct * 3 <= sorted.len() {
        sorted.chunk_by(|a, b| a.0 == b.0).collect()
    } else {
        sorted.chunks(sorted.len().div_ceil(STEPS).max(1)).collect()
    };
    let bin = |group: &&[(f64, f64)]| {
        let mut ys: Vec<f64> = group.iter().map(|pair| pair.1).collect();
        ys.sort_by(f64::total_cmp);
        (group.iter().map(|pair| pair.0).sum::<f64>() / group.len() as f64, ys)
    };
    groups.iter().map(bin).collect()
}

/// The trials at both ends of a quantity.
fn extremes(plan: &Plan, rows: &[Row], (quantities, goal): (&[Quantity], Option<&str>)) -> String {
    // Unless told otherwise, the first that is not just yes or no.
    let named = quantities.iter().find(|quantity| goal.is_some_and(|goal| plan.reports[quantity.report] == goal));
    let first = named.or_else(|| quantities.iter().find(|quantity| !quantity.is_share)).or(quantities.first());
    let Some(quantity) = first else { return String::new() };
    let mut told: Vec<(&Row, f64)> = rows.iter().filter_map(|row| Some((row, quantity.of(row)?))).collect();
    told.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.trial.cmp(&b.0.trial)));
    let name = escape(&quantity.name);
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
