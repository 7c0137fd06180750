//! The text of a scene with its included files, and where each line came from.

use super::error::{Fault, Place, SceneError};
use super::folder::Folder;
use super::source::Opened;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Longest script including all files it includes, bytes.
pub(super) const MAX_BYTES: u64 = 4 << 20;

/// A script ready to run.
#[derive(Debug)]
pub(crate) struct Program {
    /// The whole text.
    pub(super) text: String,
    files: Vec<String>,
    /// File and line number of every line of the text.
    origins: Vec<(usize, usize)>,
}

impl Program {
    /// Replaces every line `include("file.rhai");` by the text of that file, once.
    pub(super) fn new(scene: &Opened) -> Result<Self, SceneError> {
        let mut program = Self { text: String::new(), files: Vec::new(), origins: Vec::new() };
        // A file that includes the scene itself includes nothing new.
        let mut included = scene.location.iter().cloned().collect();
        program.append(&scene.name, &scene.text, &scene.folder, &mut included)?;
        Ok(program)
    }

    /// The files included, as the script names them.
    pub(super) fn included(&self) -> &[String] {
        &self.files[1..]
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// All its files.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    fn append(
        &mut self,
        name: &str,
        text: &str,
        folder: &Folder,
        included: &mut BTreeSet<PathBuf>,
    ) -> Result<(), SceneError> {
        let file = self.files.len();
        self.files.push(name.to_owned());
        for (index, line) in text.lines().enumerate() {
            let Some(wanted) = included_file(line) else {
                self.origins.push((file, index + 1));
                self.text += line;
                self.text.push('\n');
                continue;
            };
            let column = line.chars().take_while(|c| c.is_whitespace()).count() + 1;
            let failed = |fault: Fault| {
                let (file, text) = (name.to_owned(), line.to_owned());
                let place = Place { file, line: index + 1, column, text, calls: Vec::new() };
                SceneError::Script { place: Box::new(place), fault: Arc::new(fault) }
            };
            let (path, inner) = folder.read_text(wanted, MAX_BYTES).map_err(|e| failed(e.into()))?;
            if !included.insert(path) {
                continue;
            }
            if (self.text.len() + inner.len()) as u64 > MAX_BYTES || included.len() > MAX_FILES {
                return Err(failed(Fault::Limit("the scene includes too much: at most 4 MB in 64 files are allowed")));
            }
            self.append(wanted, &inner, folder, included)?;
        }
        Ok(())
    }

    /// Where a place in the whole text came from; a place beyond the end counts as the end.
    pub(super) fn place(&self, line: usize, column: usize) -> Place {
        let origin = line.checked_sub(1).and_then(|index| self.origins.get(index));
        let Some(&(file, original)) = origin else {
            return self.end();
        };
        let text = self.text.lines().nth(line - 1).unwrap_or_default().to_owned();
        Place { file: self.files[file].clone(), line: original, column, text, calls: Vec::new() }
    }

    fn end(&self) -> Place {
        let (file, line) = self.origins.last().copied().unwrap_or((0, 1));
        let text = self.text.lines().last().unwrap_or_default().to_owned();
        let column = text.chars().count() + 1;
        Place { file: self.files[file].clone(), line, column, text, calls: Vec::new() }
    }
}

const MAX_FILES: usize = 64;

/// The file's name if the line is `include("name");`, perhaps with a comment.
fn included_file(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("include")?.trim_start().strip_prefix('(')?.trim_start();
    let (name, rest) = rest.strip_prefix('"')?.split_once('"')?;
    let rest = rest.trim_start().strip_prefix(')')?.trim_start();
    let rest = rest.strip_prefix(';').unwrap_or(rest).trim_start();
    (rest.is_empty() || rest.starts_with("//")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::included_file;

    #[test]
    fn lines_that_include() {
        assert_eq!(included_file("include(\"a.rhai\");"), Some("a.rhai"));
        assert_eq!(included_file("  include ( \"b/c.rhai\" ) ; // parts"), Some("b/c.rhai"));
        for line in [
            "include(name);",
            "let x = include(\"a\");",
            "// include(\"a\");",
            "include(\"a\"); body();",
            "included(\"a\")",
        ] {
            assert_eq!(included_file(line), None, "{line}");
        }
    }
}
