//! `impulse list`: the built-in scenes.

use clap::Args;
use impulse_scenes::scene::ParamDescription;
use impulse_scenes::{BUILTIN_SCENES, SceneSettings, SceneSource, load_scene};
use serde_json::{Value, json};
use std::io::Write;

/// List the built-in scenes with their parameters.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON: name, section, description, duration and parameters of every scene
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut all = Vec::new();
    for scene in BUILTIN_SCENES {
        let loaded = load_scene(&SceneSource::Builtin(scene.name.to_owned()), &SceneSettings::default())?;
        if !arguments.json {
            writeln!(out, "{:<16} {:<5} {}", scene.name, scene.section, scene.description)?;
            let params: Vec<String> = loaded.params.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
            if !params.is_empty() {
                writeln!(out, "{:<22} --set {}", "", params.join(" "))?;
            }
            continue;
        }
        let params: Vec<_> = loaded.params.iter().map(described).collect();
        all.push(json!({
            "name": scene.name,
            "section": scene.section,
            "description": scene.description,
            "duration": loaded.duration,
            "params": params,
        }));
    }
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
}

/// A parameter with what its script says of it.
fn described(param: &ParamDescription) -> Value {
    let hints = &param.hints;
    let mut found = json!({ "name": param.name, "default": param.default.to_string() });
    let hints = [
        ("min", json!(hints.min)),
        ("max", json!(hints.max)),
        ("unit", json!(hints.unit)),
        ("about", json!(hints.about)),
    ];
    for (name, value) in hints.into_iter().filter(|(_, value)| !value.is_null()) {
        found[name] = value;
    }
    found
}
