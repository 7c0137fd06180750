//! Forward dynamics against the dense solution with H, and against inverse dynamics (sections 4.4, 4.5).

use super::random::Chance;
use glam::DVec3;
use impulse::body::{Cycle, Motion};
use impulse::math::Pose;
use impulse::multibody::{BaseState, JointKind, Loads, Placing, Posture, Tree, Twist, Wrench};

/// Solves `H x = b` by Cholesky.
fn solve(h: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut l = h.to_vec();
    for j in 0..n {
        for i in j..n {
            let sum: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let x = l[i * n + j] - sum;
            l[i * n + j] = if i == j { x.sqrt() } else { x / l[j * n + j] };
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
        x[i] = (x[i] - sum) / l[i * n + i];
    }
    x
}

/// Everything about a random linkage in random motion.
struct Case {
    tree: Tree,
    coordinates: Vec<f64>,
    rates: Vec<f64>,
    links: Vec<Wrench>,
    joints: Vec<f64>,
    base: BaseState,
}

fn case(chance: &mut Chance, links: usize, reach: usize, base: usize) -> Case {
    let floats = base == 1;
    let (tree, poses) = chance.tree(links, floats, reach);
    let mut coordinates = tree.start(&poses);
    for link in tree.links() {
        if matches!(link.joint.kind, JointKind::Hinge | JointKind::Slider) {
            coordinates[link.coordinates().start] = chance.within(-0.5, 0.5);
        }
    }
    let rates = (0..tree.freedoms()).map(|_| chance.within(-2.0, 2.0)).collect();
    let mut joints: Vec<f64> = (0..tree.freedoms()).map(|_| chance.within(-5.0, 5.0)).collect();
    if floats {
        joints[..6].fill(0.0);
    }
    let links = (0..links).map(|_| Wrench { moment: chance.vector(1.0), force: chance.vector(5.0) }).collect();
    let base = if base == 2 {
        let twist = |c: &mut Chance| Twist { angular: c.vector(2.0), linear: c.vector(2.0) };
        BaseState { velocity: twist(chance), acceleration: twist(chance), ..BaseState::GROUND }
    } else {
        BaseState::GROUND
    };
    Case { tree, coordinates, rates, links, joints, base }
}

/// Largest differences of forward dynamics from the dense solution, and of its forces found again by inverse dynamics.
fn compare(case: &Case) -> [f64; 2] {
    let Case { tree, coordinates, rates, links, joints, base } = case;
    let gravity = DVec3::new(0.3, -0.2, -9.81);
    let loads = Loads { links, joints, gravity };
    let mut posture = Posture::new(tree);
    posture.place(tree, &Placing { coordinates, rates, base: *base });
    let mut accelerations = vec![0.0; tree.freedoms()];
    posture.tree_fwd_dynamics(tree, &loads, &mut accelerations);
    let size = |v: &[f64]| v.iter().fold(1.0f64, |a, x| a.max(x.abs()));
    let far = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0f64, |d, (x, y)| d.max((x - y).abs()));
    let forces = posture.inverse_dynamics(tree, &accelerations, &loads);
    let still = posture.inverse_dynamics(tree, &vec![0.0; tree.freedoms()], &loads);
    let right: Vec<f64> = joints.iter().zip(&still).map(|(q, s)| q - s).collect();
    let dense = solve(&posture.joint_inertia(tree), &right);
    [far(&accelerations, &dense) / size(&dense), far(&forces, joints) / size(&still)]
}

#[test]
fn forward_dynamics_is_the_dense_solution() {
    let mut chance = Chance(19);
    let (mut worst, mut worst_back) = (0.0f64, 0.0f64);
    for k in 0..600 {
        let links = 1 + chance.below(60);
        let reach = 2 + chance.below(8);
        let [dense, back] = compare(&case(&mut chance, links, reach, k % 3));
        (worst, worst_back) = (worst.max(dense), worst_back.max(back));
        assert!(dense < 1e-10 && back < 1e-11, "case {k}, {links} links: {dense:e} {back:e}");
    }
    println!("trees of 1 to 60 links: {worst:e} from the dense solution, forces back to {worst_back:e}");
}

#[test]
fn long_chains() {
    let mut chance = Chance(60);
    let (mut worst, mut worst_back) = (0.0f64, 0.0f64);
    for k in 0..60 {
        let [dense, back] = compare(&case(&mut chance, 60, 1, k % 3));
        (worst, worst_back) = (worst.max(dense), worst_back.max(back));
        assert!(dense < 1e-8 && back < 1e-11, "case {k}: {dense:e} {back:e}");
    }
    println!("chains of 60: {worst:e} from the dense solution, forces back to {worst_back:e}");
}

#[test]
fn a_scripted_base_is_asked_for_its_motion() {
    let spinner = Motion::scripted(Cycle::spinner(Pose::IDENTITY, DVec3::Z, DVec3::X, 2.0).unwrap().into());
    let base = BaseState::of(&spinner, 0.3);
    assert!((base.velocity.angular - DVec3::Z * 2.0).length() < 1e-14);
    let from_axis = base.pose.translation - DVec3::X;
    assert!((base.acceleration.linear + from_axis * 4.0).length() < 1e-14);
}
