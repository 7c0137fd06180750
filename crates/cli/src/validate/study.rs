//! How errors and cost depend on the envelope, for users who want to change it.

use super::cases::{CASES, Case};
use super::trial::Trial;
use impulse::world::Settings;
use serde::Serialize;

/// The cases that depend on the envelope: those with lasting contact and an exact or accurately integrated solution.
const STUDIED: &[&str] =
    &["ramp_0.9", "rocking_block", "platter_radius", "rattleback_reversal", "rattleback_spin", "coin"];

/// Envelopes relative to the bodies' bounding radii.
pub(super) const ENVELOPES: [f64; 3] = [1e-4, 1e-5, 1e-6];

/// A case with one envelope.
#[derive(Serialize)]
pub(super) struct Point {
    pub(super) case: &'static str,
    pub(super) envelope: f64,
    pub(super) error: Option<f64>,
    pub(super) events_per_s: f64,
}

/// The cases of the study.
pub(super) fn studied() -> impl Iterator<Item = &'static Case> {
    CASES.iter().filter(|case| STUDIED.contains(&case.name))
}

/// Runs a case with an envelope.
pub(super) fn point(case: &'static Case, envelope: f64) -> anyhow::Result<Point> {
    let trial = Trial { case, settings: Settings { hop_height: envelope, hop_turn: None, ..Settings::default() } };
    let answer = (case.measure)(&trial)?;
    let events_per_s = answer.events as f64 / answer.simulated;
    Ok(Point { case: case.name, envelope, error: case.error.of(&answer), events_per_s })
}
