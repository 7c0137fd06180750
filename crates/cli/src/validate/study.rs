//! How errors and cost depend on the envelope, for users who want to change it.

use super::cases::{CASES, Case};
use super::trial::Trial;
use impulse::world::Settings;
use serde::Serialize;

/// The cases that depend on the envelope: those with lasting contact and an exact or accurately integrated solution.
const STUDIED: &[&str] =
    &["ramp_0.9", "rocking_block", "platter_radius", "rattleback_reversal", "rattleback_spin", "coin"];

/// Envelopes relative to the bodies' bounding radii; first none, with which hops are as high as the engine finds right.
pub(super) const ENVELOPES: [Option<f64>; 4] = [None, Some(1e-4), Some(1e-5), Some(1e-6)];

/// What an envelope is called.
pub(super) fn named(envelope: Option<f64>) -> String {
    envelope.map_or_else(|| "default".to_owned(), |height| format!("{height:e}"))
}

/// A case with one envelope.
#[derive(Serialize)]
pub(super) struct Point {
    pub(super) case: &'static str,
    pub(super) envelope: Option<f64>,
    pub(super) error: Option<f64>,
    pub(super) events_per_s: f64,
}

/// The cases of the study.
pub(super) fn studied() -> impl Iterator<Item = &'static Case> {
    CASES.iter().filter(|case| STUDIED.contains(&case.name))
}

/// Runs a case with an envelope.
pub(super) fn point(case: &'static Case, envelope: Option<f64>) -> anyhow::Result<Point> {
    let fixed = |hop_height: f64| Settings { hop_height, hop_turn: None, ..Settings::default() };
    let trial = Trial { case, settings: envelope.map_or_else(Settings::default, fixed) };
    let answer = (case.measure)(&trial)?;
    let events_per_s = answer.events as f64 / answer.simulated;
    Ok(Point { case: case.name, envelope, error: case.error.of(&answer), events_per_s })
}
