//! What is drawn of a study: reports as numbers. Flags are 0 and 1, and of texts each has its share.

use super::plan::Plan;
use impulse_lab::sweep::Row;
use impulse_scenes::scene::ParamValue;
use std::collections::BTreeMap;

/// Most texts of a report that have a place of their own; the most frequent ones.
const TEXTS: usize = 8;

/// A report, or one of the texts that it gives, as a number.
pub(super) struct Quantity {
    /// For people.
    pub(super) name: String,
    /// Its number among the reports.
    pub(super) report: usize,
    /// The text that counts as 1.
    text: Option<String>,
    /// Whether it is 0 or 1, so that its mean is a share.
    pub(super) is_share: bool,
}

impl Quantity {
    /// Its value in a trial.
    pub(super) fn of(&self, row: &Row) -> Option<f64> {
        match (&self.text, row.reports[self.report].as_ref()?) {
            (Some(text), found) => Some(f64::from(u8::from(matches!(found, ParamValue::Text(given) if given == text)))),
            (None, found) => number(Some(found)),
        }
    }

    /// All its values, sorted.
    pub(super) fn sorted(&self, rows: &[Row]) -> Vec<f64> {
        let mut values: Vec<f64> = rows.iter().filter_map(|row| self.of(row)).collect();
        values.sort_by(f64::total_cmp);
        values
    }
}

/// All that the reports of a study are.
pub(super) fn quantities(plan: &Plan, rows: &[Row]) -> Vec<Quantity> {
    let mut all = Vec::new();
    for (report, name) in plan.reports.iter().enumerate() {
        let (mut texts, mut others): (BTreeMap<&str, u64>, Vec<&ParamValue>) = (BTreeMap::new(), Vec::new());
        for value in rows.iter().filter_map(|row| row.reports[report].as_ref()) {
            match value {
                ParamValue::Text(text) => *texts.entry(text).or_insert(0) += 1,
                other => others.push(other),
            }
        }
        if texts.is_empty() {
            let is_share = !others.is_empty() && others.iter().all(|value| matches!(value, ParamValue::Flag(_)));
            all.push(Quantity { name: name.clone(), report, text: None, is_share });
        }
        let mut texts: Vec<(&str, u64)> = texts.into_iter().collect();
        texts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all.extend(texts.iter().take(TEXTS).map(|(text, _)| {
            let (name, text) = (format!("{name} = {text}"), Some((*text).to_owned()));
            Quantity { name, report, text, is_share: true }
        }));
    }
    all
}

/// A value as a number: flags are 0 and 1.
pub(super) fn number(value: Option<&ParamValue>) -> Option<f64> {
    match value? {
        ParamValue::Integer(whole) => Some(*whole as f64),
        ParamValue::Number(number) => Some(*number),
        ParamValue::Flag(flag) => Some(f64::from(u8::from(*flag))),
        ParamValue::Text(_) => None,
    }
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The value below which a share of some sorted values is.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[cfg(test)]
mod tests {
    use super::{Row, quantile, quantities};
    use crate::sweep::plan::Plan;
    use impulse_scenes::scene::ParamValue::{self, Flag, Number, Text};

    fn row(reports: Vec<Option<ParamValue>>) -> Row {
        let (end, error, trace_hash) = ("duration".to_owned(), String::new(), String::new());
        Row { trial: 0, seed: 0, values: Vec::new(), reports, end, error, trace_hash }
    }

    #[test]
    fn reports_become_numbers_and_shares() {
        let plan = Plan { reports: ["side", "still", "level"].map(str::to_owned).to_vec(), ..Plan::default() };
        let text = |text: &str| Some(Text(text.to_owned()));
        let rows = [
            row(vec![text("up"), Some(Flag(true)), Some(Number(3.0))]),
            row(vec![text("down"), Some(Flag(false)), None]),
            row(vec![text("up"), None, Some(Number(1.0))]),
            row(vec![None, None, None]),
        ];
        let found = quantities(&plan, &rows);
        let told: Vec<_> = found.iter().map(|q| (q.name.as_str(), q.is_share, q.sorted(&rows))).collect();
        assert_eq!(told[0], ("side = up", true, vec![0.0, 1.0, 1.0]));
        assert_eq!(told[1], ("side = down", true, vec![0.0, 0.0, 1.0]));
        assert_eq!(told[2], ("still", true, vec![0.0, 1.0]));
        assert_eq!(told[3], ("level", false, vec![1.0, 3.0]));
        assert_eq!((found.len(), quantile(&[1.0, 2.0, 4.0], 0.5)), (4, 2.0));
    }
}
