//! A fingerprint of the sources that make the library, so that `mbfmu pack` can tell whether a library built
//! for other machines belongs to it.

#![allow(clippy::print_stdout, reason = "a build script talks to cargo on stdout")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// What is compiled into the library, from the root of the workspace.
const SOURCES: &[&str] = &[
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "src",
    "crates/elementary/src",
    "crates/fmi2/src",
    "crates/mbs/src",
    "crates/mbs-ida/build.rs",
    "crates/mbs-ida/src",
    "crates/reserve/src",
    "crates/workers/src",
    "crates/fingerprint/build.rs",
    "crates/fingerprint/src",
    "crates/shell/src",
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let mut hash = Sha256::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
        add(&mut hash, &root, Path::new(source))?;
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("fingerprint"), hash.finalize())?;
    Ok(())
}

/// Adds a file, or all files of a folder in alphabetical order: path, length and content.
fn add(hash: &mut Sha256, root: &Path, path: &Path) -> io::Result<()> {
    let place = root.join(path);
    if place.is_file() {
        let bytes = fs::read(place)?;
        hash.update(path.to_string_lossy().as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
        return Ok(());
    }
    let mut names = fs::read_dir(place)?.map(|entry| entry.map(|e| e.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    names.iter().try_for_each(|name| add(hash, root, &path.join(name)))
}
