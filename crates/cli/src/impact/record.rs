//! Impacts and answers as JSON lines.

use anyhow::{Context, bail};
use glam::DMat3;
use impulse::respond::{ContactBody, Impact, Law, Material, Mode, Outcome, RayKind, Rays, collision_matrix, rays};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

/// An impact at one point as given. What the reference vectors tell besides is accepted and not used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    #[serde(default, deserialize_with = "name")]
    pub(super) id: Option<String>,
    #[serde(rename = "K")]
    matrix: Option<[[f64; 3]; 3]>,
    bodies: Option<[Option<Body>; 2]>,
    mu: f64,
    e: f64,
    #[serde(default)]
    law: LawName,
    u0: [f64; 3],
    #[serde(default, rename = "cls")]
    _class: IgnoredAny,
    #[serde(default, rename = "note")]
    _note: IgnoredAny,
    #[serde(default, rename = "expected")]
    _expected: IgnoredAny,
    #[serde(default, rename = "tolerance")]
    _tolerance: IgnoredAny,
    #[serde(default, rename = "cond_p")]
    _impulse_condition: IgnoredAny,
    #[serde(default, rename = "cond_u")]
    _velocity_condition: IgnoredAny,
    #[serde(default, rename = "modes_robust")]
    _modes_robust: IgnoredAny,
    #[serde(default, rename = "min_ut_rel")]
    _least_slip: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    m: f64,
    #[serde(rename = "I")]
    inertia: [[f64; 3]; 3],
    r: [f64; 3],
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum LawName {
    #[default]
    Stronge,
    Poisson,
    Newton,
}

/// Accepts strings and numbers as names.
pub(super) fn name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

/// Reads one line.
pub(super) fn parse<T: DeserializeOwned>(line: &str) -> anyhow::Result<T> {
    match serde_json::from_str(line) {
        Ok(record) => Ok(record),
        // The parser only sees this line and calls it line 1.
        Err(e) => bail!("column {}: {}", e.column(), e.to_string().split(" at line ").next().unwrap_or_default()),
    }
}

impl Record {
    pub(super) fn impact(&self) -> anyhow::Result<Impact> {
        let law = match self.law {
            LawName::Stronge => Law::Stronge,
            LawName::Poisson => Law::Poisson,
            LawName::Newton => Law::Newton,
        };
        Ok(Impact {
            matrix: self.collision_matrix()?,
            material: Material { friction: self.mu, restitution: self.e, law },
            velocity: self.u0.into(),
        })
    }

    fn collision_matrix(&self) -> anyhow::Result<DMat3> {
        match (&self.matrix, &self.bodies) {
            (Some(rows), _) => Ok(from_rows(rows)),
            (None, Some([first, second])) => {
                let (first, second) = (first.as_ref().map(Body::at_contact), second.as_ref().map(Body::at_contact));
                collision_matrix(first.as_ref(), second.as_ref()).context("bodies")
            }
            (None, None) => bail!("neither K nor bodies are given; give one of them"),
        }
    }
}

impl Body {
    fn at_contact(&self) -> ContactBody {
        ContactBody { mass: self.m, inertia: from_rows(&self.inertia), arm: self.r.into() }
    }
}

pub(super) fn from_rows(rows: &[[f64; 3]; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(rows).transpose()
}

/// The resolved impact.
#[derive(Serialize)]
pub(super) struct Answer {
    id: String,
    p: [f64; 3],
    u: [f64; 3],
    #[serde(rename = "W")]
    work: f64,
    #[serde(rename = "Wz_mc")]
    compression_work: f64,
    #[serde(rename = "Wz_end")]
    normal_work: f64,
    pz_mc: f64,
    modes: Vec<ModeOut>,
    /// The ray along which sliding resumed after sticking.
    ray: Option<SlipRay>,
    /// Null if every direction is a ray.
    rays: Option<Vec<RayOut>>,
    stick_stable: bool,
}

#[derive(Serialize)]
struct ModeOut {
    mode: &'static str,
    pz: f64,
}

#[derive(Serialize)]
struct SlipRay {
    theta: f64,
    dir: [f64; 2],
}

#[derive(Serialize)]
struct RayOut {
    theta: f64,
    kind: &'static str,
    attracting: bool,
}

impl Answer {
    pub(super) fn new(id: String, impact: &Impact, outcome: &Outcome) -> anyhow::Result<Self> {
        let rays = match rays(&impact.matrix, impact.material.friction)? {
            Rays::EveryDirection => None,
            some => Some(some.iter().map(|ray| RayOut::from(&ray)).collect()),
        };
        let mode = |m: Mode| match m {
            Mode::Slide => "slide",
            Mode::Stick => "stick",
            Mode::SlipAlongRay => "slip_along_ray",
        };
        let modes = outcome.modes.as_slice().iter().map(|m| ModeOut { mode: mode(m.mode), pz: m.normal_impulse });
        Ok(Self {
            id,
            p: outcome.impulse.to_array(),
            u: outcome.velocity.to_array(),
            work: outcome.work,
            compression_work: outcome.compression_work,
            normal_work: outcome.normal_work,
            pz_mc: outcome.compression_impulse,
            modes: modes.collect(),
            ray: outcome.ray.map(|d| SlipRay { theta: d.to_angle(), dir: d.to_array() }),
            rays,
            stick_stable: outcome.sticking_is_stable,
        })
    }
}

impl From<&impulse::respond::Ray> for RayOut {
    fn from(ray: &impulse::respond::Ray) -> Self {
        let kind = match ray.kind {
            RayKind::Diverging => "diverging",
            RayKind::Converging => "converging",
        };
        Self { theta: ray.angle, kind, attracting: ray.attracting }
    }
}
