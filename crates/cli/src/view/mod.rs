//! `impulse view`: the viewer's page, served on loopback or saved as one file.

mod base64;
mod given;
mod page;
mod request;
mod browser;
mod server;

use anyhow::Context;
use clap::{Args, ValueHint};
use given::Scene;
use impulse_scenes::SceneSource;
use page::Page;
use std::io::Write;
use std::path::PathBuf;

/// Look at a scene in the browser.
///
/// Serves the viewer's page on this machine only, until Ctrl-C. A scene from disk is opened anew whenever one of its files changes.
#[derive(Args)]
#[command(after_help = "Examples:
  impulse view
  impulse view bowling --set speed=9
  impulse view my_scene.rhai --save run.html      one file to send to a colleague: it opens with a double click, offline")]
pub(crate) struct Arguments {
    /// Name of a built-in scene (see `impulse list`) or path to a .rhai script
    #[arg(value_hint = ValueHint::FilePath)]
    scene: Option<String>,
    /// Set a parameter of the scene
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = super::run::assignment, requires = "scene")]
    set: Vec<(String, String)>,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0, requires = "scene")]
    seed: u64,
    /// Simulated time in seconds [default: the scene's own duration]
    #[arg(long, value_name = "T", value_parser = super::run::not_negative, allow_negative_numbers = true, requires = "scene")]
    until: Option<f64>,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    /// Port to listen on [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Write page, engine and scene into one file instead of serving them
    #[arg(long, value_name = "FILE.html", requires = "scene", conflicts_with_all = ["no_open", "port"])]
    save: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let scene = arguments.scene.as_ref().map(|name| Scene {
        source: SceneSource::named(name),
        name: name.clone(),
        params: arguments.set.clone(),
        seed: arguments.seed,
        until: arguments.until,
    });
    // Mistakes in the scene are told before anything is built; while it is served, the page tells them.
    let given = scene.as_ref().map(Scene::read).transpose()?;
    let page = Page::find_or_build()?;
    match (&arguments.save, given) {
        (Some(path), Some(given)) => {
            let text = page.single(&given)?;
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
            writeln!(std::io::stdout(), "wrote {}", path.display())?;
            Ok(())
        }
        _ => server::serve(page, scene, arguments.port, !arguments.no_open),
    }
}
