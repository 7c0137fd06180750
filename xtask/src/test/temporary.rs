//! A folder for what commands write, removed afterwards.

use crate::files::shown;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new, empty folder in the system's place for temporary files.
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("impulse-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Copies a folder of the workspace into this one, under the same name.
    pub(crate) fn copy(&self, folder: &Path) -> Result<(), String> {
        let target = self.path.join(shown(folder));
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        fs::create_dir_all(&target).map_err(failed)?;
        for entry in fs::read_dir(folder).map_err(failed)?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.copy(&path)?;
            } else {
                fs::copy(&path, target.join(entry.file_name())).map_err(failed)?;
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is the system's to remove.
        let _ = fs::remove_dir_all(&self.path);
    }
}
