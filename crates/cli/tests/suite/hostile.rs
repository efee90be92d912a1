//! Files that are damaged, lie or want to exhaust the machine: every command refuses them with a message, in little
//! memory, and leaves nothing behind.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write;
use std::process::Command;

use crate::support::{Desk, Ran, write_zip};
use zip::write::SimpleFileOptions;

/// Address space of a command [kB]; what a command needs for an ordinary model is a fifth of it.
const MEMORY: u32 = 1_500_000;

/// Commands that read an FMU.
const OF_FMUS: [&str; 5] = ["check", "simulate", "plot", "view", "describe"];

/// Commands that read a model.
const OF_MODELS: [&str; 6] = ["check", "simulate", "plot", "view", "describe", "pack"];

/// Runs the command in little memory, with a folder of its own for temporary files.
fn run(desk: &Desk, arguments: &[&str]) -> Ran {
    let temporary = desk.path("temporary");
    std::fs::create_dir_all(&temporary).unwrap();
    let limited = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_mbfmu")]).args(arguments);
    let ran = command.current_dir(desk.path("")).env("TMPDIR", &temporary).output().unwrap().into();
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "{arguments:?} leaves temporary files");
    std::fs::remove_dir(temporary).unwrap();
    ran
}

/// Every one of the commands refuses `argument`, says why, and writes nothing.
#[track_caller]
fn refused(desk: &Desk, commands: &[&str], argument: &str, says: &str) {
    let before = desk.files();
    for command in commands {
        let ran = run(desk, &[command, argument]);
        assert_eq!(ran.code, 1, "{command} {argument}: {}", ran.err);
        assert!(ran.err.starts_with("error: ") && ran.err.contains(says), "{command} {argument}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.len() < 4000, "{command} {argument}: {} bytes", ran.err.len());
    }
    assert_eq!(desk.files(), before, "{argument} leaves files");
}

/// An archive with compressed entries.
fn compressed(desk: &Desk, name: &str, entries: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(desk.path(name)).unwrap());
    for (entry, bytes) in entries {
        zip.start_file(*entry, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// Replaces bytes everywhere in a file by as many others.
fn patch(desk: &Desk, name: &str, from: &[u8], to: &[u8]) {
    let (mut bytes, mut found) = (desk.read(name), 0);
    assert_eq!(from.len(), to.len());
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
            found += 1;
        }
    }
    assert!(found > 0, "nothing to replace in {name}");
    std::fs::write(desk.path(name), bytes).unwrap();
}

#[test]
fn what_is_no_archive_is_refused() {
    let desk = Desk::new();
    desk.write("empty.fmu", "");
    std::fs::write(desk.path("noise.fmu"), (0..50_000_u32).map(|k| ((k * k) >> 7) as u8).collect::<Vec<_>>()).unwrap();
    compressed(&desk, "cut.fmu", &[("modelDescription.xml", &[b'x'; 5000]), ("more", b"y")]);
    let whole = desk.read("cut.fmu");
    std::fs::write(desk.path("cut.fmu"), &whole[..whole.len() / 2]).unwrap();
    for name in ["empty.fmu", "noise.fmu", "cut.fmu"] {
        refused(&desk, &OF_FMUS, name, "is not a sound archive");
    }
    std::fs::create_dir(desk.path("folder.fmu")).unwrap();
    refused(&desk, &OF_FMUS, "folder.fmu", "the folder folder.fmu has no model.toml");
}

#[test]
fn archives_that_would_fill_the_disk_are_refused_before_anything_is_written() {
    let desk = Desk::new();
    let zeros = vec![0_u8; 1_234_567];
    compressed(&desk, "bomb.fmu", &[("modelDescription.xml", b"<x/>"), ("binaries/linux64/x.so", &zeros)]);
    // It says what it would be: 3.9 GiB.
    patch(&desk, "bomb.fmu", &1_234_567_u32.to_le_bytes(), &0xfa00_0000_u32.to_le_bytes());
    refused(&desk, &OF_FMUS, "bomb.fmu", "unpacked it has 4000 MiB, more than 2 GiB");
    // It lies: 100 bytes.
    patch(&desk, "bomb.fmu", &0xfa00_0000_u32.to_le_bytes(), &100_u32.to_le_bytes());
    let ran = run(&desk, &["check", "bomb.fmu"]);
    assert!(ran.code == 1 && ran.err.contains("binaries/linux64/x.so"), "{}", ran.err);
}

#[test]
fn archives_with_too_many_or_equal_or_linked_entries_are_refused() {
    let desk = Desk::new();
    let names: Vec<String> = (0..20_001).map(|k| k.to_string()).collect();
    write_zip(&desk.path("many.fmu"), &names.iter().map(|name| (name.as_str(), b"".as_slice())).collect::<Vec<_>>());
    refused(&desk, &OF_FMUS, "many.fmu", "it has 20001 files, more than 20000");
    write_zip(&desk.path("twice.fmu"), &[("same-a", b"1".as_slice()), ("same-b", b"2".as_slice())]);
    patch(&desk, "twice.fmu", b"same-b", b"same-a");
    let ran = run(&desk, &["check", "twice.fmu"]);
    assert!(ran.code == 1 && ran.err.starts_with("error: "), "{}", ran.err);
    write_zip(&desk.path("mixed.fmu"), &[("a", b"1".as_slice()), ("a/b", b"2".as_slice())]);
    refused(&desk, &OF_FMUS, "mixed.fmu", "`a/b`");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(desk.path("link.fmu")).unwrap());
    zip.add_symlink("resources", "/etc", SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap();
    refused(&desk, &OF_FMUS, "link.fmu", "would lead out");
    let deep = vec!["d"; 3000].join("/");
    write_zip(&desk.path("deep.fmu"), &[(deep.as_str(), b"x".as_slice())]);
    refused(&desk, &OF_FMUS, "deep.fmu", "deep.fmu");
}

#[test]
fn model_descriptions_without_end_are_refused() {
    let desk = Desk::new();
    let described = |name: &str, xml: &[u8]| compressed(&desk, name, &[("modelDescription.xml", xml)]);
    described("nested.fmu", &b"<a>".repeat(1_000_000));
    refused(&desk, &OF_FMUS, "nested.fmu", "elements are nested deeper than 64 levels");
    described("long.fmu", &[b"<a>".as_slice(), &vec![b' '; 257 << 20]].concat());
    refused(&desk, &OF_FMUS, "long.fmu", "modelDescription.xml in long.fmu has 257 MiB; the limit is 256 MiB");
    described("noise.fmu", &[0xff, 0xfe, 0x00, 0x3c]);
    refused(&desk, &OF_FMUS, "noise.fmu", "modelDescription.xml in noise.fmu cannot be read");
    let laughs: String = ('b'..='m').map(|c| format!("<!ENTITY {c} \"{}\">", "&a;".repeat(1000))).collect();
    described("laughs.fmu", format!("<!DOCTYPE x [<!ENTITY a \"haha\">{laughs}]><x y=\"&m;\"/>").as_bytes());
    refused(&desk, &OF_FMUS, "laughs.fmu", "laughs.fmu");
}

#[test]
fn model_files_of_every_wrong_kind_are_refused() {
    let desk = Desk::new();
    let deep = 100_000;
    let expression = |text: String| {
        format!("name = \"X\"\nparameters.p = \"{text}\"\nobjects.ball = {{ free = true, mass = {{ m = \"p\" }} }}\n")
    };
    let models: [(&str, Vec<u8>, &str); 9] = [
        ("noise", (0..5000_u32).map(|k| ((k * k) >> 5) as u8 | 0x80).collect(), "not UTF-8"),
        ("zeros", vec![0; 5000], "zeros/model.toml:1:1"),
        ("lists", format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)).into(), "recursion"),
        ("tables", format!("a = {}1{}", "{b = ".repeat(deep), "}".repeat(deep)).into(), "recursion"),
        ("keys", format!("[{}]\nx = 1\n", vec!["a"; deep].join(".")).into(), "recursion"),
        ("brackets", expression(format!("{}1{}", "(".repeat(deep), ")".repeat(deep))).into(), "deeper than 100 levels"),
        ("signs", expression(format!("{}1", "-".repeat(deep))).into(), "deeper than 100 levels"),
        ("sum", expression(format!("{}1", "1+".repeat(deep))).into(), "more than 400 operations"),
        ("nan", b"name = \"X\"\n[objects.ball]\nfree = true\nr = [nan, 0, inf]\n".to_vec(), "must be a finite number"),
    ];
    for (name, text, says) in models {
        desk.write(&format!("{name}/model.toml"), "");
        std::fs::write(desk.path(&format!("{name}/model.toml")), text).unwrap();
        refused(&desk, &OF_MODELS, name, says);
    }
    std::fs::create_dir(desk.path("device")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", desk.path("device/model.toml")).unwrap();
    refused(&desk, &OF_MODELS, "device", "the folder device has no model.toml");
}

#[test]
fn meshes_and_pictures_that_lie_are_refused() {
    let desk = Desk::new();
    let heading = |count: u32| [[b'x'; 80].as_slice(), &count.to_le_bytes()].concat();
    let nothing = [heading(4), [[0xff; 48].as_slice(), &[0; 2]].concat().repeat(4)].concat();
    let meshes: [(&str, &str, Vec<u8>, &str); 5] = [
        ("huge", "m.stl", heading(u32::MAX), "its heading asks for 214748364834"),
        ("nan", "m.stl", nothing, "not a finite number"),
        ("none", "m.stl", Vec::new(), "is not an STL file"),
        ("words", "m.stl", b"solid x\nfacet normal 0 0 1\nfacet".to_vec(), "is not an STL file"),
        ("vertex", "m.obj", b"v 0 0 0\nf 1 2 99999999999\n".to_vec(), "there is no vertex"),
    ];
    for (name, file, bytes, says) in meshes {
        let solid = format!("{{ shape = \"mesh\", file = \"{file}\", density = 1000 }}");
        desk.write(
            &format!("{name}/model.toml"),
            &format!("name = \"X\"\nobjects.a = {{ free = true, solid = {solid} }}"),
        );
        std::fs::write(desk.path(&format!("{name}/{file}")), bytes).unwrap();
        refused(&desk, &OF_MODELS, name, says);
    }
    desk.write("picture/model.toml", "name = \"X\"\n[objects.ball]\nfree = true\nmass = { m = 1 }\n");
    desk.write("picture/picture.png", "GIF89a");
    refused(&desk, &["pack"], "picture", "picture.png is not a PNG picture");
}

#[test]
fn tables_of_every_wrong_kind_are_refused() {
    let desk = Desk::with_pendulum();
    let many: String = (0..100_000).map(|k| format!(",x{k}")).collect();
    let tables: [(&str, Vec<u8>, &str); 6] = [
        ("noise.csv", (0..9000_u32).map(|k| ((k * k) >> 5) as u8 | 0x80).collect(), "UTF-8"),
        ("empty.csv", Vec::new(), "must be called `time`"),
        ("wide.csv", format!("time{many}\n0\n").into(), "100001 columns"),
        ("twice.csv", b"time,x,x\n0,1,2\n".to_vec(), "there are two columns `x`"),
        ("late.csv", b"time,x\nnan,1\n".to_vec(), "must be a finite number"),
        ("words.csv", b"time,x\n0,one\n".to_vec(), "is not a number"),
    ];
    for (name, bytes, says) in tables {
        std::fs::write(desk.path(name), bytes).unwrap();
        refused(&desk, &["plot"], name, says);
        let ran = run(&desk, &["simulate", "Pendulum", "--inputs", name, "-o", "out.csv"]);
        assert!(ran.code == 1 && ran.err.contains(says), "{name}: {}", ran.err);
        assert!(!desk.path("out.csv").exists(), "{name}");
    }
}

#[test]
fn impossible_names_make_no_folder() {
    let desk = Desk::new();
    for (name, code) in [("..", 1), ("/", 1), ("a b", 1), ("a\nb", 1), ("ä", 1), ("--", 2), (&*"a".repeat(300), 1)] {
        let ran = run(&desk, &["new", name]);
        assert_eq!(ran.code, code, "{name:?}: {}", ran.err);
        assert!(ran.err.starts_with("error: ") && ran.out.is_empty(), "{name:?}: {}", ran.err);
    }
    assert!(desk.files().is_empty());
}

#[test]
fn a_named_pipe_in_place_of_an_fmu_is_refused_at_once() {
    let desk = Desk::new();
    let made = Command::new("mkfifo").arg(desk.path("pipe.fmu")).status().unwrap();
    assert!(made.success());
    refused(&desk, &OF_FMUS, "pipe.fmu", "it is not a file");
}
