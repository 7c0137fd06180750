//! Motions as plain data from which they are made again to the bit: what they started from, not what was derived from it
//! (section 2.5).

use super::carried::Course;
use super::driven::SavedDriven;
use super::guided::SavedGuided;
use super::parabola::Parabola;
use super::{
    Attitude, Ballistic, Carried, Cycle, Drive, Driven, Guided, Keyframe, Keyframes, Launch, LinkPath, Motion,
    PrincipalMass, Resting, Scripted, State,
};
use crate::math::{Pose, is_moderate};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A motion in a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum SavedMotion {
    Fixed(Pose),
    Ballistic {
        mass: PrincipalMass,
        centre: Parabola,
        start: Attitude,
    },
    Driven(SavedDriven),
    Cycle(Cycle),
    Keyframes(Vec<Keyframe>),
    Resting(Resting),
    /// The flight under contact and drive together, the drive, and until when they hold; none for ever.
    Carried(Box<SavedMotion>, Drive, Option<f64>),
    /// A carried body that is guided, the drive, and until when.
    Guided(Box<SavedGuided>, Drive, f64),
    Link(Box<LinkPath>),
}

impl From<&Motion> for SavedMotion {
    fn from(motion: &Motion) -> Self {
        match motion {
            Motion::Fixed(pose) => Self::Fixed(*pose),
            Motion::Ballistic(flight) => save_flight(flight),
            Motion::Driven(driven) => Self::Driven(driven.saved()),
            Motion::Resting(resting) => Self::Resting(*resting),
            Motion::Carried(carried) => save_carried(carried),
            Motion::Link(path) => Self::Link(path.clone()),
            Motion::Scripted(Scripted::Cycle(cycle)) => Self::Cycle(*cycle),
            Motion::Scripted(Scripted::Keyframes(keys)) => Self::Keyframes(keys.keys()),
        }
    }
}

impl SavedMotion {
    /// The motion, if there is one like that at time `now`.
    pub(crate) fn restored(self, now: f64) -> Option<Motion> {
        match self {
            Self::Fixed(pose) => pose.is_rigid().then_some(Motion::Fixed(pose)),
            Self::Ballistic { mass, centre, start: Attitude { orientation, spin } } => {
                is_flight(&mass, &centre, orientation, spin).then(|| {
                    let pose = Pose { rotation: orientation, translation: centre.position };
                    let state = State { world_from_body: pose, velocity: centre.velocity, spin };
                    Motion::Ballistic(Ballistic::new(mass, Launch { time: centre.start, state }, centre.acceleration))
                })
            }
            Self::Driven(saved) => {
                let SavedDriven { mass, centre, orientation, momentum, torque, kept: (begin, attitude) } = &saved;
                let is_sound = is_flight(mass, centre, *orientation, *momentum)
                    && (is_moderate(*torque) && *torque != DVec3::ZERO)
                    && (is_unit(*attitude) && *begin >= 0.0);
                is_sound.then(|| Driven::resumed(&saved, now)).flatten().map(Motion::Driven)
            }
            Self::Resting(resting) => is_sound(&resting).then_some(Motion::Resting(resting)),
            Self::Carried(course, drive, until) => {
                restored_carried(course.restored(now)?, drive, until.unwrap_or(f64::INFINITY), now)
            }
            Self::Guided(saved, drive, until) => {
                let guided = Guided::restored(&saved)?;
                is_drive(&drive, until, now).then(|| Motion::Carried(Carried::guided(guided, drive, until)))
            }
            Self::Link(path) => path.is_sound().then_some(Motion::Link(path)),
            Self::Cycle(cycle) => cycle.checked().ok().map(|cycle| Motion::Scripted(cycle.into())),
            Self::Keyframes(keys) => Keyframes::new(&keys).ok().map(|keys| Motion::Scripted(keys.into())),
        }
    }
}

fn save_flight(flight: &Ballistic) -> SavedMotion {
    SavedMotion::Ballistic { mass: flight.mass, centre: flight.centre, start: flight.start() }
}

fn save_carried(carried: &Carried) -> SavedMotion {
    let course = match &carried.course {
        Course::Steady(flight) => save_flight(flight),
        Course::Turning(driven) => SavedMotion::Driven(driven.saved()),
        Course::Guided(guided) => return SavedMotion::Guided(Box::new(guided.saved()), carried.drive, carried.until),
    };
    SavedMotion::Carried(Box::new(course), carried.drive, carried.until.is_finite().then_some(carried.until))
}

fn restored_carried(course: Motion, drive: Drive, until: f64, now: f64) -> Option<Motion> {
    let course = match course {
        Motion::Ballistic(flight) => Course::Steady(flight),
        Motion::Driven(driven) => Course::Turning(driven),
        Motion::Fixed(_) | Motion::Scripted(_) | Motion::Resting(_) | Motion::Carried(_) | Motion::Link(_) => {
            return None;
        }
    };
    is_drive(&drive, until, now).then_some(Motion::Carried(Carried { course, drive, until }))
}

fn is_drive(drive: &Drive, until: f64, now: f64) -> bool {
    is_moderate(drive.acceleration) && is_moderate(drive.torque) && until >= now
}

fn is_unit(q: DQuat) -> bool {
    (q.length_squared() - 1.0).abs() < 1e-9
}

fn is_sound(resting: &Resting) -> bool {
    let Resting { mass, pose, drive } = resting;
    let finite = is_moderate(drive.acceleration) && is_moderate(drive.torque);
    finite && pose.is_rigid() && PrincipalMass::new(mass.mass(), mass.moments()).is_ok()
}

fn is_flight(mass: &PrincipalMass, centre: &Parabola, orientation: DQuat, turning: DVec3) -> bool {
    let Parabola { start, position, velocity, acceleration } = centre;
    let finite = [position, velocity, acceleration, &turning].iter().all(|&&v| is_moderate(v));
    finite && start.is_finite() && is_unit(orientation) && PrincipalMass::new(mass.mass(), mass.moments()).is_ok()
}
