//! Only the module `body` knows the kinds of motion; all others ask the motion itself.

use super::modules::{Module, Modules};
use super::tokens::{Token, bracketed, tokens};

/// The enum whose variants are meant.
const MOTION: &str = "Motion";

/// A complaint for each place outside `body` that names a variant of `Motion`, whose declaration is somewhere in `source`.
pub(crate) fn kinds_named_outside(modules: &Modules, body: &str, source: &str) -> Result<Vec<String>, String> {
    let kinds = variants(&tokens(source), MOTION).ok_or_else(|| format!("{body} has no enum {MOTION}"))?;
    let outside = modules.all.iter().filter(|module| !module.file.starts_with(body));
    Ok(outside.flat_map(|module| named_in(module, &kinds)).collect())
}

fn named_in(module: &Module, kinds: &[String]) -> Vec<String> {
    let paths = &module.paths;
    let aliases = paths.imports.iter().filter(|import| import.path.last().is_some_and(|last| last == MOTION));
    let names: Vec<&str> = aliases.filter_map(|import| import.name.as_deref()).chain([MOTION]).collect();
    let imported = paths.imports.iter().map(|import| {
        let all = import.name.is_none() && import.path.last().is_some_and(|last| last == MOTION);
        (&import.path, import.line, all)
    });
    let mentioned = paths.mentions.iter().map(|mention| (&mention.path, mention.line, false));
    let named =
        |path: &[String]| path.windows(2).any(|pair| names.contains(&pair[0].as_str()) && kinds.contains(&pair[1]));
    let complaint = |(path, line, _): (&Vec<String>, usize, bool)| {
        format!(
            "{}:{line}: {} is a kind of motion, which only `body` knows; ask the motion",
            module.file,
            path.join("::")
        )
    };
    imported.chain(mentioned).filter(|(path, _, all)| *all || named(path)).map(complaint).collect()
}

/// The variants of an enum.
fn variants(tokens: &[Token<'_>], name: &str) -> Option<Vec<String>> {
    let start = tokens.windows(2).position(|pair| pair[0].text == "enum" && pair[1].text == name)?;
    let open = start + tokens[start..].iter().position(|token| token.text == "{")?;
    let body = &tokens[open + 1..open + bracketed(&tokens[open..]) - 1];
    let (mut found, mut at, mut expected) = (Vec::new(), 0, true);
    while at < body.len() {
        match body[at].text {
            "(" | "[" | "{" => {
                at += bracketed(&body[at..]);
                continue;
            }
            "," => expected = true,
            word if expected && body[at].is_word() => {
                found.push(word.to_owned());
                expected = false;
            }
            _ => {}
        }
        at += 1;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::modules::tests::modules;
    use super::{kinds_named_outside, variants};
    use crate::tidy::tokens::tokens;

    const ENUM: &str = "/// Kinds.\npub enum Motion {\n /// a, b\n #[x] Fixed(Pose), Driven(Box<Driven>), Other { a: u8, b: u8 }, Last = 3 }";

    #[test]
    fn variants_are_read() {
        assert_eq!(variants(&tokens(ENUM), "Motion").unwrap(), ["Fixed", "Driven", "Other", "Last"]);
        assert_eq!(variants(&tokens(ENUM), "Motor"), None);
    }

    #[test]
    fn naming_a_kind_is_noticed() {
        let complaints = |text: &str| {
            let files = [("lib.rs", "mod body; mod w;"), ("body/mod.rs", "fn f() { Motion::Fixed }"), ("w.rs", text)];
            kinds_named_outside(&modules(&files), "body/", ENUM).unwrap()
        };
        let wanted = "w.rs:2: Motion::Fixed is a kind of motion, which only `body` knows; ask the motion";
        assert_eq!(complaints("\nif let Motion::Fixed(_) = m {}"), [wanted]);
        assert_eq!(complaints("matches!(m, body::Motion::Driven(_)); match m { Motion::Other { .. } => 1 }").len(), 2);
        assert_eq!(complaints("use crate::body::Motion as M; fn f() { M::Last }").len(), 1);
        assert_eq!(complaints("use crate::body::Motion::{self, Fixed};").len(), 1);
        assert_eq!(complaints("use crate::body::Motion::*;").len(), 1);
        assert_eq!(complaints("MotionSpec::Fixed; Motion::free(); Event::Fixed; // Motion::Fixed"), [""; 0]);
        assert_eq!(complaints("#[cfg(test)] mod tests { fn f() { Motion::Fixed } }"), [""; 0]);
        assert!(kinds_named_outside(&modules(&[("lib.rs", "")]), "body/", "").is_err());
    }
}
