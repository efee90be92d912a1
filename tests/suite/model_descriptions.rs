//! The reviewed model descriptions in `modelDescription/` are those of the models in `fmus/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{interface, model_folders};

#[test]
fn committed_model_descriptions_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("modelDescription");
    let update = std::env::var_os("UPDATE").is_some();
    for model in model_folders() {
        let interface = interface(&model);
        let xml = interface.xml().unwrap_or_else(|error| panic!("{}: {error}", model.display()));
        let path = folder.join(format!("{}.xml", interface.declaration.name));
        if update {
            std::fs::write(&path, &xml).expect("writable");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let remedy = "run `UPDATE=1 cargo test --test suite model_descriptions`";
        assert!(committed == xml, "{} is stale; {remedy}", path.display());
    }
}

#[test]
fn every_committed_model_description_has_a_model() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("modelDescription");
    let known: BTreeSet<String> =
        model_folders().iter().map(|model| interface(model).declaration.name.clone()).collect();
    for entry in std::fs::read_dir(folder).expect("modelDescription/ exists") {
        let path = entry.expect("readable").path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(known.contains(stem.as_str()), "{} belongs to no model in fmus/", path.display());
    }
}
