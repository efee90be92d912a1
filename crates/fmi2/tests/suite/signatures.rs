//! Our functions have the signatures of the official headers: cbindgen writes ours as C, and one C file includes both.
//! A C compiler refuses to see a function declared twice with different types.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmi2::Status;

const MACRO: &str = include_str!("../../src/c_api/export.rs");
const TYPES: &str = include_str!("../../src/c_types.rs");

/// Where Cargo keeps the official headers: in the source of the package fmi-sys.
fn official_headers() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "metadata",
        "--format-version",
        "1",
        "--manifest-path",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ]);
    let output = cargo.output().unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "fmi-sys").expect("a dev-dependency");
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().join("fmi-standard2/headers")
}

/// The functions inside the macro, as Rust that cbindgen can read without expanding it.
fn exported_functions() -> String {
    let first = MACRO.find("#[unsafe(no_mangle)]").unwrap();
    // What follows names them once more, for the linker.
    let end = MACRO.rfind("            // Without this list").unwrap();
    MACRO[first..end].to_owned()
}

/// What cbindgen makes of some Rust. `Status` is called as in the standard; so is everything in `renamed`.
fn c_header(directory: &Path, rust: &str, renamed: &[&str], wanted: &[&str]) -> String {
    let source = directory.join("source.rs");
    std::fs::write(&source, rust).unwrap();
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        usize_is_size_t: true,
        no_includes: true,
        style: cbindgen::Style::Type,
        ..cbindgen::Config::default()
    };
    for name in renamed.iter().chain(&["Status"]) {
        config.export.rename.insert((*name).to_owned(), format!("fmi2{name}"));
        config.export.exclude.push((*name).to_owned());
    }
    config.export.include = wanted.iter().map(|name| (*name).to_owned()).collect();
    let bindings = cbindgen::Builder::new().with_config(config).with_src(&source).generate().unwrap();
    let mut header = Vec::new();
    bindings.write(&mut header);
    String::from_utf8(header).unwrap()
}

/// Facts about types that function declarations alone do not prove.
fn assertions() -> String {
    let mut text = String::new();
    let numbers = [
        ("fmi2OK", Status::Ok),
        ("fmi2Warning", Status::Warning),
        ("fmi2Discard", Status::Discard),
        ("fmi2Error", Status::Error),
        ("fmi2Fatal", Status::Fatal),
        ("fmi2Pending", Status::Pending),
    ];
    let mut assert = |fact: String| text += &format!("_Static_assert({fact}, \"\");\n");
    for (name, status) in numbers {
        assert(format!("{name} == {}", status as i32));
    }
    assert(format!("sizeof(fmi2Status) == {}", size_of::<Status>()));
    assert(format!("fmi2CoSimulation == {}", fmi2::c_api::CO_SIMULATION));
    let kinds = ["fmi2DoStepStatus", "fmi2PendingStatus", "fmi2LastSuccessfulTime", "fmi2Terminated"];
    for (number, kind) in kinds.iter().enumerate() {
        assert(format!("{kind} == {number}"));
    }
    assert("sizeof(CallbackFunctions) == sizeof(fmi2CallbackFunctions)".to_owned());
    for field in ["logger", "allocateMemory", "freeMemory", "stepFinished", "componentEnvironment"] {
        assert(format!("offsetof(CallbackFunctions, {field}) == offsetof(fmi2CallbackFunctions, {field})"));
        let of = |kind: &str| format!("__typeof__((({kind} *)0)->{field})");
        let (ours, theirs) = (of("CallbackFunctions"), of("fmi2CallbackFunctions"));
        assert(format!("__builtin_types_compatible_p({ours}, {theirs})"));
    }
    text
}

/// Compiles the two declarations of everything together.
fn compiles(directory: &Path, functions: &str, types: &str) -> Result<(), String> {
    let assertions = assertions();
    let code = format!("#include \"fmi2Functions.h\"\n{types}\n{functions}\n{assertions}");
    let file = directory.join("both.c");
    std::fs::write(&file, code).unwrap();
    let mut cc = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    cc.args(["-std=gnu11", "-fsyntax-only", "-Wall", "-Werror", "-I"]).arg(official_headers()).arg(file);
    let output = cc.output().expect("a C compiler");
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn headers(directory: &Path) -> (String, String) {
    let with_functions = format!("{TYPES}\n{}", exported_functions());
    let functions = c_header(directory, &with_functions, &["CallbackFunctions"], &[]);
    let types = c_header(directory, TYPES, &[], &["CallbackFunctions"]);
    (functions, types)
}

#[test]
fn all_signatures_are_those_of_the_standard() {
    let directory = tempfile::tempdir().unwrap();
    let (functions, types) = headers(directory.path());
    compiles(directory.path(), &functions, &types).unwrap_or_else(|errors| panic!("{errors}\n{functions}"));
}

#[test]
fn a_wrong_signature_would_be_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let (functions, types) = headers(directory.path());
    for (right, wrong) in [
        ("Real communicationStepSize", "Integer communicationStepSize"),
        ("fmi2Status fmi2Reset", "Integer fmi2Reset"),
        ("typedef unsigned int ValueReference", "typedef int ValueReference"),
    ] {
        assert!(functions.contains(right), "{functions}");
        let changed = functions.replace(right, wrong);
        assert!(compiles(directory.path(), &changed, &types.replace(right, wrong)).is_err(), "{wrong}");
    }
    let swapped =
        types.replace("freeMemory", "swap").replace("allocateMemory", "freeMemory").replace("swap", "allocateMemory");
    assert!(compiles(directory.path(), &functions, &swapped).is_err());
}

/// Names of functions in the official header that belong to co-simulation.
fn official_names() -> BTreeSet<String> {
    let header = std::fs::read_to_string(official_headers().join("fmi2Functions.h")).unwrap();
    let model_exchange = ["EventMode", "NewDiscreteStates", "ContinuousTimeMode", "CompletedIntegratorStep", "SetTime"];
    let more = ["ContinuousStates", "GetDerivatives", "EventIndicators"];
    let lines = header.lines().filter_map(|line| line.trim().strip_prefix("FMI2_Export "));
    let names = lines.filter_map(|line| Some(line.split_whitespace().nth(1)?.trim_end_matches(';').to_owned()));
    names.filter(|name| !model_exchange.iter().chain(&more).any(|part| name.contains(part))).collect()
}

#[test]
fn exactly_the_functions_of_co_simulation_are_exported() {
    let functions = exported_functions();
    let names = functions.split("extern \"C\" fn ").skip(1);
    let ours: BTreeSet<String> = names.map(|text| text.split('(').next().unwrap().to_owned()).collect();
    assert_eq!(ours, official_names());
    assert_eq!(ours.len(), 34);
}
