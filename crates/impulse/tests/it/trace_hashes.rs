//! Hashes of the traces of fixed scenes, the same on every machine and in every build profile (section 2.14).
//!
//! A change of trajectories changes them: the failing test prints the new table, to be copied here and noted in the changelog.

use crate::world::gas;
use crate::zoo::{Habitat, Zoo};
use impulse::DVec3;
use impulse::world::{Settings, World};

const HASHES: [(&str, u64); 6] = [
    ("gas", 0x7b84_9b55_5915_2342),
    ("zoo in a box", 0xc0dc_007e_eff9_b2de),
    ("zoo in weightless space", 0x4548_8258_5046_4231),
    ("zoo with scripts and forces", 0xd308_6efa_5227_72db),
    ("zoo with compounds and meshes", 0x8b5f_f4a0_6dbf_96d6),
    ("small zoo", 0xd5ce_c28f_c9df_fca8),
];

fn scene(name: &str) -> World {
    let settings = Settings::default();
    let weightless = Settings { gravity: DVec3::ZERO, ..settings };
    let zoo = Habitat { seed: 77, bodies: 20, closed: true, mixed: false, convex: true, settings };
    let habitat = match name {
        "gas" => return gas(settings, 3),
        "zoo in a box" => zoo,
        "zoo in weightless space" => Habitat { closed: false, settings: weightless, ..zoo },
        "zoo with scripts and forces" => Habitat { seed: 78, mixed: true, ..zoo },
        "zoo with compounds and meshes" => Habitat { seed: 79, mixed: true, convex: false, ..zoo },
        "small zoo" => Habitat { seed: 80, bodies: 8, ..zoo },
        _ => panic!("there is no scene {name}"),
    };
    let Zoo { world, .. } = habitat.build();
    world
}

#[test]
fn traces_have_not_changed() {
    let run = |name: &'static str| {
        let mut world = scene(name);
        for _ in 0..500 {
            world.step().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert!(world.counters().collisions > 5, "{name}: {:?}", world.counters());
        (name, world.trace_hash())
    };
    let found = HASHES.map(|(name, _)| run(name));
    let table: String = found.iter().map(|(name, hash)| format!("    (\"{name}\", {hash:#018x}),\n")).collect();
    assert_eq!(found, HASHES, "the new table:\n{table}");
}
