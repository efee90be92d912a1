//! The FMU archive: what goes in, and how it is written.

mod archive;
mod binary;
mod documentation;
mod library;
mod licenses;
pub mod platform;

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::model::Loaded;

pub use binary::Binary;
pub use library::Libraries;

/// Pictures beside the model file that become the icon, in this order.
const PICTURES: [&str; 2] = ["picture.png", "model.png"];

/// The bytes of the FMU of a model with shared libraries inside. The same model and libraries give the same bytes,
/// whenever and wherever.
///
/// # Errors
/// Pictures that cannot be read; models whose description the standard does not allow.
pub fn fmu(model: &Loaded, libraries: &Libraries) -> Result<Vec<u8>> {
    let xml = model.xml()?;
    let picture = picture(model.path.as_deref())?;
    let page = documentation::page(model, picture.is_some());
    let mut entries = archive::Entries::default();
    entries.add("modelDescription.xml", xml.into_bytes());
    entries.add(
        &format!("resources/{}", multibody_fmu::DECLARATION_FILE),
        model.interface.declaration_json().into_bytes(),
    );
    entries.add("documentation/index.html", page.into_bytes());
    for (name, bytes) in licenses::files() {
        entries.add(&format!("documentation/licenses/{name}"), bytes);
    }
    if let Some(picture) = picture {
        entries.add("model.png", picture);
    }
    let identifier = &model.interface.description.co_simulation.model_identifier;
    for library in &libraries.found {
        for platform in &library.folders {
            entries.add_program(&platform.library_in_archive(identifier), library.bytes.clone());
        }
    }
    entries.write()
}

fn picture(model: Option<&Path>) -> Result<Option<Vec<u8>>> {
    let folder = model.and_then(Path::parent).unwrap_or(Path::new(""));
    let file = PICTURES.iter().map(|name| folder.join(name)).find(|file| model.is_some() && file.is_file());
    let Some(file) = file else { return Ok(None) };
    let bytes = read(&file)?;
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Err(Error::failed(format!("{} is not a PNG picture", file.display())));
    }
    Ok(Some(bytes))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|cause| Error::file("read", path, &cause))
}
