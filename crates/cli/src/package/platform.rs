//! Names that differ between platforms; nowhere else.

/// Folder of this platform under `binaries/`, as FMI 2.0 calls it. The standard has no name for 64-bit ARM; tools put
/// such libraries where those of the same system are.
const FOLDER: &str = if cfg!(target_os = "windows") {
    if cfg!(target_pointer_width = "64") { "win64" } else { "win32" }
} else if cfg!(target_os = "macos") {
    "darwin64"
} else if cfg!(target_pointer_width = "64") {
    "linux64"
} else {
    "linux32"
};

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

/// Path of the library in an FMU's archive.
pub fn library_in_archive(model_identifier: &str) -> String {
    format!("binaries/{FOLDER}/{model_identifier}{}", std::env::consts::DLL_SUFFIX)
}

/// File name of the library that cargo builds.
pub fn built_library() -> String {
    format!("{}{}{}", std::env::consts::DLL_PREFIX, crate::product::library(), std::env::consts::DLL_SUFFIX)
}
