//! `impulse scene help`, `impulse completions`, and what a mistyped word is answered with.

use crate::support::{Outcome, impulse};
use impulse_scenes::scene::functions;

fn succeeds(arguments: &[&str]) -> String {
    let Outcome { status, stdout, stderr } = impulse(arguments);
    assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

#[test]
fn every_function_is_explained_with_its_example() {
    let all = succeeds(&["scene", "help"]);
    for function in functions() {
        let one = succeeds(&["scene", "help", function.name]);
        for text in [&all, &one] {
            assert!(text.lines().any(|line| line == function.usage), "{}", function.usage);
            let example = function.example.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n");
            assert!(text.contains(&example), "{}", function.usage);
        }
        assert!(all.contains(&one) && !one.contains('\x1b'));
    }
}

#[test]
fn help_on_scenes_says_how_to_ask() {
    assert!(succeeds(&["scene", "--help"]).contains("Usage: impulse scene help [NAME]"));
}

#[test]
fn shells_are_told_of_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = succeeds(&["completions", shell]);
        for word in ["run", "list", "scene", "mass", "poses", "impact", "completions", "until", "quiet"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(impulse(&["completions", "tcsh"]).status, 2);
}

#[test]
fn mistyped_words_are_answered_with_what_was_probably_meant() {
    for (arguments, status, meant) in [
        (&["imapct"][..], 2, "'impact'"),
        (&["run", "bounce", "--quite"], 2, "'--quiet'"),
        (&["run", "bonce"], 1, "did you mean `bounce`?"),
        (&["run", "bounce", "--set", "heigth=2"], 1, "did you mean `height`?"),
        (&["scene", "help", "cubiod"], 1, "did you mean `cuboid`?"),
        (&["completions", "bahs"], 2, "'bash'"),
    ] {
        let told = impulse(arguments);
        assert_eq!((told.status, told.stdout.as_str()), (status, ""), "{arguments:?}");
        assert!(told.stderr.starts_with("error: ") && told.stderr.contains(meant), "{arguments:?}: {}", told.stderr);
    }
}
