//! The reference vectors of linkages: K, its rank, H, and what an impulse does (section 5.3).

use glam::{DMat3, DVec3};
use impulse::body::PrincipalMass;
use impulse::geometry::MassProperties;
use impulse::math::{Pose, SymmetricEigen, symmetric_eigen};
use impulse::multibody::{BaseState, Impulses, Joint, JointPlace, Link, LinkPoint, Placing, Posture, Tree, Wrench};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    id: String,
    links: Vec<GivenLink>,
    contact: Contact,
    test_impulse: [f64; 3],
    expected: Expected,
}

#[derive(Deserialize)]
struct GivenLink {
    parent: i64,
    mass: f64,
    com: [f64; 3],
    inertia: [[f64; 3]; 3],
    joint: Option<GivenJoint>,
}

#[derive(Deserialize)]
struct GivenJoint {
    #[serde(rename = "type")]
    kind: String,
    axis: [f64; 3],
    point: [f64; 3],
}

#[derive(Deserialize)]
struct Contact {
    link: usize,
    point: [f64; 3],
    frame: [[f64; 3]; 3],
}

#[derive(Deserialize)]
struct Expected {
    #[serde(rename = "K")]
    matrix: [[f64; 3]; 3],
    #[serde(rename = "K_rank")]
    rank: usize,
    dqdot: Vec<f64>,
    dv: Vec<Change>,
    #[serde(rename = "H")]
    inertia: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Change {
    omega: [f64; 3],
    v: [f64; 3],
}

fn rows(m: &[[f64; 3]; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(m).transpose()
}

fn built(links: &[GivenLink]) -> (Tree, Vec<Pose>) {
    let mut poses: Vec<Pose> = Vec::new();
    let mut tree = Vec::new();
    for link in links {
        let mass = MassProperties { mass: link.mass, com: link.com.into(), inertia: rows(&link.inertia) };
        let frame = mass.principal_frame();
        let pose = frame.reference_from_principal;
        let parent = usize::try_from(link.parent - 1).ok();
        let joint = link.joint.as_ref().map_or(Joint::FLOATING, |joint| {
            let (axis, through): (DVec3, DVec3) = (joint.axis.into(), joint.point.into());
            let place = match joint.kind.as_str() {
                "revolute" => JointPlace::Hinge { axis, through },
                _ => JointPlace::Slider { axis },
            };
            Joint::new(&place, &parent.map_or(Pose::IDENTITY, |p| poses[p]), &pose)
        });
        tree.push(Link::new(parent, joint, PrincipalMass::new(link.mass, frame.moments).unwrap()));
        poses.push(pose);
    }
    (Tree::new(tree).unwrap(), poses)
}

/// Largest difference of some numbers from those expected, relative to the largest of these.
fn far(found: impl IntoIterator<Item = f64>, expected: &[f64]) -> f64 {
    let size = expected.iter().fold(1e-300f64, |a, x| a.max(x.abs()));
    found.into_iter().zip(expected).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs() / size))
}

fn rank(k: &DMat3) -> usize {
    let SymmetricEigen { values, .. } = symmetric_eigen((*k + k.transpose()) * 0.5);
    values.to_array().iter().filter(|x| x.abs() > 1e-12 * values.abs().max_element()).count()
}

/// The largest error of a vector.
fn error(vector: &Vector) -> f64 {
    let (tree, poses) = built(&vector.links);
    let mut posture = Posture::new(&tree);
    let (coordinates, rates) = (tree.start(&poses), vec![0.0; tree.freedoms()]);
    posture.place(&tree, &Placing { coordinates: &coordinates, rates: &rates, base: BaseState::GROUND });
    posture.articulate(&tree);
    let link = vector.contact.link - 1;
    let at = LinkPoint { link, point: vector.contact.point.into() };
    let r = rows(&vector.contact.frame);
    let k = r * posture.comp_multibody_k(&tree, [at; 2]) * r.transpose();
    let mut worst = far(k.to_cols_array(), &rows(&vector.expected.matrix).to_cols_array());
    assert_eq!(rank(&k), vector.expected.rank, "{}", vector.id);
    let impulse = r.transpose() * DVec3::from_array(vector.test_impulse);
    let mut wrenches = vec![Wrench::default(); tree.links().len()];
    wrenches[link] = Wrench::at(at.point - posture.links()[link].pose.translation, impulse);
    let mut changes = rates.clone();
    posture.propagate_impulse(&tree, &Impulses { links: &wrenches, joints: &[] }, &mut changes);
    worst = worst.max(far(changes, &vector.expected.dqdot));
    let expected: Vec<f64> = vector.expected.dv.iter().flat_map(|c| c.omega.into_iter().chain(c.v)).collect();
    let found = posture.links().iter().map(|placed| placed.acceleration);
    worst = worst.max(far(found.flat_map(|a| [a.angular, a.linear]).flat_map(|v| v.to_array()), &expected));
    let inertia: Vec<f64> = vector.expected.inertia.concat();
    worst.max(far(posture.joint_inertia(&tree), &inertia))
}

#[test]
fn reference_vectors() {
    let mut worst = 0.0f64;
    for line in super::random::data("multibody_vectors.jsonl").lines() {
        let vector: Vector = serde_json::from_str(line).unwrap();
        worst = worst.max(error(&vector));
        assert!(worst < 1e-10, "{}: {worst:e}", vector.id);
    }
    println!("reference vectors: worst relative error {worst:e}");
}
