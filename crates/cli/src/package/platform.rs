//! Names that differ between platforms; nowhere else.

use std::fmt;

/// A platform for which an FMU may hold a library.
#[derive(Debug, PartialEq, Eq)]
pub struct Platform {
    /// Folder under `binaries/`: the names of FMI 2.0 mean processors of the x86 family, all others are written as in
    /// FMI 3.0 (FMI 2.0.4, section 2.3).
    pub name: &'static str,
    /// Operating system and processor, as Rust calls them.
    system: &'static str,
    processor: &'static str,
    /// Beginning and end of the names of libraries.
    prefix: &'static str,
    suffix: &'static str,
    /// Alternative folder, for hosts that do not support the name.
    other_folder: Option<&'static str>,
}

/// All platforms, in the order in which they are named to the user.
pub static ALL: [Platform; 5] = [
    Platform {
        name: "linux64",
        system: "linux",
        processor: "x86_64",
        prefix: "lib",
        suffix: ".so",
        other_folder: Some("x86_64-linux"),
    },
    Platform {
        name: "win64",
        system: "windows",
        processor: "x86_64",
        prefix: "",
        suffix: ".dll",
        other_folder: Some("x86_64-windows"),
    },
    Platform {
        name: "darwin64",
        system: "macos",
        processor: "x86_64",
        prefix: "lib",
        suffix: ".dylib",
        other_folder: Some("x86_64-darwin"),
    },
    Platform {
        name: "aarch64-linux",
        system: "linux",
        processor: "aarch64",
        prefix: "lib",
        suffix: ".so",
        other_folder: Some("linux64"),
    },
    Platform {
        name: "aarch64-darwin",
        system: "macos",
        processor: "aarch64",
        prefix: "lib",
        suffix: ".dylib",
        other_folder: Some("darwin64"),
    },
];

/// Name of the target that `make build` builds for, and so of a folder of cargo's; none where it builds plainly.
pub const PORTABLE_TARGET: Option<&str> = if !cfg!(all(target_os = "linux", target_env = "gnu")) {
    None
} else if cfg!(target_arch = "x86_64") {
    Some("x86_64-unknown-linux-gnu")
} else if cfg!(target_arch = "aarch64") {
    Some("aarch64-unknown-linux-gnu")
} else {
    None
};

impl Platform {
    /// The platform of this command; none if FMUs have no name for it.
    pub fn here() -> Option<&'static Self> {
        Self::of(std::env::consts::OS, std::env::consts::ARCH)
    }

    /// The platform of an operating system and a processor, as Rust calls them.
    pub fn of(system: &str, processor: &str) -> Option<&'static Self> {
        ALL.iter().find(|platform| platform.system == system && platform.processor == processor)
    }

    /// The platform with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|platform| platform.name == name)
    }

    /// Whether it is Windows, Linux, …, as Rust calls it.
    pub fn is_system(&self, system: &str) -> bool {
        self.system == system
    }

    /// Path of the library in an FMU's archive.
    pub fn library_in_archive(&self, model_identifier: &str) -> String {
        format!("binaries/{}/{model_identifier}{}", self.name, self.suffix)
    }

    /// Paths where FMUs of any tool may have the library, the right one first.
    pub fn libraries_in_archive(&self, model_identifier: &str) -> impl Iterator<Item = String> {
        let folders = [Some(self.name), self.other_folder].into_iter().flatten();
        folders.map(move |folder| format!("binaries/{folder}/{model_identifier}{}", self.suffix))
    }

    /// File name of the library that cargo builds of a crate.
    pub fn built_library(&self, package: &str) -> String {
        format!("{}{package}{}", self.prefix, self.suffix)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
