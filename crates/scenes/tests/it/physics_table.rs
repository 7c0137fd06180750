//! Physical figures of all built-in scenes (thesis section 7.1): energy, bodies at rest, hops and collisions. A change of rounding
//! keeps them and a change of physics does not. Only a person renews their table: blessing traces does not touch it.

use crate::support::data;
use crate::trace_table::TraceTable;
use impulse::world::Settings;
use impulse_scenes::scene::{SceneDescription, SceneSettings, SceneSource};
use impulse_scenes::{BUILTIN_SCENES, Runner, load_scene};

/// What is compared, in the order of the table's columns.
const FIGURES: [&str; 4] = ["energy", "settled bodies", "hops", "collisions"];

/// A line of the table.
struct Row {
    name: String,
    until: f64,
    /// Value and tolerance of each figure.
    figures: [[f64; 2]; 4],
}

impl Row {
    fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.split_once(' ')?;
        let numbers: Vec<f64> = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let [until, a, b, c, d, e, f, g, h] = numbers.try_into().ok()?;
        Some(Self { name: name.to_owned(), until, figures: [[a, b], [c, d], [e, f], [g, h]] })
    }

    /// A line for each figure that is further off than it may be.
    fn complaints(&self, measured: [f64; 4]) -> Vec<String> {
        let rows = FIGURES.iter().zip(self.figures).zip(measured);
        let holds = |[value, tolerance]: [f64; 2], found: f64| (found - value).abs() <= tolerance;
        let off = rows.filter(|((_, wanted), found)| !holds(*wanted, *found));
        let complaint = |((what, [value, tolerance]), found): ((&&str, [f64; 2]), f64)| {
            format!("{}: {what} {found:?}, not {value:?} within {tolerance:?}", self.name)
        };
        off.map(complaint).collect()
    }
}

fn table() -> Vec<Row> {
    let text = std::fs::read_to_string(data("physics_scenes.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Row::read(line).unwrap_or_else(|| panic!("physics_scenes.txt: {line}"))).collect()
}

fn described(name: &str) -> SceneDescription {
    let source = SceneSource::Builtin(name.to_owned());
    load_scene(&source, &SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The figures at a time.
fn measured(name: &str, scene: SceneDescription, until: f64) -> [f64; 4] {
    let mut runner = Runner::of(scene, Settings::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    runner.run_until(until).unwrap_or_else(|e| panic!("{name}: {e}"));
    let world = runner.world();
    let free = world.bodies().filter(|&body| world.principal_mass(body).is_some());
    let settled = free.filter(|&body| world.settled(body) == Some(true)).count();
    let counters = world.counters();
    [world.energy(), settled as f64, counters.hops as f64, counters.collisions as f64]
}

#[test]
fn physical_figures_hold() {
    let rows = table();
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let check = |row: &Row| row.complaints(measured(&row.name, described(&row.name), row.until));
        let running: Vec<_> = rows.iter().map(|row| scope.spawn(move || check(row))).collect();
        running.into_iter().flat_map(|scene| scene.join().unwrap()).collect()
    });
    assert!(
        complaints.is_empty(),
        "physics changed:\n  {}\nif that is meant, edit tests/data/physics_scenes.txt by hand, as its head says",
        complaints.join("\n  ")
    );
}

/// Every scene is in the table, and runs as long as its trace.
#[test]
fn the_table_lists_all_scenes() {
    let (traces, rows) = (TraceTable::read("trace_hashes_scenes.txt"), table());
    let mut names: Vec<&str> = BUILTIN_SCENES.iter().map(|scene| scene.name).collect();
    names.sort_unstable();
    assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), names);
    for row in &rows {
        assert_eq!(traces.until(&row.name), Some(row.until), "{}", row.name);
    }
}

/// A thousandth more gravity and a hundredth less restitution are noticed; a change in the last digit is not.
#[test]
fn a_change_of_physics_is_noticed() {
    let rows = table();
    let row = rows.iter().find(|row| row.name == "minimum").unwrap();
    let complaints = |gravity: f64, restitution: f64| {
        let mut scene = described(&row.name);
        scene.gravity *= gravity;
        scene.materials.iter_mut().for_each(|material| material.surface.material.restitution *= restitution);
        row.complaints(measured(&row.name, scene, row.until)).len()
    };
    assert_eq!([complaints(1.001, 1.0), complaints(1.0, 0.99), complaints(1.0 + f64::EPSILON, 1.0)], [1, 1, 0]);
}
