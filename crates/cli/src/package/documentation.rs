//! `documentation/index.html`: what the FMU is, its variables, and how to use it.

use std::fmt::Write as _;

use multibody_fmu::{InterfaceVariable, Role, VariableKind};

use crate::model::Loaded;

/// The page; self-contained but for the picture of the FMU.
pub fn page(model: &Loaded, has_picture: bool) -> String {
    let declaration = &model.interface.declaration;
    let name = escaped(&declaration.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    if has_picture {
        page.push_str("<p><img src=\"../model.png\" alt=\"Picture of the model\"></p>\n");
    }
    paragraph(&mut page, &declaration.description);
    facts(&mut page, model);
    for (role, title, words) in TABLES {
        table(&mut page, title, words, model.interface.variables.iter().filter(|variable| variable.role == *role));
    }
    page.push_str(USE);
    page.push_str("</body>\n</html>\n");
    page
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd;vertical-align:top}\
td:first-child,code{font-family:ui-monospace,monospace;font-size:.9em}img{max-width:100%}dt{float:left;clear:left;width:12rem;color:#666}dd{margin-left:12rem}";

const TABLES: &[(Role, &str, &str)] = &[
    (Role::Parameter, "Parameters", "Set before initialisation; everything that depends on them is computed again."),
    (Role::Input, "Inputs", "Set between communication steps."),
    (Role::Output, "Outputs", ""),
    (Role::CalculatedParameter, "Calculated parameters", "Follow from the parameters."),
    (Role::Local, "Other variables", "For looking closer; all can be read at any communication point."),
];

const USE: &str = "<h2>Use</h2>\n\
<p>The FMU is a slave for co-simulation of FMI 2.0 and runs in any host of that standard. It contains its own \
integrator with variable step size: the communication step is chosen by the needs of the host, not of the model. \
Steps of different lengths, saving and restoring of the state and several instances in one process are possible \
where the model description says so.</p>\n\
<p>All values are in SI units, angles in radians. Wrong values are refused with a message in the log of the host that says \
what would be right. After <code>fmi2Discard</code> the instance is where it was before the step.</p>\n\
<h2>Licences</h2>\n<p>The software inside is listed in <a href=\"licenses/README.txt\">licenses/README.txt</a>.</p>\n";

fn facts(page: &mut String, model: &Loaded) {
    let declaration = &model.interface.declaration;
    let experiment = &model.interface.description.default_experiment;
    let seconds = |value: Option<f64>| value.map(|value| format!("{value} s")).unwrap_or_default();
    let rows = [
        ("Version", declaration.version.clone()),
        ("Author", declaration.author.clone()),
        ("Licence of the model", declaration.license.clone()),
        ("Copyright", declaration.copyright.clone()),
        ("GUID", model.interface.guid().to_owned()),
        ("Start time", seconds(experiment.start_time)),
        ("Stop time", seconds(experiment.stop_time)),
        ("Communication step", seconds(experiment.step_size)),
        ("Relative tolerance", experiment.tolerance.map(|value| format!("{value:e}")).unwrap_or_default()),
    ];
    page.push_str("<dl>\n");
    for (term, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(page, "<dt>{term}</dt><dd>{}</dd>", escaped(value));
    }
    page.push_str("</dl>\n");
}

/// One row per variable; columns without content are left out.
fn table<'a>(page: &mut String, title: &str, words: &str, variables: impl Iterator<Item = &'a InterfaceVariable>) {
    let rows: Vec<[String; 5]> = variables
        .map(|variable| {
            [variable.name.clone(), unit(variable), start(variable), range(variable), variable.description.clone()]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{title}</h2>");
    paragraph(page, words);
    let used: Vec<usize> =
        (0..COLUMNS.len()).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();
    let heads: String = used.iter().map(|column| format!("<th>{}</th>", COLUMNS[*column])).collect();
    let _ = writeln!(page, "<table>\n<tr>{heads}</tr>");
    for row in rows {
        let cells: String = used.iter().map(|column| format!("<td>{}</td>", escaped(&row[*column]))).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table>\n");
}

const COLUMNS: [&str; 5] = ["Name", "Unit", "Start", "Range", "Description"];

fn unit(variable: &InterfaceVariable) -> String {
    match variable.kind {
        VariableKind::Real if variable.unit == "1" => String::new(),
        VariableKind::Real => variable.unit.clone(),
        VariableKind::Integer => "integer".to_owned(),
        VariableKind::Boolean => "Boolean".to_owned(),
        VariableKind::String => "String".to_owned(),
    }
}

fn start(variable: &InterfaceVariable) -> String {
    match (variable.start, variable.kind) {
        (Some(_), VariableKind::String) => format!("\"{}\"", variable.text.as_deref().unwrap_or_default()),
        (Some(start), VariableKind::Boolean) => (start != 0.0).to_string(),
        (Some(start), _) => start.to_string(),
        (None, _) => String::new(),
    }
}

fn range(variable: &InterfaceVariable) -> String {
    match (variable.min, variable.max) {
        (Some(min), Some(max)) => format!("{min} … {max}"),
        (Some(min), None) => format!("≥ {min}"),
        (None, Some(max)) => format!("≤ {max}"),
        (None, None) => String::new(),
    }
}

fn paragraph(page: &mut String, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", escaped(text));
    }
}

fn escaped(text: &str) -> String {
    quick_xml::escape::escape(text).into_owned()
}
