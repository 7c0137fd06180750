//! The report: one page of HTML without anything from elsewhere.

use super::answer::Answer;
use super::arguments::{Beginning, Method};
use super::charts::{COLOURS, bars, convergence, matrix};
use super::drawing::Model;
use super::table::{heading, percent};
use crate::mass::significant;
use crate::svg::escape;
use impulse_lab::Part;
use std::fmt::Write;

/// Poses that are drawn, the likeliest ones.
const MOST_POSES: usize = 120;

const STYLE: &str = "body{font:14px/1.45 system-ui,Helvetica,Arial,sans-serif;color:#111;margin:24px auto;max-width:1240px;padding:0 16px}\
h1{font-size:22px}h2{font-size:18px;margin:0 0 6px}h3{font-size:15px;margin:22px 0 6px}\
.parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(430px,1fr));gap:32px}\
.poses{display:grid;grid-template-columns:repeat(auto-fill,minmax(196px,1fr));gap:12px}\
.pose{border:1px solid #ddd;border-radius:6px;padding:8px}\
.pose svg{display:block}.pose b{font-size:15px}.small{color:#555;font-size:12px}\
table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right;border:1px solid #ddd;font-weight:normal}th{background:#f6f6f4}td+th,tr>th:first-child{text-align:left}\
.note{background:#fff6dd;border-left:4px solid #edae49;padding:4px 10px;margin:6px 0}\
.key span{display:inline-block;width:12px;height:9px;margin:0 4px 0 14px}\
.scroll{overflow-x:auto}@media print{body{margin:0;max-width:none}.pose{break-inside:avoid}}";

/// The page of some parts, side by side.
pub(super) fn page(studied: &[(Part, Answer)]) -> String {
    let names: Vec<&str> = studied.iter().map(|(_, answer)| answer.part.as_str()).collect();
    let title = escape(&match names.as_slice() {
        [name] => format!("How {name} lands"),
        _ => format!("How parts land: {}", names.join(", ")),
    });
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
    );
    if studied.len() > 1 {
        html.push_str(&comparison(studied));
    }
    html.push_str("<div class=\"parts\">\n");
    for (part, answer) in studied {
        html.push_str(&section(part, answer));
    }
    let version = studied.first().map_or("", |(_, answer)| answer.version);
    let _ = write!(html, "</div>\n<p class=\"small\">Impulse {version}</p></body></html>\n");
    html
}

/// One line for each part.
fn comparison(studied: &[(Part, Answer)]) -> String {
    let mut html =
        "<table><tr><th>part</th><th>poses</th><th>likeliest pose</th><th>entropy, bits</th></tr>".to_owned();
    for (_, answer) in studied {
        let likeliest = answer.poses.iter().map(|pose| pose.probability).fold(0.0, f64::max);
        let _ = write!(
            html,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&answer.part),
            answer.poses.len(),
            percent(likeliest),
            significant(answer.entropy, 3)
        );
    }
    html + "</table>\n"
}

fn section(part: &Part, answer: &Answer) -> String {
    let mut html = format!("<section><h2>{}</h2>\n", escape(&answer.part));
    for line in heading(answer) {
        let _ = writeln!(html, "<div>{}</div>", escape(&line));
    }
    for note in &answer.notes {
        let _ = writeln!(html, "<div class=\"note\">{}</div>", escape(note));
    }
    let legend = [("dynamic", COLOURS[0]), ("quasi-static", COLOURS[1]), ("perturbed", COLOURS[2])];
    let shown = legend.iter().skip(usize::from(answer.method != Method::Dynamic));
    let key: String =
        shown.map(|(name, colour)| format!("<span style=\"background:{colour}\"></span>{name}")).collect();
    let _ = writeln!(html, "<h3>Poses</h3><div class=\"key small\">{key}</div>\n{}", gallery(part, answer));
    if let Some(matrix) = matrix(answer) {
        let _ = writeln!(html, "<h3>From pose to pose, per cent of drops</h3><div class=\"scroll\">{matrix}</div>");
    }
    if !answer.sensitivity.is_empty() {
        let _ = writeln!(html, "<h3>What it depends on</h3><div class=\"scroll\">{}</div>", sensitivity(answer));
    }
    if let Some(plot) = convergence(answer) {
        let _ = writeln!(html, "<h3>Convergence</h3>{plot}");
    }
    let _ = writeln!(html, "<h3>Barriers and passes</h3>{}", passes(answer));
    let _ = writeln!(html, "<h3>Parameters</h3>{}</section>", parameters(answer));
    html
}

/// Every pose: drawing, probability, bars, barrier.
fn gallery(part: &Part, answer: &Answer) -> String {
    let model = Model::new(part);
    let mut order: Vec<usize> = (0..answer.poses.len()).collect();
    order.sort_by(|&a, &b| answer.poses[b].probability.total_cmp(&answer.poses[a].probability).then(a.cmp(&b)));
    let ends = answer.poses.iter().flat_map(|pose| [pose.interval[1], pose.quasi_static, pose.perturbed]);
    let full = ends.fold(0.01, f64::max);
    let mut html = "<div class=\"poses\">\n".to_owned();
    for &i in order.iter().take(MOST_POSES) {
        let pose = &answer.poses[i];
        let [low, high] = pose.interval.map(percent);
        let interval = if low == high { String::new() } else { format!("{low} to {high}") };
        let barrier =
            pose.barrier.map_or("no other pose".to_owned(), |b| format!("barrier {} mm", significant(1e3 * b, 3)));
        let equal = if pose.group == i { String::new() } else { format!(", equal to {} by symmetry", pose.group + 1) };
        let rolls = if pose.rolls { ", rolls" } else { "" };
        let _ = writeln!(
            html,
            "<div class=\"pose\"><b>{} &nbsp; {}</b> <span class=\"small\">{interval}</span>{}{}<div class=\"small\">{barrier}{equal}{rolls}</div></div>",
            i + 1,
            percent(pose.probability),
            model.picture(pose.down.into()),
            bars(answer, i, full),
        );
    }
    html.push_str("</div>");
    if order.len() > MOST_POSES {
        let _ = write!(html, "<p>{} less likely poses are not drawn.</p>", order.len() - MOST_POSES);
    }
    html
}

/// Changes of probabilities in per cent, one row for each changed condition.
fn sensitivity(answer: &Answer) -> String {
    let mut html = "<table><tr><th>changed to</th><th>land otherwise</th>".to_owned();
    for i in 0..answer.poses.len() {
        let _ = write!(html, "<th>{}</th>", i + 1);
    }
    html.push_str("</tr>");
    for variation in &answer.sensitivity {
        let pairs = || variation.probabilities.iter().zip(&answer.poses);
        let moved: f64 = pairs().map(|(p, pose)| 0.5 * (p - pose.probability).abs()).sum();
        let _ = write!(
            html,
            "<tr><th>{} {}</th><td>{}</td>",
            variation.varied,
            significant(variation.value, 4),
            percent(moved)
        );
        for (p, pose) in pairs() {
            let change = 100.0 * (p - pose.probability);
            let strength = (change.abs() / 20.0).min(0.8);
            let colour = if change > 0.0 { "60,137,109" } else { "209,73,91" };
            let _ = write!(html, "<td style=\"background:rgba({colour},{strength:.2})\">{change:+.1}</td>");
        }
        html.push_str("</tr>\n");
    }
    html + "</table>"
}

fn passes(answer: &Answer) -> String {
    let mut html =
        "<div class=\"scroll\"><table><tr><th>pose</th><th>centre of mass, mm</th><th>barrier, mm</th><th>leads to</th></tr>".to_owned();
    for (i, pose) in answer.poses.iter().enumerate() {
        let millimetres = |x: f64| significant(1e3 * x, 4);
        let _ = write!(
            html,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            i + 1,
            millimetres(pose.height),
            pose.barrier.map_or("-".to_owned(), millimetres),
            pose.leads_to.map_or("-".to_owned(), |to| (to + 1).to_string())
        );
    }
    html + "</table></div>"
}

fn parameters(answer: &Answer) -> String {
    let c = &answer.conditions;
    let range = |[low, high]: [f64; 2]| if low == high { format!("{low}") } else { format!("{low} to {high}") };
    let quantiles = |q: &Option<super::answer::Quantiles>| match q {
        Some(q) => [q.mean, q.median, q.p95, q.max].map(|x| significant(x, 3)).join(" / "),
        None => "-".to_owned(),
    };
    let start = if answer.start == Beginning::Belt { "belt" } else { "uniform" };
    let rows = [
        ("mass, kg", significant(answer.mass, 6)),
        ("radius, m", significant(answer.radius, 6)),
        ("faces of the hull", answer.hull_faces.to_string()),
        ("drops, undecided, failed", format!("{}, {}, {}", answer.drops, answer.undecided, answer.failures.len())),
        ("seed, start", format!("{}, {start}", answer.seed)),
        ("friction, restitution", format!("{}, {}", c.friction, c.restitution)),
        ("rolling resistance, m", c.rolling_resistance.to_string()),
        ("height, m", range(c.height)),
        ("speed, m/s", range(c.speed)),
        ("spin, rad/s", range(c.spin)),
        ("perturbation on the belt, cone, degrees", format!("{}, {}", significant(c.perturbation, 4), answer.cone)),
        ("envelope, merge (shares of the radius)", format!("{}, {}", c.envelope, answer.merge)),
        ("time limit, s", c.time_limit.to_string()),
        ("confidence of intervals", percent(answer.confidence)),
        ("time to decision, s: mean / median / 95 % / most", quantiles(&answer.time)),
        ("impacts to decision: mean / median / 95 % / most", quantiles(&answer.impacts)),
    ];
    let rows: String = rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{value}</td></tr>\n")).collect();
    format!("<table>{rows}</table>")
}
