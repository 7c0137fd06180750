//! Opening scenes: built-in ones, files, and mistakes, which are told with their place.

use impulse_scenes::scene::SceneFiles;
use impulse_viewer::{OpenError, Progress, Request, Session, builtin_scenes};
use std::sync::Arc;

fn open_text(text: &str, until: f64) -> Result<Session, OpenError> {
    let files = SceneFiles::from([("my.rhai".to_owned(), text.as_bytes().to_vec())]);
    let request = Request { scene: "my.rhai".to_owned(), from_files: true, until: Some(until), ..Request::default() };
    Session::open(&request, &Arc::new(files))
}

#[test]
fn every_built_in_scene_is_described_with_its_looks() {
    for scene in builtin_scenes().as_array().unwrap() {
        let request = Request { scene: scene["name"].as_str().unwrap().to_owned(), ..Request::default() };
        let session = Session::open(&request, &Arc::new(SceneFiles::new())).unwrap();
        let info: serde_json::Value = serde_json::from_str(&session.describe()).unwrap();
        let looks = info["looks"].as_u64().unwrap();
        assert!(info["bodies"].as_array().unwrap().iter().all(|body| body["look"].as_u64().unwrap() < looks));
        for look in 0..looks {
            let mut numbers = Vec::new();
            session.look(look as usize, &mut numbers);
            let [positions, triangles] = [numbers[0], numbers[1]].map(|n| n as usize);
            assert_eq!(numbers.len(), 2 + 6 * positions + 3 * triangles, "{}", request.scene);
            assert!(numbers[2 + 6 * positions..].iter().all(|&index| index < positions as f64));
        }
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let error = open_text("duration(1);\nbody(\"ball\", spere(1), #{});", 1.0).unwrap_err();
    assert_eq!((error.line, error.file.as_deref()), (Some(2), Some("my.rhai")));
    assert!(error.message.contains("sphere"), "{}", error.message);
    let long = open_text(&format!("duration(1);\n{}", "x".repeat(30_000)), 1.0).unwrap_err();
    assert_eq!((long.line, long.message.contains("break it")), (Some(2), true));
    assert!(open_text("loop {}", 1.0).unwrap_err().message.contains("steps"));
    assert!(open_text("duration(1);", 1.0).unwrap_err().message.contains("no bodies"));
    assert!(open_text("body(\"a\", sphere(1), #{ mass: 1 });", f64::INFINITY).unwrap_err().message.contains("until"));
    let unknown = Request { scene: "bonce".to_owned(), ..Request::default() };
    assert!(Session::open(&unknown, &Arc::default()).unwrap_err().message.contains("bounce"));
}

#[test]
fn a_run_that_fails_can_be_looked_at_up_to_there() {
    // A plate comes down on a ball that cannot get away.
    let crush = "body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true });
        body(\"ball\", sphere(0.1), #{ at: [0, 0, 0.1001], mass: 1 });
        body(\"plate\", cuboid(1, 1, 0.1), #{ at: [0, 0, 0.4], script: keyframes([#{ time: 0 }, #{ time: 1, at: [0, 0, -0.4] }]) });";
    let mut session = open_text(crush, 1.0).unwrap_or_else(|error| panic!("{}", error.message));
    let progress = loop {
        match session.advance(1000) {
            Progress::Underway => session.keep(),
            progress => break progress,
        }
    };
    assert_eq!(progress, Progress::Failed);
    let failure = session.timeline().failure().unwrap().to_string();
    assert!(failure.contains("plate") && failure.contains("ball"), "{failure}");
    let reached = session.timeline().time();
    session.go(0.5 * reached, 0.1).unwrap();
    assert_eq!(session.cursor().runner().world().time(), 0.5 * reached);
}
