//! A soft blow on block five of ten (sections 3.5, 8.1): how far it slides as hops become lower, beside Coulomb's law.
//!
//! What `cargo bench --bench soft_blow` prints is `docs/soft_blow.md`.
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
/// Velocity that the blow gives, m/s.
const SPEED: f64 = 0.3;
/// When the tower is at rest and is struck, and until when it is watched, s.
const TIMES: [f64; 2] = [0.5, 1.5];
const ENVELOPES: [f64; 5] = [1e-4, 3e-5, 1e-5, 3e-6, 1e-6];

/// Friction of the struck block on its neighbours, and of the others among themselves.
const CASES: [([f64; 2], &str); 3] = [
    ([0.1, 0.3], "those above follow easily"),
    ([0.1, 0.1], "those above only just follow: every block is at the limit of friction"),
    ([0.5, 0.5], "both halves of the tower begin to tip, so that Coulomb's estimate does not hold"),
];

fn main() {
    println!("# A soft blow on block five of ten\n");
    println!(
        "Written by `cargo xtask bench soft_blow`. Ten cubes of {SIDE} m stand on each other; the fifth is struck and moves"
    );
    println!(
        "at {SPEED} m/s. Friction above and below it slows it down, and carries along those above at mu g until all have the"
    );
    println!("same velocity; then they slide on together and stop. If none tips and those below stay, it has moved by");
    println!("(7/144) v^2 / (mu g) in the end and those above by (1/144) v^2 / (mu g). Ways in micrometres.");
    for ([slick, rough], what) in CASES {
        let unit = 1e6 * SPEED * SPEED / (slick * G) / 144.0;
        println!("\nFriction {slick} at the struck block and {rough} elsewhere: {what}.\n");
        println!(
            "| hop_height | struck | from the estimate | next above | top | next below | at rest after 1 s | hops | not solved to the end |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        println!("| estimate | {:.3} | | {unit:.3} | {unit:.3} | 0 | | | |", 7.0 * unit);
        for hop_height in ENVELOPES {
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
    let mut builder = WorldBuilder::new(Settings { hop_height, ..Settings::default() }).expect("good settings");
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
