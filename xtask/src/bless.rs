//! `cargo xtask bless REASON`: renews the tables of trace hashes, and notes in the changelog which trajectories changed and why.

use crate::{files, tasks};
use std::collections::BTreeMap;
use std::fs;

/// Tables in `tests/data`, with the package whose tests write each and a prefix for its scenes in the changelog.
const TABLES: [(&str, &str, &str); 2] = [
    ("trace_hashes_engine.txt", "impulse-sim", "the engine's test "),
    ("trace_hashes_scenes.txt", "impulse-scenes", ""),
];

/// The package and the test that compare physical figures of scenes with a table.
const PHYSICS: (&str, &str) = ("impulse-scenes", "physical_figures_hold");
const PHYSICS_CHANGED: &str = "nothing is blessed: physical figures changed by more than rounding accounts for. \
    If that is meant, edit tests/data/physics_scenes.txt by hand first, as its head says";

const CHANGELOG: &str = "CHANGELOG.md";
const HEADING: &str = "### Changed trajectories";
const NONE: &str = "- None so far.";

/// Hashes by name.
type Hashes = BTreeMap<String, String>;

pub(crate) fn bless(reason: &[String]) -> Result<(), String> {
    let reason = stated(reason)?;
    // Physical figures are not renewed: a change beyond rounding must be entered there by hand first.
    tasks::run_test(PHYSICS.0, PHYSICS.1, false).map_err(|e| format!("{e}\n{PHYSICS_CHANGED}"))?;
    let before = hashes()?;
    TABLES.iter().try_for_each(|(_, package, _)| tasks::run_test(package, "traces_have_not_changed", true))?;
    let after = hashes()?;
    let changed = changed(&before, &after);
    let count = |from: &Hashes, to: &Hashes| to.keys().filter(|name| !from.contains_key(*name)).count();
    let (new, gone) = (count(&before, &after), count(&after, &before));
    println!("bless: {} traces, {} changed, {new} new, {gone} gone", after.len(), changed.len());
    if changed.is_empty() {
        return Ok(());
    }
    let path = files::root().join(CHANGELOG);
    let line = entry(&changed, &reason);
    println!("{CHANGELOG}: {line}");
    let text = noted(&files::read(&path)?, &line)?;
    fs::write(&path, text).map_err(|e| format!("{CHANGELOG}: {e}"))
}

/// The reason as one sentence without its full stop.
fn stated(reason: &[String]) -> Result<String, String> {
    let reason = reason.join(" ");
    let reason = reason.trim().trim_end_matches('.');
    if reason.is_empty() {
        return Err("say why the trajectories change, for the changelog: cargo xtask bless \"shorter hops\"".to_owned());
    }
    Ok(reason.to_owned())
}

fn hashes() -> Result<Hashes, String> {
    let mut all = Hashes::new();
    for (file, _, kind) in TABLES {
        let path = files::root().join("tests/data").join(file);
        let text = files::read(&path)?;
        all.extend(parsed(&text).map(|(name, hash)| (format!("{kind}{name}"), hash)));
    }
    Ok(all)
}

/// Names and what follows them.
fn parsed(text: &str) -> impl Iterator<Item = (String, String)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).map(|(name, rest)| (name.to_owned(), rest.to_owned()))
}

fn changed(before: &Hashes, after: &Hashes) -> Vec<String> {
    let differs = |(name, hash): &(&String, &String)| before.get(*name).is_some_and(|old| old != *hash);
    after.iter().filter(differs).map(|(name, _)| name.clone()).collect()
}

fn entry(changed: &[String], reason: &str) -> String {
    format!("- {}: {reason}.", changed.join(", "))
}

/// The changelog with a line in its newest section of changed trajectories.
fn noted(text: &str, line: &str) -> Result<String, String> {
    let (head, rest) = text
        .split_once(&format!("{HEADING}\n"))
        .ok_or_else(|| format!("{CHANGELOG} has no heading `{HEADING}`; add one below `## Unreleased`"))?;
    let rest = rest.strip_prefix(&format!("{NONE}\n")).unwrap_or(rest);
    Ok(format!("{head}{HEADING}\n{line}\n{rest}"))
}

#[cfg(test)]
mod tests {
    use super::{Hashes, changed, entry, noted, parsed, stated};

    #[test]
    fn only_what_was_there_before_can_change() {
        let before: Hashes = parsed("# head\na 1 ff\nb 1 1\nd 1 4\n").collect();
        let after: Hashes = parsed("# head\na 1 fe\nb 1 1\nc 1 3\nd 2 4\n").collect();
        assert_eq!(changed(&before, &after), ["a", "d"]);
        assert_eq!(changed(&before, &before), [""; 0]);
    }

    #[test]
    fn lines_name_the_scenes_and_the_reason() {
        let names = ["a".to_owned(), "b".to_owned()];
        let reason = stated(&["tighter".to_owned(), "hops.".to_owned()]).unwrap();
        assert_eq!(entry(&names, &reason), "- a, b: tighter hops.");
    }

    #[test]
    fn a_reason_is_demanded() {
        for none in [&[][..], &[" ".to_owned()], &[".".to_owned()]] {
            assert!(stated(none).unwrap_err().contains("cargo xtask bless \""));
        }
    }

    #[test]
    fn the_newest_section_gets_the_line() {
        let text =
            "# Changelog\n\n### Changed trajectories\n- None so far.\n\n## 0.1\n### Changed trajectories\n- x.\n";
        let once = noted(text, "- a.").unwrap();
        assert_eq!(once, "# Changelog\n\n### Changed trajectories\n- a.\n\n## 0.1\n### Changed trajectories\n- x.\n");
        assert_eq!(noted(&once, "- b.").unwrap().lines().nth(3), Some("- b."));
        assert!(noted("# Changelog\n", "- a.").is_err());
    }
}
