//! Rust source cut into tokens: words and signs with their lines, without comments, strings and test code.

/// A word (identifier, keyword or number), `::`, or a single sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    /// Whether this is an identifier, a keyword or a number.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_char)
    }
}

/// All tokens of a source file, those of its tests too.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let (length, kept) = lexeme(&text[at..]);
        let piece = &text[at..at + length];
        if kept {
            found.push(Token { text: piece, line });
        }
        line += piece.matches('\n').count();
        at += length;
    }
    found
}

/// The tokens without items under `#[cfg(test)]`; none at all in a file under `#![cfg(test)]`.
pub(crate) fn without_tests<'a>(all: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < all.len() {
        match test_attribute(&all[at..]) {
            Some(Attribute { of_file: true, .. }) => return Vec::new(),
            Some(Attribute { length, .. }) => at += length + item_length(&all[at + length..]),
            None => {
                kept.push(all[at]);
                at += 1;
            }
        }
    }
    kept
}

/// The number of tokens from an opening bracket to the one that closes it, both included.
pub(crate) fn bracketed(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the first lexeme in bytes, and whether it counts as a token.
fn lexeme(text: &str) -> (usize, bool) {
    let first = text.chars().next().unwrap_or(' ');
    if text.starts_with("//") {
        return (text.find('\n').unwrap_or(text.len()), false);
    }
    if text.starts_with("/*") {
        return (block_comment(text), false);
    }
    if let Some(length) = string(text) {
        return (length, false);
    }
    if first == '\'' {
        return quote(text);
    }
    if text.starts_with("::") {
        return (2, true);
    }
    if is_word_char(first) {
        return (text.find(|c| !is_word_char(c)).unwrap_or(text.len()), true);
    }
    (first.len_utf8(), !first.is_whitespace())
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a string literal of any kind, if the text begins with one.
fn string(text: &str) -> Option<usize> {
    let prefix = text.find(|c| !matches!(c, 'b' | 'c' | 'r')).filter(|&length| length <= 2)?;
    let raw = text[..prefix].ends_with('r');
    let hashes = if raw { text[prefix..].chars().take_while(|&c| c == '#').count() } else { 0 };
    let body = text[prefix + hashes..].strip_prefix('"')?;
    let start = prefix + hashes + 1;
    if raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(body.find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    let mut escaped = false;
    for (i, c) in body.char_indices() {
        if c == '"' && !escaped {
            return Some(start + i + 1);
        }
        escaped = c == '\\' && !escaped;
    }
    Some(text.len())
}

/// A character literal is left out; the quote of a lifetime is a sign of its own.
fn quote(text: &str) -> (usize, bool) {
    let mut chars = text.char_indices().skip(1);
    let escaped = chars.next().is_some_and(|(_, c)| c == '\\');
    let closing = if escaped {
        chars.next();
        chars.find(|&(_, c)| c == '\'')
    } else {
        chars.next().filter(|&(_, c)| c == '\'')
    };
    closing.map_or((1, true), |(at, _)| (at + 1, false))
}

struct Attribute {
    /// In tokens.
    length: usize,
    /// Whether it speaks of the whole file (`#![...]`).
    of_file: bool,
}

/// An attribute `#[cfg(test)]` or `#[cfg(all(test, ...))]`.
fn test_attribute(tokens: &[Token<'_>]) -> Option<Attribute> {
    let of_file = tokens.get(1)?.text == "!";
    let open = if of_file { 2 } else { 1 };
    if tokens[0].text != "#" || tokens.get(open)?.text != "[" || tokens.get(open + 1)?.text != "cfg" {
        return None;
    }
    let length = open + bracketed(&tokens[open..]);
    let has = |word: &str| tokens[..length].iter().any(|token| token.text == word);
    (has("test") && !has("not") && !has("any")).then_some(Attribute { length, of_file })
}

/// The length of the item at the start, with its further attributes: up to its semicolon or the end of its block.
fn item_length(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text {
            ";" => return at + 1,
            "{" => {
                at += bracketed(&tokens[at..]);
                // The group of a `use` ends with a semicolon; a block does not.
                let semicolon = tokens.get(at).is_some_and(|token| token.text == ";");
                return at + usize::from(semicolon);
            }
            "(" | "[" => at += bracketed(&tokens[at..]),
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{tokens, without_tests};

    fn words(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_literals_are_left_out() {
        assert_eq!(words("a /* b /* c */ d */ e // f\ng"), ["a", "e", "g"]);
        assert_eq!(words(r##"x("a \" { b", r#"c " { d"#, b"e", br"f\", c"g") y"##).join(""), "x(,,,,)y");
        assert_eq!(words(r"['{', '\'', '\u{1F}', 'é'] z").join(""), "[,,,]z");
        assert_eq!(words("fn f<'a>(x: &'a str)").join(" "), "fn f < ' a > ( x : & ' a str )");
        assert_eq!(words("crate::b::bar::r::cr"), ["crate", "::", "b", "::", "bar", "::", "r", "::", "cr"]);
    }

    #[test]
    fn tokens_know_their_lines() {
        let lines: Vec<_> = tokens("a\n\"x\ny\"\n/*\n*/ b").iter().map(|token| (token.text, token.line)).collect();
        assert_eq!(lines, [("a", 1), ("b", 5)]);
    }

    #[test]
    fn test_code_is_left_out() {
        let kept = |text| without_tests(&tokens(text)).iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
        assert_eq!(kept("a #[cfg(test)] mod tests { use super::*; fn x() { } } b"), "a b");
        assert_eq!(kept("#[cfg(test)] #[path = \"x\"] mod naive; b"), "b");
        assert_eq!(kept("#[cfg(test)] use a::{b, c}; d"), "d");
        assert_eq!(
            kept("#[cfg(not(test))] use a; #[cfg(all(test, unix))] fn f(x: [u8; 2]) -> u8 { x } d")
                .matches("use a")
                .count(),
            1
        );
        assert_eq!(kept("#![cfg(test)] a b"), "");
    }
}
