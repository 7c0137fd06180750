//! A scene for the page: its name or its files, parameters and seed. Only files that the scene reads are given away.

use super::base64::encode;
use anyhow::{Context, bail};
use impulse_scenes::scene::ParamValue;
use impulse_scenes::{SceneDescription, SceneSettings, SceneSource, load_scene};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// What the command was asked to show.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) source: SceneSource,
    /// As the user wrote it.
    pub(super) name: String,
    pub(super) params: Vec<(String, String)>,
    pub(super) seed: u64,
    pub(super) until: Option<f64>,
}

/// A scene as the page takes it.
#[derive(Debug)]
pub(super) struct Given {
    scene: Scene,
    /// Contents by path in the scene's folder.
    files: BTreeMap<String, Vec<u8>>,
}

impl Scene {
    /// Reads the scene's files; an error if it cannot be loaded.
    pub(super) fn read(&self) -> anyhow::Result<Given> {
        let params = self.params.iter().map(|(name, value)| (name.clone(), ParamValue::Text(value.clone()))).collect();
        let loaded = load_scene(&self.source, &SceneSettings { params, seed: self.seed })?;
        if let Some(robot) = loaded.robots.first() {
            bail!(
                "the page reads no robots, and this scene has {}; run it with `impulse run {} --gltf FILE.glb` and look at the animation",
                robot.file,
                self.name
            );
        }
        self.with_files(files_of(&loaded))
    }

    /// With some of the files of the scene's folder, besides the script.
    pub(super) fn with_files(&self, names: Vec<String>) -> anyhow::Result<Given> {
        let mut files = BTreeMap::new();
        if let SceneSource::Path(path) = &self.source {
            let folder = folder_of(path);
            for name in names.into_iter().chain([script_name(path)]) {
                files.insert(plain(&name), read_inside(&folder, &name)?);
            }
        }
        Ok(Given { scene: self.clone(), files })
    }
}

impl Given {
    /// The files that were read besides the script.
    pub(super) fn names(&self) -> Vec<String> {
        let script = self.script();
        self.files.keys().filter(|name| **name != script).cloned().collect()
    }

    /// Changes with the contents of the files.
    pub(super) fn version(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.files.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// As JSON for the page.
    pub(super) fn json(&self) -> Value {
        let Scene { source, name, params, seed, until } = &self.scene;
        let files: BTreeMap<&String, String> = self.files.iter().map(|(path, bytes)| (path, encode(bytes))).collect();
        json!({
            "scene": if matches!(source, SceneSource::Path(_)) { self.script() } else { name.clone() },
            "from_files": matches!(source, SceneSource::Path(_)),
            "params": params.iter().cloned().collect::<BTreeMap<_, _>>(),
            "seed": seed,
            "until": until,
            "files": files,
            "version": self.version(),
        })
    }

    fn script(&self) -> String {
        match &self.scene.source {
            SceneSource::Path(path) => script_name(path),
            _ => String::new(),
        }
    }
}

fn files_of(scene: &SceneDescription) -> Vec<String> {
    scene.part_files.iter().map(|part| part.name.clone()).chain(scene.included.iter().cloned()).collect()
}

fn folder_of(path: &Path) -> PathBuf {
    // A file in the current folder has an empty parent.
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

/// A file of the folder; links that leave it are refused.
fn read_inside(folder: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("cannot read {name}");
    let path = folder.join(name).canonicalize().with_context(failed)?;
    if !path.starts_with(folder.canonicalize()?) {
        bail!("{name} is outside the scene's folder");
    }
    std::fs::read(path).with_context(failed)
}

fn script_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A path without `.`, as the page looks it up.
fn plain(name: &str) -> String {
    name.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}
