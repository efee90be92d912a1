//! Arguments of all commands: one declaration per flag, from which parsing, help and error messages follow.

mod inverse;
mod points;
mod robots;
mod runs;

pub use inverse::{Drives, Inverse};
pub use points::{Equilibrium, EquilibriumArgs, Linearize};
pub use robots::{Base, Drive, Export, Import, Shapes};
pub use runs::{Experiment, Sampling, Simulate, Sweep};

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args as ClapArgs, Parser, Subcommand};

/// 3D multibody models: write a text file, look at its motion, pack it as an FMI 2.0 co-simulation FMU.
#[derive(Debug, Parser)]
#[command(name = "mbfmu", version, max_term_width = 100, after_help = FIRST_STEPS, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const FIRST_STEPS: &str = "\
First steps:
  mbfmu new Pendulum                      a folder with a model file to start from
  mbfmu simulate Pendulum                 results in Pendulum_result.csv
  mbfmu plot Pendulum hinge.phi           a plot in Pendulum.svg
  mbfmu view Pendulum                     an animation in Pendulum.html
  mbfmu pack Pendulum                     Pendulum.fmu for any FMI 2.0 co-simulation host

MODEL is a folder with a model.toml, a model file, a robot description (.urdf, MJCF .xml), or the bare
name of a folder in ./fmus.
Exit codes: 0 done, 1 something is wrong with the model or the data, 2 wrong use of the command,
128 + n ended by signal n (130 is Ctrl-C). A run that ends early leaves what it has computed, marked
as incomplete.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start a new model: a folder with a commented model.toml
    New(New),
    /// Make a model of a robot description: URDF or MJCF
    Import(Import),
    /// Write a model as URDF or MJCF
    Export(Export),
    /// Find everything that is wrong with a model or an FMU
    Check(Check),
    /// Print the model description (XML) or the topology of a model
    Describe(Describe),
    /// Pack a model as an FMU
    Pack(Pack),
    /// Simulate a model or an FMU and write the results as CSV
    Simulate(Simulate),
    /// Find the forces and torques that given motions need: inverse dynamics
    Inverse(Inverse),
    /// Simulate a model for many values of its parameters and write one row per run
    Sweep(Sweep),
    /// Find the equilibrium near the start, trim inputs or parameters, and write start values
    Equilibrium(Equilibrium),
    /// Linearise a model: matrices, eigenvalues, natural frequencies, damping
    Linearize(Linearize),
    /// Plot variables of a result file, a model or an FMU
    Plot(Plot),
    /// Make a 3D animation: one HTML page, or glTF binary (.glb)
    View(View),
    /// Print the JSON schema of model files, for editors
    Schema,
}

/// `mbfmu new`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu new Pendulum                   makes Pendulum/model.toml
  mbfmu new fmus/Hand                  makes fmus/Hand/model.toml, model name Hand; the folder fmus exists already
  mbfmu new --template list            the models to start from
  mbfmu new MyCar --template vehicle   one of them")]
pub struct New {
    /// Name of the model (letters, digits, underscores), possibly with the folder to put it into
    #[arg(value_name = "NAME", required_unless_present = "template")]
    pub name: Option<PathBuf>,
    /// Model to start from; the documentation explains each in its cookbook
    #[arg(long, value_name = "TEMPLATE", default_value = mbs_model::TEMPLATES[0].name, value_parser = templates())]
    pub template: String,
}

/// Word that lists the templates.
pub const LIST: &str = "list";

fn templates() -> PossibleValuesParser {
    let list = PossibleValue::new(LIST).help("print the templates and make nothing");
    let templates = mbs_model::TEMPLATES.iter().map(|each| PossibleValue::new(each.name).help(each.summary));
    PossibleValuesParser::new(templates.chain([list]))
}

/// `mbfmu check`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu check fmus/Pendulum      all errors with file, line and hint; a summary when there are none
  mbfmu check BoxStack --contacts   which objects can meet, and how they then press on each other
  mbfmu check SpherePile --set n=20 the model as it is with other parameters
  mbfmu check Pendulum.fmu       archive, model description, GUID, library and its 34 functions")]
pub struct Check {
    /// Folder, model file, bare name or FMU
    #[arg(value_name = "MODEL|FMU")]
    pub model: String,
    /// List the pairs of objects that can meet: how they touch, materials, restitution, friction
    #[arg(long)]
    pub contacts: bool,
    /// Set a parameter or the start value of an input of a model; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
}

/// `mbfmu describe`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu describe Pendulum > modelDescription.xml
  mbfmu describe Pendulum.fmu --libraries                   on which platforms it runs
  mbfmu describe Pendulum --topology                        who hangs on whom, with masses
  mbfmu describe Pendulum --topology=dot | dot -Tsvg -o topology.svg")]
pub struct Describe {
    /// Folder, model file, bare name or FMU
    #[arg(value_name = "MODEL|FMU")]
    pub model: String,
    /// Print the libraries inside an FMU instead: platforms, sizes, what they need
    #[arg(long, conflicts_with = "topology")]
    pub libraries: bool,
    /// Print the super-objects and joints instead, as a tree or for Graphviz
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "tree")]
    pub topology: Option<TopologyForm>,
}

/// How to print a topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum TopologyForm {
    /// Indented tree
    Tree,
    /// Graphviz source
    Dot,
}

/// `mbfmu pack`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu pack Pendulum                      Pendulum.fmu in the current folder
  mbfmu pack fmus/Pendulum -o out/p.fmu
  mbfmu pack Pendulum --set L=0.5 -o short.fmu      another default; the FMU can still be given others
  mbfmu pack Robot --inverse --filter 0.005         inverse dynamics: motions in, torques out

A picture.png or model.png beside the model file becomes the icon of the FMU.")]
pub struct Pack {
    /// Folder, model file or bare name
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// File to write [default: <Name>.fmu in the current folder]
    #[arg(short, long, value_name = "OUT.fmu")]
    pub output: Option<PathBuf>,
    /// Platforms whose libraries to put into the FMU, such as linux64,win64 [default: all at hand]
    #[arg(long, value_name = "PLATFORMS", value_delimiter = ',')]
    pub platforms: Vec<String>,
    /// Shared library to put into the FMU; may be repeated [default: those beside this command, or $MBFMU_SHELL]
    #[arg(long, value_name = "FILE")]
    pub library: Vec<PathBuf>,
    /// Another default of a parameter, or start value of an input; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Start values in place of those of the model: TOML with a table [start], as `mbfmu equilibrium -o` writes
    #[arg(long, value_name = "START.toml")]
    pub from: Option<PathBuf>,
    /// The FMU follows the prescribed motions without solving the equations of motion [default: as the model says]
    #[arg(long)]
    pub kinematic: bool,
    /// Inverse dynamics: motions of joints and free objects are inputs (hinge.phi_ref), the efforts that they need
    /// outputs (hinge.tau)
    #[arg(long, conflicts_with = "kinematic")]
    pub inverse: bool,
    #[command(flatten)]
    pub drives: Drives,
    /// Time constant [s] of a filter of the motions, 1/(1 + T s)^3, for hosts that give no derivatives
    #[arg(long, value_name = "T", requires = "inverse", allow_negative_numbers = true)]
    pub filter: Option<f64>,
}

/// `mbfmu plot`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu plot Pendulum hinge.phi hinge.w            simulates, one panel per unit, Pendulum.svg
  mbfmu plot Pendulum_result.csv hinge.phi         from a result file; without units, one panel per argument
  mbfmu plot Pendulum 'rod.r_abs' '*.w' -o p.png   groups and patterns, as a bitmap
  mbfmu plot Pendulum hinge.w --x hinge.phi        phase plane
  mbfmu plot Pendulum hinge.phi --with-set L=0.6   and the same with another parameter
  mbfmu plot a.csv hinge.phi --with b.parquet --with c.mat --xlim 1:2 --ylim=-0.5:0.5

`mbfmu simulate` writes the units of a CSV file beside it, NAME.units.csv; headers such as
`hinge.phi [rad]` are understood as well. Curves with units share a panel by unit.")]
pub struct Plot {
    /// Result file (.csv, .parquet or .mat), model or FMU
    #[arg(value_name = "FILE|MODEL|FMU")]
    pub source: String,
    /// Variables: names, groups such as `rod.r_abs`, patterns such as `*.phi` [default: all outputs or columns]
    #[arg(value_name = "VARS")]
    pub variables: Vec<String>,
    /// Variable to plot over [default: time]
    #[arg(long, value_name = "VAR")]
    pub x: Option<String>,
    /// Another result file, model or FMU, with its name behind those of its curves; may be repeated
    #[arg(long, value_name = "FILE|MODEL|FMU")]
    pub with: Vec<String>,
    /// Parameter of the second run; without --with it is the same model with this one changed. May be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub with_set: Vec<String>,
    /// Part of the x axis to show; one end may be left out
    #[arg(long, value_name = "FROM:TO", allow_hyphen_values = true)]
    pub xlim: Option<String>,
    /// Part of the y axes to show; one end may be left out
    #[arg(long, value_name = "FROM:TO", allow_hyphen_values = true)]
    pub ylim: Option<String>,
    /// Logarithmic axes; what is not positive is left out
    #[arg(long, value_enum, value_name = "AXES")]
    pub log: Option<LogAxes>,
    /// File to write, .svg or .png [default: <name>.svg in the current folder]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Headline [default: name of the model or file]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    #[command(flatten)]
    pub experiment: Experiment,
    /// Communication step [s] when a model is simulated
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
}

/// Axes that are logarithmic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogAxes {
    /// The x axis
    X,
    /// The y axes
    Y,
    /// All axes
    Xy,
}

/// `mbfmu view`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu view Pendulum                       Pendulum.html: open it in any browser, no network needed
  mbfmu view Pendulum --stop 3 --fps 60
  mbfmu view Pendulum --ghost-set L=0.6     and, see-through, the same with another parameter
  mbfmu view Pendulum --live                runs while you look at it: sliders, and bodies to pull with the mouse
  mbfmu view Pendulum.fmu -o pendulum.glb   glTF 2.0 binary for Blender and others")]
pub struct View {
    /// Folder, model file, bare name or an FMU made by `mbfmu pack`
    #[arg(value_name = "MODEL|FMU")]
    pub model: String,
    /// File to write, .html or .glb [default: <Name>.html in the current folder]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Pictures per second of simulated time
    #[arg(long, value_name = "N", default_value_t = 30.0, allow_negative_numbers = true)]
    pub fps: f64,
    /// A second model or FMU, shown see-through beside the first
    #[arg(long, value_name = "MODEL|FMU")]
    pub ghost: Option<String>,
    /// Parameter of the second run; without --ghost it is the first model with this one changed. May be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub ghost_set: Vec<String>,
    /// Serve a page on this machine only that runs the model while you look at it, with inputs and parameters as
    /// sliders and bodies to pull with the mouse; Ctrl-C ends it
    #[arg(long, conflicts_with_all = ["output", "ghost", "ghost_set", "fps", "stop", "inputs", "wall_limit"])]
    pub live: bool,
    /// Port of --live [default: any that is free]
    #[arg(long, value_name = "PORT", requires = "live")]
    pub port: Option<u16>,
    #[command(flatten)]
    pub experiment: Experiment,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn declarations_of_arguments_are_consistent() {
        Args::command().debug_assert();
    }
}
