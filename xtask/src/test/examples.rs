//! Runs every example of the engine.

use super::temporary::Folder;
use crate::cargo::{build_directory, cargo, output, run};
use crate::files::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the examples are: files, or folders with a `main.rs`.
const FOLDER: &str = "crates/impulse/examples";

pub(crate) fn run_all() -> Result<(), String> {
    run(cargo(&["build", "--quiet", "--workspace", "--examples"]))?;
    let folder = Folder::new("examples")?;
    let names = names(&root().join(FOLDER))?;
    for name in &names {
        let mut command = Command::new(build_directory().join("debug/examples").join(name));
        command.current_dir(folder.path());
        output(command).map_err(|e| format!("example {name}: {e}"))?;
    }
    println!("{} examples ran: {}", names.len(), names.join(", "));
    Ok(())
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let is_example = |path: &PathBuf| path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").is_file();
    let examples = entries.flatten().map(|entry| entry.path()).filter(is_example);
    let mut names: Vec<String> =
        examples.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::{FOLDER, names};
    use crate::files::root;

    #[test]
    fn examples_are_found() {
        assert!(names(&root().join(FOLDER)).unwrap().contains(&"housing".to_owned()));
        assert!(names(&root().join("nowhere")).is_err());
    }
}
