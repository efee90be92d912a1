//! Where the library looks for its resources.

use std::ffi::CString;
use std::ptr::null;

use crate::library::{library_at, library_path, reference};
use crate::model::GUID;

/// Unpacks an "FMU" with the probe library and one resource, and asks the probe for the path it found.
#[test]
fn resources_are_found_without_help_of_the_host() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (binaries, resources) = (root.join("binaries/linux64"), root.join("resources"));
    std::fs::create_dir_all(&binaries).unwrap();
    std::fs::create_dir_all(&resources).unwrap();
    std::fs::write(resources.join("probe.txt"), "here").unwrap();
    let library = binaries.join("probe.so");
    std::fs::copy(library_path(), &library).unwrap();

    let api = library_at(&library);
    let expected = resources.join("probe.txt").display().to_string();
    let uri = CString::new(format!("file://{}", resources.display())).unwrap();
    for location in [null(), c"".as_ptr(), c"file:///wrong".as_ptr(), c"\xff".as_ptr(), uri.as_ptr()] {
        let guid = CString::new(GUID).unwrap();
        let component = unsafe { (api.fmi2Instantiate)(c"a".as_ptr(), 1, guid.as_ptr(), location, null(), 0, 0) };
        assert!(!component.is_null());
        let mut text = null();
        unsafe {
            (api.fmi2EnterInitializationMode)(component);
            (api.fmi2GetString)(component, &reference::RESOURCES, 1, &raw mut text);
            assert_eq!(std::ffi::CStr::from_ptr(text).to_str().unwrap(), expected);
            (api.fmi2FreeInstance)(component);
        }
    }
}
