//! The viewer: its scripts pass their own tests, and the committed page is what they bundle to. Needs Node.js 18 or
//! newer with npm; building this crate does not.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the bundle is made from, besides the folder `src`.
const FILES: [&str; 4] = [".npmrc", "bundle.mjs", "package.json", "package-lock.json"];

fn viewer() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("viewer")
}

/// Runs a program in `folder`, which must succeed.
fn run<A: AsRef<OsStr>>(folder: &Path, program: &str, arguments: impl IntoIterator<Item = A>) {
    let result = Command::new(program).args(arguments).current_dir(folder).output();
    let advice = "install Node.js 18 or newer with npm (`tools/install.sh viewer`)";
    let output = result.unwrap_or_else(|error| panic!("{program} cannot be started: {error}; {advice}"));
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&said));
}

/// A copy of the viewer with the locked packages, which are installed again only when the lock file changes.
fn copy_with_packages() -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("viewer");
    let sources = fs::read_dir(viewer().join("src")).unwrap().map(|entry| entry.unwrap().path());
    fs::create_dir_all(copy.join("src")).unwrap();
    for name in FILES {
        fs::copy(viewer().join(name), copy.join(name)).unwrap();
    }
    for path in sources {
        fs::copy(&path, copy.join("src").join(path.file_name().unwrap())).unwrap();
    }
    let lock = fs::read(copy.join("package-lock.json")).unwrap();
    let installed = copy.join("installed-lock.json");
    if fs::read(&installed).is_ok_and(|before| before == lock) {
        return copy;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    run(&copy, npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    fs::write(installed, lock).unwrap();
    copy
}

#[test]
fn scripts_of_the_viewer_pass_their_own_tests() {
    run(
        &viewer(),
        "node",
        [
            "--test",
            "test/motion.test.mjs",
            "test/details.test.mjs",
            "test/history.test.mjs",
            "test/spread.test.mjs",
            "test/overlay.test.mjs",
            "test/fall.test.mjs",
        ],
    );
}

#[test]
fn the_committed_page_is_fresh() {
    let copy = copy_with_packages();
    run(&copy, "node", ["bundle.mjs", "page.html"]);
    let (bundled, committed) = (fs::read(copy.join("page.html")).unwrap(), viewer().join("page.html"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&committed, &bundled).unwrap();
    }
    let remedy = "run `UPDATE=1 cargo test -p mbs-present --test viewer`";
    assert!(fs::read(&committed).is_ok_and(|page| page == bundled), "{} is stale; {remedy}", committed.display());
}
