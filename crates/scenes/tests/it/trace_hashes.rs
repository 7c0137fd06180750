//! Hashes of the traces of all built-in scenes: nothing that happens in them changes unnoticed (thesis section 7.1).

use crate::trace_table::{Trace, TraceTable};
use impulse::world::Settings;
use impulse_scenes::scene::{SceneSettings, SceneSource};
use impulse_scenes::{BUILTIN_SCENES, build_world, load_scene};

/// Simulated seconds of a scene that is not in the table yet, at most its own duration.
const UNTIL: f64 = 1.0;

fn trace(name: &str, until: Option<f64>) -> Trace {
    let source = SceneSource::Builtin(name.to_owned());
    let scene = load_scene(&source, &SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut world = build_world(&scene, Settings::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let until = until.unwrap_or(UNTIL.min(scene.duration));
    while !world.run_until(until, None).unwrap_or_else(|e| panic!("{name}: {e}")).reached() {}
    Trace { name: name.to_owned(), until, hash: world.trace_hash() }
}

#[test]
fn traces_have_not_changed() {
    let table = TraceTable::read("trace_hashes_scenes.txt");
    let found = std::thread::scope(|scope| {
        let table = &table;
        let run = |name: &'static str| scope.spawn(move || trace(name, table.until(name)));
        let running: Vec<_> = BUILTIN_SCENES.iter().map(|scene| run(scene.name)).collect();
        running.into_iter().map(|scene| scene.join().unwrap()).collect()
    });
    table.check(found);
}
