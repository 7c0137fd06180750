//! The built page: where it is, how it is built when it is missing, and a scene put into it.

use super::given::Given;
use anyhow::{Context, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the built page, if it is not that of the checkout.
const FOLDER_VARIABLE: &str = "IMPULSE_PAGE";

/// The block of the page that says what to show first.
const START: &str = r#"<script type="application/json" id="start"></script>"#;

/// The page in a folder.
#[derive(Debug)]
pub(super) struct Page {
    /// Canonical.
    folder: PathBuf,
}

impl Page {
    /// The built page; built now if it is missing and the tools are there.
    pub(super) fn find_or_build() -> anyhow::Result<Self> {
        if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
            return Self::in_folder(Path::new(&folder)).with_context(|| format!("{FOLDER_VARIABLE} is set"));
        }
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = checkout.join("crates/viewer/web/dist");
        if !folder.join("index.html").is_file() {
            build(&checkout)?;
        }
        Self::in_folder(&folder)
    }

    fn in_folder(folder: &Path) -> anyhow::Result<Self> {
        let found = folder.join("index.html").is_file() && folder.join("impulse.html").is_file();
        if !found {
            bail!("{} does not hold the viewer's page; build it with `cargo xtask web`", folder.display());
        }
        Ok(Self { folder: folder.canonicalize()? })
    }

    /// A file of the page; `None` if there is none of this name, or if it leads out of the folder.
    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name).canonicalize().ok()?;
        (path.starts_with(&self.folder) && path.is_file()).then(|| std::fs::read(path).ok()).flatten()
    }

    /// The page that asks the server for its scene, if there is one.
    pub(super) fn live(&self, with_scene: bool) -> anyhow::Result<String> {
        self.with_start("index.html", &json!({ "live": with_scene }))
    }

    /// The page in one file with a scene.
    pub(super) fn single(&self, given: &Given) -> anyhow::Result<String> {
        self.with_start("impulse.html", &json!({ "given": given.json() }))
    }

    fn with_start(&self, name: &str, start: &Value) -> anyhow::Result<String> {
        let path = self.folder.join(name);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if !text.contains(START) {
            bail!("{} is of another version; build it anew with `cargo xtask web`", path.display());
        }
        // No text of a scene may end the block or open a comment in it.
        let content = start.to_string().replace('<', "\\u003c");
        let block = START.replace("></script>", &format!(">{content}</script>"));
        Ok(text.replacen(START, &block, 1))
    }
}

fn build(checkout: &Path) -> anyhow::Result<()> {
    let missing: Vec<&str> = ["cargo", "npm"].into_iter().filter(|tool| !is_there(tool)).collect();
    let by_hand = "build it with `cargo xtask web` in a checkout of Impulse (it needs cargo and Node.js with npm), \
                   or set IMPULSE_PAGE to the folder of a built page";
    if !checkout.join("xtask").is_dir() {
        bail!("the viewer's page is not built: {by_hand}");
    }
    if !missing.is_empty() {
        bail!("the viewer's page is not built, and {} cannot be found: {by_hand}", missing.join(" and "));
    }
    let status = Command::new("cargo").args(["xtask", "web"]).current_dir(checkout).status();
    if !status.context("cannot start cargo")?.success() {
        bail!("`cargo xtask web` failed; the viewer's page is not built");
    }
    Ok(())
}

fn is_there(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
