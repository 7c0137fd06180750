//! Where the balls fly: what predicting their pairs needs, one cache line per body (section 2.3.2).

use crate::body::Member;
use crate::world::collider::Collider;
use glam::DVec3;

/// The flight of a ball that only gravity acts on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Track {
    /// When it began, s.
    start: f64,
    /// Where its centre was then, m.
    position: DVec3,
    /// How fast, m/s.
    velocity: DVec3,
    /// Radius, m; not a number for every other body.
    radius: f64,
}

impl Track {
    /// Of a collider that is no ball, or does not fly.
    pub(crate) const NONE: Self = Self { start: 0.0, position: DVec3::ZERO, velocity: DVec3::ZERO, radius: f64::NAN };

    /// What is known of a collider under the given gravity.
    pub(crate) fn new(collider: &Collider, member: Member<'_>, gravity: DVec3) -> Self {
        let flight = |start: f64| {
            let [position, velocity, acceleration] = member.parabola_at(start)?;
            let radius = collider.ball.filter(|_| acceleration == gravity)?;
            Some(Self { start, position, velocity, radius })
        };
        member.launch_time().and_then(flight).unwrap_or(Self::NONE)
    }

    /// Whether this is what is known of the collider now: one whose motion changes must get a new track.
    pub(crate) fn is_current(&self, collider: &Collider, member: Member<'_>, gravity: DVec3) -> bool {
        let now = Self::new(collider, member, gravity);
        *self == now || (self.radius.is_nan() && now.radius.is_nan())
    }

    /// Whether the body is such a ball: a free one, then, and no link.
    #[inline]
    pub(crate) fn is_ball(&self) -> bool {
        !self.radius.is_nan()
    }

    /// Radius, if the body is such a ball, m.
    pub(crate) fn radius(&self) -> Option<f64> {
        self.is_ball().then_some(self.radius)
    }

    /// Position and velocity at a time.
    pub(crate) fn at(&self, t: f64, gravity: DVec3) -> [DVec3; 2] {
        let s = t - self.start;
        [self.position + (self.velocity + gravity * (0.5 * s)) * s, self.velocity + gravity * s]
    }
}
