//! Arguments of a model at instantiation.

use std::path::{Path, PathBuf};

/// Arguments of `fmi2Instantiate`, in usable form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instantiation {
    /// Name the host gave the instance.
    pub instance_name: String,
    /// GUID the host read from the description. The caller compares it with
    /// [`Interface::guid`](crate::Interface::guid).
    pub guid: String,
    /// Directories where the resources may be, the likeliest first: from the host's location, then relative to the
    /// library itself.
    pub resources: Vec<PathBuf>,
    /// The host allows windows.
    pub visible: bool,
    /// The host requests debug messages.
    pub logging_on: bool,
}

impl Instantiation {
    /// The first file of this name in a resource directory.
    pub fn find_resource(&self, name: impl AsRef<Path>) -> Option<PathBuf> {
        self.resources.iter().map(|directory| directory.join(&name)).find(|path| path.exists())
    }
}

/// Candidate directories: the host's location as URI, as plain path, and `<library>/../../resources`
/// (the archive holds `binaries/<platform>/<library>`).
pub(crate) fn resource_candidates(location: Option<&str>, library: Option<&Path>) -> Vec<PathBuf> {
    let mut candidates = Vec::new();
    if let Some(location) = location.filter(|location| !location.trim().is_empty()) {
        candidates.extend(path_of_uri(location.trim()));
        candidates.push(PathBuf::from(location));
    }
    candidates.extend(library.and_then(|path| path.ancestors().nth(3)).map(|root| root.join("resources")));
    candidates
}

/// `file:///dir/a%20b`, `file:/dir`, `file://localhost/dir`, `file://server/share`, also in other cases.
fn path_of_uri(location: &str) -> Option<PathBuf> {
    let scheme = location.get(..5)?;
    let rest = scheme.eq_ignore_ascii_case("file:").then(|| &location[5..])?;
    let path = match rest.strip_prefix("//") {
        Some(authority) => match authority.find('/') {
            Some(0) => authority.to_owned(),
            Some(end) if authority[..end].eq_ignore_ascii_case("localhost") => authority[end..].to_owned(),
            // A slash too few, as some hosts write it.
            Some(end) if is_drive(&authority.as_bytes()[..end]) => authority.to_owned(),
            _ => format!("//{authority}"),
        },
        None => rest.to_owned(),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let decoded = percent_decoded(path);
    Some(PathBuf::from(without_slash_before_drive(&decoded)))
}

/// `/C:/dir` is how a URI writes `C:/dir`.
fn without_slash_before_drive(path: &str) -> &str {
    match path.as_bytes() {
        [b'/', drive @ ..] if drive.get(..2).is_some_and(is_drive) => &path[1..],
        _ => path,
    }
}

/// `C:`
fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':'] if letter.is_ascii_alphabetic())
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match escape_at(bytes, at) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = *bytes.get(at..at + 3)? else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(location: &str) -> PathBuf {
        resource_candidates(Some(location), None).remove(0)
    }

    #[test]
    fn uris_of_all_kinds_become_paths() {
        for (uri, path) in [
            ("file:///fmu%20dir/r%C3%A9s", "/fmu dir/rés"),
            ("file:/fmu/resources", "/fmu/resources"),
            ("FILE://localhost/fmu", "/fmu"),
            ("file:///C:/fmu", "C:/fmu"),
            ("file:///C%3A/fmu%20dir", "C:/fmu dir"),
            ("file:/C:/fmu", "C:/fmu"),
            ("file://C:/fmu", "C:/fmu"),
            ("file://server/share", "//server/share"),
            ("file:///50%/a%zz", "/50%/a%zz"),
            ("/plain/path", "/plain/path"),
        ] {
            assert_eq!(first(uri), Path::new(path), "{uri}");
        }
    }

    #[test]
    fn the_library_knows_where_its_resources_are() {
        let library = Path::new("/x/binaries/linux64/m.so");
        assert_eq!(resource_candidates(None, Some(library)), [Path::new("/x/resources")]);
        assert_eq!(resource_candidates(Some(" "), Some(library)), [Path::new("/x/resources")]);
        assert_eq!(resource_candidates(Some("wrong"), Some(library)).last(), Some(&PathBuf::from("/x/resources")));
    }

    #[test]
    fn odd_locations_do_no_harm() {
        for odd in ["file:", "é", "file://", "%", "file:%"] {
            resource_candidates(Some(odd), None);
        }
    }
}
