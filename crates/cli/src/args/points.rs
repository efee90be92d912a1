//! Arguments of the commands that look at one point of a motion.

use std::path::PathBuf;

use clap::Args as ClapArgs;

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
    #[command(flatten)]
    pub rest: EquilibriumArgs,
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

/// Which equilibrium is searched for.
#[derive(Debug, Clone, Default, PartialEq, Eq, ClapArgs)]
pub struct EquilibriumArgs {
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
    /// Inputs or parameters to be found: names or patterns
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub trim: Vec<String>,
    /// Value that a variable shall have; may be repeated
    #[arg(long = "for", value_name = "NAME=VALUE")]
    pub targets: Vec<String>,
}

/// `mbfmu linearize`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu linearize DoublePendulum --equilibrium                 eigenvalues where it rests
  mbfmu linearize ServoArm --at 4 -o lin.json                  matrices after 4 s
  mbfmu linearize Crane --equilibrium --fix boom.phi --trim motor
                                                where the input `motor` holds the boom at its start
  mbfmu linearize Crane --from rest.toml --outputs load.r_abs -o lin.npz
  mbfmu linearize SpringMass --inputs f --outputs rail.s --bode bode.svg
  mbfmu linearize DoublePendulum --equilibrium --modes modes.html
                                                mode shapes, to be opened in a browser
  mbfmu linearize SpringMass --root-locus locus.svg --over d=0..30
                                                how the eigenvalues move with the damping

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
    /// Time of the start [s] [default: from the model]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub start: Option<f64>,
    /// Linearise at the equilibrium near the start
    #[arg(long)]
    pub equilibrium: bool,
    #[command(flatten, next_help_heading = "With --equilibrium")]
    pub rest: EquilibriumArgs,
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
    /// 3D page to write that plays the mode shapes, .html
    #[arg(long, value_name = "PAGE")]
    pub modes: Option<PathBuf>,
    /// Plot to write of the eigenvalues in the complex plane for all values of --over, .svg or .png
    #[arg(long, value_name = "PLOT", requires = "over")]
    pub root_locus: Option<PathBuf>,
    /// Parameter that changes for --root-locus: K=1:20:0.5 (from, to, step), K=1,2,5 (values) or K=1..20 (a range)
    #[arg(long, value_name = "NAME=VALUES", requires = "root_locus")]
    pub over: Option<String>,
}
