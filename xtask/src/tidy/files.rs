//! What holds for every file: its length, its first line, no silenced lints, no stray blanks.

/// Longest file, in lines.
const MAX_LINES: usize = 600;

pub(crate) fn check(name: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        complaints.push(format!("{name}: {lines} lines, more than {MAX_LINES}; split it along a concept"));
    }
    if !text.starts_with("//! ") {
        complaints.push(format!("{name}:1: a file opens with a `//!` line that says what it is"));
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        if line.contains(concat!("#[", "ignore")) || line.contains(concat!("#![", "allow")) {
            complaints.push(format!("{place}: no ignored tests, no lints silenced for a whole file"));
        }
        if line.trim_end() != line || line.contains('\t') {
            complaints.push(format!("{place}: a tab, or blanks at the end of the line"));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn flaws_are_named_with_their_place() {
        assert_eq!(check("a.rs", "//! About.\nfn a() {}\n"), [""; 0]);
        assert_eq!(check("a.rs", "fn a() {}\n"), ["a.rs:1: a file opens with a `//!` line that says what it is"]);
        assert_eq!(check("a.rs", "//! A.\n\tx\ny \n").len(), 2);
        let silenced = format!("//! A.\n{}(x)]\n{}]\n", concat!("#![", "allow"), concat!("#[", "ignore"));
        assert_eq!(check("a.rs", &silenced).len(), 2);
        assert_eq!(
            check("a.rs", &"//! A.\n".repeat(601)),
            ["a.rs: 601 lines, more than 600; split it along a concept"]
        );
    }
}
