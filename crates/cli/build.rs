//! Collects the licences of everything that is linked into the library of an FMU: this project, SUNDIALS, and the
//! crates on which `mbfmu-shell` depends, as cargo knows them.

#![allow(clippy::print_stdout, reason = "a build script talks to cargo on stdout")]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The crate whose dependencies end up in an FMU.
const LINKED: &str = "mbfmu-shell";
/// Some crates are linked on one kind of processor only. Their licences belong into every archive, which may hold
/// libraries for several platforms whatever machine it was packed on.
const PLATFORMS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
/// What zig links into libraries for distribution in place of libgcc; its licences are in `licenses/`.
const LINKED_BY_ZIG: [&str; 2] = ["LLVM-libunwind", "zig"];
/// Beginnings of the names of licence files.
const LICENSE_FILES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

fn main() -> Outcome {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.join("Cargo.lock").display());
    let mut crates = String::from("const CRATES: &[Crate] = &[\n");
    let mut texts = Texts::default();
    texts.add_folder("multibody-fmu", &root, true)?;
    for name in LINKED_BY_ZIG {
        texts.add_folder(name, &Path::new("licenses").join(name).canonicalize()?, true)?;
    }
    for package in linked_packages(&root)? {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        let (name, version) = (field("name"), field("version"));
        writeln!(
            crates,
            "    Crate {{ name: {name:?}, version: {version:?}, license: {:?}, repository: {:?} }},",
            field("license"),
            field("repository")
        )?;
        let folder = Path::new(field("manifest_path")).parent().ok_or("a package without folder")?;
        texts.add_folder(&format!("{name}-{version}"), folder, false)?;
        if name == "sundials-sys" {
            texts.add_folder("SUNDIALS", &folder.join("vendor"), false)?;
        }
    }
    crates.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR")?).join("licenses.rs");
    fs::write(out, format!("{crates}{}", texts.source()))?;
    Ok(())
}

/// Output of a cargo command that changes nothing; without network if that is possible.
fn cargo(root: &Path, arguments: &[&str]) -> Outcome<Vec<u8>> {
    let run = |offline: &[&str]| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Command::new(cargo).args(arguments).args(offline).current_dir(root).output()
    };
    let mut output = run(&["--offline"])?;
    if !output.status.success() {
        output = run(&[])?;
    }
    if !output.status.success() {
        return Err(format!("cargo {} failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(output.stdout)
}

/// Packages from registries that are linked into the library, sorted by name.
fn linked_packages(root: &Path) -> Outcome<Vec<Value>> {
    let mut tree =
        vec!["tree", "--package", LINKED, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
    let mut metadata = vec!["metadata", "--format-version", "1"];
    let target = env::var("TARGET")?;
    for platform in PLATFORMS.into_iter().chain([target.as_str()]) {
        tree.extend(["--target", platform]);
        metadata.extend(["--filter-platform", platform]);
    }
    let tree = String::from_utf8(cargo(root, &tree)?)?;
    let linked: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let metadata: Value = serde_json::from_slice(&cargo(root, &metadata)?)?;
    let all = metadata["packages"].as_array().cloned().ok_or("cargo metadata lists no packages")?;
    let label = |package: &Value| Some(format!("{} v{}", package["name"].as_str()?, package["version"].as_str()?));
    let is_linked = |package: &Value| {
        !package["source"].is_null() && label(package).is_some_and(|label| linked.contains(label.as_str()))
    };
    let mut packages: Vec<Value> = all.into_iter().filter(is_linked).collect();
    packages.sort_by_key(label);
    Ok(packages)
}

/// Licence files, by their name in the archive.
#[derive(Default)]
struct Texts {
    files: BTreeMap<String, PathBuf>,
}

impl Texts {
    /// Adds the licence files of a folder; when it has none and `is_required`, the build warns.
    fn add_folder(&mut self, name: &str, folder: &Path, is_required: bool) -> Outcome {
        let before = self.files.len();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_license = LICENSE_FILES.iter().any(|start| file.to_lowercase().starts_with(start));
            if is_license && path.is_file() {
                println!("cargo::rerun-if-changed={}", path.display());
                self.files.insert(format!("{name}/{file}"), path);
            }
        }
        if is_required && self.files.len() == before {
            println!("cargo::warning=there are no licence files in {}; FMUs will lack them", folder.display());
            // Looks again at every build until they are there.
            println!("cargo::rerun-if-changed={}", folder.join("LICENSE-MIT").display());
        }
        Ok(())
    }

    fn source(&self) -> String {
        let entry = |(name, path): (&String, &PathBuf)| {
            format!("    ({name:?}, include_bytes!({:?})),\n", path.display().to_string())
        };
        format!("const TEXTS: &[(&str, &[u8])] = &[\n{}];\n", self.files.iter().map(entry).collect::<String>())
    }
}
