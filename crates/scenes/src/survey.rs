//! A robot in numbers: its tree, masses, inertia in joint space (thesis section 4.3), and what is doubtful in its file.

use crate::built::BuiltScene;
use crate::scene::{BodyDescription, JointDescription, MotionDescription, RobotDescription, SceneDescription};
use crate::urdf::{Doubt, doubts};
use impulse::body::PrincipalMass;
use impulse::geometry::closest::{PairCache, closest};
use impulse::math::Pose;
use impulse::multibody::{BaseState, Joint, Link, Placing, Posture, Tree};

/// Most bodies among which overlaps are looked for.
const MOST_BODIES: usize = 200;

/// What a robot amounts to, as it stands at the start.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Freedoms: those of a free root first (three of turning, three of moving), then joints by name.
    pub freedoms: Vec<String>,
    /// Inertia in the coordinates of the joints, row by row; of a free root about its centre of mass in world axes.
    pub inertia: Vec<f64>,
    /// Largest eigenvalue of the inertia divided by the smallest.
    pub condition: f64,
    /// What usually is wrong.
    pub doubts: Vec<Doubt>,
}

/// Surveys a robot of a scene.
pub fn survey(scene: &SceneDescription, robot: &RobotDescription) -> Survey {
    let trees = trees(scene, robot);
    let total: usize = trees.iter().map(|found| found.tree.freedoms()).sum();
    let (mut freedoms, mut inertia) = (Vec::with_capacity(total), vec![0.0; total * total]);
    for FoundTree { tree, bodies, joints } in &trees {
        let first = freedoms.len();
        for (link, &body) in tree.links().iter().zip(bodies) {
            let name = joints[body].map_or(&scene.bodies[body].name, |joint| &scene.joints[joint].name);
            freedoms.extend(link.freedoms().map(|_| name.clone()));
        }
        let poses: Vec<Pose> = bodies.iter().map(|&body| principal(&scene.bodies[body]).1).collect();
        let mut posture = Posture::new(tree);
        let (coordinates, rates) = (tree.start(&poses), vec![0.0; tree.freedoms()]);
        posture.place(tree, &Placing { coordinates: &coordinates, rates: &rates, base: BaseState::GROUND });
        let (own, n) = (posture.joint_inertia(tree), tree.freedoms());
        for (row, values) in own.chunks_exact(n).enumerate() {
            inertia[(first + row) * total + first..][..n].copy_from_slice(values);
        }
    }
    let condition = condition(&inertia, total);
    let mut found = doubts(&robot.source, &robot.extents);
    found.extend(overlaps(scene, robot));
    Survey { freedoms, inertia, condition, doubts: found }
}

/// Links that hang together.
struct FoundTree {
    tree: Tree,
    /// The body of each link.
    bodies: Vec<usize>,
    /// By body of the scene, the joint that moves it.
    joints: Vec<Option<usize>>,
}

fn trees(scene: &SceneDescription, robot: &RobotDescription) -> Vec<FoundTree> {
    let is_free = |body: usize| matches!(scene.bodies[body].motion, MotionDescription::Free { .. });
    let mut joints = vec![None; scene.bodies.len()];
    for (number, joint) in scene.joints.iter().enumerate() {
        if let Some(child) = joint.bodies[1] {
            joints[child] = Some(number);
        }
    }
    // Tree and link of each body; parents come first.
    let mut places: Vec<Option<(usize, usize)>> = vec![None; scene.bodies.len()];
    let mut found: Vec<(Vec<Link>, Vec<usize>)> = Vec::new();
    for body in robot.bodies.clone().filter(|body| is_free(*body)) {
        let (mass, pose) = principal(&scene.bodies[body]);
        let joint: Option<&JointDescription> = joints[body].map(|number| &scene.joints[number]);
        let parent = joint.and_then(|joint| joint.bodies[0]);
        let above = parent.and_then(|parent| places[parent]);
        let base = parent.map_or(Pose::IDENTITY, |parent| principal(&scene.bodies[parent]).1);
        let tree = above.map_or(found.len(), |(tree, _)| tree);
        if tree == found.len() {
            found.push((Vec::new(), Vec::new()));
        }
        // A base that does not move is the ground here.
        let from = if above.is_some() { base } else { Pose::IDENTITY };
        let made = joint.map_or(Joint::FLOATING, |joint| Joint::new(&joint.place, &from, &pose));
        places[body] = Some((tree, found[tree].0.len()));
        found[tree].0.push(Link::new(above.map(|(_, link)| link), made, mass));
        found[tree].1.push(body);
    }
    let made = found.into_iter().map(|(links, bodies)| {
        let tree = Tree::new(links).expect("parents come before children, and one link is the first");
        FoundTree { tree, bodies, joints: joints.clone() }
    });
    made.collect()
}

/// Mass and principal frame of a body in the world; a body that is not free has a mass of one.
fn principal(body: &BodyDescription) -> (PrincipalMass, Pose) {
    let unit = || PrincipalMass::new(1.0, glam::DVec3::ONE).expect("a ball has such a mass");
    match &body.motion {
        MotionDescription::Free { mass, .. } => {
            let frame = mass.principal_frame();
            let principal = PrincipalMass::new(mass.mass, frame.moments).unwrap_or_else(|_| unit());
            (principal, body.world_from_shape * frame.reference_from_principal)
        }
        MotionDescription::Fixed | MotionDescription::Scripted(_) => (unit(), body.world_from_shape),
    }
}

/// Bodies of a robot that overlap at the start and share no joint.
fn overlaps(scene: &SceneDescription, robot: &RobotDescription) -> Vec<Doubt> {
    let mut found = Vec::new();
    if robot.bodies.len() > MOST_BODIES {
        return found;
    }
    let Ok(built) = BuiltScene::new(scene.clone()) else { return found };
    let joined = |a: usize, b: usize| {
        scene.joints.iter().any(|joint| [[Some(a), Some(b)], [Some(b), Some(a)]].contains(&joint.bodies))
    };
    for a in robot.bodies.clone() {
        for b in robot.bodies.clone().filter(|b| *b > a && !joined(a, *b)) {
            let pair = [&scene.bodies[a], &scene.bodies[b]];
            if pair.iter().any(|body| body.is_ghost()) {
                continue;
            }
            let first_from_second = pair[0].world_from_shape.inverse() * pair[1].world_from_shape;
            let [first, second] = [a, b].map(|body| &built.shapes()[body]);
            if closest(first, second, &first_from_second, &mut PairCache::default()).overlapping {
                let [first, second] = pair.map(|body| &body.name);
                let text =
                    format!("links {first} and {second} overlap at the start, which self_collision does not allow");
                let line =
                    robot.source.links.iter().find(|link| second.ends_with(&link.name)).map_or(0, |link| link.line);
                found.push(Doubt { line, text });
            }
        }
    }
    found
}

/// Largest eigenvalue of a symmetric matrix divided by the smallest; 1 for an empty one.
fn condition(matrix: &[f64], n: usize) -> f64 {
    let values = eigenvalues(matrix.to_vec(), n);
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &v| (low.min(v), high.max(v)));
    if n == 0 { 1.0 } else { high / low }
}

/// Eigenvalues of a symmetric matrix by Jacobi's rotations.
fn eigenvalues(mut a: Vec<f64>, n: usize) -> Vec<f64> {
    let size: f64 = a.iter().map(|x| x * x).sum();
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j] * a[i * n + j]).sum();
        if off <= 1e-30 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, n, [p, q]);
            }
        }
    }
    (0..n).map(|i| a[i * n + i]).collect()
}

/// Makes an entry of a symmetric matrix zero by a rotation.
fn rotate(a: &mut [f64], n: usize, [p, q]: [usize; 2]) {
    let entry = a[p * n + q];
    if entry == 0.0 {
        return;
    }
    let theta = 0.5 * (a[q * n + q] - a[p * n + p]) / entry;
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use super::eigenvalues;

    #[test]
    fn eigenvalues_of_a_chain_are_known() {
        // The second difference on n points: 2 - 2 cos(k pi / (n + 1)).
        let n = 7;
        let entry = |i: usize, j: usize| {
            if i == j {
                2.0
            } else if i.abs_diff(j) == 1 {
                -1.0
            } else {
                0.0
            }
        };
        let matrix = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let mut values = eigenvalues(matrix, n);
        values.sort_by(f64::total_cmp);
        for (k, value) in (1..).zip(values) {
            let expected = 2.0 - 2.0 * libm::cos(f64::from(k) * std::f64::consts::PI / (n as f64 + 1.0));
            assert!((value - expected).abs() < 1e-13, "{value} {expected}");
        }
    }
}
