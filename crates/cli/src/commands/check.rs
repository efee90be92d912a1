//! `mbfmu check`

use std::path::Path;

use crate::args::Check;
use crate::counting::count;
use crate::defaults::with_defaults;
use crate::error::{Error, Result};
use crate::files::output;
use crate::host::{Fmu, Instance};
use crate::model::Loaded;
use crate::native::Native;
use crate::reports::summary::{Summary, counts};
use crate::resolve::{Source, resolve};
use crate::run::Grid;
use crate::variable::Runner;

/// Checks a model or an FMU; what it consists of when all is well.
///
/// # Errors
/// Everything that is wrong.
pub fn run(args: &Check) -> Result {
    match resolve(&args.model)? {
        Source::Model(path) => model(&path, args),
        Source::Fmu(_) if args.contacts => {
            Err(Error::Usage("--contacts lists the contacts of a model; an FMU does not tell them".to_owned()))
        }
        Source::Fmu(_) if !args.settings.is_empty() => Err(Error::Usage(
            "--set checks a model with other parameters; run the FMU with them: `mbfmu simulate`".to_owned(),
        )),
        Source::Fmu(path) => fmu(&path),
    }
}

/// Reads, elaborates and initialises a model.
fn model(path: &Path, args: &Check) -> Result {
    let loaded = with_defaults(Loaded::read_silently(path, false)?, &args.settings)?;
    let notes: String = loaded.notes.iter().map(|note| format!("note: {note}\n")).collect();
    let of_files = loaded.remarks.clone();
    let mut native = Native::silent(loaded);
    let summary = Summary::of(&mut native)?;
    // What the start says as well is said once.
    let at_start = native.notes.iter().flatten().filter(|note| !summary.remarks.contains(note));
    at_start.for_each(|note| output::note(&format!("note: {note}")));
    let of_model = native.model().with_places(&summary.remarks);
    let remarks: String = of_files.into_iter().chain(of_model).map(|remark| format!("warning: {remark}\n")).collect();
    let contacts = summary.contacts.to_string();
    let table = if args.contacts { summary.contacts.table() } else { String::new() };
    output::print(&format!("{notes}{remarks}{}: {summary}\n{}\n{contacts}{table}", native.name(), summary.plausibility))
}

/// Unpacks, loads and instantiates an FMU.
fn fmu(path: &Path) -> Result {
    let fmu = Fmu::open(path)?;
    let files = fmu.num_files;
    if let Some(json) = &fmu.declaration {
        same_guid(&fmu, &Loaded::from_json(json)?)?;
    }
    let counts = counts(&fmu.description.variables);
    let mut instance = Instance::new(fmu.load(path)?)?;
    let version = instance.version();
    if version != "2.0" {
        return Err(Error::failed(format!("fmi2GetVersion says `{version}` instead of `2.0`")));
    }
    let grid = Grid::new(instance.defaults(), &Default::default(), None)?;
    instance.initialize(grid.start, grid.stop, None)?;
    output::print(&format!(
        "{}: FMI {version} co-simulation, {}, 34 functions, {counts}\n",
        instance.name(),
        count(files, "file", "files")
    ))
}

fn same_guid(fmu: &Fmu, model: &Loaded) -> Result {
    let (described, stored) = (&fmu.description.guid, model.interface.guid());
    if described == stored {
        return Ok(());
    }
    Err(Error::hinted(
        format!("the GUID of the model description, {described}, is not that of the stored declaration, {stored}"),
        Some("the archive was changed, or packed by another version; pack the model again".to_owned()),
    ))
}
