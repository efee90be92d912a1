//! Where the shared libraries for the FMU come from.
//!
//! Cargo builds the one for this machine as a dependency of this command and leaves it in `deps/` beside the
//! executable; building the whole workspace puts a second, perhaps older or newer one next to the executable. Such a
//! library needs the C library of the machine that built it. `make build` builds for an old C library, in a folder of
//! its own named after the target; that one is preferred when it was made of the same sources as this command.
//!
//! `make platforms` leaves those for all platforms in `platforms/<platform>/` of cargo's target folder. They are taken
//! when they were made of the same sources, too; that for this machine as well, as it is the smallest.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::binary::Binary;
use super::platform::{self, Platform};
use crate::error::{Error, Result};
use crate::product;

/// Environment variable that names the library.
const VARIABLE: &str = "MBFMU_SHELL";
/// Crate of the library without components of a user's own.
const SHELL: &str = "mbfmu_shell";
/// What makes the libraries for other platforms.
fn remedy() -> &'static str {
    if product::library_folder().is_some() {
        "this installation brings that of its own platform; `make platforms` in the sources of this version builds the \
         others, and --library names all that are wanted, that of this platform as well"
    } else {
        "`make platforms` builds it"
    }
}

/// A shared library for an FMU.
pub struct Library {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it runs: one platform, or those of all processors of a universal library.
    platforms: Vec<&'static Platform>,
    /// Where it goes in the archive: in the folder of its first platform, unless others are requested.
    pub folders: Vec<&'static Platform>,
    /// What it needs of the system, for the user.
    requirement: Option<String>,
    fingerprint: Option<Vec<u8>>,
}

impl Library {
    /// Reads a library and refuses one that would not run in a host; `origin` names its source in the message.
    fn read(path: &Path, origin: &str) -> Result<Self> {
        let bytes = super::read(path)?;
        let refused = |why: &str, hint: String| {
            Err(Error::hinted(format!("{origin} {}, which is {why}", path.display()), Some(hint)))
        };
        let Some(binary) = Binary::read(&bytes) else {
            return refused(
                "not the library of an FMU",
                "it is no shared library of a platform that is known".to_owned(),
            );
        };
        let lacks = |name: &&&str| !binary.exports.iter().any(|export| export == **name);
        let missing: Vec<&str> = fmi2_host::FUNCTIONS.iter().filter(lacks).copied().collect();
        if let Some(first) = missing.first() {
            let others = if missing.len() > 1 { format!(" and {} others", missing.len() - 1) } else { String::new() };
            return refused("not the library of an FMU", format!("it has no function {first}{others}"));
        }
        let foreign = binary.foreign_libraries();
        if !foreign.is_empty() {
            let hint = format!("it needs {}, which systems do not have; link that statically", foreign.join(", "));
            return refused("no library that runs by itself", hint);
        }
        if let Some(platform) = binary.unsigned.first() {
            let hint =
                format!("macOS loads no library for {platform} without a signature; `codesign --sign -` makes one");
            return refused("not signed", hint);
        }
        let requirement = binary.requirement();
        let Binary { platforms, fingerprint, .. } = binary;
        let folders = platforms.iter().take(1).copied().collect();
        Ok(Self { bytes, platforms, folders, requirement, fingerprint })
    }

    fn is_of_these_sources(&self) -> bool {
        self.fingerprint.as_ref().is_some_and(|bytes| bytes == mbfmu_fingerprint::FINGERPRINT)
    }

    /// Where the library runs, for the user.
    fn description(&self) -> String {
        let names: Vec<&str> = self.platforms.iter().map(|platform| platform.name).collect();
        let requirement = self.requirement.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        format!("{}{requirement}", names.join(" and "))
    }
}

/// The libraries of an FMU, and why other platforms have none.
pub struct Libraries {
    /// Those that are at hand, of different platforms.
    pub found: Vec<Library>,
    /// Platforms without one, and the reason.
    pub absent: Vec<(&'static Platform, String)>,
}

impl Libraries {
    /// Reads the libraries named, that of the environment variable, or all at hand; of these, those for `wanted`
    /// platforms, if some are named.
    ///
    /// # Errors
    /// A library that is named or for a wanted platform, and is missing or does not fit; none at all.
    pub fn find(named: &[PathBuf], wanted: &[String]) -> Result<Self> {
        let wanted = platforms_named(wanted)?;
        let from_environment = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let (named, origin) = match (named, from_environment) {
            ([], Some(path)) => (vec![path], format!("{VARIABLE} names")),
            (named, _) => (named.to_vec(), "--library names".to_owned()),
        };
        let mut libraries = if named.is_empty() { Self::at_hand(&wanted)? } else { Self::named(&named, &origin)? };
        for platform in &wanted {
            if !libraries.found.iter().any(|library| library.platforms.contains(platform)) {
                let reason = libraries.absent.iter().find(|(absent, _)| absent == platform);
                let reason = reason.map(|(_, reason)| reason.clone());
                return Err(Error::hinted(format!("there is no library for {platform}"), reason));
            }
        }
        if !wanted.is_empty() {
            for library in &mut libraries.found {
                library.folders = library.platforms.iter().filter(|it| wanted.contains(it)).copied().collect();
            }
            libraries.found.retain(|library| !library.folders.is_empty());
            libraries.absent.clear();
        }
        Ok(libraries)
    }

    fn named(paths: &[PathBuf], origin: &str) -> Result<Self> {
        let mut found: Vec<Library> = Vec::new();
        for path in paths {
            if !path.is_file() {
                return Err(Error::failed(format!("{origin} {}, which is not a file", path.display())));
            }
            let library = Library::read(path, origin)?;
            let mut others = found.iter().flat_map(|other| &other.platforms);
            if let Some(twice) = others.find(|platform| library.platforms.contains(platform)) {
                return Err(Error::Usage(format!("two libraries for {twice} are named")));
            }
            found.push(library);
        }
        Ok(Self { found, absent: Vec::new() })
    }

    fn at_hand(wanted: &[&'static Platform]) -> Result<Self> {
        let folder = own_folder()?;
        let mut libraries = Self { found: Vec::new(), absent: Vec::new() };
        for platform in &platform::ALL {
            if libraries.found.iter().any(|library| library.platforms.contains(&platform)) {
                continue; // a universal library
            }
            let is_here = Some(platform) == Platform::here();
            let mut candidate =
                if is_here { near_executable(&folder, platform).transpose() } else { of_platform(&folder, platform) };
            if let Some(Ok(library)) = &candidate
                && !library.platforms.contains(&platform)
            {
                let others = library.description();
                candidate = Some(Err(Error::failed(format!("the library at hand is for {others}"))));
            }
            match candidate {
                Some(Ok(library)) => libraries.found.push(library),
                Some(Err(error)) if is_here && (wanted.is_empty() || wanted.contains(&platform)) => return Err(error),
                Some(Err(error)) => libraries.absent.push((platform, error.message())),
                None => libraries.absent.push((platform, remedy().to_owned())),
            }
        }
        if libraries.found.is_empty() {
            return Err(missing(&folder));
        }
        Ok(libraries)
    }

    /// What is inside an FMU and what is not, for the user.
    pub fn summary(&self) -> String {
        let inside: Vec<String> = self.found.iter().map(Library::description).collect();
        let mut text = format!(" for {}", inside.join(", "));
        let unbuilt = self.absent.iter().filter(|(_, reason)| reason == remedy()).map(|(platform, _)| platform.name);
        let unbuilt: Vec<&str> = unbuilt.collect();
        if !unbuilt.is_empty() {
            text.push_str(&format!("; none for {}", unbuilt.join(", ")));
        }
        for (platform, reason) in self.absent.iter().filter(|(_, reason)| reason != remedy()) {
            text.push_str(&format!("\nnone for {platform}: {reason}"));
        }
        text
    }
}

/// The platforms with these names.
fn platforms_named(names: &[String]) -> Result<Vec<&'static Platform>> {
    let platform = |name: &String| {
        Platform::named(name).ok_or_else(|| {
            let known: Vec<&str> = platform::ALL.iter().map(|platform| platform.name).collect();
            Error::Usage(format!("there is no platform `{name}`; there are {}", known.join(", ")))
        })
    };
    names.iter().map(platform).collect()
}

/// Where the libraries of this command are, or from where they are found.
fn own_folder() -> Result<PathBuf> {
    if let Some(folder) = product::library_folder() {
        return Ok(folder.to_path_buf());
    }
    let executable = env::current_exe()
        .and_then(fs::canonicalize)
        .map_err(|cause| Error::failed(format!("cannot find this command's own file: {cause}")))?;
    Ok(executable.parent().unwrap_or(Path::new(".")).to_path_buf())
}

/// The library for this machine.
fn near_executable(folder: &Path, platform: &Platform) -> Result<Option<Library>> {
    if product::library() == SHELL
        && let Some(Ok(library)) = of_platform(folder, platform)
    {
        return Ok(Some(library));
    }
    let name = platform.built_library(product::library());
    let read = |path: PathBuf| Library::read(&path, "the library at hand is");
    let portable = portable_folder(folder).and_then(|folder| latest(&folder, &name)).map(read);
    if let Some(Ok(library)) = portable
        && library.is_of_these_sources()
    {
        return Ok(Some(library));
    }
    latest(folder, &name).map_or_else(|| Err(missing(folder)), |path| read(path).map(Some))
}

/// Where `make build` leaves its library, relative to the folder of a command that plain cargo has built.
fn portable_folder(folder: &Path) -> Option<PathBuf> {
    Some(folder.parent()?.join(platform::PORTABLE_TARGET?).join(folder.file_name()?))
}

/// The library of `make platforms` for a platform, if built.
fn of_platform(folder: &Path, platform: &Platform) -> Option<Result<Library>> {
    let file = Path::new("platforms").join(platform.name).join(platform.built_library(product::library()));
    // The command lies in a subfolder of the target folder, or in one named after the target.
    let path = folder.ancestors().take(3).map(|ancestor| ancestor.join(&file)).find(|path| path.is_file())?;
    let library = match Library::read(&path, "the library at hand is") {
        Ok(library) => library,
        Err(error) => return Some(Err(error)),
    };
    if product::library() == SHELL && !library.is_of_these_sources() {
        let message = format!("the library at hand is of other sources than this command; {}", remedy());
        return Some(Err(Error::failed(message)));
    }
    Some(Ok(library))
}

/// The library that was built last, of those in a folder and its `deps/`.
fn latest(folder: &Path, name: &str) -> Option<PathBuf> {
    let places = [folder.join(name), folder.join("deps").join(name)];
    places.into_iter().filter(|path| path.is_file()).max_by_key(|path| modified(path))
}

fn missing(folder: &Path) -> Error {
    let name = Platform::here().map_or_else(String::new, |platform| platform.built_library(product::library()));
    Error::hinted(
        format!("the library {name} is missing; it should be in {} or in deps/ there", folder.display()),
        Some(format!("build it with `cargo build --release -p mbfmu-shell`, or name it by --library or {VARIABLE}")),
    )
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}
