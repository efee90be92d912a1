//! Action programs: timed and conditional changes of the structure of the model.

use serde::{Deserialize, Serialize};

use super::{Location, Pose, Vector};
use crate::expr::Expr;

/// A program of steps that change the structure or wait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActionProgram {
    /// Name within its model or assembly.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// When it starts.
    pub trigger: Trigger,
    /// Steps, one after the other.
    pub steps: Vec<Step>,
}

/// A reference path of several axes that programs move; its positions and velocities can be used in expressions of
/// forces and drives as `name.position[1]`, `name.velocity[1]`, `name.acceleration[1]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReferencePath {
    /// Name within its model or assembly.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Start positions, one per axis.
    pub start: Vec<Expr>,
    /// Largest speeds.
    pub v_max: Vec<Expr>,
    /// Largest accelerations.
    pub a_max: Vec<Expr>,
    /// The tool that moves along straight lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<ToolLine>,
}

/// A tool that moves along straight lines; the axes of a reference path follow by inverse kinematics.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolLine {
    /// Frame of the tool.
    pub tool: String,
    /// Frame in which lines are given and straight; the world when absent.
    pub base: Option<String>,
    /// Joints with one degree of freedom that follow the first axes of the path, in the same order; all between base
    /// and tool.
    pub joints: Vec<String>,
    /// Largest speed of the tool \[m/s\].
    pub v_max: Expr,
    /// Largest acceleration of the tool \[m/s²\].
    pub a_max: Expr,
    /// Largest angular speed of the tool \[rad/s\].
    pub w_max: Option<Expr>,
    /// Largest angular acceleration of the tool \[rad/s²\].
    pub dw_max: Option<Expr>,
    /// Whether the rotation of the tool is free: only its origin moves on the line.
    pub turns_freely: bool,
}

/// When an action program starts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Trigger {
    /// At the start of the simulation, once.
    #[default]
    Start,
    /// Whenever a condition becomes true, also when it is true at the start.
    When(Expr),
    /// Whenever the host sets the Boolean input of the program's name to true.
    Input,
}

/// One step of an action program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Changes the structure.
    Change(Box<ChangeStep>),
    /// Waits for a time \[s\].
    Wait(Expr),
    /// Waits until a condition is true.
    Until(Expr),
    /// Moves a reference path through some points, stopping at each, and waits for its end.
    Move {
        /// The path.
        path: String,
        /// Points, one position per axis.
        to: Vec<Vec<Expr>>,
    },
    /// Moves the tool of a reference path along straight lines, stopping at each point, and waits for its end.
    Line {
        /// The path.
        path: String,
        /// Positions of the tool in its base \[m\], with Cardan angles \[rad\] behind them where it turns.
        to: Vec<Vec<Expr>>,
    },
    /// Repeats steps: this many times, without end if there is no count.
    Repeat {
        /// Number of times.
        count: Option<Expr>,
        /// What is repeated.
        steps: Vec<Step>,
    },
    /// Does steps as long as a condition is true before each round.
    While {
        /// The condition.
        condition: Expr,
        /// What is repeated.
        steps: Vec<Step>,
    },
    /// Does steps if a condition is true, else others.
    If {
        /// The condition.
        condition: Expr,
        /// Steps when it is true.
        then: Vec<Step>,
        /// Steps when it is false.
        otherwise: Vec<Step>,
    },
}

/// Changes of the structure that happen at once. A pattern `part[*]` in a reference stands for all copies of an array.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangeStep {
    /// Where it was declared.
    pub location: Location,
    /// Frames to be attached to each other; the second may be one of several: the nearest that fits.
    pub attach: Option<(String, Vec<String>)>,
    /// Frame to be released.
    pub release: Option<String>,
    /// Root of an assembly to be deleted.
    pub delete: Option<String>,
    /// Assembly to be inserted: its root, the first absent one of a pattern.
    pub insert: Option<InsertStep>,
    /// Which of several objects is meant, from 1; 0 for none in particular: the nearest partner, the first copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Expr>,
    /// Whether attached frames are brought to coincide.
    pub snap: bool,
    /// Largest distance of frames to be attached \[m\].
    pub distance: Option<Expr>,
    /// Largest angle between frames to be attached \[rad\].
    pub angle: Option<Expr>,
    /// Largest relative velocity of frames to be attached \[m/s\].
    pub velocity: Option<Expr>,
    /// Largest relative angular velocity of frames to be attached \[rad/s\].
    pub angular_velocity: Option<Expr>,
    /// Policy if the changes are not possible.
    pub otherwise: Policy,
}

/// An assembly put into the scene.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InsertStep {
    /// Its root.
    pub root: String,
    /// Frame that pose and velocities refer to; as declared when absent.
    pub at: Option<String>,
    /// Pose of the root in the frame.
    pub pose: Pose,
    /// Velocity in the frame \[m/s\].
    pub v: Vector,
    /// Angular velocity relative to the frame \[rad/s\].
    pub w: Vector,
}

/// Policy for a change of structure that is not possible.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Policy {
    /// A warning; the program continues with its next step.
    #[default]
    Skip,
    /// Warns and retries at events, which include the time at which the frames are near and slow enough.
    Retry,
    /// The simulation ends with an error.
    Error,
}
