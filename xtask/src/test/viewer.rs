//! The viewer's page in a real browser.

use crate::cargo::{build_directory, cargo, run};
use crate::tools;
use crate::web;

pub(crate) fn run_in_browser() -> Result<(), String> {
    web::build()?;
    run(cargo(&["build", "--quiet", "--release", "--package", "impulse-cli"]))?;
    let Some(chromium) = tools::chromium()? else {
        println!("\n*** SKIPPED: no Chromium was found, so the page was NOT tested in a browser. ***");
        println!("*** Install it (Debian: apt-get install chromium) or set CHROMIUM to its path. ***");
        return Ok(());
    };
    let mut command = web::in_web("node", &["--test", "--test-concurrency=1", "--test-reporter=spec", "tests/"]);
    command.env("CHROMIUM", chromium).env("IMPULSE", build_directory().join("release/impulse"));
    run(command)
}
