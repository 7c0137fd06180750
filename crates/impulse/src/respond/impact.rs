//! A collision at one point, and its outcome (thesis 3.2-3.4).

use super::material::Material;
use glam::{DMat3, DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A collision at one point, in the collision frame (z is the normal).
///
/// ```
/// use impulse::respond::{ContactBody, Impact, Law, Material, collision_matrix};
/// use impulse::{DMat3, DVec3};
///
/// // A ball of 2 kg and radius 0.1 m hits the floor obliquely.
/// let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * 2.0 * 0.01));
/// let ball = ContactBody { mass: 2.0, inertia, arm: DVec3::new(0.0, 0.0, -0.1) };
/// let impact = Impact {
///     matrix: collision_matrix(Some(&ball), None)?,
///     material: Material { friction: 0.3, restitution: 0.5, law: Law::Stronge },
///     velocity: DVec3::new(0.5, 0.0, -1.0),
/// };
/// assert!((impact.matrix.z_axis.z - 0.5).abs() < 1e-15);
/// # Ok::<(), impulse::respond::ImpactError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// The collision matrix K (3.4), 1/kg.
    pub matrix: DMat3,
    /// Friction and restitution.
    pub material: Material,
    /// Velocity of body 1's contact point relative to body 2's, m/s; its z is negative.
    pub velocity: DVec3,
}

/// The outcome of a collision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Impulse on body 1, N s; body 2 receives its negative.
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
    /// The modes of the contact, in order.
    pub modes: Modes,
    /// Unit vector of the diverging ray, if the path left `u_t = 0` along it.
    pub ray: Option<DVec2>,
    /// Whether sticking would last (Theorem 9).
    pub sticking_is_stable: bool,
}

/// How the contact points move against each other during a part of the impact (3.2.2-3.2.3, 3.4).
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

/// The modes of an impact: at most two, a slide and what follows it.
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
