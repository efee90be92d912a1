//! Arguments of the commands that simulate.

use std::path::PathBuf;

use clap::Args as ClapArgs;

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
    /// Values of inputs over time: CSV with time in the first column. Reals follow straight lines between
    /// the rows, Integers and Booleans keep the value of the last row; beyond the ends the outermost values hold
    #[arg(long, value_name = "IN.csv")]
    pub inputs: Option<PathBuf>,
    /// Longest wall time of a run [s]; one that is not done by then ends with an error, and what it has computed is
    /// kept
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub wall_limit: Option<f64>,
    /// Threads that evaluate contacts where they are many (models only); results do not depend on their number. In an
    /// FMU the parameter `threads` is the same [default: one for every core, in a sweep one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// `mbfmu simulate`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu simulate Pendulum                                       Pendulum_result.csv
  mbfmu simulate Pendulum.fmu -o out.csv                        the same bytes, from the FMU
  mbfmu simulate Pendulum --set L=2 --stop 5 --step 0.01 -o -   results to standard output
  mbfmu simulate Pendulum -o out.parquet                        columns with types and units
  mbfmu simulate Pendulum -o out.mat                            for Dymola, OpenModelica, MATLAB
  mbfmu simulate Pendulum --outputs 'hinge.*,energy' --stats    chosen variables; counters
  mbfmu simulate Pendulum --profile-steps --wall-limit 60       where the time goes, after a minute at the latest

The result has one row per communication point, the start included; the first column is time.
In CSV, values are the shortest decimals that read back as the same number. Units and descriptions
stand in a table of their own beside it, NAME.units.csv.")]
pub struct Simulate {
    /// Folder, model file, bare name or FMU
    #[arg(value_name = "MODEL|FMU")]
    pub model: String,
    #[command(flatten)]
    pub experiment: Experiment,
    /// Communication step [s] [default: from the model, else 1/500 of the duration]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// File to write, .csv, .parquet or .mat, `-` for standard output [default: <Name>_result.csv in the current
    /// folder]
    #[arg(short, long, value_name = "OUT")]
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
    /// Results: variables, groups and patterns, at the end or as max(…), min(…), absmax(…), mean(…), rms(…) of the
    /// values at the communication points [default: the outputs at the end]
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
