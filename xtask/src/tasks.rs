//! All tasks: their names, their arguments and what they do; and the short ones themselves.

use crate::cargo::{ENGINE, announce, cargo, run, stage};
use crate::{bless, pgo, test, tidy, web};

/// A task of `cargo xtask`.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    arguments: &'static str,
    about: &'static str,
    pub(crate) run: fn(&[String]) -> Result<(), String>,
}

/// The tasks in the order of the help text.
pub(crate) const TASKS: [Task; 9] = [
    Task {
        name: "test",
        arguments: "[STAGE]...",
        about: "everything that must hold, or the stages named; missing tools are installed",
        run: test::test,
    },
    Task {
        name: "tidy",
        arguments: "",
        about: "style that a machine can check: lengths, headers, circles of imports, kinds of motion, layers",
        run: |_| tidy::tidy(),
    },
    Task {
        name: "fuzz",
        arguments: "[SECONDS]",
        about: "random and mutated STL and OBJ files against the part readers (20 s by default)",
        run: fuzz,
    },
    Task {
        name: "bench",
        arguments: "[NAME]...",
        about: "all benches, or those named: times and counted work",
        run: bench,
    },
    Task {
        name: "peers",
        arguments: "[COUNT]... [--balls]",
        about: "piles of boxes or balls here and in rapier3d-f64, in one run; builds rapier first",
        run: peers,
    },
    Task {
        name: "strikes",
        arguments: "",
        about: "the bowling experiments of thesis section 7.1 into docs/strikes.*; takes half an hour",
        run: |_| strikes(),
    },
    Task {
        name: "web",
        arguments: "",
        about: "the viewer's page into crates/viewer/web/dist, also as one file: impulse.html",
        run: |_| web::build(),
    },
    Task {
        name: "pgo",
        arguments: "[SCENE]...",
        about: "the command built twice, the second time for what the first did in the built-in scenes, or in those named",
        run: pgo::pgo,
    },
    Task {
        name: "bless",
        arguments: "REASON",
        about: "renews the trace hashes and notes in the changelog which trajectories changed and why",
        run: bless::bless,
    },
];

/// Benches by name, with the package of each.
const BENCHES: [(&str, &str); 25] = [
    ("mass", ENGINE),
    ("closest", ENGINE),
    ("shapes", ENGINE),
    ("judge", ENGINE),
    ("impact", ENGINE),
    ("checks", ENGINE),
    ("shots", ENGINE),
    ("motion", ENGINE),
    ("broad_phase", ENGINE),
    ("gas", ENGINE),
    ("elsewhere", ENGINE),
    ("rack", ENGINE),
    ("soft_blow", ENGINE),
    ("load_part", "impulse-scenes"),
    ("behaviour", "impulse-scenes"),
    ("random_rest", ENGINE),
    ("struck", ENGINE),
    ("random_scenes", "impulse-scenes"),
    ("tilt", "impulse-cli"),
    ("creature_war", "impulse-cli"),
    ("bicycle", "impulse-cli"),
    ("drops", "impulse-lab"),
    ("decisions", "impulse-lab"),
    ("coverage", "impulse-lab"),
    ("dice", "impulse-lab"),
];

/// A line for each task.
pub(crate) fn help() -> String {
    let line = |task: &Task| {
        let usage = format!("{} {}", task.name, task.arguments);
        format!("cargo xtask {usage:<16} {}\n", task.about)
    };
    TASKS.iter().map(line).collect()
}

fn fuzz(arguments: &[String]) -> Result<(), String> {
    let seconds = arguments.first().map_or("20", String::as_str);
    run(cargo(&["bench", "--quiet", "--package", "impulse-scenes", "--bench", "fuzz_parts", "--", seconds]))
}

fn bench(names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|n| BENCHES.iter().all(|(name, _)| name != n)) {
        let known: Vec<_> = BENCHES.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no bench {unknown}; the benches are {}", known.join(", ")));
    }
    for (name, package) in BENCHES {
        if names.is_empty() || names.iter().any(|n| n == name) {
            stage(name, &["bench", "--quiet", "--package", package, "--bench", name])?;
        }
    }
    Ok(())
}

fn peers(arguments: &[String]) -> Result<(), String> {
    let mut command = cargo(&["run", "--release", "--quiet", "--manifest-path", "peers/Cargo.toml", "--"]);
    command.args(arguments);
    run(command)
}

fn strikes() -> Result<(), String> {
    run(cargo(&[
        "run",
        "--release",
        "--quiet",
        "--package",
        "impulse-cli",
        "--",
        "strikes",
        "--throws",
        "1600",
        "--out",
        "docs",
    ]))
}

/// Runs one integration test of a package; with `renew` it writes its table of trace hashes instead of comparing.
pub(crate) fn run_test(package: &str, test: &str, renew: bool) -> Result<(), String> {
    announce(&format!("{test} of {package}"));
    let mut command = cargo(&["test", "--quiet", "--package", package, "--test", "it", "--", test]);
    if renew {
        command.env("IMPULSE_BLESS", "1");
    }
    run(command)
}
