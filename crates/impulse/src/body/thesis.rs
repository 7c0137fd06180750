//! The thesis' own bounds on travel, (2.2) to (2.5) and (2.13) to (2.15): the slow reference that better bounds are compared with.

use super::bounds::Range;
use super::{Cycle, Motion, PrincipalMass, Scripted};
use glam::DVec3;

/// No body point travels further along a direction during `s` seconds than `a s^2 + b s` (2.13).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TravelCoefficients {
    /// `A`, m/s^2.
    pub a: f64,
    /// `B`, m/s.
    pub b: f64,
}

/// Bound on `|w|` of a free body by its angular momentum (2.4), rad/s.
pub fn angular_speed_by_momentum(mass: &PrincipalMass, spin: DVec3) -> f64 {
    (mass.moments() * spin).length() / mass.moments().min_element()
}

/// Bound on `|w|` of a free body by its kinetic energy (2.5), rad/s: never above (2.4).
pub fn angular_speed_by_energy(mass: &PrincipalMass, spin: DVec3) -> f64 {
    (spin.dot(mass.moments() * spin) / mass.moments().min_element()).sqrt()
}

/// The coefficients for a body whose points are at most `radius` from the centre of mass, from time `t` on, along the unit vector
/// `d`; `distance` (m) to the other body decides which of two models is the tighter one (2.14, 2.15).
pub fn travel_coefficients(motion: &Motion, t: f64, d: DVec3, radius: f64, distance: f64) -> TravelCoefficients {
    let state = motion.state_at(t);
    let along = state.velocity.dot(d);
    match motion {
        Motion::Fixed(_) | Motion::Resting(_) => TravelCoefficients { a: 0.0, b: 0.0 },
        // (2.2), (2.3).
        Motion::Ballistic(flight) => TravelCoefficients {
            a: 0.5 * flight.centre.acceleration.dot(d),
            b: along + radius * angular_speed_by_energy(&flight.mass, state.spin),
        },
        // The root of the energy, and with it the bound (2.5), grows by no more than |torque| / I_min per second.
        Motion::Driven(driven) => TravelCoefficients {
            a: 0.5
                * (driven.centre.acceleration.dot(d)
                    + radius * driven.torque.length() / driven.mass.moments().min_element()),
            b: along + radius * angular_speed_by_energy(&driven.mass, state.spin),
        },
        Motion::Carried(carried) => TravelCoefficients {
            a: 0.5 * motion.point_acceleration_along(d, radius, Range::new(t, carried.times()[1].max(t))),
            b: along + radius * angular_speed_by_energy(carried.mass(), state.spin),
        },
        Motion::Link(path) => {
            let times = Range::new(t, path.known_until().max(t));
            let b = path.velocity_along(d, times).max + radius * path.spin_bounds(times).speed;
            TravelCoefficients { a: 0.0, b }
        }
        Motion::Scripted(Scripted::Cycle(cycle)) => {
            cycler_coefficients(cycle, along, radius * state.spin.length(), distance)
        }
        Motion::Scripted(Scripted::Keyframes(keys)) => {
            let times = Range::new(t, keys.times().max.max(t));
            let b = keys.velocity_along(d, times).max + radius * keys.spin_bounds(times).speed;
            TravelCoefficients { a: 0.0, b }
        }
    }
}

/// The linear model (2.14), or the quadratic one (2.15) where it is the lower of the two up to `distance`; `turning` is what
/// rotation adds to any speed.
fn cycler_coefficients(cycle: &Cycle, along: f64, turning: f64, distance: f64) -> TravelCoefficients {
    let rate = cycle.rate.abs();
    let speed = cycle.radius() * rate;
    let acceleration = speed * rate;
    // Distance at which both models agree.
    let agree_after = 2.0 * (speed - along) / acceleration;
    let overtaken_at = (speed + turning) * agree_after;
    if overtaken_at > distance {
        TravelCoefficients { a: 0.5 * acceleration, b: along + turning }
    } else {
        TravelCoefficients { a: 0.0, b: speed + turning }
    }
}
