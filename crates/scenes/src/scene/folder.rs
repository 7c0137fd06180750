//! The folder of a scene: the only files that its script may read, on disk or in memory, beside the built-in creatures.

use crate::builtin::builtin_creature;
use crate::part::{Part, PartError, parse_named_part, read_part};
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Files in memory, by their paths relative to the scene's folder, with `/` between folders: `"parts/cube.stl"`.
pub type SceneFiles = BTreeMap<String, Vec<u8>>;

/// Why a script cannot read a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The scene has no folder.
    #[error("cannot read `{name}`: this scene has no folder; save it as a .rhai file next to `{name}`")]
    NoFolder {
        /// The file asked for.
        name: String,
    },
    /// The path leaves the folder.
    #[error(
        "`{name}` is outside the scene's folder: copy the file into the folder and give its path without `..` and without a leading `/`"
    )]
    Outside {
        /// The file asked for.
        name: String,
    },
    /// The file cannot be read.
    #[error("cannot read `{name}` in {folder}: {error}; check the name")]
    Io {
        /// The file asked for.
        name: String,
        /// The scene's folder, in words if it is in memory.
        folder: String,
        /// The reason.
        error: io::Error,
    },
}

/// A scene's folder.
#[derive(Clone, Debug)]
pub(super) enum Folder {
    /// The scene may read no files.
    None,
    /// Files in this folder and the folders below it.
    OnDisk(PathBuf),
    /// These files.
    InMemory(Arc<SceneFiles>),
}

impl Folder {
    /// The folder of a script on disk.
    pub(super) fn of_script(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        // A file in the current folder has an empty parent.
        Self::OnDisk(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
    }

    /// The one path under which a file is known, whatever path leads to it. Links that leave the folder are refused like paths
    /// that do.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf, FileError> {
        if let Some(creature) = builtin_creature(name) {
            return Ok(PathBuf::from(creature.file));
        }
        let outside = || FileError::Outside { name: name.to_owned() };
        let failed = |error| self.failed(name, error);
        match self {
            Self::None => Err(FileError::NoFolder { name: name.to_owned() }),
            Self::OnDisk(folder) => {
                let relative = plain(name).ok_or_else(outside)?;
                let root = folder.canonicalize().map_err(failed)?;
                let path = root.join(relative).canonicalize().map_err(failed)?;
                if !path.starts_with(&root) {
                    return Err(outside());
                }
                if !path.metadata().map_err(failed)?.is_file() {
                    return Err(failed(not_a_file()));
                }
                Ok(path)
            }
            Self::InMemory(files) => {
                let relative = plain(name).ok_or_else(outside)?;
                bytes(files, &relative).map_err(failed)?;
                Ok(relative)
            }
        }
    }

    /// The text of a file, with the path of [`Folder::find`].
    pub(super) fn read_text(&self, name: &str, limit: u64) -> Result<(PathBuf, String), FileError> {
        let path = self.find(name)?;
        if let Some(creature) = builtin_creature(name) {
            return Ok((path, creature.text.to_owned()));
        }
        let text = match self {
            Self::None | Self::OnDisk(_) => read_limited(&path, limit),
            Self::InMemory(files) => bytes(files, &path).and_then(|bytes| text_limited(bytes, limit)),
        };
        Ok((path, text.map_err(|error| self.failed(name, error))?))
    }

    /// The bytes of a file, with its path in the folder.
    pub(super) fn read_bytes(&self, name: &str) -> Result<(String, Vec<u8>), FileError> {
        let path = self.find(name)?;
        let read = match self {
            Self::None | Self::OnDisk(_) => std::fs::read(&path),
            Self::InMemory(files) => bytes(files, &path).map(<[u8]>::to_vec),
        };
        let parts = Path::new(name).components().filter(|c| *c != Component::CurDir);
        let parts: Vec<_> = parts.map(|c| c.as_os_str().to_string_lossy()).collect();
        Ok((parts.join("/"), read.map_err(|error| self.failed(name, error))?))
    }

    /// The part in a file, by the path of [`Folder::find`].
    pub(super) fn read_part(&self, path: &Path, scale: f64) -> Result<Part, PartError> {
        match self {
            Self::None | Self::OnDisk(_) => read_part(path, scale),
            Self::InMemory(files) => parse_named_part(path, bytes(files, path)?, scale),
        }
    }

    fn failed(&self, name: &str, error: io::Error) -> FileError {
        let folder = match self {
            Self::None => "no folder".to_owned(),
            Self::OnDisk(folder) => folder.display().to_string(),
            Self::InMemory(_) => "the files given with the scene".to_owned(),
        };
        FileError::Io { name: name.to_owned(), folder, error }
    }
}

/// A relative path without `.`; `None` if it could leave the folder. A colon or backslash means a drive or a folder on some
/// systems only, and a scene should read the same on all of them.
fn plain(name: &str) -> Option<PathBuf> {
    let components = Path::new(name).components().filter(|c| *c != Component::CurDir);
    let inside = |c: Component<'_>| matches!(c, Component::Normal(_));
    (!name.contains(['\\', ':']) && components.clone().all(inside)).then(|| components.collect())
}

fn bytes<'a>(files: &'a SceneFiles, path: &Path) -> io::Result<&'a [u8]> {
    let components: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    let found = files.get(&components.join("/")).map(Vec::as_slice);
    found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no such file"))
}

/// The text of a file on disk of at most `limit` bytes.
pub(super) fn read_limited(path: &Path, limit: u64) -> io::Result<String> {
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(not_a_file());
    }
    check_length(metadata.len(), limit)?;
    std::fs::read_to_string(path)
}

/// Bytes as a text of at most `limit` bytes.
pub(super) fn text_limited(bytes: &[u8], limit: u64) -> io::Result<String> {
    check_length(bytes.len() as u64, limit)?;
    let text = std::str::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(text.to_owned())
}

fn check_length(length: u64, limit: u64) -> io::Result<()> {
    if length <= limit {
        return Ok(());
    }
    Err(io::Error::other(format!("it has {length} bytes, more than the {limit} that a script may have")))
}

fn not_a_file() -> io::Error {
    io::Error::other("it is not a file")
}
