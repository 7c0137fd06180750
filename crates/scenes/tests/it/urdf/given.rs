//! The robots of the tests, and scenes with them.

use impulse_scenes::SceneDescription;
use impulse_scenes::scene::{SceneError, SceneFiles, SceneSettings, SceneSource, load_scene};
use std::sync::Arc;

pub(crate) const ARM: &str = include_str!("../../../../../tests/data/robots/arm.urdf");
pub(crate) const GRIPPER: &str = include_str!("../../../../../tests/data/robots/gripper.urdf");
pub(crate) const QUADRUPED: &str = include_str!("../../../../../tests/data/robots/quadruped.urdf");

/// A robot of two links: a base and an arm on a hinge.
pub(crate) const SIMPLE: &str = r#"<robot name="simple">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0.2 0 0"/><geometry><box size="0.3 0.05 0.05"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute">
    <origin xyz="0.15 0 0"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="1"/>
  </joint>
</robot>
"#;

/// The scene of a script beside the files `robot.urdf` and others.
pub(crate) fn load_beside(script: &str, urdf: &str, others: &[(&str, &str)]) -> Result<SceneDescription, SceneError> {
    let mut files = SceneFiles::new();
    files.insert("main.rhai".to_owned(), script.as_bytes().to_vec());
    files.insert("robot.urdf".to_owned(), urdf.as_bytes().to_vec());
    files.extend(others.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())));
    let source = SceneSource::Files { main: "main.rhai".to_owned(), files: Arc::new(files) };
    load_scene(&source, &SceneSettings::default())
}

/// The scene of a script beside the file `robot.urdf`.
#[track_caller]
pub(crate) fn scene(script: &str, urdf: &str) -> SceneDescription {
    load_beside(script, urdf, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// What is said about a script beside the file `robot.urdf`.
#[track_caller]
pub(crate) fn complaint(script: &str, urdf: &str) -> String {
    match load_beside(script, urdf, &[]) {
        Ok(_) => panic!("nothing is said about {script}"),
        Err(error) => error.to_string(),
    }
}

/// What is said about a robot that is put as it is.
#[track_caller]
pub(crate) fn refused(urdf: &str) -> String {
    complaint("robot(\"robot.urdf\");", urdf)
}
