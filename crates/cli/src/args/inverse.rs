//! Arguments of `mbfmu inverse`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Experiment;

/// `mbfmu inverse`
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mbfmu inverse Robot path.csv                     Robot_efforts.csv: one row of efforts per row of path.csv
  mbfmu simulate Robot -o run.csv && mbfmu inverse Robot run.csv   the efforts that this run has had
  mbfmu inverse FourBar run.csv --drive crank      the torque of one joint; the loop moves the others
  mbfmu inverse Arm log.csv --column shoulder.phi=q1 --column shoulder.w=dq1
  mbfmu inverse Walker gait.csv --drive hip,knee --free            the trunk moves as the forces want
  mbfmu inverse Walker gait.csv --drive hip,knee --free --closed floor_foot   no foot may lift off
  mbfmu pack Robot --inverse                       the same as an FMU: motions are inputs, efforts outputs

TRAJECTORIES has time in the first column and coordinates, velocities and accelerations under the
names of results: hinge.phi, hinge.w, der(hinge.w); slide.s, slide.v; ball.r_abs[1], ball.quaternion[1],
ball.v_abs[1], ball.w_abs[1]. Between rows motions are polynomials of fifth degree with continuous
accelerations; what has no column is estimated from the neighbouring rows.
Springs, dampers, friction, gravity, forces and components of the model act: efforts are what the
drives must do in addition. docs/inverse.md has more.")]
pub struct Inverse {
    /// Folder, model file or bare name
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Motions over time: a CSV file
    #[arg(value_name = "TRAJECTORIES.csv")]
    pub trajectories: PathBuf,
    #[command(flatten)]
    pub drives: Drives,
    /// Column of a coordinate, velocity or acceleration that is called otherwise in the file; may be repeated
    #[arg(long = "column", value_name = "NAME=COLUMN")]
    pub columns: Vec<String>,
    /// Distance of the rows to write [s] [default: the rows of the file]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// File to write, .csv, .parquet or .mat, `-` for standard output [default: <Name>_efforts.csv in the current
    /// folder]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Variables to write: names, groups, patterns [default: the efforts]
    #[arg(long, value_name = "VARS", value_delimiter = ',', conflicts_with = "all")]
    pub outputs: Vec<String>,
    /// Write all variables
    #[arg(long)]
    pub all: bool,
    /// Print counters and times as one JSON object
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub experiment: Experiment,
}

/// What follows given motions.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Drives {
    /// Joints, coordinates and free objects that follow given motions [default: all that have some]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub drive: Vec<String>,
    /// Let degrees of freedom without a given motion move as the forces want
    #[arg(long)]
    pub free: bool,
    /// Contacts that must not open, by both objects as in contact.floor_foot.f_n: an opening is an error
    #[arg(long, value_name = "A_B", value_delimiter = ',')]
    pub closed: Vec<String>,
}
