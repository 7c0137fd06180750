//! `impulse sweep`: the same tables however a study is run, and what is refused.

use crate::support::{Outcome, folder, impulse_in};
use std::path::Path;

const SCENE: &str = "duration(0.5);
let wood = material(#{ friction: 0.4, restitution: param(\"bounce\", 0.4) });
body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: wood });
body(\"box\", cuboid(0.1, 0.08, 0.06), #{ at: [0, 0, param(\"height\", 0.2)], rotation: rand_rotation(), density: 700, material: wood });
report(\"level\", |w| w.body(\"box\").centre[2]);
report(\"side\", |w| if w.body(\"box\").direction([0, 0, 1])[2] > 0 { \"up\" } else { \"down\" });
report_when(\"first\", |w| w.impacts(\"box\", \"floor\").count > 0, |w| w.time);
";

const VARIED: [&str; 8] =
    ["sweep", "a.rhai", "--vary", "height=0.1..0.4:4", "--vary", "bounce=0.2..0.6", "--samples", "5"];

fn sweep(folder: &Path, more: &[&str]) -> Outcome {
    impulse_in(folder, &[&VARIED, more].concat())
}

#[track_caller]
fn works(told: &Outcome) {
    assert_eq!((told.status, told.stderr.as_str()), (0, ""), "{}", told.stdout);
}

fn tables(folder: &Path, study: &str) -> [Vec<u8>; 2] {
    ["trials.csv", "trials.parquet"].map(|name| std::fs::read(folder.join(study).join(name)).unwrap())
}

fn scene_folder(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("a.rhai"), SCENE).unwrap();
    folder
}

#[test]
fn threads_parts_and_interruptions_change_no_byte() {
    let folder = scene_folder("sweep-same");
    works(&sweep(&folder, &["--trials", "3", "--threads", "1", "--out", "one"]));
    let expected = tables(&folder, "one");
    let text = String::from_utf8(expected[0].clone()).unwrap();
    assert_eq!(text.lines().next(), Some("trial,seed,height,bounce,level,side,first,end,error,trace_hash"));
    assert_eq!(text.lines().count(), 1 + 4 * 5 * 3);
    for threads in ["2", "5"] {
        works(&sweep(&folder, &["--trials", "3", "--threads", threads, "--out", threads]));
        assert!(tables(&folder, threads) == expected);
    }
    for (part, out) in [("1/3", "a"), ("2/3", "b"), ("3/3", "c")] {
        let told = sweep(&folder, &["--trials", "3", "--shard", part, "--out", out, "--quiet"]);
        works(&told);
        assert_eq!(told.stdout, "");
    }
    // A part alone is no study.
    let told = impulse_in(&folder, &["sweep", "--merge", "a", "c", "--out", "merged"]);
    assert!(
        told.status == 1 && told.stderr.contains("20 trials are missing: merge the other parts"),
        "{}",
        told.stderr
    );
    works(&impulse_in(&folder, &["sweep", "--merge", "a", "b", "c", "--out", "merged"]));
    assert!(tables(&folder, "merged") == expected);
    // Some of the trials are lost, and a file was being written.
    let shards: Vec<_> =
        std::fs::read_dir(folder.join("one/shards")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(shards.len() > 3);
    shards.iter().step_by(2).for_each(|shard| std::fs::remove_file(shard).unwrap());
    std::fs::write(folder.join("one/shards/000000000000-000000000008.jsonl.unfinished"), "[0,").unwrap();
    works(&sweep(&folder, &["--trials", "3", "--threads", "2", "--out", "one", "--resume"]));
    assert!(tables(&folder, "one") == expected);
}

/// A trial of a study and `impulse run` with its seed and parameters are the same run.
#[test]
fn a_trial_is_repeated_by_its_command() {
    let folder = scene_folder("sweep-repeat");
    works(&sweep(&folder, &["--out", "s"]));
    let text = std::fs::read_to_string(folder.join("s/trials.csv")).unwrap();
    let cells: Vec<&str> = text.lines().nth(7).unwrap().split(',').collect();
    let set = [format!("height={}", cells[2]), format!("bounce={}", cells[3])];
    let told = impulse_in(
        &folder,
        &["run", "a.rhai", "--seed", cells[1], "--set", &set[0], "--set", &set[1], "--summary", "s.json"],
    );
    works(&told);
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("s.json")).unwrap()).unwrap();
    assert_eq!(summary["trace_hash"], cells[9]);
    assert_eq!(summary["reports"]["level"].as_f64().unwrap(), cells[4].parse::<f64>().unwrap());
    assert_eq!(summary["reports"]["side"], cells[5]);
    let page = std::fs::read_to_string(folder.join("s/study.html")).unwrap();
    for text in [
        "What matters",
        "Highest level",
        "side = up",
        "20 trials; none failed",
        "impulse run a.rhai --set height=",
        "<svg",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("http://") || page.matches("http").count() == page.matches("http://www.w3.org").count());
}

#[test]
fn trials_that_fail_are_rows() {
    let folder = scene_folder("sweep-fail");
    let told = impulse_in(&folder, &["sweep", "a.rhai", "--vary", "height=-0.1,0.2", "--out", "f"]);
    assert_eq!(told.status, 0, "{}", told.stderr);
    let text = std::fs::read_to_string(folder.join("f/trials.csv")).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert!(rows[0].contains("failed,") && rows[0].contains("overlap at the start"), "{}", rows[0]);
    assert!(rows[0].contains("repeat it: impulse run a.rhai --set height=-0.1 --seed "), "{}", rows[0]);
    assert!(rows[1].contains(",duration,,"), "{}", rows[1]);
    let told = impulse_in(&folder, &["sweep", "a.rhai", "--vary", "height=0.2,0.3", "--limit", "3", "--out", "l"]);
    assert_eq!(told.status, 1);
    let text = std::fs::read_to_string(folder.join("l/trials.csv")).unwrap();
    assert!(text.lines().skip(1).all(|row| row.contains(",limit,more than 3 events;")), "{text}");
}

#[test]
fn studies_that_cannot_be_are_refused_and_write_nothing() {
    let folder = scene_folder("sweep-refused");
    for (more, told) in [
        (&["--vary", "heigth=1,2"][..], "has no parameter `heigth`; did you mean `height`?"),
        (&["--vary", "height=NaN"], "`NaN` is not a finite number"),
        (&["--vary", "height=0..1:1e12"], "`1e12` is no number of values"),
        (&["--vary", "height=0..1:1000000", "--vary", "bounce=0..1:1000000"], "1.000e12 trials"),
        (&["--vary", "height=0.1..0.2"], "say how often with --samples"),
        (&["--vary", "height=0.1,0.2", "--set", "height=1"], "both set and varied"),
        (&["--vary", "height=0.1,0.2", "--goal", "levle"], "no report `levle`; it has level, side, first"),
        (&["--vary", "height=gauss(0,1)", "--samples", "3"], "there is no distribution `gauss`"),
    ] {
        let outcome = impulse_in(&folder, &[&["sweep", "a.rhai", "--out", "no"], more].concat());
        assert_eq!(outcome.status, 1, "{more:?}");
        assert!(outcome.stderr.contains(told), "{more:?}: {}", outcome.stderr);
        assert!(!folder.join("no").exists(), "{more:?}");
    }
    let dry = sweep(&folder, &["--out", "no", "--dry-run"]);
    works(&dry);
    assert!(dry.stdout.starts_with("20 trials of a.rhai\n") && !folder.join("no").exists(), "{}", dry.stdout);
}

#[test]
fn another_study_in_the_folder_is_refused() {
    let folder = scene_folder("sweep-other");
    works(&sweep(&folder, &["--out", "s"]));
    let refused = |more: &[&str], told: &str| {
        let outcome = sweep(&folder, more);
        assert!(outcome.status == 1 && outcome.stderr.contains(told), "{}", outcome.stderr);
    };
    refused(&["--out", "s"], "holds a study already: go on with it by --resume");
    refused(&["--out", "s", "--resume", "--seed", "1"], "its `seed` is 0, not 1");
    let lock = std::fs::OpenOptions::new().append(true).open(folder.join("s/lock")).unwrap();
    lock.try_lock().unwrap();
    refused(&["--out", "s", "--resume"], "another process is writing this study");
    drop(lock);
    std::fs::write(folder.join("a.rhai"), format!("{SCENE} ")).unwrap();
    refused(&["--out", "s", "--resume"], "its script differs (a blank is enough)");
}

#[test]
fn plans_are_read_from_files() {
    let folder = scene_folder("sweep-plan");
    let plan = "scene = \"a.rhai\"\nsamples = 5\n[vary]\nheight = \"0.1..0.4:4\"\nbounce = \"uniform(0.2, 0.6)\"\n";
    std::fs::write(folder.join("p.toml"), plan).unwrap();
    works(&impulse_in(&folder, &["sweep", "p.toml", "--out", "p"]));
    works(&sweep(&folder, &["--out", "s"]));
    assert!(tables(&folder, "p")[0] == tables(&folder, "s")[0]);
    std::fs::write(folder.join("q.toml"), "scene = \"a.rhai\"\nsample = 5\n").unwrap();
    let told = impulse_in(&folder, &["sweep", "q.toml", "--out", "q"]);
    assert!(told.status == 1 && told.stderr.contains("unknown field `sample`"), "{}", told.stderr);
}
