//! The files of `impulse run`, however a run ends, and velocities in the mean.

use crate::run::{IMPACTS, TRAJECTORY, numbers, rows, run, write};
use crate::support::{folder, impulse, repository};
use impulse::world::Settings;
use impulse_scenes::{Runner, SceneSettings, SceneSource, load_scene};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What is written bit by bit is what the engine recorded in one go.
#[test]
fn streamed_impacts_are_those_of_the_engine() {
    let file = folder("run_streamed").join("impacts.csv");
    run(&["conveyor", "--until", "0.4", "--impacts", file.to_str().unwrap()]);
    let scene = load_scene(&SceneSource::Builtin("conveyor".to_owned()), &SceneSettings::default()).unwrap();
    let mut runner = Runner::of(scene, Settings { record_impacts: true, ..Settings::default() }).unwrap();
    runner.run_until(0.4).unwrap();
    let world = runner.world();
    let rows = rows(&file, IMPACTS);
    assert_eq!(rows.len(), world.impacts().len());
    // More than are written at once.
    assert!(rows.len() > 5000, "{}", rows.len());
    for (row, record) in rows.iter().zip(world.impacts()) {
        let vectors = [record.point, record.normal, record.impulse, record.before, record.after];
        let wanted = [&[record.time], vectors.map(|v| v.to_array()).as_flattened(), &[record.energy_lost]].concat();
        assert_eq!(numbers(&[&row[..1], &row[3..19]].concat()), wanted);
        assert_eq!(row[1..3], record.bodies.map(|body| world.name(body).unwrap().to_owned()));
    }
}

/// Height of a hop of a block of 0.1 m, and what gravity does along a ramp within it, m.
const HOP: f64 = 2e-6;

/// A block slides down a ramp: means are the closed form's to a hop by the interval, where velocities of an instant are those of a
/// hop.
#[test]
fn velocities_in_lasting_contact_can_be_means() {
    let (folder, every) = (folder("run_means"), 0.02);
    let rows = |name: &str, flag: Option<&str>| {
        let csv = folder.join(name);
        let arguments = ["block_on_ramp", "--until", "1.9", "--every", "0.02", "--csv", csv.to_str().unwrap()];
        run(&arguments.into_iter().chain(flag).collect::<Vec<_>>());
        let block = rows(&csv, TRAJECTORY).into_iter().filter(|row| row[1] == "block");
        block.map(|row| numbers(&[&row[..1], &row[2..]].concat())).collect::<Vec<_>>()
    };
    let (plain, means) = (rows("plain.csv", None), rows("means.csv", Some("--mean-velocities")));
    assert_eq!((plain.len(), &plain[0]), (96, &means[0]));
    let slope = 30_f64.to_radians();
    let braking = 9.81 * (0.9 * slope.cos() - slope.sin());
    let off = |row: &[f64], speed: f64| {
        let wanted = [speed * slope.cos(), 0.0, -speed * slope.sin()];
        row[8..11].iter().zip(wanted).map(|(got, wanted)| (got - wanted).powi(2)).sum::<f64>().sqrt()
    };
    let mut worst = [0.0_f64; 2];
    for (plain, mean) in plain.iter().zip(&means).skip(1) {
        assert_eq!(plain[..8], mean[..8], "places are the same");
        let at = |t: f64| 5.48 - braking * t;
        worst = [worst[0].max(off(plain, at(plain[0]))), worst[1].max(off(mean, at(mean[0] - 0.5 * every)))];
    }
    // The block slides in closed form: its velocity of an instant is that of its way too.
    assert!(worst[0] < 1e-12 && worst[1] < HOP / every, "{worst:?}");
}

/// A ball in flight keeps its velocities, with the flag too.
#[test]
fn velocities_in_flight_are_those_of_the_instant() {
    let folder = folder("run_flight");
    let scene = "body(\"ball\", sphere(0.05), #{ mass: 1, at: [0, 0, 1], velocity: [1, 0, 0], spin: [0, 0, 9] });";
    let scene = write(&folder, "flight.rhai", scene);
    let text = |name: &str, flag: Option<&str>| {
        let csv = folder.join(name);
        let arguments = [&scene, "--until", "1", "--csv", csv.to_str().unwrap()];
        run(&arguments.into_iter().chain(flag).collect::<Vec<_>>());
        std::fs::read_to_string(csv).unwrap()
    };
    assert_eq!(text("a.csv", None), text("b.csv", Some("--mean-velocities")));
}

/// Starts a run that takes much longer than it needs to write its first rows, and waits until both tables have some.
fn long_run(out: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impulse"));
    command.args(["run", "gas", "--until", "200", "--every", "0.001", "--out"]).arg(out);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let has_rows = |file: &str| out.join(file).metadata().is_ok_and(|found| found.len() > 10_000);
    while !(has_rows("trajectory.csv") && has_rows("impacts.csv")) {
        assert!(child.try_wait().unwrap().is_none(), "the run ended, and nothing was written on the way");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// All lines but the last, which the kill may have torn, are whole.
#[track_caller]
fn assert_readable(path: &Path, header: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let (whole, _) = text.rsplit_once('\n').unwrap();
    let mut lines = whole.lines();
    assert_eq!(lines.next(), Some(header));
    let fields = header.split(',').count();
    assert!(lines.clone().count() > 50, "{}", path.display());
    assert!(lines.all(|line| line.split(',').count() == fields), "{}", path.display());
}

#[cfg(unix)]
#[test]
fn killed_runs_leave_what_happened_so_far() {
    for signal in ["TERM", "KILL"] {
        let out = folder(&format!("run_killed_{signal}"));
        // What an earlier run left must not pass for this one's.
        for file in ["animation.glb", "plot.svg", "summary.json"] {
            std::fs::write(out.join(file), "of an earlier run").unwrap();
        }
        let mut child = long_run(&out);
        let killed = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success() && !child.wait().unwrap().success());
        assert_readable(&out.join("trajectory.csv"), TRAJECTORY);
        assert_readable(&out.join("impacts.csv"), IMPACTS);
        let mut left: Vec<_> = std::fs::read_dir(&out).unwrap().map(|file| file.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["contacts.csv", "impacts.csv", "trajectory.csv"]);
    }
}

/// A disk that is full after some rows: the file ends with a whole one, and the command says what happened.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_rows() {
    let file = folder("run_full").join("impacts.csv");
    // Files of at most 100 blocks; writing more is an error instead of a signal.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" run gas --until 20 --impacts \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_impulse")]).arg(&file).current_dir(repository());
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.starts_with("error: ") && told.contains("impacts.csv: File too large"), "{told}");
    assert_readable(&file, IMPACTS);
    assert!(std::fs::read(&file).unwrap().ends_with(b"\n"), "half a row is left");
}

/// Every file that cannot be written is an error that names it, before or after the run.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_written_are_named() {
    let folder = folder("run_unwritable");
    let file = write(&folder, "a_file", "");
    let below = format!("{file}/out");
    for option in ["--csv", "--impacts", "--gltf", "--plot", "--summary"] {
        for (path, why) in [("/dev/full", "No space left"), (&below, ""), (folder.to_str().unwrap(), "directory")] {
            let run = impulse(&["run", "bounce", "--until", "1", option, path]);
            assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{option} {path}: {}", run.stderr);
            let named = run.stderr.starts_with("error: ") && run.stderr.contains(path.trim_end_matches("/out"));
            assert!(named && run.stderr.contains(why), "{option} {path}: {}", run.stderr);
        }
    }
    let run = impulse(&["run", "bounce", "--out", &file]);
    assert!(run.status == 1 && run.stderr.contains("a_file"), "{}", run.stderr);
}

/// A reader that goes away is no failure.
#[cfg(unix)]
#[test]
fn closed_pipes_are_no_failure() {
    let script = "\"$0\" run gas --until 3 --csv /dev/stdout | head -n 2; \"$0\" list | head -n 1";
    let mut command = Command::new("sh");
    let output = command.args(["-c", script, env!("CARGO_BIN_EXE_impulse")]).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with(TRAJECTORY) && told.lines().count() == 3, "{told}");
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

/// Two tables in one file would overwrite each other; a refused run leaves files as they were.
#[test]
fn refused_runs_leave_files_alone() {
    let file = folder("run_refused").join("table.csv");
    let name = file.to_str().unwrap();
    std::fs::write(&file, "precious\n").unwrap();
    let refusals: [(&[&str], i32, &str); 4] = [
        (&["--csv", name, "--impacts", name], 1, "--csv and --impacts both write"),
        (&["--csv", name, "--every", "1e-12"], 1, "give a larger one"),
        (&["--csv", name, "--until", "-1"], 2, "must be finite and not negative"),
        (&["--csv", name, "--envelope", "5"], 1, "hop_height"),
    ];
    for (options, status, message) in refusals {
        let found = impulse(&[&["run", "bounce"], options].concat());
        assert_eq!(found.status, status, "{options:?}: {}", found.stderr);
        assert!(found.stderr.contains(message), "{options:?}: {}", found.stderr);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious\n", "{options:?}");
    }
}

/// `-` is standard output: the table alone, byte for byte as in a file; the report goes to standard error.
#[test]
fn tables_can_go_to_standard_output() {
    let file = folder("run_stdout").join("trajectory.csv");
    run(&["bounce", "--until", "0.5", "--csv", file.to_str().unwrap()]);
    let found = impulse(&["run", "bounce", "--until", "0.5", "--csv", "-"]);
    assert_eq!((found.status, found.stdout), (0, std::fs::read_to_string(&file).unwrap()));
    assert!(found.stderr.contains("trace hash"), "{}", found.stderr);
}

/// Higher hops are fewer.
#[test]
fn the_envelope_can_be_set() {
    let microcollisions = |envelope: &str| {
        let file = folder("run_envelope").join("summary.json");
        run(&["conveyor", "--until", "0.2", "--envelope", envelope, "--summary", file.to_str().unwrap()]);
        let summary: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        summary["microcollisions"].as_u64().unwrap()
    };
    let (fine, coarse) = (microcollisions("1e-6"), microcollisions("1e-4"));
    assert!(fine > 8 * coarse && coarse > 0, "{fine} {coarse}");
}

#[test]
fn a_scene_without_bodies_is_refused() {
    let file = write(&folder("run_nothing"), "nothing.rhai", "duration(1);");
    let found = impulse(&["run", &file]);
    assert_eq!(found.status, 1);
    assert!(found.stderr.contains("has no bodies; add some with body("), "{}", found.stderr);
}

/// The script that is shown is the scene that runs.
#[test]
fn built_in_scripts_can_be_shown() {
    let shown = impulse(&["scene", "show", "bounce"]);
    assert_eq!(shown.status, 0);
    let file = write(&folder("run_shown"), "mine.rhai", &shown.stdout);
    let hash = |name: &str| {
        let found = impulse(&["run", name]);
        found.stdout.lines().find(|line| line.contains("trace hash")).map(str::to_owned).unwrap()
    };
    assert_eq!(hash(&file), hash("bounce"));
    assert_eq!(impulse(&["scene", "show", "bouncy"]).status, 2);
    assert!(impulse(&["list"]).stdout.contains("--set height="), "parameters are listed");
}

/// Creatures of the library are there for a scene of one's own, and the account tells what state they were in.
#[test]
fn a_shown_war_runs_from_a_folder_and_tells_states() {
    assert!(impulse(&["scene", "show", "builtin/bug.rhai"]).stdout.contains("behaviour(\"walk\""));
    let folder = folder("run_war");
    let file = write(&folder, "mine.rhai", &impulse(&["scene", "show", "creature_war"]).stdout);
    let summary = folder.join("summary.json");
    let found = run(&[&file, "--until", "0.1", "--set", "bugs=1", "--summary", summary.to_str().unwrap()]);
    assert!(found.stdout.contains("states of rover.control: fwd 0.1 s; at the end fwd"), "{}", found.stdout);
    let told: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(summary).unwrap()).unwrap();
    assert_eq!(told["states"]["bug 1.walk"]["times"].as_object().unwrap().len(), 1);
}

/// A behaviour that fails ends the run, and the files hold all that happened before.
#[test]
fn files_are_whole_up_to_where_a_behaviour_fails() {
    let folder = folder("run_behaviour");
    let scene = "body(\"ball\", sphere(0.1), #{ mass: 2 });
        report(\"calls\");
        behaviour(\"worker\", 4, |me| {
            me.memory.calls += 1;
            me.report(\"calls\", me.memory.calls);
            if me.time > 0.6 { me.body(\"ball\").set_force([0.0 / 0.0, 0, 0]); }
        }, #{ memory: #{ calls: 0 } });";
    let script = write(&folder, "scene.rhai", scene);
    let out = folder.join("out");
    let outcome = impulse(&["run", &script, "--out", out.to_str().unwrap(), "--every", "0.1"]);
    assert_eq!(outcome.status, 1, "{}", outcome.stderr);
    let told = ["behaviour `worker` at 0.75 s", "scene.rhai:6:", "is NaN: give a finite number"];
    assert!(told.iter().all(|piece| outcome.stderr.contains(piece)), "{}", outcome.stderr);
    let rows = rows(&out.join("trajectory.csv"), TRAJECTORY);
    let times: Vec<f64> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!((times.len(), times[7], times[8]), (9, 7.0 * 0.1, 0.75));
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["end"], &summary["simulated_s"]), (&"failed".into(), &0.75.into()));
    assert_eq!(summary["reports"]["calls"], 4);
    assert!(out.join("animation.glb").exists() && out.join("plot.svg").exists());
}
