//! `tools/install.sh` sees what a machine lacks. The machines are made up: folders with tools that print a version, and
//! libraries that consist of their first bytes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// First bytes of a shared library for 64-bit machines, and for 32-bit ones.
const ELF64: &[u8] = b"\x7fELF\x02\x01\x01\0";
const ELF32: &[u8] = b"\x7fELF\x01\x01\x01\0";

/// Everything the build needs, when nothing is there.
const ALL: &str = "cmake build-essential binutils libclang-dev python3-venv";

/// A made-up file system; vanishes with it.
struct Machine {
    root: PathBuf,
}

impl Machine {
    /// Rust alone.
    fn bare(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("install-{name}-{}", std::process::id()));
        fs::create_dir_all(root.join("bin")).unwrap();
        Self { root }.tool("cargo", "cargo 1.95.0").tool("rustc", "rustc 1.95.0 (59807616e 2026-04-14)")
    }

    /// A machine that has everything but libclang.
    fn without_libclang(name: &str) -> Self {
        let tools = [("cmake", "cmake version 3.25.1"), ("cc", ""), ("readelf", ""), ("python3", "")];
        tools.into_iter().fold(Self::bare(name), |machine, (tool, version)| machine.tool(tool, version))
    }

    /// A program that prints a version.
    fn tool(self, name: &str, version: &str) -> Self {
        let path = self.root.join("bin").join(name);
        fs::write(&path, format!("#!/bin/bash\necho '{version}'\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn file(self, path: &str, bytes: &[u8]) -> Self {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    fn install(&self, word: &str, variables: &[(&str, &str)]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/install.sh");
        let mut bash = Command::new("/bin/bash");
        bash.arg(script).arg(word).env_clear().env("PATH", self.root.join("bin")).env("SYSTEM_ROOT", &self.root);
        for (name, path) in variables {
            bash.env(name, self.root.join(path));
        }
        bash.output().unwrap()
    }

    /// Debian packages that are missing, separated by blanks.
    fn missing(&self, variables: &[(&str, &str)]) -> String {
        let output = self.install("missing", variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What the script says when it gives up.
    fn error_message(&self, word: &str, variables: &[(&str, &str)]) -> String {
        let output = self.install(word, variables);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // A folder that stays behind in the target folder does no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

#[test]
fn a_bare_machine_lacks_everything() {
    assert_eq!(Machine::bare("bare").missing(&[]), ALL);
}

#[test]
fn a_complete_machine_lacks_nothing() {
    let machine = Machine::without_libclang("complete").file("usr/lib/llvm-14/lib/libclang-14.so.1", ELF64);
    assert_eq!(machine.missing(&[]), "");
    assert!(machine.install("", &[]).status.success());
}

#[test]
fn libclang_cpp_is_another_library() {
    let machine = Machine::without_libclang("cpp")
        .file("usr/lib/llvm-14/lib/libclang-cpp.so.14", ELF64)
        .file("usr/lib/x86_64-linux-gnu/libclang-cpp.so.14", ELF64)
        .file("usr/lib/x86_64-linux-gnu/libclang-cpp.so", ELF64);
    assert_eq!(machine.missing(&[]), "libclang-dev");
}

#[test]
fn every_name_and_folder_that_bindgen_tries_is_found() {
    let places = [
        "usr/lib/libclang.so",
        "usr/lib64/libclang-16.so",
        "usr/lib/x86_64-linux-gnu/libclang.so.1",
        "usr/lib/x86_64-linux-gnu/libclang-14.so.14.0.6",
        "usr/lib/llvm-19/lib/libclang.so.19.1",
        "usr/local/lib/libclang.so",
        "usr/local/lib/x86_64-linux-gnu/libclang.so",
        "usr/local/llvm-18/lib/libclang.so",
    ];
    for (k, place) in places.into_iter().enumerate() {
        let machine = Machine::without_libclang(&format!("place-{k}")).file(place, ELF64);
        assert_eq!(machine.missing(&[]), "", "{place}");
    }
}

#[test]
fn libraries_of_a_wrong_version_or_machine_do_not_count() {
    for (k, (name, bytes)) in [
        ("libclang-3.9.so", ELF64),
        ("libclang-3.9.so.1", ELF64),
        ("libclang.so.5.0", ELF64),
        ("libclang.so", ELF32),
        ("libclang.so", b"/* GNU ld script */"),
        ("libclang.so", b""),
    ]
    .into_iter()
    .enumerate()
    {
        let machine = Machine::without_libclang(&format!("wrong-{k}")).file(&format!("usr/lib/{name}"), bytes);
        assert_eq!(machine.missing(&[]), "libclang-dev", "{name}");
    }
}

#[test]
fn libclang_is_found_by_the_variables_and_by_llvm_config() {
    let machine = Machine::without_libclang("variables").file("opt/llvm/lib/libclang.so", ELF64);
    assert_eq!(machine.missing(&[]), "libclang-dev");
    for (variable, path) in [
        ("LIBCLANG_PATH", "opt/llvm/lib"),
        ("LIBCLANG_PATH", "opt/llvm/lib/libclang.so"),
        ("LD_LIBRARY_PATH", "opt/llvm/lib"),
        ("LIBRARY_PATH", "opt/llvm/lib"),
    ] {
        assert_eq!(machine.missing(&[(variable, path)]), "", "{variable} = {path}");
    }
    let prefix = machine.root.join("opt/llvm").display().to_string();
    assert_eq!(machine.tool("llvm-config", &prefix).missing(&[]), "");
}

#[test]
fn a_variable_that_leads_astray_is_named() {
    let machine = Machine::without_libclang("astray").file("usr/lib/libclang.so", ELF64);
    let error_message = machine.error_message("", &[("LIBCLANG_PATH", "opt")]);
    assert!(
        error_message.contains("LIBCLANG_PATH is ") && error_message.contains("correct or unset it"),
        "{error_message}"
    );
}

#[test]
fn old_tools_are_replaced() {
    let machine = Machine::without_libclang("old").file("usr/lib/libclang.so", ELF64);
    assert_eq!(machine.missing(&[]), "");
    assert_eq!(machine.tool("cmake", "cmake version 3.13.4").missing(&[]), "cmake");
}

#[test]
fn rust_that_is_missing_or_too_old_is_named() {
    let error_message = Machine::bare("old-rust").tool("rustc", "rustc 1.63.0").error_message("", &[]);
    assert!(error_message.contains("rustc 1.63.0 is too old: 1.93 or newer is needed"), "{error_message}");
    let machine = Machine::bare("no-rust");
    fs::remove_file(machine.root.join("bin/cargo")).unwrap();
    let error_message = machine.error_message("", &[]);
    assert!(error_message.contains("Rust is missing") && error_message.contains("1.93"), "{error_message}");
}

#[test]
fn without_a_package_manager_the_packages_are_named() {
    let error_message = Machine::bare("no-apt").error_message("", &[]);
    assert!(error_message.contains(ALL) && error_message.contains("Debian names"), "{error_message}");
}
