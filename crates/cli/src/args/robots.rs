//! Arguments of the commands for robot descriptions.

use std::path::PathBuf;

use clap::Args as ClapArgs;

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
    /// Folder with packages that package:// may mean, besides those around the file and in $ROS_PACKAGE_PATH; may be
    /// repeated
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
