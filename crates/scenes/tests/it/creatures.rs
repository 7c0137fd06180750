//! Creatures: a file that is placed many times, with names, places, parameters and behaviours of its own.

use crate::scene_support::{fault_of, folder, load_path, scene};
use glam::DVec3;
use impulse::world::Settings;
use impulse_scenes::runner::Ended;
use impulse_scenes::scene::{Fault, FileError, MotionDescription, Place, SceneFiles, Script};
use impulse_scenes::{Runner, SceneDescription, SceneError, SceneSettings, SceneSource};
use std::sync::Arc;

/// A scene in memory with the files of creatures.
fn source(script: &str, others: &[(&str, &str)]) -> SceneSource {
    let own = [("scene.rhai", script)];
    let files: SceneFiles = own.iter().chain(others).map(|(n, t)| ((*n).to_owned(), t.as_bytes().to_vec())).collect();
    SceneSource::Files { main: "scene.rhai".to_owned(), files: Arc::new(files) }
}

fn load(script: &str, others: &[(&str, &str)]) -> Result<SceneDescription, SceneError> {
    impulse_scenes::load_scene(&source(script, others), &SceneSettings::default())
}

#[track_caller]
fn runner(script: &str, others: &[(&str, &str)]) -> Runner {
    let scene = load(script, others).unwrap_or_else(|e| panic!("{e}"));
    Runner::of(scene, Settings::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn report(script: &str, others: &[(&str, &str)], until: f64) -> Ended {
    let script = Script::open(&source(script, others)).unwrap_or_else(|e| panic!("{e}"));
    let read = script.read(&SceneSettings::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut runner = Runner::of(read.scene, Settings::default()).unwrap();
    runner.run_reporting(until, read.reports).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn told(ended: &Ended, name: &str) -> String {
    let found = ended.reported.iter().find(|report| report.name == name).unwrap_or_else(|| panic!("no {name}"));
    found.value.clone().unwrap_or_else(|e| panic!("{e}")).map_or("none".to_owned(), |value| value.to_string())
}

/// Place and message of what is wrong.
#[track_caller]
fn complaint(script: &str, others: &[(&str, &str)]) -> (Place, String) {
    let (place, fault) = fault_of(load(script, others));
    (place, fault.to_string())
}

/// One of everything that has a place.
const ARM: &str = "
    body(\"base\", cuboid(0.2, 0.2, 0.1), #{ at: [0.1, 0, 0], fixed: true });
    body(\"arm\", cuboid(0.4, 0.04, 0.04), #{ at: [0.4, 0.2, 0.3], rotation: axis_angle([0, 0, 1], 0.3), mass: 1 });
    body(\"puck\", sphere(0.05), #{ at: [1, 0, 0.5], mass: 0.1, velocity: [1, 0.5, 2], spin: [1, 2, 3] });
    body(\"sled\", sphere(0.05), #{ at: [1, 5, 0.5], mass: 0.1 });
    body(\"fan\", cuboid(0.1, 0.02, 0.02), #{ at: [2, 0, 0], script: spinner([1, 0, 1], 2, #{ through: [2, 0.3, 0] }) });
    body(\"pump\", cuboid(0.1, 0.1, 0.1), #{ at: [3, 0, 0], script: cycler([0.1, 0, 0], [0, 0, 0.2], 5) });
    body(\"door\", cuboid(0.1, 0.1, 0.1), #{ at: [4, 0, 0], script: keyframes([#{ time: 1 }, #{ time: 2, at: [4, 1, 0] }, #{ time: 3, rotation: axis_angle([1, 0, 0], 1) }]) });
    body(\"ball\", sphere(0.05), #{ at: [0.4, 0.5, 0.3], mass: 0.2 });
    joint(\"pivot\", \"base\", \"arm\", hinge([0, 1, 0], [0.2, 0.2, 0.3]), #{ rate: 0.5 });
    joint(\"wrist\", \"arm\", \"ball\", socket([0.4, 0.4, 0.3]), #{ rate: [1, 0, 0] });
    joint(\"rail\", \"ground\", \"sled\", slider([1, 0.5, 2]), #{ rate: 0.3 });
    controller(\"motor\", \"pivot\", position_pd(#{ k_p: 1, k_v: 0.1 }), #{ rate: 100, goal: 0.2 });
    body(\"drone\", sphere(0.05), #{ at: [0, 3, 0], mass: 0.2 });
    controller(\"pilot\", \"drone\", pose_pd(#{ k_p: 3, k_v: 1, turn_k_p: 0.01, turn_k_v: 0.01 }), #{ rate: 50, goal: #{ at: [1, 3, 0], rotation: axis_angle([1, 0, 0], 1) } });
";

/// Where all bodies are, as the creature's frame sees them.
fn seen(runner: &Runner, prefix: &str, from_world: impl Fn(DVec3) -> DVec3) -> Vec<[DVec3; 2]> {
    let names = ["base", "arm", "puck", "sled", "fan", "pump", "door", "ball", "drone"];
    let world = runner.world();
    let place = |name: &&str| {
        let body = world.body(world.find(&format!("{prefix}{name}")).unwrap()).unwrap();
        [body.pose().translation, body.pose().point(DVec3::new(0.3, 0.2, 0.1))].map(&from_world)
    };
    names.iter().map(place).collect()
}

/// Without gravity a creature does in its frame what the scene of its file does in the world.
#[test]
fn all_that_a_creature_has_is_placed_with_it() {
    let mut plain = runner(&format!("gravity(0, 0, 0);{ARM}"), &[]);
    let script = "gravity(0, 0, 0);
        creature(\"arm.rhai\", #{ name: \"a\", at: [1, -2, 3], rotation: axis_angle([1, 2, 3], 1.2) });";
    let mut placed = runner(script, &[("arm.rhai", ARM)]);
    // Within another one: the frames follow each other.
    let nest = "creature(\"arm.rhai\", #{ at: [0, 0, 1], rotation: axis_angle([0, 0, 1], PI / 2) });";
    let script = "gravity(0, 0, 0); creature(\"nest.rhai\", #{ name: \"n\", at: [5, 0, 0] });";
    let mut nested = runner(script, &[("arm.rhai", ARM), ("nest.rhai", nest)]);
    let turned = glam::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.2).inverse();
    for time in [0.0, 0.7, 1.6, 2.4] {
        [&mut plain, &mut placed, &mut nested].into_iter().for_each(|runner| runner.run_until(time).unwrap());
        let wanted = seen(&plain, "", |p| p);
        let from_first = seen(&placed, "a.", |p| turned * (p - DVec3::new(1.0, -2.0, 3.0)));
        // A quarter turn: x of the world is -y of the creature.
        let from_second = seen(&nested, "n.arm.", |p| DVec3::new(p.y, 5.0 - p.x, p.z - 1.0));
        for (i, wanted) in wanted.iter().enumerate() {
            for found in [&from_first[i], &from_second[i]] {
                let off = wanted.iter().zip(found).map(|(w, f)| w.distance(*f)).fold(0.0, f64::max);
                assert!(off < 1e-9, "body {i} at {time} s is off by {off}");
            }
        }
    }
}

/// A creature that is neither moved nor turned is, to the bit, the scene of its file.
#[test]
fn a_creature_in_its_place_is_the_scene_of_its_file() {
    let bug = include_str!("../../../../parts/bug.rhai");
    let rest = "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
        body(\"lamp\", cylinder(0.05, 0.3), #{ at: [0.6, 0.2, 0.15], fixed: true });";
    let mut plain = runner(&format!("{rest}\n{bug}"), &[]);
    let mut placed = runner(&format!("{rest}\ncreature(\"bug.rhai\");"), &[("bug.rhai", bug)]);
    let folder = folder("creature", &[("scene.rhai", &format!("{rest}\ncreature(\"bug.rhai\");")), ("bug.rhai", bug)]);
    let mut on_disk = Runner::of(load_path(folder.join("scene.rhai")).unwrap(), Settings::default()).unwrap();
    for runner in [&mut plain, &mut placed, &mut on_disk] {
        runner.run_until(0.5).unwrap();
    }
    assert_eq!(plain.world().trace_hash(), placed.world().trace_hash());
    assert_eq!(plain.world().trace_hash(), on_disk.world().trace_hash());
    assert!(placed.world().find("bug.shell").is_some() && placed.world().find_joint("bug.left axle").is_some());
}

/// A creature that asks for what it and the scene have.
const CURIOUS: &str = "
        let own = param(\"own\", 1.0);
        body(\"shell\", sphere(0.1), #{ mass: own });
        body(\"mark\", sphere(0.01), #{ at: [0, 0, 1], fixed: true });
        report(\"heavy\"); report(\"who\"); report(\"count\"); report(\"twin\");
        report(\"mass\", |w| w.body(\"shell\").mass);
        report(\"other\", |w| w.body(\"shell of the scene\").mass);
        behaviour(\"look\", 10, |me| {
            me.memory.count += 1;
            me.report(\"count\", me.memory.count);
            me.report(\"heavy\", me.body(\"shell\").mass + me.param(\"own\") + me.param(\"of the scene\"));
            me.report(\"who\", me.creature + \"/\" + me.name + \"/\" + me.body(\"shell\").name);
            me.report(\"twin\", me.memory_of(\"look\").count + me.memory_of(\"a.look\").count);
        }, #{ memory: #{ count: own } });
    ";

/// What a creature has is found by its own name first, then by the whole one.
#[test]
fn one_function_serves_all_clones() {
    let script = "
        gravity(0, 0, 0);
        param(\"of the scene\", 0.5);
        body(\"shell of the scene\", sphere(0.1), #{ at: [0, 9, 0], mass: 7 });
        let names = [];
        for i in 0..2 { names.push(creature(\"bug.rhai\", #{ name: [\"a\", \"b\"][i], at: [i, 0, 0], own: 1 + i })); }
        report(\"names\", |w| names[0] + names[1]);
        report(\"asked outside\", |w| w.body(\"b.shell\").mass);
        behaviour(\"outside\", 10, |me| { if me.creature != \"\" { throw \"no\"; } me.body(\"b.shell\").set_force([1, 0, 0]); });
    ";
    let ended = report(script, &[("bug.rhai", CURIOUS)], 0.95);
    for (name, value) in [
        ("names", "ab"),
        ("asked outside", "2.0"),
        ("a.mass", "1.0"),
        ("b.mass", "2.0"),
        ("a.other", "7.0"),
        ("a.heavy", "2.5"),
        ("b.heavy", "4.5"),
        ("b.who", "b/b.look/b.shell"),
        ("a.count", "11.0"),
        ("b.count", "12.0"),
        ("a.twin", "22.0"),
        ("b.twin", "23.0"),
    ] {
        assert_eq!(told(&ended, name), value, "{name}");
    }
    let scene = load(script, &[("bug.rhai", CURIOUS)]).unwrap();
    assert_eq!(scene.included, ["bug.rhai"]);
    assert_eq!(scene.params.len(), 1, "parameters of creatures are not the scene's");
    assert_eq!((scene.creatures[1].name.as_str(), scene.creatures[1].params[0].name.as_str()), ("b", "own"));
    let moves = |name: &str| matches!(scene.body(name).unwrap().motion, MotionDescription::Free { .. });
    assert!(moves("a.shell") && !moves("b.mark"));
}

/// Copies of a run with creatures go on alike.
#[test]
fn a_copy_of_a_run_with_creatures_goes_on_to_the_bit() {
    let frog = "
        body(\"frog\", cuboid(0.1, 0.1, 0.1), #{ at: [0, 0, 0.05], mass: 0.1 });
        behaviour(\"leap\", 20, |me| {
            if me.body(\"frog\").at[2] < 0.06 && rand() < 0.3 {
                me.body(\"frog\").set_velocity([rand(-1, 1), rand(-1, 1), rand(1, 2)]);
                me.memory.leaps += 1;
            }
        }, #{ memory: #{ leaps: 0 } });";
    let script = "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
        for i in 0..4 { creature(\"frog.rhai\", #{ name: \"f\" + i, at: [0.3 * i, 0, 0] }); }";
    let mut straight = runner(script, &[("frog.rhai", frog)]);
    straight.run_until(1.5).unwrap();
    let mut copy = straight.clone();
    let other = std::thread::spawn(move || {
        copy.run_until(3.0).unwrap();
        copy.world().trace_hash()
    });
    straight.run_until(3.0).unwrap();
    assert_eq!(other.join().unwrap(), straight.world().trace_hash());
    assert!(straight.world().counters().events > 50);
}

#[test]
fn files_that_are_wrong_are_named_with_line_and_column() {
    let made = "\ncreature(\"bug.rhai\", #{ name: \"b\", size: 2 });";
    for (bug, line, column, piece) in [
        ("\n\nlet x = ;", 3, 9, "unexpected ';'"),
        ("let size = param(\"size\", 1);\n  body(\"a\", spere(size));", 2, 13, "unknown function `spere`"),
        ("param(\"size\", 1, #{ max: 1 });", 1, 1, "parameter `size` is 2, but the scene takes values from"),
        ("param(\"size\", true);", 1, 1, "parameter `size` is true or false, but was set to `2`"),
        ("param(\"size\", 1); gravity(0, 0, 0);", 1, 19, "gravity: this concerns the whole scene"),
        ("param(\"size\", 1); duration(3);", 1, 19, "duration: this concerns the whole scene"),
        ("param(\"size\", 1);\nlook_every(3);", 2, 1, "look_every: this concerns the whole scene"),
        ("\njoint(\"j\", \"scene's\", \"ground\", weld());", 2, 1, "there is no body `scene's`"),
        ("\ncreature(\"bug.rhai\");", 2, 1, "this file is running already: a creature cannot contain itself"),
        ("\ncreature(\"scene.rhai\");", 2, 1, "this file is running already"),
        ("\n\nloop { }", 3, 6, "more than 10 million steps"),
        (
            "body(\"a\", sphere(1), #{ fixed: true });\nbody(\"a\", sphere(1), #{ fixed: true });",
            2,
            1,
            "two bodies named `b.a`",
        ),
    ] {
        let script = format!("body(\"scene's\", sphere(1), #{{ mass: 1 }});{made}");
        let (place, message) = complaint(&script, &[("bug.rhai", bug)]);
        assert_eq!((place.file.as_str(), place.line, place.column), ("bug.rhai", line, column), "{bug}: {message}");
        assert!(message.contains(piece), "{bug}: {message}");
        let caller = place.calls.last().unwrap();
        assert_eq!((caller.1.as_str(), caller.2), ("scene.rhai", 2), "{bug}: {caller:?}");
    }
}

#[test]
fn what_is_wrong_with_placing_is_told_where_it_is_placed() {
    let bug = "param(\"speed\", 1.0); body(\"shell\", sphere(0.1), #{ mass: 1 });";
    for (script, piece) in [
        ("creature(\"bug.rhai\", #{ sped: 2 });", "there is no parameter `sped`; did you mean `speed`?"),
        ("creature(\"bug.rhai\", #{ nome: \"x\" });", "there is no parameter `nome`; did you mean `name`?"),
        ("creature(\"bug.rhai\", #{ at: 3 });", "creature \"bug.rhai\": at must be three numbers"),
        (
            "creature(\"bug.rhai\", #{ speed: [1] });",
            "creature \"bug.rhai\": speed must be a number, true, false or a text",
        ),
        ("creature(\"bug.rhai\", #{ name: \"\" });", "name must be one line of 1 to 100 characters"),
        ("creature(\"bug.rhai\"); creature(\"bug.rhai\");", "there is another creature of this name"),
        ("creature(\"bag.rhai\");", "cannot read `bag.rhai`"),
        ("creature(\"../bug.rhai\");", "is outside the scene's folder"),
        ("creature(3);", "creature: the file must be a text, not 3"),
        ("creature(\"bug.rhai\", 3);", "must be options"),
        ("creature(\"taken.rhai\");", "creature(...) uses this name itself"),
        ("creature(\"deep.rhai\");", "creatures may be nested 4 deep"),
        (
            "fn f(n) { if n == 0 { creature(\"bug.rhai\") } else { f(n - 1) } } f(9);",
            "functions nested more than 4 deep",
        ),
    ] {
        // Each is of another name, and holds the next.
        let deeper: Vec<(String, String)> =
            (0..9).map(|i| (format!("deep{i}.rhai"), format!("creature(\"deep{}.rhai\");", i + 1))).collect();
        let mut files =
            vec![("bug.rhai", bug), ("taken.rhai", "param(\"at\", 1);"), ("deep.rhai", "creature(\"deep0.rhai\");")];
        files.extend(deeper.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let (_, message) = complaint(script, &files);
        assert!(message.contains(piece), "{script}: {message}");
    }
    let fault = fault_of(crate::scene_support::load("creature(\"bug.rhai\");")).1;
    assert!(matches!(&*fault, Fault::File(FileError::NoFolder { .. })), "{fault}");
}

/// Steps of creatures are those of the scene.
#[test]
fn creatures_without_end_end() {
    let idle = "for i in 0..200 { } behaviour(\"b\", 1, |me| 1);";
    let script = "let i = 0; loop { i += 1; creature(\"idle.rhai\", #{ name: \"c\" + i }); }";
    let (_, message) = complaint(script, &[("idle.rhai", idle)]);
    assert!(message.contains("10000") || message.contains("10 million steps"), "{message}");
    let long = "for i in 0..300000 { }";
    let script = "for i in 0..100 { creature(\"long.rhai\", #{ name: \"c\" + i }); }";
    let (place, message) = complaint(script, &[("long.rhai", long)]);
    assert!(message.contains("10 million steps") && place.file == "long.rhai", "{message}");
}

#[test]
fn a_behaviour_of_a_creature_that_fails_names_its_file() {
    let bug = "body(\"shell\", sphere(0.1), #{ mass: 1 });\nbehaviour(\"b\", 2, |me| {\n  if me.time > 0.9 { me.body(\"shel\"); } });";
    let script = "creature(\"bug.rhai\", #{ name: \"red\" });";
    let error = runner(script, &[("bug.rhai", bug)]).run_until(2.0).unwrap_err().to_string();
    assert!(error.starts_with("behaviour `red.b` at 1 s: bug.rhai:3:"), "{error}");
    assert!(error.contains("there is no body `shel`; did you mean `shell`?"), "{error}");
    let ended = report(
        "creature(\"bug.rhai\", #{ name: \"red\" });",
        &[("bug.rhai", "body(\"shell\", sphere(0.1), #{ mass: 1 });\n\nreport(\"r\", |w| w.body(\"x\").mass);")],
        0.1,
    );
    let error = ended.reported[0].value.clone().unwrap_err().to_string();
    assert!(error.starts_with("bug.rhai:3:") && error.contains("no body `x`"), "{error}");
}

/// The scene that comes with the program.
#[test]
fn the_race_is_run() {
    let race = include_str!("../../../../parts/race.rhai");
    let bug = include_str!("../../../../parts/bug.rhai");
    let ended = report(race, &[("bug.rhai", bug)], 2.3);
    for name in ["red.arrived", "green.arrived", "blue.arrived"] {
        let time: f64 = told(&ended, name).parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        // Some 0.7 m at 0.4 m/s, or less at 0.3 m/s after a turn.
        assert!((1.5..2.3).contains(&time), "{name}: {time}");
    }
    let whole = scene("body(\"ball\", sphere(1), #{ mass: 1 });");
    assert!(whole.creatures.is_empty());
}
