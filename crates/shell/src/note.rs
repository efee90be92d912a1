//! The fingerprint of the sources, in a section of its own that tools read without running anything: on Linux an ELF
//! note, which linkers keep, on Windows and macOS the same bytes.
//!
//! `mbfmu pack` looks for it by the names of section and note (`crates/cli/src/package/binary.rs`).

/// A note as the ELF specification lays it out.
#[repr(C, align(4))]
struct Note {
    name_size: u32,
    description_size: u32,
    kind: u32,
    name: [u8; 8],
    description: [u8; 32],
}

// SAFETY: notes are data that nobody executes, in a section that only this library's own tools read.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__TEXT,__mbfmu"))]
#[cfg_attr(windows, unsafe(link_section = ".mbfmu"))]
#[cfg_attr(not(any(target_vendor = "apple", windows)), unsafe(link_section = ".note.mbfmu"))]
static NOTE: Note = Note {
    name_size: 6,
    description_size: 32,
    kind: 1,
    name: *b"mbfmu\0\0\0",
    description: *mbfmu_fingerprint::FINGERPRINT,
};
