//! The reviewed model descriptions are those that the build script generates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

const GENERATED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/model_descriptions.rs"));

#[test]
fn committed_model_descriptions_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("modelDescription");
    let update = std::env::var_os("UPDATE").is_some();
    for (name, xml) in GENERATED {
        let path = folder.join(format!("{name}.xml"));
        if update {
            std::fs::write(&path, xml).expect("writable");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == *xml, "{} is stale; run `UPDATE=1 cargo test --test model_descriptions`", path.display());
    }
}

#[test]
fn every_committed_model_description_has_a_model() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("modelDescription");
    let known: BTreeSet<&str> = GENERATED.iter().map(|(name, _)| *name).collect();
    for entry in std::fs::read_dir(folder).expect("modelDescription/ exists") {
        let path = entry.expect("readable").path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(known.contains(stem.as_str()), "{} belongs to no model in fmus/", path.display());
    }
}
