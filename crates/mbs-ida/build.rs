//! Binds IDA's memory block, from the private header of the very SUNDIALS that `sundials-sys` has built.
//!
//! IDA offers no way to copy its history; `src/sundials/record.rs` copies it through this binding. The public types
//! in it are those of `sundials-sys`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let root = env::var("DEP_SUNDIALS_ROOT")
        .map_err(|_| "sundials-sys does not say where it has built SUNDIALS (DEP_SUNDIALS_ROOT is not set)")?;
    let root = PathBuf::from(root);
    let sources = sources(&root)?;
    let include = |directory: PathBuf| format!("-I{}", directory.display());
    let bindings = bindgen::Builder::default()
        .header(sources.join("src/ida/ida_impl.h").display().to_string())
        .clang_arg(include(root.join("include")))
        .clang_arg(include(sources.join("src/sundials")))
        .allowlist_type("IDAMemRec")
        .allowlist_var("MXORDP1")
        .allowlist_recursively(false)
        .formatter(bindgen::Formatter::None)
        .generate()?;
    let target = Path::new(&env::var("OUT_DIR")?).join("ida_memory.rs");
    bindings.write_to_file(target)?;
    Ok(())
}

/// Where the sources lie, as CMake noted when it configured the build.
fn sources(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let cache = root.join("build/CMakeCache.txt");
    let text = fs::read_to_string(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="));
    Ok(PathBuf::from(line.ok_or_else(|| format!("{} names no source directory", cache.display()))?))
}
