//! What holds for every file of the viewer's page: its length, that of its functions, its first line, no text taken as HTML or code.

use crate::files::{collect, root};
use std::path::PathBuf;

/// Longest file, in lines.
const MAX_LINES: usize = 600;

/// Longest function, in lines.
const MAX_FUNCTION: usize = 44;

/// What would take a text of a scene as HTML or code.
const REFUSED: [&str; 5] = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("];

/// The page's own files: neither built nor installed ones.
pub(crate) fn files() -> Vec<PathBuf> {
    let web = root().join("crates/viewer/web");
    let folders = ["src", "scripts", "tests"].map(|folder| web.join(folder));
    let kinds = ["ts", "mjs"];
    folders.iter().flat_map(|folder| kinds.iter().flat_map(|kind| collect(folder, kind))).collect()
}

pub(crate) fn check(name: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        complaints.push(format!("{name}: {lines} lines, more than {MAX_LINES}; split it along a concept"));
    }
    if !text.starts_with("// ") {
        complaints.push(format!("{name}:1: a file opens with a `//` line that says what it is"));
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        if line.trim_end() != line || line.contains('\t') {
            complaints.push(format!("{place}: a tab, or blanks at the end of the line"));
        }
        if let Some(word) = REFUSED.iter().find(|word| line.contains(**word) && name.contains("/src/")) {
            complaints.push(format!("{place}: `{word}` takes a text as HTML or code"));
        }
        if ["@ts-ignore", "@ts-nocheck", "eslint-disable"].iter().any(|word| line.contains(word)) {
            complaints.push(format!("{place}: no checks silenced"));
        }
    }
    complaints.extend(too_long(name, text));
    complaints
}

/// A complaint for each function or method that is too long: from a line that opens a block at some depth of blanks to the line
/// that closes it there.
fn too_long(name: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut complaints = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let opens = line.ends_with(") {") || (line.contains("): ") && line.ends_with(" {"));
        let flow =
            ["if ", "for ", "while ", "switch ", "} ", "test("].iter().any(|word| line.trim_start().starts_with(word));
        if !opens || flow || depth(line) > 2 {
            continue;
        }
        let closes = lines[first + 1..].iter().position(|l| depth(l) == depth(line) && l.trim_start().starts_with('}'));
        let length = closes.map_or(0, |after| after + 2);
        if length > MAX_FUNCTION {
            complaints.push(format!("{name}:{}: a function of {length} lines, more than {MAX_FUNCTION}", first + 1));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::{check, files};

    #[test]
    fn flaws_are_named_with_their_place() {
        assert_eq!(check("a.ts", "// About.\nfunction a() {\n}\n"), [""; 0]);
        assert_eq!(check("a.ts", "let x;\n"), ["a.ts:1: a file opens with a `//` line that says what it is"]);
        assert_eq!(check("web/src/a.ts", "// A.\nx.innerHTML = y;\n").len(), 1);
        let long = format!("// A.\nfunction f(): void {{\n{}}}\n", "  x();\n".repeat(43));
        assert_eq!(check("a.ts", &long), ["a.ts:2: a function of 45 lines, more than 44"]);
    }

    #[test]
    fn the_pages_files_are_found() {
        assert!(files().iter().any(|path| path.ends_with("src/app.ts")));
        assert!(files().iter().all(|path| !path.to_string_lossy().contains("node_modules")));
    }
}
