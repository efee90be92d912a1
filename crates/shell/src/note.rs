//! An ELF note with the fingerprint of the sources: linkers keep notes, tools read them without running anything.
//!
//! `mbfmu pack` looks for it by the names of section and note.

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
#[unsafe(link_section = ".note.mbfmu")]
static NOTE: Note = Note {
    name_size: 6,
    description_size: 32,
    kind: 1,
    name: *b"mbfmu\0\0\0",
    description: *mbfmu_fingerprint::FINGERPRINT,
};
