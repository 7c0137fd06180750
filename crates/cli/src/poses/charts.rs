//! Charts of the report: bars with intervals, the matrix, convergence.

use super::answer::{Answer, Stage};
use super::arguments::Method;
use super::table::percent;
use crate::svg::{self, Picture, Stroke};
use glam::DVec2;
use std::fmt::Write;

/// Colours of the estimates: of the study, quasi-static, perturbed.
pub(super) const COLOURS: [&str; 3] = ["#2563a8", "#c2b280", "#7a9e7e"];

/// Most lines in the plot of convergence.
const LINES: usize = 8;

const LINE_COLOURS: [&str; LINES] =
    ["#2563a8", "#d1495b", "#3c896d", "#edae49", "#7b5ea7", "#00798c", "#8c564b", "#5a5a5a"];

/// Bars for one pose: the study with its interval, and the quasi-static estimates; `full` is the probability of a full width.
pub(super) fn bars(answer: &Answer, pose: usize, full: f64) -> String {
    const WIDTH: f64 = 180.0;
    let pose = &answer.poses[pose];
    let x = |p: f64| WIDTH * (p / full).min(1.0);
    let dynamic = answer.method == Method::Dynamic;
    let mut rows = vec![("quasi-static", pose.quasi_static, COLOURS[1]), ("perturbed", pose.perturbed, COLOURS[2])];
    if dynamic {
        rows.insert(0, ("dynamic", pose.probability, COLOURS[0]));
    }
    let mut svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{}">"#, 14 * rows.len());
    for (i, (name, p, colour)) in rows.iter().enumerate() {
        let y = 14 * i + 2;
        let _ = write!(
            svg,
            r#"<rect x="0" y="{y}" width="{:.1}" height="9" fill="{colour}"><title>{name}: {}</title></rect>"#,
            x(*p).max(0.5),
            percent(*p)
        );
    }
    if dynamic {
        let [low, high] = pose.interval.map(x);
        let _ = write!(
            svg,
            r##"<path d="M{low:.1} 6.5H{high:.1}M{low:.1} 3.5v6M{high:.1} 3.5v6" stroke="#111" fill="none"/>"##
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The matrix of a belt as a table, darker where likelier.
pub(super) fn matrix(answer: &Answer) -> Option<String> {
    let matrix = answer.matrix.as_ref()?;
    let mut html = "<table class=\"matrix\"><tr><th>from \\ to</th>".to_owned();
    for j in 0..matrix.probabilities.len() {
        let _ = write!(html, "<th>{}</th>", j + 1);
    }
    for (i, row) in matrix.probabilities.iter().enumerate() {
        let _ = write!(html, "</tr>\n<tr><th>{}</th>", i + 1);
        for (j, p) in row.iter().enumerate() {
            let [low, high] = matrix.intervals[i][j];
            let colour = if *p > 0.55 { "#fff" } else { "#111" };
            let _ = write!(
                html,
                r#"<td style="background:rgba(37,99,168,{:.3});color:{colour}" title="{} to {}">{:.1}</td>"#,
                p,
                percent(low),
                percent(high),
                100.0 * p
            );
        }
    }
    html.push_str("</tr></table>");
    Some(html)
}

/// The likeliest probabilities over the number of drops.
pub(super) fn convergence(answer: &Answer) -> Option<String> {
    let stages: &[Stage] = &answer.convergence;
    let (first, last) = (stages.first()?, stages.last()?);
    if last.drops <= first.drops {
        return None;
    }
    let mut order: Vec<usize> = (0..answer.poses.len()).collect();
    order.sort_by(|&a, &b| answer.poses[b].probability.total_cmp(&answer.poses[a].probability).then(a.cmp(&b)));
    order.truncate(LINES);
    let highest = stages.iter().flat_map(|stage| order.iter().map(|&i| stage.probabilities[i])).fold(0.01, f64::max);
    let ends = [first.drops, last.drops].map(|n| (n as f64).log10());
    let mut picture =
        Picture::new(DVec2::new(520.0, 260.0), DVec2::new(ends[0], 0.0), DVec2::new(ends[1], 105.0 * highest));
    for (&pose, colour) in order.iter().zip(LINE_COLOURS) {
        let at = |stage: &Stage| DVec2::new((stage.drops as f64).log10(), 100.0 * stage.probabilities[pose]);
        let points: Vec<DVec2> = stages.iter().map(at).collect();
        picture.line(&points, &Stroke { colour, width: 1.8, dashes: "" });
    }
    picture.axes("drops (power of ten)", "probability, %");
    let names: Vec<String> = order.iter().map(|i| (i + 1).to_string()).collect();
    let entries: Vec<(&str, &str)> = LINE_COLOURS.into_iter().zip(names.iter().map(String::as_str)).collect();
    picture.caption(&entries);
    Some(svg::file(&[picture]))
}
