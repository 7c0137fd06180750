//! The folder of a scene: the only place whose files its script may read.

use std::io;
use std::path::{Component, Path, PathBuf};

/// Why a script gets no file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The scene is not a file.
    #[error("`{name}` cannot be found: this scene is no file in a folder; save it as a .rhai file beside `{name}`")]
    NoFolder {
        /// The file asked for.
        name: String,
    },
    /// The name leads elsewhere.
    #[error(
        "`{name}` is not below the scene's folder: copy the file there and name it without `..`, without a leading `/`"
    )]
    Outside {
        /// The file asked for.
        name: String,
    },
    /// The system would not give the file.
    #[error("cannot read `{name}` in {}: {error}; check the name", folder.display())]
    Io {
        /// The file asked for.
        name: String,
        /// The scene's folder.
        folder: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
}

/// A scene's folder, if it has one.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder(Option<PathBuf>);

impl Folder {
    /// No folder: no files.
    pub(super) const NONE: Self = Self(None);

    pub(super) fn new(path: &Path) -> Self {
        // A file in the current folder has an empty parent.
        Self(Some(if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() }))
    }

    /// Where the file of this name really is; links that lead out of the folder are refused like paths that do.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf, FileError> {
        let Some(folder) = &self.0 else {
            return Err(FileError::NoFolder { name: name.to_owned() });
        };
        let outside = || FileError::Outside { name: name.to_owned() };
        let io = |error| FileError::Io { name: name.to_owned(), folder: folder.clone(), error };
        let relative = Path::new(name);
        let plain = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
        // A colon or backslash means a drive or a folder on some systems: a scene should read the same on all.
        if name.contains(['\\', ':']) || !relative.components().all(plain) {
            return Err(outside());
        }
        let root = folder.canonicalize().map_err(io)?;
        let path = root.join(relative).canonicalize().map_err(io)?;
        if !path.starts_with(&root) {
            return Err(outside());
        }
        if !path.metadata().map_err(io)?.is_file() {
            return Err(io(io::Error::other("it is not a file")));
        }
        Ok(path)
    }

    /// The text of the file of this name.
    pub(super) fn read_text(&self, name: &str, limit: u64) -> Result<(PathBuf, String), FileError> {
        let path = self.find(name)?;
        let io = |error| FileError::Io { name: name.to_owned(), folder: self.0.clone().unwrap_or_default(), error };
        let text = read_limited(&path, limit).map_err(io)?;
        Ok((path, text))
    }
}

/// The text of a file that is not longer than `limit` bytes.
pub(super) fn read_limited(path: &Path, limit: u64) -> io::Result<String> {
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    if metadata.len() > limit {
        return Err(io::Error::other(format!("it has {} bytes, a script may have {limit}", metadata.len())));
    }
    std::fs::read_to_string(path)
}
