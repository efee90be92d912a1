//! Resources that are missing, of the wrong kind, or damaged: no instance, a reason, no harm.

use std::path::Path;

use multibody_fmu::DECLARATION_FILE;
use proptest::prelude::*;

use crate::host::{Fmu, directory, instantiate, last_message, model};

fn tried(content: Option<&[u8]>, name: &str) -> bool {
    let folder = directory(name);
    let file = folder.join(DECLARATION_FILE);
    let _ = std::fs::remove_file(&file);
    if let Some(content) = content {
        std::fs::write(&file, content).unwrap();
    }
    made_from(&folder)
}

fn made_from(folder: &Path) -> bool {
    let component = instantiate(model().interface.guid(), Some(&folder.display().to_string()));
    let made = !component.is_null();
    drop(Fmu(component));
    made
}

#[test]
fn declarations_that_are_none_give_no_instance() {
    let good = model().interface.declaration_json();
    assert!(tried(Some(good.as_bytes()), "good"));
    let deep = "[".repeat(100_000);
    let other = good.replacen("Everything", "Another", 1);
    for (what, content) in [
        ("empty", &b""[..]),
        ("null", b"null"),
        ("number", b"1e999"),
        ("text", b"\"model\""),
        ("binary", &[0xFF; 4096]),
        ("zeros", &[0; 4096]),
        ("deep", deep.as_bytes()),
        ("half", &good.as_bytes()[..good.len() / 2]),
        ("another model", other.as_bytes()),
    ] {
        assert!(!tried(Some(content), "bad"), "{what}");
    }
    assert!(!tried(None, "missing"));
}

/// A file of 10 GiB that takes no place on the disk: it must be refused by its size, not read.
#[test]
fn an_endless_declaration_is_refused_before_it_is_read() {
    let folder = directory("endless");
    std::fs::File::create(folder.join(DECLARATION_FILE)).unwrap().set_len(10 << 30).unwrap();
    assert!(!made_from(&folder));
    assert!(last_message().contains("has 10240 MiB; the limit is 256 MiB"), "{}", last_message());
}

#[test]
fn a_folder_in_place_of_the_declaration_gives_no_instance() {
    let folder = directory("folder");
    std::fs::create_dir_all(folder.join(DECLARATION_FILE)).unwrap();
    assert!(!made_from(&folder));
    assert!(last_message().contains("is not a file"), "{}", last_message());
}

#[test]
fn locations_of_all_forms_lead_to_the_resources_or_to_a_reason() {
    let (guid, folder) = (model().interface.guid(), directory("with space & ümlaut %41"));
    std::fs::write(folder.join(DECLARATION_FILE), model().interface.declaration_json()).unwrap();
    let plain = folder.display().to_string();
    let escaped: String = plain
        .bytes()
        .map(|byte| {
            let safe = byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
            if safe { char::from(byte).to_string() } else { format!("%{byte:02X}") }
        })
        .collect();
    for location in
        [plain.clone(), format!("file://{escaped}"), format!("file:{escaped}"), format!("FILE://localhost{escaped}")]
    {
        let component = instantiate(guid, Some(&location));
        assert!(!component.is_null(), "{location}");
        drop(Fmu(component));
    }
    for location in
        [None, Some(""), Some("file:///nowhere"), Some("%%%"), Some("http://example.org/x"), Some("file:///%FF%00")]
    {
        drop(Fmu(instantiate(guid, location)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_declaration_never_harms(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut content = model().interface.declaration_json().into_bytes();
        let at = at.index(content.len());
        content[at] = byte;
        if cut {
            content.truncate(at);
        }
        tried(Some(&content), "damaged");
    }
}
