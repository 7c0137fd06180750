//! The command built with what runs of the built-in scenes say about it (profile-guided optimisation): what is hot lies together and is
//! inlined, what is not is out of the way. Nothing is computed otherwise: the bits stay the same.

use crate::cargo::{announce, build_directory, cargo, output, run, succeeds};
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "impulse-cli";

/// Builds the command twice, the second time with the profile that the first one wrote while it ran the built-in scenes, or those
/// named.
pub(crate) fn pgo(scenes: &[String]) -> Result<(), String> {
    let toolchain = Toolchain::found()?;
    let merge = toolchain.llvm_profdata()?;
    let folder = build_directory().join("pgo");
    let (raw, merged) = (folder.join("raw"), folder.join("merged.profdata"));
    // Profiles of an older program would be taken for this one's.
    let _ = std::fs::remove_dir_all(&raw);

    announce("a command that counts what it does");
    let counting = toolchain.build(&folder.join("counting"), &format!("-Cprofile-generate={}", raw.display()))?;
    announce("what it does in the scenes");
    let mut training = Command::new(counting);
    training.args(["bench", "--runs", "1"]).args(scenes);
    output(training)?;
    let mut merging = Command::new(merge);
    merging.arg("merge").arg("--output").arg(&merged).arg(&raw);
    run(merging)?;
    announce("the command, built for that");
    let built = toolchain.build(&folder.join("built"), &format!("-Cprofile-use={}", merged.display()))?;
    println!("\n{}", built.display());
    Ok(())
}

/// Where the compiler is, and for which machine it compiles.
struct Toolchain {
    root: PathBuf,
    host: String,
}

impl Toolchain {
    fn found() -> Result<Self, String> {
        let asked = |argument: &str| {
            let mut rustc = Command::new("rustc");
            rustc.args(argument.split(' '));
            output(rustc)
        };
        let version = asked("--version --verbose")?;
        let host =
            version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not name its host")?;
        Ok(Self { root: PathBuf::from(asked("--print sysroot")?.trim()), host: host.to_owned() })
    }

    /// The program that merges profiles; it must be of the compiler's own version. Installed if it is missing.
    fn llvm_profdata(&self) -> Result<PathBuf, String> {
        let program = format!("llvm-profdata{}", std::env::consts::EXE_SUFFIX);
        let path = self.root.join("lib/rustlib").join(&self.host).join("bin").join(program);
        if path.exists() || succeeds("rustup", &["component", "add", "llvm-tools"]) && path.exists() {
            return Ok(path);
        }
        let remedy = "install it with `rustup component add llvm-tools` and try again";
        Err(format!("{} is missing; {remedy}", path.display()))
    }

    /// The command, built with a flag in a directory of its own.
    fn build(&self, directory: &Path, flag: &str) -> Result<PathBuf, String> {
        // With a target, build scripts and macros are compiled without the flag.
        let mut build = cargo(&["build", "--release", "--package", PACKAGE, "--target", &self.host]);
        let given = std::env::var("RUSTFLAGS").unwrap_or_default();
        build.env("CARGO_TARGET_DIR", directory).env("RUSTFLAGS", format!("{given} {flag}").trim());
        run(build)?;
        let program = format!("impulse{}", std::env::consts::EXE_SUFFIX);
        Ok(directory.join(&self.host).join("release").join(program))
    }
}
