//! What a shared library of Linux says about itself: the C library it needs, the sources it was made of.

use std::fmt;

use goblin::elf::Elf;

/// Name of the note that holds the fingerprint of the sources; see `crates/shell/src/note.rs`.
const NOTE_SECTION: &str = ".note.mbfmu";

/// A version of the GNU C library, such as 2.17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Glibc(u32, u32);

/// The version that libraries for distribution are built for.
pub const PORTABLE: Glibc = Glibc(2, 17);

impl Glibc {
    /// Reads the name of a version of symbols, `GLIBC_2.17` or `GLIBC_2.2.5`.
    fn from_symbol_version(name: &str) -> Option<Self> {
        let mut numbers = name.strip_prefix("GLIBC_")?.split('.').map(|number| number.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

impl fmt::Display for Glibc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// The oldest GNU C library that has all symbols a library needs; none for other kinds of files.
pub fn required_glibc(bytes: &[u8]) -> Option<Glibc> {
    let elf = Elf::parse(bytes).ok()?;
    let needs = elf.verneed.as_ref()?;
    let versions = needs.iter().flat_map(|library| library.iter().map(|version| version.vna_name).collect::<Vec<_>>());
    versions.filter_map(|name| Glibc::from_symbol_version(elf.dynstrtab.get_at(name)?)).max()
}

/// Whether a file is a shared library with a function of this name.
pub fn exports(bytes: &[u8], function: &str) -> bool {
    let Ok(elf) = Elf::parse(bytes) else { return false };
    elf.dynsyms.iter().any(|symbol| !symbol.is_import() && elf.dynstrtab.get_at(symbol.st_name) == Some(function))
}

/// SHA-256 of the sources a library was made of, if it says so.
pub fn fingerprint(bytes: &[u8]) -> Option<Vec<u8>> {
    let elf = Elf::parse(bytes).ok()?;
    let mut notes = elf.iter_note_sections(bytes, Some(NOTE_SECTION))?;
    notes.find_map(|note| note.ok().filter(|note| note.name == "mbfmu").map(|note| note.desc.to_vec()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_symbols_are_compared_as_numbers() {
        let version = |name| Glibc::from_symbol_version(name).unwrap();
        assert!(version("GLIBC_2.4") < version("GLIBC_2.17"));
        assert!(version("GLIBC_2.2.5") < version("GLIBC_2.3"));
        assert_eq!(version("GLIBC_2.17"), PORTABLE);
        assert_eq!(Glibc::from_symbol_version("GCC_3.0"), None);
        assert_eq!(Glibc::from_symbol_version("GLIBC_PRIVATE"), None);
    }

    #[test]
    fn what_is_no_library_needs_nothing() {
        assert_eq!(required_glibc(b""), None);
        assert_eq!(required_glibc(b"\x7fELF and then rubbish"), None);
        assert_eq!(fingerprint(b"rubbish"), None);
        assert!(!exports(b"rubbish", "main"));
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn the_command_itself_needs_some_glibc() {
        let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(required_glibc(&bytes).unwrap() >= Glibc(2, 2));
    }
}
