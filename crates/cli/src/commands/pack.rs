//! `mbfmu pack`

use std::path::Path;

use crate::args::{Drives, Pack};
use crate::defaults::with_defaults;
use crate::error::{Error, Result};
use crate::files::output;
use crate::inverse::{self, Wish};
use crate::model::Loaded;
use crate::native::Native;
use crate::package;
use crate::resolve::resolve_model;

use super::{output_file, report};

/// Packs a model as an FMU.
///
/// # Errors
/// Everything that is wrong with the model; a library that is missing; files that cannot be written.
pub fn run(args: &Pack) -> Result {
    let model =
        Loaded::read_as(&resolve_model(&args.model, "pack")?, args.kinematic)?.starting_from(args.from.as_deref())?;
    let model = with_defaults(model, &args.settings)?;
    let model = inverted(model, args)?;
    let libraries = package::Libraries::find(&args.library, &args.platforms)?;
    let bytes = package::fmu(&model, &libraries)?;
    let path = output_file(args.output.as_deref(), model.name(), ".fmu");
    let read: Vec<&Path> = model.sources().into_iter().chain(args.from.as_deref()).collect();
    output::spare(&path, &read)?;
    output::write(&path, &bytes)?;
    report(&path, &format!(" ({:.1} MB){}", bytes.len() as f64 / 1e6, libraries.summary()))?;
    warn_of_start(model);
    Ok(())
}

/// The model as it is, or with motions as inputs and efforts as outputs.
fn inverted(model: Loaded, args: &Pack) -> Result<Loaded> {
    let Drives { drive, free, closed } = args.drives.clone();
    let of_inverse = [("--drive", !drive.is_empty()), ("--free", free), ("--closed", !closed.is_empty())]
        .into_iter()
        .find(|(_, is_given)| *is_given);
    if let (Some((option, _)), false) = (of_inverse, args.inverse) {
        return Err(Error::Usage(format!("{option} is for --inverse")));
    }
    if !args.inverse {
        return Ok(model);
    }
    inverse::of_model(&model, &Wish { drive, free, closed, filter: args.filter })
}

/// Remarks for hosts: inputs that move bodies in jumps; a model that cannot start with the defaults of its parameters,
/// so that the FMU needs others.
fn warn_of_start(model: Loaded) {
    for remark in model.interface.scene().remarks_on_motions() {
        output::note(&format!("warning: {remark}"));
    }
    if let Err(error) = Native::new(model).start_with_defaults() {
        output::note(&format!(
            "warning: with the default values of its parameters the FMU cannot be initialized:\n{error}"
        ));
    }
}
