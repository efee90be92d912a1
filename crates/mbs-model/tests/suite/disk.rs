//! Models on the disk.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use mbs_model::{load, template};

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mbs-model-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn message(path: &Path) -> String {
    load(path).unwrap_err().to_string()
}

#[test]
fn a_folder_with_a_model_and_the_model_itself_are_the_same() {
    let folder = Folder::new("folder");
    let file = folder.write("model.toml", template("Pendulum").replace("\nname = ", "\n# name = "));
    let from_folder = load(&folder.0).unwrap();
    let from_file = load(&file).unwrap();
    assert_eq!(from_folder.declaration, from_file.declaration);
    assert!(from_folder.declaration.name.starts_with("mbs_model_"), "the folder gives the name");
    assert_eq!(from_folder.sources, [file]);
}

#[test]
fn files_that_are_no_models_are_errors() {
    let folder = Folder::new("wrong");
    assert!(message(&folder.0).contains("does not exist"));
    assert!(message(&folder.0.join("no.toml")).contains("does not exist"));
    let binary = folder.write("binary.toml", [b'a', b'=', b'"', 0xff, 0xfe, b'"']);
    assert!(message(&binary).contains("not UTF-8"));
    assert!(message(&binary).contains("binary.toml:1:4"));
    let garbage = folder.write("garbage.toml", [0_u8, 1, 2, 3]);
    assert!(!load(&garbage).unwrap_err().errors.is_empty());
    let empty = load(&folder.write("empty.toml", "")).unwrap();
    assert_eq!(empty.declaration.name, "empty");
}

#[test]
fn folders_and_enormous_files_are_not_read() {
    let folder = Folder::new("enormous");
    fs::create_dir(folder.0.join("sub.stl")).unwrap();
    let sparse = folder.write("huge.stl", "");
    fs::OpenOptions::new().write(true).open(&sparse).unwrap().set_len(mbs_model::LARGEST_FILE + 1).unwrap();
    for (name, cause) in [("sub.stl", "is a folder"), ("huge.stl", "the limit is 100 MB")] {
        let text = format!("[objects.a]\nvisual = {{ shape = \"mesh\", file = \"{name}\" }}\n");
        let message = message(&folder.write("model.toml", text));
        assert!(message.contains(cause), "{message}");
    }
}

#[test]
fn links_to_the_same_file_are_included_once() {
    let folder = Folder::new("links");
    let library = folder.write("library.toml", "[parameters]\na = 1\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&library, folder.0.join("link.toml")).unwrap();
    #[cfg(not(unix))]
    fs::copy(&library, folder.0.join("link.toml")).unwrap();
    let main = folder.write("model.toml", "include = [\"library.toml\", \"./library.toml\"]\n");
    assert_eq!(load(&main).unwrap().declaration.parameters.len(), 1);
    if cfg!(unix) {
        let main = folder.write("model.toml", "include = [\"library.toml\", \"link.toml\"]\n");
        assert_eq!(load(&main).unwrap().declaration.parameters.len(), 1);
    }
}
