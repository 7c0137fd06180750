//! Short functions: everything from `fn` to the closing brace counts, in tests too.

use super::tokens::{Token, bracketed, tokens};

/// Longest function, in lines.
const MAX_LINES: usize = 44;

/// A complaint for each function of a file that is too long.
pub(crate) fn too_long(file: &str, text: &str) -> Vec<String> {
    let all = tokens(text);
    let long = (0..all.len()).filter_map(|at| length(&all[at..])).filter(|(_, lines)| *lines > MAX_LINES);
    let complaint = |(name, lines): (Token<'_>, usize)| {
        let Token { text, line } = name;
        format!("{file}:{line}: `{text}` has {lines} lines, more than {MAX_LINES}; take a step out of it")
    };
    long.map(complaint).collect()
}

/// The name and the number of lines of a function, if one begins here and has a body.
fn length<'a>(tokens: &[Token<'a>]) -> Option<(Token<'a>, usize)> {
    let name = *tokens.get(1).filter(|name| tokens[0].text == "fn" && name.is_word())?;
    let mut at = 2;
    while at < tokens.len() {
        match tokens[at].text {
            ";" => return None,
            "(" | "[" => at += bracketed(&tokens[at..]),
            "{" => {
                let last = at + bracketed(&tokens[at..]) - 1;
                return Some((name, tokens[last].line - tokens[0].line + 1));
            }
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::too_long;

    fn function(lines: usize) -> String {
        let body = "    x(); // {\n".repeat(lines - 2);
        format!("/// About.\n#[test]\npub fn long(a: [u8; 3]) -> fn(u8) {{\n{body}}}\n")
    }

    #[test]
    fn every_line_from_name_to_brace_counts() {
        assert_eq!(too_long("a.rs", &function(44)), [""; 0]);
        let wanted = "a.rs:3: `long` has 45 lines, more than 44; take a step out of it";
        assert_eq!(too_long("a.rs", &function(45)), [wanted]);
    }

    #[test]
    fn methods_and_functions_within_functions_are_found() {
        let nested = format!("trait T {{ fn f(); }}\nimpl T {{ fn g() {{\n{}}} }}", function(45));
        assert_eq!(too_long("a.rs", &nested).len(), 2);
    }
}
