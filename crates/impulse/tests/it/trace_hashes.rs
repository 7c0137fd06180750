//! Hashes of the traces of random scenes, the same on every machine and in every build profile (section 2.14).

use crate::trace_table::{Trace, TraceTable};
use crate::world::gas;
use crate::zoo::{Habitat, Zoo};
use impulse::DVec3;
use impulse::world::{Settings, World};

/// Events of a scene that is not in the table yet.
const EVENTS: f64 = 500.0;

fn scenes() -> Vec<(&'static str, World)> {
    let settings = Settings::default();
    let weightless = Settings { gravity: DVec3::ZERO, ..settings };
    let zoo = Habitat { seed: 77, bodies: 20, closed: true, mixed: false, convex: true, settings };
    let zoos = [
        ("zoo_in_a_box", zoo),
        ("zoo_in_weightless_space", Habitat { closed: false, settings: weightless, ..zoo }),
        ("zoo_with_scripts_and_forces", Habitat { seed: 78, mixed: true, ..zoo }),
        ("zoo_with_compounds_and_meshes", Habitat { seed: 79, mixed: true, convex: false, ..zoo }),
        ("small_zoo", Habitat { seed: 80, bodies: 8, ..zoo }),
    ];
    let built = zoos.map(|(name, habitat)| {
        let Zoo { world, .. } = habitat.build();
        (name, world)
    });
    std::iter::once(("gas", gas(settings, 3))).chain(built).collect()
}

#[test]
fn traces_have_not_changed() {
    let table = TraceTable::read("trace_hashes_engine.txt");
    let trace = |(name, mut world): (&str, World)| {
        let events = table.until(name).unwrap_or(EVENTS);
        for _ in 0..events as u64 {
            world.step().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert!(world.counters().collisions > 5, "{name}: {:?}", world.counters());
        Trace { name: name.to_owned(), until: events, hash: world.trace_hash() }
    };
    table.check(scenes().into_iter().map(trace).collect());
}
