//! References to all copies of an instance.
#![allow(clippy::unwrap_used)]

use mbs_model::{MemoryFiles, parse};

/// What is said about a ball that ignores something and hangs on a joint.
fn error_message(ignored: &str, from: &str) -> Option<String> {
    let text = format!(
        r#"
[objects.ball]
solid = {{ shape = "sphere", diameter = 0.1, material = "Steel", collides = true, ignores = ["{ignored}"] }}
[joints.guide]
type = "prismatic"
axis = "z"
from = "{from}"
to = "ball"
"#
    );
    parse(&text, "model.toml", &mut MemoryFiles::new()).err().map(|errors| errors.to_string())
}

#[test]
fn all_copies_may_be_ignored_but_move_nothing() {
    for ignored in ["a", "a[2]", "a[*]", "hall.a[*]"] {
        assert_eq!(error_message(ignored, "world"), None, "{ignored}");
    }
    for (ignored, from) in [("a[*].b", "world"), ("[*]", "world"), ("a[*][*]", "world"), ("a", "b[*]")] {
        let error_message = error_message(ignored, from).unwrap();
        assert!(error_message.contains("is not the path of anything"), "{error_message}");
    }
}
