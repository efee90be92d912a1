//! Runs the tests of the viewer's scripts. Node.js is there: building this crate needs it.
#![allow(clippy::unwrap_used)]

use std::process::Command;

#[test]
fn scripts_of_the_viewer_pass_their_own_tests() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/viewer/test/motion.test.mjs");
    let output = Command::new("node").args(["--test", file]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
