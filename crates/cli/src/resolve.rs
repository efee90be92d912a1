//! What the user means by MODEL.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Folder with the models of a project.
const MODELS: &str = "fmus";

/// Something that can be simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A model file.
    Model(PathBuf),
    /// A packed FMU.
    Fmu(PathBuf),
}

/// Finds the model: a folder with a `model.toml`, a model file, a robot
/// description, an FMU, or the bare name of a folder in `./fmus`.
///
/// # Errors
/// Nothing there, or something that is no model.
pub fn resolve(argument: &str) -> Result<Source> {
    let path = Path::new(argument);
    if path.exists() {
        return classify(path);
    }
    let is_bare = path.components().count() == 1;
    let in_models = Path::new(MODELS).join(path);
    if is_bare && in_models.exists() {
        return classify(&in_models);
    }
    Err(Error::hinted(format!("there is no model `{argument}`"), missing_hint(argument, is_bare)))
}

/// As [`resolve`], but an FMU is refused.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_model(argument: &str, command: &str) -> Result<PathBuf> {
    match resolve(argument)? {
        Source::Model(path) => Ok(path),
        Source::Fmu(path) => Err(Error::hinted(
            format!("`mbfmu {command}` needs a model, but {} is an FMU already", path.display()),
            Some("name the folder or the model.toml it was packed from".to_owned()),
        )),
    }
}

fn classify(path: &Path) -> Result<Source> {
    if path.is_dir() {
        let file = path.join("model.toml");
        if file.is_file() {
            return Ok(Source::Model(file));
        }
        let message = format!("the folder {} has no model.toml", path.display());
        return Err(Error::hinted(message, Some("`mbfmu new NAME` makes a folder with one".to_owned())));
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let kinds = "a model is a folder with a model.toml, a .toml, .urdf or MJCF .xml file, or an .fmu";
    match extension.as_str() {
        "toml" => Ok(Source::Model(path.to_path_buf())),
        "fmu" => Ok(Source::Fmu(path.to_path_buf())),
        _ if mbs_import::is_robot_description(path) => Ok(Source::Model(path.to_path_buf())),
        _ => Err(Error::hinted(format!("{} is not a model", path.display()), Some(kinds.to_owned()))),
    }
}

fn missing_hint(argument: &str, is_bare: bool) -> Option<String> {
    if !is_bare {
        return None;
    }
    let known = models();
    let nearest = mbs::expr::nearest(argument, known.iter().map(String::as_str));
    match nearest {
        Some(nearest) => Some(format!("did you mean `{nearest}`?")),
        None if known.is_empty() => Some("name a folder with a model.toml, or begin with `mbfmu new NAME`".to_owned()),
        None => Some(format!("models in ./{MODELS}: {}", known.join(", "))),
    }
}

/// Names of the models in `./fmus`.
fn models() -> Vec<String> {
    let entries = fs::read_dir(MODELS).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().join("model.toml").is_file());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
