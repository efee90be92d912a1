//! Bundles the viewer (`viewer/`, with three.js) into one page in `OUT_DIR`.
//!
//! Everything happens in a copy, so that the source tree stays as it is. Packages are installed again only when
//! the lock file changes.

#![allow(clippy::print_stdout, reason = "a build script talks to cargo on stdout")]

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const FILES: [&str; 4] = [".npmrc", "bundle.mjs", "package.json", "package-lock.json"];
const ADVICE: &str = "install Node.js 18 or newer with npm (on Debian: apt-get install nodejs npm) and give it \
                      access to its package registry";

fn main() -> ExitCode {
    match bundle() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let reason = error.to_string().replace('\n', " ");
            println!("cargo::error=the 3D viewer cannot be bundled; {ADVICE}. Cause: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn bundle() -> Result<(), Box<dyn Error>> {
    let source = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("viewer");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let work = out.join("viewer");
    copy_sources(&source, &work)?;
    install(&work)?;
    run(&work, "node", [OsStr::new("bundle.mjs"), out.join("page.html").as_os_str()])
}

/// Copies the viewer without installed packages and tells cargo to watch it.
fn copy_sources(source: &Path, work: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(work.join("src"))?;
    for name in FILES {
        println!("cargo::rerun-if-changed={}", source.join(name).display());
        fs::copy(source.join(name), work.join(name))?;
    }
    println!("cargo::rerun-if-changed={}", source.join("src").display());
    for entry in fs::read_dir(source.join("src"))? {
        let path = entry?.path();
        fs::copy(&path, work.join("src").join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Installs the locked packages unless that was done for this lock file already.
fn install(work: &Path) -> Result<(), Box<dyn Error>> {
    let lock = fs::read(work.join("package-lock.json"))?;
    let installed = work.join("installed-lock.json");
    if fs::read(&installed).is_ok_and(|before| before == lock) {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(work, npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])?;
    fs::write(installed, lock)?;
    Ok(())
}

/// Runs a program in `folder`; its error output becomes part of the error.
fn run<A: AsRef<OsStr>>(
    folder: &Path,
    program: &str,
    arguments: impl IntoIterator<Item = A>,
) -> Result<(), Box<dyn Error>> {
    let result = Command::new(program).args(arguments).current_dir(folder).output();
    let output = result.map_err(|e| format!("{program} cannot be started: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} failed ({}): {}", output.status, said.trim()).into())
}
