//! The layering of this workspace, and detection in a small source tree that violates the rules.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use mbfmu_floors::graph::Graph;
use mbfmu_floors::module::Modules;
use mbfmu_floors::{upward_imports, violations};

#[test]
fn no_import_runs_upwards_or_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let violations = violations(&root).unwrap();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

fn crooked() -> Modules {
    Modules::read(Path::new(env!("CARGO_MANIFEST_DIR")), Path::new("tests/crooked")).unwrap()
}

fn targets(graph: &Graph, module: &str) -> Vec<String> {
    graph.0[module].keys().cloned().collect()
}

#[test]
fn a_name_that_is_handed_on_counts_where_it_is_named_and_where_it_is_defined() {
    let graph = Graph::of(&crooked(), &[], false);
    assert_eq!(targets(&graph, "ground"), ["middle", "upper"]);
    assert_eq!(targets(&graph, "middle"), ["upper"]);
    assert!(targets(&graph, "upper").is_empty());
}

#[test]
fn imports_that_run_upwards_are_named_with_their_place() {
    let floors = [("ground", 1), ("middle", 2), ("attic", 4)].map(|(name, floor)| (name.to_owned(), floor));
    let found = upward_imports(&Graph::of(&crooked(), &[], true), &BTreeMap::from(floors));
    let expected = [
        "the code map gives `upper` of crates/mbs/src no floor",
        "the code map gives `attic` a floor, but crates/mbs/src has no such module",
        "tests/crooked/ground.rs:3 names crate::middle::Beam: `ground` on floor 1 imports `middle` on floor 2",
    ];
    assert_eq!(found, expected);
}

#[test]
fn submodules_that_import_each_other_form_a_circle_without_their_folder() {
    let graph = Graph::of(&crooked(), &["upper".to_owned()], false);
    assert_eq!(graph.circles(), [["left", "right"]]);
}
