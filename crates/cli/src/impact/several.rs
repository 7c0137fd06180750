//! Impacts at several points at once, as JSON lines.

use super::record::{from_rows, name};
use anyhow::Context;
use glam::DVec3;
use impulse::respond::{StruckBody, StruckOutcome, StruckPoint, StruckScratch, resolve_together};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// An impact as given. What the reference vectors tell besides is accepted and not used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Several {
    #[serde(default, deserialize_with = "name")]
    pub(super) id: Option<String>,
    bodies: Vec<Body>,
    points: Vec<Point>,
    #[serde(default, rename = "kind")]
    _kind: IgnoredAny,
    #[serde(default, rename = "expected")]
    _expected: IgnoredAny,
    #[serde(default, rename = "tolerance")]
    _tolerance: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    m: f64,
    #[serde(rename = "I")]
    inertia: [[f64; 3]; 3],
    v: DVec3,
    w: DVec3,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    #[serde(default)]
    a: Option<usize>,
    #[serde(default)]
    b: Option<usize>,
    #[serde(default)]
    ra: DVec3,
    #[serde(default)]
    rb: DVec3,
    n: DVec3,
    mu: f64,
    e: f64,
}

/// The velocities after the impact.
#[derive(Serialize)]
pub(super) struct Answer {
    id: String,
    bodies: Vec<Velocities>,
    /// Only told where the impact could not be followed to its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    incomplete: bool,
}

#[derive(Serialize)]
struct Velocities {
    v: DVec3,
    w: DVec3,
}

impl Several {
    pub(super) fn resolve<'a>(&self, scratch: &'a mut StruckScratch) -> anyhow::Result<&'a StruckOutcome> {
        let bodies: Vec<_> = self.bodies.iter().map(Body::struck).collect();
        let points: Vec<_> = self.points.iter().map(Point::struck).collect();
        resolve_together(scratch, &bodies, &points).context("bodies and points")
    }
}

impl Body {
    fn struck(&self) -> StruckBody {
        StruckBody { mass: self.m, inertia: from_rows(&self.inertia), velocity: self.v, spin: self.w }
    }
}

impl Point {
    fn struck(&self) -> StruckPoint {
        StruckPoint {
            bodies: [self.a, self.b],
            arms: [self.ra, self.rb],
            surface_velocity: DVec3::ZERO,
            normal: self.n,
            friction: self.mu,
            restitution: self.e,
        }
    }
}

impl Answer {
    pub(super) fn new(id: String, outcome: &StruckOutcome) -> Self {
        let bodies = outcome.velocities.iter().map(|&(v, w)| Velocities { v, w }).collect();
        Self { id, bodies, incomplete: !outcome.complete }
    }
}
