//! `mbfmu import`

use std::path::PathBuf;

use crate::args::Import;
use crate::error::{Error, Result};
use crate::files::output;
use crate::robot;

/// Makes a folder with the model of a robot description.
///
/// # Errors
/// Everything that is wrong with the description; a folder that has a model already.
pub fn run(args: &Import) -> Result {
    let import = mbs_import::read(&args.robot, &robot::options(args)).map_err(Error::Model)?;
    import.model().map_err(Error::Model)?;
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(&import.name));
    let file = folder.join("model.toml");
    if file.exists() {
        return Err(Error::hinted(
            format!("{} exists already; nothing was changed", file.display()),
            Some("choose another folder with -o, or delete it first".to_owned()),
        ));
    }
    import.write(&folder).map_err(|(path, cause)| Error::file("write", &path, &cause))?;
    for note in import.summary() {
        output::note(&format!("note: {note}"));
    }
    let meshes = match import.files.len() {
        0 => String::new(),
        1 => " and a mesh".to_owned(),
        count => format!(" and {count} meshes"),
    };
    let shown = folder.display();
    output::print(&format!(
        "wrote {}{meshes}\nNext:\n  mbfmu check {shown}\n  mbfmu view {shown}\n  mbfmu pack {shown}\n",
        file.display()
    ))
}
