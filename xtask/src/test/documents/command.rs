//! What to do with a command that a document shows.

use crate::tasks::TASKS;

/// How a command is checked.
#[derive(Debug, PartialEq)]
pub(crate) enum Check {
    /// In a shell, where `impulse` is the command of this workspace; it must succeed.
    Run(String),
    /// Only `impulse SUBCOMMAND --help` is run, which must know the options.
    Usage { subcommand: String, options: Vec<String> },
    /// There must be such a task of xtask.
    Task(String),
    /// There must be such an example.
    Example(String),
    /// Nothing is checked.
    Nothing,
}

/// Commands that are not run.
struct NotRun {
    /// What such a command contains.
    sign: &'static str,
    /// Whether it is short, and run, if it names something.
    short_with_names: bool,
    reason: &'static str,
}

const NOT_RUN: [NotRun; 10] = [
    NotRun { sign: "cargo xtask ", short_with_names: false, reason: "it is this run itself, or takes minutes" },
    NotRun { sign: " --example ", short_with_names: false, reason: "a stage of its own runs all examples" },
    NotRun { sign: "impulse bench", short_with_names: true, reason: "it measures all scenes, which takes minutes" },
    NotRun { sign: "impulse validate", short_with_names: true, reason: "it runs all cases, which takes minutes" },
    NotRun { sign: "impulse strikes", short_with_names: false, reason: "it throws hundreds of balls" },
    NotRun {
        sign: "impulse view",
        short_with_names: false,
        reason: "it serves until it is ended, or needs the built page",
    },
    NotRun { sign: "cargo install ", short_with_names: false, reason: "it installs into the user's home" },
    NotRun { sign: "pip install ", short_with_names: false, reason: "it installs packages of other programs" },
    NotRun { sign: "python ", short_with_names: false, reason: "it needs packages of other programs" },
    NotRun { sign: "git clone ", short_with_names: false, reason: "it needs a network" },
];

/// The check for a command, and why it is not run if it is not; an error for a command that nobody has thought of.
pub(crate) fn check(command: &str) -> Result<(Check, Option<&'static str>), String> {
    let command = command.replace("cargo run --release -- ", "impulse ");
    let words: Vec<&str> = command.split(' ').collect();
    let names = words.iter().skip(2).any(|word| !word.starts_with('-'));
    let entry = NOT_RUN.iter().find(|entry| command.contains(entry.sign) && !(entry.short_with_names && names));
    let general = words.iter().any(|word| is_placeholder(word)).then_some("it stands for many commands");
    let reason = entry.map(|entry| entry.reason).or(general);
    let after = |sign: &str| words.iter().skip_while(|word| **word != sign).nth(1).map(ToString::to_string);
    let check = match (words[0], reason) {
        ("cargo", Some(_)) if general.is_none() && words.contains(&"--example") => {
            after("--example").map(Check::Example)
        }
        ("cargo", Some(_)) if words.contains(&"xtask") => after("xtask").map(Check::Task),
        ("impulse", Some(_)) => {
            after("impulse").map(|subcommand| Check::Usage { subcommand, options: options(&words) })
        }
        (_, Some(_)) => Some(Check::Nothing),
        (_, None) if words.contains(&"impulse") => Some(Check::Run(command.clone())),
        (_, None) => None,
    };
    let check = check.ok_or("no check is known for it; add one to xtask/src/test/documents/command.rs")?;
    Ok((check, reason))
}

/// Whether there is a task of this name.
pub(crate) fn is_task(name: &str) -> bool {
    TASKS.iter().any(|task| task.name == name)
}

/// `NAME`, `[NAME]...`, `FILE.svg`, `NAME=VALUE`: something that the reader puts another word for.
fn is_placeholder(word: &str) -> bool {
    let stem = word.split(['.', '=']).next().unwrap_or(word);
    let inner = word.strip_prefix('[');
    let optional =
        inner.is_some_and(|rest| rest.starts_with("--") || rest.starts_with(|c: char| c.is_ascii_uppercase()));
    optional || !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase())
}

fn options(words: &[&str]) -> Vec<String> {
    let bare = words.iter().map(|word| word.trim_matches(['[', ']']));
    bare.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{Check, check, is_task};

    fn checked(command: &str) -> Result<Check, String> {
        check(command).map(|(check, _)| check)
    }

    fn usage(subcommand: &str, options: &[&str]) -> Check {
        Check::Usage { subcommand: subcommand.to_owned(), options: options.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn short_commands_are_run() {
        let run = |command: &str| Ok(Check::Run(command.to_owned()));
        assert_eq!(
            checked("cargo run --release -- run pool_break --out out/x"),
            run("impulse run pool_break --out out/x")
        );
        assert_eq!(
            checked("echo '{\"K\": [[3, 0]], \"u\": [-1, 0]}' | cargo run --release -- impact"),
            run("echo '{\"K\": [[3, 0]], \"u\": [-1, 0]}' | impulse impact")
        );
        assert_eq!(checked("impulse validate bounce --json"), run("impulse validate bounce --json"));
    }

    #[test]
    fn of_long_and_general_commands_the_usage_is_checked() {
        assert_eq!(checked("impulse validate"), Ok(usage("validate", &[])));
        assert_eq!(checked("impulse bench --markdown"), Ok(usage("bench", &["--markdown"])));
        assert_eq!(checked("impulse bench [NAME]... [--json]"), Ok(usage("bench", &["--json"])));
        assert_eq!(checked("impulse run SCENE --set NAME=VALUE"), Ok(usage("run", &["--set"])));
        assert_eq!(checked("impulse mass FILE... [--scale S]"), Ok(usage("mass", &["--scale"])));
        assert_eq!(checked("cargo run --release -- strikes --out docs"), Ok(usage("strikes", &["--out"])));
    }

    #[test]
    fn other_commands_must_exist_or_be_known() {
        assert_eq!(checked("cargo xtask bench [NAME]..."), Ok(Check::Task("bench".to_owned())));
        assert!(is_task("bench") && !is_task("bensh"));
        assert_eq!(checked("cargo run -p impulse-sim --example housing"), Ok(Check::Example("housing".to_owned())));
        assert_eq!(checked("cargo run -p impulse-sim --example NAME"), Ok(Check::Nothing));
        assert_eq!(checked("cargo install --path crates/cli"), Ok(Check::Nothing));
        assert_eq!(check("impulse strikes").unwrap().1, Some("it throws hundreds of balls"));
        assert!(check("rm -r out").is_err());
    }
}
