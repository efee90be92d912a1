//! `mbfmu view`

use std::path::Path;

use mbs_present::view::{ViewError, render_glb, render_html};

use crate::animation::{Recording, add_ghosts};
use crate::args::{Experiment, View};
use crate::error::{Error, Result};
use crate::files::output;
use crate::host::Fmu;
use crate::interrupt::Guard;
use crate::model::Loaded;
use crate::native::Native;
use crate::resolve::{Source, resolve};
use crate::variable::Runner;

use super::{extension, output_file, packed_otherwise, report_run, spare, starts_otherwise, unwritten};

/// Most pictures per second of simulated time.
const MOST_FPS: f64 = 1000.0;

/// Simulates and writes the animation.
///
/// # Errors
/// Everything that is wrong with model, arguments or files.
pub fn run(args: &View) -> Result {
    if !(args.fps > 0.0 && args.fps.is_finite()) {
        return Err(Error::Usage(format!("--fps is {}, but must be positive", args.fps)));
    }
    if args.fps > MOST_FPS {
        let fps = args.fps;
        return Err(Error::Usage(format!("--fps is {fps}, but must be at most {MOST_FPS} pictures per second")));
    }
    // That options of files exclude --live hides from the parser that --port needs it.
    if args.port.is_some() && !args.live {
        return Err(Error::Usage("--port is for a page that is served: it needs --live".to_owned()));
    }
    if args.live {
        return crate::live::serve(Native::silent(load(&args.model, &args.experiment)?), &args.experiment, args.port);
    }
    let mut native = Native::new(load(&args.model, &args.experiment)?);
    let name = native.name().to_owned();
    let path = output_file(args.output.as_deref(), &name, ".html");
    let write = renderer(&path)?;
    spare(&path, &native.sources(), &args.experiment, &[])?;
    let _guard = Guard::hold();
    let made = Recording::make(&mut native, &args.experiment, 1.0 / args.fps);
    let (recording, ended) = made.map_err(|error| unwritten(&path, error))?;
    let (frames, mut animation) = (recording.num_frames(), recording.animation(&ended.title(&name)));
    if let Some((model, experiment)) = ghost(args) {
        let mut native = Native::new(load(&model, &experiment)?);
        let (recording, ended) = Recording::make(&mut native, &experiment, 1.0 / args.fps)?;
        if let (Some(error), Some(progress)) = (&ended.error, ended.progress()) {
            output::note(&format!("note: the second run is incomplete: {error}"));
            animation.title += &format!(" (see-through run incomplete: {progress})");
        }
        add_ghosts(&mut animation, recording.animation(""), ended.error.is_none());
    }
    let bytes = write(&animation).map_err(|error| Error::failed(error.to_string()))?;
    output::write(&path, &bytes)?;
    report_run(ended, &path, &format!(" ({frames} frames)"))
}

/// Model and experiment of the second run.
fn ghost(args: &View) -> Option<(String, Experiment)> {
    if args.ghost.is_none() && args.ghost_set.is_empty() {
        return None;
    }
    let mut experiment = args.experiment.clone();
    if args.ghost.is_some() {
        experiment.settings.clear();
    }
    experiment.settings.extend(args.ghost_set.iter().cloned());
    Some((args.ghost.clone().unwrap_or_else(|| args.model.clone()), experiment))
}

fn load(argument: &str, experiment: &Experiment) -> Result<Loaded> {
    let path = match resolve(argument)? {
        Source::Model(path) => return super::load(&path, experiment),
        Source::Fmu(_) if experiment.kinematic => return Err(packed_otherwise()),
        Source::Fmu(_) if experiment.from.is_some() => return Err(starts_otherwise()),
        Source::Fmu(path) => path,
    };
    let json = Fmu::open(&path)?.declaration.ok_or_else(|| {
        Error::hinted(
            format!("{} was not packed by mbfmu; its shapes are unknown", path.display()),
            Some("`mbfmu simulate` and `mbfmu plot` run any FMU".to_owned()),
        )
    })?;
    output::note(&format!("note: running the model stored in {} natively", path.display()));
    Loaded::from_json(&json)
}

type Renderer = fn(&mbs_present::view::Animation) -> std::result::Result<Vec<u8>, ViewError>;

fn renderer(path: &Path) -> Result<Renderer> {
    match extension(path).as_str() {
        "html" | "htm" => Ok(|animation| render_html(animation).map(Into::into)),
        "glb" => Ok(render_glb),
        _ => Err(Error::Usage(format!("{} must end with .html or .glb", path.display()))),
    }
}
