//! Parameters of scenes, set from outside.

use crate::scene_support::{fault_of, text};
use impulse_scenes::scene::{
    ParamDescription, ParamHints, ParamValue, SceneDescription, SceneError, SceneSettings, SceneSource, load_scene,
};

const SCRIPT: &str = "let height = param(\"height\", 1.0); let n = param(\"count\", 3);
let flag = param(\"walls\", false); let name = param(\"name\", \"ball\");
for i in 0..n { print(name + i); }
print(height); print(flag); print(type_of(n)); print(param(\"height\", 1.0) == height);";

fn with(params: &[(&str, ParamValue)]) -> Result<SceneDescription, SceneError> {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    load_scene(&text(SCRIPT), &SceneSettings { params, seed: 0 })
}

fn written(text: &str) -> ParamValue {
    ParamValue::Text(text.to_owned())
}

#[test]
fn defaults_hold_unless_set() {
    let scene = with(&[]).unwrap();
    assert_eq!(scene.log, ["ball0", "ball1", "ball2", "1.0", "false", "i64", "true"]);
    let names: Vec<&str> = scene.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["height", "count", "walls", "name"]);
    assert!(scene.params.iter().all(|param| param.default == param.value));
}

#[test]
fn settings_keep_the_kind_of_the_default() {
    let scene =
        with(&[("height", written("2")), ("count", written("1")), ("walls", written("true")), ("name", written("7"))])
            .unwrap();
    assert_eq!(scene.log, ["70", "2.0", "true", "i64", "true"]);
    let expected = ParamDescription {
        name: "height".to_owned(),
        default: ParamValue::Number(1.0),
        value: ParamValue::Number(2.0),
        hints: ParamHints::default(),
    };
    assert_eq!(scene.params[0], expected);
    assert_eq!(scene.params[3].value, written("7"));
    let scene = with(&[("count", written("2.5e0")), ("height", ParamValue::Integer(4))]);
    let (place, fault) = fault_of(scene);
    assert_eq!(place.line, 3, "{fault}");
    assert_eq!(fault.to_string(), "the end of a range must be a whole number, not 2.5");
    assert_eq!(with(&[("height", ParamValue::Number(4.5))]).unwrap().log[3], "4.5");
}

#[test]
fn settings_of_another_kind_are_refused() {
    for (name, value, piece) in [
        ("height", "tall", "parameter `height` is a number, but was set to `tall`"),
        ("height", "nan", "is a number"),
        ("count", "inf", "is a number"),
        ("walls", "1", "is true or false, but was set to `1`"),
    ] {
        let (place, fault) = fault_of(with(&[(name, written(value))]));
        assert!(fault.to_string().contains(piece), "{fault}");
        assert!(place.line <= 2 && place.column > 1);
    }
}

#[test]
fn settings_the_scene_does_not_have_are_refused() {
    let error = with(&[("hieght", written("2"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the scene has no parameter `hieght`; did you mean `height`?; it has height, count, walls, name"
    );
    let error =
        load_scene(&text(""), &SceneSettings { params: vec![("a".to_owned(), written("1"))], seed: 0 }).unwrap_err();
    assert_eq!(error.to_string(), "the scene has no parameter `a`; it has none");
}

#[test]
fn a_parameter_may_have_a_range_a_unit_and_a_meaning() {
    let script = r#"let h = param("height", 1.0, #{ min: 0.5, max: 3, unit: "m", about: "of the drop" }); print(h);"#;
    let load = |set: &str| {
        let source = SceneSource::Text { name: "test.rhai".to_owned(), text: script.to_owned() };
        let params = vec![("height".to_owned(), ParamValue::Text(set.to_owned()))];
        load_scene(&source, &SceneSettings { params, seed: 0 })
    };
    let hints = load("2").unwrap().params[0].hints.clone();
    let words = |text: &str| Some(text.to_owned());
    assert_eq!(hints, ParamHints { min: Some(0.5), max: Some(3.0), unit: words("m"), about: words("of the drop") });
    let (_, fault) = fault_of(load("3.5"));
    assert!(fault.to_string().contains("takes values from 0.5 to 3"), "{fault}");
}
