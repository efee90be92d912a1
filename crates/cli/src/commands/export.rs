//! `mbfmu export`

use std::fs;
use std::path::Path;

use mbs::math::Quaternion;
use mbs::scene::{JointType, Quantity, Scene};
use mbs::simulation::SimulationError;
use mbs_import::export::{Exported, Format, export};

use crate::args::{Experiment, Export};
use crate::error::{Error, Result};
use crate::files::output;
use crate::model::Loaded;
use crate::native::Native;
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
    let exported = export(&started(&mut native)?, format);
    write(&exported, &args.output)?;
    exported.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    report(&args.output, "")
}

/// The scene with the coordinates with which the run starts, also those that close loops.
fn started(native: &mut Native) -> Result<Scene> {
    let name = native.name().to_owned();
    let Some(simulation) = native.session.simulation() else {
        return Err(Error::failed(format!("{name} could not be initialised")));
    };
    let mut scene = simulation.scene().clone();
    let failed = |error: SimulationError| Error::failed(error.to_string());
    for (id, joint) in scene.joints.iter_mut() {
        if matches!(joint.kind, JointType::Spherical | JointType::Free) {
            let [from, to] = [joint.from, joint.to].map(|end| simulation.object_pose(end).map_err(failed));
            let relative = from?.inverse() * to?;
            let [from, to] = [joint.from, joint.to].map(|end| simulation.object_motion(end));
            let w = from.rotation.transpose() * (to.w - from.w);
            (0..3).for_each(|axis| joint.dofs[axis].velocity = w[axis]);
            joint.rotation = Quaternion::from_matrix(&relative.rotation);
            if joint.kind == JointType::Free {
                (0..3).for_each(|axis| joint.dofs[3 + axis].position = relative.translation[axis]);
            }
            continue;
        }
        for (dof, data) in joint.dofs.iter_mut().enumerate() {
            let mut at = |order| simulation.value(&Quantity::Coordinate { joint: id, dof, order }).map_err(failed);
            (data.position, data.velocity) = (at(0)?, at(1)?);
        }
    }
    Ok(scene)
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
