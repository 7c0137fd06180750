//! Paths in a source file: what its `use` declarations bring in, and paths written out in its code.

use super::tokens::{Token, bracketed};
use std::collections::BTreeSet;

/// One name that a `use` declaration brings in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    /// What the name is called here; `None` for all names of a module (`*`).
    pub(crate) name: Option<String>,
    /// Whether it is re-exported (`pub use`, `pub(crate) use` and so on).
    pub(crate) public: bool,
    pub(crate) line: usize,
}

/// A path of two segments or more outside `use` declarations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

/// All names that a file refers to.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    pub(crate) imports: Vec<Import>,
    pub(crate) mentions: Vec<Mention>,
    /// Words outside `use` declarations.
    pub(crate) words: BTreeSet<String>,
}

impl Paths {
    pub(crate) fn of(tokens: &[Token<'_>]) -> Self {
        let mut paths = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            if is_use(&tokens[at..]) {
                let mut tree = Tree { tokens, at: at + 1, public: is_public(&tokens[..at]), found: &mut paths.imports };
                tree.read(&[]);
                at = tree.at;
            } else if tokens[at].is_word() {
                at += paths.mention(&tokens[at..]);
            } else {
                at += 1;
            }
        }
        paths
    }

    /// Takes the path at the start; returns how many tokens it has.
    fn mention(&mut self, tokens: &[Token<'_>]) -> usize {
        let segments = |i: &usize| tokens[2 * i - 1].text == "::" && tokens.get(2 * i).is_some_and(Token::is_word);
        let count = 1 + (1..=tokens.len() / 2).take_while(segments).count();
        let path: Vec<String> = tokens.iter().step_by(2).take(count).map(|token| token.text.to_owned()).collect();
        self.words.extend(path.iter().cloned());
        if count > 1 {
            self.mentions.push(Mention { path, line: tokens[0].line });
        }
        2 * count - 1
    }
}

/// A declaration, and not the captured lifetimes of `impl Trait + use<'a>`.
fn is_use(tokens: &[Token<'_>]) -> bool {
    tokens[0].text == "use" && tokens.get(1).is_some_and(|next| next.text != "<")
}

/// Whether the tokens before a `use` end in `pub` or `pub(...)`.
fn is_public(before: &[Token<'_>]) -> bool {
    match before.last().map(|token| token.text) {
        Some("pub") => true,
        Some(")") => {
            let open = before.iter().rposition(|token| token.text == "(").unwrap_or(0);
            open > 0 && before[open - 1].text == "pub" && open + bracketed(&before[open..]) == before.len()
        }
        _ => false,
    }
}

/// The tree of a `use` declaration, read from left to right.
struct Tree<'a, 'b> {
    tokens: &'a [Token<'a>],
    at: usize,
    public: bool,
    found: &'b mut Vec<Import>,
}

impl<'a> Tree<'a, '_> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|token| token.text)
    }

    /// Reads one branch below a prefix, up to the comma, brace or semicolon that ends it.
    fn read(&mut self, prefix: &[String]) {
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        let (mut path, mut name) = (prefix.to_vec(), None);
        while let Some(text) = self.peek() {
            match text {
                "," | "}" | ";" => break,
                "{" => return self.group(&path),
                "*" => {
                    self.at += 1;
                    return self.push(path, None, line);
                }
                "as" => {
                    self.at += 1;
                    name = self.peek().map(str::to_owned);
                }
                // A leading `::` names a crate from outside.
                "::" if path.is_empty() => path.push(String::new()),
                "::" => {}
                "self" if !path.is_empty() => {}
                segment => path.push(segment.to_owned()),
            }
            self.at += 1;
        }
        let name = name.or_else(|| path.last().cloned());
        self.push(path, name, line);
    }

    fn group(&mut self, path: &[String]) {
        self.at += 1;
        while let Some(text) = self.peek() {
            match text {
                "}" => {
                    self.at += 1;
                    return;
                }
                "," => self.at += 1,
                _ => self.read(path),
            }
        }
    }

    fn push(&mut self, path: Vec<String>, name: Option<String>, line: usize) {
        self.found.push(Import { path, name, public: self.public, line });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::Paths;

    /// Imports as `path`, `path as name` or `path::*`, with `pub` before those that are re-exported.
    fn imports(text: &str) -> Vec<String> {
        let shown = |import: &super::Import| {
            let path = import.path.join("::");
            let public = if import.public { "pub " } else { "" };
            match &import.name {
                None => format!("{public}{path}::*"),
                Some(name) if import.path.last() == Some(name) => format!("{public}{path}"),
                Some(name) => format!("{public}{path} as {name}"),
            }
        };
        Paths::of(&tokens(text)).imports.iter().map(shown).collect()
    }

    #[test]
    fn groups_are_taken_apart() {
        assert_eq!(imports("use super::a::B;"), ["super::a::B"]);
        assert_eq!(
            imports("use crate::{a::{self, B, c::{D, E as F}}, super::super::g::*,};"),
            ["crate::a", "crate::a::B", "crate::a::c::D", "crate::a::c::E as F", "crate::super::super::g::*"]
        );
        assert_eq!(imports("use self::a; use ::glam::DVec3; use b as _;"), ["self::a", "::glam::DVec3", "b as _"]);
        assert_eq!(imports("fn f() -> impl Fn() + use<'a> { use a::b; }"), ["a::b"]);
    }

    #[test]
    fn exports_are_told_from_imports() {
        let text =
            "pub use a::B; pub(crate) use c::{D, E}; use f::G; pub(in crate::x) use h::I; fn f(x: (A)) { use j; }";
        assert_eq!(imports(text), ["pub a::B", "pub c::D", "pub c::E", "f::G", "pub h::I", "j"]);
    }

    #[test]
    fn paths_in_code_are_found() {
        let paths = Paths::of(&tokens("use a::b;\nfn f() { super::g::<T>();\n x.h::<crate::i::J>(); K }"));
        let found: Vec<_> = paths.mentions.iter().map(|m| (m.path.join("::"), m.line)).collect();
        assert_eq!(found, [("super::g".to_owned(), 2), ("crate::i::J".to_owned(), 3)]);
        assert!(paths.words.contains("K") && !paths.words.contains("b"));
    }
}
