//! Masses, centres of mass and inertias in joint space, against another reading of the same file: tags are cut out of the text, links are not
//! merged, and the inertia follows from kinetic energies.

use super::given::{ARM, GRIPPER, QUADRUPED, scene};
use impulse_scenes::survey;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

type V = [f64; 3];
type M = [V; 3];

fn times(a: &M, b: &M) -> M {
    let entry = |i: usize, j: usize| (0..3).map(|k| a[i][k] * b[k][j]).sum();
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

fn turned(a: &M, v: &V) -> V {
    [0, 1, 2].map(|i| (0..3).map(|k| a[i][k] * v[k]).sum())
}

fn transposed(a: &M) -> M {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[j][i]))
}

fn sum(a: &V, b: &V) -> V {
    [0, 1, 2].map(|i| a[i] + b[i])
}

fn scaled(a: &V, s: f64) -> V {
    a.map(|x| x * s)
}

fn cross(a: &V, b: &V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: &V, b: &V) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Written out: yaw about z after pitch about y after roll about x.
fn of_angles([r, p, y]: V) -> M {
    let ([sr, sp, sy], [cr, cp, cy]) = ([r, p, y].map(f64::sin), [r, p, y].map(f64::cos));
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// A link as the text has it, and where it is.
#[derive(Default)]
struct TextLink {
    mass: f64,
    com: V,
    inertia: M,
    rotation: M,
    at: V,
}

#[derive(Default)]
struct TextJoint {
    name: String,
    kind: String,
    ends: [String; 2],
    at: V,
    angles: V,
    axis: V,
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn vector(text: Option<&String>) -> V {
    text.map_or([0.0; 3], |text| numbers(text).try_into().unwrap())
}

/// All tags of a text with their attributes.
fn tags(text: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut found = Vec::new();
    for piece in text.split('<').skip(1).filter(|piece| !piece.starts_with(['!', '?'])) {
        let inside = piece.split('>').next().unwrap();
        let name = inside.split([' ', '>']).next().unwrap().trim_end_matches('/').to_owned();
        let mut attributes = BTreeMap::new();
        let mut quoted = inside[name.len()..].split('"');
        while let (Some(key), Some(value)) = (quoted.next(), quoted.next()) {
            attributes.insert(key.trim().trim_end_matches('=').to_owned(), value.to_owned());
        }
        found.push((name, attributes));
    }
    found
}

/// Links by name, and joints.
type TextRobot = (BTreeMap<String, TextLink>, Vec<TextJoint>);

fn read(text: &str) -> TextRobot {
    let (mut links, mut joints) = (BTreeMap::<String, TextLink>::new(), Vec::<TextJoint>::new());
    let (mut link, mut within) = (String::new(), String::new());
    let mut turn = of_angles([0.0; 3]);
    for (tag, has) in tags(text) {
        match tag.as_str() {
            "link" => {
                link = has["name"].clone();
                links.insert(link.clone(), TextLink::default());
                within.clear();
            }
            "joint" => {
                let (name, kind) = (has["name"].clone(), has["type"].clone());
                joints.push(TextJoint { name, kind, axis: [1.0, 0.0, 0.0], ..TextJoint::default() });
                within = tag;
            }
            "inertial" | "collision" | "visual" => within = tag,
            "origin" if within == "inertial" => {
                links.get_mut(&link).unwrap().com = vector(has.get("xyz"));
                turn = of_angles(vector(has.get("rpy")));
            }
            "origin" if within == "joint" => {
                let last = joints.last_mut().unwrap();
                (last.at, last.angles) = (vector(has.get("xyz")), vector(has.get("rpy")));
            }
            "mass" => links.get_mut(&link).unwrap().mass = numbers(&has["value"])[0],
            "inertia" => {
                let [xx, xy, xz, yy, yz, zz] =
                    ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(|key| numbers(&has[key])[0]);
                let own = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
                links.get_mut(&link).unwrap().inertia = times(&times(&turn, &own), &transposed(&turn));
            }
            "parent" | "child" => joints.last_mut().unwrap().ends[usize::from(tag == "child")] = has["link"].clone(),
            "axis" => joints.last_mut().unwrap().axis = vector(has.get("xyz")),
            _ => {}
        }
    }
    (links, joints)
}

/// Places all links, and sorts the joints: parents before children. The root is where the world is.
fn placed(text: &str) -> TextRobot {
    let (mut links, mut joints) = read(text);
    let is_child = |name: &str| joints.iter().any(|joint| joint.ends[1] == name);
    let root = links.keys().find(|name| !is_child(name)).unwrap().clone();
    links.get_mut(&root).unwrap().rotation = of_angles([0.0; 3]);
    let (mut sorted, mut placed): (Vec<TextJoint>, _) = (Vec::new(), vec![root]);
    while !joints.is_empty() {
        let next = joints.iter().position(|joint| placed.contains(&joint.ends[0])).unwrap();
        let joint = joints.remove(next);
        let parent = &links[&joint.ends[0]];
        let rotation = times(&parent.rotation, &of_angles(joint.angles));
        let at = sum(&parent.at, &turned(&parent.rotation, &joint.at));
        let child = links.get_mut(&joint.ends[1]).unwrap();
        (child.rotation, child.at) = (rotation, at);
        placed.push(joint.ends[1].clone());
        sorted.push(joint);
    }
    (links, sorted)
}

/// Kinetic energy where the root turns and moves (at its centre of mass) and joints have rates.
fn energy(robot: &TextRobot, root: &str, six: &[f64; 6], rates: &[f64]) -> f64 {
    let (links, joints) = robot;
    let of_root = &links[root];
    let spin: V = [six[0], six[1], six[2]];
    let centre = turned(&of_root.rotation, &of_root.com);
    // Velocity of the origin of a link's frame.
    let velocity = sum(&[six[3], six[4], six[5]], &cross(&spin, &scaled(&centre, -1.0)));
    let mut moving = BTreeMap::from([(root.to_owned(), (spin, velocity))]);
    for (joint, &rate) in joints.iter().zip(rates) {
        let (spin, velocity) = moving[&joint.ends[0]];
        let (parent, child) = (&links[&joint.ends[0]], &links[&joint.ends[1]]);
        let arm = sum(&child.at, &scaled(&parent.at, -1.0));
        let axis = turned(&child.rotation, &scaled(&joint.axis, 1.0 / dot(&joint.axis, &joint.axis).sqrt()));
        let carried = sum(&velocity, &cross(&spin, &arm));
        let own = scaled(&axis, rate);
        let moved = match joint.kind.as_str() {
            "revolute" | "continuous" => (sum(&spin, &own), carried),
            "prismatic" => (spin, sum(&carried, &own)),
            _ => (spin, carried),
        };
        moving.insert(joint.ends[1].clone(), moved);
    }
    let of_link = |(name, link): (&String, &TextLink)| {
        let (spin, velocity) = moving[name];
        let v = sum(&velocity, &cross(&spin, &turned(&link.rotation, &link.com)));
        let own = turned(&transposed(&link.rotation), &spin);
        0.5 * (link.mass * dot(&v, &v) + dot(&own, &turned(&link.inertia, &own)))
    };
    links.iter().map(of_link).sum()
}

fn compare(text: &str, base: &str) {
    let script = format!("robot(\"robot.urdf\", #{{ base: \"{base}\" }});");
    let made = scene(&script, text);
    let (robot, found) = (&made.robots[0], survey(&made, &made.robots[0]));
    let own = placed(text);
    let mass: f64 = own.0.values().map(|link| link.mass).sum();
    let moment = own.0.values().fold([0.0; 3], |moment, link| {
        let centre = sum(&link.at, &turned(&link.rotation, &link.com));
        sum(&moment, &scaled(&centre, link.mass))
    });
    assert!((robot.mass.0 - mass).abs() < 1e-10 * mass, "{} {mass}", robot.mass.0);
    let off = (robot.mass.1 - glam::DVec3::from_array(scaled(&moment, 1.0 / mass))).length();
    assert!(off < 1e-10, "centre of mass: {off:e} m");
    let root = own.1[0].ends[0].clone();
    let n = found.freedoms.len();
    let floats = if base == "free" { 6 } else { 0 };
    // Rates that belong to unit rates of one or two freedoms.
    let with = |some: &[usize]| {
        let (mut six, mut rates) = ([0.0; 6], vec![0.0; own.1.len()]);
        for &freedom in some {
            match freedom.checked_sub(floats) {
                None => six[freedom] += 1.0,
                Some(_) => {
                    let name = &found.freedoms[freedom];
                    rates[own.1.iter().position(|joint| joint.name == *name).unwrap()] += 1.0;
                }
            }
        }
        energy(&own, &root, &six, &rates)
    };
    let size = found.inertia.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let mut worst = 0.0_f64;
    for i in 0..n {
        for j in 0..n {
            let entry = with(&[i, j]) - with(&[i]) - with(&[j]);
            worst = worst.max((found.inertia[i * n + j] - entry).abs() / size);
        }
    }
    assert!(worst < 1e-10, "{worst:e}");
}

#[test]
fn masses_and_inertias_are_those_of_the_file() {
    for (text, freedoms) in [(ARM, 6), (GRIPPER, 2), (QUADRUPED, 12)] {
        for base in ["free", "fixed"] {
            compare(text, base);
        }
        let made = scene("robot(\"robot.urdf\", #{ base: \"fixed\" });", text);
        assert_eq!(survey(&made, &made.robots[0]).freedoms.len(), freedoms);
    }
}

#[test]
fn robots_load_at_once() {
    for text in [ARM, GRIPPER, QUADRUPED] {
        let once = || {
            let begun = Instant::now();
            let made = scene("robot(\"robot.urdf\");", text);
            assert!(!made.bodies.is_empty());
            begun.elapsed()
        };
        // The fastest of some: others use the machine too.
        let fastest = (0..5).map(|_| once()).min().unwrap();
        assert!(fastest < Duration::from_millis(100), "{fastest:?}");
    }
}
