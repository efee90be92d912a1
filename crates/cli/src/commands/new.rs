//! `mbfmu new`

use std::fs;
use std::io;
use std::path::Path;

use mbs_model::TEMPLATES;

use crate::args::{LIST, New};
use crate::error::{Error, Result};
use crate::files::output;

/// Makes a folder with a model to start from, or lists the templates.
///
/// # Errors
/// Names that are no identifiers; folders that exist.
pub fn run(args: &New) -> Result {
    if args.template == LIST {
        return output::print(&list());
    }
    let Some(folder) = &args.name else {
        let message = format!("a model has a name: `mbfmu new NAME --template {}`", args.template);
        return Err(Error::Usage(message));
    };
    let Some(template) = TEMPLATES.iter().find(|template| template.name == args.template) else {
        return Err(Error::Usage(format!("there is no template `{}`", args.template)));
    };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    check_name(&name)?;
    fs::create_dir(folder).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => Error::hinted(
            format!("{} exists already; nothing was changed", folder.display()),
            Some("choose another name, or delete it first".to_owned()),
        ),
        _ => Error::file("make the folder", folder, &cause),
    })?;
    let file = folder.join("model.toml");
    output::write(&file, template.model(&name).as_bytes())?;
    for (name, content) in template.files {
        output::write(&folder.join(name), content.as_bytes())?;
    }
    output::print(&next_steps(&file, &shown(folder)))
}

fn list() -> String {
    let width = TEMPLATES.iter().map(|template| template.name.len()).max().unwrap_or(0);
    let lines = TEMPLATES.iter().map(|template| format!("{:width$}   {}\n", template.name, template.summary));
    lines.collect::<String>() + "Make one by `mbfmu new NAME --template TEMPLATE`.\n"
}

fn check_name(name: &str) -> Result {
    let is_identifier = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_identifier {
        return Ok(());
    }
    let valid: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let valid = valid.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let hint = (!valid.is_empty()).then(|| format!("for example `{valid}`"));
    Err(Error::hinted(
        format!(
            "`{name}` cannot be the name of a model: it must begin with a letter and have only letters, digits and underscores"
        ),
        hint,
    ))
}

/// The folder as the user would name it to other commands.
fn shown(folder: &Path) -> String {
    let text = folder.display().to_string();
    if text.contains(' ') { format!("'{text}'") } else { text }
}

fn next_steps(file: &Path, model: &str) -> String {
    format!(
        "wrote {}\nNext:\n  mbfmu check {model}        find errors\n  mbfmu simulate {model}     results as CSV\n  \
         mbfmu plot {model}         a plot of the outputs\n  mbfmu view {model}         an animation for the browser\n  \
         mbfmu pack {model}         an FMU for any host\n",
        file.display()
    )
}
