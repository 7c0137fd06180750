//! What a Markdown document shows: fenced blocks, and commands in them and in running text.

/// How commands begin in running text.
const COMMANDS: [&str; 3] = ["cargo run ", "cargo xtask ", "impulse "];

/// Fences that hold commands, line by line.
const SHELLS: [&str; 4] = ["sh", "bash", "shell", "console"];

/// A document taken apart.
pub(crate) struct Document<'a> {
    /// Language and text of each fenced block.
    fences: Vec<(&'a str, String)>,
    /// The rest, a paragraph each.
    paragraphs: Vec<String>,
}

impl<'a> Document<'a> {
    pub(crate) fn read(text: &'a str) -> Self {
        let (mut fences, mut paragraphs) = (Vec::new(), vec![String::new()]);
        let mut fence: Option<(&str, String)> = None;
        for line in text.lines() {
            match (line.trim_start().strip_prefix("```"), &mut fence) {
                (Some(_), Some(_)) => fences.extend(fence.take()),
                (Some(language), None) => fence = Some((language.trim(), String::new())),
                (None, Some((_, block))) => block.extend([line, "\n"]),
                (None, None) if line.trim().is_empty() => paragraphs.push(String::new()),
                (None, None) => paragraphs.iter_mut().last().into_iter().for_each(|text| text.extend([line, " "])),
            }
        }
        Self { fences, paragraphs }
    }

    /// The first block in a language.
    pub(crate) fn block(&self, language: &str) -> Option<&str> {
        self.fences.iter().find(|(name, _)| *name == language).map(|(_, text)| text.as_str())
    }

    /// All commands, those in blocks first; what stands for something else (`NAME`, `[...]`) as it is written.
    pub(crate) fn commands(&self) -> Vec<String> {
        let shell = self.fences.iter().filter(|(language, _)| SHELLS.contains(language));
        let lines = shell.flat_map(|(_, block)| lines(block));
        let spans = self.paragraphs.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
        let written = spans.filter(|span| COMMANDS.iter().any(|start| is_command(span, start))).map(squeezed);
        lines.chain(written).collect()
    }
}

fn is_command(span: &str, start: &str) -> bool {
    span.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '-'))
}

/// The commands of a block, without prompts and comments, continued lines joined.
fn lines(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let bare = joined.lines().map(|line| line.strip_prefix("$ ").unwrap_or(line));
    let code = bare.map(|line| if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line) });
    code.map(squeezed).filter(|line| !line.is_empty()).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::Document;

    #[test]
    fn commands_are_found_in_blocks_and_in_text() {
        let text = "# Title\n\n```sh\n# how to\n$ impulse run a  # runs\necho '{}' | \\\n  impulse impact\n```\n\
            It's `impulse list` and `impulse\nmass FILE`, a | `cargo xtask test` |, `impulse` and `impulse = 1`.\n\n\
            ```text\nimpulse never\n```\n```js\nduration(1);\n```\n";
        let document = Document::read(text);
        let wanted =
            ["impulse run a", "echo '{}' | impulse impact", "impulse list", "impulse mass FILE", "cargo xtask test"];
        assert_eq!(document.commands(), wanted);
        assert_eq!(document.block("js"), Some("duration(1);\n"));
        assert_eq!(document.block("rust"), None);
    }
}
