//! The list of components in the documentation is complete, and the tests it names exist.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use mbs::component::Registry;

/// Words in backticks of one column of the table.
fn words(list: &str, column: usize) -> BTreeSet<&str> {
    let rows = list.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').nth(column).unwrap());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_type_is_in_the_list_with_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = std::fs::read_to_string(root.join("../../docs/components.md")).unwrap();
    let registry = Registry::builtin();
    assert_eq!(words(&list, 1), registry.names().collect());
    let files = std::fs::read_dir(root.join("tests/suite")).unwrap().map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.is_file()).map(|path| std::fs::read_to_string(path).unwrap());
    let sources: String = sources.collect();
    for test in words(&list, 3) {
        assert!(sources.contains(&format!("\nfn {test}()")), "there is no test `{test}`");
    }
}
