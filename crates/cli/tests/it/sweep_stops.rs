//! `impulse sweep`: studies that are stopped, killed or run out of room go on as if they had not been.
#![cfg(unix)]

use crate::support::{folder, impulse_in};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Some milliseconds a trial.
const SCENE: &str = "duration(0.6);
let wood = material(#{ friction: 0.5, restitution: 0.3 });
body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: wood });
body(\"box\", cuboid(0.1, 0.08, 0.06), #{ at: [0, 0, 0.2], rotation: rand_rotation(), density: 700, material: wood });
report(\"level\", |w| w.body(\"box\").centre[2]);
";

const STUDY: [&str; 8] = ["sweep", "a.rhai", "--trials", "200", "--threads", "2", "--out", "s"];

/// How long a study may take to begin, before the test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

fn begun(folder: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_impulse"))
        .args(STUDY)
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The number of files with trials that are done.
fn files(folder: &Path) -> usize {
    let whole = |name: &str| name.ends_with(".jsonl");
    let entries = std::fs::read_dir(folder.join("s/shards")).into_iter().flatten();
    entries.filter(|entry| whole(&entry.as_ref().unwrap().file_name().to_string_lossy())).count()
}

/// Waits until there are more files than `before`, and returns how many; or the study has ended.
fn wait_for_more(study: &mut Child, folder: &Path, before: usize) -> usize {
    let since = Instant::now();
    while files(folder) <= before && study.try_wait().unwrap().is_none() {
        assert!(since.elapsed() < PATIENCE, "no trial is done");
        std::thread::sleep(Duration::from_millis(2));
    }
    files(folder)
}

fn unbroken(name: &str) -> [Vec<u8>; 2] {
    let folder = folder(name);
    std::fs::write(folder.join("a.rhai"), SCENE).unwrap();
    assert_eq!(impulse_in(&folder, &STUDY).status, 0);
    tables(&folder)
}

fn tables(folder: &Path) -> [Vec<u8>; 2] {
    ["trials.csv", "trials.parquet"].map(|name| std::fs::read(folder.join("s").join(name)).unwrap())
}

#[test]
fn a_study_that_is_stopped_and_killed_goes_on() {
    let expected = unbroken("sweep-unbroken");
    let folder = folder("sweep-broken");
    std::fs::write(folder.join("a.rhai"), SCENE).unwrap();
    // Ctrl-C: what has begun is finished and kept.
    let mut study = begun(&folder, &[]);
    let mut done = wait_for_more(&mut study, &folder, 0);
    assert!(Command::new("kill").args(["-INT", &study.id().to_string()]).status().unwrap().success());
    let told = study.wait_with_output().unwrap();
    let text = String::from_utf8(told.stderr).unwrap();
    assert_eq!(
        (told.status.code(), text.as_str()),
        (Some(1), "error: stopped; what is done stays: go on with --resume\n")
    );
    assert!(!folder.join("s/trials.csv").exists());
    // Killed twice, it loses what was not yet in place.
    for _ in 0..2 {
        let mut study = begun(&folder, &["--resume"]);
        done = wait_for_more(&mut study, &folder, done);
        study.kill().unwrap();
        study.wait().unwrap();
    }
    assert!(!folder.join("s/trials.csv").exists(), "the study was over before it was killed");
    assert_eq!(begun(&folder, &["--resume"]).wait().unwrap().code(), Some(0));
    assert!(tables(&folder) == expected);
}

/// Runs the study where no file may be larger than so many blocks of 512 bytes: to the command this is as a full disk.
fn cramped(folder: &Path, blocks: u32) -> String {
    let told = Command::new("sh")
        .args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_impulse")])
        .args(STUDY)
        .arg("--resume")
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(told.status.code(), Some(1));
    String::from_utf8(told.stderr).unwrap()
}

#[test]
fn a_full_disk_leaves_a_study_that_goes_on() {
    let expected = unbroken("sweep-room");
    let folder = folder("sweep-cramped");
    std::fs::write(folder.join("a.rhai"), SCENE).unwrap();
    // No room for trials: nothing half-written is left. Room for trials, but not for the tables.
    for (blocks, name) in [(1, "s/shards/0"), (8, "s/trials.csv")] {
        let told = cramped(&folder, blocks);
        assert!(told.starts_with(&format!("error: cannot write {name}")), "{told}");
        assert!(told.contains("(what is done stays: go on with --resume)"), "{told}");
        let left =
            std::fs::read_dir(folder.join("s/shards")).unwrap().chain(std::fs::read_dir(folder.join("s")).unwrap());
        assert!(left.flatten().all(|file| !file.file_name().to_string_lossy().ends_with(".unfinished")));
        assert!(!folder.join("s/trials.csv").exists());
    }
    // All trials are there once, in however many files a busy machine has put them.
    let texts = std::fs::read_dir(folder.join("s/shards")).unwrap().map(|file| file.unwrap().path());
    let trials: usize = texts.map(|path| std::fs::read_to_string(path).unwrap().lines().count()).sum();
    assert_eq!(trials, 200);
    assert_eq!(begun(&folder, &["--resume"]).wait().unwrap().code(), Some(0));
    assert!(tables(&folder) == expected);
}
