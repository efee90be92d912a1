//! Arguments of all commands: one declaration per flag, from which parsing, help and error messages follow.

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

/// `mbfmu import`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu import panda.urdf                        a folder called after the robot: model.toml, meshes
  mbfmu import go2.urdf -o Go2 --base floating   stands on nothing
  mbfmu import arm.urdf --drive position         servos that follow inputs with the angles
  mbfmu import humanoid.xml                      MJCF

`mbfmu check|simulate|view|pack ROBOT.urdf` work as well, with the defaults of these options.
docs/import.md says what becomes of every element.")]
pub struct Import {
    /// URDF (.urdf) or MJCF (.xml) file
    #[arg(value_name = "ROBOT")]
    pub robot: PathBuf,
    /// Folder to make [default: the name of the robot, in the current folder]
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// How the root link of a URDF is held
    #[arg(long, value_name = "HOW", default_value = "fixed")]
    pub base: Base,
    /// What drives the joints of a URDF
    #[arg(long, value_name = "WHAT", default_value = "torque")]
    pub drive: Drive,
    /// Leave out the limits of joints
    #[arg(long)]
    pub no_limits: bool,
    /// Which shapes to take over
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub shapes: Shapes,
    /// Folder with packages that package:// may mean, besides those around the file and in $ROS_PACKAGE_PATH; may be repeated
    #[arg(long = "package-path", value_name = "FOLDER")]
    pub packages: Vec<PathBuf>,
}

/// How the root link of a URDF is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Base {
    /// On the world
    Fixed,
    /// Not at all
    Floating,
}

/// What drives the joints of a URDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Drive {
    /// Inputs with torques and forces
    Torque,
    /// Servos that follow inputs with positions
    Position,
    /// Servos that follow inputs with velocities
    Velocity,
    /// Nothing
    None,
}

/// Which shapes to take over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Shapes {
    /// Those for pictures and those for contacts
    All,
    /// Those for pictures
    Visual,
    /// Those for contacts
    Collision,
    /// None
    None,
}

/// `mbfmu export`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu export Pendulum -o pendulum.urdf
  mbfmu export FourBar -o fourbar.xml            MJCF, which has loops
  mbfmu export Pendulum -o short.urdf --set L=0.5

What the format cannot say is listed.")]
pub struct Export {
    /// Folder, model file, bare name or robot description
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// File to write: .urdf, or .xml for MJCF
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Set a parameter; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
}

/// `mbfmu check`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu check fmus/Pendulum      all errors with file, line and hint; a summary when there are none
  mbfmu check Pendulum.fmu       archive, model description, GUID, library and its 34 functions")]
pub struct Check {
    /// Folder, model file, bare name or FMU
    #[arg(value_name = "MODEL|FMU")]
    pub model: String,
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
}

/// What all simulating commands share.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Experiment {
    /// Start time [s] [default: from the model]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub start: Option<f64>,
    /// Stop time [s] [default: from the model]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub stop: Option<f64>,
    /// Relative tolerance of the integrator [default: from the model]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub tolerance: Option<f64>,
    /// Follow the prescribed motions without solving the equations of motion [default: as the model says]
    #[arg(long)]
    pub kinematic: bool,
    /// Set a parameter, or the value of an input at the start; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Start values in place of those of the model: TOML with a table [start], as `mbfmu equilibrium -o` writes
    #[arg(long, value_name = "START.toml")]
    pub from: Option<PathBuf>,
    /// Values of inputs over time: CSV with time in the first column. Reals are interpolated linearly at the start of
    /// every communication step and held over it; beyond the ends of the file the outermost values hold
    #[arg(long, value_name = "IN.csv")]
    pub inputs: Option<PathBuf>,
    /// Longest wall time of a run [s]; one that is not done by then ends with an error, and what it has computed is kept
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub wall_limit: Option<f64>,
}

/// `mbfmu simulate`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu simulate Pendulum                                       Pendulum_result.csv
  mbfmu simulate Pendulum.fmu -o out.csv                        the same bytes, from the FMU
  mbfmu simulate Pendulum --set L=2 --stop 5 --step 0.01 -o -   results to standard output
  mbfmu simulate Pendulum --outputs 'hinge.*,energy' --stats    chosen variables; counters
  mbfmu simulate Pendulum --profile-steps --wall-limit 60       where the time goes, after a minute at the latest

The result has one row per communication point, the start included; the first column is time.
Values are the shortest decimals that read back as the same number.")]
pub struct Simulate {
    /// Folder, model file, bare name or FMU
    #[arg(value_name = "MODEL|FMU")]
    pub model: String,
    #[command(flatten)]
    pub experiment: Experiment,
    /// Communication step [s] [default: from the model, else 1/500 of the duration]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// File to write, `-` for standard output [default: <Name>_result.csv in the current folder]
    #[arg(short, long, value_name = "OUT.csv")]
    pub output: Option<PathBuf>,
    /// Print counters and times as one JSON object (to standard error when the results go to standard output)
    #[arg(long)]
    pub stats: bool,
    /// Print what limited the internal steps and what restarted the integrator, with counts and times (models only)
    #[arg(long)]
    pub profile_steps: bool,
    /// Variables to write: names, groups such as `rod.r_abs`, patterns such as `*.phi` [default: the outputs]
    #[arg(long, value_name = "VARS", value_delimiter = ',', conflicts_with = "all")]
    pub outputs: Vec<String>,
    /// Write all variables
    #[arg(long)]
    pub all: bool,
}

/// `mbfmu sweep`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu sweep Pendulum L=0.5:2:0.1 --outputs 'max(hinge.w),energy'        Pendulum_sweep.csv
  mbfmu sweep Pendulum L=0.5,1,2 phi0=0..1.5 -n 20 -o sweep.parquet       60 runs: 3 lengths, 20 angles
  mbfmu sweep Pendulum L=0.5..2 phi0=0..1.5 --sampling lhs -n 200         200 runs spread over both

The result has one row per run: parameters, results, and the reason where a run failed. It does not depend on the number of workers.")]
pub struct Sweep {
    /// Folder, model file or bare name
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Values of a parameter: from:to:step, a list with commas, or a range from..to
    #[arg(value_name = "NAME=VALUES", required = true)]
    pub axes: Vec<String>,
    /// How points are chosen
    #[arg(long, value_enum, default_value_t)]
    pub sampling: Sampling,
    /// Number of values of every range of a grid, or of points of a sample
    #[arg(short, long, value_name = "N")]
    pub n: Option<usize>,
    /// Seed of a sample
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Results: variables, groups and patterns, at the end or as max(…), min(…), absmax(…), mean(…), rms(…)
    /// [default: the outputs at the end]
    #[arg(long, value_name = "VARS", value_delimiter = ',')]
    pub outputs: Vec<String>,
    /// Runs at the same time [default: one for every core]
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// File to write, .csv or .parquet, `-` for standard output [default: <Name>_sweep.csv in the current folder]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub experiment: Experiment,
    /// Communication step [s]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
}

/// How points are chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Sampling {
    /// All combinations; the last parameter changes fastest
    #[default]
    Grid,
    /// A scrambled Sobol sequence
    Sobol,
    /// A Latin hypercube
    Lhs,
}

/// `mbfmu equilibrium`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu equilibrium CarOnTerrain --set torque=0 -o rest.toml
                                                where the car stands
  mbfmu simulate CarOnTerrain --from rest.toml  a run that starts there
  mbfmu equilibrium Crane --fix boom.phi --trim motor
                                                the input that holds the boom where it starts
  mbfmu equilibrium Crane --trim motor --for boom.phi=0.3
                                                the same at 0.3 rad
  mbfmu equilibrium Car --steady 'chassis.r_abs[1]' --speed '*.wheel.phi' --trim torque
                                                straight ahead at the start velocity

All velocities are zero but those of --steady and --speed, all accelerations and all rates of
components vanish. An equilibrium close to the start is taken, stable or not; otherwise the model
moves on without inertia to a stable one. Coordinates that nothing determines, such as those of a
ball on a table, are listed. What cannot rest is an error.

With `experiment = { start = \"equilibrium\" }` in the model file every run, and the FMU, starts there.
docs/equilibrium-and-linearization.md has more.")]
pub struct Equilibrium {
    /// Folder, model file or bare name
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Coordinates that may move, names, groups or patterns; all others stay [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub free: Vec<String>,
    /// Coordinates that stay where they are, e.g. hinge.phi,ball or 'leg[*].knee'
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fix: Vec<String>,
    /// Coordinates that move steadily with their start velocity
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub steady: Vec<String>,
    /// Coordinates that move steadily with a velocity to be found, such as wheels that roll
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub speed: Vec<String>,
    /// Inputs or parameters to be found
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub trim: Vec<String>,
    /// Value that a variable shall have; may be repeated
    #[arg(long = "for", value_name = "NAME=VALUE")]
    pub targets: Vec<String>,
    /// Set a parameter or the value of an input; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Time of the start [s] [default: from the model]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub start: Option<f64>,
    /// Start values to begin the search with: TOML with a table [start]
    #[arg(long, value_name = "START.toml")]
    pub from: Option<PathBuf>,
    /// File to write: TOML with the start values, for --from or for `include` in a model file
    #[arg(short, long, value_name = "START.toml")]
    pub output: Option<PathBuf>,
}

/// `mbfmu linearize`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu linearize DoublePendulum --equilibrium                 eigenvalues where it rests
  mbfmu linearize ServoArm --at 4 -o lin.json                  matrices after 4 s
  mbfmu linearize Crane --from rest.toml --outputs load.r_abs -o lin.npz
  mbfmu linearize ServoArm --inputs u --outputs hinge.phi --bode bode.svg

x' = A x + B u, y = C x + D u in deviations from the point of linearisation. The states are
independent coordinates, their velocities and the states of components; closed loops are eliminated.
Inputs and outputs are those of the FMU. A .npz is for numpy.load, a .json for everything else.")]
pub struct Linearize {
    /// Folder, model file or bare name
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Time of the point of linearisation, reached by simulation [s] [default: the start]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Linearise at the equilibrium near the start
    #[arg(long)]
    pub equilibrium: bool,
    /// Start values: TOML with a table [start], as `mbfmu equilibrium -o` writes
    #[arg(long, value_name = "START.toml")]
    pub from: Option<PathBuf>,
    /// Set a parameter or the value of an input; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
    /// Inputs of the linear model: names, groups, patterns [default: all real inputs]
    #[arg(long, value_name = "VARS", value_delimiter = ',')]
    pub inputs: Vec<String>,
    /// Outputs of the linear model: any variables [default: the real outputs]
    #[arg(long, value_name = "VARS", value_delimiter = ',')]
    pub outputs: Vec<String>,
    /// File to write, .json or .npz
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Bode plot to write: gain and phase of every output by every input, .svg or .png
    #[arg(long, value_name = "PLOT")]
    pub bode: Option<PathBuf>,
}

/// `mbfmu plot`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu plot Pendulum hinge.phi hinge.w            simulates, one panel per unit, Pendulum.svg
  mbfmu plot Pendulum_result.csv hinge.phi         from a result file: one panel per argument
  mbfmu plot Pendulum 'rod.r_abs' '*.w' -o p.png   groups and patterns, as a bitmap")]
pub struct Plot {
    /// Result file (.csv), model or FMU
    #[arg(value_name = "CSV|MODEL|FMU")]
    pub source: String,
    /// Variables: names, groups such as `rod.r_abs`, patterns such as `*.phi` [default: all outputs or columns]
    #[arg(value_name = "VARS")]
    pub variables: Vec<String>,
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

/// `mbfmu view`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu view Pendulum                       Pendulum.html: open it in any browser, no network needed
  mbfmu view Pendulum --stop 3 --fps 60
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
