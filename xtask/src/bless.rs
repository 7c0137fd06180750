//! `cargo xtask bless`: renews the tables of trace hashes, and notes in the changelog whose trajectories changed.

use crate::{cargo, files};
use std::collections::BTreeMap;
use std::fs;

/// Tables in `tests/data`, with the package whose tests write each and what its scenes are called in the changelog.
const TABLES: [(&str, &str, &str); 2] = [
    ("trace_hashes_engine.txt", "impulse-sim", "the engine's test "),
    ("trace_hashes_scenes.txt", "impulse-scenes", ""),
];

const CHANGELOG: &str = "CHANGELOG.md";
const HEADING: &str = "### Changed trajectories";
const NONE: &str = "- None so far.";

/// Hashes by name.
type Hashes = BTreeMap<String, String>;

pub(crate) fn bless(why: &[String]) -> Result<(), String> {
    let before = hashes()?;
    TABLES.iter().try_for_each(|(_, package, _)| cargo::renew_traces(package))?;
    let after = hashes()?;
    let changed = changed(&before, &after);
    let count = |from: &Hashes, to: &Hashes| to.keys().filter(|name| !from.contains_key(*name)).count();
    let (new, gone) = (count(&before, &after), count(&after, &before));
    println!("bless: {} traces, {} changed, {new} new, {gone} gone", after.len(), changed.len());
    if changed.is_empty() {
        return Ok(());
    }
    let path = files::root().join(CHANGELOG);
    let text = fs::read_to_string(&path).map_err(|e| format!("{CHANGELOG}: {e}"))?;
    let line = entry(&changed, &why.join(" "));
    println!("{CHANGELOG}: {line}");
    fs::write(&path, noted(&text, &line)?).map_err(|e| format!("{CHANGELOG}: {e}"))
}

fn hashes() -> Result<Hashes, String> {
    let mut all = Hashes::new();
    for (file, _, kind) in TABLES {
        let path = files::root().join("tests/data").join(file);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
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

fn entry(changed: &[String], why: &str) -> String {
    let why = if why.is_empty() { String::new() } else { format!(": {}", why.trim_end_matches('.')) };
    format!("- {}{why}.", changed.join(", "))
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
    use super::{Hashes, changed, entry, noted, parsed};

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
        assert_eq!(entry(&names, ""), "- a, b.");
        assert_eq!(entry(&names, "tighter hops."), "- a, b: tighter hops.");
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
