//! Which library `mbfmu pack` puts into an FMU.
#![cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Desk, run_new_program};

const LIBRARY: &str = "libmbfmu_shell.so";
/// The platform of this machine.
const HERE: &str = if cfg!(target_arch = "x86_64") { "linux64" } else { "aarch64-linux" };
/// Bytes after the end of a library do no harm and tell it from others.
const MARK: &[u8] = b"for old systems";

fn built() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_mbfmu")).with_file_name("deps").join(LIBRARY)
}

/// The command with the library of plain cargo, and beside both `portable` in the folder of `make build`.
fn installed(desk: &Desk, portable: &[u8]) -> PathBuf {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    for folder in ["target/release/deps".to_owned(), format!("target/{target}/release/deps")] {
        fs::create_dir_all(desk.path(&folder)).unwrap();
    }
    fs::copy(built(), desk.path("target/release/deps").join(LIBRARY)).unwrap();
    fs::write(desk.path(&format!("target/{target}/release/deps")).join(LIBRARY), portable).unwrap();
    let command = desk.path("target/release/mbfmu");
    fs::copy(env!("CARGO_BIN_EXE_mbfmu"), &command).unwrap();
    command
}

/// The library in the FMU that the command packs.
fn packed(desk: &Desk, command: &Path) -> Vec<u8> {
    let mut command = Command::new(command);
    let status =
        run_new_program(command.args(["pack", "Pendulum"]).current_dir(desk.path("")).env_remove("MBFMU_SHELL"));
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let mut archive = zip::ZipArchive::new(fs::File::open(desk.path("Pendulum.fmu")).unwrap()).unwrap();
    let mut bytes = Vec::new();
    archive.by_name(&format!("binaries/{HERE}/Pendulum.so")).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_portable_library_of_the_same_sources_is_preferred() {
    let desk = Desk::with_pendulum();
    let portable = [&fs::read(built()).unwrap(), MARK].concat();
    let command = installed(&desk, &portable);
    assert!(packed(&desk, &command) == portable);
}

#[test]
fn a_portable_library_of_other_sources_is_left_alone() {
    let desk = Desk::with_pendulum();
    let plain = fs::read(built()).unwrap();
    let mut other = [plain.as_slice(), MARK].concat();
    let note = b"mbfmu\0\0\0".as_slice();
    let places: Vec<usize> = (0..other.len() - 40).filter(|k| other[*k..].starts_with(note)).collect();
    assert!(!places.is_empty(), "the library has no note");
    places.into_iter().for_each(|k| other[k + note.len()] ^= 1);
    let command = installed(&desk, &other);
    assert!(packed(&desk, &command) == plain);
}

#[test]
fn the_small_library_for_this_machine_is_preferred_to_all() {
    let desk = Desk::with_pendulum();
    let small = [&fs::read(built()).unwrap(), MARK].concat();
    let command = installed(&desk, &fs::read(built()).unwrap());
    let folder = desk.path(&format!("target/platforms/{HERE}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(LIBRARY), &small).unwrap();
    assert!(packed(&desk, &command) == small);
}

#[test]
fn packing_tells_which_systems_the_library_needs() {
    let desk = Desk::with_pendulum();
    let said = desk.works("pack Pendulum");
    assert!(said.contains("runs with glibc 2."), "{said}");
}

/// The command beside `platforms/win64` with a library in it.
fn installed_with_win64(desk: &Desk, library: &[u8]) -> PathBuf {
    let command = installed(desk, b"");
    fs::create_dir_all(desk.path("target/platforms/win64")).unwrap();
    fs::write(desk.path("target/platforms/win64/mbfmu_shell.dll"), library).unwrap();
    command
}

/// What the command says, all in one.
fn said(desk: &Desk, command: &Path, arguments: &str) -> (bool, String) {
    let mut command = Command::new(command);
    let command = command.args(arguments.split_whitespace()).current_dir(desk.path("")).env_remove("MBFMU_SHELL");
    let output = run_new_program(command);
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_library_of_another_machine_is_left_out_and_the_reason_told() {
    let desk = Desk::with_pendulum();
    let command = installed_with_win64(&desk, &fs::read(built()).unwrap());
    let (done, text) = said(&desk, &command, "pack Pendulum");
    assert!(done && text.contains("none for win64: the library at hand is for linux64"), "{text}");
    let (done, text) = said(&desk, &command, "pack Pendulum --platforms linux64,win64");
    assert!(!done && text.contains("there is no library for win64"), "{text}");
}

#[test]
fn what_is_no_library_is_left_out_and_the_reason_told() {
    let desk = Desk::with_pendulum();
    let command = installed_with_win64(&desk, b"MZ rubbish");
    let (done, text) = said(&desk, &command, "pack Pendulum");
    assert!(done && text.contains("none for win64: the library at hand is"), "{text}");
}

#[test]
fn platforms_are_chosen_by_name() {
    let desk = Desk::with_pendulum();
    let command = installed(&desk, b"");
    let (done, text) = said(&desk, &command, &format!("pack Pendulum --platforms {HERE}"));
    assert!(done && !text.contains("none for"), "{text}");
    let (done, text) = said(&desk, &command, "describe Pendulum.fmu --libraries");
    assert!(done && text.starts_with(HERE) && text.contains("none for"), "{text}");
    let (done, text) = said(&desk, &command, "pack Pendulum --platforms vax");
    assert!(!done && text.contains("there is no platform `vax`; there are linux64, win64"), "{text}");
}
