//! `impulse run` and `impulse list`: what is written, to the last digit, and what is said.

use crate::support::{Outcome, folder, impulse, impulse_in, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) const TRAJECTORY: &str = "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
pub(crate) const IMPACTS: &str = "t,body1,body2,x,y,z,nx,ny,nz,px,py,pz,ux0,uy0,uz0,ux1,uy1,uz1,energy_lost,mode,micro";

/// A ball thrown in empty space past a spinning plate: every state has a closed form.
const FLIGHT: &str = r#"
duration(0.25);
gravity(0, 0, -10);
body("ball, small", sphere(0.05), #{ at: [0.1, 0, 2], velocity: [1, 2, 3], spin: [0, 0, 4], mass: 2 });
body("plate", cuboid(1, 1, 0.02), #{ at: [0, 30, 0], script: spinner([0, 0, 1], 6) });
"#;

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let run = impulse(&[&["run"], arguments].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.stderr, "", "progress is for terminals");
    run
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Rows after the header, which must be as given; a field in quotes may hold a comma.
pub(crate) fn rows(path: &Path, header: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(header));
    lines.map(fields).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut quoted = false;
    let mut fields = vec![String::new()];
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

pub(crate) fn numbers(fields: &[String]) -> Vec<f64> {
    fields.iter().map(|field| field.parse().unwrap()).collect()
}

#[test]
fn rows_are_at_multiples_and_at_the_end() {
    let folder = folder("run_rows");
    let (scene, csv) = (write(&folder, "flight.rhai", FLIGHT), folder.join("new/folder/t.csv"));
    for (until, wanted) in [
        (None, vec![0.0, 0.1, 0.2, 0.25]),
        (Some("0.2"), vec![0.0, 0.1, 0.2]),
        // 3 * 0.1 is more than 0.3 by an ulp.
        (Some("0.3"), vec![0.0, 0.1, 0.2, 0.3]),
        (Some("0"), vec![0.0]),
    ] {
        let mut arguments = vec![&scene, "--every", "0.1", "--csv", csv.to_str().unwrap()];
        arguments.extend(until.iter().flat_map(|until| ["--until", until]));
        run(&arguments);
        let rows = rows(&csv, TRAJECTORY);
        assert!(rows.iter().all(|row| row.len() == 15));
        for (body, name) in ["ball, small", "plate"].iter().enumerate() {
            let times: Vec<f64> = rows.iter().filter(|r| r[1] == *name).map(|r| r[0].parse().unwrap()).collect();
            assert_eq!(times, wanted);
            assert_eq!(rows[body][1], *name);
        }
    }
}

#[test]
fn states_are_those_of_the_closed_forms() {
    let folder = folder("run_states");
    let (scene, csv) = (write(&folder, "flight.rhai", FLIGHT), folder.join("t.csv"));
    run(&[&scene, "--every", "0.05", "--csv", csv.to_str().unwrap()]);
    for row in rows(&csv, TRAJECTORY) {
        let t: f64 = row[0].parse().unwrap();
        let ball = row[1] == "ball, small";
        let (rate, at, v) = if ball {
            (4.0, [0.1 + t, 2.0 * t, 2.0 + 3.0 * t - 5.0 * t * t], [1.0, 2.0, 3.0 - 10.0 * t])
        } else {
            (6.0, [0.0, 30.0, 0.0], [0.0; 3])
        };
        let (cosine, sine) = ((rate * t / 2.0).cos(), (rate * t / 2.0).sin());
        let wanted = [at[0], at[1], at[2], cosine, 0.0, 0.0, sine, v[0], v[1], v[2], 0.0, 0.0, rate];
        for (column, (got, wanted)) in numbers(&row[2..]).iter().zip(wanted).enumerate() {
            assert!((got - wanted).abs() < 1e-14, "t = {t}, column {column}: {got} instead of {wanted}");
        }
    }
}

/// The first bounce: time, place, impulse and velocities from the height alone; and the numbers read back to what was summed.
#[test]
fn impacts_of_a_bouncing_ball() {
    let folder = folder("run_impacts");
    run(&["bounce", "--set", "restitution=0.5", "--out", folder.to_str().unwrap()]);
    let rows = rows(&folder.join("impacts.csv"), IMPACTS);
    let first = &rows[0];
    assert_eq!((first[1].as_str(), first[2].as_str()), ("floor", "ball"));
    assert_eq!((first[19].as_str(), first[20].as_str()), ("stick", "false"));
    let n = numbers(&[&first[..1], &first[3..19]].concat());
    let (fall, speed) = ((2.0 / 9.81_f64).sqrt(), (2.0 * 9.81_f64).sqrt());
    let mass = 1100.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64.powi(3);
    let close = |got: f64, wanted: f64| assert!((got - wanted).abs() < 1e-8, "{got} instead of {wanted}");
    close(n[0], fall);
    // The normal points from the second body, the ball, to the floor, and the impulse is the floor's.
    close(n[6], -1.0);
    close(n[9], -1.5 * mass * speed);
    close(n[12], speed);
    close(n[15], -0.5 * speed);
    close(n[16], 0.5 * mass * speed * speed * 0.75);
    let lost: f64 = rows.iter().map(|row| row[18].parse::<f64>().unwrap()).sum();
    let summary = json(&folder.join("summary.json"));
    let difference = summary["energy_initial"].as_f64().unwrap() - summary["energy_final"].as_f64().unwrap();
    assert!((lost - difference).abs() < 1e-5 * difference, "{lost} J lost in impacts, {difference} J between the ends");
    let micro = rows.iter().filter(|row| row[20] == "true").count() as u64;
    assert_eq!(summary["microcollisions"], micro);
    assert_eq!(summary["collisions"], rows.len() as u64 - micro);
}

#[test]
fn summaries_hold_what_scripts_read() {
    let file = folder("run_summary").join("s.json");
    let run =
        run(&["minimum", "--until", "20", "--seed", "7", "--set", "height=0.5", "--summary", file.to_str().unwrap()]);
    let summary = json(&file);
    for name in ["events", "checks", "collisions", "microcollisions", "hops", "measurements"] {
        assert!(summary[name].as_u64().unwrap() > 0, "{name}");
    }
    assert_eq!(
        (&summary["scene"], &summary["seed"], &summary["simulated_s"]),
        (&"minimum".into(), &7.into(), &20.0.into())
    );
    assert_eq!(summary["params"]["height"], "0.5");
    assert!(summary["min_separation"].as_f64().unwrap() >= 0.0 && summary["cpu_s"].as_f64().unwrap() >= 0.0);
    assert!(summary["energy_final"].as_f64().unwrap() < summary["energy_initial"].as_f64().unwrap());
    assert!(summary["energy_rise"].as_f64().unwrap() <= summary["energy_allowance"].as_f64().unwrap());
    assert!(
        summary["busiest_tenth_events"].as_u64().unwrap() > 0 && summary["busiest_tenth_s"].as_f64().unwrap() > 0.0
    );
    assert_eq!(summary["unconverged"], 0);
    assert!(run.stdout.contains("J, within the") && run.stdout.contains("most in 0.1 s"), "{}", run.stdout);
    assert_eq!(summary["trace_hash"].as_str().unwrap().len(), 16);
    // The ball rolls up to the cube and pushes it until both stop.
    assert_eq!((summary["free"].as_u64(), summary["settled"].as_u64()), (Some(2), Some(2)));
    assert!(run.stdout.contains("2 of 2 free bodies rest"), "{}", run.stdout);
}

/// Looking does not change what happens, and the same run is the same to the bit.
#[test]
fn sampling_changes_nothing() {
    let folder = folder("run_again");
    let hash = |name: &str, every: &str| {
        let out = folder.join(name);
        run(&["pool_break", "--until", "0.3", "--every", every, "--out", out.to_str().unwrap()]);
        let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
        (json(&out.join("summary.json"))["trace_hash"].clone(), text.lines().last().unwrap().to_owned())
    };
    let fine = hash("fine", "0.0007");
    assert_eq!(fine, hash("coarse", "1"));
    assert_eq!(fine, hash("again", "0.0007"));
}

#[test]
fn failures_say_what_and_how_to_mend_it() {
    let folder = folder("run_errors");
    let overlap = "body(\"a\", sphere(1), #{ mass: 1 }); body(\"b\", sphere(1), #{ mass: 1, at: [0.5, 0, 0] });";
    let endless = write(&folder, "endless.rhai", "let n = 0;\nloop { n += 1; }");
    let overlap = write(&folder, "overlap.rhai", overlap);
    let greedy = write(&folder, "greedy.rhai", "let a = [];\n\na.pad(1000000000, 0);");
    let meshless = write(&folder, "meshless.rhai", "body(\"part\", mesh(\"none.stl\"), #{ density: 1 });");
    let confused = write(&folder, "confused.rhai", "\nbody(\"b\", sphere(\"big\"), #{ mass: 1 });");
    let unknown = write(&folder, "unknown.rhai", "body(\"b\", shpere(1), #{ mass: 1 });");
    for (arguments, wanted) in [
        (vec!["missing.rhai"], "missing.rhai: cannot read"),
        (vec![endless.as_str()], "endless.rhai:2"),
        (vec![greedy.as_str()], "greedy.rhai:3"),
        (vec![meshless.as_str()], "none.stl"),
        (vec![confused.as_str()], "confused.rhai:2:11: sphere: radius must be a number, not the text \"big\""),
        (vec![unknown.as_str()], "unknown.rhai:1:11: unknown function `shpere`; did you mean `sphere`?"),
        (vec!["bounse"], "did you mean `bounce`"),
        (vec![overlap.as_str()], "overlap.rhai: bodies \"a\" and \"b\" overlap at the start by about 1.5"),
        (vec!["bounce", "--set", "hight=2"], "`height`"),
        (vec!["bounce", "--every", "1e-300", "--csv", "/dev/null"], "--every"),
    ] {
        let run = impulse(&[vec!["run"], arguments.clone()].concat());
        assert_eq!(run.status, 1, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(wanted), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty() && !run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn wrong_usage_of_run_is_status_2() {
    for arguments in [
        vec!["run"],
        vec!["run", "bounce", "--every", "0"],
        vec!["run", "bounce", "--until", "-1"],
        vec!["run", "bounce", "--set", "height"],
        vec!["run", "bounce", "--loud"],
        vec!["run", "bounce", "--mean-velocities"],
        vec!["list", "everything"],
    ] {
        let run = impulse(&arguments);
        assert_eq!(run.status, 2, "{arguments:?}");
        assert!(!run.stderr.is_empty());
    }
}

#[test]
fn quiet_runs_say_nothing() {
    assert_eq!(run(&["bounce", "--quiet"]).stdout, "");
    let told = run(&["bounce"]).stdout;
    for text in ["2 bodies", "collisions", "first collision: floor and ball at 0.4515236 s", "ball", "at rest"] {
        assert!(told.contains(text), "{text} is missing in\n{told}");
    }
}

#[test]
fn the_list_names_every_scene_and_each_loads() {
    let list: Value = serde_json::from_str(&impulse(&["list", "--json"]).stdout).unwrap();
    let table = impulse(&["list"]).stdout;
    let scenes: BTreeMap<&str, &Value> =
        list.as_array().unwrap().iter().map(|scene| (scene["name"].as_str().unwrap(), scene)).collect();
    // Parameters stand below their scene, indented.
    assert_eq!(scenes.len(), table.lines().filter(|line| !line.starts_with(' ')).count());
    for (name, scene) in &scenes {
        assert!(table.contains(name) && table.contains(scene["description"].as_str().unwrap()));
        assert!(scene["duration"].as_f64().unwrap() > 0.0 && scene["section"].is_string());
        run(&[name, "--until", "0", "--quiet"]);
    }
    let params = scenes["bounce"]["params"].as_array().unwrap();
    assert_eq!(params[0]["name"], "height");
    for command in ["run", "list"] {
        assert!(impulse(&["--help"]).stdout.contains(&format!("  {command} ")), "{command}");
    }
}

#[test]
fn the_first_command_of_the_readme_works() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let command = readme.lines().find_map(|line| line.strip_prefix("cargo run --release -- ")).unwrap();
    let arguments: Vec<&str> = command.split('#').next().unwrap().split_whitespace().collect();
    let folder = folder("run_readme");
    let run = impulse_in(&folder, &arguments);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let out = folder.join(arguments.last().unwrap());
    for file in ["trajectory.csv", "impacts.csv", "contacts.csv", "animation.glb", "plot.svg", "summary.json"] {
        assert!(out.join(file).metadata().unwrap().len() > 100, "{file}");
        assert!(run.stdout.contains(&format!("wrote {}/{file}", arguments.last().unwrap())), "{}", run.stdout);
    }
}

#[test]
fn a_plot_shows_energies_and_rates() {
    let plot = folder("run_plot").join("new/bounce.svg");
    let told = run(&["bounce", "--until", "1", "--plot", plot.to_str().unwrap()]).stdout;
    assert!(told.contains("bounce.svg"), "{told}");
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for name in ["total", "kinetic", "potential", "checks of pairs", "microcollisions", "collisions", "time  (s)"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}");
    }
    // Three energies at 101 samples, three rates of two points between each pair of them.
    let lines = svg.lines().filter_map(|line| line.strip_prefix("<path d=\"M")).map(|path| path.matches(" L").count());
    assert_eq!(lines.filter(|&n| n > 0).collect::<Vec<_>>(), [100, 100, 100, 199, 199, 199]);
    // Nothing happens in no time.
    run(&["bounce", "--until", "0", "--quiet", "--plot", plot.to_str().unwrap()]);
    assert!(!std::fs::read_to_string(&plot).unwrap().contains("NaN"));
}
