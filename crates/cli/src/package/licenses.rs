//! Licence texts of everything that is linked into the library of an FMU; collected by the build script.

use std::fmt::Write as _;

/// A crate that is linked.
struct Crate {
    name: &'static str,
    version: &'static str,
    license: &'static str,
    repository: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/licenses.rs"));

/// Files for `documentation/licenses`: names and contents.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> =
        TEXTS.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    files.push(("README.txt".to_owned(), overview().into_bytes()));
    files
}

fn overview() -> String {
    let mut text =
        "Software linked into the library of this FMU, and its licences. The texts are in this folder.\n\n".to_owned();
    for Crate { name, version, license, repository } in CRATES {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} {version}: {license}\n    {repository}");
    }
    text.push_str("SUNDIALS (IDA): BSD-3-Clause\n    https://github.com/LLNL/sundials\n");
    text.push_str(
        "In libraries built by `make build`: LLVM libunwind: Apache-2.0 WITH LLVM-exception\n    https://llvm.org\n",
    );
    text.push_str("In libraries built by `make build`: compiler_rt of zig: MIT\n    https://ziglang.org\n");
    text.push_str("Rust standard library: MIT OR Apache-2.0\n    https://github.com/rust-lang/rust\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_has_its_licence_in_the_archive() {
        let names: Vec<String> = files().into_iter().map(|(name, _)| name).collect();
        for part in
            ["SUNDIALS/LICENSE", "LLVM-libunwind/LICENSE", "zig/LICENSE", "nalgebra-", "serde_json-", "README.txt"]
        {
            assert!(names.iter().any(|name| name.starts_with(part)), "{part} is not in {names:?}");
        }
        assert!(overview().contains("serde_json"));
        assert!(!overview().contains("\nclap "), "only what is linked into the library is listed");
    }
}
