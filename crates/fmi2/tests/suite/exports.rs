//! What the library exports.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::library::{NAMES, library_path};

#[test]
fn the_library_exports_the_functions_of_fmi_and_nothing_else() {
    let output = Command::new("nm").args(["-D", "--defined-only", "--format=posix"]).arg(library_path()).output();
    let text = String::from_utf8(output.expect("nm of the binutils").stdout).unwrap();
    let mut exported: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut expected = NAMES.to_vec();
    exported.sort_unstable();
    expected.sort_unstable();
    assert_eq!(exported, expected);
}
