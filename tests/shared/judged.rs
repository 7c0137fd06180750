//! "Nothing overlaps" as the judge of `impulse::geometry::judge` sees it, who shares nothing with the engine's own distances.

use impulse::DVec3;
use impulse::geometry::judge::{Outline, Verdict, overlap};
use impulse::math::Pose;
use impulse::world::{BodyId, BodyRef, World};

/// Deviation of outlines from curved shapes, in bounding radii.
const DEVIATION: f64 = 0.02;

/// The bodies of a world as the judge sees them; bodies that are added later are not seen.
pub(crate) struct Judge {
    bodies: Vec<Judged>,
}

struct Judged {
    id: BodyId,
    outline: Outline,
    /// About the origin of the shape's frame, m.
    radius: f64,
    free: bool,
}

impl Judge {
    pub(crate) fn of(world: &World) -> Self {
        let judged = |body: BodyRef<'_>| {
            let radius = body.shape().bounding_radius(DVec3::ZERO);
            let outline = Outline::inside(body.shape(), DEVIATION * radius).unwrap();
            Judged { id: body.id(), outline, radius, free: body.is_free() }
        };
        Self { bodies: world.body_refs().map(judged).collect() }
    }

    /// Two bodies of which one is free that overlap at a time that no event precedes, and how.
    pub(crate) fn overlap(&self, world: &World, time: f64) -> Option<String> {
        let poses: Vec<Pose> = self.bodies.iter().map(|body| world.pose_at(body.id, time).unwrap()).collect();
        for (i, a) in self.bodies.iter().enumerate() {
            for (j, b) in self.bodies[..i].iter().enumerate() {
                let between = poses[i].translation.distance(poses[j].translation);
                if !(a.free || b.free) || between > a.radius + b.radius {
                    continue;
                }
                let verdict = overlap(&a.outline, &b.outline, &(poses[i].inverse() * poses[j]));
                if let Verdict::Overlapping { depth, .. } = verdict {
                    let [first, second] = [a.id, b.id].map(|id| world.name(id).unwrap());
                    return Some(format!("\"{first}\" and \"{second}\" overlap by {depth:e} m at {time} s"));
                }
            }
        }
        None
    }
}

/// Nothing overlaps now, and the engine measured only distances above zero before.
#[track_caller]
pub(crate) fn assert_apart(world: &World) {
    assert_eq!(Judge::of(world).overlap(world, world.time()), None);
    assert!(world.min_separation() > 0.0);
}
