//! The viewer's page in a real browser.

use crate::cargo::{build_directory, cargo, run};
use crate::files::collect;
use crate::tools;
use crate::web;

pub(crate) fn run_in_browser() -> Result<(), String> {
    web::build()?;
    run(cargo(&["build", "--quiet", "--package", "impulse-cli"]))?;
    let Some(chromium) = tools::chromium()? else {
        println!("\n*** SKIPPED: no Chromium was found, so the page was NOT tested in a browser. ***");
        println!("*** Install it (Debian: apt-get install chromium) or set CHROMIUM to its path. ***");
        return Ok(());
    };
    let tests = collect(&web::folder().join("tests"), "mjs");
    for test in tests.iter().filter(|path| path.to_string_lossy().ends_with(".test.mjs")) {
        let run_file = || {
            let mut command = web::in_web("node", &["--test", "--test-reporter=spec"]);
            command.arg(test).env("CHROMIUM", &chromium).env("IMPULSE", build_directory().join("debug/impulse"));
            run(command)
        };
        if let Err(failure) = run_file() {
            // A browser without a graphics card misses time limits where something else takes the processors; a fault stays.
            println!("\n*** {failure}; once more ***");
            run_file()?;
        }
    }
    Ok(())
}
