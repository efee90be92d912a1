//! `mbfmu export`

use std::fs;
use std::path::Path;

use mbs_import::export::{Exported, Format, export};

use crate::args::{Experiment, Export};
use crate::error::{Error, Result};
use crate::model::Loaded;
use crate::native::Native;
use crate::output;
use crate::resolve::resolve_model;
use crate::run::Run;
use crate::variable::Runner;

use super::{extension, report};

/// Writes a model as URDF or MJCF.
///
/// # Errors
/// Everything that is wrong with the model; files that cannot be written.
pub fn run(args: &Export) -> Result {
    let format = match extension(&args.output).as_str() {
        "urdf" => Format::Urdf,
        "xml" | "mjcf" => Format::Mjcf,
        _ => return Err(Error::Usage(format!("{} must end with .urdf or .xml", args.output.display()))),
    };
    let mut native = Native::new(Loaded::read(&resolve_model(&args.model, "export")?)?);
    output::spare(&args.output, &native.model().sources())?;
    let experiment = Experiment { settings: args.settings.clone(), ..Experiment::default() };
    let grid = Run::prepare(&mut native, &experiment, None)?.grid;
    native.initialize(grid.start, grid.stop, None)?;
    let Some(simulation) = native.session.simulation() else {
        return Err(Error::failed(format!("{} could not be initialised", native.name())));
    };
    let exported = export(simulation.scene(), format);
    write(&exported, &args.output)?;
    exported.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    report(&args.output, "")
}

fn write(exported: &Exported, path: &Path) -> Result {
    let folder = path.parent().unwrap_or(Path::new(""));
    for (name, bytes) in &exported.files {
        let file = folder.join(name);
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|cause| Error::file("make the folder", parent, &cause))?;
        output::write(&file, bytes)?;
    }
    output::write(path, exported.text.as_bytes())
}
