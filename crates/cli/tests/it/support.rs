//! Running the command, and files for it to read.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run of the command gave.
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `impulse` with some arguments in the repository's folder.
pub(crate) fn impulse<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Outcome {
    impulse_in(&repository(), arguments)
}

/// Runs `impulse` with some arguments in a folder.
pub(crate) fn impulse_in<A: AsRef<std::ffi::OsStr>>(folder: &Path, arguments: &[A]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_impulse"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the command writes UTF-8");
    Outcome { status: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of its own for one test, emptied when made.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}
