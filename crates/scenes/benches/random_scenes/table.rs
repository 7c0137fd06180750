//! The table of failures by kind of scene.

use crate::shared::failure::{FAULTS, Report};
use crate::shared::scene::Scene;
use std::collections::BTreeMap;
use std::fmt;

/// What the scenes of each kind add up to.
#[derive(Default)]
pub(crate) struct Table {
    rows: BTreeMap<&'static str, Row>,
}

#[derive(Clone, Default)]
struct Row {
    scenes: u32,
    faults: [u32; FAULTS.len()],
    frozen: u32,
    excused: u32,
    hops: u64,
    unsolved: u64,
    cpu: f64,
    /// Largest energy rise relative to its allowance, and its seed.
    energy: (f64, u64),
}

impl Table {
    pub(crate) fn add(&mut self, scene: &Scene, report: &Report) {
        let row = self.rows.entry(scene.kind).or_default();
        row.scenes += 1;
        if let Some(failure) = &report.failure {
            let column = FAULTS.iter().position(|(fault, _)| *fault == failure.fault);
            row.faults[column.expect("all faults have columns")] += 1;
        }
        row.frozen += report.frozen;
        row.excused += report.excused;
        row.hops += report.hops;
        row.unsolved += report.unsolved;
        row.cpu += report.cpu;
        if report.energy_ratio > row.energy.0 {
            row.energy = (report.energy_ratio, scene.seed);
        }
    }

    fn total(&self) -> Row {
        let mut total = Row::default();
        for row in self.rows.values() {
            total.scenes += row.scenes;
            for (sum, count) in total.faults.iter_mut().zip(row.faults) {
                *sum += count;
            }
            total.frozen += row.frozen;
            total.excused += row.excused;
            total.hops += row.hops;
            total.unsolved += row.unsolved;
            total.cpu += row.cpu;
            if row.energy.0 > total.energy.0 {
                total.energy = row.energy;
            }
        }
        total
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<17} {:>6}", "kind", "scenes")?;
        FAULTS.iter().try_for_each(|(_, head)| write!(f, " {head:>8}"))?;
        writeln!(
            f,
            " {:>7} {:>7} {:>9} {:>8} {:>6} rise/allowance (seed)",
            "frozen", "excused", "hops", "not sol.", "CPU s"
        )?;
        self.rows.iter().try_for_each(|(kind, row)| row.write(kind, f))?;
        self.total().write("all", f)
    }
}

impl Row {
    fn write(&self, kind: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{kind:<17} {:>6}", self.scenes)?;
        for count in self.faults {
            let text = if count == 0 { "-".to_owned() } else { count.to_string() };
            write!(f, " {text:>8}")?;
        }
        let Self { frozen, excused, hops, unsolved, cpu, energy, .. } = self;
        writeln!(f, " {frozen:>7} {excused:>7} {hops:>9} {unsolved:>8} {cpu:>6.1} {:.2e} ({})", energy.0, energy.1)
    }
}
