//! Forward dynamics of chains: cost per link, which must not grow with their length (section 4.4).
#![expect(clippy::print_stdout, reason = "a benchmark reports its measurements")]

#[path = "support/cpu.rs"]
mod cpu;

use impulse::DVec3;
use impulse::body::PrincipalMass;
use impulse::math::Pose;
use impulse::multibody::{BaseState, Joint, JointPlace, Link, Loads, Placing, Posture, Tree};
use std::hint::black_box;

fn chain(links: usize) -> Tree {
    let mass = PrincipalMass::new(1.0, DVec3::new(0.01, 0.02, 0.025)).expect("a brick");
    let pose = |i: usize| Pose::from_translation(DVec3::X * (i as f64 + 0.5));
    let link = |i: usize| {
        let axis = if i.is_multiple_of(2) { DVec3::Y } else { DVec3::Z };
        let place = JointPlace::Hinge { axis, through: DVec3::X * i as f64 };
        let parent = i.checked_sub(1);
        Link::new(parent, Joint::new(&place, &parent.map_or(Pose::IDENTITY, pose), &pose(i)), mass)
    };
    Tree::new((0..links).map(link).collect()).expect("a chain")
}

fn main() {
    let given: Option<usize> = std::env::args().filter_map(|a| a.parse().ok()).next();
    println!("links  us per evaluation  ns per link");
    for links in given.map_or(vec![1, 3, 10, 30, 100, 300, 1000], |n| vec![n]) {
        let tree = chain(links);
        let mut posture = Posture::new(&tree);
        let coordinates: Vec<f64> = (0..links).map(|i| 0.3 * libm::sin(i as f64)).collect();
        let rates: Vec<f64> = (0..links).map(|i| libm::cos(i as f64)).collect();
        let loads = Loads { links: &[], joints: &[], gravity: DVec3::NEG_Z * 9.81 };
        let mut accelerations = vec![0.0; links];
        let repeats = 300_000 / links;
        let start = cpu::cpu_seconds();
        for _ in 0..repeats {
            let placing = Placing { coordinates: &coordinates, rates: &rates, base: BaseState::GROUND };
            posture.place(&tree, black_box(&placing));
            posture.tree_fwd_dynamics(&tree, &loads, &mut accelerations);
            black_box(&accelerations);
        }
        let spent = (cpu::cpu_seconds() - start) / repeats as f64;
        println!("{links:5}  {:17.3}  {:11.1}", spent * 1e6, spent * 1e9 / links as f64);
    }
}
