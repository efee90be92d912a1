//! Runs the command in a folder of its own.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests fail by panicking; not every test file needs all of this"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A steel rod of 1 m that a hinge about z holds in the middle: `head` stands before it, `hinge` belongs to the hinge,
/// and what follows may too.
pub fn rod_on_hinge(head: &str, hinge: &str) -> String {
    format!(
        r#"
{head}

[objects.rod]
solid = {{ shape = "box", lengths = [0.04, 1, 0.04], material = "Steel" }}

[joints.hinge]
type = "revolute"
from = "world"
to = "rod"
axis = "z"
{hinge}
"#
    )
}

/// A folder to work in; vanishes with it.
pub struct Desk {
    folder: TempDir,
}

/// What a run of the command left behind.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Desk {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with the template as model `Pendulum`.
    pub fn with_pendulum() -> Self {
        let desk = Self::new();
        desk.works("new Pendulum");
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mbfmu"));
        command.args(arguments.split_whitespace()).current_dir(self.folder.path()).env_remove("MBFMU_SHELL");
        command
    }

    /// Runs `mbfmu` with arguments without blanks.
    pub fn run(&self, arguments: &str) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs `mbfmu`, which must succeed; gives standard output.
    pub fn works(&self, arguments: &str) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "mbfmu {arguments}\n{}{}", ran.out, ran.err);
        ran.out
    }

    /// Runs `mbfmu`, which must fail with this code, print all of these words on standard error, and nothing on
    /// standard output.
    #[track_caller]
    pub fn fails(&self, arguments: &str, code: i32, says: &[&str]) {
        let ran = self.run(arguments);
        assert_eq!(ran.code, code, "mbfmu {arguments}\n{}{}", ran.out, ran.err);
        assert!(ran.out.is_empty(), "mbfmu {arguments} wrote to standard output: {}", ran.out);
        assert!(ran.err.starts_with("error: "), "mbfmu {arguments}\n{}", ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        for words in says {
            assert!(ran.err.contains(words), "mbfmu {arguments}: `{words}` is missing in\n{}", ran.err);
        }
    }

    /// Names of the files in the folder.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Copies an FMU; `change` gives the new content of a file, or none to leave it out.
    pub fn repack(&self, from: &str, to: &str, change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>) {
        let mut archive = zip::ZipArchive::new(fs::File::open(self.path(from)).unwrap()).unwrap();
        let mut files = Vec::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let name = entry.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
            files.extend(change(&name, bytes).map(|bytes| (name, bytes)));
        }
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        write_zip(&self.path(to), &files);
    }
}

/// Writes an archive without checking names.
pub fn write_zip(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in files {
        zip.start_file(*name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// Runs a command whose reader closes the pipe at once; gives its exit code and standard error.
pub fn with_closed_pipe(mut command: Command) -> Ran {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap().into()
}

/// Runs a program that was just written. Until another test's new process has closed the file that it inherited, the
/// system calls it busy.
pub fn run_new_program(command: &mut Command) -> Output {
    for _ in 0..500 {
        match command.output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            output => return output.unwrap(),
        }
    }
    panic!("{command:?} stays busy");
}
