//! The pile in rapier3d-f64, with its defaults, at 60 Hz.

use crate::pile::{DENSITY, GRAVITY, Kind, Pile, RADIUS, RESTITUTION, SIDE};
use cpu_time::ThreadTime;
use rapier3d_f64::prelude::*;

/// What came out.
pub struct Theirs {
    pub cpu: f64,
    /// The deepest overlap at the end of any step, m.
    pub deepest: f64,
}

pub fn run(pile: &Pile, until: f64) -> Theirs {
    let (mut bodies, mut colliders) = build(pile);
    let (mut pipeline, mut islands) = (PhysicsPipeline::new(), IslandManager::new());
    let (mut broad, mut narrow) = (DefaultBroadPhase::new(), NarrowPhase::new());
    let (mut joints, mut multibodies) = (ImpulseJointSet::new(), MultibodyJointSet::new());
    let (mut soft, mut ccd) = (SoftBodySet::new(), CCDSolver::new());
    let parameters = IntegrationParameters { dt: 1.0 / 60.0, ..Default::default() };
    let gravity = Vector::new(0.0, 0.0, -GRAVITY);
    let mut cpu = 0.0;
    let mut deepest = 0.0f64;
    for _ in 0..(60.0 * until) as usize {
        let begun = ThreadTime::now();
        pipeline.step(
            gravity,
            &parameters,
            &mut islands,
            &mut broad,
            &mut narrow,
            &mut bodies,
            &mut colliders,
            &mut joints,
            &mut multibodies,
            &mut soft,
            &mut ccd,
            &(),
            &(),
        );
        cpu += begun.elapsed().as_secs_f64();
        let points = narrow.contact_pairs().flat_map(|pair| pair.manifolds()).flat_map(|manifold| &manifold.points);
        deepest = points.fold(deepest, |deepest, point| deepest.max(-point.dist));
        if bodies.iter().all(|(_, body)| !body.is_dynamic() || body.is_sleeping()) {
            break;
        }
    }
    Theirs { cpu, deepest }
}

fn build(pile: &Pile) -> (RigidBodySet, ColliderSet) {
    let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    let friction = pile.kind.friction();
    for ([x, y, z], offset) in pile.kind.tray() {
        let normal = Vector::new(x, y, z);
        let body = bodies.insert(RigidBodyBuilder::fixed().translation(normal * offset));
        let side = ColliderBuilder::new(SharedShape::halfspace(normal)).friction(friction).restitution(RESTITUTION);
        colliders.insert_with_parent(side, body, &mut bodies);
    }
    for (at, turn) in &pile.bodies {
        let pose = Pose::from_parts(Vector::new(at.x, at.y, at.z), Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w));
        let body = bodies.insert(RigidBodyBuilder::dynamic().pose(pose));
        let half = 0.5 * SIDE;
        let shape = match pile.kind {
            Kind::Boxes => ColliderBuilder::cuboid(half, half, half),
            Kind::Balls => ColliderBuilder::ball(RADIUS),
        };
        let shape = shape.density(DENSITY).friction(friction).restitution(RESTITUTION);
        colliders.insert_with_parent(shape, body, &mut bodies);
    }
    (bodies, colliders)
}
