//! Where scenes come from: the built-in list, a file on disk, or memory.

use super::description::SceneDescription;
use super::error::SceneError;
use super::folder::{Folder, SceneFiles, read_limited, text_limited};
use super::program::MAX_BYTES;
use super::suggest::similar;
use crate::builtin::BUILTIN_SCENES;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneSource {
    /// One of [`BUILTIN_SCENES`], by name.
    Builtin(String),
    /// A script on disk, which may read files in its folder and below; or a robot (`.urdf`), which is dropped on a floor.
    Path(PathBuf),
    /// A script that may read no files.
    Text {
        /// The name used in messages.
        name: String,
        /// The script.
        text: String,
    },
    /// A script in memory, with the files that it may read.
    Files {
        /// Which of the files is the script.
        main: String,
        /// All files, the script included.
        files: Arc<SceneFiles>,
    },
}

/// A scene's script and folder.
pub(super) struct Opened {
    /// The name used in messages.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) folder: Folder,
    /// The script's own path in the folder, if it has one.
    pub(super) location: Option<PathBuf>,
    /// Whether it is a robot's file, for which a script stands.
    pub(super) is_robot: bool,
}

impl SceneSource {
    /// A path if the argument ends in `.rhai` or `.urdf` or contains a slash, otherwise the name of a built-in scene.
    pub fn named(argument: &str) -> Self {
        let is_path = argument.ends_with(".rhai") || is_robot(argument) || argument.contains(['/', '\\']);
        if is_path { Self::Path(PathBuf::from(argument)) } else { Self::Builtin(argument.to_owned()) }
    }

    /// What the scene is called, and all the files that it has read: none for a built-in scene.
    pub(crate) fn gathered(&self, scene: &SceneDescription) -> Result<(String, SceneFiles), SceneError> {
        if let Self::Builtin(name) = self {
            return Ok((name.clone(), SceneFiles::new()));
        }
        let opened = self.open()?;
        let main = match self {
            Self::Path(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            _ => opened.name.clone(),
        };
        let mut files = SceneFiles::from([(main.clone(), opened.text.into_bytes())]);
        for name in scene.part_files.iter().map(|part| &part.name).chain(&scene.included) {
            let (path, bytes) = opened.folder.read_bytes(name).map_err(|error| SceneError::Read {
                path: PathBuf::from(name),
                error: Arc::new(io::Error::other(error)),
            })?;
            let _same = files.insert(path, bytes);
        }
        Ok((main, files))
    }

    pub(super) fn open(&self) -> Result<Opened, SceneError> {
        match self {
            Self::Builtin(name) => open_builtin(name),
            Self::Path(path) if is_robot(&path.to_string_lossy()) => open_robot(path),
            Self::Path(path) => open_path(path),
            Self::Text { name, text } => Ok(Opened::without_folder(name.clone(), text)),
            Self::Files { main, files } => open_files(main, files),
        }
    }
}

impl Opened {
    fn without_folder(name: String, text: &str) -> Self {
        Self { name, text: text.to_owned(), folder: Folder::None, location: None, is_robot: false }
    }
}

fn open_builtin(name: &str) -> Result<Opened, SceneError> {
    let Some(scene) = BUILTIN_SCENES.iter().find(|scene| scene.name == name) else {
        let similar = similar(name, BUILTIN_SCENES.iter().map(|scene| scene.name));
        return Err(SceneError::UnknownScene { name: name.to_owned(), similar });
    };
    Ok(Opened::without_folder(format!("{name}.rhai"), scene.text))
}

/// A scene with a robot on a floor.
const DROPPED: &str = r#"body("floor", half_space([0, 0, 1], 0), #{ fixed: true });
robot(FILE, #{
    above: param("height", 0.1, #{ min: 0, unit: "m", about: "height of the lowest point above the floor" }),
    base: param("base", "auto", #{ about: "fixed, free, or auto: fixed if the root is called world" }),
    self_collision: param("self_collision", false, #{ about: "whether links that share no joint collide" }),
});
"#;

/// Whether a file's name is that of a robot.
fn is_robot(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".urdf")
}

/// A robot on disk that is dropped on a floor. Its folder is that of the file, or, where the file is in a package that it names, the one that holds the
/// package.
fn open_robot(path: &Path) -> Result<Opened, SceneError> {
    let text = read_limited(path, crate::urdf::MAX_BYTES).map_err(unreadable(path))?;
    let (folder, file) = robot_folder(path, &text);
    let quoted = format!("{file:?}");
    let name = path.display().to_string();
    Ok(Opened { name, text: DROPPED.replace("FILE", &quoted), folder, location: None, is_robot: true })
}

/// The folder of a robot, and its path in there.
fn robot_folder(path: &Path, text: &str) -> (Folder, String) {
    let own = || (Folder::of_script(path), path.file_name().unwrap_or_default().to_string_lossy().into_owned());
    let Ok(whole) = path.canonicalize() else { return own() };
    let names = |package: &str| text.contains(&format!("package://{package}/"));
    let is_package = |folder: &&Path| folder.file_name().is_some_and(|name| names(&name.to_string_lossy()));
    let holder = whole.ancestors().skip(1).find(is_package).and_then(Path::parent);
    match holder.and_then(|holder| Some((holder, whole.strip_prefix(holder).ok()?))) {
        Some((holder, file)) => {
            let parts: Vec<_> = file.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            (Folder::OnDisk(holder.to_owned()), parts.join("/"))
        }
        None => own(),
    }
}

fn open_path(path: &Path) -> Result<Opened, SceneError> {
    let text = read_limited(path, MAX_BYTES).map_err(unreadable(path))?;
    let location = path.canonicalize().ok();
    Ok(Opened { name: path.display().to_string(), text, folder: Folder::of_script(path), location, is_robot: false })
}

fn open_files(main: &str, files: &Arc<SceneFiles>) -> Result<Opened, SceneError> {
    let failed = unreadable(Path::new(main));
    let Some(bytes) = files.get(main) else {
        return Err(failed(io::Error::new(io::ErrorKind::NotFound, "it is not among the files given")));
    };
    let text = text_limited(bytes, MAX_BYTES).map_err(failed)?;
    let folder = Folder::InMemory(files.clone());
    Ok(Opened { name: main.to_owned(), text, location: folder.find(main).ok(), folder, is_robot: false })
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> SceneError {
    move |error| SceneError::Read { path: path.to_owned(), error: Arc::new(error) }
}
