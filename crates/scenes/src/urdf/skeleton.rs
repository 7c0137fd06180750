//! The rigid bodies of a robot: links that fixed joints hold together are one body.

use super::error::{UrdfError, UrdfFault};
use super::model::{JointType, Robot};
use impulse::geometry::MassProperties;
use impulse::math::Pose;

/// The bodies of a robot and the joints between them.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// The bodies, parents before children; the first has the root.
    pub bodies: Vec<Rigid>,
    /// The joints, in the order of the bodies that they move: the first moves the second body, and so on.
    pub joints: Vec<Moving>,
}

/// Links that do not move relative to one another.
#[derive(Clone, Debug)]
pub struct Rigid {
    /// The link that gives it its name and its frame: the first with a mass, or the first of all.
    pub head: usize,
    /// All its links, from the one nearest to the root on.
    pub members: Vec<Member>,
    /// Mass, centre of mass and inertia in its frame; none if no link has any.
    pub mass: Option<MassProperties>,
}

/// A link of a rigid body.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The link.
    pub link: usize,
    /// Where it is.
    pub body_from_link: Pose,
}

/// A joint between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    /// The joint of the file.
    pub joint: usize,
    /// Number of the body it is on.
    pub parent: usize,
    /// Its frame in that body.
    pub parent_from_joint: Pose,
    /// Its frame in the body that it moves.
    pub child_from_joint: Pose,
}

impl Skeleton {
    /// Merges links that fixed joints hold together. `is_root_free` tells whether the root can be moved.
    pub fn new(robot: &Robot, is_root_free: bool) -> Result<Self, UrdfError> {
        let mut skeleton = Self { bodies: Vec::new(), joints: Vec::new() };
        // Body of each link, and the link's frame in that of the body's first link.
        let mut placed = vec![(0, Pose::IDENTITY); robot.links.len()];
        for &(link, joint) in &robot.order {
            let joint = joint.map(|number| (number, &robot.joints[number]));
            placed[link] = match joint {
                Some((_, joint)) if joint.kind == JointType::Fixed => {
                    let (body, first_from_parent) = placed[joint.parent];
                    (body, first_from_parent * joint.parent_from_joint)
                }
                other => {
                    skeleton.bodies.push(Rigid { head: link, members: Vec::new(), mass: None });
                    if let Some((joint, of)) = other {
                        let (parent, first_from_link) = placed[of.parent];
                        let parent_from_joint = first_from_link * of.parent_from_joint;
                        let child_from_joint = Pose::IDENTITY;
                        skeleton.joints.push(Moving { joint, parent, parent_from_joint, child_from_joint });
                    }
                    (skeleton.bodies.len() - 1, Pose::IDENTITY)
                }
            };
            let (body, body_from_link) = placed[link];
            skeleton.bodies[body].members.push(Member { link, body_from_link });
        }
        skeleton.rebase(robot);
        skeleton.weigh(robot, is_root_free)?;
        Ok(skeleton)
    }

    /// Gives each body the frame of its head instead of that of its first link.
    fn rebase(&mut self, robot: &Robot) {
        let mut head_from_first = Vec::with_capacity(self.bodies.len());
        for body in &mut self.bodies {
            let is_heavy = |member: &&Member| robot.links[member.link].inertial.is_some();
            let head = *body.members.iter().find(is_heavy).unwrap_or(&body.members[0]);
            let change = head.body_from_link.inverse();
            body.head = head.link;
            for member in body.members.iter_mut().filter(|member| member.link != head.link) {
                member.body_from_link = change * member.body_from_link;
            }
            // Exactly its own frame.
            body.members
                .iter_mut()
                .filter(|member| member.link == head.link)
                .for_each(|m| m.body_from_link = Pose::IDENTITY);
            head_from_first.push(change);
        }
        for (number, joint) in self.joints.iter_mut().enumerate() {
            joint.parent_from_joint = head_from_first[joint.parent] * joint.parent_from_joint;
            joint.child_from_joint = head_from_first[number + 1];
        }
    }

    /// Finds the masses of all bodies, and refuses those that no body has.
    fn weigh(&mut self, robot: &Robot, is_root_free: bool) -> Result<(), UrdfError> {
        for (number, body) in self.bodies.iter_mut().enumerate() {
            let masses: Vec<MassProperties> = body
                .members
                .iter()
                .filter_map(|m| Some(robot.links[m.link].inertial?.mass.transformed(&m.body_from_link)))
                .collect();
            let moves = number > 0 || is_root_free;
            body.mass = match masses[..] {
                [] => None,
                [one] => Some(one),
                _ => Some(
                    MassProperties::combined(&masses, &[]).map_err(|e| robot.inertial_error(body.head, e.into()))?,
                ),
            };
            match (&body.mass, moves) {
                (Some(mass), true) => mass.validate().map_err(|error| robot.inertial_error(body.head, error.into()))?,
                (None, true) if number == 0 => return Err(robot.link_error(body.head, UrdfFault::MasslessRoot)),
                (None, true) => {
                    let joint = robot.joints[self.joints[number - 1].joint].name.clone();
                    return Err(robot.link_error(body.head, UrdfFault::Massless { joint }));
                }
                (_, false) => {}
            }
        }
        Ok(())
    }
}
