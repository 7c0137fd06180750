//! The commands in the documents work: short ones are run, of others the usage is checked.

mod command;
mod markdown;

use super::temporary::Folder;
use crate::cargo::{build_directory, cargo, output, run};
use crate::files::{collect, read, root, shown};
use command::{Check, check, is_task};
use markdown::Document;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Folders that commands in documents refer to.
const NEEDED: [&str; 2] = ["parts", "tests/data"];

/// The scene that documents speak of as the reader's own: the first script which the document shows.
const OWN_SCENE: &str = "name.rhai";

/// The robot that documents speak of as the reader's own: the first XML which the document shows.
const OWN_ROBOT: &str = "name.urdf";

pub(crate) fn run_commands() -> Result<(), String> {
    run(cargo(&["build", "--quiet", "--workspace", "--bins"]))?;
    let mut documents = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    documents.extend(collect(&root().join("docs"), "md"));
    let shell = Shell::new()?;
    let (mut seen, mut complaints) = (BTreeSet::new(), Vec::new());
    for path in documents {
        let text = read(&path)?;
        let document = Document::read(&text);
        shell.write_own_scene(&document)?;
        for command in document.commands() {
            if seen.insert(command.clone())
                && let Err(e) = shell.check(&command)
            {
                complaints.push(format!("{}: `{command}`: {e}", shown(&path)));
            }
        }
    }
    println!("{} commands checked", seen.len());
    if complaints.is_empty() { Ok(()) } else { Err(format!("documents are wrong\n  {}", complaints.join("\n  "))) }
}

/// A folder in which `impulse` is the command of this workspace.
struct Shell {
    folder: Folder,
}

impl Shell {
    fn new() -> Result<Self, String> {
        let folder = Folder::new("documents")?;
        NEEDED.iter().try_for_each(|name| folder.copy(&root().join(name)))?;
        Ok(Self { folder })
    }

    fn write_own_scene(&self, document: &Document<'_>) -> Result<(), String> {
        for (language, name) in [("js", OWN_SCENE), ("xml", OWN_ROBOT)] {
            let text = document.block(language).unwrap_or_default();
            fs::write(self.folder.path().join(name), text).map_err(|e| format!("{name}: {e}"))?;
        }
        Ok(())
    }

    fn check(&self, command: &str) -> Result<(), String> {
        let (check, reason) = check(command)?;
        if let Some(reason) = reason {
            println!("not run: `{command}`: {reason}");
        }
        match &check {
            Check::Run(line) => self.run(line).map(|_| ()),
            Check::Usage { subcommand, options } => {
                let help = self.run(&format!("impulse {subcommand} --help"))?;
                match options.iter().find(|option| !help.contains(option.as_str())) {
                    Some(option) => Err(format!("impulse {subcommand} has no option {option}")),
                    None => Ok(()),
                }
            }
            Check::Task(name) if is_task(name) => Ok(()),
            Check::Task(name) => Err(format!("xtask has no task {name}")),
            Check::Example(name) if examples(name).iter().any(|path| path.is_file()) => Ok(()),
            Check::Example(name) => Err(format!("there is no example {name}")),
            Check::Nothing => Ok(()),
        }
    }

    fn run(&self, line: &str) -> Result<String, String> {
        let mut command = Command::new("sh");
        let tools = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(build_directory().join("debug")).chain(std::env::split_paths(&tools));
        let path = std::env::join_paths(path).map_err(|e| format!("PATH: {e}"))?;
        command.args(["-c", line]).env("PATH", path).current_dir(self.folder.path());
        output(command)
    }
}

/// Where an example may be.
fn examples(name: &str) -> [PathBuf; 2] {
    let folder = root().join("crates/impulse/examples");
    [folder.join(format!("{name}.rs")), folder.join(name).join("main.rs")]
}
