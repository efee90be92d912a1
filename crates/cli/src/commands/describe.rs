//! `mbfmu describe`

use crate::args::{Describe, TopologyForm};
use crate::error::{Error, Result};
use crate::files::output;
use crate::host::Fmu;
use crate::model::Loaded;
use crate::reports::diagram;
use crate::resolve::{Source, resolve};

/// Prints the model description, or the topology.
///
/// # Errors
/// Everything that is wrong with the model.
pub fn run(args: &Describe) -> Result {
    let model = match resolve(&args.model)? {
        Source::Model(path) => Loaded::read(&path)?,
        Source::Fmu(path) => {
            let fmu = Fmu::open(&path)?;
            if args.libraries {
                return output::print(&fmu.libraries());
            }
            match (args.topology, &fmu.declaration) {
                (None, _) => return output::print(&fmu.xml),
                (Some(_), Some(json)) => Loaded::from_json(json)?,
                (Some(_), None) => {
                    return Err(Error::failed(format!(
                        "{} was not packed by mbfmu; its topology is unknown",
                        path.display()
                    )));
                }
            }
        }
    };
    if args.libraries {
        return Err(Error::Usage("--libraries is for FMUs; a model has none before it is packed".to_owned()));
    }
    match args.topology {
        None => output::print(&model.xml()?),
        Some(form) => topology(&model, form),
    }
}

fn topology(model: &Loaded, form: TopologyForm) -> Result {
    let scene = mbs::elaboration::elaborate_with(&model.interface.declaration, &[], &crate::product::components())
        .map_err(|errors| model.errors(&errors))?;
    let topology = mbs::topology::compile(&scene)
        .map_err(|error| model.errors(&[mbs::scene::SceneError::new(error.location, error.message)]))?;
    let forest = diagram::Forest::new(&scene, &topology);
    output::print(&match form {
        TopologyForm::Tree => forest.tree(),
        TopologyForm::Dot => forest.dot(),
    })
}
