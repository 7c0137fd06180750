//! A collision at one point, and what it does (thesis 3.2-3.4).

use super::material::Material;
use glam::{DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A collision at one point, in the collision frame (z is the normal).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// The collision matrix K (3.4), 1/kg.
    pub matrix: DMat3,
    /// Friction and restitution.
    pub material: Material,
    /// Velocity of body 1's contact point relative to body 2's, m/s; its z is negative.
    pub velocity: DVec3,
}

/// What a collision does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Impulse on body 1; body 2 receives its negative, N s.
    pub impulse: DVec3,
    /// Relative velocity after the impact, m/s.
    pub velocity: DVec3,
    /// Work of the whole impulse: the change of kinetic energy (Theorem 11), J.
    pub work: f64,
    /// Work of the normal impulse, J.
    pub normal_work: f64,
    /// Normal impulse at the last maximum compression, N s.
    pub compression_impulse: f64,
    /// Normal work at the last maximum compression, J.
    pub compression_work: f64,
    /// How the contact moved, in order.
    pub modes: Modes,
    /// Unit vector of the diverging ray, if the path left `u_t = 0` along it.
    pub ray: Option<DVec2>,
    /// Whether sticking would last (Theorem 9).
    pub sticking_is_stable: bool,
}

/// How the contact points move during a part of the impact (3.2.2-3.2.3, 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// They slide; the direction may turn.
    Slide,
    /// They stick to the end.
    Stick,
    /// They left `u_t = 0` along the diverging ray.
    SlipAlongRay,
}

/// A mode and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeStart {
    /// The mode.
    pub mode: Mode,
    /// Normal impulse at which it begins, N s.
    pub normal_impulse: f64,
}

/// The modes of an impact: at most a slide, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<ModeStart>", into = "Vec<ModeStart>")]
pub struct Modes {
    starts: [ModeStart; 2],
    count: usize,
}

impl From<Modes> for Vec<ModeStart> {
    fn from(modes: Modes) -> Self {
        modes.as_slice().to_vec()
    }
}

impl TryFrom<Vec<ModeStart>> for Modes {
    type Error = &'static str;

    fn try_from(starts: Vec<ModeStart>) -> Result<Self, Self::Error> {
        let mut modes = Self::none();
        if starts.len() > modes.starts.len() {
            return Err("an impact has at most two modes");
        }
        starts.iter().for_each(|start| modes.push(start.mode, start.normal_impulse));
        Ok(modes)
    }
}

impl Modes {
    /// The modes in order.
    pub fn as_slice(&self) -> &[ModeStart] {
        &self.starts[..self.count]
    }

    pub(super) fn none() -> Self {
        Self { starts: [ModeStart { mode: Mode::Slide, normal_impulse: 0.0 }; 2], count: 0 }
    }

    pub(super) fn push(&mut self, mode: Mode, normal_impulse: f64) {
        self.starts[self.count] = ModeStart { mode, normal_impulse };
        self.count += 1;
    }
}
