//! Errors in the description of a collision (thesis chapter 3).

/// Why an impact cannot be resolved; every message says what to change.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// A number is infinite or not a number.
    #[error("{what} is not finite: give finite numbers")]
    NotFinite {
        /// Which input.
        what: &'static str,
    },
    /// The two halves of the collision matrix differ.
    #[error("collision matrix is not symmetric: entries differ by {difference:e}; give K = K^T")]
    Asymmetric {
        /// Largest difference of mirrored entries, 1/kg.
        difference: f64,
    },
    /// The collision matrix has a negative eigenvalue, contrary to Theorem 6.
    #[error(
        "collision matrix is indefinite: every body's K is positive semi-definite; check masses, inertias and signs"
    )]
    Indefinite,
    /// No impulse ends the approach along the normal (5.3.4).
    #[error(
        "the contact normal lies outside the range of the collision matrix: the linkage cannot yield along it; free a joint or treat the contact as immovable"
    )]
    NormalOutsideRange,
    /// The bodies do not approach each other.
    #[error("normal velocity {velocity} m/s is not negative: only approaching bodies collide")]
    NotApproaching {
        /// Normal relative velocity, m/s.
        velocity: f64,
    },
    /// The coefficient of friction is negative.
    #[error("friction {friction} is negative: give a coefficient of at least 0")]
    Friction {
        /// The coefficient given.
        friction: f64,
    },
    /// The coefficient of restitution is outside its interval.
    #[error("restitution {restitution} is outside [0, 1]")]
    Restitution {
        /// The coefficient given.
        restitution: f64,
    },
    /// A mass or inertia is not positive.
    #[error(
        "{what} of a colliding body is not positive definite: give a movable body a positive mass and inertia, an immovable one none"
    )]
    NotPositive {
        /// Mass or inertia.
        what: &'static str,
    },
    /// A contact point names a body that was not given.
    #[error("a contact point names body {body}, which is not given: count bodies from 0")]
    NoSuchBody {
        /// The index given.
        body: usize,
    },
    /// A contact normal is not a unit vector.
    #[error("a contact normal has length {length}: give a unit vector")]
    Normal {
        /// Its length.
        length: f64,
    },
    /// The integration of the collision did not get to its end.
    #[error(
        "sliding could not be followed to its end: rescale the collision matrix and the velocity to moderate numbers"
    )]
    Unresolved,
}
