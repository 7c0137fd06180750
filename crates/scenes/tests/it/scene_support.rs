//! What the tests of scene scripts share.

use impulse_scenes::scene::{Fault, Place, SceneDescription, SceneError, SceneSettings, SceneSource, load_scene};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn text(script: &str) -> SceneSource {
    SceneSource::Text { name: "test.rhai".to_owned(), text: script.to_owned() }
}

pub(crate) fn load(script: &str) -> Result<SceneDescription, SceneError> {
    load_scene(&text(script), &SceneSettings::default())
}

#[track_caller]
pub(crate) fn scene(script: &str) -> SceneDescription {
    load(script).unwrap_or_else(|error| panic!("{error}"))
}

/// Place and fault of a script that is wrong.
#[track_caller]
pub(crate) fn fault_of(result: Result<SceneDescription, SceneError>) -> (Place, Arc<Fault>) {
    match result {
        Err(SceneError::Script { place, fault }) => (*place, fault),
        other => panic!("{other:?}"),
    }
}

/// Line, column and message.
#[track_caller]
pub(crate) fn complaint(script: &str) -> (usize, usize, String) {
    let (place, fault) = fault_of(load(script));
    (place.line, place.column, fault.to_string())
}

/// What the only printed line says.
#[track_caller]
pub(crate) fn printed(expression: &str) -> String {
    scene(&format!("print({expression});")).log.concat()
}

/// A folder of its own for one test, with some files; the name must differ from test to test.
pub(crate) fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scene-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

pub(crate) fn load_path(path: PathBuf) -> Result<SceneDescription, SceneError> {
    load_scene(&SceneSource::Path(path), &SceneSettings::default())
}
