//! Files that include others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use mbs_model::{Errors, MemoryFiles, Model, parse};

fn load(main: &str, files: &mut MemoryFiles) -> Result<Model, Errors> {
    parse(main, "models/arm/model.toml", files)
}

#[test]
fn included_content_comes_first_and_knows_its_file() {
    let mut files =
        MemoryFiles::new().with("models/lib/a.toml", "gravity = [0, 0, 1]\n\n[parameters]\na = 1\n[objects.x]\n");
    let model = load("include = [\"../lib/a.toml\"]\n[parameters]\nb = \"2*a\"\n[objects.y]\n", &mut files).unwrap();
    let declaration = model.declaration;
    assert_eq!(declaration.name, "arm");
    assert_eq!(declaration.gravity, mbs::declaration::Gravity::None, "gravity is that of the main file");
    assert_eq!(declaration.parameters.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(declaration.content.objects.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!(declaration.files, ["models/arm/model.toml", "models/lib/a.toml"]);
    assert_eq!((declaration.parameters[0].location.file, declaration.parameters[0].location.line), (1, 4));
    assert_eq!(declaration.parameters[1].location.file, 0);
    assert_eq!(model.texts[1].name, "models/lib/a.toml");
}

#[test]
fn a_file_is_included_once_however_its_path_is_written() {
    let mut files = MemoryFiles::new()
        .with("models/arm/a.toml", "include = [\"b.toml\"]")
        .with("models/arm/b.toml", "[parameters]\nb = 1\n");
    let model = load("include = [\"a.toml\", \"../arm/./b.toml\"]", &mut files).unwrap();
    assert_eq!(model.declaration.parameters.len(), 1);
    assert_eq!(model.sources.len(), 3);
}

#[test]
fn circles_are_errors_that_show_the_circle() {
    let mut files = MemoryFiles::new()
        .with("models/arm/a.toml", "include = [\"b.toml\"]")
        .with("models/arm/b.toml", "\ninclude = [\"a.toml\"]");
    let errors = load("include = [\"a.toml\"]", &mut files).unwrap_err().errors;
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].file.as_str(), errors[0].line, errors[0].column), ("models/arm/b.toml", 2, 12));
    assert!(errors[0].message.contains("a.toml -> b.toml -> a.toml"), "{}", errors[0]);
    let own = load("include = [\"model.toml\"]", &mut MemoryFiles::new()).unwrap_err().errors;
    assert!(own[0].message.contains("model.toml -> model.toml"), "{}", own[0]);
}

#[test]
fn missing_files_and_errors_in_included_ones_stand_in_the_right_file() {
    let mut files = MemoryFiles::new().with("models/arm/a.toml", "nme = \"a\"");
    let errors = load("include = [\"a.toml\", \"no.toml\"]\nx = 1\n", &mut files).unwrap_err().errors;
    let places: Vec<(&str, u32, u32)> = errors.iter().map(|it| (it.file.as_str(), it.line, it.column)).collect();
    let (main, a) = ("models/arm/model.toml", "models/arm/a.toml");
    assert_eq!(places, [(main, 1, 22), (main, 2, 1), (a, 1, 1)]);
    assert!(errors[0].message.contains("no.toml does not exist"));
}

#[test]
fn names_repeated_across_files_are_errors() {
    let mut files = MemoryFiles::new().with("models/arm/a.toml", "[parameters]\nb = 1\n");
    let errors = load("include = [\"a.toml\"]\n[parameters]\nb = 2\n", &mut files).unwrap_err().errors;
    assert_eq!((errors[0].file.as_str(), errors[0].line), ("models/arm/model.toml", 3));
    assert!(errors[0].message.contains("parameter at models/arm/a.toml:2"), "{}", errors[0]);
}

#[test]
fn meshes_are_relative_to_the_file_that_names_them() {
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let visual = "[objects.x]\nvisual = { shape = \"mesh\", file = \"x.obj\" }\n";
    let mut files = MemoryFiles::new().with("models/lib/a.toml", visual).with("models/lib/x.obj", triangle);
    let model = load("include = [\"../lib/a.toml\"]", &mut files).unwrap();
    assert!(model.sources.contains(&PathBuf::from("models/lib/x.obj")));
}

#[test]
fn chains_without_end_are_errors() {
    let mut files = MemoryFiles::new();
    for number in 0..200 {
        files = files.with(format!("models/arm/{number}.toml"), format!("include = [\"{}.toml\"]", number + 1));
    }
    let errors = load("include = [\"0.toml\"]", &mut files).unwrap_err().errors;
    assert!(errors[0].message.contains("include one another"), "{}", errors[0]);
}
