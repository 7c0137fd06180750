//! The cases: the scene, what is compared with what, the tolerance, and the error of the best other engine.
//!
//! Tolerances are somewhat larger than the errors found, so that a deterioration shows. The other engines were measured on the same
//! kind of case with the best of many settings.

use super::linkages;
use super::measure;
use super::trial::{Answer, Trial};
use impulse_scenes::scene::ParamValue;

/// One comparison.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// A built-in scene, and the parameters that differ from their defaults.
    pub(super) scene: &'static str,
    pub(super) set: &'static [(&'static str, ParamValue)],
    /// What is measured, with its unit.
    pub(super) quantity: &'static str,
    /// Where the exact value comes from.
    pub(super) source: &'static str,
    pub(super) measure: fn(&Trial<'_>) -> anyhow::Result<Answer>,
    pub(super) error: Error,
    /// The best of other engines; `None` where none was measured.
    pub(super) peer: Option<Peer>,
}

/// How the error is defined, and its tolerance.
#[derive(Clone, Copy)]
pub(super) enum Error {
    /// Relative to the exact value.
    Relative(f64),
    /// Absolute, in the unit of the quantity.
    Absolute(f64),
    /// None: the value is for information only.
    Informative,
}

/// Another engine.
pub(super) struct Peer {
    pub(super) engine: &'static str,
    /// Its error, defined as ours; its value in cases without an error.
    pub(super) error: f64,
    /// Whether the error is only an upper bound, because the engine's result was rounded.
    pub(super) at_most: bool,
}

impl Error {
    /// The largest error that passes; `None` if there is no error.
    pub(super) fn tolerance(self) -> Option<f64> {
        match self {
            Self::Relative(tolerance) | Self::Absolute(tolerance) => Some(tolerance),
            Self::Informative => None,
        }
    }

    /// The error of an answer.
    pub(super) fn of(self, answer: &Answer) -> Option<f64> {
        match self {
            Self::Relative(_) => answer.exact.map(|exact| (answer.value / exact - 1.0).abs()),
            Self::Absolute(_) => answer.exact.map(|exact| (answer.value - exact).abs()),
            Self::Informative => None,
        }
    }
}

const MUJOCO: &str = "MuJoCo 4.0.0";
const BULLET: &str = "PyBullet 3.2.7";
const DRAKE: &str = "Drake 1.51.1";
const RAPIER: &str = "rapier3d-f64 0.36.1";

const fn peer(engine: &'static str, error: f64) -> Option<Peer> {
    Some(Peer { engine, error, at_most: false })
}

const fn peer_at_most(engine: &'static str, error: f64) -> Option<Peer> {
    Some(Peer { engine, error, at_most: true })
}

/// All cases, in the order of the report.
pub(super) const CASES: &[Case] = &[
    Case {
        name: "ramp_0.9",
        scene: "block_on_ramp",
        set: &[],
        quantity: "distance slid, friction 0.9, 5.48 m/s; m",
        source: "v^2 / 2g(mu cos a - sin a)",
        measure: measure::ramp,
        error: Error::Relative(1e-6),
        peer: peer_at_most(RAPIER, 5e-5),
    },
    Case {
        name: "ramp_0.6",
        scene: "block_on_ramp",
        set: &[("friction", ParamValue::Number(0.6)), ("speed", ParamValue::Number(0.3))],
        quantity: "distance slid, friction 0.6, 0.3 m/s; m",
        source: "v^2 / 2g(mu cos a - sin a)",
        measure: measure::ramp,
        error: Error::Relative(1e-6),
        peer: None,
    },
    Case {
        name: "ramp_0.578",
        scene: "block_on_ramp",
        set: &[("friction", ParamValue::Number(0.578)), ("speed", ParamValue::Number(0.3))],
        quantity: "distance slid, friction 0.578, 0.3 m/s; m",
        source: "v^2 / 2g(mu cos a - sin a)",
        measure: measure::ramp,
        error: Error::Relative(1e-6),
        peer: None,
    },
    Case {
        name: "slip_reversal",
        scene: "block_on_ramp",
        set: &[
            ("slope", ParamValue::Number(35.0)),
            ("friction", ParamValue::Number(0.3)),
            ("speed", ParamValue::Number(-1.003)),
        ],
        quantity: "where a block is 0.8 s after it was thrown up; m",
        source: "Coulomb's law, uphill and back",
        measure: measure::slip_reversal,
        error: Error::Absolute(1e-6),
        peer: None,
    },
    Case {
        name: "conveying",
        scene: "conveyor",
        set: &[],
        quantity: "speed of a block on a vibrating plate; m/s",
        source: "Coulomb's law, integrated from event to event",
        measure: measure::conveying,
        error: Error::Relative(1e-3),
        peer: peer(BULLET, 2.6e-2),
    },
    Case {
        name: "bounce",
        scene: "bounce",
        set: &[],
        quantity: "height of the worst of 5 bounces, e = 0.8; m",
        source: "h e^(2n)",
        measure: measure::bounce,
        error: Error::Relative(1e-8),
        peer: peer(RAPIER, 2e-3),
    },
    Case {
        name: "flat_box",
        scene: "flat_box",
        set: &[("restitution", ParamValue::Number(0.8)), ("turn", ParamValue::Number(30.0))],
        quantity: "height of the worst of 5 bounces of a box that lands flat, e = 0.8; m",
        source: "h e^(2n)",
        measure: measure::flat_box,
        error: Error::Relative(1e-6),
        peer: None,
    },
    Case {
        name: "rocking_block",
        scene: "rocking_block",
        set: &[],
        quantity: "angular velocity that a rocking block keeps at its first change of edges",
        source: "1 - 3/2 sin^2 alpha (Housner 1963)",
        measure: measure::rocking_block,
        error: Error::Relative(1e-2),
        peer: None,
    },
    Case {
        name: "rocking_block_fine",
        scene: "rocking_block",
        set: &[],
        quantity: "the same with an envelope of 1e-7",
        source: "1 - 3/2 sin^2 alpha (Housner 1963)",
        measure: measure::rocking_block_fine,
        error: Error::Relative(1e-3),
        peer: None,
    },
    Case {
        name: "rocking_plane",
        scene: "rocking_block",
        set: &[],
        quantity: "motion of the block out of its plane in 2 s; m, m/s, rad/s",
        source: "none",
        measure: measure::rocking_plane,
        error: Error::Absolute(1e-9),
        peer: None,
    },
    Case {
        name: "platter_orbit",
        scene: "platter",
        set: &[],
        quantity: "rate of the orbit divided by the platter's, 20 s",
        source: "2/7",
        measure: measure::platter_orbit,
        error: Error::Relative(1e-7),
        peer: None,
    },
    Case {
        name: "platter_radius",
        scene: "platter",
        set: &[],
        quantity: "radius of the orbit after 20 s; m",
        source: "radius at the start",
        measure: measure::platter_radius,
        error: Error::Relative(1e-7),
        peer: peer(RAPIER, 2e-3),
    },
    Case {
        name: "row_of_balls",
        scene: "chain_of_balls",
        set: &[("gap", ParamValue::Number(2.5e-6)), ("friction", ParamValue::Number(0.0))],
        quantity: "speed of the last of five balls, gap 1e-4 r; m/s",
        source: "speed of the first",
        measure: measure::row_of_balls,
        error: Error::Relative(1e-8),
        peer: peer_at_most(MUJOCO, 5e-4),
    },
    // Friction acts in whole hops, each of which slows a sliding ball by up to 0.2 g * 0.5 ms = 1e-3 m/s.
    Case {
        name: "row_on_rough_track",
        scene: "chain_of_balls",
        set: &[("gap", ParamValue::Number(2.5e-6))],
        quantity: "the same on a track with friction 0.2; m/s",
        source: "speed of the first, less 2e-5",
        measure: measure::row_of_balls,
        error: Error::Relative(1e-3),
        peer: None,
    },
    Case {
        name: "slide_to_roll",
        scene: "slide_to_roll",
        set: &[],
        quantity: "speed of rolling after sliding; m/s",
        source: "5/7 v",
        measure: measure::slide_to_roll,
        error: Error::Relative(1e-8),
        peer: peer(BULLET, 1e-14),
    },
    Case {
        name: "rattleback_reversal",
        scene: "rattleback",
        set: &[],
        quantity: "time of the reversal; s",
        source: "rolling without slip, integrated to 1e-7",
        measure: measure::rattleback_reversal,
        error: Error::Relative(1e-4),
        peer: peer(DRAKE, 0.033),
    },
    Case {
        name: "rattleback_spin",
        scene: "rattleback",
        set: &[],
        quantity: "spin after 3.4 s; rad/s",
        source: "rolling without slip, integrated to 1e-6",
        measure: measure::rattleback_spin,
        error: Error::Relative(1e-4),
        peer: None,
    },
    Case {
        name: "coin",
        scene: "coin",
        set: &[],
        quantity: "energy after 3 s of rolling relative to the start",
        source: "rolling does no work",
        measure: measure::coin,
        error: Error::Relative(1e-5),
        peer: None,
    },
    Case {
        name: "stack",
        scene: "stack",
        set: &[],
        quantity: "drift of ten cubes from 1 s to 60 s; m",
        source: "none",
        measure: measure::stack,
        error: Error::Absolute(1e-12),
        peer: peer(MUJOCO, 7e-14),
    },
    Case {
        name: "middle_axis",
        scene: "middle_axis",
        set: &[],
        quantity: "worst energy in 100 s relative to the start",
        source: "no torque, no work",
        measure: measure::middle_axis,
        error: Error::Relative(1e-12),
        peer: peer(MUJOCO, 7e-14),
    },
    Case {
        name: "double_pendulum",
        scene: "double_pendulum",
        set: &[],
        quantity: "worst change of energy in 20 s relative to the largest kinetic energy",
        source: "hinges do no work",
        measure: linkages::double_pendulum,
        error: Error::Absolute(1e-11),
        peer: None,
    },
    Case {
        name: "top_tilt",
        scene: "top",
        set: &[],
        quantity: "worst tilt of a top in 10 s of steady precession; rad",
        source: "pi/6, W (C w - A W cos t) = m g l",
        measure: linkages::top_tilt,
        error: Error::Absolute(1e-9),
        peer: None,
    },
    Case {
        name: "top_precession",
        scene: "top",
        set: &[],
        quantity: "its precession; rad/s",
        source: "W (C w - A W cos t) = m g l",
        measure: linkages::top_precession,
        error: Error::Relative(1e-9),
        peer: None,
    },
    Case {
        name: "bicycle_weave",
        scene: "bicycle_free",
        set: &[],
        quantity: "growth of the weave of a free bicycle at 5 m/s; 1/s",
        source: "-0.77534 +- 4.46487 i, Meijaard et al. 2007",
        measure: linkages::bicycle_weave,
        error: Error::Relative(5e-3),
        peer: None,
    },
    Case {
        name: "bicycle_frequency",
        scene: "bicycle_free",
        set: &[],
        quantity: "its angular frequency; rad/s",
        source: "-0.77534 +- 4.46487 i, Meijaard et al. 2007",
        measure: linkages::bicycle_frequency,
        error: Error::Relative(5e-4),
        peer: None,
    },
    Case {
        name: "bicycle_capsize",
        scene: "bicycle_free",
        set: &[("speed", ParamValue::Number(7.0))],
        quantity: "growth of its capsize at 7 m/s; 1/s",
        source: "0.10268, Meijaard et al. 2007",
        measure: linkages::bicycle_capsize,
        error: Error::Relative(2e-2),
        peer: None,
    },
    Case {
        name: "bullet",
        scene: "bullet",
        set: &[],
        quantity: "bullets of 200 that pass through a fixed plate",
        source: "none",
        measure: measure::bullet,
        error: Error::Absolute(0.0),
        peer: peer("all four", 0.0),
    },
    Case {
        name: "bullet_free",
        scene: "bullet",
        set: &[("fixed", ParamValue::Flag(false))],
        quantity: "bullets of 200 that pass through a free plate",
        source: "none",
        measure: measure::bullet,
        error: Error::Absolute(0.0),
        peer: peer("all four", 0.0),
    },
    Case {
        name: "box_drop",
        scene: "box_drop",
        set: &[],
        quantity: "time per drop to rest on this machine; ms",
        source: "",
        measure: measure::box_drop,
        error: Error::Informative,
        peer: peer("PyBullet 3.2.7 (1.7 with its defaults)", 9.5),
    },
];
