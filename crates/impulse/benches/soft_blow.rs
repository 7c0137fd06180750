//! A soft blow on block five of ten (sections 3.5, 8.1): how far it slides as the hop height shrinks, compared with Coulomb's law.
//!
//! `docs/soft_blow.md` is the output of `cargo bench --bench soft_blow`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use impulse::DVec3;
use impulse::geometry::{Cuboid, HalfSpace};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodyId, BodySpec, MassSpec, MotionSpec, Settings, World, WorldBuilder};

const G: f64 = 9.81;
const SIDE: f64 = 0.1;
const BLOCKS: usize = 10;
const STRUCK: usize = 4;
/// Velocity of the struck block just after the blow, m/s.
const SPEED: f64 = 0.3;
/// Time of the blow, when the tower is at rest, and end of the run, s.
const TIMES: [f64; 2] = [0.5, 1.5];
const HOP_HEIGHTS: [f64; 5] = [1e-4, 3e-5, 1e-5, 3e-6, 1e-6];

/// Friction between the struck block and its neighbours, and between the other blocks.
const CASES: [([f64; 2], &str); 3] = [
    ([0.1, 0.3], "the blocks above follow easily"),
    ([0.1, 0.1], "the blocks above only just follow, as every block is at the friction limit"),
    ([0.5, 0.5], "both halves of the tower start to tip, so the estimate does not hold"),
];

fn main() {
    println!("# A soft blow on block five of ten\n");
    println!(
        "Written by `cargo xtask bench soft_blow`. Ten {SIDE} m cubes form a tower, and a blow sets the fifth moving"
    );
    println!(
        "at {SPEED} m/s. Friction on its top and bottom faces slows it down and accelerates the blocks above at mu g until all"
    );
    println!(
        "have the same velocity; then they slide on together and stop. If no block tips and those below stay put, the struck"
    );
    println!(
        "block moves (7/144) v^2 / (mu g) in total and those above move (1/144) v^2 / (mu g). Distances are in micrometres,"
    );
    println!("hop heights in units of a block's bounding radius.");
    for ([slick, rough], what) in CASES {
        let unit = 1e6 * SPEED * SPEED / (slick * G) / 144.0;
        println!("\nFriction {slick} at the struck block and {rough} elsewhere: {what}.\n");
        println!(
            "| hop height | struck block | error | next above | top | next below | at rest after 1 s | hops | unconverged hops |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        println!("| estimate | {:.3} | | {unit:.3} | {unit:.3} | 0 | | | |", 7.0 * unit);
        for hop_height in HOP_HEIGHTS {
            let (world, blocks) = blow([slick, rough], hop_height);
            let way = |i: usize| {
                1e6 * world.principal_state_at(blocks[i], TIMES[1]).expect("a block").world_from_body.translation.x
            };
            let (c, rests) = (world.counters(), blocks.iter().all(|&id| world.settled(id) == Some(true)));
            println!(
                "| {hop_height:.0e} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {} | {} | {} |",
                way(STRUCK),
                way(STRUCK) - 7.0 * unit,
                way(STRUCK + 1),
                way(BLOCKS - 1),
                way(STRUCK - 1),
                if rests { "yes" } else { "no" },
                c.hops,
                c.unconverged,
            );
        }
    }
}

fn blow([slick, rough]: [f64; 2], hop_height: f64) -> (World, Vec<BodyId>) {
    let (mut world, blocks) = tower([slick, rough], hop_height);
    world.run_to(TIMES[0]).expect("a tower stands");
    let struck = blocks[STRUCK];
    let at = world.principal_state_at(struck, TIMES[0]).expect("a block").world_from_body.translation;
    let mass = world.principal_mass(struck).expect("a free body").mass();
    world.apply_impulse(struck, at, DVec3::X * (SPEED * mass)).expect("a free body");
    world.run_to(TIMES[1]).expect("nothing overlaps");
    (world, blocks)
}

fn tower([slick, rough]: [f64; 2], hop_height: f64) -> (World, Vec<BodyId>) {
    let mut builder =
        WorldBuilder::new(Settings { hop_height, hop_turn: None, ..Settings::default() }).expect("good settings");
    let surface = |friction: f64| Material { friction, restitution: 0.0, law: Law::Stronge };
    let [low, high] = [slick, rough].map(|mu| builder.add_material(surface(mu)).expect("a material"));
    builder.add_contact(low, high, surface(slick)).expect("a material");
    let floor = BodySpec {
        name: "floor".into(),
        shape: HalfSpace::new(DVec3::Z, 0.0).expect("a floor").into(),
        world_from_shape: Pose::IDENTITY,
        material: high,
        motion: MotionSpec::Fixed,
    };
    builder.add_body(floor).expect("a floor");
    let block = |i: usize| BodySpec {
        name: format!("{i}"),
        shape: Cuboid::new(DVec3::splat(SIDE)).expect("a cube").into(),
        world_from_shape: Pose::from_translation(DVec3::Z * (0.5 + i as f64) * SIDE),
        material: if i == STRUCK { low } else { high },
        motion: MotionSpec::Free { mass: MassSpec::Density(1000.0), velocity: DVec3::ZERO, spin: DVec3::ZERO },
    };
    let blocks = (0..BLOCKS).map(|i| builder.add_body(block(i)).expect("a block")).collect();
    (builder.build().expect("nothing overlaps"), blocks)
}
