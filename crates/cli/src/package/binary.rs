//! Metadata of a shared library, whatever the platform: processor, functions, libraries it needs, the C library it was
//! built for, the sources it was made of.

use std::fmt;

use goblin::elf::Elf;
use goblin::elf::header::{EM_AARCH64, EM_X86_64};
use goblin::mach::constants::cputype::{CPU_TYPE_ARM64, CPU_TYPE_X86_64};
use goblin::mach::header::MH_DYLIB;
use goblin::mach::load_command::CommandVariant;
use goblin::mach::{Mach, MachO};
use goblin::pe::PE;
use goblin::pe::header::{COFF_MACHINE_ARM64, COFF_MACHINE_X86_64};

use super::platform::Platform;

/// Name of the note that holds the fingerprint of the sources, by system; see `crates/shell/src/note.rs`.
const ELF_NOTE: &str = ".note.mbfmu";
const PE_NOTE: &str = ".mbfmu";
const MACH_NOTE: &str = "__mbfmu";
/// What precedes the fingerprint in a note.
const NOTE_HEADER: &[u8] = b"mbfmu\0\0\0";
/// Length of a fingerprint.
const FINGERPRINT: usize = 32;

/// Beginnings of the names of libraries that every system of a kind has.
const OF_LINUX: [&str; 7] = ["libc.", "libm.", "libpthread.", "libdl.", "librt.", "libgcc_s.", "ld-linux"];
const OF_WINDOWS: [&str; 9] = [
    "kernel32.",
    "ntdll.",
    "ucrtbase.",
    "api-ms-win-",
    "bcryptprimitives.",
    "advapi32.",
    "ws2_32.",
    "userenv.",
    "bcrypt.",
];
const OF_MACOS: [&str; 2] = ["/usr/lib/", "/System/Library/"];

/// A version of the GNU C library, such as 2.17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Glibc(u32, u32);

/// The version that libraries for distribution are built for.
const PORTABLE: Glibc = Glibc(2, 17);

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

/// A version of macOS, such as 11.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MacOs(u32, u32);

impl MacOs {
    /// Reads the form `xxxx.yy.zz` of load commands, two digits to a byte; the last part is always zero.
    fn from_load_command(version: u32) -> Self {
        Self(version >> 16, version >> 8 & 0xFF)
    }
}

impl fmt::Display for MacOs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// Properties of a shared library, from its headers.
#[derive(Debug, Default)]
pub struct Binary {
    /// Where it runs: one platform, or those of all processors of a universal library.
    pub platforms: Vec<&'static Platform>,
    /// Functions that can be called.
    pub exports: Vec<String>,
    /// Libraries that must be there.
    pub needed: Vec<String>,
    /// Oldest GNU C library it runs with; none when it needs no such library.
    pub glibc: Option<Glibc>,
    /// Oldest macOS it runs with, if it is for macOS and declares it.
    pub macos: Option<MacOs>,
    /// Processors for which the system refuses it, as it is not signed there.
    pub unsigned: Vec<&'static Platform>,
    /// SHA-256 of the sources it was made of, if noted.
    pub fingerprint: Option<Vec<u8>>,
}

impl Binary {
    /// Reads the headers; none for what is not a shared library of a known platform.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let binary = match bytes {
            [0x7F, b'E', b'L', b'F', ..] => Self::of_elf(&Elf::parse(bytes).ok()?, bytes),
            [b'M', b'Z', ..] => Self::of_pe(&PE::parse(bytes).ok()?, bytes),
            _ => match Mach::parse(bytes).ok()? {
                Mach::Binary(slice) => Self::of_mach(&slice),
                Mach::Fat(slices) => {
                    let parsed = slices.iter_arches().flatten().filter_map(|arch| {
                        let slice = arch.slice(bytes);
                        MachO::parse(slice, 0).ok().map(|slice| Self::of_mach(&slice))
                    });
                    parsed.reduce(Self::and)?
                }
            },
        };
        (!binary.platforms.is_empty()).then_some(binary)
    }

    fn of_elf(elf: &Elf<'_>, bytes: &[u8]) -> Self {
        let processor = match elf.header.e_machine {
            EM_X86_64 => "x86_64",
            EM_AARCH64 => "aarch64",
            _ => "",
        };
        let defined = elf.dynsyms.iter().filter(|symbol| !symbol.is_import());
        let fingerprint = elf.iter_note_sections(bytes, Some(ELF_NOTE)).and_then(|mut notes| {
            notes.find_map(|note| note.ok().filter(|note| note.name == "mbfmu").map(|note| note.desc.to_vec()))
        });
        Self {
            platforms: Platform::of("linux", processor).into_iter().collect(),
            exports: defined.filter_map(|symbol| elf.dynstrtab.get_at(symbol.st_name)).map(str::to_owned).collect(),
            needed: elf.libraries.iter().map(|name| (*name).to_owned()).collect(),
            glibc: required_glibc(elf),
            fingerprint,
            ..Self::default()
        }
    }

    fn of_pe(pe: &PE<'_>, bytes: &[u8]) -> Self {
        let processor = match pe.header.coff_header.machine {
            COFF_MACHINE_X86_64 => "x86_64",
            COFF_MACHINE_ARM64 => "aarch64",
            _ => "",
        };
        let note = pe.sections.iter().find(|section| section.name().is_ok_and(|name| name == PE_NOTE));
        let note = note.and_then(|section| bytes.get(section.pointer_to_raw_data as usize..));
        Self {
            platforms: Platform::of("windows", processor).filter(|_| pe.is_lib).into_iter().collect(),
            exports: pe.exports.iter().filter_map(|export| export.name).map(str::to_owned).collect(),
            needed: pe.libraries.iter().map(|name| name.to_lowercase()).collect(),
            fingerprint: note.and_then(fingerprint_in),
            ..Self::default()
        }
    }

    fn of_mach(slice: &MachO<'_>) -> Self {
        let processor = match slice.header.cputype() {
            CPU_TYPE_X86_64 => "x86_64",
            CPU_TYPE_ARM64 => "aarch64",
            _ => "",
        };
        let exports = slice.exports().unwrap_or_default();
        let mut sections = slice.segments.sections().flatten().flatten();
        let note = sections.find(|(section, _)| section.name().is_ok_and(|name| name == MACH_NOTE));
        // The first is the library itself.
        let needed = slice.libs.iter().skip(1).filter(|name| **name != "self");
        let platform = Platform::of("macos", processor).filter(|_| slice.header.filetype == MH_DYLIB);
        let commands = || slice.load_commands.iter().map(|command| &command.command);
        let version = commands().find_map(|command| match command {
            CommandVariant::BuildVersion(version) => Some(version.minos),
            CommandVariant::VersionMinMacosx(version) => Some(version.version),
            _ => None,
        });
        // Only on ARM does the system require a signature; one without a certificate is sufficient.
        let is_signed = commands().any(|command| matches!(command, CommandVariant::CodeSignature(_)));
        Self {
            platforms: platform.into_iter().collect(),
            exports: exports.iter().map(|export| export.name.trim_start_matches('_').to_owned()).collect(),
            needed: needed.map(|name| (*name).to_owned()).collect(),
            macos: version.map(MacOs::from_load_command),
            unsigned: platform.filter(|_| processor == "aarch64" && !is_signed).into_iter().collect(),
            fingerprint: note.and_then(|(_, data)| fingerprint_in(data)),
            ..Self::default()
        }
    }

    /// What two slices of a universal library have in common, and where either runs.
    fn and(mut self, other: Self) -> Self {
        self.platforms.extend(other.platforms);
        self.exports.retain(|name| other.exports.contains(name));
        self.needed.extend(other.needed);
        self.macos = self.macos.max(other.macos);
        self.unsigned.extend(other.unsigned);
        self.fingerprint = self.fingerprint.filter(|mine| other.fingerprint.as_ref() == Some(mine));
        self
    }

    /// The system it needs, for the user; none if undeclared.
    pub fn requirement(&self) -> Option<String> {
        if let Some(macos) = self.macos {
            return Some(format!("runs with macOS {macos} and newer"));
        }
        let glibc = self.glibc?;
        let advice = if glibc > PORTABLE { "; `make build` makes one for older systems" } else { "" };
        Some(format!("runs with glibc {glibc} and newer{advice}"))
    }

    /// Needed libraries that systems of its kind do not have.
    pub fn foreign_libraries(&self) -> Vec<&str> {
        let of_system = |system| self.platforms.iter().any(|platform| platform.is_system(system));
        let known: &[&str] = if of_system("windows") {
            &OF_WINDOWS
        } else if of_system("macos") {
            &OF_MACOS
        } else {
            &OF_LINUX
        };
        let is_known = |name: &&str| known.iter().any(|start| name.starts_with(start));
        self.needed.iter().map(String::as_str).filter(|name| !is_known(name)).collect()
    }
}

/// The oldest GNU C library that has all symbols a library needs.
fn required_glibc(elf: &Elf<'_>) -> Option<Glibc> {
    let needs = elf.verneed.as_ref()?;
    let versions = needs.iter().flat_map(|library| library.iter().map(|version| version.vna_name).collect::<Vec<_>>());
    versions.filter_map(|name| Glibc::from_symbol_version(elf.dynstrtab.get_at(name)?)).max()
}

/// The fingerprint in a section that begins with a note.
fn fingerprint_in(section: &[u8]) -> Option<Vec<u8>> {
    let head = &section[..section.len().min(64)];
    let start = head.windows(NOTE_HEADER.len()).position(|window| window == NOTE_HEADER)?;
    section.get(start + NOTE_HEADER.len()..)?.get(..FINGERPRINT).map(<[u8]>::to_vec)
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
    fn what_is_no_library_says_nothing() {
        for rubbish in
            [&b""[..], b"rubbish", b"\x7fELF and then rubbish", b"MZ and then rubbish", b"\xcf\xfa\xed\xfe rubbish"]
        {
            assert!(Binary::read(rubbish).is_none());
        }
    }

    #[test]
    fn the_libraries_of_a_compiler_are_foreign() {
        let windows = Platform::of("windows", "x86_64").unwrap();
        let needed =
            ["kernel32.dll", "libgcc_s_seh-1.dll", "api-ms-win-crt-heap-l1-1-0.dll"].map(str::to_owned).to_vec();
        let binary = Binary { platforms: vec![windows], needed, ..Binary::default() };
        assert_eq!(binary.foreign_libraries(), ["libgcc_s_seh-1.dll"]);
    }

    #[test]
    fn a_note_is_read_with_and_without_padding() {
        let fingerprint = [7; FINGERPRINT];
        let note = [&[6, 0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 0], NOTE_HEADER, &fingerprint].concat();
        assert_eq!(fingerprint_in(&note).unwrap(), fingerprint);
        assert_eq!(fingerprint_in(&[note.as_slice(), &[0; 512]].concat()).unwrap(), fingerprint);
        assert_eq!(fingerprint_in(&note[..40]), None);
    }

    /// A library of Apple's without content: loader.h lists the numbers.
    fn mach_o(processor: u32, minimum: u32, signed: bool) -> Vec<u8> {
        let mut commands = vec![0x32, 24, 1, minimum, minimum, 0]; // LC_BUILD_VERSION
        commands.extend(if signed { [0x1D, 16, 0, 0].as_slice() } else { &[] }); // LC_CODE_SIGNATURE
        let header = [0xFEED_FACF, processor, 0, MH_DYLIB, 1 + u32::from(signed), 4 * commands.len() as u32, 0, 0];
        header.into_iter().chain(commands).flat_map(u32::to_le_bytes).collect()
    }

    fn universal(slices: [Vec<u8>; 2]) -> Vec<u8> {
        let second = 48 + slices[0].len();
        let mut head = vec![0xCAFE_BABE, 2];
        for (slice, begin) in slices.iter().zip([48, second as u32]) {
            let processor = u32::from_le_bytes(*slice[4..].first_chunk().unwrap());
            head.extend([processor, 0, begin, slice.len() as u32, 0]);
        }
        let head: Vec<u8> = head.into_iter().flat_map(u32::to_be_bytes).collect();
        [head, slices.concat()].concat()
    }

    #[test]
    fn universal_libraries_run_on_both_processors_with_the_newer_of_two_systems() {
        let slices = [mach_o(CPU_TYPE_X86_64, 0xA_0C00, false), mach_o(CPU_TYPE_ARM64, 0xB_0100, true)];
        let binary = Binary::read(&universal(slices)).unwrap();
        assert_eq!(binary.platforms.iter().map(|it| it.name).collect::<Vec<_>>(), ["darwin64", "aarch64-darwin"]);
        assert_eq!(binary.requirement().unwrap(), "runs with macOS 11.1 and newer");
        assert!(binary.unsigned.is_empty());
    }

    #[test]
    fn libraries_for_macos_on_arm_must_be_signed() {
        let unsigned = mach_o(CPU_TYPE_ARM64, 0xB_0000, false);
        let alone = Binary::read(&unsigned).unwrap();
        let both = Binary::read(&universal([mach_o(CPU_TYPE_X86_64, 0xB_0000, true), unsigned])).unwrap();
        for binary in [alone, both] {
            assert_eq!(binary.unsigned.iter().map(|it| it.name).collect::<Vec<_>>(), ["aarch64-darwin"]);
        }
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn this_program_needs_some_glibc() {
        let binary = Binary::read(&std::fs::read(std::env::current_exe().unwrap()).unwrap()).unwrap();
        assert!(binary.glibc.unwrap() >= Glibc(2, 2));
        assert_eq!(Some(binary.platforms[0]), Platform::here());
        assert_eq!(binary.foreign_libraries(), [""; 0]);
    }
}
