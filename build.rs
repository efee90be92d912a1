//! Generates the model description of every model in `fmus/` from its declaration.
//!
//! Results go to `OUT_DIR`; a test keeps the reviewed copies in `modelDescription/` equal to them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[allow(dead_code)]
#[path = "src/interface.rs"]
mod interface;
#[allow(dead_code)]
#[path = "src/outputs.rs"]
mod outputs;
#[path = "src/presentation.rs"]
mod presentation;
#[allow(dead_code)]
#[path = "src/structure.rs"]
mod structure;
#[allow(dead_code)]
#[path = "src/variable.rs"]
mod variable;

fn main() {
    println!("cargo::rerun-if-changed=fmus");
    println!("cargo::rerun-if-changed=src/interface.rs");
    println!("cargo::rerun-if-changed=src/outputs.rs");
    println!("cargo::rerun-if-changed=src/presentation.rs");
    println!("cargo::rerun-if-changed=src/structure.rs");
    println!("cargo::rerun-if-changed=src/variable.rs");
    if let Err(message) = generate() {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn generate() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let mut list = String::from("&[\n");
    for folder in model_folders(Path::new("fmus"))? {
        let (name, xml) = describe(&folder)?;
        let path = out.join(format!("{name}.xml"));
        fs::write(&path, xml).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    list.push_str("]\n");
    fs::write(out.join("model_descriptions.rs"), list).map_err(|error| error.to_string())
}

/// Folders with a `model.toml`, in alphabetical order.
fn model_folders(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(root).map_err(|error| format!("cannot read {}: {error}", root.display()))?;
    let mut folders: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.join("model.toml").is_file())
        .collect();
    folders.sort();
    Ok(folders)
}

fn describe(folder: &Path) -> Result<(String, String), String> {
    let model = mbs_model::load(folder).map_err(|errors| errors.to_string())?;
    let name = model.declaration.name.clone();
    let interface = interface::Interface::new(model.declaration.clone()).map_err(|error| {
        let lines = error.errors.iter().map(|e| model.error(e.location, e.message.clone(), e.hint.clone()).to_string());
        lines.collect::<Vec<_>>().join("\n")
    })?;
    let xml = interface.xml().map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok((name, xml))
}
