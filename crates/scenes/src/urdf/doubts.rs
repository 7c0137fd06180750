//! What usually is wrong in robots' files: said, but not refused.

use super::model::{JointType, Robot};
use glam::DVec3;
use impulse::geometry::Aabb;
use impulse::math::symmetric_eigen;

/// Share of m r^2 below which the largest moment of a link is doubted, where r is how far its shape reaches from the centre of mass.
const SMALL_MOMENT: f64 = 0.01;

/// How far a centre of mass may be outside the box around a link's shape, relative to the box's diagonal.
const OFF_CENTRE: f64 = 0.05;

/// Excess over the triangle inequality that is mere rounding, relative to the largest moment.
const ROUNDING: f64 = 1e-12;

/// Something in a robot's file that deserves a second look.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Doubt {
    /// Line in the file.
    pub line: usize,
    /// What, and what to do.
    pub text: String,
}

/// Looks at all links and joints. `extents` are the boxes around the shapes of the links, in their frames, where they have any.
pub fn doubts(robot: &Robot, extents: &[Option<Aabb>]) -> Vec<Doubt> {
    let mut found = Vec::new();
    for (number, link) in robot.links.iter().enumerate() {
        let Some(inertial) = &link.inertial else { continue };
        let mut say = |text: String| {
            found.push(Doubt { line: inertial.line, text: format!("link {}: {text}", link.name) });
        };
        let moments = symmetric_eigen(inertial.mass.inertia).values;
        if !moments.cmpgt(DVec3::ZERO).all() {
            say(format!("its principal moment {:.3e} kg m^2 is not positive; is a sign wrong?", moments.x));
        } else if moments.z > (moments.x + moments.y) * (1.0 + ROUNDING) {
            say(format!(
                "its principal moment {:.6e} kg m^2 exceeds the sum {:.6e} of the other two, which no body has; \
                 were digits rounded off, or rows exchanged?",
                moments.z,
                moments.x + moments.y
            ));
        }
        if let Some(extent) = &extents[number] {
            of_extent(&mut say, (inertial.mass.mass, inertial.mass.com), moments.z, extent);
        }
    }
    for joint in &robot.joints {
        let mut say = |text: String| {
            found.push(Doubt { line: joint.line, text: format!("joint {}: {text}", joint.name) });
        };
        if let Some([low, high]) = joint.limits.filter(|[low, high]| *low > 0.0 || *high < 0.0) {
            say(format!("its limits {low} to {high} exclude 0, so that the robot cannot be as it is drawn"));
        }
        let is_driven = matches!(joint.kind, JointType::Revolute | JointType::Prismatic | JointType::Continuous);
        if is_driven && joint.dynamics.effort.is_none() {
            say("it has no effort, so that its motor has no limit".to_owned());
        }
    }
    found
}

/// Doubts about mass and largest moment of a link whose shape is in a box.
fn of_extent(say: &mut impl FnMut(String), (mass, com): (f64, DVec3), moment: f64, extent: &Aabb) {
    let reach = (com - extent.min).abs().max((com - extent.max).abs()).length();
    let most = mass * reach * reach;
    if moment > most {
        say(format!("its moment {moment:.3e} kg m^2 is more than m r^2 = {most:.3e} of its shape; wrong units?"));
    } else if moment < SMALL_MOMENT * most {
        say(format!(
            "its moment {moment:.3e} kg m^2 is below {SMALL_MOMENT} m r^2 = {:.3e} of its shape; wrong units?",
            SMALL_MOMENT * most
        ));
    }
    let outside = (extent.min - com).max(com - extent.max).max(DVec3::ZERO).length();
    if outside > OFF_CENTRE * extent.size().length() {
        say(format!("its centre of mass is {outside:.3} m outside the box around its shape; is the origin right?"));
    }
}
